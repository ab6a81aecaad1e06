/* Philox4x32-10, a counter-based random generator: 128 bits of counter and 64 bits of key give 128
 * random bits. There is no state between calls, so that any sample can be computed anywhere.
 * Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3 (SC 2011). */
#ifndef FATHOM_RENDER_DENSITY_PHILOX_H
#define FATHOM_RENDER_DENSITY_PHILOX_H

#include "render/inline.h"

#define PHILOX_ROUNDS 10
#define PHILOX_M0     0xD2511F53u
#define PHILOX_M1     0xCD9E8D57u
#define PHILOX_W0     0x9E3779B9u
#define PHILOX_W1     0xBB67AE85u

struct philox {
    uint32_t word[4];
};

INLINE struct philox philox(struct philox counter, uint32_t key0, uint32_t key1) {
    struct philox x = counter;
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        const uint64_t a = (uint64_t)PHILOX_M0 * x.word[0];
        const uint64_t b = (uint64_t)PHILOX_M1 * x.word[2];
        x.word[0] = (uint32_t)(b >> 32) ^ x.word[1] ^ key0;
        x.word[2] = (uint32_t)(a >> 32) ^ x.word[3] ^ key1;
        x.word[1] = (uint32_t)b;
        x.word[3] = (uint32_t)a;
        key0 += PHILOX_W0;
        key1 += PHILOX_W1;
    }
    return x;
}

#endif
