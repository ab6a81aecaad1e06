/* Perturbation kernel (SIMD): counts of a list of points, and with SLOPE the slopes of points whose
 * counts are known, by a second pass along their orbits. kernel.h has the stages. */
#include "cpu/deep/stages.h"
#include "cpu/escape/kernels.h"
#include "cpu/escape/screen.h"
#include "cpu/walk/slope.h"
#include "render/sample.h"
#include <math.h>

/* --- below a double's range --- */

/* Makes one round of an orbit. */
INLINE enum perturbed_end extended_round(struct kernel *k, uint32_t id, uint32_t *steps) {
    double c[PARTS];
    const uint32_t before = k->orbit[id].n;
    for (int i = 0; i < PARTS; i++)
        c[i] = part_of_own_c(k, id, i);
    const enum perturbed_end end = KERNEL_NAME(extended_)(
        k->t, c, &k->orbit[id], payload_slope(&k->payload[id]), payload_screen(&k->payload[id]));
    *steps += k->orbit[id].n > before;
    return end;
}

/* Counts a rebase in an orbit's last round, from step number `before` on. Returns true if its point
 * lies inside a minibrot. At zooms past 2^2000 an orbit can make whole periods in this stage. */
INLINE bool is_inside(const struct kernel *k, uint32_t id, uint32_t before) {
    const struct orbit *o = &k->orbit[id];
    struct cycle *c = &k->cycle[id];
    const double *cr = k->p->cr, *ci = k->p->ci;
    if (FOLDED || SLOPE || !(k->p->shortcuts & SHORTCUTS_CYCLE) || o->m != o->n - before ||
        ++c->events < c->next)
        return false;
    c->next *= 2;
    return minibrot_decides(&k->t->minibrot, c->events, cr[id], ci[id]);
}

/* Ends an orbit at the limit, where |D| is nearly 0. */
INLINE void end_below(const struct kernel *k, uint32_t id) {
#if SCREEN
    k->payload[id].screen.ratio = 0;
#endif
    end_at_limit(k, id, k->orbit[id].m);
}

static bool run_extended(struct kernel *k, uint32_t id) {
    const struct orbit *o = &k->orbit[id];
    enum perturbed_end end = PERTURBED_GOES_ON;
    uint32_t steps = 0;
    while (end == PERTURBED_GOES_ON && o->log2 != 0 && o->n < k->p->limit) {
        if (stopped(k))
            return false;
        const uint32_t before = o->n;
        end = extended_round(k, id, &steps);
        if (is_inside(k, id, before))
            return true;
    }
    k->payload[id].rounds += steps;
    k->executed += steps;
    if (end == PERTURBED_ESCAPED)
        add(&k->escaped, id);
    else if (o->log2 == 0)
        add(&k->around, id);
    else
        end_below(k, id);
    return true;
}

/* --- away from the reference --- */

INLINE unsigned run_block(const struct kernel *k, struct group *g, const bool take_turns,
                          struct pair c) {
    const struct turns turns = turns_of(k->t, take_turns, g->alive, g->n);
    struct flight f = flight_load(g);
    unsigned escaped = 0;
    payload_block(&f.payload);
    for (uint32_t i = 0; i < PERTURBED_TAIL_STEPS; i++) {
        payload_single(k->t, &turns, i, f.z, &f.payload);
        f.z = direct_steps(k->t, &turns, i, f.z, c);
        escaped |= lanes_bits(lanes_not_less(pair_norm2(f.z), real_set(4)));
    }
    payload_fit(k->t, g->alive, &f.payload);
    flight_store(g, &f);
    payload_count(&g->payload, PERTURBED_TAIL_STEPS);
    return escaped;
}

INLINE bool end_block(struct kernel *k, struct group *g, const bool take_turns, int lane,
                      bool escaped) {
    const uint32_t id = g->id[lane];
    if (escaped) { /* its orbit is stored as it was before the block; the steps are counted later */
        add(&k->escaped, id);
        return false;
    }
    struct orbit *o = &k->orbit[id];
    const uint32_t n = g->n[lane] = o->n += PERTURBED_TAIL_STEPS;
    const uint32_t turn = perturbed_turn(k->t, take_turns, n);
    for (int i = 0; i < PARTS; i++)
        o->z[i] = g->z.part[i][lane];
    o->m = perturbed_begin_of(k->t, turn);
    const bool comes_back = extended_most(o->z[RE], o->z[IM]) < k->t->tail_from;
    payload_block_end(&g->payload, lane);
    if (comes_back)
        payload_turn(&g->payload, lane, o->z[RE], o->z[IM]);
    payload_keep(&g->payload, lane, &k->payload[id]);
    if (comes_back)
        add(&k->around, id);
    else if (n >= k->p->limit)
        end_at_limit(k, id, PERTURBED_TAIL);
    else
        return !returns(k, id, turn, &g->z, lane);
    return false;
}

