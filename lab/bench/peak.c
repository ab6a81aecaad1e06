/* How fast bursts of instructions run at most, and the clock, by a chain of additions. */
#include "lab/bench/peak.h"
#include <time.h>

#define CHAIN_ROUNDS 1000
#define CHAIN_ADDS   64

/* Registers on both sides, because some processors add constants before execution, for nothing. */
uint64_t peak_add_chain(void) {
    uint64_t sum = 0;
    const uint64_t one = 1;
    for (int i = 0; i < CHAIN_ROUNDS; i++)
        __asm__ volatile(".rept 64\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(one));
    return CHAIN_ROUNDS * CHAIN_ADDS;
}

/* The thread's own time, which stands still while something else has the core. */
static double thread_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

double peak_rate(peak_fn *burst, int threads, double ms) {
    double rate = 0;
#pragma omp parallel num_threads(threads) reduction(+ : rate)
    {
        uint64_t operations = 0;
        const double start = thread_ms();
        double now;
        do {
            operations += burst();
            now = thread_ms();
        } while (now - start < ms);
        rate += (double)operations / (now - start) * 1e3;
    }
    return rate;
}
