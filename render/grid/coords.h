/* Coordinate tables: the c of pixel (x, y) is the sum of a term of its column and a term of its
 * row. The host computes both exactly and rounds them once. So every backend starts from the same
 * bits, and a pan by whole pixels keeps them. In exponential maps c is a product plus the
 * centre. */
#ifndef FATHOM_RENDER_GRID_COORDS_H
#define FATHOM_RENDER_GRID_COORDS_H

#include "render/frame.h"
#include "render/grid/coords_point.h"

struct coords {
    enum number_type type;
    int width_px, height_px;
    uint32_t layout; /* COORDS_TURNED, ... */
    /* Number of bytes of the table: width_px + height_px entries of the request's type, columns
     * first. */
    size_t bytes;
    union {
        void *table;
        struct coords_float *f32;
        struct coords_double *f64;
        struct coords_wide *wide;
    };
};

/* Returns the layout of a request's table. */
uint32_t coords_layout(const struct frame_req *req);
/* Builds the table of a request, for its offset and its part of the whole picture; takes about 0.1
 * us for each entry at shallow depths. Returns false without memory. */
bool coords_init(struct coords *coords, const struct frame_req *req);
void coords_finish(struct coords *coords);

#endif
