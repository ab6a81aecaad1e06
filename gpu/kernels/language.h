/* Kernel language: the constructs that CUDA C++, OpenCL C 1.2 and C17 spell differently. The
 * kernels of this folder are one text in the common subset of the three.
 *
 * A kernel is written as
 *     KERNEL(name, ARGUMENTS, struct s, struct g) { ... }
 * `at` points to its arguments (const struct s), and `own` to its group's memory (struct g, usually
 * struct group). thread_x() and thread_y() number its threads; GROUP_THREADS threads with the same
 * thread_y() are a group. C runs threads singly, as groups of one thread, so that a kernel may use
 * the numbers of threads in a group only to divide work.
 *
 * UNROLLS is true where the code of each of many formulas is unrolled.
 *
 * A team (group.h) has TEAM_THREADS threads: a warp in CUDA, a group in OpenCL, a thread in C. */
#ifndef FATHOM_GPU_KERNELS_LANGUAGE_H
#define FATHOM_GPU_KERNELS_LANGUAGE_H

#define KERNEL_TEXT
#include "render/inline.h"

#define GROUP_WORDS 12 /* number of words in a group's memory, see group.h */
struct group {
    uint32_t word[GROUP_WORDS];
};

/* Access to a word that another thread may read or write meanwhile: pixels that are sent while
 * others are drawn, and the number of a cancelled request. */
#if defined __CUDACC__ || defined __OPENCL_C_VERSION__
#define STORE_RELAXED(word, x) ((word) = (x))
#define LOAD_RELAXED(word)     (word)
#else
#define STORE_RELAXED(word, x) __atomic_store_n(&(word), (x), __ATOMIC_RELAXED)
#define LOAD_RELAXED(word)     __atomic_load_n(&(word), __ATOMIC_RELAXED)
#endif

#define PRAGMA(text) _Pragma(#text)

#if defined __CUDACC__ /* --- CUDA C++ --- */

#ifndef RESIDENT_GROUPS /* minimum number of resident groups per multiprocessor; 0: any */
#define RESIDENT_GROUPS 0
#endif
#define UNROLLS       true
#define GROUP_THREADS 128
#define TEAM_THREADS  32u
#define LOCAL
#define NOT_INLINED    static __device__ __noinline__
#define ROLLED         _Pragma("unroll 1")
#define UNROLLED       _Pragma("unroll")
#define UNROLLED_BY(n) PRAGMA(unroll n)
#define KERNEL(name, ARGUMENTS, S, G)                                                              \
    INLINE void name##_body(const S *at, G *own);                                                  \
    extern "C" __global__ void __launch_bounds__(GROUP_THREADS, RESIDENT_GROUPS)                   \
        name(const __grid_constant__ S arguments) {                                                \
        __shared__ G own;                                                                          \
        name##_body(&arguments, &own);                                                             \
    }                                                                                              \
    INLINE void name##_body(const S *at, G *own)
#define thread_x()        (blockIdx.x * GROUP_THREADS + threadIdx.x)
#define thread_y()        (blockIdx.y)
#define thread_in_group() (threadIdx.x)
#define thread_count()    (gridDim.x * GROUP_THREADS)
#define GROUP_BARRIER()   __syncthreads()
#define ATOMIC_ADD(to, x) atomicAdd((uint32_t *)(to), (uint32_t)(x))
#define ATOMIC_MIN(to, x) atomicMin((uint32_t *)(to), (uint32_t)(x))
#define ATOMIC_MAX(to, x) atomicMax((uint32_t *)(to), (uint32_t)(x))
#define floor_saturated(x)                                                                         \
    (sizeof(x) == sizeof(float) ? __float2int_rd((float)(x)) : __double2int_rd((double)(x)))
#define ASSUME(condition) __builtin_assume(condition)

#elif defined __OPENCL_C_VERSION__ /* --- OpenCL C --- */

