/* Picture request: everything that decides the bytes of one picture, and the order of drawing.
 * Immutable once submitted. */
#ifndef FATHOM_RENDER_FRAME_H
#define FATHOM_RENDER_FRAME_H

#include "render/colour.h"
#include "render/formula/fractal.h"
#include "render/grid/lines.h"
#include "render/light/choice.h"
#include "render/number/number_type.h"
#include "render/view.h"
#include <stdint.h>

#define FRAME_SIZE_MAX      65536       /* pixels in each direction, except of posters */
#define FRAME_LIMIT_MAX     2147483647u /* iterations */
#define FRAME_LIMIT_DEFAULT 1000        /* iterations of a new scene */
#define FRAME_STRIDE_MAX    16
#define FRAME_OFFSETS       65536 /* units in a pixel step, in each direction */

/* Arithmetic of a point: directly, or as the distance from a reference orbit. */
enum route { ROUTE_DIRECT, ROUTE_PERTURBED, ROUTE_COUNT };

/* Bits of methods that prove a point to be interior before the limit. None changes any byte. */
enum shortcuts {
    SHORTCUTS_NONE = 0,
    SHORTCUTS_CARDIOID = 1 << 0, /* main cardioid and period-2 disc (interior.h) */
    SHORTCUTS_CYCLE = 1 << 1,    /* an orbit that returns to an earlier number never escapes */
    SHORTCUTS_ALL = SHORTCUTS_CARDIOID | SHORTCUTS_CYCLE,
};

/* Order in which pixels are drawn. None changes any byte. */
#define METHOD_LIST(X)                                                                             \
    X(METHOD_TILES, "tiled")        /* tile after tile, in the device's order */                   \
    X(METHOD_ROWS, "scanline")      /* row after row */                                            \
    X(METHOD_DEEPEN, "progressive") /* rounds of a few steps over all unfinished pixels */
enum method { METHOD_LIST(CHOICE_ID) METHOD_COUNT };

/* Map from pixels to the plane: that of a view (view.h), or an exponential map of the surroundings
 * of its centre (render/grid/exponential.h). */
#define PROJECTION_LIST(X) X(PROJECTION_FLAT, "flat") X(PROJECTION_EXPONENTIAL, "exponential")
enum projection { PROJECTION_LIST(CHOICE_ID) PROJECTION_COUNT };

struct frame_req {
    uint64_t generation; /* increases with each request of one explorer; reports contain it */
    struct view view;
    int width_px, height_px; /* drawn size, 1 .. POSTER_SIDE_MAX */
    /* Whole picture of the view, and the position of the drawn part's top left pixel in it. Each
     * sample is bit for bit that of the whole picture. 0x0: the part is everything. */
    int whole_width_px, whole_height_px, part_x_px, part_y_px;
    enum projection projection;
    /* Offset of samples to the right of and below their pixels' centres, in 1/FRAME_OFFSETS of a
     * step, at most half a step. For anti-aliasing. */
    int offset_x, offset_y;
    /* May be NULL: columns and rows, with a reference of the request, instead of the view's grid.
     * The whole then only defines the pixel step and the position of the middle. */
    struct lines *lines;
    struct fractal fractal;
    enum route route;
    enum number_type type;
    /* The resolver finds out whether rounding errors change counts, and chooses another route or
     * wide numbers if they do (render/number/doubt.h, render/deep/resolver.h). */
    bool widen;
    /* Perturbed pictures in doubles, and screened ones: orbits never leave the reference, which
     * rounds less (render/deep/perturbed.h). */
    bool tailless;
    /* May be NULL: the resolver finds or makes it. The request owns a reference. */
    struct perturbation *perturbation;
    struct perturbation *screen; /* as above, in doubles (render/number/screen.h); NULL: none */
    /* Direct pictures in wide numbers: orbits that escape in doubles within so many steps keep that
     * count. Orbits of so few steps, and interior ones, are walked in doubles. 0: all orbits are of
     * wide numbers. */
    uint32_t doubles_limit;
    uint32_t limit; /* 0 .. FRAME_LIMIT_MAX */
    enum method method;
    unsigned shortcuts; /* bits of enum shortcuts */
    unsigned planes;    /* planes of samples to compute: SAMPLE_BASIC and others (sample.h) */
    struct colouring colouring;
    /* Order of drawing; it never changes bytes. The first pass draws every first_stride-th pixel of
     * every first_stride-th row (a power of two up to FRAME_STRIDE_MAX), and further passes halve
     * the stride. Pixels near (focus_x_px, focus_y_px) come first. */
    int first_stride, focus_x_px, focus_y_px;
    /* false: no samples of earlier requests are reused, nothing is kept for a raised limit, and
     * there are no statistics. Requests with lines in motion never have the last two. */
    bool reuse;
};

/* Initialises a request for the home view at the given size, in double, limit 1000, with the
 * default palette. */
void frame_req_init(struct frame_req *req, int width_px, int height_px);
void frame_req_init_copy(struct frame_req *req, const struct frame_req *from);
void frame_req_finish(struct frame_req *req);
/* Returns the size of the whole picture, of which the request draws all or a part. */
void frame_req_whole(const struct frame_req *req, int *width_px, int *height_px);
/* Returns the position of the whole picture relative to a reference, or to one at (re, im). */
struct perturbed_place frame_req_place_of(const struct frame_req *req, mpfr_srcptr re,
                                          mpfr_srcptr im);
struct perturbed_place frame_req_place(const struct frame_req *req,
                                       const struct perturbation *around);
/* Returns the reason why a request cannot be drawn, or NULL if it can. Static text. */
const char *frame_req_problem(const struct frame_req *req);

/* Returns the size [bytes] of a resumable orbit as the request's kernels store it on any device: a
 * multiple of 8, at most FRAME_STATE_MAX. Only kernels read it. */
#define FRAME_STATE_MAX 48
size_t frame_req_state_size(const struct frame_req *req);

/* Returns the pixel step; 0 if it is too small for a double. */
double frame_req_step(const struct frame_req *req);
/* Stores the pixel step in a number of VIEW_ZOOM_BITS, which the caller has initialised. */
void frame_req_exact_step(const struct frame_req *req, mpfr_t step);
/* Returns the bits of the pixel step for sample positions: more if the numbers have more. */
long frame_req_step_bits(const struct frame_req *req);

/* Names in the order of their enums, NULL-terminated. */
extern const char *const route_names[];      /* "direct", "perturbed" */
extern const char *const method_names[];     /* "tiled", "scanline", ... */
extern const char *const projection_names[]; /* "flat", "exponential" */

#endif
