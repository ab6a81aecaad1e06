/* Coordinate tables: the c of pixel (x, y) as one term of its column and one of its row, both exact
 * values rounded once on the host, so that every backend starts from the same bits and a pan by
 * whole pixels keeps them. */
#ifndef FATHOM_RENDER_GRID_COORDS_H
#define FATHOM_RENDER_GRID_COORDS_H

#include "render/frame.h"
#include "render/grid/coords_point.h"

struct coords {
    enum number_type type;
    int width_px, height_px;
    bool upright; /* angle 0: re and im of c are those of its column and its row, no more */
    /* width_px + height_px entries of the request's type, columns first. */
    size_t bytes;
    union {
        void *table;
        struct coords_float *f32;
        struct coords_double *f64;
        struct coords_wide *wide;
    };
};

/* Builds the tables of a request, at its offset and for its part of the whole; about 0.1 us an
 * entry at shallow depths. False: no memory. */
bool coords_init(struct coords *coords, const struct frame_req *req);
void coords_finish(struct coords *coords);

#endif
