/* Device memory for pictures up to some size: the samples, which outlive a request, and what
 * drawing one needs. */
#ifndef FATHOM_CUDA_STORE_H
#define FATHOM_CUDA_STORE_H

#include "cuda/kernels.h"

struct store {
    size_t pixels;       /* room in the planes; 0: nothing is allocated */
    size_t listed;       /* room in each list */
    size_t entries;      /* room in the coordinate table */
    struct planes now;   /* the samples */
    struct planes spare; /* room to move them to; made by the first pan */
    struct orbit_list lists[2];
    uint32_t *rgba; /* for targets in host memory; made by the first one */
    void *coords;
    struct colouring *colouring;
    struct frame_req *req; /* whose samples they are, owned; NULL: nobody's */
};

/* Makes room for a request; memory that is there is used again. On false the store is empty, and it
 * was logged why, unless *error says that the device failed. */
bool store_reserve(struct store *store, const struct frame_req *req, bool rgba, cudaError_t *error);
/* Makes room for moving samples. False: there is no memory for it. */
bool store_reserve_spare(struct store *store);
/* Says whose the samples are from now on; takes over `req`, which may be NULL. */
void store_assign(struct store *store, struct frame_req *req);
void store_finish(struct store *store);

#endif
