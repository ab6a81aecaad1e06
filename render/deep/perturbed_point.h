/* Perturbation, one orbit: its state, its derivative, and its rounds below a double's range
 * (perturbed_round.h has the others). */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_POINT_H
#define FATHOM_RENDER_DEEP_PERTURBED_POINT_H

#include "render/deep/perturbed.h"

/* The derivative D of an orbit, and what a step adds to it (perturbed_steps.h). */
struct perturbed_slope {
    double d[4], log2, by;
};

/* Numbers of a segment for D, as doubles. SEGMENT_C: c adds these 2^c_log2 to a step to the right,
 * and to one upwards. */
enum {
    SEGMENT_T_LOG2,
    SEGMENT_SIGN,
    SEGMENT_C_LOG2,
    SEGMENT_C, /* four, as in d */
    SEGMENT_NUMBERS = SEGMENT_C + 4
};

INLINE void segment_numbers(const struct perturbed_tables *t, const bool folded, size_t found,
                            double to[SEGMENT_NUMBERS]) {
    const GLOBAL struct segment *s = &t->segment[found];
    const double bar_r = folded ? t->bar[found].c_r : 0.0, bar_i = folded ? t->bar[found].c_i : 0.0;
    to[SEGMENT_T_LOG2] = s->t_log2;
    to[SEGMENT_SIGN] = folded ? t->bar[found].sign : 1.0;
    to[SEGMENT_C_LOG2] = s->c_log2;
    to[SEGMENT_C] = s->c_r + bar_r;
    to[SEGMENT_C + 1] = s->c_i + bar_i;
    to[SEGMENT_C + 2] = bar_i - s->c_i;
    to[SEGMENT_C + 3] = s->c_r - bar_r;
}

INLINE struct extended perturbed_slope_get(const struct perturbed_slope *d) {
    return extended_make(d->d[0], d->d[1], (int32_t)d->log2);
}

/* Sets D where nothing has folded yet. */
INLINE void perturbed_slope_put(const struct perturbed_tables *t, double xa, double ya, double log2,
                                struct perturbed_slope *d) {
    d->d[0] = d->d[3] = xa;
    d->d[1] = ya;
    d->d[2] = -ya;
    d->log2 = log2;
    d->by = t->unit * extended_any_power((int32_t)(t->unit_log2 - log2));
}

INLINE void perturbed_slope_set(const struct perturbed_tables *t, struct extended at,
                                struct perturbed_slope *d) {
    perturbed_slope_put(t, at.re, at.im, at.log2 == EXTENDED_ZERO ? t->step_log2 : (double)at.log2,
                        d);
}

/* Begins D: with the view's series, whose derivative is gr + i gi, or outside. */
INLINE void perturbed_slope_start(const struct perturbed_tables *t, bool outside, double gr,
                                  double gi, struct perturbed_slope *d) {
    if (outside || t->series.log2 == EXTENDED_ZERO)
        perturbed_slope_put(t, t->julia ? t->step : 0.0, 0.0, t->step_log2, d);
    else
        perturbed_slope_put(t, gr * t->step, gi * t->step,
                            t->series.log2 + t->step_log2 - t->c_most_log2, d);
}

struct perturbed_orbit {
    struct extended z;
    uint32_t m, n;
};

INLINE struct extended perturbed_reference(const struct perturbed_tables *t, uint32_t m) {
    uint32_t low = 0, high = t->smalls;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (t->small[middle].index < m)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < t->smalls && t->small[low].index == m)
        return t->small[low].z;
    if (PERTURBED_HAS_INDEX(t))
        return extended_make(t->index[m].re, t->index[m].im, 0);
    return extended_make(t->orbit[2 * (size_t)m], t->orbit[2 * (size_t)m + 1], 0);
}

/* Makes a point's sum of the series its distance: (zr + i zi) 2^log2; *log2 = 0: a plain double. */
INLINE void perturbed_start(const struct perturbed_tables *t, double sr, double si, double *zr,
                            double *zi, int32_t *log2) {
    const bool zero = t->series.log2 == EXTENDED_ZERO;
    const struct extended z = extended_make(zero ? 0.0 : sr, zero ? 0.0 : si, t->series.log2);
    const bool held = t->c_log2 == 0 || z.log2 > PERTURBED_DOUBLE_FROM;
    const double scale = held ? extended_any_power(z.log2) : 1.0;
    *zr = z.re * scale;
    *zi = z.im * scale;
    *log2 = held ? 0 : z.log2;
}

/* Returns D after a segment, as slope_segment, in extended numbers; D is that where W is, `unit`
 * that of c. */
INLINE struct extended perturbed_extended_derivative(const GLOBAL struct segment *s,
                                                     struct extended at, struct extended twice_w,
                                                     struct extended d, struct extended unit) {
    const struct extended C = {s->c_r, s->c_i, s->c_log2};
    struct extended sum =
        extended_make(s->p[SEGMENT_DEGREE - 1][0], s->p[SEGMENT_DEGREE - 1][1], 0);
    struct extended slope = {0.0, 0.0, EXTENDED_ZERO};
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--) {
        slope = extended_sum(extended_product(slope, at), sum);
        sum = extended_sum(extended_product(sum, at), extended_make(s->p[k][0], s->p[k][1], 0));
    }
    slope = extended_product(extended_sum(extended_product(slope, at), sum),
                             extended_product(twice_w, d));
    slope.log2 -= slope.log2 == EXTENDED_ZERO ? 0 : s->t_log2;
    return extended_sum(slope, extended_product(C, unit));
}

