/* Perturbed orbits of a list of points, compiled once per instruction set, for z^2 + c, with PERTURBED_FOLDED for the
 * other formulas, and either with PERTURBED_SLOPE once more along orbits that escape, for their slopes.
 *
 * Points go from stage to stage, each with a list of its own: orbits whose distance from the
 * reference is below a double's range, one by one; orbits around the reference, a vector of
 * neighbours in lockstep, which mostly are at the same index and take the same segments; and those
 * that have left the reference, iterated as they are. What escapes is followed to the radius where
 * the fraction is taken, in full vectors. */
#include "cpu/deep/orbits.h"
#include "cpu/escape/screen.h"
#include "cpu/lanes_deep.h"
#include "cpu/walk/slope.h"
#include <math.h>
#include <string.h>

#define FORMULA_KERNEL
#include "cpu/deep/single_slope.h"
#include "render/deep/perturbed_point.h"
#include "render/deep/perturbed_steps.h"
#include "render/sample.h"

/* The step whose turn it is, away from the reference. */
INLINE void direct_step(const struct perturbed_tables *t, uint32_t turn, real *zr, real *zi,
                        real cr, real ci) {
    const int power = perturbed_power(t, FOLDED, turn);
    const unsigned folds = perturbed_folds(t, FOLDED, turn);
    if (power == 2)
        step_square(folds, zr, zi, cr, ci);
    else
        step_power(power, folds, zr, zi, cr, ci);
}

/* The steps after so many of those whose turn it was. */
INLINE void direct_steps(const struct perturbed_tables *t, const struct turns *turns,
                         uint32_t later, real *zr, real *zi, real cr, real ci) {
    const real zr_before = *zr, zi_before = *zi;
    if (turns_agree(turns)) {
        const unsigned turn = (unsigned)__builtin_ctz(turns->set);
        direct_step(t, turns_later(turns, turn, later), zr, zi, cr, ci);
        return;
    }
    EACH_TURN(turn, turns) {
        const lanes those = turns_lanes(turns, turn);
        real r = zr_before, i = zi_before;
        direct_step(t, turns_later(turns, turn, later), &r, &i, cr, ci);
        *zr = lanes_select(those, r, *zr);
        *zi = lanes_select(those, i, *zi);
    }
}

/* --- below a double's range --- */

/* Takes an orbit to where a double holds its distance. False: stopped. */
static bool run_extended(struct kernel *k, uint32_t id) {
    struct perturbed_point *o = &k->orbit[id];
    enum perturbed_end end = PERTURBED_GOES_ON;
    uint32_t steps = 0;
    while (end == PERTURBED_GOES_ON && o->log2 != 0 && o->n < k->p->limit) {
        if (stopped(k))
            return false;
        end = perturbed_extended_point(k->t, o, k->slope ? &k->slope[id].d : NULL, &steps);
    }
    k->executed += steps;
    if (k->slope)
        k->slope[id].rounds += steps;
    if (end == PERTURBED_ESCAPED)
        add(&k->escaped, id);
    else if (o->log2 == 0)
        add(&k->around, id);
    else
        end_at_limit(k, id, o->m);
    return true;
}

/* --- away from it --- */

/* A vector of orbits as they are. */
struct tail {
    _Alignas(64) double zr[LANES], zi[LANES], cr[LANES], ci[LANES];
    uint32_t id[LANES];
    struct group_slopes slopes;
};

static void load_lane(const struct kernel *k, struct tail *t, int lane, uint32_t id) {
    const struct perturbed_point *o = &k->orbit[id];
    t->id[lane] = id;
    t->zr[lane] = o->zr;
    t->zi[lane] = o->zi;
    perturbed_place_of(k->t, o, &t->cr[lane], &t->ci[lane]);
    slopes_take(k, &t->slopes, lane, id);
}

/* After a block of steps, none of which escaped. False: the orbit's stage is over. */
INLINE bool end_block(struct kernel *k, struct tail *t, const bool take_turns, int lane) {
    const uint32_t id = t->id[lane];
    struct perturbed_point *o = &k->orbit[id];
    o->zr = t->zr[lane];
    o->zi = t->zi[lane];
    o->n += PERTURBED_TAIL_STEPS;
    const uint32_t turn = perturbed_turn(k->t, take_turns, o->n);
    o->m = perturbed_begin_of(k->t, turn);
    slopes_keep(k, &t->slopes, lane, id);
    if (extended_most(o->zr, o->zi) < PERTURBED_TAIL_FROM)
        add(&k->around, id);
    else if (o->n >= k->p->limit)
        end_at_limit(k, id, PERTURBED_TAIL);
    else if (!(k->p->shortcuts & SHORTCUTS_CYCLE) ||
             !perturbed_returns(&k->cycle[id], turn, o->zr, o->zi))
        return true;
    return false; /* or it is known to go on for ever */
}

