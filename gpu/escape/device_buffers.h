/* Device memory for pictures up to some size: the samples, which outlive a request, and scratch
 * memory for drawing. */
#ifndef FATHOM_GPU_ESCAPE_DEVICE_BUFFERS_H
#define FATHOM_GPU_ESCAPE_DEVICE_BUFFERS_H

#include "gpu/escape/device_tables.h"

struct device_buffers {
    struct device *device;        /* remains set after device_buffers_finish */
    size_t pixels;                /* capacity of the planes; 0: nothing is allocated */
    unsigned set;                 /* set of the allocated planes */
    size_t band;                  /* [pixels] capacity of the states and of each list */
    size_t entries;               /* capacity of the tables of coordinates and lines */
    struct planes now;            /* samples */
    struct device_pointer states; /* undecided orbits of a band, frame_req_state_size bytes each */
    struct planes spare; /* destination for moved samples and states; made by the first pan */
    struct device_pointer spare_states;
    /* uint32_t: pixels that continue in this round, and in the next */
    struct device_pointer lists[2];
    struct device_pointer rgba; /* for targets in host memory; made by the first such target */
    /* Coordinates in the request's type; and in doubles, if it has a limit for these. */
    struct device_pointer coords, double_coords;
    struct device_pointer lines;             /* int32_t: previous number of each column and row */
    struct device_pointer table;             /* colours, see tasks.h */
    struct device_tables_store deep, screen; /* of perturbed and of screened pictures */
    struct frame_req *req;                   /* request of the samples, owned; may be NULL: none */
    bool complete;                           /* all samples are final for req->limit */
};

/* Reserves memory for a request; existing memory is reused. On failure, frees the buffers and
 * returns false; the reason is logged, unless *error reports that the device failed. */
bool device_buffers_reserve(struct device_buffers *buffers, const struct frame_req *req, bool rgba,
                            enum device_error *error);
/* Reserves memory to move samples and states. Returns false if memory is lacking. */
bool device_buffers_reserve_spare(struct device_buffers *buffers);
/* Sets the request to which the samples belong, and takes it over. `req` may be NULL. */
void device_buffers_assign(struct device_buffers *buffers, struct frame_req *req);
void device_buffers_finish(struct device_buffers *buffers);

#endif
