/* The request for one picture: everything that decides its bytes, and in which order it is drawn.
 * Immutable once submitted. */
#ifndef FATHOM_RENDER_FRAME_H
#define FATHOM_RENDER_FRAME_H

#include "render/colour.h"
#include "render/formula.h"
#include "render/view.h"
#include <stdint.h>

#define FRAME_SIZE_MAX   65536       /* pixels, each way */
#define FRAME_LIMIT_MAX  2147483647u /* iterations */
#define FRAME_STRIDE_MAX 16

enum number_type { TYPE_FLOAT, TYPE_DOUBLE, TYPE_COUNT };

/* How a step is rounded (DESIGN: canonical arithmetic): with fused multiply-adds, or every product
 * and sum on its own. */
enum arithmetic { ARITHMETIC_FUSED, ARITHMETIC_UNFUSED, ARITHMETIC_COUNT };

struct frame_req {
    uint64_t generation; /* grows with every request of one explorer; reports name it */
    struct view view;
    int width_px, height_px; /* 1 .. FRAME_SIZE_MAX */
    enum formula formula;
    enum number_type type;
    enum arithmetic arithmetic;
    uint32_t limit; /* 0 .. FRAME_LIMIT_MAX */
    struct colouring colouring;
    /* Order only, never bytes: the first pass draws every first_stride-th pixel of every
     * first_stride-th row (a power of two up to FRAME_STRIDE_MAX), the next ones halve it; what is
     * nearest (focus_x_px, focus_y_px) comes first. */
    int first_stride;
    int focus_x_px, focus_y_px;
    /* False: samples kept from earlier requests are not used; for measuring. */
    bool reuse;
};

/* A request for the home view at the given size, double, fused, limit 1000, the default palette. */
void frame_req_init(struct frame_req *req, int width_px, int height_px);
void frame_req_init_copy(struct frame_req *req, const struct frame_req *from);
void frame_req_finish(struct frame_req *req);
/* Says why a request cannot be drawn, NULL when it can. Static text. */
const char *frame_req_problem(const struct frame_req *req);

/* True when every sample of `to` that lies on the grid of `from` has the same value there: the two
 * differ by a pan of whole pixels, in colouring, size-preserving order or generation, nothing else.
 * Pixel (x, y) of `to` is then pixel (x + *dx, y + *dy) of `from`. */
bool frame_req_shares_samples(const struct frame_req *from, const struct frame_req *to, int *dx,
                              int *dy);

const char *number_type_name(enum number_type type);     /* "float", "double" */
const char *arithmetic_name(enum arithmetic arithmetic); /* "fused", "unfused" */

#endif
