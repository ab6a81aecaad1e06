/* Gathers statistics on the device: a histogram per block in shared memory, and one for all. */
#include "cuda/launch.cuh"
#include "gpu/escape/pixels.h"

#define BLOCK_THREADS 256
#define THREAD_COUNTS 16 /* that a thread looks at */
#define WARP          0xffffffffu
#define INTERIOR      (STATISTICS_BUCKETS - 1) /* the bucket where those go: no count is there */
#define NOTHING       STATISTICS_BUCKETS

/* A block's own. */
struct share {
    uint32_t histogram[STATISTICS_BUCKETS];
    uint32_t least, most;
};

static __device__ __forceinline__ void share_clear(struct share *share) {
    if (threadIdx.x < STATISTICS_BUCKETS)
        share->histogram[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        share->least = UINT32_MAX;
        share->most = 0;
    }
    __syncthreads();
}

/* A whole warp's buckets; one addition where all are the same, as they often are. */
static __device__ __forceinline__ void share_count(struct share *share, unsigned bucket) {
    int same;
    __match_all_sync(WARP, bucket, &same);
    if (bucket != NOTHING && (!same || threadIdx.x % 32 == 0))
        atomicAdd(&share->histogram[bucket], same ? 32u : 1u);
}

static __device__ __forceinline__ void share_extremes(struct share *share, uint32_t least,
                                                      uint32_t most) {
    for (int step = 16; step > 0; step /= 2) {
        least = min(least, __shfl_xor_sync(WARP, least, step));
        most = max(most, __shfl_xor_sync(WARP, most, step));
    }
    if (threadIdx.x % 32 == 0) {
        atomicMin(&share->least, least);
        atomicMax(&share->most, most);
    }
    __syncthreads();
}

static __device__ __forceinline__ void share_add(const struct share *share,
                                                 struct statistics *sum) {
    const unsigned b = threadIdx.x;
    if (b < STATISTICS_BUCKETS && share->histogram[b] > 0)
        atomicAdd((unsigned long long *)(b == INTERIOR ? &sum->interior : &sum->histogram[b]),
                  (unsigned long long)share->histogram[b]);
    if (b == 0) {
        atomicMin(&sum->least, share->least);
        atomicMax(&sum->most, share->most);
    }
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    gather(const __grid_constant__ struct gather_args a) {
    __shared__ struct share share;
    const uint32_t begin = blockIdx.x * (BLOCK_THREADS * THREAD_COUNTS) + threadIdx.x;
    uint32_t least = UINT32_MAX, most = 0;
    share_clear(&share);
    for (uint32_t turn = 0; turn < THREAD_COUNTS; turn++) {
        const uint32_t i = begin + turn * BLOCK_THREADS;
        const bool there = i < a.size;
        const uint32_t count = there ? a.count[i] : SAMPLE_INTERIOR;
        const bool inside = count & SAMPLE_INTERIOR;
        least = inside ? least : min(least, count);
        most = inside ? most : max(most, count);
        share_count(&share, !there ? NOTHING : inside ? INTERIOR : statistics_bucket(count));
    }
    share_extremes(&share, least, most);
    share_add(&share, a.sum);
}

enum device_error statistics_gather(const struct gather_args *args, struct device_queue *queue) {
    const uint32_t block = BLOCK_THREADS * THREAD_COUNTS;
    void *arguments[] = {(void *)args};
    return launch_kernel((const void *)gather, dim3((args->size - 1) / block + 1), BLOCK_THREADS,
                         arguments, queue);
}

cudaError_t statistics_load(void) {
    const void *const kernel = (const void *)gather;
    return load_kernels(&kernel, 1);
}
