/* Perturbed orbits around their reference, a vector of neighbours in lockstep, compiled once per
 * instruction set for z^2 + c, with PERTURBED_FOLDED for the other formulas, and with PERTURBED_SLOPE for either with
 * their derivatives. As long as all of them are at the same index and take the same segments, these
 * are broadcast; each lane decides for itself, so that company changes no bit. */
#include "cpu/deep/orbits.h"
#include <math.h>
#include <string.h>

#define FORMULA_KERNEL
#include "render/deep/perturbed_steps.h"
#include "render/formula/formula_step.h"

#include "cpu/deep/parting.h"
#include "cpu/deep/segment_slope.h"

/* A vector of orbits. Lanes that do not live are parked at z = 0, m = 0. */
struct group {
    real cr, ci, plain_cr, plain_ci; /* in units of 2^c_log2, and as they are */
    _Alignas(64) double zr[LANES], zi[LANES];
    _Alignas(64) uint32_t m[LANES], n[LANES];
    uint32_t id[LANES];
    struct group_slopes slopes;
    unsigned alive;
    bool together; /* the living are at the same index, and may take the same step */
};

static void leave(struct group *g, int lane) {
    g->alive &= ~(1u << lane);
    g->zr[lane] = g->zi[lane] = 0;
    g->m[lane] = 0;
}

static void keep_orbit(struct kernel *k, const struct group *g, int lane, double zr, double zi) {
    struct perturbed_point *o = &k->orbit[g->id[lane]];
    o->zr = zr;
    o->zi = zi;
    o->m = g->m[lane];
    o->n = g->n[lane];
    slopes_keep(k, &g->slopes, lane, g->id[lane]);
}

/* Whether the living are at the same index. */
INLINE bool same_index(const struct group *g) {
    const uint32_t m = g->m[__builtin_ctz(g->alive)];
    unsigned apart = 0;
    EACH_LANE apart |= (unsigned)(g->m[l] != m) << l;
    return (apart & g->alive) == 0;
}

/* What begins a round of one lane: it may end the lane's stage. */
static void begin_round(struct kernel *k, struct group *g, int lane) {
    const size_t m = g->m[lane];
    const double wr = k->t->orbit[2 * m] + g->zr[lane], wi = k->t->orbit[2 * m + 1] + g->zi[lane];
    if (!(__builtin_fma(wr, wr, wi * wi) < 4)) {
        keep_orbit(k, g, lane, wr, wi);
        add(&k->escaped, g->id[lane]);
        leave(g, lane);
        return;
    }
    if (g->n[lane] >= k->p->limit) {
        keep_orbit(k, g, lane, g->zr[lane], g->zi[lane]);
        end_at_limit(k, g->id[lane], g->m[lane]);
        leave(g, lane);
        return;
    }
    const double most_w = extended_most(wr, wi);
    double most_z = extended_most(g->zr[lane], g->zi[lane]);
    if (most_w < most_z || m == k->t->last) {
        const uint32_t turn = perturbed_turn(k->t, FOLDED, g->n[lane]);
        g->zr[lane] = wr;
        g->zi[lane] = wi;
        g->m[lane] = perturbed_begin_of(k->t, turn);
        most_z = most_w;
        if (k->p->shortcuts & SHORTCUTS_CYCLE &&
            perturbed_returns(&k->cycle[g->id[lane]], turn, wr, wi)) {
            leave(g, lane);
            return;
        }
    }
    if (most_w >= PERTURBED_TAIL_FROM && most_z >= PERTURBED_TAIL_SHARE * most_w) {
        keep_orbit(k, g, lane, wr, wi);
        add(&k->tail, g->id[lane]);
        leave(g, lane);
    }
}

/* Lanes that have got to the limit. */
static unsigned lanes_at_limit(const struct kernel *k, const struct group *g) {
    unsigned at_limit = 0;
    EACH_LANE at_limit |= (unsigned)(g->n[l] >= k->p->limit) << l;
    return at_limit & g->alive;
}

/* Whether a double lacks range for what was x, or has become z. */
INLINE unsigned lanes_below(real r, real i, double least) {
    return lanes_bits(lanes_less(real_most(real_abs(r), real_abs(i)), real_set(least)));
}

/* --- their steps --- */

/* Where lanes were before a step, to take it back. */
struct before {
    real zr, zi;
    struct slopes slopes;
    uint32_t m[LANES], n[LANES];
};

/* Sends lanes whose step needs, or has come to need, more than a double's range to where that is
 * made. */
