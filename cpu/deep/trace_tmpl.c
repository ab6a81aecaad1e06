/* Perturbation kernel (SIMD): means, traps and nearest points of orbits whose counts are known, by
 * a second pass along them, to the bits of render/deep/trace_walk.h. kernel.h has the stages. */
#include "cpu/deep/stages.h"
#include "cpu/escape/screen.h"
#include "cpu/walk/slope.h"
#include "cpu/walk/trace_put.h"

/* Takes an orbit to where a double holds its distance, or to its end. */
static void send_walk(struct kernel *k, uint32_t id, struct trace_walk *w) {
    const enum trace_end end = KERNEL_NAME(trace_extended_)(w);
    k->orbit[id] = orbit_of(&w->o);
    k->payload[id] = (struct payload_point){
        w->passed, w->c_size, w->o.n, w->count, trace_caught_from(w->count), w->rounds};
    if (end == TRACE_GOES_ON)
        add(&k->around, id);
    else if (end == TRACE_ENDED)
        add(&k->escaped, id);
}

static bool run_extended(struct kernel *k, uint32_t id) {
    const struct payload_point *p = &k->payload[id];
    struct trace_walk w = {.t = k->t, /* at W = 0, where no orbit ends, until the first round */
                           .segment = k->traces,
                           .o = point_of(k, id),
                           .passed = p->passed,
                           .c_size = p->c_size,
                           .count = p->count,
                           .rounds = p->rounds};
    perturbed_place_of(k->t, &w.o, &w.cr, &w.ci);
    if (stopped(k))
        return false;
    send_walk(k, id, &w);
    return true;
}

/* --- away from the reference --- */

/* Returns the lanes that have ended (trace_walk_ends), or made too many rounds. */
INLINE unsigned ended_lanes(const struct group *g, const struct flight *f) {
    const lanes far = lanes_not_less(pair_norm2(f->z), real_set(SMOOTH_NORM2));
    const lanes late = lanes_not_less(f->payload.n, f->payload.count + real_set(SMOOTH_STEPS));
    return lanes_bits(lanes_or(far, late)) | payload_spent(&g->payload);
}

/* Returns the lanes that come back to the reference: not far from it any more, before their
 * counts. */
INLINE unsigned lanes_back(const struct perturbed_tables *t, const struct flight *f) {
    const lanes far = lanes_not_less(pair_most(f->z), real_set(t->tail_from));
    const lanes counted = lanes_not_less(f->payload.n, f->payload.count);
    return ~lanes_bits(lanes_or(far, counted));
}

INLINE unsigned run_block(const struct kernel *k, struct group *g, const bool take_turns,
                          struct pair c) {
    const struct turns turns = turns_of(k->t, take_turns, g->alive, g->n);
    const struct pair zero = {real_set(0), real_set(0)};
    struct flight f = flight_load(g);
    unsigned special = 0;
    uint32_t i = 0;
    for (; i < PERTURBED_TAIL_STEPS && !special; i++) {
        f.z = pair_add(first_steps(k->t, &turns, i, zero, f.z), c);
        trace_arrive(k->t, &turns, i, f.payload.n + real_set(1), pair_add(zero, f.z), &f.payload);
        payload_count(&g->payload, 1);
        special = (ended_lanes(g, &f) | lanes_back(k->t, &f)) & g->alive;
    }
    EACH_LANE g->n[l] += i;
    flight_store(g, &f);
    return special;
}

INLINE bool end_block(struct kernel *k, struct group *g, const bool take_turns, int lane,
                      bool special) {
    const double zr = g->z.part[RE][lane], zi = g->z.part[IM][lane];
    const uint32_t turn = perturbed_turn(k->t, take_turns, g->n[lane]);
    if (!special)
        return true;
    g->m[lane] = perturbed_begin_of(k->t, turn);
    keep_orbit(k, g, lane, &g->z);
    if (!(__builtin_fma(zr, zr, zi * zi) < SMOOTH_NORM2) ||
        g->n[lane] >= g->most[lane] + SMOOTH_STEPS)
        add(&k->escaped, g->id[lane]);
    else if (g->payload.rounds[lane] < TRACE_ROUNDS_MAX)
        add(&k->around, g->id[lane]);
    return false;
}

/* --- all --- */

/* Begins the orbits of points that have escaped. */
static void begin(struct kernel *k) {
    const struct tile_points *p = k->p;
    const double *cr = p->cr, *ci = p->ci;
    for (uint32_t i = 0; i < p->size; i++) {
        const uint32_t count = k->planes->count[i];
        struct trace_walk w;
        if (count & SAMPLE_INTERIOR)
            continue;
        KERNEL_NAME(trace_begin_)(k->t, p->traces, cr[i], ci[i], count, &w);
        send_walk(k, i, &w);
    }
}

void KERNEL_NAME()(const struct tile_points *points, const struct sample_planes *planes) {
    struct tile_points p = *points;
    struct perturbed_tables t = points->screen && points->screen->tables->orbit
                                    ? *points->screen->tables
                                    : *points->perturbed;
    struct kernel k = {.p = &p, .t = &t, .traces = points->traces->segment, .planes = planes};
    p.shortcuts = 0; /* no orbit here returns for ever */
    t.series = points->traces->series;
    walk_clear(planes, SAMPLE_PLANE_stripe, SAMPLE_PLANE_caught, p.size);
    kernel_take_memory(&k);
    begin(&k);
    run_stages(&k);
    for (size_t i = 0; i < k.escaped.size; i++) {
        const uint32_t id = k.escaped.id[i];
        const struct perturbed_trace *passed = &k.payload[id].passed;
        float values[TRACE_VALUES];
        perturbed_trace_values(passed, k.orbit[id].n, planes->count[id], planes->fraction[id],
                               values);
        trace_put(planes, id, values, passed->nearest,
                  trace_place(passed->caught_r, passed->caught_i));
    }
}
