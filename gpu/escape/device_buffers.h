/* Device memory for pictures up to some size: the samples, which outlive a request, and what
 * drawing one needs. */
#ifndef FATHOM_GPU_ESCAPE_DEVICE_BUFFERS_H
#define FATHOM_GPU_ESCAPE_DEVICE_BUFFERS_H

#include "gpu/escape/device_tables.h"

struct device_buffers {
    struct device *device;        /* stays when they are finished */
    size_t pixels;                /* room in the planes; 0: nothing is allocated */
    unsigned set;                 /* of planes that there are */
    size_t band;                  /* pixels that there is room for in the states and in each list */
    size_t entries;               /* room in the tables of coordinates and lines */
    struct planes now;            /* the samples */
    struct device_pointer states; /* of a band's undecided orbits, an entry of
                                           frame_req_state_size each */
    struct planes spare;          /* room to move both to; made by the first pan */
    struct device_pointer spare_states;
    /* uint32_t: pixels to go on with in this round, and in the next */
    struct device_pointer lists[2];
    struct device_pointer rgba; /* for targets in host memory; made by the first one */
    struct device_pointer coords;
    struct device_pointer lines;             /* int32_t: of each column and row, which one it was */
    struct device_pointer table;             /* of colours */
    struct device_tables_store deep, screen; /* of perturbed pictures, and of screened ones */
    struct frame_req *req;                   /* whose samples they are, owned; NULL: of none */
    bool complete;                           /* all samples are final for req->limit */
};

/* Makes room for a request; memory that is there is used again. On false the store is empty, and it
 * was logged why, unless *error says that the device failed. */
bool device_buffers_reserve(struct device_buffers *buffers, const struct frame_req *req, bool rgba,
                            enum device_error *error);
/* Makes room for moving samples and states. False: there is no memory for it. */
bool device_buffers_reserve_spare(struct device_buffers *buffers);
/* Says whose the samples are from now on; takes over `req`, which may be NULL. */
void device_buffers_assign(struct device_buffers *buffers, struct frame_req *req);
void device_buffers_finish(struct device_buffers *buffers);

#endif
