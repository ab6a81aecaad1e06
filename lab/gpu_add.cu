/* a[i] += b[i] in doubles, in seed 004's ways and ours. */
#include "lab/gpu_kernels.h"

#define THREADS      256
#define SEED_THREADS 128
#define SEED_BLOCKS  16 /* for every multiprocessor */
#define PAIRS        4  /* that a thread of ours loads before it stores one */

static __global__ void element(double *a, const double *b, size_t n) {
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        a[i] += b[i];
}

static __global__ void stride(double *a, const double *b, size_t n) {
    for (size_t k = threadIdx.x + (size_t)blockDim.x * blockIdx.x; k < n;
         k += (size_t)blockDim.x * gridDim.x)
        a[k] += b[k];
}

/* Pairs of doubles; what is read once is not to stay in a cache. */
template <bool add> static __global__ void wide(double2 *a, const double2 *b, size_t pairs) {
    const size_t first = (size_t)blockIdx.x * (THREADS * PAIRS) + threadIdx.x;
    double2 x[PAIRS] = {}, y[PAIRS] = {};
#pragma unroll
    for (int k = 0; k < PAIRS; k++)
        if (first + k * THREADS < pairs) {
            y[k] = __ldcs(b + first + k * THREADS);
            if (add)
                x[k] = __ldcs(a + first + k * THREADS);
        }
#pragma unroll
    for (int k = 0; k < PAIRS; k++)
        if (first + k * THREADS < pairs)
            __stcs(a + first + k * THREADS, make_double2(x[k].x + y[k].x, x[k].y + y[k].y));
}

/* What pairs leave over. */
static __global__ void last(double *a, const double *b, bool add) {
    *a = (add ? *a : 0) + *b;
}

static __device__ __forceinline__ double first_a(size_t i) {
    return (double)(i % 1021);
}

static __device__ __forceinline__ double first_b(size_t i) {
    return (double)(i % 13 + 1);
}

static __global__ void fill(double *a, double *b, size_t n) {
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n) {
        a[i] = first_a(i);
        b[i] = first_b(i);
    }
}

static __global__ void check(const double *a, size_t n, int runs, bool copied,
                             unsigned long long *wrong) {
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n && a[i] != (copied ? first_b(i) : first_a(i) + runs * first_b(i)))
        atomicAdd(wrong, 1ull);
}

static unsigned blocks(size_t n, size_t each) {
    return (unsigned)((n + each - 1) / each);
}

cudaError_t gpu_add_launch(enum gpu_add which, int processors, double *a, const double *b,
                           size_t n) {
    const bool add = which != GPU_COPY_KERNEL;
    const size_t pairs = n / 2;
    if (which == GPU_ADD_ELEMENT) {
        element<<<blocks(n, THREADS), THREADS>>>(a, b, n);
    } else if (which == GPU_ADD_SEED) {
        stride<<<SEED_BLOCKS * processors, SEED_THREADS>>>(a, b, n);
    } else {
        if (pairs > 0 && add)
            wide<true><<<blocks(pairs, THREADS * PAIRS), THREADS>>>((double2 *)a,
                                                                    (const double2 *)b, pairs);
        else if (pairs > 0)
            wide<false><<<blocks(pairs, THREADS * PAIRS), THREADS>>>((double2 *)a,
                                                                     (const double2 *)b, pairs);
        if (n % 2)
            last<<<1, 1>>>(a + n - 1, b + n - 1, add);
    }
    return cudaGetLastError();
}

cudaError_t gpu_add_fill(double *a, double *b, size_t n) {
    fill<<<blocks(n, THREADS), THREADS>>>(a, b, n);
    return cudaGetLastError();
}

cudaError_t gpu_add_check(const double *a, size_t n, int runs, bool copied,
                          unsigned long long *wrong) {
    check<<<blocks(n, THREADS), THREADS>>>(a, n, runs, copied, wrong);
    return cudaGetLastError();
}
