/* Iteration steps of several vectors in lockstep. The includer defines FORMULA (a kernel). */
#ifndef FATHOM_CPU_ESCAPE_STEPS_H
#define FATHOM_CPU_ESCAPE_STEPS_H

#include "cpu/escape/lists.h"

/* Steps of wide numbers are long, so they are called instead of inlined. */
#ifdef TILE_TYPE_WIDE
#define STEPS_CALLED 1
#define STEPS_UNROLL _Pragma("GCC unroll 1")
#else
#define STEPS_CALLED 0
#define STEPS_UNROLL _Pragma("GCC unroll 8")
#endif

/* Steps several vectors by a power, or by a hybrid's powers, which are looked up step by step.
 * Large, so inlined in two places only: power_steps_group and power_steps_tail. */
INLINE void power_steps_of(const int power, const unsigned folds, const int vectors,
                           const uint32_t steps, value *zr, value *zi, const value *cr,
                           const value *ci) {
    for (uint32_t i = 0; i < steps; i++)
        STEPS_UNROLL for (int v = 0; v < vectors; v++) {
            if (power == 2)
                value_square(folds, &zr[v], &zi[v], cr[v], ci[v]);
            else
                value_power(power, folds, &zr[v], &zi[v], cr[v], ci[v]);
        }
}

INLINE void power_steps(const struct recipe *recipe, uint32_t done, const int vectors,
                        const uint32_t steps, value *to_r, value *to_i, const value *from_cr,
                        const value *from_ci) {
    value zr[GROUP], zi[GROUP], cr[GROUP], ci[GROUP];
    const uint32_t some = recipe->length == 1 ? steps : 1;
    memcpy(zr, to_r, (size_t)vectors * sizeof *zr);
    memcpy(zi, to_i, (size_t)vectors * sizeof *zi);
    memcpy(cr, from_cr, (size_t)vectors * sizeof *cr);
    memcpy(ci, from_ci, (size_t)vectors * sizeof *ci);
    for (uint32_t i = 0, which = done % recipe->length; i < steps; i += some) {
        const unsigned folds = recipe->folds[which];
        switch (recipe->power[which]) {
        case 2:
            power_steps_of(2, folds, vectors, some, zr, zi, cr, ci);
            break;
#define POWER_CASE(power)                                                                          \
    case power:                                                                                    \
        power_steps_of(power, folds, vectors, some, zr, zi, cr, ci);                               \
        break;
            RECIPE_POWERS(POWER_CASE)
#undef POWER_CASE
        default:
            __builtin_unreachable();
        }
        which = which + 1 == recipe->length ? 0 : which + 1;
    }
    memcpy(to_r, zr, (size_t)vectors * sizeof *zr);
    memcpy(to_i, zi, (size_t)vectors * sizeof *zi);
}

static __attribute__((noinline)) void power_steps_group(const struct recipe *recipe, uint32_t done,
                                                        uint32_t steps, value *zr, value *zi,
                                                        const value *cr, const value *ci) {
    power_steps(recipe, done, GROUP, steps, zr, zi, cr, ci);
}

static __attribute__((noinline)) void power_steps_tail(const struct recipe *recipe, uint32_t done,
                                                       value *zr, value *zi, const value *cr,
                                                       const value *ci) {
    power_steps(recipe, done, TAIL_VECTORS, 1, zr, zi, cr, ci);
}

INLINE void square_steps(const int formula, const int vectors, const int steps, value *zr,
                         value *zi, const value *cr, const value *ci) {
    for (int i = 0; i < steps; i++)
        _Pragma("GCC unroll 8") for (int v = 0; v < vectors; v++)
            value_square(formula_folds(formula), &zr[v], &zi[v], cr[v], ci[v]);
}

#if STEPS_CALLED
#define SQUARE_FUNCTIONS(name, ...)                                                                \
    static __attribute__((noinline, unused)) void square_group_##name(                             \
        int steps, value *zr, value *zi, const value *cr, const value *ci) {                       \
        square_steps(FORMULA_##name, GROUP, steps, zr, zi, cr, ci);                                \
    }                                                                                              \
    static __attribute__((noinline, unused)) void square_tail_##name(                              \
        value *zr, value *zi, const value *cr, const value *ci) {                                  \
        square_steps(FORMULA_##name, TAIL_VECTORS, 1, zr, zi, cr, ci);                             \
    }
FORMULA_LIST(SQUARE_FUNCTIONS)
#define FORMULA_STEPS(name)                                                                        \
    if (vectors == TAIL_VECTORS && steps == 1)                                                     \
        square_tail_##name(zr, zi, cr, ci);                                                        \
    else                                                                                           \
        square_group_##name(steps, zr, zi, cr, ci);
#else
#define FORMULA_STEPS(name) square_steps(FORMULA_##name, vectors, steps, zr, zi, cr, ci);
#endif

/* Steps `vectors` vectors `steps` times. `done`: steps that all lanes have done before. */
INLINE void do_steps(const struct recipe *recipe, uint32_t done, const int vectors, const int steps,
                     value *zr, value *zi, const value *cr, const value *ci) {
    if (FORMULA != FORMULA_folded) {
        square_steps(FORMULA, vectors, steps, zr, zi, cr, ci);
        return;
    }
    switch (recipe->kind) {
#define FORMULA_CASE(name, ...)                                                                    \
    case FORMULA_##name:                                                                           \
        FORMULA_STEPS(name)                                                                        \
        break;
        FORMULA_LIST(FORMULA_CASE)
    default:
        if (vectors == TAIL_VECTORS && steps == 1)
            power_steps_tail(recipe, done, zr, zi, cr, ci);
        else
            power_steps_group(recipe, done, (uint32_t)steps, zr, zi, cr, ci);
    }
}

#endif