INLINE struct turns tail_turns(const struct kernel *k, const struct tail *t, const bool take_turns,
                               unsigned alive) {
    uint32_t n[LANES];
    EACH_LANE n[l] = k->orbit[t->id[l]].n;
    return turns_of(k->t, take_turns, alive, n);
}

/* A block of steps. The lanes that escape in it are returned. */
INLINE unsigned run_block(const struct kernel *k, struct tail *t, const bool take_turns,
                          unsigned alive) {
    const struct turns turns = tail_turns(k, t, take_turns, alive);
    const real cr = real_load(t->cr), ci = real_load(t->ci);
    real zr = real_load(t->zr), zi = real_load(t->zi);
    struct slopes slopes = slopes_load(&t->slopes);
    unsigned escaped = 0;
    for (int i = 0; i < PERTURBED_TAIL_STEPS; i++) {
        slopes_singles(k->t, &turns, (uint32_t)i, &slopes, zr, zi);
        direct_steps(k->t, &turns, (uint32_t)i, &zr, &zi, cr, ci);
        escaped |= lanes_bits(lanes_not_less(norm2(zr, zi), real_set(4)));
    }
    real_store(t->zr, zr);
    real_store(t->zi, zi);
    slopes_fit(k->t, alive, &slopes);
    slopes_store(&t->slopes, &slopes);
    slopes_count(&t->slopes, PERTURBED_TAIL_STEPS, ALL_LANES);
    return escaped;
}

/* Gives idle lanes the next orbits of the list. */
static void load_idle(const struct kernel *k, struct tail *t, size_t *next, unsigned *alive) {
    for (unsigned idle = ALL_LANES & ~*alive; idle && *next < k->tail.size; idle &= idle - 1) {
        const int l = __builtin_ctz(idle);
        load_lane(k, t, l, k->tail.id[(*next)++]);
        *alive |= 1u << l;
    }
}

/* Takes the list's orbits from block to block. False: stopped. */
INLINE bool run_tail(struct kernel *k, const bool take_turns) {
    struct tail t = {0};
    unsigned alive = 0;
    size_t next = 0;
    while (alive || next < k->tail.size) {
        if (__builtin_popcount(alive) <= LANES / 2) /* loads wait for what single lanes store */
            load_idle(k, &t, &next, &alive);
        if (stopped(k))
            return false;
        const unsigned escaped = run_block(k, &t, take_turns, alive);
        k->executed += PERTURBED_TAIL_STEPS * (unsigned)__builtin_popcount(alive);
        for (unsigned left = alive; left; left &= left - 1) {
            const int l = __builtin_ctz(left);
            const bool gone = escaped >> l & 1;
            if (gone) /* from where the block began; its steps are counted later */
                add(&k->escaped, t.id[l]);
            if (gone || !end_block(k, &t, take_turns, l))
                alive &= ~(1u << l);
        }
    }
    return true;
}

/* --- samples --- */

static size_t part(size_t at, size_t size) {
    return size - at < LANES ? size - at : LANES;
}

