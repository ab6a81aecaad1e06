/* What one perturbed point's orbit passes, by a way of its own along it, of as many steps as its count says; for
 * includers as those of perturbed_round.h.
 *
 * Rounds are those of perturbed.h, without looking for an escape, and with segments as segment_trace.h says. Where the
 * orbit is, as a sum of reference and distance, is passed at the beginning of each; so is what a segment's first step
 * comes to. */
#ifndef FATHOM_RENDER_DEEP_POINT_TRACE_WALK_H
#define FATHOM_RENDER_DEEP_POINT_TRACE_WALK_H

#include "render/deep/perturbed_traced.h"
#include "render/deep/point/perturbed_begin.h"
#include "render/deep/point/perturbed_step.h"
#include "render/deep/point/perturbed_tail.h"
#include "render/deep/point/step_trace.h"
#include "render/sample.h"

#ifdef FORMULA_KERNEL

/* Orbits of more rounds have no trace: a thread of a GPU would walk for too long. */
#define TRACE_ROUNDS_MAX (1u << 18)

/* An orbit on its way to `count` steps. */
struct trace_walk {
    const struct perturbed_tables *t;
    const struct segment_trace *segment;
    struct perturbed_point o;
    struct perturbed_trace passed;
    double c_size; /* |C + c| */
    uint32_t count;
};

INLINE void trace_walk_pass(struct trace_walk *w, const bool folded, uint32_t number, double wr,
                            double wi) {
    perturbed_trace_pass(perturbed_power(w->t, folded), w->c_size, number, wr, wi, &w->passed);
}

/* Below a double's range. */
INLINE void trace_walk_extended(struct trace_walk *w, struct extended z) {
    const struct perturbed_tables *t = w->t;
    struct perturbed_point *o = &w->o;
    const struct extended c = extended_make(o->cr, o->ci, t->c_log2);
    struct extended Z = perturbed_reference(t, o->m);
    const struct extended W = extended_sum(Z, z);
    if (extended_less(W, z) || o->m == t->last) {
        z = W;
        o->m = 0;
        Z = perturbed_reference(t, 0);
    }
    const struct extended x = extended_product(extended_sum(extended_twice(Z), z), z);
    const uint32_t found = x.log2 == EXTENDED_ZERO ? PERTURBED_SINGLE
                                                   : perturbed_find_traced(t, w->segment, o->m,
                                                                           x.log2, w->count - o->n);
    uint32_t length = 1;
    z = extended_sum(x, c);
    if (found != PERTURBED_SINGLE) {
        perturbed_trace_pass_extended(
            w->c_size, o->n + 1, extended_sum(perturbed_reference(t, o->m + 1), z), &w->passed);
        perturbed_trace_along(&w->segment[found], o->n, &w->passed);
        z = perturbed_extended_land(&t->segment[found], x, c);
        length = (uint32_t)t->segment[found].length;
    }
    o->m += length;
    o->n += length;
    o->zr = z.re;
    o->zi = z.im;
    o->log2 = z.log2;
    if (z.log2 > PERTURBED_DOUBLE_FROM) {
        extended_get(z, &o->zr, &o->zi);
        o->log2 = 0;
    }
}

/* In doubles. False: they have too few bits for it. */
INLINE bool trace_walk_step(struct trace_walk *w, const bool folded, double Zr, double Zi) {
    const struct perturbed_tables *t = w->t;
    struct perturbed_point *o = &w->o;
    const double unit = extended_any_power(t->c_log2);
    double xr, xi;
    perturbed_first(t, folded, Zr, Zi, o->zr, o->zi, &xr, &xi);
    const double most = extended_most(xr, xi);
    if (t->c_log2 != 0 && most < PERTURBED_X_LEAST)
        return false;
    const uint32_t found =
        perturbed_find_traced(t, w->segment, o->m, perturbed_log2(most), w->count - o->n);
    const double first_r = xr + o->cr * unit, first_i = xi + o->ci * unit;
    double zr = first_r, zi = first_i;
    uint32_t length = 1;
    if (found != PERTURBED_SINGLE) {
        perturbed_segment(t, folded, found, xr, xi, o->cr, o->ci, &zr, &zi);
        length = (uint32_t)t->segment[found].length;
    }
    if (t->c_log2 != 0 && extended_most(zr, zi) < PERTURBED_Z_LEAST)
        return false;
    if (found != PERTURBED_SINGLE) {
        const double *next = t->orbit + 2 * ((size_t)o->m + 1);
        trace_walk_pass(w, folded, o->n + 1, next[0] + first_r, next[1] + first_i);
        perturbed_trace_along(&w->segment[found], o->n, &w->passed);
    }
    o->zr = zr;
    o->zi = zi;
    o->m += length;
    o->n += length;
    return true;
}

