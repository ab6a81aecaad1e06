/* Launches in flight on a stream: never more than two, each timed and tallied. The driver's
 * thread's. */
#ifndef FATHOM_CUDA_SLICES_H
#define FATHOM_CUDA_SLICES_H

#include "cuda/kernels.h"
#include "cuda/pace.h"
#include <stdatomic.h>

#define SLICES_IN_FLIGHT 2

struct slice {
    cudaEvent_t begin, end, seen; /* of the launch; `seen`: the tally has arrived after it */
    double work;                  /* pixel-steps, at most */
    struct pace *pace;            /* learns from it; NULL: not a measure of anything */
};

struct slices {
    const atomic_bool *stop; /* nothing is launched any more once it is set */
    cudaStream_t stream;
    cudaError_t error; /* the first one; nothing is launched after it */
    bool eager; /* spin rather than sleep while waiting: for pictures that are done at once */
    struct slice ring[SLICES_IN_FLIGHT];
    struct tally *tally; /* TALLY_SHARES in device memory, for kernels to add to */
    struct tally *seen;  /* pinned host memory, one copy of them per slice */
    struct tally last;   /* their sum after the last retired slice */
    uint64_t launched, retired;
    double device_ms; /* of the retired ones */
};

/* False: logged by nobody, the reason is in `error`. Finish it in any case. */
bool slices_init(struct slices *slices, const atomic_bool *stop);
void slices_finish(struct slices *slices);

/* Keeps the first error. */
bool slices_ok(struct slices *slices, cudaError_t error);

/* Zeroes the tally and what is counted here; nothing is in flight. */
bool slices_restart(struct slices *slices);
/* Zeroes tally->listed, in the stream's order; nothing is in flight. */
bool slices_new_list(struct slices *slices);

/* Waits until there is room for a launch. False: stopped or failed. */
bool slices_begin(struct slices *slices);
/* Ends what began; `launch` is what the launch returned. */
bool slices_end(struct slices *slices, cudaError_t launch, double work, struct pace *pace);
/* Waits for everything in flight, also when stopped. False: failed. */
bool slices_drain(struct slices *slices);

#endif