static void send_below(struct kernel *k, struct group *g, const struct before *before,
                       unsigned below) {
    _Alignas(64) double z[2][LANES];
    real_store(z[0], before->zr);
    real_store(z[1], before->zi);
    slopes_take_back(&g->slopes, &before->slopes, below);
    for (; below; below &= below - 1) {
        const int l = __builtin_ctz(below);
        const struct extended at = extended_make(z[0][l], z[1][l], 0);
        g->m[l] = before->m[l];
        g->n[l] = before->n[l];
        keep_orbit(k, g, l, at.re, at.im);
        k->orbit[g->id[l]].log2 = at.log2;
        add(&k->extended, g->id[l]);
        leave(g, l);
    }
}

/* The same segment for all. */
INLINE void step_together(const struct perturbed_tables *t, uint32_t turn, int64_t found,
                          const struct group *g, real wr, real wi, real xr, real xi, real *zr,
                          real *zi, struct slopes *slopes) {
    const struct segment *s = &t->segment[found];
    const double *c = t->c[found];
    const real scale = real_set(extended_power(-s->t_log2));
#ifdef PERTURBED_FOLDED
    const struct segment_bar *bar = &t->bar[found];
    const real tr = xr * scale, ti = xi * (scale * real_set(bar->sign));
#else
    const real tr = xr * scale, ti = xi * scale;
#endif
    real sr = real_set(s->p[SEGMENT_DEGREE - 1][0]), si = real_set(s->p[SEGMENT_DEGREE - 1][1]);
    real gr = sr, gi = si;
    for (int i = SEGMENT_DEGREE - 2; i >= 0; i--)
        slopes_term(&sr, &si, &gr, &gi, tr, ti, real_set(s->p[i][0]), real_set(s->p[i][1]));
    slopes_segment_together(t, turn, found, slopes, wr, wi, gr, gi);
    perturbed_land(sr, si, tr, ti, real_set(c[0]), real_set(c[1]), g->cr, g->ci, zr, zi);
#ifdef PERTURBED_FOLDED
    perturbed_land_bar(real_set(t->c_bar[found][0]), real_set(t->c_bar[found][1]), g->cr, g->ci, zr,
                       zi);
#endif
}

/* Steps of lanes at one index, until some of them begin a round in a way of their own, which are
 * returned, or they part. */
INLINE unsigned run_together(struct kernel *k, struct group *g, const bool take_turns) {
    const struct perturbed_tables *t = k->t;
    const unsigned alive = g->alive;
    const int first = __builtin_ctz(alive);
    uint32_t m = g->m[first], turn = perturbed_turn(t, take_turns, g->n[first]);
    uint32_t steps = 0, room = UINT32_MAX;
    unsigned special = 0, below = 0;
    real zr = real_load(g->zr), zi = real_load(g->zi);
    struct slopes slopes = slopes_load(&g->slopes);
    struct before before;
    EACH_LANE if (alive >> l & 1) {
        const uint32_t left = k->p->limit - g->n[l];
        room = left < room ? left : room;
    }
    unsigned rounds = 0;
    for (; rounds < STOP_ROUNDS && m != t->last && steps < room; rounds++) {
        const real Zr = real_set(t->orbit[2 * (size_t)m]);
        const real Zi = real_set(t->orbit[2 * (size_t)m + 1]);
        const real wr = Zr + zr, wi = Zi + zi;
        special = parting_lanes(wr, wi, zr, zi) & alive;
        if (special)
            break;
        real xr, xi;
        first_step(t, FOLDED, turn, Zr, Zi, zr, zi, &xr, &xi);
        const int64_t found = find_together(t, alive, m, xr, xi);
        if (found == APART) {
            g->together = false;
            break;
        }
        before.zr = zr;
        before.zi = zi;
        before.slopes = slopes;
        const uint32_t length = found == NONE ? 1 : (uint32_t)t->segment[found].length;
        if (found == NONE) {
            zr = xr + g->plain_cr;
            zi = xi + g->plain_ci;
            slopes_single(t, turn, &slopes, wr, wi);
        } else {
            step_together(t, turn, found, g, wr, wi, xr, xi, &zr, &zi, &slopes);
        }
        slopes_fit(t, alive, &slopes);
        if (t->c_log2 != 0) {
            below = lanes_below(xr, xi, PERTURBED_X_LEAST) | lanes_below(zr, zi, PERTURBED_Z_LEAST);
            below &= alive;
        }
        if (below) {
            EACH_LANE before.m[l] = m;
            EACH_LANE before.n[l] = g->n[l] + steps;
        }
        m += length;
        steps += length;
        turn = perturbed_turn(t, take_turns, turn + length);
        if (below)
            break;
    }
    real_store(g->zr, zr);
    real_store(g->zi, zi);
    slopes_store(&g->slopes, &slopes);
    slopes_count(&g->slopes, rounds, alive);
    slopes_count(&g->slopes, below != 0, alive & ~below);
    EACH_LANE g->m[l] = alive >> l & 1 ? m : 0;
    EACH_LANE g->n[l] += steps;
    k->executed += rounds * (unsigned)__builtin_popcount(alive);
    if (below)
        send_below(k, g, &before, below);
    return m == t->last ? g->alive : (special | lanes_at_limit(k, g)) & g->alive;
}

