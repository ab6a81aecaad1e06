/* Perturbation, one orbit: its state, its derivative, and its beginning. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_POINT_H
#define FATHOM_RENDER_DEEP_PERTURBED_POINT_H

#include "render/deep/perturbed.h"

/* The derivative D of an orbit, and what a step adds to it (perturbed_steps.h); and its rounding
 * error, as a square and as a sum (perturbed_error.h). */
struct perturbed_slope {
    double d[4], log2, by;
    double error, drift[2];
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

/* Sets D where nothing has folded yet. */
INLINE void perturbed_slope_put(const struct perturbed_tables *t, double xa, double ya, double log2,
                                struct perturbed_slope *d) {
    d->d[0] = d->d[3] = xa;
    d->d[1] = ya;
    d->d[2] = -ya;
    d->log2 = log2;
    d->by = t->unit * extended_any_power((int32_t)(t->unit_log2 - log2));
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

/* Returns the number of the small value at index m, or `smalls` if the value is not small. */
INLINE uint32_t perturbed_small_at(const struct perturbed_tables *t, uint32_t m) {
    uint32_t low = 0, high = t->smalls;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (t->small[middle].index < m)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->smalls && t->small[low].index == m ? low : t->smalls;
}

INLINE struct extended perturbed_reference(const struct perturbed_tables *t, uint32_t m) {
    const uint32_t small = perturbed_small_at(t, m);
    if (small < t->smalls)
        return t->small[small].z;
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

/* Returns true if an orbit around the reference escapes. */
INLINE bool perturbed_leaves(const struct perturbed_tables *t, double wr, double wi) {
    return !(double_fma(wr, wr, wi * wi) < t->escape);
}

/* value of m of an orbit that has left the reference: z is the orbit itself */
#define PERTURBED_TAIL 0xffffffffu

/* Estimate of an orbit's rounding error (render/number/screen.h): |z/D|^2 in pixels around the
 * reference, |D|^2 in the tail and at the end; the sum of squared moves of c in pixels, in units of
 * 2^-53; and the least |D|^2 of a block of the tail. */
struct perturbed_screen {
    double ratio, error, least;
};

/* z = (zr + i zi) 2^log2, a plain double where log2 is 0; c in units of the tables' 2^c_log2. */
struct perturbed_point {
    double zr, zi, cr, ci;
    uint32_t m, n;
    int32_t log2;
#ifdef PERTURBED_SCREEN
    struct perturbed_screen screen;
#endif
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

/* Returns true if an orbit never escapes: it is where it was, or inside a minibrot. */
INLINE bool perturbed_returns(const struct perturbed_tables *t, const struct perturbed_point *p,
                              uint32_t turn, struct perturbed_cycle *c) {
    if (c->events > 0 && p->zr == c->zr && p->zi == c->zi && turn == c->turn)
        return true;
    if (++c->events < c->next)
        return false;
    c->next *= 2;
    c->turn = turn;
    c->zr = p->zr;
    c->zi = p->zi;
    return minibrot_decides(&t->minibrot, c->events, p->cr, p->ci);
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

#endif
