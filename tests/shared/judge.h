/* Counts by the definition, one step and one test at a time: the judge of kernels that count. 0: not within
 * the limit. */
#ifndef FATHOM_TESTS_SHARED_JUDGE_H
#define FATHOM_TESTS_SHARED_JUDGE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define JUDGE_COUNT(real, fma_, name)                                                              \
    static inline uint32_t name(bool fused, real cr, real ci, uint32_t limit) {                    \
        real zr = 0, zi = 0, n2;                                                                   \
        for (uint32_t n = 1; n <= limit; n++) {                                                    \
            if (fused) {                                                                           \
                const real t = fma_(zr, zr, cr), i = fma_(zr + zr, zi, ci);                        \
                zr = fma_(-zi, zi, t);                                                             \
                zi = i;                                                                            \
                n2 = fma_(zr, zr, zi * zi);                                                        \
            } else {                                                                               \
                const real r = (zr * zr - zi * zi) + cr;                                           \
                zi = 2 * zr * zi + ci;                                                             \
                zr = r;                                                                            \
                n2 = zr * zr + zi * zi;                                                            \
            }                                                                                      \
            if (!(n2 < 4))                                                                         \
                return n;                                                                          \
        }                                                                                          \
        return 0;                                                                                  \
    }

JUDGE_COUNT(float, fmaf, judge_count_float)
JUDGE_COUNT(double, fma, judge_count_double)

#endif
