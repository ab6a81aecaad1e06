/* Vector sums on a GPU: a[i] += b[i] in doubles, by seed 004's programs and fathom's, and the peak
 * rate of multiply-adds. */
#include "lab/gpu/gpu_kernels.h"

#define THREADS      128
#define SEED_THREADS 128
#define SEED_BLOCKS  16 /* for every multiprocessor */
#define CHAINS       8

static __global__ void stride(double *a, const double *b, size_t n) {
    for (size_t k = threadIdx.x + (size_t)blockDim.x * blockIdx.x; k < n;
         k += (size_t)blockDim.x * gridDim.x)
        a[k] += b[k];
}

/* Adds a pair of doubles in every thread. Larger groups and cache hints were slower. */
template <bool add> static __global__ void wide(double2 *a, const double2 *b, size_t pairs) {
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= pairs)
        return;
    const double2 y = b[i], x = add ? a[i] : make_double2(0, 0);
    a[i] = add ? make_double2(x.x + y.x, x.y + y.y) : y;
}

/* Adds the element that pairs leave over. */
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
    if (which == GPU_ADD_SEED) {
        stride<<<SEED_BLOCKS * processors, SEED_THREADS>>>(a, b, n);
    } else {
        if (pairs > 0 && add)
            wide<true>
                <<<blocks(pairs, THREADS), THREADS>>>((double2 *)a, (const double2 *)b, pairs);
        else if (pairs > 0)
            wide<false>
                <<<blocks(pairs, THREADS), THREADS>>>((double2 *)a, (const double2 *)b, pairs);
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

/* Runs enough chains and warps to fill every issue slot. The chains are orbits of x^2 - 1.9, which
 * stay in [-2, 2] and never settle. Constant operands would switch fewer transistors, and the clock
 * would rise above that of real work. */
template <typename real>
static __global__ void __launch_bounds__(GPU_PEAK_THREADS)
    peak(uint32_t rounds, real term, real *sink) {
    real chain[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        chain[i] = real(threadIdx.x + i) / GPU_PEAK_THREADS - real(0.5);
    for (uint32_t round = 0; round < rounds; round++)
#pragma unroll
        for (int k = 0; k < GPU_PEAK_ROUND; k++)
            chain[k % CHAINS] = fma(chain[k % CHAINS], chain[k % CHAINS], term);
    real sum = 0;
    for (int i = 0; i < CHAINS; i++)
        sum += chain[i];
    if (sum > 1000) /* never true, but the compiler does not know that */
        *sink = sum;
}

cudaError_t gpu_peak_launch(enum number_type type, int blocks, uint32_t rounds, void *sink) {
    if (type == TYPE_FLOAT)
        peak<float><<<blocks, GPU_PEAK_THREADS>>>(rounds, -1.9f, (float *)sink);
    else
        peak<double><<<blocks, GPU_PEAK_THREADS>>>(rounds, -1.9, (double *)sink);
    return cudaGetLastError();
}
