/* Steps of some vectors in lockstep. The includer has defined FORMULA, of FORMULA_KERNELS. */
#ifndef FATHOM_CPU_ESCAPE_STEPS_H
#define FATHOM_CPU_ESCAPE_STEPS_H

#include "cpu/escape/value.h"

INLINE void steps_of(const int formula, const bool fused, const int vectors, const int steps,
                     value *zr, value *zi, const value *cr, const value *ci) {
    for (int i = 0; i < steps; i++)
        _Pragma("GCC unroll 8") for (int v = 0; v < vectors; v++)
            value_step(formula, fused, &zr[v], &zi[v], cr[v], ci[v]);
}

/* `formula`: which of those that share the kernel. */
INLINE void do_steps(const enum formula formula, const bool fused, const int vectors,
                     const int steps, value *zr, value *zi, const value *cr, const value *ci) {
    if (FORMULA != FORMULA_folded) {
        steps_of(FORMULA, fused, vectors, steps, zr, zi, cr, ci);
        return;
    }
    switch (formula) {
#define STEPS_CASE(name, ...)                                                                      \
    case FORMULA_##name:                                                                           \
        steps_of(FORMULA_##name, fused, vectors, steps, zr, zi, cr, ci);                           \
        break;
        FORMULA_LIST(STEPS_CASE)
#undef STEPS_CASE
    default:
        __builtin_unreachable();
    }
}

#endif