#define UNROLLS       true
#define GROUP_THREADS 128
#define TEAM_THREADS  128u
#define LOCAL         __local
#define NOT_INLINED   static
#ifdef __NV_CL_C_VERSION /* Mesa's compiler (22.3) rejects the pragma, and does not unroll */
#define ROLLED _Pragma("unroll 1")
#else
#define ROLLED
#endif
#define UNROLLED       _Pragma("unroll")
#define UNROLLED_BY(n) PRAGMA(unroll n)
#define KERNEL(name, ARGUMENTS, S, G)                                                              \
    INLINE void name##_body(const S *at, LOCAL G *own);                                            \
    __kernel __attribute__((reqd_work_group_size(GROUP_THREADS, 1, 1))) void name(                 \
        ARGUMENTS(PARAMETER, S)) {                                                                 \
        LOCAL G own;                                                                               \
        const S arguments = {ARGUMENTS(INITIAL, S)};                                               \
        name##_body(&arguments, &own);                                                             \
    }                                                                                              \
    INLINE void name##_body(const S *at, LOCAL G *own)
#define thread_x()         ((uint32_t)get_global_id(0))
#define thread_y()         ((uint32_t)get_global_id(1))
#define thread_in_group()  ((uint32_t)get_local_id(0))
#define thread_count()     ((uint32_t)get_global_size(0))
#define GROUP_BARRIER()    barrier(CLK_LOCAL_MEM_FENCE)
#define ATOMIC_ADD(to, x)  atomic_add((to), (uint32_t)(x))
#define ATOMIC_MIN(to, x)  atomic_min((to), (uint32_t)(x))
#define ATOMIC_MAX(to, x)  atomic_max((to), (uint32_t)(x))
#define floor_saturated(x) convert_int_sat_rtn(x)
#define ASSUME(condition)

#else /* --- C --- */

#define UNROLLS       false
#define GROUP_THREADS 1
#define TEAM_THREADS  1u
#define LOCAL
#define NOT_INLINED static __attribute__((noinline))
#define ROLLED
#ifdef __clang__
#define UNROLLED PRAGMA(unroll)
#else
#define UNROLLED PRAGMA(GCC unroll 64)
#endif
#define UNROLLED_BY(n) /* GCC warns where it cannot unroll */
/* A kernel is a function of its arguments and of the numbers of threads. It returns the number of
 * steps that its threads have added to a tally. */
struct kernel_thread {
    uint32_t x, y, threads;
    uint64_t steps;
};
static _Thread_local struct kernel_thread kernel_thread __attribute__((unused));
#define KERNEL(name, ARGUMENTS, S, G)                                                              \
    INLINE void name##_body(const S *at, __attribute__((unused)) G *own);                          \
    static uint64_t name(const void *arguments, uint32_t threads, uint32_t rows) {                 \
        G own;                                                                                     \
        kernel_thread.threads = threads;                                                           \
        kernel_thread.steps = 0;                                                                   \
        for (kernel_thread.y = 0; kernel_thread.y < rows; kernel_thread.y++)                       \
            for (kernel_thread.x = 0; kernel_thread.x < threads; kernel_thread.x++)                \
                name##_body(arguments, &own);                                                      \
        return kernel_thread.steps;                                                                \
    }                                                                                              \
    INLINE void name##_body(const S *at, __attribute__((unused)) G *own)
#define thread_x()        (kernel_thread.x)
#define thread_y()        (kernel_thread.y)
#define thread_in_group() 0u
#define thread_count()    (kernel_thread.threads)
#define GROUP_BARRIER()
#define ATOMIC_ADD(to, x) __atomic_fetch_add((uint32_t *)(to), (uint32_t)(x), __ATOMIC_RELAXED)
#define ASSUME(condition)
#define min(a, b)         ((a) < (b) ? (a) : (b))

INLINE uint32_t atomic_exchange_if(uint32_t *to, uint32_t x, bool less) {
    uint32_t was = __atomic_load_n(to, __ATOMIC_RELAXED);
    while ((less ? x < was : x > was) &&
           !__atomic_compare_exchange_n(to, &was, x, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return was;
}
#define ATOMIC_MIN(to, x) atomic_exchange_if((uint32_t *)(to), (x), true)
#define ATOMIC_MAX(to, x) atomic_exchange_if((uint32_t *)(to), (x), false)

/* Returns 0 for NaN, like the other languages. */
INLINE int32_t floor_saturated(double x) {
    const double low = __builtin_floor(x);
    return low >= 0x1p31 ? INT32_MAX : low <= -0x1p31 ? INT32_MIN : low == low ? (int32_t)low : 0;
}

#endif

#endif
