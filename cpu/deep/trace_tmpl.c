/* What perturbed orbits pass, compiled once per instruction set, to the bits of render/deep/trace_walk.h. Neighbours
 * go together, a vector of them, as long as they are at the same index and take the same segments; those that begin anew
 * around the reference wait for others that do. The rest go each at an index of its own, two vectors in turn, whose lanes
 * take the next orbits when theirs have ended. */
#include "cpu/deep/trace.h"
#include "cpu/deep/trace_group.h"
#include "cpu/escape/screen.h"
#include "cpu/walk/slope.h"
#include "render/deep/perturbed.h"
#include "render/deep/perturbed_trace.h"
#include <string.h>

#define NAME4(stage, isa) stage##_##isa
#define NAME3(stage, isa) NAME4(stage, isa)
#define NAME(stage)       NAME3(stage, TILE_ISA_NAME)

#define PATIENCE 1024u /* rounds between looks at whether to stop */

/* Of all points, in the scratch memory. */
struct walks {
    struct trace_walk walk[TILE_POINTS_MAX];
    uint16_t lists[3][TILE_POINTS_MAX];
};
_Static_assert(sizeof(struct walks) <= sizeof(struct tile_scratch), "it is the scratch memory");

struct list {
    uint16_t *id;
    size_t size;
};

struct kernel {
    const struct tile_points *points;
    const struct sample_planes *planes;
    struct perturbed_tables t;
    const struct segment_trace *segment;
    struct walks *walks;
    struct list now, again, apart; /* that go together, or will; and that go by themselves */
};

/* --- lanes --- */

static void get_lane(const struct kernel *k, const struct group *g, int l, struct trace_walk *w) {
    *w = (struct trace_walk){
        .t = &k->t,
        .segment = k->segment,
        .o = {g->zr[l], g->zi[l], g->unit_r[l], g->unit_i[l], (uint32_t)g->m[l], (uint32_t)g->n[l],
              0},
        .passed = {g->size[l], g->stripe[l], g->stripe_before[l], g->triangle[l],
                   g->triangle_before[l], g->square[l], g->line[l], g->cross[l], g->circle[l],
                   (uint32_t)g->nearest[l], g->tiny[l], g->caught_r[l], g->caught_i[l]},
        .wr = g->wr[l],
        .wi = g->wi[l],
        .cr = g->cr[l],
        .ci = g->ci[l],
        .c_size = g->c_size[l],
        .count = (uint32_t)g->count[l],
        .rounds = g->rounds[l],
    };
}

static void set_lane(struct group *g, int l, const struct trace_walk *w) {
    const struct perturbed_trace *p = &w->passed;
    const double unit = extended_any_power(w->t->c_log2);
    const double numbers[] = {w->o.zr,
                              w->o.zi,
                              w->wr,
                              w->wi,
                              w->o.m,
                              w->o.n,
                              w->count,
                              w->o.cr,
                              w->o.ci,
                              w->o.cr * unit,
                              w->o.ci * unit,
                              w->cr,
                              w->ci,
                              w->c_size,
                              p->size,
                              p->stripe,
                              p->stripe_before,
                              p->triangle,
                              p->triangle_before,
                              p->square,
                              p->line,
                              p->cross,
                              p->circle,
                              p->nearest,
                              trace_caught_from(w->count),
                              p->caught_r,
                              p->caught_i};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        g->number[i][l] = numbers[i];
    g->rounds[l] = w->rounds;
    g->tiny[l] = p->tiny;
}

/* Gives a lane an orbit. */
static void load_lane(const struct kernel *k, struct group *g, int l, uint32_t id) {
    set_lane(g, l, &k->walks->walk[id]);
    g->id[l] = id;
    g->alive |= 1u << l;
}

static void leave(struct group *g, int l) {
    g->alive &= ~(1u << l);
    g->m[l] = g->count[l] = 0;
}

