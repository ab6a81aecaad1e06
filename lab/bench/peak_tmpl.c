/* Peak kernel: a burst of fused multiply-adds, compiled once per instruction set and number type,
 * as the CPU backend's kernels are. */
#include "cpu/lanes.h"
#include <stdint.h>

/* Number of chains. Two pipes with a latency of four or five need ten chains, and a few more if
 * pipes are chosen unevenly; with a constant they fit into 16 registers. The chains are orbits of
 * x^2 - 1.9, which stay in [-2, 2] and never settle, so that power, and with it the clock, is that
 * of real work. */
#define CHAINS 14
#define ROUNDS 2000

#define EACH_CHAIN _Pragma("GCC unroll 16") for (int i = 0; i < CHAINS; i++)

#define NAME3(isa, type) peak_##isa##_##type
#define NAME2(isa, type) NAME3(isa, type)

/* Same declaration as in limits.h, which cannot be included: it uses names that lanes.h defines. */
uint64_t NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(void);

uint64_t NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(void) {
    const real term = real_set(-1.9f);
    real chain[CHAINS];
    EACH_CHAIN chain[i] = real_set((float)i / CHAINS - 0.5f);
    _Pragma("GCC unroll 4") for (int round = 0; round < ROUNDS; round++) {
        EACH_CHAIN {
            chain[i] = real_fma(chain[i], chain[i], term);
            /* Keeps the compiler from removing or merging steps. */
            __asm__ volatile("" : "+x"(chain[i]));
        }
    }
    return (uint64_t)ROUNDS * CHAINS * LANES;
}
