/* Perturbation, traces: the second pass along one orbit for what it passes, to the same bits as the
 * vectors of cpu/deep/. The includer has defined `real`, real_fma and FORMULA_KERNEL as for
 * formula_step.h; `folded` is as in perturbed_run_with.
 *
 * Rounds are those of perturbed.h, with segments as struct segment_trace says, and without a test
 * for escape, since the count is known. Away from the reference, and after the count, the orbit
 * continues as its own distance from 0: z = W where an orbit of 0 begins, with c as it is: (2 0 +
 * z) z + c. */
#ifndef FATHOM_RENDER_DEEP_TRACE_WALK_H
#define FATHOM_RENDER_DEEP_TRACE_WALK_H

#include "render/deep/perturbed_extended.h"
#include "render/deep/perturbed_trace.h"
#include "render/formula/trace_step.h"
#include "render/sample.h"

#ifdef FORMULA_KERNEL

INLINE double perturbed_trace_size(double square) {
    return double_sqrt(square) * (1 / TRACE_UNIT);
}

/* Returns the state before the first point. */
INLINE struct perturbed_trace perturbed_trace_none(void) {
    const struct perturbed_trace none = {0.0,           0.0,       0.0,       0.0,       0.0,
                                         TRACE_FAR,     TRACE_FAR, TRACE_FAR, TRACE_FAR, 0,
                                         {0.5, 0.0, 1}, TRACE_FAR, 0.0};
    return none;
}

/* Passes a point that can be caught. */
INLINE void perturbed_trace_catch(double wr, double wi, struct perturbed_trace *t) {
    if (trace_square(wr, wi) < trace_square(t->caught_r, t->caught_i)) {
        t->caught_r = wr;
        t->caught_i = wi;
    }
}

/* Passes W as point number `number`; the triangle of the first one is always the same. */
INLINE void perturbed_trace_pass(const int power, double c_size, uint32_t number, double wr,
                                 double wi, struct perturbed_trace *t) {
    const double square = trace_square(wr, wi), size = perturbed_trace_size(square);
    const double triangle = trace_triangle(power, size, t->size, c_size);
    t->nearest = square < t->square ? number : t->nearest;
    t->square = real_least(square, t->square);
    t->line = trace_line(wi, t->line);
    t->cross = trace_cross(wr, wi, t->cross);
    t->circle = trace_circle(size, t->circle);
    t->stripe_before = t->stripe;
    t->stripe = t->stripe + trace_stripe(wr, wi, square);
    t->triangle_before = t->triangle;
    t->triangle = number == 1 ? 0.0 : t->triangle + triangle;
    t->size = size;
}

#define TRACE_TINY_LOG2 (-450)

/* Passes W below a double's range. */
INLINE void perturbed_trace_pass_extended(const int power, double c_size, uint32_t number,
                                          struct extended w, struct perturbed_trace *t) {
    double wr, wi;
    extended_get(w, &wr, &wi);
    perturbed_trace_pass(power, c_size, number, wr, wi, t);
    const double square = double_fma(w.re, w.re, w.im * w.im);
    const struct extended tiny = extended_make(square, 0.0, 2 * w.log2);
    if (w.log2 < TRACE_TINY_LOG2 && extended_less(tiny, t->tiny)) {
        t->tiny = tiny;
        t->nearest = number;
        t->square = 0.0;
    }
}

/* Passes all points of a segment that begins after `number` points, except the first one and where
 * it lands. */
INLINE void perturbed_trace_along(const GLOBAL struct segment_trace *s, uint32_t number,
                                  struct perturbed_trace *t) {
    t->nearest = s->square < t->square ? number + s->nearest : t->nearest;
    t->square = real_least(s->square, t->square);
    t->line = real_least(s->line, t->line);
    t->cross = real_least(s->cross, t->cross);
    t->circle = real_least(s->circle, t->circle);
    t->stripe = t->stripe + s->stripe;
    t->triangle = t->triangle + s->triangle;
    t->size = s->size;
}

/* Returns the segment that the orbit takes: none once points can be caught. */
INLINE uint32_t trace_walk_find(const struct trace_walk *w, int32_t x_log2) {
    const uint32_t from = trace_caught_from(w->count), left = w->o.n < from ? from - w->o.n : 0;
    return perturbed_find_traced(w->t, w->segment, w->o.m, x_log2, left, w->passed.line,
                                 w->passed.cross, w->passed.circle);
}

