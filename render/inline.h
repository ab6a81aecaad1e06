/* Markers and basic functions for code that host and kernels share as one text. A header of such
 * code includes only others like it, so that C, nvcc and OpenCL C read the same text.
 *
 * INLINE: inlined into each caller; under nvcc a device function. The includer of functions over
 * `real` defines this type as a number or a vector of numbers. ALIGNED_16: marks structs that are
 * read in pieces of 16 bytes. GLOBAL: address space of a device's memory in OpenCL C. */
#ifndef FATHOM_RENDER_INLINE_H
#define FATHOM_RENDER_INLINE_H

#define ALIGNED_16 __attribute__((aligned(16)))

/* float_fma, double_fma, float_sqrt, double_sqrt: rounded once. float_bits, bits_float and so on:
 * the same bits as another type. leading_zeros: the argument is a uint64_t that is not 0.
 * host_double: a double that the host fills in; of_host: its value. On devices without doubles
 * (OpenCL C with NO_DOUBLES) floats replace doubles. double_bits and bits_double then convert to
 * and from the bits of a double, rounding towards 0. */
#if defined __OPENCL_C_VERSION__
#define INLINE           static inline
#define GLOBAL           __global
#define float_fma        fma
#define float_bits       as_uint
#define bits_float       as_float
#define float_sqrt       sqrt
#define double_fma       fma
#define double_sqrt      sqrt
#define double_abs       fabs
#define leading_zeros(x) clz((ulong)(x))
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#ifdef NO_DOUBLES
#define double float
#define of_host bits_double
typedef uint64_t host_double;

INLINE uint64_t double_bits(float x) {
    const uint64_t bits = float_bits(x), size = bits & 0x7fffffffu;
    return (bits >> 31 << 63) + (size > 0 ? (size << 29) + ((uint64_t)(1023 - 127) << 52) : 0);
}

INLINE float bits_double(uint64_t bits) {
    const int32_t exponent = (int32_t)(bits >> 52 & 2047) - (1023 - 127);
    const uint32_t part = exponent < 255 ? (uint32_t)(bits >> 29) & 0x7fffffu : 0;
    const uint32_t size = exponent <= 0 ? 0 : ((uint32_t)min(exponent, 255) << 23) + part;
    return bits_float((uint32_t)(bits >> 63) << 31 | size);
}
#else
#define double_bits as_ulong
#define bits_double as_double
#endif
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#if defined __CUDACC__
#define INLINE           static __device__ __forceinline__
#define float_fma        fmaf
#define float_bits       __float_as_uint
#define bits_float       __uint_as_float
#define float_sqrt       __fsqrt_rn
#define double_fma       fma
#define double_sqrt      __dsqrt_rn
#define double_abs       fabs
#define double_bits(x)   ((uint64_t)__double_as_longlong(x))
#define bits_double(x)   __longlong_as_double((long long)(x))
#define leading_zeros(x) ((uint32_t)__clzll((long long)(x)))
#elif !defined __OPENCL_C_VERSION__
#define INLINE           static inline __attribute__((always_inline))
#define float_fma        __builtin_fmaf
#define float_sqrt       __builtin_sqrtf
#define double_fma       __builtin_fma
#define double_sqrt      __builtin_sqrt
#define double_abs       __builtin_fabs
#define leading_zeros(x) ((uint32_t)__builtin_clzll(x))

INLINE uint32_t float_bits(float x) {
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

INLINE float bits_float(uint32_t bits) {
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

INLINE uint64_t double_bits(double x) {
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

INLINE double bits_double(uint64_t bits) {
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}
#endif

#ifndef GLOBAL
#define GLOBAL
#endif

#ifndef NO_DOUBLES
#define of_host(x) (x)
typedef double host_double;
#endif

#endif
