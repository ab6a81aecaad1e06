/* The clock of the measurements: monotonic milliseconds since some moment. */
#ifndef FATHOM_BENCH_CLOCK_H
#define FATHOM_BENCH_CLOCK_H

#include <time.h>

static inline double bench_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

#endif
