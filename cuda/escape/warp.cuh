/* What threads of an iteration kernel write together: lists of what must go on, and what has been done. */
#ifndef FATHOM_CUDA_ESCAPE_WARP_CUH
#define FATHOM_CUDA_ESCAPE_WARP_CUH

#include "cuda/escape/iterate.h"
#include "cuda/launch.cuh"

#define PLACES           struct iterate_args
#define PLACES_LISTS(at) ((at)->to)
#include "gpu/kernels/shade.h"

#include "gpu/kernels/iterate.h"

static __device__ __forceinline__ uint32_t warp_sum(uint32_t x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, x);
#else
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(~0u, x, distance);
    return x;
#endif
}

/* Adds what a warp has done; all its threads must come here. */
static __device__ __forceinline__ void count_work(struct tally *tally, const struct work *work) {
    const uint32_t steps = warp_sum(work->steps), done = warp_sum(work->done);
    unsigned long long skipped = 0;
    if (__any_sync(~0u, work->skipped != 0))
        for (int shift = 0; shift < 64; shift += 16)
            skipped += (unsigned long long)warp_sum((uint32_t)(work->skipped >> shift) & 0xffffu)
                       << shift;
    if (threadIdx.x % 32 != 0)
        return;
    tally += (blockIdx.x + blockIdx.y + threadIdx.x / 32) % TALLY_SHARES;
    atomicAdd(&tally->steps, (unsigned long long)steps);
    atomicAdd(&tally->done, (unsigned long long)done);
    if (skipped)
        atomicAdd(&tally->skipped, skipped);
}

/* Adds the pixels of a warp's unfinished threads to the list; all its threads must come here. */
static __device__ __forceinline__ void append(const struct iterate_args *a, uint32_t pixel,
                                              bool unfinished) {
    const unsigned mask = __ballot_sync(~0u, unfinished);
    const uint32_t lane = threadIdx.x % 32;
    uint32_t entry = 0;
    if (mask == 0)
        return;
    if (lane == 0)
        entry = (uint32_t)atomicAdd(&a->tally->listed, (unsigned long long)__popc(mask));
    entry = __shfl_sync(~0u, entry, 0) + (uint32_t)__popc(mask & ((1u << lane) - 1));
    if (unfinished)
        a->to[entry] = pixel;
}

/* Whether the request was given up; the same for all threads of a warp. A multiprocessor may keep
 * what it read for as long as the launch lasts: then the next one ends at once. */
static __device__ __forceinline__ bool aborted(const struct iterate_args *a) {
    return __any_sync(~0u, *a->abort == a->task.serial);
}

#endif