#ifdef PERTURBED_SLOPE
/* Takes orbits on to where they are left, and their slopes there. */
INLINE void follow(struct kernel *k, const bool take_turns, size_t at, size_t size) {
    struct tail t = {0};
    for (size_t l = 0; l < size; l++)
        load_lane(k, &t, (int)l, k->escaped.id[at + l]);
    const struct turns turns = tail_turns(k, &t, take_turns, (1u << size) - 1);
    const real cr = real_load(t.cr), ci = real_load(t.ci);
    real zr = real_load(t.zr), zi = real_load(t.zi);
    real before = real_set(0), after = real_set(0);
    struct slopes slopes = slopes_load(&t.slopes);
    for (int i = 0; i < PERTURBED_TAIL_STEPS + SMOOTH_STEPS; i++) {
        const real n2 = norm2(zr, zi);
        const lanes escaped = lanes_not_less(n2, real_set(4));
        const lanes there = lanes_or(lanes_not_less(n2, real_set(SMOOTH_NORM2)),
                                     lanes_not_less(after, real_set(SMOOTH_STEPS)));
        if (lanes_bits(there) == ALL_LANES)
            break;
        before = before + lanes_clear(escaped, real_set(1));
        after = after + lanes_select(escaped, real_set(1), real_set(0));
        const struct slopes left = slopes;
        const real zr_left = zr, zi_left = zi;
        slopes_singles(k->t, &turns, (uint32_t)i, &slopes, zr, zi);
        direct_steps(k->t, &turns, (uint32_t)i, &zr, &zi, cr, ci);
        zr = lanes_select(there, zr_left, zr);
        zi = lanes_select(there, zi_left, zi);
        slopes = slopes_select(there, &left, &slopes);
    }
    _Alignas(64) double steps[LANES];
    real_store(steps, before);
    real_store(t.zr, zr);
    real_store(t.zi, zi);
    slopes_store(&t.slopes, &slopes);
    for (size_t l = 0; l < size; l++) {
        const uint32_t id = t.id[l], more = (uint32_t)(int)steps[l];
        const struct sample_planes *planes = &k->samples->planes;
        slopes_keep(k, &t.slopes, (int)l, id);
        const struct orbit_slope *at_end = &k->slope[id];
        if (k->orbit[id].n + more != planes->count[id] || at_end->rounds + more > SLOPE_ROUNDS_MAX)
            continue; /* it is not the orbit that was counted, or a long one */
        const struct slope slope =
            perturbed_slope_end(t.zr[l], t.zi[l], perturbed_any_folds(k->t, FOLDED), &at_end->d);
        planes->distance[id] = slope.distance;
        planes->normal[id] = slope.normal;
        planes->angle[id] = slope.angle;
    }
}
#else
/* Counts the steps that are left to the escape, and takes the fraction. */
INLINE void follow(struct kernel *k, const bool take_turns, size_t at, size_t size) {
    struct tail t = {0};
    for (size_t l = 0; l < size; l++)
        load_lane(k, &t, (int)l, k->escaped.id[at + l]);
    const struct turns turns = tail_turns(k, &t, take_turns, (1u << size) - 1);
    const real cr = real_load(t.cr), ci = real_load(t.ci);
    real zr = real_load(t.zr), zi = real_load(t.zi);
    real before = real_set(0), after = real_set(0), left = real_set(INFINITY);
    for (int i = 0; i < PERTURBED_TAIL_STEPS + SMOOTH_STEPS + 1; i++) {
        const real n2 = norm2(zr, zi);
        const lanes escaped = lanes_not_less(n2, real_set(4));
        const lanes arrived = lanes_not_less(n2, real_set(SMOOTH_NORM2));
        left = real_least(lanes_select(arrived, n2, real_set(INFINITY)), left);
        before = before + lanes_clear(escaped, real_set(1));
        after = after + lanes_clear(arrived, lanes_select(escaped, real_set(1), real_set(0)));
        if (lanes_bits(arrived) == ALL_LANES)
            break;
        direct_steps(k->t, &turns, (uint32_t)i, &zr, &zi, cr, ci);
    }
    _Alignas(64) double steps[2][LANES], norm[LANES];
    real_store(steps[0], before);
    real_store(steps[1], after);
    real_store(norm, left);
    for (size_t l = 0; l < size; l++) {
        const uint32_t id = t.id[l];
        struct sample_planes *planes = &k->samples->planes;
        const int after_steps = (int)steps[1][l];
        const float n2 = after_steps <= SMOOTH_STEPS ? (float)norm[l] : 0.0f;
        const uint32_t n = k->orbit[id].n + (uint32_t)(int)steps[0][l];
        if (n > k->p->limit) { /* some steps at once took it there */
            end_at_limit(k, id, PERTURBED_TAIL);
            continue;
        }
        planes->count[id] = n;
        planes->fraction[id] =
            sample_fraction(n2, after_steps, recipe_scale(k->p->recipe, n + (uint32_t)after_steps));
        if (planes->norm2)
            planes->norm2[id] = sample_norm2(n2);
        k->samples->steps += n;
        k->samples->escaped++;
    }
}
#endif

static void follow_all(struct kernel *k) {
    for (size_t at = 0; at < k->escaped.size; at += LANES)
        if (takes_turns(k->t))
            follow(k, true, at, part(at, k->escaped.size));
        else
            follow(k, false, at, part(at, k->escaped.size));
}

static void take_memory(struct kernel *k) {
    unsigned char *next = k->p->scratch->bytes;
    k->cycle = (struct perturbed_cycle *)next;
    next += TILE_POINTS_MAX * sizeof *k->cycle;
    struct list *lists[] = {&k->extended, &k->around, &k->tail, &k->escaped, &k->again};
    k->orbit = (struct perturbed_point *)next;
    next += TILE_POINTS_MAX * sizeof *k->orbit;
#ifdef PERTURBED_SLOPE
    k->slope = (struct orbit_slope *)next;
    next += TILE_POINTS_MAX * sizeof *k->slope;
#endif
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++, next += 2 * TILE_POINTS_MAX)
        *lists[i] = (struct list){.id = (uint16_t *)next};
}

