/* Coordinate of LANES orbits, and its operations in tile_tmpl.c: one vector, or two for wide
 * numbers. In memory the low parts of wide numbers lie `low` numbers after the high parts. */
#ifndef FATHOM_CPU_ESCAPE_VALUE_H
#define FATHOM_CPU_ESCAPE_VALUE_H

#include "cpu/escape/tile.h"
#include "cpu/lanes.h"

#define FORMULA_KERNEL
#include "render/formula/formula_step.h"

/* Writes the lanes of `bits` at p, one after another; the test makes the usual case, all lanes,
 * fast. */
INLINE void pack_number(number *p, unsigned bits, real x) {
    if (bits == (unsigned)((1ull << LANES) - 1))
        real_store(p, x);
    else
        real_pack(p, bits, x);
}

#ifdef TILE_TYPE_WIDE
#define WIDE_KERNEL
#include "cpu/lanes_count.h"
#include "render/number/formula_wide.h"

#define PARTS        2
#define value_square wide_step_square
#define value_power  wide_step_power
typedef struct wide value;

INLINE value value_of(real x) {
    return (value){x, real_set(0)};
}

INLINE real value_high(value x) {
    return x.hi;
}

INLINE value value_load(const number *p, size_t low) {
    return (value){real_load(p), real_load(p + low)};
}

INLINE void value_store(number *p, value x) {
    real_store(p, x.hi);
    real_store(p + TILE_LOW, x.lo);
}

INLINE void value_pack(number *p, unsigned bits, value x) {
    pack_number(p, bits, x.hi);
    pack_number(p + TILE_LOW, bits, x.lo);
}

INLINE value value_select(lanes m, value a, value b) {
    return (value){lanes_select(m, a.hi, b.hi), lanes_select(m, a.lo, b.lo)};
}

INLINE value value_clear(lanes m, value x) {
    return (value){lanes_clear(m, x.hi), lanes_clear(m, x.lo)};
}

/* Returns the lanes in which a == b and c == d. */
INLINE lanes value_equal(value a, value b, value c, value d) {
    return lanes_both(lanes_equal(a.hi, b.hi, c.hi, d.hi), lanes_equal(a.lo, b.lo, c.lo, d.lo));
}

#else
#define PARTS        1
#define value_square step_square
#define value_power  step_power
typedef real value;

INLINE value value_of(real x) {
    return x;
}

INLINE real value_high(value x) {
    return x;
}

INLINE value value_load(const number *p, size_t low) {
    (void)low;
    return real_load(p);
}

INLINE void value_store(number *p, value x) {
    real_store(p, x);
}

INLINE void value_pack(number *p, unsigned bits, value x) {
    pack_number(p, bits, x);
}

INLINE value value_select(lanes m, value a, value b) {
    return lanes_select(m, a, b);
}

INLINE value value_clear(lanes m, value x) {
    return lanes_clear(m, x);
}

INLINE lanes value_equal(value a, value b, value c, value d) {
    return lanes_equal(a, b, c, d);
}
#endif

INLINE real value_norm2(value zr, value zi) {
    return norm2(value_high(zr), value_high(zi));
}

#endif