/* Keeps orbits for later. */
static void set_aside(const struct kernel *k, struct group *g, unsigned which, struct list *list) {
    for (; which; which &= which - 1) {
        const int l = __builtin_ctz(which);
        get_lane(k, g, l, &k->walks->walk[g->id[l]]);
        list->id[list->size++] = (uint16_t)g->id[l];
        leave(g, l);
    }
}

/* Orbits that have ended. */
static void end_lanes(const struct kernel *k, struct group *g, unsigned ended) {
    for (; ended; ended &= ended - 1) {
        const int l = __builtin_ctz(ended);
        struct trace_walk w;
        get_lane(k, g, l, &w);
        NAME(trace_put)(&w, k->planes, g->id[l]);
        leave(g, l);
    }
}

/* --- rounds --- */

/* The segments that lanes take. */
struct taken {
    _Alignas(64) lane_numbers p[SEGMENT_DEGREE][2], scale, scale_i, C[2], bar[2], length;
    _Alignas(64) lane_numbers stripe, triangle, square, line, cross, circle, size, nearest;
    uint32_t next[LANES]; /* the index after their first steps */
    unsigned which;       /* of the lanes */
};

/* Looks up those of `around`, the lanes that may have one; others make single steps. */
INLINE void find(const struct kernel *k, const struct group *g, const uint32_t m[LANES], real xr,
                 real xi, unsigned around, int64_t found[LANES], struct taken *s) {
    _Alignas(64) lane_numbers most;
    real_store(most, real_most(real_abs(xr), real_abs(xi)));
    s->which = 0;
    EACH_LANE {
        uint32_t at = PERTURBED_SINGLE;
        if (around >> l & 1)
            at = perturbed_find_traced(&k->t, k->segment, m[l], perturbed_log2(most[l]),
                                       g->n[l] < g->from[l] ? (uint32_t)(g->from[l] - g->n[l]) : 0,
                                       g->line[l], g->cross[l], g->circle[l]);
        found[l] = at == PERTURBED_SINGLE ? -1 : (int64_t)at;
        s->which |= (unsigned)(at != PERTURBED_SINGLE) << l;
    }
}

INLINE void look_up(const struct kernel *k, const bool folded, const uint32_t m[LANES],
                    const int64_t found[LANES], struct taken *s) {
    static const struct segment single = {.length = 1};
    static const struct segment_trace nothing = {0};
    const struct perturbed_tables *t = &k->t;
    EACH_LANE {
        const bool has = found[l] >= 0;
        const struct segment *of = has ? &t->segment[found[l]] : &single;
        const struct segment_trace *trace = has ? &k->segment[found[l]] : &nothing;
        for (int i = 0; i < SEGMENT_DEGREE; i++) {
            s->p[i][0][l] = of->p[i][0];
            s->p[i][1][l] = of->p[i][1];
        }
        s->C[0][l] = has ? t->c[found[l]][0] : 0;
        s->C[1][l] = has ? t->c[found[l]][1] : 0;
        s->scale[l] = s->scale_i[l] = extended_power(-of->t_log2);
        s->length[l] = of->length;
        if (folded) {
            s->scale_i[l] *= has ? t->bar[found[l]].sign : 1;
            s->bar[0][l] = has ? t->c_bar[found[l]][0] : 0;
            s->bar[1][l] = has ? t->c_bar[found[l]][1] : 0;
        }
        s->stripe[l] = trace->stripe;
        s->triangle[l] = trace->triangle;
        s->square[l] = trace->square;
        s->line[l] = trace->line;
        s->cross[l] = trace->cross;
        s->circle[l] = trace->circle;
        s->size[l] = trace->size;
        s->nearest[l] = trace->nearest;
        s->next[l] = has ? m[l] + 1 : 0;
    }
}

