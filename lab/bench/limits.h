/* Speed limits: the highest number of steps per second a machine could reach, measured as the rate
 * of fused multiply-adds over the number that a step costs. On a CPU a step costs three of its four
 * instructions, since additions have pipes of their own. On a GPU all four take an issue slot. For
 * wide numbers all 42 instructions are counted, of which 32 are additions. */
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
    LIMIT_NONE = LIMIT_UNITS /* a device that CUDA does not support */
};

const char *limit_unit_name(enum limit_unit unit); /* "scalar", "avx2", "avx512", "gpu" */
/* Returns the numbers in a vector; 1 on the GPU. */
int limit_lanes(enum limit_unit unit, enum number_type type);
/* Measures a limit in steps per second; on a CPU for about `ms` on `threads` threads. The processor
 * must have the unit's instruction set (FMA, AVX2, AVX-512). `gpu` is used for LIMIT_GPU only.
 * Returns NaN if it cannot be measured. */
double limit_steps_per_s(enum limit_unit unit, enum number_type type, int threads, double ms,
                         struct lab_gpu *gpu);
/* Returns the clock in Hz, the mean over `threads` busy threads. */
double limit_clock_hz(int threads, double ms);

/* Runs a burst of about ten microseconds. Returns its number of multiply-adds, counted per lane.
 * The processor must have the instruction set. */
typedef uint64_t peak_fn(void);
peak_fn peak_fma_float, peak_fma_double;
peak_fn peak_avx2_float, peak_avx2_double;
peak_fn peak_avx512_float, peak_avx512_double;

/* Runs bursts on all threads at once, `ms` milliseconds of CPU time on each. Returns the operations
 * per second of all threads together; time in which a thread had no core is not counted. */
double peak_rate(peak_fn *burst, int threads, double ms);

#endif
