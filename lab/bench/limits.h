/* How many steps per second a machine could make at most, measured: the rate of fused multiply-adds
 * over those that a step costs. On a CPU that is three of the four instructions, as additions have
 * pipes of their own; on a GPU all four take an issue slot. Of wide numbers all 42 are counted, of
 * which 32 are additions. */
#ifndef FATHOM_LAB_BENCH_LIMITS_H
#define FATHOM_LAB_BENCH_LIMITS_H

#include "render/frame.h"

struct lab_gpu; /* lab/gpu/gpu.h */

enum limit_unit {
    LIMIT_SCALAR,
    LIMIT_AVX2,
    LIMIT_AVX512,
    LIMIT_GPU, /* measured by CUDA */
    LIMIT_UNITS,
    LIMIT_NONE = LIMIT_UNITS /* of a device that CUDA has not */
};

const char *limit_unit_name(enum limit_unit unit); /* "scalar", "avx2", "avx512", "gpu" */
/* Numbers in a vector; 1 on the GPU. */
int limit_lanes(enum limit_unit unit, enum number_type type);
/* Measures, on a CPU for about `ms` on so many threads, each of which must have what the unit needs
 * (FMA, AVX2, AVX-512); `gpu` is only looked at for LIMIT_GPU. NaN: it cannot be measured. */
double limit_steps_per_s(enum limit_unit unit, enum number_type type, int threads, double ms,
                         struct lab_gpu *gpu);
/* The clock in Hz, the mean of so many busy threads. */
double limit_clock_hz(int threads, double ms);

/* One burst, some ten microseconds. Returns how many multiply-adds it made, one per lane. The
 * processor must have the instruction set. */
typedef uint64_t peak_fn(void);
peak_fn peak_fma_float, peak_fma_double;
peak_fn peak_avx2_float, peak_avx2_double;
peak_fn peak_avx512_float, peak_avx512_double;

/* Runs bursts on all threads at a time, for `ms` milliseconds of each. Returns the operations per
 * second of all together; time in which a thread had no core does not count. */
double peak_rate(peak_fn *burst, int threads, double ms);

#endif