/* Away from the reference. */
INLINE void trace_walk_tail(struct trace_walk *w, const bool folded) {
    struct perturbed_point *o = &w->o;
    double cr, ci;
    perturbed_place_of(w->t, o, &cr, &ci);
    perturbed_direct_step(w->t, folded, &o->zr, &o->zi, cr, ci);
    o->n++;
    if (extended_most(o->zr, o->zi) < PERTURBED_TAIL_FROM)
        o->m = 0;
}

/* A round from W = wr + i wi, which has been passed. */
INLINE void trace_walk_round(struct trace_walk *w, const bool folded, double wr, double wi) {
    const struct perturbed_tables *t = w->t;
    struct perturbed_point *o = &w->o;
    if (o->log2 == 0 && o->m != PERTURBED_TAIL) {
        const double most_w = extended_most(wr, wi), most_z = extended_most(o->zr, o->zi);
        const bool rebases = most_w < most_z || o->m == t->last;
        const double apart = rebases ? most_w : most_z;
        const bool leaves = most_w >= PERTURBED_TAIL_FROM && apart >= PERTURBED_TAIL_SHARE * most_w;
        if (rebases || leaves) {
            o->zr = wr;
            o->zi = wi;
            o->m = leaves ? PERTURBED_TAIL : 0;
        }
    }
    if (o->m == PERTURBED_TAIL) {
        trace_walk_tail(w, folded);
        return;
    }
    if (o->log2 == 0 &&
        trace_walk_step(w, folded, t->orbit[2 * (size_t)o->m], t->orbit[2 * (size_t)o->m + 1]))
        return;
    const struct extended z = {o->zr, o->zi, o->log2};
    trace_walk_extended(w, o->log2 == 0 ? extended_make(o->zr, o->zi, 0) : z);
}

/* Where the orbit is, which is passed if that is after its first step. */
INLINE void trace_walk_arrive(struct trace_walk *w, const bool folded, double *wr, double *wi) {
    const struct perturbed_point *o = &w->o;
    const size_t m = o->m == PERTURBED_TAIL ? 0 : o->m;
    if (o->log2 != 0) {
        const struct extended z = {o->zr, o->zi, o->log2};
        const struct extended W = extended_sum(perturbed_reference(w->t, o->m), z);
        extended_get(W, wr, wi);
        if (o->n > 0)
            perturbed_trace_pass_extended(w->c_size, o->n, W, &w->passed);
        return;
    }
    *wr = w->t->orbit[2 * m] + o->zr;
    *wi = w->t->orbit[2 * m + 1] + o->zi;
    if (o->n > 0)
        trace_walk_pass(w, folded, o->n, *wr, *wi);
}

/* Of a point that has escaped after `count` steps, with tables whose series is that of the traces; `folded` as in
 * perturbed_run_with. *points: how many it has passed. False: that takes too many rounds. */
INLINE bool perturbed_trace_walk(const struct perturbed_tables *t,
                                 const struct perturbed_traces *traces, const bool folded,
                                 double cr, double ci, uint32_t count,
                                 struct perturbed_trace *passed, uint32_t *points) {
    struct trace_walk w = {t,    traces->segment, {0.0, 0.0, cr, ci, 0, 0, 0}, traces->begun, 0.0,
                           count};
    double wr, wi;
    perturbed_begin(t, &w.o);
    if (t->julia)
        w.o.cr = w.o.ci = 0.0;
    if (w.o.m == PERTURBED_TAIL)
        w.passed = perturbed_trace_none();
    perturbed_place_of(t, &w.o, &cr, &ci);
    w.c_size = perturbed_trace_size(trace_square(cr, ci));
    for (uint32_t rounds = 0; rounds <= TRACE_ROUNDS_MAX; rounds++) {
        trace_walk_arrive(&w, folded, &wr, &wi);
        if (w.o.n >= count)
            break;
        trace_walk_round(&w, folded, wr, wi);
    }
    if (w.o.n != count)
        return false;
    for (uint32_t i = 0; i < SMOOTH_STEPS && double_fma(wr, wr, wi * wi) < SMOOTH_NORM2; i++) {
        perturbed_direct_step(t, folded, &wr, &wi, cr, ci);
        trace_walk_pass(&w, folded, ++w.o.n, wr, wi);
    }
    *passed = w.passed;
    *points = w.o.n;
    return true;
}

#endif

#endif
