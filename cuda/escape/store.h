/* Device memory for pictures up to some size: the samples, which outlive a request, and what
 * drawing one needs. */
#ifndef FATHOM_CUDA_ESCAPE_STORE_H
#define FATHOM_CUDA_ESCAPE_STORE_H

#include "cuda/kernels.h"

struct store {
    size_t pixels;        /* room in the planes; 0: nothing is allocated */
    size_t band;          /* pixels that there is room for in the states and in each list */
    size_t entries;       /* room in the coordinate table */
    struct planes now;    /* the samples */
    struct states states; /* of the pixels from states.first on */
    struct planes spare;  /* room to move both to; made by the first pan */
    struct states spare_states;
    uint32_t *lists[2]; /* pixels to go on with in this round, and in the next */
    uint32_t *rgba;     /* for targets in host memory; made by the first one */
    void *coords;
    uint32_t *table;       /* of colours */
    struct frame_req *req; /* whose samples they are, owned; NULL: nobody's */
    bool complete;         /* all samples are final for req->limit */
};

/* Makes room for a request; memory that is there is used again. On false the store is empty, and it
 * was logged why, unless *error says that the device failed. */
bool store_reserve(struct store *store, const struct frame_req *req, bool rgba, cudaError_t *error);
/* Makes room for moving samples and states. False: there is no memory for it. */
bool store_reserve_spare(struct store *store);
/* Says whose the samples are from now on; takes over `req`, which may be NULL. */
void store_assign(struct store *store, struct frame_req *req);
void store_finish(struct store *store);

#endif
