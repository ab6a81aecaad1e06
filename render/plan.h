/* The planner: a pure function from what is asked and how fast the backend was measured to be to
 * how a picture is drawn. */
#ifndef FATHOM_RENDER_PLAN_H
#define FATHOM_RENDER_PLAN_H

#include "render/frame.h"

/* What the user asked for; AUTO leaves the choice to the planner. */
enum precision {
    PRECISION_AUTO,
    PRECISION_FLOAT,
    PRECISION_DOUBLE,
    PRECISION_WIDE,
    PRECISION_PERTURBED,
    PRECISION_PERTURBED_WIDE, /* the same in wide numbers */
    PRECISION_COUNT
};
extern const char *const precision_names[]; /* "auto", "float", ..., NULL */

/* Iterations per ms that were measured; 0: not known yet. */
struct plan_speed {
    double per_ms[ROUTE_COUNT][TYPE_COUNT];
};

struct plan_input {
    const struct view *view;
    int width_px, height_px;
    uint32_t limit;
    const struct fractal *fractal; /* NULL: the Mandelbrot set */
    enum precision precision;
    const unsigned *types; /* of each route, as in struct backend_info; NULL: all there are */
    bool moving; /* the view is still changing: a quick picture is worth more than a good one */
    /* What colours or layers need: slopes, which maps have not; what orbits in the interior come to, which is known of those that
     * are iterated directly. */
    bool slopes, inside;
    bool lines; /* what moves is drawn line by line, most of which a resting picture can keep */
    struct plan_speed speed;
};

struct plan {
    enum route route;
    enum number_type type;
    bool widen;         /* see struct frame_req */
    int first_stride;   /* likewise */
    const char *lacks;  /* what will be left out of its colours, and why; NULL: nothing */
    bool past_depth;    /* neighbouring pixels can no longer be told apart in `type` */
    double expected_ms; /* for a picture at the limit everywhere; 0: not known */
};

struct plan plan_frame(const struct plan_input *input);
/* Zooms a view in as far as pictures of that fractal go. */
void plan_deepest(const struct fractal *fractal, struct view *view);
/* What to ask for to be given those. */
enum precision plan_precision(enum route route, enum number_type type);

/* How often the zoom may yet be doubled before plan_resolves is false; below 0 it is. `fractal` is NULL for a set over
 * c; a Julia set's pixels have to be told apart beside its c, too. */
double plan_room(enum number_type type, const struct fractal *fractal, const struct view *view,
                 int width_px, int height_px);
/* True while the numbers of `type` tell neighbouring pixels apart everywhere in the picture. */
bool plan_resolves(enum number_type type, const struct fractal *fractal, const struct view *view,
                   int width_px, int height_px);

#endif