/* The numbers of segments that lanes take. */
struct apart {
    _Alignas(64) double p[SEGMENT_DEGREE][2][LANES], scale[LANES], C[2][LANES];
#ifdef PERTURBED_FOLDED
    _Alignas(64) double scale_i[LANES], bar[2][LANES];
#endif
    struct lane_segments slopes;
    unsigned plain; /* those that take single steps */
};

/* Looks up each lane's segment, and counts its steps. False: none has any. */
INLINE bool find_apart(const struct perturbed_tables *t, struct group *g, real xr, real xi,
                       struct apart *a) {
    static const struct segment single = {.length = 1, .p = {{1}}};
    static const double one[2] = {1, 0};
    _Alignas(64) double most[LANES];
    int64_t found[LANES];
    real_store(most, real_most(real_abs(xr), real_abs(xi)));
    a->plain = 0;
    EACH_LANE {
        found[l] = g->alive >> l & 1 ? perturbed_find(t, g->m[l], perturbed_log2(most[l])) : NONE;
        a->plain |= (unsigned)(found[l] == NONE) << l;
    }
    if (a->plain == ALL_LANES) {
        EACH_LANE g->m[l] += g->alive >> l & 1;
        EACH_LANE g->n[l] += g->alive >> l & 1;
        return false;
    }
    EACH_LANE {
        const struct segment *s = found[l] == NONE ? &single : &t->segment[found[l]];
        const double *c = found[l] == NONE ? one : t->c[found[l]];
        const uint32_t length = g->alive >> l & 1 ? (uint32_t)s->length : 0;
        for (int i = 0; i < SEGMENT_DEGREE; i++) {
            a->p[i][0][l] = s->p[i][0];
            a->p[i][1][l] = s->p[i][1];
        }
        a->C[0][l] = c[0];
        a->C[1][l] = c[1];
        a->scale[l] = extended_power(-s->t_log2);
        slopes_set_segment(t, &a->slopes, l, found[l]);
#ifdef PERTURBED_FOLDED
        a->scale_i[l] = found[l] == NONE ? 1 : a->scale[l] * t->bar[found[l]].sign;
        a->bar[0][l] = found[l] == NONE ? 0 : t->c_bar[found[l]][0];
        a->bar[1][l] = found[l] == NONE ? 0 : t->c_bar[found[l]][1];
#endif
        g->m[l] += length;
        g->n[l] += length;
    }
    return true;
}

INLINE void step_apart(const struct perturbed_tables *t, const struct turns *turns,
                       const struct apart *a, const struct group *g, real wr, real wi, real xr,
                       real xi, real *zr, real *zi, struct slopes *slopes) {
    (void)turns;
#ifdef PERTURBED_FOLDED
    const real tr = xr * real_load(a->scale), ti = xi * real_load(a->scale_i);
#else
    const real scale = real_load(a->scale), tr = xr * scale, ti = xi * scale;
#endif
    const lanes plain = lanes_of(a->plain);
    real sr = real_load(a->p[SEGMENT_DEGREE - 1][0]), si = real_load(a->p[SEGMENT_DEGREE - 1][1]);
    real gr = sr, gi = si;
    for (int i = SEGMENT_DEGREE - 2; i >= 0; i--)
        slopes_term(&sr, &si, &gr, &gi, tr, ti, real_load(a->p[i][0]), real_load(a->p[i][1]));
    slopes_segments(t, turns, &a->slopes, plain, slopes, wr, wi, gr, gi);
    perturbed_land(sr, si, tr, ti, real_load(a->C[0]), real_load(a->C[1]), g->cr, g->ci, &sr, &si);
#ifdef PERTURBED_FOLDED
    perturbed_land_bar(real_load(a->bar[0]), real_load(a->bar[1]), g->cr, g->ci, &sr, &si);
#endif
    *zr = lanes_select(plain, xr + g->plain_cr, sr);
    *zi = lanes_select(plain, xi + g->plain_ci, si);
}