/* z where lanes land, from x. */
INLINE void land(const struct group *g, const bool folded, const struct taken *s, real xr, real xi,
                 real *zr, real *zi) {
    const real tr = xr * real_load(s->scale), ti = xi * real_load(s->scale_i);
    real sr = real_load(s->p[SEGMENT_DEGREE - 1][0]), si = real_load(s->p[SEGMENT_DEGREE - 1][1]);
    const real cr = real_load(g->unit_r), ci = real_load(g->unit_i);
    for (int i = SEGMENT_DEGREE - 2; i >= 0; i--)
        perturbed_term(&sr, &si, tr, ti, real_load(s->p[i][0]), real_load(s->p[i][1]));
    perturbed_land(sr, si, tr, ti, real_load(s->C[0]), real_load(s->C[1]), cr, ci, &sr, &si);
    if (folded)
        perturbed_land_bar(real_load(s->bar[0]), real_load(s->bar[1]), cr, ci, &sr, &si);
    *zr = lanes_select(lanes_of(s->which), sr, *zr);
    *zi = lanes_select(lanes_of(s->which), si, *zi);
}

/* What lanes pass that take segments, from the first steps' z on. */
INLINE void pass_along(const struct kernel *k, const bool folded, const struct turns *turns,
                       const struct group *g, const struct taken *s, real zr, real zi,
                       struct passed *p) {
    const real n = real_load(g->n), square = real_load(s->square);
    struct passed along = *p;
    pass(&k->t, folded, turns, real_load(g->c_size), n + real_set(1),
         real_pick(k->t.orbit, s->next) + zr, real_pick(k->t.orbit + 1, s->next) + zi, &along);
    const lanes nearer = lanes_less(square, along.square);
    along.nearest = lanes_select(nearer, n + real_load(s->nearest), along.nearest);
    along.square = real_least(square, along.square);
    along.line = real_least(real_load(s->line), along.line);
    along.cross = real_least(real_load(s->cross), along.cross);
    along.circle = real_least(real_load(s->circle), along.circle);
    along.stripe = along.stripe + real_load(s->stripe);
    along.triangle = along.triangle + real_load(s->triangle);
    along.size = real_load(s->size);
    passed_select(lanes_of(s->which), &along, p);
}

INLINE unsigned lanes_below(real r, real i, double least) {
    return lanes_bits(lanes_less(real_most(real_abs(r), real_abs(i)), real_set(least)));
}

/* Indices of lanes. */
INLINE void indices(real m, uint32_t index[LANES]) {
    _Alignas(64) lane_numbers each;
    real_store(each, m);
    EACH_LANE index[l] = (uint32_t)(int32_t)each[l];
}

/* Those of lanes that have done n steps. */
INLINE struct turns turns_at(const struct perturbed_tables *t, const bool folded, unsigned alive,
                             real n) {
    uint32_t steps[LANES] = {0};
    if (folded && t->steps.length > 1)
        indices(n, steps);
    return turns_of(t, folded, alive, steps);
}

/* Where the orbit of 0 begins that goes on with each lane's turn. */
INLINE real begins(const struct perturbed_tables *t, const struct turns *turns) {
    lane_numbers begin = {0};
    if (turns->length > 1)
        EACH_LANE begin[l] = t->begin[turns->of[l]];
    return real_load(begin);
}

/* As trace_walk_ends. */
INLINE unsigned lanes_ended(real wr, real wi, real n, real count) {
    return lanes_bits(lanes_or(lanes_not_less(norm2(wr, wi), real_set(SMOOTH_NORM2)),
                               lanes_not_less(n, count + real_set(SMOOTH_STEPS))));
}

