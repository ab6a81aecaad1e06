/* One perturbed orbit in wide numbers, for devices that iterate a point a thread: its arithmetic, and its
 * blocks away from the reference. wide_round.h has the others. The includer has defined `real` as
 * double, real_fma and WIDE_KERNEL as for wide.h. */
#ifndef FATHOM_RENDER_NUMBER_WIDE_POINT_H
#define FATHOM_RENDER_NUMBER_WIDE_POINT_H

#include "render/deep/point/perturbed_point.h"
#include "render/number/formula_wide.h"

#ifdef WIDE_KERNEL

/* As struct perturbed_point. */
struct wide_point {
    struct wide zr, zi, cr, ci;
    uint32_t m, n;
};

struct wide_cycle {
    struct wide zr, zi;
    uint32_t events, next;
};

INLINE bool wide_is(const struct wide a, const struct wide b) {
    return a.hi == b.hi && a.lo == b.lo;
}

INLINE bool wide_returns(struct wide_cycle *c, const struct wide zr, const struct wide zi) {
    if (c->events > 0 && wide_is(zr, c->zr) && wide_is(zi, c->zi))
        return true;
    if (++c->events == c->next) {
        c->next *= 2;
        c->zr = zr;
        c->zi = zi;
    }
    return false;
}

INLINE struct wide wide_of(const double hi, const double lo) {
    struct wide x;
    x.hi = hi;
    x.lo = lo;
    return x;
}

/* (ar + i ai) (br + i bi) */
INLINE void wide_complex_product(const struct wide ar, const struct wide ai, const struct wide br,
                                 const struct wide bi, struct wide *re, struct wide *im) {
    *re = wide_add(wide_product(ar, br), wide_negative(wide_product(ai, bi)));
    *im = wide_add(wide_product(ar, bi), wide_product(ai, br));
}

/* s = s t + p */
INLINE void wide_complex_term(struct wide *sr, struct wide *si, const struct wide tr,
                              const struct wide ti, const struct wide pr, const struct wide pi) {
    const struct wide r =
        wide_add3(wide_product(*sr, tr), wide_negative(wide_product(*si, ti)), pr);
    *si = wide_add3(wide_product(*sr, ti), wide_product(*si, tr), pi);
    *sr = r;
}

/* c as it is. */
INLINE void wide_place_of(const struct perturbed_tables *t, const struct wide_point *p,
                          struct wide *cr, struct wide *ci) {
    *cr = wide_add(wide_of(t->re, t->re_low), p->cr);
    *ci = wide_add(wide_of(t->im, t->im_low), p->ci);
}

/* Where an orbit begins: with m, n and z at 0, but for those that perturbed_outside knows. */
INLINE void wide_begin(const struct perturbed_tables *t, struct wide_point *p) {
    if (perturbed_outside(t, p->cr.hi, p->ci.hi))
        p->m = PERTURBED_TAIL;
}

/* A block of steps away from the reference. */
INLINE enum perturbed_end wide_tail_block(const struct perturbed_tables *t, struct wide_point *p,
                                          bool cycles, struct wide_cycle *cycle) {
    struct wide cr, ci;
    wide_place_of(t, p, &cr, &ci);
    if (perturbed_escapes(p->zr.hi, p->zi.hi)) /* over an earlier limit */
        return PERTURBED_ESCAPED;
    for (int i = 0; i < PERTURBED_TAIL_STEPS; i++) {
        wide_step_square(FOLD_NONE, &p->zr, &p->zi, cr, ci);
        p->n++;
        if (perturbed_escapes(p->zr.hi, p->zi.hi))
            return PERTURBED_ESCAPED;
    }
    if (extended_most(p->zr.hi, p->zi.hi) < PERTURBED_TAIL_FROM)
        p->m = 0;
    else if (cycles && wide_returns(cycle, p->zr, p->zi))
        return PERTURBED_RETURNS;
    return PERTURBED_GOES_ON;
}

#endif

#endif
