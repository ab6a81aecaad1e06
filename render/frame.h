/* The request for one picture: everything that decides its bytes, and in which order it is drawn.
 * Immutable once submitted. */
#ifndef FATHOM_RENDER_FRAME_H
#define FATHOM_RENDER_FRAME_H

#include "render/colour.h"
#include "render/formula/fractal.h"
#include "render/grid/lines.h"
#include "render/number/number_type.h"
#include "render/view.h"
#include <stdint.h>

#define FRAME_SIZE_MAX      65536       /* pixels, each way */
#define FRAME_LIMIT_MAX     2147483647u /* iterations */
#define FRAME_LIMIT_DEFAULT 1000        /* of a new scene */
#define FRAME_STRIDE_MAX    16
#define FRAME_OFFSETS       65536 /* to a pixel step, each way */

/* How a point is iterated: as it is, or as its distance from a reference orbit. */
enum route { ROUTE_DIRECT, ROUTE_PERTURBED, ROUTE_COUNT };

/* Ways to know that a point is interior without iterating up to the limit, as bits. None changes any byte. */
enum shortcuts {
    SHORTCUTS_NONE = 0,
    SHORTCUTS_CARDIOID = 1 << 0, /* the main cardioid and the period-2 disc (interior.h) */
    SHORTCUTS_CYCLE = 1 << 1,    /* an orbit that comes back to a number it had never escapes */
    SHORTCUTS_ALL = SHORTCUTS_CARDIOID | SHORTCUTS_CYCLE,
};

/* In which order pixels are drawn. None changes any byte. */
enum method {
    METHOD_TILES,  /* tile after tile, in the order that suits the device */
    METHOD_ROWS,   /* row after row */
    METHOD_DEEPEN, /* all pixels a few steps, those not done yet further, and again */
    METHOD_COUNT
};

struct frame_req {
    uint64_t generation; /* grows with every request of one explorer; reports name it */
    struct view view;
    int width_px, height_px; /* of what is drawn, 1 .. FRAME_SIZE_MAX */
    /* Which part that is of a larger picture of the view: its top left pixel there. Each sample is
     * that of the whole picture, bit for bit. Without a whole (0x0) it is everything. */
    int whole_width_px, whole_height_px, part_x_px, part_y_px;
    /* How far samples lie to the right of and below their pixels' centres, in 1/FRAME_OFFSETS of a
     * step, half a step at most. For anti-aliasing. */
    int offset_x, offset_y;
    /* Its columns and rows, the request's reference; the whole then says only how long a step is and
     * where the middle lies. NULL: those of the view's grid. */
    struct lines *lines;
    struct fractal fractal;
    enum route route;
    enum number_type type;
    /* Of perturbed pictures in doubles: struct backend draws them in wide numbers where doubles turn out
     * not to do (render/number/doubt.h). */
    bool widen;
    struct perturbation *perturbation; /* its share; NULL: struct backend finds or makes one */
    struct perturbation *screen; /* likewise, of doubles: see render/number/screen.h; NULL: none */
    uint32_t limit;              /* 0 .. FRAME_LIMIT_MAX */
    enum method method;
    unsigned shortcuts; /* enum shortcuts */
    unsigned planes;    /* of samples, that are made: SAMPLE_BASIC and others (sample.h) */
    struct colouring colouring;
    /* Order only, never bytes: the first pass draws every first_stride-th pixel of every
     * first_stride-th row (a power of two up to FRAME_STRIDE_MAX), the next ones halve it; what is
     * nearest (focus_x_px, focus_y_px) comes first. */
    int first_stride, focus_x_px, focus_y_px;
    /* False: no samples of earlier requests are used, nothing is kept for a raised limit, and there
     * are no statistics; loose lines have neither of the last two in any case. */
    bool reuse;
};

/* A request for the home view at the given size, double, limit 1000, the default palette. */
void frame_req_init(struct frame_req *req, int width_px, int height_px);
void frame_req_init_copy(struct frame_req *req, const struct frame_req *from);
void frame_req_finish(struct frame_req *req);
/* The size of the picture that this is all or a part of. */
void frame_req_whole(const struct frame_req *req, int *width_px, int *height_px);
/* Where that lies around a reference. */
struct perturbed_place frame_req_place(const struct frame_req *req,
                                       const struct perturbation *around);
/* Says why a request cannot be drawn, NULL when it can. Static text. */
const char *frame_req_problem(const struct frame_req *req);

/* Bytes of an orbit that may go on, as the request's kernels keep it on any device, and nothing else
 * looks into: a multiple of 8, FRAME_STATE_MAX at most. */
#define FRAME_STATE_MAX 40
size_t frame_req_state_size(const struct frame_req *req);

double frame_req_step(const struct frame_req *req); /* of pixels; 0: a double has none so small */
/* The same, of VIEW_ZOOM_BITS, into an initialised number of as many. */
void frame_req_exact_step(const struct frame_req *req, mpfr_t step);
/* Bits of the pixel step that samples lie by: more where their numbers have more. */
long frame_req_step_bits(const struct frame_req *req);

/* All of them, in the order of their enums, NULL-terminated. */
extern const char *const route_names[];  /* "direct", "perturbed" */
extern const char *const method_names[]; /* "tiled", "scanline", ... */

#endif
