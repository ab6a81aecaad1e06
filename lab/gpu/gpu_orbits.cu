/* Kernels of seed 001. The seed keeps generators on the device's heap; these kernels take them from
 * an array. The seed's literals without f make its test of the five discs one of doubles, which is
 * kept. */
#include "lab/gpu/gpu_kernels.h"

#if __has_include(<curand_kernel.h>)
#include <curand_kernel.h>
#define HAS_GENERATORS 1
#else
#define HAS_GENERATORS 0
#endif

#define X_MIN        (-1.5f)
#define X_MAX        1.5f
#define Y_MIN        (-3.2f)
#define Y_MAX        2.0f
#define X_MIN_SAMPLE (-2.1f)
#define X_MAX_SAMPLE 1.1f
#define Y_MAX_SAMPLE 1.8f
#define ITERS        20u

/* Converts a point to a pixel. The picture's size is known to the compiler, as in the seed. */
template <int X_DIM, int Y_DIM>
static __device__ __forceinline__ bool to_pixel(float px, float py, int *pixel) {
    px -= X_MIN;
    py -= Y_MIN;
    px /= X_MAX - X_MIN;
    py /= Y_MAX - Y_MIN;
    px *= X_DIM;
    py *= Y_DIM;
    const int ix = __float2int_rd(px), iy = __float2int_rd(py);
    *pixel = iy * X_DIM + ix;
    return (0 <= ix) & (ix < X_DIM) & (0 <= iy) & (iy < Y_DIM);
}

static __device__ __forceinline__ bool check_bulbs(float4 z) {
    const float zw2 = z.w * z.w;
    const bool main_card = !(((z.z - 0.25) * (z.z - 0.25) + zw2) *
                                 (((z.z - 0.25) * (z.z - 0.25) + zw2) + (z.z - 0.25)) <
                             0.25 * zw2);
    const bool period_2 = !((z.z + 1.0) * (z.z + 1.0) + zw2 < 0.0625);
    const bool smaller_bulb = !((z.z + 1.309) * (z.z + 1.309) + zw2 < 0.00345);
    const bool smaller_bottom =
        !((z.z + 0.125) * (z.z + 0.125) + (z.w - 0.744) * (z.w - 0.744) < 0.0088);
    const bool smaller_top =
        !((z.z + 0.125) * (z.z + 0.125) + (z.w + 0.744) * (z.w + 0.744) < 0.0088);
    return main_card & period_2 & smaller_bulb & smaller_bottom & smaller_top;
}

/* --- a sample of the grid --- */

/* Variants: the whole plane; the upper half, plotted twice; or fathom's: the upper half, counted
 * once where imaginary parts are not negative, which is the right half of the canvas. */
enum way { FULL, HALVES, FOLDED };

template <int X_DIM, int Y_DIM, bool FOLD>
static __device__ __forceinline__ void write_to_image(float4 z, uint32_t count, uint32_t *canvas) {
    z.x = z.z;
    z.y = z.w;
    for (uint32_t j = 0; j < count; j++) {
        const float real = z.x * z.x - z.y * z.y + z.z;
        z.y = 2 * z.x * z.y + z.w;
        z.x = real;
        int pixel;
        if (to_pixel<X_DIM, Y_DIM>(FOLD ? fabsf(z.y) : z.y, z.x, &pixel))
            atomicAdd(&canvas[pixel], 1);
    }
}

template <int X_DIM, int Y_DIM, enum way WAY>
static __device__ __forceinline__ void grid_sample(float x, float y, uint32_t *canvas) {
    const float y_min = WAY == FULL ? -Y_MAX_SAMPLE : 0;
    float4 z;
    float dist = 0;
    uint32_t count = 0;
    z.x = z.z = x * (X_MAX_SAMPLE - X_MIN_SAMPLE) + X_MIN_SAMPLE;
    z.y = z.w = y * (Y_MAX_SAMPLE - y_min) + y_min;
    if (!check_bulbs(z))
        return;
    while ((count < ITERS) & (dist < 25)) {
        count++;
        const float real = z.x * z.x - z.y * z.y + z.z;
        z.y = 2 * z.x * z.y + z.w;
        z.x = real;
        dist = z.x * z.x + z.y * z.y;
    }
    if (dist > (WAY == HALVES ? 4 : 25)) {
        write_to_image<X_DIM, Y_DIM, WAY == FOLDED>(z, count, canvas);
        if (WAY == HALVES) {
            z.w *= -1;
            write_to_image<X_DIM, Y_DIM, WAY == FOLDED>(z, count, canvas);
        }
    }
}

