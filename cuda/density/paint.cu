/* Makes pixels of counts, with the integers that render/density/density_counts.c has. */
#include "cuda/launch.cuh"
#include "gpu/density/kernels.h"
#include "gpu/density/paint.h"

#define BLOCK_THREADS 256
#define BLOCKS_MOST   1024u /* for passes whose blocks have something to sum up */

static __global__ void __launch_bounds__(BLOCK_THREADS)
    flush(const __grid_constant__ struct paint_counts counts) {
    const size_t i = (size_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i >= counts.size)
        return;
    const uint32_t fresh = counts.fresh[i];
    if (fresh == 0)
        return;
    counts.total[i] += fresh;
    counts.fresh[i] = 0;
}

/* --- levels --- */

static __device__ __forceinline__ void shown_of(const struct paint_job *job, uint32_t column,
                                                uint32_t row, uint64_t shown[TONE_CHANNELS_MAX]) {
    const struct paint_counts *counts = &job->counts;
    paint_shown(&job->place, counts->fresh, counts->total, counts->size, column, row, shown);
}

static __global__ void clear_levels(struct tone_levels *levels) {
    for (uint32_t i = threadIdx.x; i < TONE_BINS; i += blockDim.x)
        levels[blockIdx.x].bins[i] = 0;
    if (threadIdx.x == 0) {
        levels[blockIdx.x].least = UINT64_MAX;
        levels[blockIdx.x].most = 0;
    }
}

typedef unsigned long long wide; /* what 64-bit atomics take */

static __global__ void __launch_bounds__(BLOCK_THREADS)
    levels_of(const __grid_constant__ struct paint_job job, struct tone_levels *levels) {
    __shared__ uint32_t bins[TONE_CHANNELS_MAX][TONE_BINS];
    uint64_t least[TONE_CHANNELS_MAX], most[TONE_CHANNELS_MAX]; /* the thread's */
    const size_t size = (size_t)job.place.width * (size_t)job.place.height;
    for (uint32_t i = threadIdx.x; i < TONE_CHANNELS_MAX * TONE_BINS; i += BLOCK_THREADS)
        bins[0][i] = 0;
#pragma unroll
    for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++) {
        least[channel] = UINT64_MAX;
        most[channel] = 0;
    }
    __syncthreads();
    for (size_t at = (size_t)blockIdx.x * BLOCK_THREADS + threadIdx.x; at < size;
         at += (size_t)gridDim.x * BLOCK_THREADS) {
        const uint32_t row = (uint32_t)(at / (uint32_t)job.place.width);
        const uint32_t column = (uint32_t)(at - (size_t)row * (uint32_t)job.place.width);
        const uint32_t pixels = density_pixels(&job.place, (int)column, (int)row);
        uint64_t shown[TONE_CHANNELS_MAX];
        shown_of(&job, column, row, shown);
#pragma unroll
        for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++) {
            if (channel >= job.channels)
                break;
            const uint64_t count = shown[channel];
            atomicAdd(&bins[channel][tone_bin(count)], pixels);
            least[channel] = count < least[channel] ? count : least[channel];
            most[channel] = count > most[channel] ? count : most[channel];
        }
    }
    __syncthreads();
#pragma unroll
    for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++) {
        if (channel >= job.channels)
            break;
        for (uint32_t i = threadIdx.x; i < TONE_BINS; i += BLOCK_THREADS)
            if (bins[channel][i])
                atomicAdd((wide *)&levels[channel].bins[i], (wide)bins[channel][i]);
        if (least[channel] < levels[channel].least)
            atomicMin((wide *)&levels[channel].least, (wide)least[channel]);
        if (most[channel] > levels[channel].most)
            atomicMax((wide *)&levels[channel].most, (wide)most[channel]);
    }
}

/* --- the picture --- */

static __global__ void __launch_bounds__(BLOCK_THREADS)
    picture(const __grid_constant__ struct paint_job job, const struct tone_map *map,
            uint32_t *rgba) {
    __shared__ uint64_t from[TONE_CHANNELS_MAX][TONE_SHADES];
    __shared__ uint32_t ramp[TONE_SHADES];
    const size_t size = (size_t)job.width_px * (size_t)job.height_px;
    for (uint32_t i = threadIdx.x; i < TONE_CHANNELS_MAX * TONE_SHADES; i += BLOCK_THREADS)
        from[0][i] = map->from[0][i];
    for (uint32_t i = threadIdx.x; i < TONE_SHADES; i += BLOCK_THREADS)
        ramp[i] = map->ramp[i];
    __syncthreads();
    for (size_t at = (size_t)blockIdx.x * BLOCK_THREADS + threadIdx.x; at < size;
         at += (size_t)gridDim.x * BLOCK_THREADS) {
        uint32_t column, row, shade[TONE_CHANNELS_MAX] = {0, 0, 0};
        uint64_t shown[TONE_CHANNELS_MAX];
        paint_stored(&job.place, job.width_px, job.height_px, at, &column, &row);
        shown_of(&job, column, row, shown);
#pragma unroll
        for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++)
            if (channel < job.channels)
                shade[channel] = tone_shade(from[channel], shown[channel]);
        rgba[at] = tone_pixel(job.channels, ramp, shade);
    }
}

/* --- launching --- */

static dim3 blocks_for(size_t size, size_t most) {
    const size_t blocks = (size - 1) / BLOCK_THREADS + 1;
    return dim3((uint32_t)(blocks < most ? blocks : most));
}

enum device_error paint_flush(const struct paint_counts *counts, struct device_queue *queue) {
    flush<<<blocks_for(counts->size, SIZE_MAX), BLOCK_THREADS, 0, (cudaStream_t)queue>>>(*counts);
    return cuda_device_error(cudaGetLastError());
}

enum device_error paint_levels(const struct paint_job *job, struct device_queue *queue) {
    const size_t size = (size_t)job->place.width * (size_t)job->place.height;
    const cudaStream_t stream = (cudaStream_t)queue;
    clear_levels<<<TONE_CHANNELS_MAX, BLOCK_THREADS, 0, stream>>>(job->levels);
    levels_of<<<blocks_for(size, BLOCKS_MOST), BLOCK_THREADS, 0, stream>>>(*job, job->levels);
    return cuda_device_error(cudaGetLastError());
}

enum device_error paint_picture(const struct paint_job *job, struct device_queue *queue) {
    const size_t size = (size_t)job->width_px * (size_t)job->height_px;
    picture<<<blocks_for(size, BLOCKS_MOST), BLOCK_THREADS, 0, (cudaStream_t)queue>>>(
        *job, job->map, job->rgba);
    return cuda_device_error(cudaGetLastError());
}

cudaError_t paint_load(void) {
    const void *const kernels[] = {(const void *)flush, (const void *)clear_levels,
                                   (const void *)levels_of, (const void *)picture};
    return load_kernels(kernels, sizeof kernels / sizeof *kernels);
}
