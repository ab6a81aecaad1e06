/* Random generator of the tests: repeatable, from a seed that failures print. */
#ifndef FATHOM_TESTS_SHARED_RANDOM_H
#define FATHOM_TESTS_SHARED_RANDOM_H

#include <stdint.h>

static uint64_t random_state;

static inline void random_seed(uint64_t seed) {
    random_state = seed * 2654435761u + 88172645463325252u;
}

/* Returns the next number of xorshift64* (Vigna). */
static inline uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1dull;
}

/* Returns a number in 0 .. size - 1. */
static inline int random_below(int size) {
    return (int)(random_bits() % (uint64_t)size);
}

/* Returns a number in [0, 1). */
static inline double random_unit(void) {
    return (double)(random_bits() >> 11) * 0x1p-53;
}

static inline double random_between(double low, double high) {
    return low + (high - low) * random_unit();
}

#endif