/* --- selective sampling --- */

template <int X_DIM, int Y_DIM, bool ATOMIC>
static __device__ __forceinline__ void write_selective(int idx, const float4 *z, uint32_t *canvas) {
    int pixel;
    if (!to_pixel<X_DIM, Y_DIM>(z[idx].y, z[idx].x, &pixel))
        return;
    if (ATOMIC)
        atomicAdd(&canvas[pixel], 1);
    else
        canvas[pixel] += 1;
}

static __device__ __forceinline__ void step_selective(int idx, float4 *z) {
    const float real = z[idx].x * z[idx].x - z[idx].y * z[idx].y + z[idx].z;
    const float imag = 2 * z[idx].x * z[idx].y + z[idx].w;
    z[idx].x = real;
    z[idx].y = imag;
}

#if HAS_GENERATORS
template <int X_DIM, int Y_DIM, bool ATOMIC>
static __global__ void selective(const __grid_constant__ gpu_orbits_memory m, int samples) {
    const int idx = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    uint32_t *const counts = m.counts, *const canvas = m.canvas;
    float4 *const z = (float4 *)m.z;
    float *const dists = m.dists;
    curandState_t s = ((curandState_t *)m.generators)[idx];
    for (int i = 0; i < samples; i++) {
        const float real = curand_uniform(&s) * (X_MAX - X_MIN + 3) + (X_MIN - 2);
        const float imag = curand_uniform(&s) * (Y_MAX - Y_MIN + 0) + (Y_MIN - 0);
        z[idx].x = real;
        z[idx].y = imag;
        z[idx].z = real;
        z[idx].w = imag;
        dists[idx] = 0;
        counts[idx] = 0;
        if (!check_bulbs(z[idx]))
            continue;
        while ((counts[idx] < ITERS) & (dists[idx] < 25)) {
            counts[idx]++;
            step_selective(idx, z);
            dists[idx] = z[idx].x * z[idx].x + z[idx].y * z[idx].y;
        }
        if (dists[idx] > 25) {
            z[idx].x = 0;
            z[idx].y = 0;
            for (uint32_t j = 0; j < counts[idx] + 1; j++) {
                step_selective(idx, z);
                write_selective<X_DIM, Y_DIM, ATOMIC>(idx, z, canvas);
            }
        }
    }
    ((curandState_t *)m.generators)[idx] = s;
}

static __global__ void make_generators(const __grid_constant__ gpu_orbits_memory m, int seed) {
    const int idx = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    curand_init((unsigned long long)seed, (unsigned long long)idx, 0,
                &((curandState_t *)m.generators)[idx]);
}

/* --- grid sampling --- */

template <int X_DIM, int Y_DIM, enum way WAY>
static __global__ void grid(const __grid_constant__ gpu_orbits_memory m, int seed, float size) {
    const int idx = (int)(blockIdx.x + threadIdx.x * gridDim.x);
    curandState_t s;
    curand_init((unsigned long long)seed, (unsigned long long)idx, 0, &s);
    for (float x = 0; x < 1; x += size)
        for (float y = 0; y < 1; y += size) {
            const float re = curand_uniform(&s) * size + x;
            const float im = curand_uniform(&s) * size + y;
            grid_sample<X_DIM, Y_DIM, WAY>(re, im, m.canvas);
            __syncthreads();
        }
}
#endif

/* --- fathom's, by the grid's rules --- */

static __device__ __forceinline__ uint32_t scrambled(uint32_t x) {
    x ^= x >> 16;
    x *= 0x85EBCA6Bu;
    x ^= x >> 13;
    x *= 0xC2B2AE35u;
    return x ^ x >> 16;
}

