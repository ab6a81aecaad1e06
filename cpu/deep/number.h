/* Numbers of the perturbation kernel (SIMD): one complex number per lane, whose parts are doubles,
 * or wide numbers where TILE_TYPE_WIDE is defined. A new number type is another section of this
 * file. */
#ifndef FATHOM_CPU_DEEP_NUMBER_H
#define FATHOM_CPU_DEEP_NUMBER_H

#include "cpu/deep/entry.h"
#include "cpu/lanes_deep.h"
#include "render/deep/perturbed.h"

#define FORMULA_KERNEL
#include "render/number/screen.h"

/* A section defines:
 *   value: LANES numbers; value_high(x): their leading doubles;
 *   value_set(high, low), value_pick(pairs, low, index), value_load(lanes, part),
 *     value_store(lanes, part, x): the low parts are not evaluated where numbers have none;
 *   value_add, value_plus (a vector of doubles), value_scale (by a power of two, exact),
 *     value_select;
 *   pair_product(Z, z): (2 Z + z) z; pair_term(s, t, p): s t + p; pair_land(s, t, C, c): s t + C c;
 *   pair_land_bar(z, B, c): z + B conj(c);
 *   value_square and value_power: a step of the orbit itself, as step_square and step_power;
 *   value_difference: x of a formula's step, as perturbed_difference. */
#ifdef TILE_TYPE_WIDE
#define WIDE_KERNEL
#include "render/number/wide_difference.h"

typedef struct wide value;
#define value_high(x)          ((x).hi)
#define value_set(high, low)   ((value){real_set(high), real_set(low)})
#define value_pick(at, low, i) ((value){real_pick(at, i), real_pick(low, i)})
#define value_load(lanes, i)                                                                       \
    ((value){real_load((lanes)->part[i]), real_load((lanes)->part[(i) + 1])})
#define value_store(lanes, i, x)                                                                   \
    (real_store((lanes)->part[i], (x).hi), real_store((lanes)->part[(i) + 1], (x).lo))
#define value_add        wide_add
#define value_plus(x, y) wide_add(x, (value){y, real_set(0)})
#define value_square     wide_step_square
#define value_power      wide_step_power
#define value_difference wide_difference
#else
typedef real value;
#define value_high(x)            (x)
#define value_set(high, low)     real_set(high)
#define value_pick(at, low, i)   real_pick(at, i)
#define value_load(lanes, i)     real_load((lanes)->part[i])
#define value_store(lanes, i, x) real_store((lanes)->part[i], x)
#define value_add(a, b)          ((a) + (b))
#define value_plus(x, y)         ((x) + (y))
#define value_square             step_square
#define value_power              step_power
#define value_difference         perturbed_difference
#endif

struct pair {
    value re, im;
};

/* The same in memory. */
struct pair_lanes {
    _Alignas(64) double part[PARTS][LANES];
};

INLINE struct pair pair_load(const struct pair_lanes *from) {
    return (struct pair){value_load(from, RE), value_load(from, IM)};
}

INLINE void pair_store(struct pair_lanes *to, struct pair x) {
    value_store(to, RE, x.re);
    value_store(to, IM, x.im);
}

INLINE struct pair pair_add(struct pair a, struct pair b) {
    return (struct pair){value_add(a.re, b.re), value_add(a.im, b.im)};
}

#ifdef TILE_TYPE_WIDE
INLINE value value_scale(value x, real by) {
    return (value){x.hi * by, x.lo * by};
}

INLINE value value_select(lanes which, value a, value b) {
    return (value){lanes_select(which, a.hi, b.hi), lanes_select(which, a.lo, b.lo)};
}

INLINE struct pair wide_pair_product(struct pair a, struct pair b) {
    return (struct pair){
        wide_add(wide_product(a.re, b.re), wide_negative(wide_product(a.im, b.im))),
        wide_add(wide_product(a.re, b.im), wide_product(a.im, b.re))};
}