/* Returns z after a segment, from x. */
INLINE struct extended perturbed_extended_land(const GLOBAL struct segment *s, struct extended x,
                                               struct extended c) {
    const struct extended at = {x.re, x.im, x.log2 - s->t_log2};
    const struct extended C = {s->c_r, s->c_i, s->c_log2};
    struct extended sum =
        extended_make(s->p[SEGMENT_DEGREE - 1][0], s->p[SEGMENT_DEGREE - 1][1], 0);
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--)
        sum = extended_sum(extended_product(sum, at), extended_make(s->p[k][0], s->p[k][1], 0));
    return extended_sum(extended_product(sum, at), extended_product(C, c));
}

/* Makes one round while z is too small for a double. c is in units of 2^c_log2. Returns true if the
 * orbit has escaped, to *wr + i *wi. D, to which a step adds `unit`, may be NULL. */
INLINE bool perturbed_extended_round(const struct perturbed_tables *t, struct perturbed_orbit *o,
                                     double cr, double ci, double *wr, double *wi,
                                     struct extended *d, struct extended unit) {
    const struct extended c = extended_make(cr, ci, t->c_log2);
    struct extended Z = perturbed_reference(t, o->m);
    const struct extended W = extended_sum(Z, o->z);
    extended_get(W, wr, wi);
    if (!(double_fma(*wr, *wr, *wi * *wi) < 4.0))
        return true;
    if (extended_less(W, o->z) || o->m == t->last) {
        o->z = W;
        o->m = 0;
        Z = perturbed_reference(t, 0);
    }
    const struct extended x = extended_product(extended_sum(extended_twice(Z), o->z), o->z);
    const struct perturbed_index index = perturbed_index_at(t, o->m);
    const uint32_t found =
        x.log2 == EXTENDED_ZERO ? PERTURBED_SINGLE : perturbed_find_in(t, &index, x.log2);
    if (found == PERTURBED_SINGLE) {
        if (d)
            *d = extended_sum(extended_product(extended_twice(W), *d), unit);
        o->z = extended_sum(x, c);
        o->m++;
        o->n++;
        return false;
    }
    const GLOBAL struct segment *s = &t->segment[found];
    const struct extended at = {x.re, x.im, x.log2 - s->t_log2};
    if (d)
        *d = perturbed_extended_derivative(s, at, extended_twice(W), *d, unit);
    o->z = perturbed_extended_land(s, x, c);
    o->m += (uint32_t)s->length;
    o->n += (uint32_t)s->length;
    return false;
}

/* value of m of an orbit that has left the reference: z is the orbit itself */
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

/* Place of an orbit at one of its events, which are rebases and blocks of the tail: Brent's search
 * for a return. */
#define PERTURBED_CYCLE_FIRST 2 /* first event that is stored; initial value of `next` */
struct perturbed_cycle {
    double zr, zi;
    uint32_t events, next;
    uint32_t turn; /* number of the next step there */
};

/* Returns true if an orbit is where it was, before the step of that turn. */
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

/* Returns true if |C + c| >= 2 where doubles cannot decide, or if a Julia set's orbit begins
 * outside. Such an orbit begins in the tail, where it escapes. */
INLINE bool perturbed_outside(const struct perturbed_tables *t, double cr, double ci) {
    const double along = double_fma(t->from_re + t->from_re, cr, (t->from_im + t->from_im) * ci);
    const double square = double_fma(cr, cr, ci * ci) * extended_any_power(t->c_log2);
    return along + square >= t->inside;
}

/* Returns a part of the start of such an orbit, from the parts of `from` and c. */
INLINE double perturbed_outside_z(const struct perturbed_tables *t, double from, double c) {
    return t->julia ? (from + c * extended_any_power(t->c_log2)) * PERTURBED_OUTWARDS : 0.0;
}

/* Begins a point, whose c is set, where the series has the sum sr + i si and the derivative
 * gr + i gi. D begins, too, if `d` is not NULL. */
INLINE void perturbed_begin_at(const struct perturbed_tables *t, double sr, double si, double gr,
                               double gi, struct perturbed_point *p, struct perturbed_slope *d) {
    const bool outside = perturbed_outside(t, p->cr, p->ci);
    p->m = t->series.m;
    p->n = t->series.n;
    perturbed_start(t, sr, si, &p->zr, &p->zi, &p->log2);
    if (d)
        perturbed_slope_start(t, outside, gr, gi, d);
    if (outside) {
        p->zr = perturbed_outside_z(t, t->from_re, p->cr);
        p->zi = perturbed_outside_z(t, t->from_im, p->ci);
        p->n = 0;
        p->m = PERTURBED_TAIL;
        p->log2 = 0;
    }
}

/* Returns c as it is, for steps away from the reference. */
INLINE void perturbed_place_of(const struct perturbed_tables *t, const struct perturbed_point *p,
                               double *cr, double *ci) {
    const double unit = extended_any_power(t->c_log2);
    *cr = t->re + p->cr * unit;
    *ci = t->im + p->ci * unit;
}

/* Makes a round; D goes along if `d` is not NULL. */
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
