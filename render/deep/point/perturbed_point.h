/* One perturbed orbit, for devices that iterate a point a thread: its state, and its rounds below a
 * double's range. perturbed_round.h has the others. */
#ifndef FATHOM_RENDER_DEEP_POINT_PERTURBED_POINT_H
#define FATHOM_RENDER_DEEP_POINT_PERTURBED_POINT_H

#include "render/deep/perturbed_extended.h"
#include "render/deep/point/point_slope.h"

/* In `m` of an orbit that has left the reference: z is the orbit itself. */
#define PERTURBED_TAIL 0xffffffffu

/* z = (zr + i zi) 2^log2, a plain double where log2 is 0; c in units of the tables' 2^c_log2. */
struct perturbed_point {
    double zr, zi, cr, ci;
    uint32_t m, n;
    int32_t log2;
};

enum perturbed_end {
    PERTURBED_GOES_ON,
    PERTURBED_ESCAPED, /* to z, after n steps */
    PERTURBED_RETURNS, /* it never escapes */
};

/* Where an orbit was at some of its events, which are rebases or blocks of the tail: Brent's search
 * for a return. */
#define PERTURBED_CYCLE_FIRST 2 /* event that it is kept at; `next` at first */
struct perturbed_cycle {
    double zr, zi;
    uint32_t events, next;
    uint32_t turn; /* of the next step there */
};

/* Whether an orbit is back where it was, before the step of that turn. */
INLINE bool perturbed_returns(struct perturbed_cycle *c, uint32_t turn, double zr, double zi) {
    if (c->events > 0 && zr == c->zr && zi == c->zi && turn == c->turn)
        return true;
    if (++c->events == c->next) {
        c->next *= 2;
        c->turn = turn;
        c->zr = zr;
        c->zi = zi;
    }
    return false;
}

INLINE bool perturbed_escapes(double zr, double zi) {
    return !(double_fma(zr, zr, zi * zi) < 4.0);
}

#define PERTURBED_OUTWARDS 0x1.0000000001p0

/* Whether |C + c| >= 2, where doubles cannot tell, or a Julia set's orbit begins out there. Such an orbit
 * begins away from the reference, which finds that out. */
INLINE bool perturbed_outside(const struct perturbed_tables *t, double cr, double ci) {
    const double along = double_fma(t->from_re + t->from_re, cr, (t->from_im + t->from_im) * ci);
    const double square = double_fma(cr, cr, ci * ci) * extended_any_power(t->c_log2);
    return along + square >= t->inside;
}

/* Where it begins: a part, of that of `from` and of c. */
INLINE double perturbed_outside_z(const struct perturbed_tables *t, double from, double c) {
    return t->julia ? (from + c * extended_any_power(t->c_log2)) * PERTURBED_OUTWARDS : 0.0;
}

/* c as it is, for steps away from the reference. */
INLINE void perturbed_place_of(const struct perturbed_tables *t, const struct perturbed_point *p,
                               double *cr, double *ci) {
    const double unit = extended_any_power(t->c_log2);
    *cr = t->re + p->cr * unit;
    *ci = t->im + p->ci * unit;
}

/* With its derivative, if `d` is not NULL. */
INLINE enum perturbed_end perturbed_extended_point(const struct perturbed_tables *t,
                                                   struct perturbed_point *p,
                                                   struct perturbed_slope *d, uint32_t *steps) {
    const struct extended unit = extended_make(t->unit, 0.0, (int32_t)t->unit_log2);
    const uint32_t before = p->n;
    struct perturbed_orbit o = {{p->zr, p->zi, p->log2}, p->m, p->n};
    double wr, wi;
    struct extended derivative = {0.0, 0.0, EXTENDED_ZERO};
    if (d)
        derivative = perturbed_slope_get(d);
    const bool escaped =
        perturbed_extended_round(t, &o, p->cr, p->ci, &wr, &wi, d ? &derivative : NULL, unit);
    if (d)
        perturbed_slope_set(t, derivative, d);
    p->m = o.m;
    p->n = o.n;
    *steps += o.n > before;
    if (escaped) {
        p->zr = wr;
        p->zi = wi;
        p->log2 = 0;
        return PERTURBED_ESCAPED;
    }
    p->zr = o.z.re;
    p->zi = o.z.im;
    p->log2 = o.z.log2;
    if (o.z.log2 > PERTURBED_DOUBLE_FROM) {
        extended_get(o.z, &p->zr, &p->zi);
        p->log2 = 0;
    }
    return PERTURBED_GOES_ON;
}

#endif
