/* Planner: a pure function from a requested view and the measured speed of the backend to the way
 * in which a picture is drawn. */
#ifndef FATHOM_RENDER_PLAN_H
#define FATHOM_RENDER_PLAN_H

#include "render/frame.h"

/* Precision that the user requests; AUTO leaves the choice to the planner. */
#define PRECISION_LIST(X)                                                                          \
    X(PRECISION_AUTO, "auto")                                                                      \
    X(PRECISION_FLOAT, "float")                                                                    \
    X(PRECISION_DOUBLE, "double")                                                                  \
    X(PRECISION_WIDE, "wide")                                                                      \
    X(PRECISION_PERTURBED, "perturbed") /* around a reference orbit, in doubles */                 \
    X(PRECISION_PERTURBED_WIDE, "perturbed-wide")
enum precision { PRECISION_LIST(CHOICE_ID) PRECISION_COUNT };
extern const char *const precision_names[]; /* "auto", "float", ..., NULL */

/* [iterations/ms] measured speeds; 0: unknown. */
struct plan_speed {
    double per_ms[ROUTE_COUNT][TYPE_COUNT];
};

struct plan_input {
    const struct view *view;
    int width_px, height_px;
    uint32_t limit;
    const struct fractal *fractal; /* NULL: the Mandelbrot set */
    enum precision precision;
    const unsigned *types; /* bits of number types by route, as in struct backend_info; NULL: all */
    bool moving;           /* the view is changing: speed matters more than quality */
    /* Requirements of colours or layers: slopes, which maps do not have; attracting cycles of
     * interior points, which only the direct route computes. */
    bool slopes, inside;
    bool lines; /* motion is drawn by lines, most of which a picture at rest can keep */
    struct plan_speed speed;
};

struct plan {
    enum route route;
    enum number_type type;
    bool widen;         /* see struct frame_req */
    int first_stride;   /* see struct frame_req */
    const char *lacks;  /* the colours that will be missing, and why; NULL: none */
    bool past_depth;    /* `type` cannot distinguish neighbouring pixels */
    double expected_ms; /* [ms] for a picture with all pixels at the limit; 0: unknown */
};

struct plan plan_frame(const struct plan_input *input);
/* Zooms a view in to the depth limit of the fractal. */
void plan_deepest(const struct fractal *fractal, struct view *view);
/* Returns the precision that requests a route and a type. */
enum precision plan_precision(enum route route, enum number_type type);
/* Returns the precision for which a decided request is drawn as it is. */
enum precision plan_request_precision(const struct frame_req *req);

/* Returns how often the zoom can be doubled before plan_resolves is false; negative if it is false
 * already. `fractal` is NULL for a set over c. The pixels of a Julia set must be distinguishable
 * near its c, too. */
double plan_room(enum number_type type, const struct fractal *fractal, const struct view *view,
                 int width_px, int height_px);
/* Returns true if numbers of `type` distinguish neighbouring pixels everywhere in the picture. */
bool plan_resolves(enum number_type type, const struct fractal *fractal, const struct view *view,
                   int width_px, int height_px);

#endif