/* A round of all lanes, as trace_walk_round and trace_walk_arrive. Those that have ended are returned. */
INLINE unsigned run_round(const struct kernel *k, const bool folded, struct group *g) {
    const struct perturbed_tables *t = &k->t;
    const real wr = real_load(g->wr), wi = real_load(g->wi), n = real_load(g->n);
    const real count = real_load(g->count), c_size = real_load(g->c_size);
    real zr = real_load(g->zr), zi = real_load(g->zi);
    const real most_w = real_most(real_abs(wr), real_abs(wi));
    const real most_z = real_most(real_abs(zr), real_abs(zi));
    const lanes rebases =
        lanes_or(lanes_less(most_w, most_z), lanes_not_less(real_load(g->m), real_set(t->last)));
    const real apart = lanes_select(rebases, most_w, most_z);
    const lanes far = lanes_and(lanes_not_less(most_w, real_set(PERTURBED_TAIL_FROM)),
                                lanes_not_less(apart, real_set(PERTURBED_TAIL_SHARE) * most_w));
    const lanes leaves = lanes_or(lanes_not_less(n, count), far), again = lanes_or(rebases, leaves);
    const struct turns turns = turns_at(t, folded, g->alive, n);
    const real at = lanes_select(again, begins(t, &turns), real_load(g->m));
    _Alignas(64) uint32_t m[LANES];
    indices(at, m);
    zr = lanes_select(again, wr, zr);
    zi = lanes_select(again, wi, zi);
    const real Zr = real_pick(t->orbit, m), Zi = real_pick(t->orbit + 1, m);
    real xr, xi;
    first_steps(t, folded, &turns, Zr, Zi, zr, zi, &xr, &xi);
    zr = xr + lanes_select(leaves, real_load(g->cr), real_load(g->plain_r));
    zi = xi + lanes_select(leaves, real_load(g->ci), real_load(g->plain_i));

    int64_t found[LANES];
    struct taken s;
    struct passed passed = passed_load(g);
    const real first_r = zr, first_i = zi;
    const unsigned left = lanes_bits(leaves), around = g->alive & ~left;
    g->begun = lanes_bits(again) & ~left;
    real length = real_set(1);
    find(k, g, m, xr, xi, around, found, &s);
    if (s.which) {
        look_up(k, folded, m, found, &s);
        land(g, folded, &s, xr, xi, &zr, &zi);
        pass_along(k, folded, &turns, g, &s, first_r, first_i, &passed);
        length = real_load(s.length);
    }
    unsigned below = 0, over = 0;
    struct trace_walk one[LANES];
    if (t->c_log2 != 0)
        below = around &
                (lanes_below(xr, xi, PERTURBED_X_LEAST) | lanes_below(zr, zi, PERTURBED_Z_LEAST));
    for (unsigned b = below; b; b &= b - 1) {
        const int l = __builtin_ctz(b);
        get_lane(k, g, l, &one[l]);
        over |= (unsigned)!NAME(trace_round)(&one[l]) << l;
    }

    const real then = n + length;
    const struct turns last = turns_at(t, folded, g->alive, then - real_set(1));
    const struct turns next = turns_at(t, folded, g->alive, then);
    const real to = lanes_select(leaves, begins(t, &next), at + length);
    indices(to, m);
    const real at_r = real_pick(t->orbit, m) + zr, at_i = real_pick(t->orbit + 1, m) + zi;
    pass(t, folded, &last, c_size, then, at_r, at_i, &passed);
    catch_point(real_load(g->from), then, at_r, at_i, &passed);
    passed_store(g, &passed);
    real_store(g->zr, zr);
    real_store(g->zi, zi);
    real_store(g->wr, at_r);
    real_store(g->wi, at_i);
    real_store(g->n, then);
    real_store(g->m, to);
    EACH_LANE g->rounds[l]++;
    unsigned ended = (lanes_ended(at_r, at_i, then, count) & ~below) | over;
    for (unsigned b = below; b; b &= b - 1) {
        const int l = __builtin_ctz(b);
        set_lane(g, l, &one[l]);
    }
    EACH_LANE ended |= (unsigned)(g->rounds[l] >= TRACE_ROUNDS_MAX) << l;
    return ended & g->alive;
}

/* --- together --- */

#define APART (-2)
#define NONE  (-1)

