/* The iteration kernels as the host sees them, and what all kernels share. All pointers are to device
 * memory. A launch returns at once. */
#ifndef FATHOM_GPU_KERNELS_H
#define FATHOM_GPU_KERNELS_H

#include "gpu/escape/lattice.h"
#include "render/frame.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What kernels count, added to atomically, in one of TALLY_SHARES so that additions do not queue. */
struct tally {
    unsigned long long steps;   /* executed, up to escape, limit or proof */
    unsigned long long skipped; /* up to the limit, which a proof saved */
    unsigned long long done;    /* samples made final, or found to be so */
    unsigned long long points;  /* orbits' points counted */
    unsigned long long listed;  /* entries of the list being written; of share 0 only */
};

#define TALLY_SHARES 64u

/* A picture's samples while they are being made. As sample.h says, but that an interior count n
 * means "no escape within n steps", at all FRAME_LIMIT_MAX: such a sample is final for limits
 * up to n, and an orbit to be continued for others. */
struct planes {
    uint32_t *count;
    float *fraction;
};

/* Where the orbits of a band's undecided interior pixels are after as many steps as their counts
 * say; numbers of the request's type. */
struct states {
    void *zr, *zi;
    uint32_t first; /* the pixel of entry 0 */
};

/* A colouring, its table in device memory. */
struct shades {
    uint64_t frequency, offset;
    uint32_t interior;
    bool smooth;
    const uint32_t *table;
};

struct iterate_args {
    const void *coords; /* as in struct coords */
    bool aligned;       /* columns have re only, rows im only, and neither low parts */
    bool fresh;         /* no pixel has a sample from before this request */
    bool blank;         /* the planes were not cleared: blocks that do nothing clear their part */
    uint32_t width, height;
    struct planes planes;
    struct states states;
    uint32_t *rgba; /* NULL: samples only */
    struct shades shades;

    /* Entries [begin, begin + size) of a list of pixels; or with from NULL the lattice's rows of
     * tiles of these numbers. Those that must go on are added to `to`; it may be NULL when `steps`
     * reaches the limit. */
    const uint32_t *from;
    uint32_t *to;
    uint32_t begin, size;
    struct lattice lattice;
    uint32_t run; /* neighbouring tiles that a warp does one after another, from 1 */

    uint32_t steps,
        limit; /* how many steps at most now (up to STEPS_MOST in launch_budget.c), and in all */
    unsigned shortcuts; /* enum shortcuts */

    struct tally *tally;   /* TALLY_SHARES of them */
    const uint32_t *abort; /* warps that find `serial` there do nothing */
    uint32_t serial;
};

cudaError_t iterate_launch(const struct frame_req *req, const struct iterate_args *args,
                           cudaStream_t stream);
/* Loads the code, which the runtime would otherwise leave to the first launch. */
cudaError_t iterate_load(void);
/* The lowest compute capability that there is code for: 10 * major + minor. */
int iterate_lowest_capability(void);

#ifdef __cplusplus
}
#endif

#endif
