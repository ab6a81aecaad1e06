/* The arithmetic of one pixel, apart from how threads share the work: the same steps, tests and
 * rounding as the CPU's loop. */
#ifndef FATHOM_CUDA_ESCAPE_ORBIT_CUH
#define FATHOM_CUDA_ESCAPE_ORBIT_CUH

#include "cuda/escape/orbit_steps.cuh"
#include "render/colour.h"
#include "render/interior.h"

/* An orbit's life: most of those outside the set end within the first few steps, which are tested
 * one by one; few of those that got through the next ones, in short blocks, end soon after. */
#define ORBIT_SINGLE      8u
#define ORBIT_YOUNG       40u
#define ORBIT_SHORT_BLOCK 8

#define ORBIT_FIRST_SPAN 128u /* steps in which a cycle is looked for first; then twice as many */

template <int formula, bool fused, typename real>
INLINE bool orbit_inside(const struct orbit<real> *o) {
    const auto n2 = norm2(fused, o->zr, o->zi);
    return n2 < decltype(n2 + 0)(o->recipe->escape);
}

/* One step and its test. */
template <int formula, bool fused, typename real>
INLINE bool orbit_run_step(struct orbit<real> *o, uint32_t *done) {
    orbit_steps<1, formula, fused>(o);
    ++*done;
    return !orbit_inside<formula, fused>(o);
}

/* Tested after every step, up to `until`; true: escaped. */
template <int formula, bool fused, typename real>
INLINE bool orbit_run_singly(struct orbit<real> *o, uint32_t until, uint32_t *done) {
    bool escaped = false;
#pragma unroll 1
    while (!escaped && *done < until)
        escaped = orbit_run_step<formula, fused>(o, done);
    return escaped;
}

/* The first ORBIT_SINGLE steps, if `steps` has room for them; true: escaped. */
template <int formula, bool fused, typename real>
INLINE bool orbit_run_first(struct orbit<real> *o, uint32_t steps, uint32_t *done) {
    if (steps < ORBIT_SINGLE)
        return false;
    constexpr uint32_t unrolled = formula == FORMULA_folded ? 1 : ORBIT_SINGLE;
#pragma unroll(unrolled)
    for (uint32_t k = 0; k < ORBIT_SINGLE; k++)
        if (orbit_run_step<formula, fused>(o, done))
            return true;
    return false;
}

/* One block of steps; false, and nothing done, when the orbit escapes in it. */
template <int size, int formula, bool fused, typename real>
INLINE bool orbit_run_block(struct orbit<real> *o, uint32_t *done) {
    const real start_r = o->zr, start_i = o->zi;
    const uint32_t start_number = o->number;
    orbit_steps<size, formula, fused>(o);
    const bool inside = orbit_inside<formula, fused>(o);
    if (!inside) {
        o->zr = start_r;
        o->zi = start_i;
        o->number = start_number;
    } else {
        *done += size;
    }
    return inside;
}

/* Short blocks as long as there is room for them up to `until` and the orbit does not escape. */
template <int formula, bool fused, typename real>
INLINE bool orbit_run_short(struct orbit<real> *o, uint32_t until, uint32_t *done) {
    bool inside = true;
#pragma unroll 1
    while (inside && *done + ORBIT_SHORT_BLOCK <= until)
        inside = orbit_run_block<ORBIT_SHORT_BLOCK, formula, fused>(o, done);
    return inside;
}

/* The same with long blocks; true: with `cycle`, the orbit was found to return to where it was at
 * the start of a span of steps, each twice as long as the one before (Brent's method). One word
 * of z tells most others apart. */
template <int formula, bool fused, bool cycle, typename real>
INLINE bool orbit_run_long(struct orbit<real> *o, uint32_t span, uint32_t until, uint32_t *done) {
    constexpr int size = orbit_long_block(real{}, cycle);
    bool inside = true, found = false;
#pragma unroll 1
    do {
        const real then_r = o->zr, then_i = o->zi;
        const uint32_t then_number = o->number;
        const uint32_t left = until - *done;
        const uint32_t end = cycle && left > span ? *done + span : until;
#pragma unroll 1
        while (inside && !found && *done + size <= end) {
            inside = orbit_run_block<size, formula, fused>(o, done);
            if (cycle && orbit_word(o->zr) == orbit_word(then_r))
                found = inside && orbit_same(o->zr, then_r) && orbit_same(o->zi, then_i) &&
                        o->number == then_number;
        }
        span *= 2;
    } while (cycle && inside && !found && *done + size <= until);
    return found;
}

/* By blocks as far as they go, which is not into one with an escape; true: it never escapes. */
template <int formula, bool fused, bool cycle, typename real>
INLINE bool orbit_run_most(struct orbit<real> *o, uint32_t before, uint32_t steps, bool cardioid,
                           uint32_t *done) {
    const bool young = before == 0;
    const uint32_t span = before > ORBIT_FIRST_SPAN ? before : ORBIT_FIRST_SPAN;
    bool inside = true;
    if (young)
        inside =
            orbit_run_short<formula, fused>(o, steps < ORBIT_YOUNG ? steps : ORBIT_YOUNG, done);
    if (!inside)
        return false;
    if (young && cardioid && FORMULA_IS_OF(FORMULAS_INTERIOR, formula) && !o->recipe->julia &&
        interior_surely(orbit_high(o->cr), orbit_high(o->ci), orbit_margin(o->cr)))
        return true;
    if (orbit_run_long<formula, fused, cycle>(o, span, steps, done))
        return true;
    orbit_run_short<formula, fused>(o, steps, done);
    return false;
}

/* Takes an orbit that has done `before` steps at most `steps` further; *done says how many. Any
 * division of the steps among calls gives the same bits. */
template <int formula, bool fused, bool cycle, typename real>
INLINE enum orbit_end orbit_advance(struct orbit<real> *o, uint32_t before, uint32_t steps,
                                    bool cardioid, uint32_t *done) {
    *done = 0;
    if (formula == FORMULA_folded)
        o->number = before % o->recipe->length;
    if (o->recipe->julia && before == 0 && !orbit_inside<formula, fused>(o))
        return ORBIT_ESCAPED;
    if (before == 0 && orbit_run_first<formula, fused>(o, steps, done))
        return ORBIT_ESCAPED;
    const auto c2 = norm2(true, o->cr, o->ci);
    if (c2 < decltype(c2 + 0)(o->recipe->safe) &&
        orbit_run_most<formula, fused, cycle>(o, before, steps, cardioid, done))
        return ORBIT_BOUNDED;
    return orbit_run_singly<formula, fused>(o, steps, done) ? ORBIT_ESCAPED : ORBIT_GOES_ON;
}

/* The fraction of an orbit that has just escaped to z, from where it goes on; *left is
 * |z|^2 there. */
template <int formula, bool fused, typename real>
INLINE float orbit_fraction(struct orbit<real> *o, float *left) {
    auto n2 = norm2(fused, o->zr, o->zi);
    int steps = 0;
    constexpr int unrolled = formula == FORMULA_folded ? 1 : 4;
#pragma unroll(unrolled)
    for (; n2 < decltype(n2)(SMOOTH_NORM2) && steps < SMOOTH_STEPS; steps++) {
        orbit_steps<1, formula, fused>(o);
        n2 = norm2(fused, o->zr, o->zi);
    }
    *left = (float)n2;
    return sample_fraction((float)n2, steps,
                           formula == FORMULA_folded ? recipe_scale(o->recipe, o->number) : 1.0f);
}

#endif