/* Takes 32 samples per cell, one for each lane of a warp, cell after cell, so that lanes count
 * neighbouring pixels. */
template <int X_DIM, int Y_DIM>
static __global__ void folded(const __grid_constant__ gpu_orbits_memory m, uint32_t side,
                              uint32_t seed) {
    const uint32_t lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    const float size = 1 / (float)side, unit = 1 / 4294967296.0f;
    for (uint32_t cell = (threadIdx.x + blockIdx.x * blockDim.x) / 32; cell < side * side;
         cell += warps) {
        const uint32_t key = scrambled(cell * 32 + lane + scrambled(seed));
        const float x = ((float)(cell % side) + (float)key * unit) * size;
        const float y = ((float)(cell / side) + (float)scrambled(key + cell) * unit) * size;
        grid_sample<X_DIM, Y_DIM, FOLDED>(x, y, m.canvas);
    }
}

/* Copies the right half of the canvas to the left half, mirrored. */
template <int X_DIM, int Y_DIM>
static __global__ void mirror(const __grid_constant__ gpu_orbits_memory m) {
    const int row = (int)blockIdx.x;
    for (int x = (int)threadIdx.x; x < X_DIM / 2; x += (int)blockDim.x)
        m.canvas[row * X_DIM + x] = m.canvas[row * X_DIM + X_DIM - 1 - x];
}

/* --- the measure --- */

static __global__ void random_pixels(const __grid_constant__ gpu_orbits_memory m, uint32_t pixels,
                                     int increments, uint32_t seed) {
    uint32_t x = scrambled((threadIdx.x + blockIdx.x * blockDim.x) * 0x9E3779B9u + seed);
#pragma unroll 8
    for (int i = 0; i < increments; i++) {
        x = x * 1664525u + 1013904223u;
        atomicAdd(&m.canvas[__umulhi(x, pixels)], 1);
    }
}

/* --- launches --- */

size_t gpu_orbits_generator_bytes(void) {
#if HAS_GENERATORS
    return sizeof(curandState_t);
#else
    return 0;
#endif
}

template <int X_DIM, int Y_DIM>
static void launch(const gpu_orbits_job *job, const gpu_orbits_memory *m) {
    const unsigned blocks = (unsigned)job->blocks, threads = (unsigned)job->threads;
#if HAS_GENERATORS
    const float size = 1 / (float)job->each;
    if (job->program == GPU_ORBITS_SELECTIVE)
        selective<X_DIM, Y_DIM, false><<<blocks, threads>>>(*m, job->each);
    else if (job->program == GPU_ORBITS_SELECTIVE_ATOMIC)
        selective<X_DIM, Y_DIM, true><<<blocks, threads>>>(*m, job->each);
    else if (job->program == GPU_ORBITS_GRID)
        grid<X_DIM, Y_DIM, FULL><<<blocks, threads>>>(*m, job->seed, size);
    else if (job->program == GPU_ORBITS_HALVES)
        grid<X_DIM, Y_DIM, HALVES><<<blocks, threads>>>(*m, job->seed, size);
    else if (job->program == GPU_ORBITS_GENERATORS)
        make_generators<<<blocks, threads>>>(*m, job->seed);
#endif
    if (job->program == GPU_ORBITS_FOLDED) {
        folded<X_DIM, Y_DIM><<<blocks, threads>>>(*m, (uint32_t)job->each, (uint32_t)job->seed);
        mirror<X_DIM, Y_DIM><<<Y_DIM, 256>>>(*m);
    }
    if (job->program == GPU_ORBITS_RANDOM)
        random_pixels<<<blocks, threads>>>(*m, X_DIM * Y_DIM, job->each, (uint32_t)job->seed);
}

cudaError_t gpu_orbits_launch(const gpu_orbits_job *job, const gpu_orbits_memory *memory) {
    if (job->width_px == 1440 && job->height_px == 2560)
        launch<1440, 2560>(job, memory);
    else if (job->width_px == 144 && job->height_px == 256)
        launch<144, 256>(job, memory);
    else
        return cudaErrorInvalidValue;
    return cudaGetLastError();
}
