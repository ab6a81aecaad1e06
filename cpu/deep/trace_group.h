/* A vector of perturbed orbits that walk for what they pass, and what a point adds to that. A part of trace_tmpl.c. */
#ifndef FATHOM_CPU_DEEP_TRACE_GROUP_H
#define FATHOM_CPU_DEEP_TRACE_GROUP_H

#include "render/deep/extended.h"

#define FORMULA_KERNEL
#include "cpu/deep/turns.h"
#include "render/formula/trace_step.h"

typedef double lane_numbers[LANES];

/* A vector of orbits: struct trace_walk, lane by lane; `plain` is what a single step adds around the reference, c
 * elsewhere. Idle lanes are away from it. */
struct group {
    _Alignas(64) union {
        struct {
            lane_numbers zr, zi, wr, wi, m, n, count, unit_r, unit_i, plain_r, plain_i, cr, ci,
                c_size, size, stripe, stripe_before, triangle, triangle_before, square, line, cross,
                circle, nearest, from, caught_r, caught_i;
        };
        lane_numbers number[27]; /* all of these */
    };
    uint32_t rounds[LANES];
    uint32_t id[LANES];
    struct extended tiny[LANES];
    unsigned alive, begun; /* the latter: anew around the reference, in the last round */
};

INLINE real real_sqrt(real x) {
    number each[LANES];
    real_store(each, x);
    EACH_LANE each[l] = __builtin_sqrt(each[l]);
    return real_load(each);
}

/* What lanes have passed. */
struct passed {
    real size, stripe, stripe_before, triangle, triangle_before, square, line, cross, circle,
        nearest, caught_r, caught_i;
};

INLINE struct passed passed_load(const struct group *g) {
    return (struct passed){
        real_load(g->size),     real_load(g->stripe),          real_load(g->stripe_before),
        real_load(g->triangle), real_load(g->triangle_before), real_load(g->square),
        real_load(g->line),     real_load(g->cross),           real_load(g->circle),
        real_load(g->nearest),  real_load(g->caught_r),        real_load(g->caught_i)};
}

INLINE void passed_store(struct group *g, const struct passed *p) {
    real_store(g->size, p->size);
    real_store(g->stripe, p->stripe);
    real_store(g->stripe_before, p->stripe_before);
    real_store(g->triangle, p->triangle);
    real_store(g->triangle_before, p->triangle_before);
    real_store(g->square, p->square);
    real_store(g->line, p->line);
    real_store(g->cross, p->cross);
    real_store(g->circle, p->circle);
    real_store(g->nearest, p->nearest);
    real_store(g->caught_r, p->caught_r);
    real_store(g->caught_i, p->caught_i);
}

/* Those of `which` lanes are taken from `from`. */
INLINE void passed_select(lanes which, const struct passed *from, struct passed *p) {
    p->size = lanes_select(which, from->size, p->size);
    p->stripe = lanes_select(which, from->stripe, p->stripe);
    p->stripe_before = lanes_select(which, from->stripe_before, p->stripe_before);
    p->triangle = lanes_select(which, from->triangle, p->triangle);
    p->triangle_before = lanes_select(which, from->triangle_before, p->triangle_before);
    p->square = lanes_select(which, from->square, p->square);
    p->line = lanes_select(which, from->line, p->line);
    p->cross = lanes_select(which, from->cross, p->cross);
    p->circle = lanes_select(which, from->circle, p->circle);
    p->nearest = lanes_select(which, from->nearest, p->nearest);
    p->caught_r = lanes_select(which, from->caught_r, p->caught_r);
    p->caught_i = lanes_select(which, from->caught_i, p->caught_i);
}

/* trace_triangle, of lanes that have made these steps. */
INLINE real triangles(const struct perturbed_tables *t, const bool folded,
                      const struct turns *turns, real size, real before, real c_size) {
    real all = trace_triangle(perturbed_power(t, folded, (uint32_t)__builtin_ctz(turns->set)), size,
                              before, c_size);
    if (!turns_agree(turns))
        EACH_TURN(turn, turns) {
            const real of = trace_triangle(perturbed_power(t, folded, turn), size, before, c_size);
            all = lanes_select(turns_lanes(turns, turn), of, all);
        }
    return all;
}

/* As perturbed_trace_catch, of points after number `from`. */
INLINE void catch_point(real from, real which, real wr, real wi, struct passed *p) {
    const lanes nearer = lanes_less(trace_square(wr, wi), trace_square(p->caught_r, p->caught_i));
    const lanes caught = lanes_and(lanes_less(from, which), nearer);
    p->caught_r = lanes_select(caught, wr, p->caught_r);
    p->caught_i = lanes_select(caught, wi, p->caught_i);
}

/* As perturbed_trace_pass, of points number `which`, after steps of those turns. */
INLINE void pass(const struct perturbed_tables *t, const bool folded, const struct turns *turns,
                 real c_size, real which, real wr, real wi, struct passed *p) {
    const real square = trace_square(wr, wi), size = real_sqrt(square) * real_set(1 / TRACE_UNIT);
    const real triangle = p->triangle + triangles(t, folded, turns, size, p->size, c_size);
    p->nearest = lanes_select(lanes_less(square, p->square), which, p->nearest);
    p->square = real_least(square, p->square);
    p->line = trace_line(wi, p->line);
    p->cross = trace_cross(wr, wi, p->cross);
    p->circle = trace_circle(size, p->circle);
    p->stripe_before = p->stripe;
    p->stripe = p->stripe + trace_stripe(wr, wi, square);
    p->triangle_before = p->triangle;
    p->triangle = lanes_select(lanes_less(which, real_set(2)), real_set(0), triangle);
    p->size = size;
}

#endif