/* Lanes that a segment does not do for, as segment_trace_fits says. */
INLINE unsigned lanes_over(const struct segment *s, const struct segment_trace *trace, real most,
                           real left, const struct passed *p) {
    const real line = p->line + p->line, cross = p->cross + p->cross,
               circle = p->circle + p->circle;
    const lanes long_for = lanes_less(left, real_set(s->length));
    const lanes near = lanes_not_less(most, real_set(extended_any_power(s->t_log2 - trace->near)));
    const lanes far = lanes_not_less(most, real_set(extended_any_power(s->t_log2 - trace->far)));
    const lanes nearer = lanes_or(lanes_less(real_set(trace->line), line),
                                  lanes_or(lanes_less(real_set(trace->cross), cross),
                                           lanes_less(real_set(trace->circle), circle)));
    return lanes_bits(lanes_or(long_for, lanes_and(near, lanes_or(far, nearer))));
}

/* The segment that all living lanes take at m; NONE: they take a single step; APART: neither. */
INLINE int64_t find_together(const struct kernel *k, unsigned alive, uint32_t m, real xr, real xi,
                             real left, const struct passed *p) {
    const real most = real_most(real_abs(xr), real_abs(xi));
    uint32_t first = 0, fit = 0;
    const uint32_t usable = perturbed_segments_at(&k->t, m, &first);
    for (; fit < usable; fit++) {
        const unsigned over =
            lanes_over(&k->t.segment[first + fit], &k->segment[first + fit], most, left, p) & alive;
        if (over == alive)
            break;
        if (over)
            return APART;
    }
    return fit > 0 ? (int64_t)(first + fit - 1) : NONE;
}

/* As land and pass_along, for all. */
INLINE void land_together(const struct kernel *k, const bool folded, const struct group *g,
                          int64_t found, real xr, real xi, real *zr, real *zi) {
    const struct segment *s = &k->t.segment[found];
    const double *C = k->t.c[found], scale = extended_power(-s->t_log2);
    const real cr = real_load(g->unit_r), ci = real_load(g->unit_i);
    const real tr = xr * real_set(scale);
    const real ti = xi * real_set(folded ? scale * k->t.bar[found].sign : scale);
    real sr = real_set(s->p[SEGMENT_DEGREE - 1][0]), si = real_set(s->p[SEGMENT_DEGREE - 1][1]);
    for (int i = SEGMENT_DEGREE - 2; i >= 0; i--)
        perturbed_term(&sr, &si, tr, ti, real_set(s->p[i][0]), real_set(s->p[i][1]));
    perturbed_land(sr, si, tr, ti, real_set(C[0]), real_set(C[1]), cr, ci, zr, zi);
    if (folded)
        perturbed_land_bar(real_set(k->t.c_bar[found][0]), real_set(k->t.c_bar[found][1]), cr, ci,
                           zr, zi);
}

INLINE void along_together(const struct segment_trace *s, real n, struct passed *p) {
    const real square = real_set(s->square);
    const lanes nearer = lanes_less(square, p->square);
    p->nearest = lanes_select(nearer, n + real_set(s->nearest), p->nearest);
    p->square = real_least(square, p->square);
    p->line = real_least(real_set(s->line), p->line);
    p->cross = real_least(real_set(s->cross), p->cross);
    p->circle = real_least(real_set(s->circle), p->circle);
    p->stripe = p->stripe + real_set(s->stripe);
    p->triangle = p->triangle + real_set(s->triangle);
    p->size = real_set(s->size);
}

/* Lanes that begin anew, leave the reference, or have got to the count. */
INLINE unsigned special_lanes(real wr, real wi, real zr, real zi, real n, real count) {
    const real most_w = real_most(real_abs(wr), real_abs(wi));
    const real most_z = real_most(real_abs(zr), real_abs(zi));
    const lanes far = lanes_and(lanes_not_less(most_w, real_set(PERTURBED_TAIL_FROM)),
                                lanes_not_less(most_z, real_set(PERTURBED_TAIL_SHARE) * most_w));
    return lanes_bits(
        lanes_or(lanes_not_less(n, count), lanes_or(lanes_less(most_w, most_z), far)));
}