/* The same for lanes at indices of their own, until they come together. */
INLINE unsigned run_apart(struct kernel *k, struct group *g, const bool take_turns) {
    const struct perturbed_tables *t = k->t;
    real zr = real_load(g->zr), zi = real_load(g->zi);
    struct slopes slopes = slopes_load(&g->slopes);
    unsigned special = 0, below = 0;
    struct before before;
    unsigned rounds = 0;
    for (; rounds < STOP_ROUNDS; rounds++) {
        const real Zr = real_pick(t->orbit, g->m), Zi = real_pick(t->orbit + 1, g->m);
        const real wr = Zr + zr, wi = Zi + zi;
        special = parting_lanes(wr, wi, zr, zi);
        EACH_LANE special |= (unsigned)((g->m[l] == t->last) | (g->n[l] >= k->p->limit)) << l;
        special &= g->alive;
        if (special)
            break;
        real xr, xi;
        struct apart a;
        before.zr = zr;
        before.zi = zi;
        before.slopes = slopes;
        memcpy(before.m, g->m, sizeof before.m);
        memcpy(before.n, g->n, sizeof before.n);
        const struct turns turns = turns_of(t, take_turns, g->alive, g->n);
        first_steps(t, FOLDED, &turns, Zr, Zi, zr, zi, &xr, &xi);
        if (find_apart(t, g, xr, xi, &a)) {
            step_apart(t, &turns, &a, g, wr, wi, xr, xi, &zr, &zi, &slopes);
        } else {
            zr = xr + g->plain_cr;
            zi = xi + g->plain_ci;
            slopes_singles(t, &turns, 0, &slopes, wr, wi);
        }
        slopes_fit(t, g->alive, &slopes);
        if (t->c_log2 != 0) {
            below = lanes_below(xr, xi, PERTURBED_X_LEAST) | lanes_below(zr, zi, PERTURBED_Z_LEAST);
            below &= g->alive;
        }
        g->together = same_index(g);
        if (below || g->together)
            break;
    }
    real_store(g->zr, zr);
    real_store(g->zi, zi);
    slopes_store(&g->slopes, &slopes);
    slopes_count(&g->slopes, rounds + (rounds < STOP_ROUNDS && !special), g->alive & ~below);
    slopes_count(&g->slopes, rounds, below);
    k->executed += rounds * (unsigned)__builtin_popcount(g->alive);
    if (below)
        send_below(k, g, &before, below);
    return special;
}

static unsigned run_group(struct kernel *k, struct group *g) {
    if (takes_turns(k->t))
        return g->together ? run_together(k, g, true) : run_apart(k, g, true);
    return g->together ? run_together(k, g, false) : run_apart(k, g, false);
}

/* The orbits of the list from the `at`th on. */
static void load_group(const struct kernel *k, size_t at, size_t size, struct group *g) {
    _Alignas(64) double c[2][LANES], plain[2][LANES];
    const double unit = extended_any_power(k->t->c_log2);
    *g = (struct group){.alive = size < LANES ? (1u << size) - 1 : ALL_LANES};
    EACH_LANE {
        const uint32_t id = k->around.id[at + ((size_t)l < size ? (size_t)l : 0)];
        const struct perturbed_point *o = &k->orbit[id];
        const bool there = (size_t)l < size;
        g->zr[l] = there ? o->zr : 0;
        g->zi[l] = there ? o->zi : 0;
        g->m[l] = there ? o->m : 0;
        g->n[l] = there ? o->n : 0;
        g->id[l] = id;
        slopes_take(k, &g->slopes, l, id);
        c[0][l] = there ? o->cr : 0;
        c[1][l] = there ? o->ci : 0;
        plain[0][l] = c[0][l] * unit;
        plain[1][l] = c[1][l] * unit;
    }
    g->cr = real_load(c[0]);
    g->ci = real_load(c[1]);
    g->plain_cr = real_load(plain[0]);
    g->plain_ci = real_load(plain[1]);
}

/* Keeps lanes that have rebased, where others have not, for later groups of such, which begin
 * together. True: what is left is at one index. */
static bool set_aside(struct kernel *k, struct group *g) {
    unsigned begins = 0;
    EACH_LANE {
        const uint32_t turn = perturbed_turn(k->t, FOLDED, g->n[l]);
        begins |= (unsigned)(g->m[l] == perturbed_begin_of(k->t, turn)) << l;
    }
    begins &= g->alive;
    if (begins == g->alive)
        return same_index(g);
    for (; begins; begins &= begins - 1) {
        const int l = __builtin_ctz(begins);
        keep_orbit(k, g, l, g->zr[l], g->zi[l]);
        add(&k->again, g->id[l]);
        leave(g, l);
    }
    return same_index(g);
}

bool ISA_NAME(around)(struct kernel *k, size_t at, size_t size) {
    struct group group, *g = &group;
    load_group(k, at, size, g);
    g->together = same_index(g);
    while (g->alive) {
        if (atomic_load_explicit(k->p->stop, memory_order_relaxed))
            return false;
        unsigned special = run_group(k, g);
        const bool begins = special;
        for (; special; special &= special - 1)
            begin_round(k, g, __builtin_ctz(special));
        if (begins && g->alive)
            g->together = same_index(g) || set_aside(k, g);
    }
    return true;
}