/* What a vector of points begins with, its derivative with it. The lists have room for whole vectors. */
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

static bool walks(const struct kernel *k, size_t id) {
#ifdef PERTURBED_SLOPE
    return !(k->samples->planes.count[id] & SAMPLE_INTERIOR);
#else
    return (void)k, (void)id, true;
#endif
}

static void begin(struct kernel *k) {
    const struct tile_points *p = k->p;
    const double *cr = p->cr, *ci = p->ci;
    const double own = k->t->julia ? 0 : 1; /* of c, once they have begun */
    const struct state *states = p->states;
    _Alignas(64) double z[4][LANES];
    for (uint32_t i = 0; i < p->size; i++) {
        struct state s;
        if (states) {
            s = states[i];
        } else {
            if (i % LANES == 0)
                sum_series(&k->t->series, cr + i, ci + i, z);
            s = (struct state){.m = k->t->series.m, .n = k->t->series.n};
            perturbed_start(k->t, z[0][i % LANES], z[1][i % LANES], &s.zr, &s.zi, &s.log2);
            const bool outside = perturbed_outside(k->t, cr[i], ci[i]);
            if (k->slope)
                perturbed_slope_start(k->t, outside, z[2][i % LANES], z[3][i % LANES],
                                      &k->slope[i].d);
            if (outside)
                s = (struct state){.zr = perturbed_outside_z(k->t, k->t->from_re, cr[i]),
                                   .zi = perturbed_outside_z(k->t, k->t->from_im, ci[i]),
                                   .m = PERTURBED_TAIL};
        }
        k->cycle[i] = (struct perturbed_cycle){.next = PERTURBED_CYCLE_FIRST};
        k->orbit[i] =
            (struct perturbed_point){s.zr, s.zi, cr[i] * own, ci[i] * own, s.m, s.n, s.log2};
        if (walks(k, i))
            add(s.m == PERTURBED_TAIL ? &k->tail : s.log2 ? &k->extended : &k->around, i);
    }
}

static bool run(struct kernel *k) {
    while (k->extended.size + k->around.size + k->tail.size > 0) {
        for (size_t i = 0; i < k->extended.size; i++)
            if (!run_extended(k, k->extended.id[i]))
                return false;
        k->extended.size = 0;
        for (size_t at = 0; at < k->around.size; at += LANES)
            if (!ISA_NAME(around)(k, at, part(at, k->around.size)))
                return false;
        const struct list done = k->around;
        k->around = k->again;
        k->again = (struct list){.id = done.id};
        if (!(takes_turns(k->t) ? run_tail(k, true) : run_tail(k, false)))
            return false;
        k->tail.size = 0;
    }
    follow_all(k);
    return true;
}

#ifdef PERTURBED_SLOPE
void ISA_NAME(perturbed)(const struct tile_points *points, double unit,
                         const struct sample_planes *planes) {
    struct tile_points p = *points;
    struct tile_samples samples = {.planes = *planes};
    struct kernel k = {.p = &p, .samples = &samples};
    (void)unit; /* it is in the tables, since a double does not hold it */
    p.states = NULL;
    k.t = p.screen && p.screen->tables->orbit ? p.screen->tables : p.perturbed;
    for (size_t i = 0; i < p.size; i++) {
        planes->distance[i] = 0;
        planes->normal[i] = planes->angle[i] = 0;
    }
    take_memory(&k);
    for (size_t i = 0; i < p.size; i++)
        k.slope[i].rounds = 0;
    begin(&k);
    run(&k);
}
#else
bool ISA_NAME(perturbed)(const struct tile_points *p, struct tile_samples *samples) {
    struct kernel k = {.p = p, .t = p->perturbed, .samples = samples};
    const uint32_t inside = samples->never ? SAMPLE_NEVER : p->limit | SAMPLE_INTERIOR;
    samples->skipped = samples->escaped = samples->steps = 0;
    samples->undecided_size = 0;
    for (size_t i = 0; i < p->size; i++) {
        samples->planes.count[i] = inside;
        samples->planes.fraction[i] = 0;
    }
    if (samples->planes.norm2)
        memset(samples->planes.norm2, 0, p->size * sizeof *samples->planes.norm2);
    take_memory(&k);
    begin(&k);
    const bool ran = run(&k);
    tile_samples_skip(p, samples, k.executed);
    return ran;
}
#endif