/* Rounds of lanes at one index, until one of them is in a way of its own, which is left to run_round. Those that have ended
 * are returned. */
INLINE unsigned run_together(const struct kernel *k, const bool folded, struct group *g) {
    const struct perturbed_tables *t = &k->t;
    const real plain_r = real_load(g->plain_r), plain_i = real_load(g->plain_i);
    const real count = real_load(g->count), c_size = real_load(g->c_size),
               from = real_load(g->from);
    real wr = real_load(g->wr), wi = real_load(g->wi), zr = real_load(g->zr), zi = real_load(g->zi);
    real n = real_load(g->n);
    struct passed passed = passed_load(g);
    const int first = __builtin_ctz(g->alive);
    uint32_t m = (uint32_t)g->m[first], rounds = 0, most = TRACE_ROUNDS_MAX;
    uint32_t turn = perturbed_turn(t, folded, (uint32_t)(int32_t)g->n[first]);
    EACH_LANE if (g->alive >> l & 1 && TRACE_ROUNDS_MAX - g->rounds[l] < most) most =
        TRACE_ROUNDS_MAX - g->rounds[l];
    for (; rounds < PATIENCE && rounds + 1 < most && m != t->last; rounds++) {
        if (special_lanes(wr, wi, zr, zi, n, count) & g->alive)
            break;
        const double *Z = t->orbit + 2 * (size_t)m;
        real xr, xi;
        first_step(t, folded, turn, real_set(Z[0]), real_set(Z[1]), zr, zi, &xr, &xi);
        const int64_t found = find_together(k, g->alive, m, xr, xi, from - n, &passed);
        if (found == APART)
            break;
        const real first_r = xr + plain_r, first_i = xi + plain_i;
        real to_r = first_r, to_i = first_i;
        if (found != NONE)
            land_together(k, folded, g, found, xr, xi, &to_r, &to_i);
        if (t->c_log2 != 0 &&
            (lanes_below(xr, xi, PERTURBED_X_LEAST) | lanes_below(to_r, to_i, PERTURBED_Z_LEAST)) &
                g->alive)
            break;
        struct turns turns = turns_one(t, folded, turn);
        uint32_t length = 1;
        if (found != NONE) {
            pass(t, folded, &turns, c_size, n + real_set(1), real_set(Z[2]) + first_r,
                 real_set(Z[3]) + first_i, &passed);
            along_together(&k->segment[found], n, &passed);
            length = (uint32_t)t->segment[found].length;
            turns = turns_one(t, folded, perturbed_turn(t, folded, turn + length - 1));
        }
        m += length;
        n = n + real_set(length);
        zr = to_r;
        zi = to_i;
        wr = real_set(t->orbit[2 * (size_t)m]) + zr;
        wi = real_set(t->orbit[2 * (size_t)m + 1]) + zi;
        pass(t, folded, &turns, c_size, n, wr, wi, &passed);
        catch_point(from, n, wr, wi, &passed);
        turn = perturbed_turn(t, folded, turn + length);
    }
    passed_store(g, &passed);
    real_store(g->zr, zr);
    real_store(g->zi, zi);
    real_store(g->wr, wr);
    real_store(g->wi, wi);
    real_store(g->n, n);
    EACH_LANE g->m[l] = g->alive >> l & 1 ? m : 0;
    EACH_LANE g->rounds[l] += rounds;
    return lanes_ended(wr, wi, n, count) & g->alive;
}

/* Whether the living lanes are at one index. */
INLINE bool same_index(const struct group *g) {
    const double m = g->m[__builtin_ctz(g->alive)];
    unsigned apart = 0;
    EACH_LANE apart |= (unsigned)(g->m[l] != m) << l;
    return (apart & g->alive) == 0;
}