/* Makes a round below a double's range. */
INLINE void trace_walk_extended(struct trace_walk *w, const bool folded, struct extended z) {
    const struct perturbed_tables *t = w->t;
    struct perturbed_point *o = &w->o;
    const uint32_t turn = perturbed_turn(t, folded, o->n);
    const struct extended c = extended_make(o->cr, o->ci, t->c_log2);
    struct extended Z = perturbed_reference(t, o->m);
    const struct extended W = extended_sum(Z, z);
    if (extended_less(W, z) || o->m == t->last) {
        z = W;
        o->m = perturbed_begin_of(t, turn);
        Z = perturbed_reference(t, o->m);
    }
    const struct extended x = perturbed_extended_first(t, folded, turn, Z, z);
    uint32_t found = PERTURBED_SINGLE, length = 1;
    if (x.log2 != EXTENDED_ZERO)
        found = trace_walk_find(w, x.log2);
    z = extended_sum(x, c);
    if (found != PERTURBED_SINGLE) {
        const struct extended first = extended_sum(perturbed_reference(t, o->m + 1), z);
        perturbed_trace_pass_extended(perturbed_power(t, folded, turn), w->c_size, o->n + 1, first,
                                      &w->passed);
        perturbed_trace_along(&w->segment[found], o->n, &w->passed);
        z = perturbed_extended_land(t, folded, found, x, c);
        length = (uint32_t)t->segment[found].length;
    }
    o->m += length;
    o->n += length;
    perturbed_extended_put(z, z.log2 > PERTURBED_DOUBLE_FROM, o);
}

/* Return the number of the next step, and the power of the last one. */
INLINE uint32_t trace_walk_turn(const struct trace_walk *w, const bool folded) {
    return perturbed_turn(w->t, folded, w->o.n);
}

INLINE int trace_walk_power(const struct trace_walk *w, const bool folded) {
    return perturbed_power(w->t, folded, perturbed_turn(w->t, folded, w->o.n - 1));
}

/* Makes a step in doubles. Returns false if they have too few bits for it. */
INLINE bool trace_walk_step(struct trace_walk *w, const bool folded) {
    const struct perturbed_tables *t = w->t;
    struct perturbed_point *o = &w->o;
    const GLOBAL double *Z = t->orbit + 2 * (size_t)o->m;
    const double unit = extended_any_power(t->c_log2);
    const uint32_t turn = trace_walk_turn(w, folded);
    double xr, xi;
    perturbed_first(t, folded, turn, Z[0], Z[1], o->zr, o->zi, &xr, &xi);
    const double most = extended_most(xr, xi);
    if (t->c_log2 != 0 && most < PERTURBED_X_LEAST)
        return false;
    const uint32_t found = trace_walk_find(w, perturbed_log2(most));
    const double first_r = xr + o->cr * unit, first_i = xi + o->ci * unit;
    double zr = first_r, zi = first_i;
    if (found != PERTURBED_SINGLE)
        perturbed_segment(t, folded, true, found, xr, xi, o->cr, o->ci, &zr, &zi);
    if (t->c_log2 != 0 && extended_most(zr, zi) < PERTURBED_Z_LEAST)
        return false;
    if (found != PERTURBED_SINGLE) {
        perturbed_trace_pass(perturbed_power(t, folded, turn), w->c_size, o->n + 1, Z[2] + first_r,
                             Z[3] + first_i, &w->passed);
        perturbed_trace_along(&w->segment[found], o->n, &w->passed);
    }
    const uint32_t length = found == PERTURBED_SINGLE ? 1 : (uint32_t)t->segment[found].length;
    o->zr = zr;
    o->zi = zi;
    o->m += length;
    o->n += length;
    return true;
}

