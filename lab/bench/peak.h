/* What the processor could do at most: fused multiply-adds back to back in enough independent
 * chains, and the clock. */
#ifndef FATHOM_LAB_BENCH_PEAK_H
#define FATHOM_LAB_BENCH_PEAK_H

#include <stdint.h>

/* One burst, some ten microseconds. Returns how many multiply-adds it made, one per lane. */
typedef uint64_t peak_fn(void);

/* From peak_tmpl.c, per instruction set, which the processor must have, and number type. */
peak_fn peak_fma_float, peak_fma_double;
peak_fn peak_avx2_float, peak_avx2_double;
peak_fn peak_avx512_float, peak_avx512_double;
/* For clocks: additions that wait for each other, one a cycle. */
peak_fn peak_add_chain;

/* Runs bursts on all threads at a time, for `ms` milliseconds of each. Returns the operations per
 * second of all together; time in which a thread had no core does not count. */
double peak_rate(peak_fn *burst, int threads, double ms);

#endif