/* --- all --- */

static bool stopped(const struct kernel *k) {
    return atomic_load_explicit(k->points->stop, memory_order_relaxed);
}

/* Takes up to a vector of orbits to where they part. False: stopped. */
INLINE bool run_group(struct kernel *k, const bool folded, size_t at, size_t size) {
    struct group g = {0};
    for (size_t l = 0; l < size; l++)
        load_lane(k, &g, (int)l, k->now.id[at + l]);
    while (g.alive) {
        if (stopped(k))
            return false;
        if (same_index(&g))
            end_lanes(k, &g, run_together(k, folded, &g));
        if (g.alive)
            end_lanes(k, &g, run_round(k, folded, &g));
        if (g.alive && !same_index(&g)) {
            set_aside(k, &g, g.begun & g.alive, &k->again);
            set_aside(k, &g, g.alive, &k->apart);
        }
    }
    return true;
}

static void load_idle(const struct kernel *k, struct group *g, size_t *next) {
    for (unsigned idle = ALL_LANES & ~g->alive; idle && *next < k->apart.size; idle &= idle - 1)
        load_lane(k, g, __builtin_ctz(idle), k->apart.id[(*next)++]);
}

/* Takes those that are apart to their ends. */
INLINE void run_apart(struct kernel *k, const bool folded) {
    struct group a = {0}, b = {0};
    size_t next = 0;
    for (uint32_t rounds = 0;; rounds++) {
        load_idle(k, &a, &next);
        load_idle(k, &b, &next);
        if (!(a.alive | b.alive) || (rounds % PATIENCE == 0 && stopped(k)))
            return;
        const unsigned ended_a = run_round(k, folded, &a), ended_b = run_round(k, folded, &b);
        end_lanes(k, &a, ended_a);
        end_lanes(k, &b, ended_b);
    }
}

INLINE void run(struct kernel *k, const bool folded) {
    while (k->now.size > 0) {
        for (size_t at = 0; at < k->now.size; at += LANES)
            if (!run_group(k, folded, at, k->now.size - at < LANES ? k->now.size - at : LANES))
                return;
        const struct list done = k->now;
        k->now = k->again;
        k->again = (struct list){.id = done.id};
    }
    run_apart(k, folded);
}

/* Those that have escaped. */
static void begin(struct kernel *k) {
    const struct tile_points *p = k->points;
    const double *cr = p->cr, *ci = p->ci;
    for (size_t i = 0; i < p->size; i++) {
        struct trace_walk *w = &k->walks->walk[i];
        const uint32_t count = k->planes->count[i];
        if (count & SAMPLE_INTERIOR)
            continue;
        if (NAME(trace_begin)(w, &k->t, p->traces, cr[i], ci[i], count))
            k->now.id[k->now.size++] = (uint16_t)i;
        else
            NAME(trace_put)(w, k->planes, i);
    }
}

void NAME(perturbed_trace)(const struct tile_points *points, const struct sample_planes *planes) {
    struct kernel k = {
        .points = points,
        .planes = planes,
        .t = points->screen && points->screen->tables->orbit ? *points->screen->tables
                                                             : *points->perturbed,
        .segment = points->traces->segment,
        .walks = (struct walks *)points->scratch->bytes,
    };
    struct list *const lists[] = {&k.now, &k.again, &k.apart};
    for (int i = 0; i < 3; i++)
        *lists[i] = (struct list){.id = k.walks->lists[i]};
    k.t.series = points->traces->series;
    for (int p = SAMPLE_PLANE_stripe; p <= SAMPLE_PLANE_caught; p++)
        if (planes->plane[p])
            memset(planes->plane[p], 0, points->size * SAMPLE_PLANE_BYTES);
    begin(&k);
    if (!step_list_is_square(&k.t.steps))
        run(&k, true);
    else
        run(&k, false);
}
