/* SplitMix64, a random number generator (Steele, Lea and Flood, 2014), for choices that are the
 * same in every run. */
#ifndef FATHOM_RENDER_NUMBER_SPLITMIX_H
#define FATHOM_RENDER_NUMBER_SPLITMIX_H

#include <stdint.h>

#define SPLITMIX_STEP 0x9e3779b97f4a7c15u

/* Returns the next number after any state; the state moves on by SPLITMIX_STEP. */
static inline uint64_t splitmix_next(uint64_t *state) {
    uint64_t x = *state += SPLITMIX_STEP;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

#endif