/* Makes a round, to a place that is not passed yet. */
INLINE void trace_walk_round(struct trace_walk *w, const bool folded) {
    struct perturbed_point *o = &w->o;
    w->rounds++;
    if (o->log2 == 0) {
        const double most_w = extended_most(w->wr, w->wi), most_z = extended_most(o->zr, o->zi);
        const bool rebases = most_w < most_z || o->m == w->t->last;
        const double apart = rebases ? most_w : most_z;
        const bool leaves = o->n >= w->count ||
                            (most_w >= w->t->tail_from && apart >= PERTURBED_TAIL_SHARE * most_w);
        if (rebases || leaves) {
            o->zr = w->wr;
            o->zi = w->wi;
            o->m = perturbed_begin_of(w->t, trace_walk_turn(w, folded));
        }
        if (leaves) {
            double xr, xi;
            perturbed_first(w->t, folded, trace_walk_turn(w, folded), 0.0, 0.0, o->zr, o->zi, &xr,
                            &xi);
            o->zr = xr + w->cr;
            o->zi = xi + w->ci;
            o->n++;
            o->m = perturbed_begin_of(w->t, trace_walk_turn(w, folded));
            return;
        }
        if (trace_walk_step(w, folded))
            return;
        trace_walk_extended(w, folded, extended_make(o->zr, o->zi, 0));
        return;
    }
    const struct extended z = {o->zr, o->zi, o->log2};
    trace_walk_extended(w, folded, z);
}

/* Finds W, and passes it unless no step has been made. */
INLINE void trace_walk_arrive(struct trace_walk *w, const bool folded) {
    const struct perturbed_point *o = &w->o;
    if (o->log2 != 0) {
        const struct extended z = {o->zr, o->zi, o->log2};
        const struct extended W = extended_sum(perturbed_reference(w->t, o->m), z);
        extended_get(W, &w->wr, &w->wi);
        if (o->n > 0)
            perturbed_trace_pass_extended(trace_walk_power(w, folded), w->c_size, o->n, W,
                                          &w->passed);
    } else {
        w->wr = w->t->orbit[2 * (size_t)o->m] + o->zr;
        w->wi = w->t->orbit[2 * (size_t)o->m + 1] + o->zi;
        if (o->n > 0)
            perturbed_trace_pass(trace_walk_power(w, folded), w->c_size, o->n, w->wr, w->wi,
                                 &w->passed);
    }
    if (o->n > trace_caught_from(w->count))
        perturbed_trace_catch(w->wr, w->wi, &w->passed);
}

/* Catches points of the common beginning. */
INLINE void trace_walk_catch(struct trace_walk *w) {
    for (uint32_t n = trace_caught_from(w->count) + 1; n < w->o.n; n++) {
        const GLOBAL double *Z = w->t->orbit + 2 * (size_t)(w->o.m - (w->o.n - n));
        perturbed_trace_catch(Z[0], Z[1], &w->passed);
    }
}

/* Begins at the end of the common beginning. */
INLINE struct trace_walk trace_walk_begin(const struct perturbed_tables *t,
                                          const struct perturbed_traces *traces, const bool folded,
                                          double cr, double ci, uint32_t count) {
    struct trace_walk w;
    w.t = t;
    w.segment = traces->segment;
    w.o.cr = cr;
    w.o.ci = ci;
    w.passed = traces->begun;
    w.count = count;
    w.rounds = 0;
    perturbed_begin(t, &w.o);
    if (w.o.m == PERTURBED_TAIL) {
        w.o.m = 0;
        w.passed = perturbed_trace_none();
    }
    if (t->julia)
        w.o.cr = w.o.ci = 0.0;
    perturbed_place_of(t, &w.o, &w.cr, &w.ci);
    w.c_size = perturbed_trace_size(trace_square(w.cr, w.ci));
    trace_walk_catch(&w);
    trace_walk_arrive(&w, folded);
    return w;
}

/* Returns true if the orbit is left here: also before the count, which may be of other
 * roundings. */
INLINE bool trace_walk_ends(const struct trace_walk *w) {
    return !(double_fma(w->wr, w->wr, w->wi * w->wi) < SMOOTH_NORM2) ||
           w->o.n >= w->count + SMOOTH_STEPS;
}

/* Follows a point that has escaped after `count` steps. The tables have the traces' series. *points
 * receives the number of points passed. Returns false if the orbit takes too many rounds. */
INLINE bool perturbed_trace_walk(const struct perturbed_tables *t,
                                 const struct perturbed_traces *traces, const bool folded,
                                 double cr, double ci, uint32_t count,
                                 struct perturbed_trace *passed, uint32_t *points) {
    struct trace_walk w = trace_walk_begin(t, traces, folded, cr, ci, count);
    while (!trace_walk_ends(&w)) {
        if (w.rounds == TRACE_ROUNDS_MAX)
            return false;
        trace_walk_round(&w, folded);
        trace_walk_arrive(&w, folded);
    }
    *passed = w.passed;
    *points = w.o.n;
    return true;
}

#endif

#endif