/* --- samples --- */

/* End of an orbit that has escaped. */
struct left {
    uint32_t before, after; /* steps to the escape, and from there on */
    double norm2;           /* |z|^2; INFINITY if that stayed too small */
    double zr, zi;
};

#if SLOPE
INLINE void put_sample(const struct kernel *k, uint32_t id, const struct left *left) {
    const struct sample_planes *planes = k->planes;
    const struct payload_point *payload = &k->payload[id];
    if (k->orbit[id].n + left->before != planes->count[id] || payload->rounds > SLOPE_ROUNDS_MAX)
        return; /* doubles have another count, or the orbit is too long */
    const struct slope slope =
        perturbed_slope_end(left->zr, left->zi, perturbed_any_folds(k->t, FOLDED), &payload->slope);
    planes->distance[id] = slope.distance;
    planes->normal[id] = slope.normal;
    planes->angle[id] = slope.angle;
}
#else
INLINE void put_sample(const struct kernel *k, uint32_t id, const struct left *left) {
    const struct sample_planes *planes = k->planes;
    const float n2 = left->after <= SMOOTH_STEPS ? (float)left->norm2 : 0.0f;
    const uint32_t n = k->orbit[id].n + left->before;
    if (n > k->p->limit) { /* a segment has passed the limit */
        end_at_limit(k, id, PERTURBED_TAIL);
        return;
    }
#if SCREEN
    k->samples->screen[id] =
        (uint8_t)screen_judge_escape(k->t, FOLDED, n, left->zr, left->zi, part_of_own_c(k, id, RE),
                                     part_of_own_c(k, id, IM), &k->payload[id].screen);
#endif
    planes->count[id] = n;
    planes->fraction[id] =
        sample_fraction(n2, (int)left->after, recipe_scale(k->p->recipe, n + left->after));
    if (planes->norm2)
        planes->norm2[id] = sample_norm2(n2);
    k->samples->steps += n;
    k->samples->escaped++;
}
#endif

/* Takes a vector of orbits that have escaped to where each is left. */
INLINE void follow(const struct kernel *k, const bool take_turns, struct group *g) {
    const struct turns turns = turns_of(k->t, take_turns, g->alive, g->n);
    const struct pair c = places(k->t, g);
    struct flight f = flight_load(g);
    struct pair at = f.z;
    payload_block(&f.payload);
    real before = real_set(0), after = real_set(0), norm2 = real_set(INFINITY);
    for (uint32_t i = 0; i < PERTURBED_TAIL_STEPS + SMOOTH_STEPS + 1; i++) {
        const real n2 = pair_norm2(f.z);
        const lanes escaped = lanes_not_less(n2, real_set(4));
        lanes there = lanes_not_less(n2, real_set(SMOOTH_NORM2));
        norm2 = real_least(lanes_select(there, n2, real_set(INFINITY)), norm2);
        before = before + lanes_clear(escaped, real_set(1));
        if (SLOPE)
            there = lanes_or(there, lanes_not_less(after, real_set(SMOOTH_STEPS)));
        after = after + lanes_clear(there, lanes_select(escaped, real_set(1), real_set(0)));
        if (lanes_bits(there) == ALL_LANES)
            break;
        struct flight on = f;
        payload_single(k->t, &turns, i, f.z, &on.payload);
        on.z = direct_steps(k->t, &turns, i, f.z, c);
        if (SCREEN) { /* where it has escaped */
            on.payload = payload_select(escaped, f.payload, on.payload);
            at = pair_select(escaped, at, on.z);
        }
        if (SLOPE) { /* reads z and its derivative where they are left */
            on.z = pair_select(there, f.z, on.z);
            on.payload = payload_select(there, f.payload, on.payload);
        }
        f = on;
    }
    _Alignas(64) double left[3][LANES];
    real_store(left[0], before);
    real_store(left[1], after);
    real_store(left[2], norm2);
    if (SCREEN)
        f.z = at;
    flight_store(g, &f);
    for (unsigned rest = g->alive; rest; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        if (left[0][l] > 0)
            payload_block_end(&g->payload, l);
        payload_keep(&g->payload, l, &k->payload[g->id[l]]);
        const struct left where = {(uint32_t)(int)left[0][l], (uint32_t)(int)left[1][l], left[2][l],
                                   g->z.part[RE][l], g->z.part[IM][l]};
        put_sample(k, g->id[l], &where);
    }
}

