/* Second pass along orbits whose counts are known: how it starts, and its steps. Included by
 * slope_tmpl.c, trace_tmpl.c and inside_tmpl.c. */
#ifndef FATHOM_CPU_WALK_WALK_H
#define FATHOM_CPU_WALK_WALK_H

#include "cpu/escape/value.h"
#include "cpu/walk/walk_order.h"

#define GROUP    2 /* number of vectors in flight */
#define TOGETHER (GROUP * LANES)
#define EACH     _Pragma("GCC unroll 8") for (int v = 0; v < GROUP; v++)
#define PATIENCE 4096u /* steps between two reads of `stop` */

INLINE void step_z(const int power, const unsigned folds, value *zr, value *zi, value cr,
                   value ci) {
    if (power == 2)
        value_square(folds, zr, zi, cr, ci);
    else
        value_power(power, folds, zr, zi, cr, ci);
}

INLINE value parameter_of(const double parameter[2]) {
    number parts[PARTS * LANES];
    for (int i = 0; i < PARTS * LANES; i++)
        parts[i] = (number)parameter[i / LANES];
    return value_load(parts, LANES);
}

/* Loads z and c of the points with numbers `at`, at most TOGETHER, before their first step. */
INLINE void begin_points(const struct tile_points *p, const uint32_t *at, value *zr, value *zi,
                         value *cr, value *ci) {
    const bool julia = p->recipe->julia;
    number r[PARTS * LANES], i[PARTS * LANES];
    EACH {
        for (int k = 0; k < PARTS * LANES; k++) {
            const size_t from = at[v * LANES + k % LANES] + (size_t)(k / LANES) * TILE_LOW;
            r[k] = ((const number *)p->cr)[from];
            i[k] = ((const number *)p->ci)[from];
        }
        const value pr = value_load(r, LANES), pi = value_load(i, LANES);
        const value origin = value_of(real_set(0));
        zr[v] = julia ? pr : origin;
        zi[v] = julia ? pi : origin;
        cr[v] = julia ? parameter_of(p->recipe->parameter_re) : pr;
        ci[v] = julia ? parameter_of(p->recipe->parameter_im) : pi;
    }
}

/* Returns the number of steps that all points with numbers `at` have in common, and sets `left` to
 * their remaining steps. */
INLINE uint32_t steps_together(const uint32_t *count, const uint32_t *at, size_t size,
                               number left[TOGETHER]) {
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < size; i++)
        least = count[at[i]] < least ? count[at[i]] : least;
    for (size_t i = 0; i < TOGETHER; i++)
        left[i] = (number)(int)(count[at[i]] - least);
    return least;
}

/* Finds the lanes that stay where they are: they have done their `left` steps, and have reached
 * SMOOTH_NORM2 or done SMOOTH_STEPS more. Returns true if all lanes do. */
INLINE bool are_there(const real *left, const value *zr, const value *zi, lanes *there) {
    unsigned all = ~0u;
    EACH {
        real norm = value_norm2(zr[v], zi[v]);
        norm = lanes_select(lanes_not_less(real_set(-SMOOTH_STEPS), left[v]),
                            real_set(__builtin_inff()), norm);
        norm = lanes_select(lanes_not_less(real_set(0), left[v]), norm, real_set(0));
        there[v] = lanes_not_less(norm, real_set(SMOOTH_NORM2));
        all &= lanes_bits(there[v]) | ~((1u << LANES) - 1);
    }
    return all == ~0u;
}

#endif