INLINE struct pair pair_product(struct pair Z, struct pair z) {
    const struct pair twice = {value_scale(Z.re, real_set(2)), value_scale(Z.im, real_set(2))};
    return wide_pair_product(pair_add(twice, z), z);
}

INLINE struct pair pair_term(struct pair s, struct pair t, struct pair p) {
    return (struct pair){
        wide_add3(wide_product(s.re, t.re), wide_negative(wide_product(s.im, t.im)), p.re),
        wide_add3(wide_product(s.re, t.im), wide_product(s.im, t.re), p.im)};
}

INLINE struct pair pair_land(struct pair s, struct pair t, struct pair C, struct pair c) {
    return pair_term(s, t, wide_pair_product(C, c));
}

INLINE struct pair pair_land_bar(struct pair z, struct pair B, struct pair c) {
    return pair_add(z, wide_pair_product(B, (struct pair){c.re, wide_negative(c.im)}));
}
#else
INLINE value value_scale(value x, real by) {
    return x * by;
}

#define value_select lanes_select

INLINE struct pair pair_product(struct pair Z, struct pair z) {
    struct pair x;
    perturbed_product(Z.re, Z.im, z.re, z.im, &x.re, &x.im);
    return x;
}

INLINE struct pair pair_term(struct pair s, struct pair t, struct pair p) {
    perturbed_term(&s.re, &s.im, t.re, t.im, p.re, p.im);
    return s;
}

INLINE struct pair pair_land(struct pair s, struct pair t, struct pair C, struct pair c) {
    struct pair z;
    perturbed_land(s.re, s.im, t.re, t.im, C.re, C.im, c.re, c.im, &z.re, &z.im);
    return z;
}

INLINE struct pair pair_land_bar(struct pair z, struct pair B, struct pair c) {
    perturbed_land_bar(B.re, B.im, c.re, c.im, &z.re, &z.im);
    return z;
}
#endif

INLINE struct pair pair_select(lanes which, struct pair a, struct pair b) {
    return (struct pair){value_select(which, a.re, b.re), value_select(which, a.im, b.im)};
}

INLINE struct pair pair_scale(struct pair x, real by) {
    return (struct pair){value_scale(x.re, by), value_scale(x.im, by)};
}

/* |x|^2 and max|x|, of the leading doubles. */
INLINE real pair_norm2(struct pair x) {
    return norm2(value_high(x.re), value_high(x.im));
}

INLINE real pair_most(struct pair x) {
    const real re = real_abs(value_high(x.re)), im = real_abs(value_high(x.im));
    return real_most(re, im);
}

/* Returns the lanes where |x|^2 is at least norm2, as wide_escapes. */
INLINE lanes pair_escapes(struct pair x, real norm2) {
    const lanes high = lanes_not_less(pair_norm2(x), norm2);
#ifdef TILE_TYPE_WIDE
    return lanes_and(high, lanes_not_less(wide_norm2_above(x.re, x.im, norm2), real_set(0)));
#else
    return high;
#endif
}

/* Z at index m, and at the index of each lane. */
INLINE struct pair reference_at(const struct perturbed_tables *t, size_t m) {
    return (struct pair){value_set(t->orbit[2 * m], t->orbit_low[2 * m]),
                         value_set(t->orbit[2 * m + 1], t->orbit_low[2 * m + 1])};
}

INLINE struct pair reference_each(const struct perturbed_tables *t, const uint32_t m[LANES]) {
    return (struct pair){value_pick(t->orbit, t->orbit_low, m),
                         value_pick(t->orbit + 1, t->orbit_low + 1, m)};
}

INLINE struct pair reference_next(const struct perturbed_tables *t, const uint32_t m[LANES]) {
    return (struct pair){value_pick(t->orbit + 2, t->orbit_low + 2, m),
                         value_pick(t->orbit + 3, t->orbit_low + 3, m)};
}

#endif
