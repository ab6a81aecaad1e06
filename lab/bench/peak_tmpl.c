/* A burst of fused multiply-adds, compiled once per instruction set and number type like the CPU
 * backend's loop. */
#include "cpu/lanes.h"
#include <stdint.h>

/* Two pipes times a latency of four or five need ten chains, and a few more where pipes are not
 * chosen evenly; with a constant they fit into 16 registers. The chains are orbits of x^2 - 1.9,
 * which stay in [-2, 2] and never settle: power, and with it the clock, is that of real work. */
#define CHAINS 14
#define ROUNDS 2000

#define EACH_CHAIN _Pragma("GCC unroll 16") for (int i = 0; i < CHAINS; i++)

#define NAME3(isa, type) peak_##isa##_##type
#define NAME2(isa, type) NAME3(isa, type)

/* As limits.h has it, which declares names that lanes.h uses. */
uint64_t NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(void);

uint64_t NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(void) {
    const real term = real_set(-1.9f);
    real chain[CHAINS];
    EACH_CHAIN chain[i] = real_set((float)i / CHAINS - 0.5f);
    _Pragma("GCC unroll 4") for (int round = 0; round < ROUNDS; round++) {
        EACH_CHAIN {
            chain[i] = real_fma(chain[i], chain[i], term);
            __asm__ volatile("" : "+x"(chain[i])); /* wanted, and one by one */
        }
    }
    return (uint64_t)ROUNDS * CHAINS * LANES;
}
