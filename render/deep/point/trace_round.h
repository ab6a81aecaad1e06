/* One perturbed orbit on its way for what it passes, round by round. The includer has defined `real`, real_fma and
 * FORMULA_KERNEL as for formula_step.h; `folded` is as in perturbed_run_with.
 *
 * Rounds are those of perturbed.h, with segments as segment_trace.h says, and without looking for an escape, since the
 * count is known. Away from the reference, and after the count, the orbit goes on as its own distance from 0, z = W where
 * an orbit of 0 begins, with c as it is: (2 0 + z) z + c. */
#ifndef FATHOM_RENDER_DEEP_POINT_TRACE_ROUND_H
#define FATHOM_RENDER_DEEP_POINT_TRACE_ROUND_H

#include "render/deep/point/perturbed_step.h"
#include "render/deep/point/trace_extended.h"

#ifdef FORMULA_KERNEL

/* The step whose turn it is, and the power of the last one. */
INLINE uint32_t trace_walk_turn(const struct trace_walk *w, const bool folded) {
    return perturbed_turn(w->t, folded, w->o.n);
}

INLINE int trace_walk_power(const struct trace_walk *w, const bool folded) {
    return perturbed_power(w->t, folded, perturbed_turn(w->t, folded, w->o.n - 1));
}

/* In doubles. False: they have too few bits for it. */
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
        perturbed_segment(t, folded, found, xr, xi, o->cr, o->ci, &zr, &zi);
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

/* To where the orbit is then, which is not passed yet. */
INLINE void trace_walk_round(struct trace_walk *w, const bool folded) {
    struct perturbed_point *o = &w->o;
    w->rounds++;
    if (o->log2 == 0) {
        const double most_w = extended_most(w->wr, w->wi), most_z = extended_most(o->zr, o->zi);
        const bool rebases = most_w < most_z || o->m == w->t->last;
        const double apart = rebases ? most_w : most_z;
        const bool leaves = o->n >= w->count || (most_w >= PERTURBED_TAIL_FROM &&
                                                 apart >= PERTURBED_TAIL_SHARE * most_w);
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
        trace_walk_extended(w, extended_make(o->zr, o->zi, 0));
        return;
    }
    const struct extended z = {o->zr, o->zi, o->log2};
    trace_walk_extended(w, z);
}

#endif

#endif
