/* Payload of the perturbation kernel (SIMD): means, traps and the nearest points of each orbit, to
 * the bits of render/deep/trace_walk.h. A part of payload.h. */
#ifndef FATHOM_CPU_DEEP_PAYLOAD_TRACE_H
#define FATHOM_CPU_DEEP_PAYLOAD_TRACE_H

#include "cpu/deep/payload.h"
#include "render/formula/trace_step.h"

/* Returns trace_triangle of the steps that are `later` steps after `turns`. */
INLINE real trace_triangles(const struct perturbed_tables *t, const struct turns *turns,
                            uint32_t later, real size, const struct payload *p) {
    real part;
    EACH_TURN(turns, later, turn, part, lanes_select,
              trace_triangle(perturbed_power(t, FOLDED, turn), size, p->size, p->c_size));
    return part;
}

/* Adds point number n, w, which those steps have led to (perturbed_trace_pass). */
INLINE void trace_pass(const struct perturbed_tables *t, const struct turns *turns, uint32_t later,
                       real n, struct pair w, struct payload *p) {
    const real square = trace_square(w.re, w.im),
               size = real_sqrt(square) * real_set(1 / TRACE_UNIT);
    const real triangle = p->triangle + trace_triangles(t, turns, later, size, p);
    p->nearest = lanes_select(lanes_less(square, p->square), n, p->nearest);
    p->square = real_least(square, p->square);
    p->line = trace_line(w.im, p->line);
    p->cross = trace_cross(w.re, w.im, p->cross);
    p->circle = trace_circle(size, p->circle);
    p->stripe_before = p->stripe;
    p->stripe = p->stripe + trace_stripe(w.re, w.im, square);
    p->triangle_before = p->triangle;
    p->triangle = lanes_select(lanes_less(n, real_set(2)), real_set(0), triangle);
    p->size = size;
}

/* Adds point number n, w, where an orbit's round ends: it may also be caught
 * (perturbed_trace_catch). */
INLINE void trace_arrive(const struct perturbed_tables *t, const struct turns *turns,
                         uint32_t later, real n, struct pair w, struct payload *p) {
    trace_pass(t, turns, later, n, w, p);
    const lanes nearer =
        lanes_less(trace_square(w.re, w.im), trace_square(p->caught_r, p->caught_i));
    const lanes caught = lanes_and(lanes_less(p->from, n), nearer);
    p->caught_r = lanes_select(caught, w.re, p->caught_r);
    p->caught_i = lanes_select(caught, w.im, p->caught_i);
    p->n = n;
}

/* Adds what segments pass (struct segment_trace), except their first points and where they land
 * (perturbed_trace_along). */
INLINE void trace_along(const struct source *s, struct payload *p) {
    real stripe, triangle, square, line, cross, circle, nearest;
    EACH_SEGMENT(s, at, stripe, s->traces[at].stripe);
    EACH_SEGMENT(s, at, triangle, s->traces[at].triangle);
    EACH_SEGMENT(s, at, square, s->traces[at].square);
    EACH_SEGMENT(s, at, line, s->traces[at].line);
    EACH_SEGMENT(s, at, cross, s->traces[at].cross);
    EACH_SEGMENT(s, at, circle, s->traces[at].circle);
    EACH_SEGMENT(s, at, nearest, s->traces[at].nearest);
    EACH_SEGMENT(s, at, p->size, s->traces[at].size);
    p->nearest = lanes_select(lanes_less(square, p->square), p->n + nearest, p->nearest);
    p->square = real_least(square, p->square);
    p->line = real_least(line, p->line);
    p->cross = real_least(cross, p->cross);
    p->circle = real_least(circle, p->circle);
    p->stripe = p->stripe + stripe;
    p->triangle = p->triangle + triangle;
}

INLINE void payload_round(const struct round *r, struct payload *p) {
    real n = p->n + real_set(1);
    if (source_has_any(&r->source)) {
        struct payload along = *p;
        trace_pass(r->t, &r->turns, 0, n, r->next, &along);
        trace_along(&r->source, &along);
        *p = r->source.each ? payload_select(lanes_of(r->source.each->plain), *p, along) : along;
        n = p->n + r->length;
    }
    trace_arrive(r->t, &r->last, 0, n, r->end, p);
}

#define payload_fit(t, alive, p) ((void)(p))

/* --- segments --- */

/* Returns the max|x| where perturbed_trace_below is `least`; 0 if c is too large for that. */
INLINE double T_below(const struct perturbed_tables *t, uint32_t at, int32_t least) {
    const int32_t most = perturbed_trace_below(t, at, -0x10000000);
    return most < least ? 0.0 : extended_any_power(perturbed_t_log2(t, &t->segment[at]) - least);
}

/* Returns the lanes that may not take a segment: segment_trace_fits. */
INLINE unsigned lanes_over(const struct source *s, uint32_t at, real most,
                           const struct payload *p) {
    const struct segment *of = &s->t->segment[at];
    const struct segment_trace *trace = &s->traces[at];
    const real line = p->line + p->line, cross = p->cross + p->cross,
               circle = p->circle + p->circle;
    const real left = p->from - p->n;
    const lanes too_long = lanes_less(left, real_set(of->length));
    const lanes near = lanes_not_less(most, real_set(T_below(s->t, at, trace->near)));
    const lanes far = lanes_not_less(most, real_set(T_below(s->t, at, trace->far)));
    const lanes nearer = lanes_or(lanes_less(real_set(trace->line), line),
                                  lanes_or(lanes_less(real_set(trace->cross), cross),
                                           lanes_less(real_set(trace->circle), circle)));
    return lanes_bits(lanes_or(too_long, lanes_and(near, lanes_or(far, nearer))));
}

/* Returns the segment that all living lanes take at index m for x, or NONE or APART. */
INLINE int64_t find_together(const struct source *s, unsigned alive, uint32_t m, struct pair x,
                             const struct payload *p) {
    const real most = pair_most(x);
    uint32_t first = 0, fit = 0;
    const uint32_t usable = perturbed_segments_at(s->t, m, &first);
    for (; fit < usable; fit++) {
        const unsigned over = lanes_over(s, first + fit, most, p) & alive;
        if (over == alive)
            break;
        if (over)
            return APART;
    }
    return fit > 0 ? (int64_t)(first + fit - 1) : NONE;
}

/* Finds the segment of each living lane. */
INLINE void find_each(const struct source *s, unsigned alive, const uint32_t m[LANES],
                      struct pair x, const struct payload *p, int64_t found[LANES]) {
    _Alignas(64) double most[LANES], left[LANES], line[LANES], cross[LANES], circle[LANES];
    real_store(most, pair_most(x));
    real_store(left, p->from - p->n);
    real_store(line, p->line);
    real_store(cross, p->cross);
    real_store(circle, p->circle);
    EACH_LANE {
        uint32_t at = PERTURBED_SINGLE;
        if (alive >> l & 1)
            at = perturbed_find_traced(s->t, s->traces, m[l], perturbed_log2(most[l]),
                                       left[l] > 0 ? (uint32_t)left[l] : 0, line[l], cross[l],
                                       circle[l]);
        found[l] = at == PERTURBED_SINGLE ? NONE : (int64_t)at;
    }
}

#endif