/* --- beginnings --- */

/* Begins the orbits of a vector of points, from number `first` on. */
static void begin_points(struct kernel *k, uint32_t first);

#ifdef TILE_TYPE_WIDE
static void begin_points(struct kernel *k, uint32_t first) {
    for (uint32_t i = first; i < k->p->size && i < first + LANES; i++) {
        double c[PARTS];
        for (int part = 0; part < PARTS; part++)
            c[part] = part_of_c(k, i, part);
        k->payload[i].rounds = 0;
        KERNEL_NAME(begin_)(k->t, c, &k->orbit[i]);
    }
}
#else
/* Sums the series of a vector of points: z, and its derivative. Lists have room for whole
 * vectors. */
static void sum_series(const struct series *s, const double *cr, const double *ci,
                       double z[4][LANES]) {
    const real unit = real_set(s->unit), ur = real_load(cr) * unit, ui = real_load(ci) * unit;
    real r = real_set(s->a[SERIES_DEGREE][0]), i = real_set(s->a[SERIES_DEGREE][1]);
    real gr = real_set(0), gi = real_set(0);
    for (int k = SERIES_DEGREE - 1; k >= 0; k--) {
        perturbed_term(&gr, &gi, ur, ui, r, i);
        perturbed_term(&r, &i, ur, ui, real_set(s->a[k][0]), real_set(s->a[k][1]));
    }
    real_store(z[0], r);
    real_store(z[1], i);
    real_store(z[2], gr);
    real_store(z[3], gi);
}

/* Begins the orbit of point number `i`, whose series has the sum z. */
static void begin_point(struct kernel *k, uint32_t i, const double z[4]) {
    const double *cr = k->p->cr, *ci = k->p->ci;
    struct perturbed_point p = {.cr = cr[i], .ci = ci[i]};
    k->payload[i].rounds = 0;
    perturbed_begin_at(k->t, z[0], z[1], z[2], z[3], &p, payload_slope(&k->payload[i]));
#if SCREEN
    k->payload[i].screen = screen_begin(k->t, p.m == PERTURBED_TAIL, p.cr, p.ci);
#endif
    k->orbit[i] = orbit_of(&p);
}

static void begin_points(struct kernel *k, uint32_t first) {
    const double *cr = k->p->cr, *ci = k->p->ci;
    _Alignas(64) double sum[4][LANES];
    sum_series(&k->t->series, cr + first, ci + first, sum);
    for (uint32_t l = 0; l < LANES && first + l < k->p->size; l++)
        begin_point(k, first + l, (const double[]){sum[0][l], sum[1][l], sum[2][l], sum[3][l]});
}
#endif

static void begin(struct kernel *k) {
    for (uint32_t i = 0; i < k->p->size; i++) {
        const struct orbit *o = &k->orbit[i], *states = k->p->states;
        if (i % LANES == 0)
            begin_points(k, i);
        if (states && states[i].m != SCREEN_NOT_WIDE)
            k->orbit[i] = states[i];
        if (SLOPE && k->planes->count[i] & SAMPLE_INTERIOR)
            continue;
        k->cycle[i] = (struct cycle){.next = PERTURBED_CYCLE_FIRST};
        add(o->m == PERTURBED_TAIL ? &k->tail : o->log2 ? &k->extended : &k->around, i);
    }
}

static bool run(struct kernel *k) {
    kernel_take_memory(k);
    begin(k);
    if (!run_stages(k))
        return false;
    struct group g = {.alive = 0};
    for (size_t next = 0; next < k->escaped.size; g.alive = 0) {
        load_idle(k, &k->escaped, &next, &g);
        if (takes_turns(k->t))
            follow(k, true, &g);
        else
            follow(k, false, &g);
    }
    return true;
}

#if SLOPE
void KERNEL_NAME()(const struct tile_points *points, double unit,
                   const struct sample_planes *planes) {
    struct tile_points p = *points;
    struct kernel k = {.p = &p, .t = points->perturbed, .planes = planes};
    (void)unit; /* the tables have it, since a double may not hold it */
    p.states = NULL;
    if (p.screen && p.screen->tables->orbit)
        k.t = p.screen->tables;
    walk_clear(planes, SAMPLE_PLANE_distance, SAMPLE_PLANE_angle, p.size);
    run(&k);
}
#else
bool KERNEL_NAME()(const struct tile_points *p, struct tile_samples *samples) {
    struct kernel k = {.p = p, .t = p->perturbed, .samples = samples, .planes = &samples->planes};
    tile_samples_begin(p, samples);
    const bool ran = run(&k);
    tile_samples_skip(p, samples, k.executed);
    return ran;
}
#endif
