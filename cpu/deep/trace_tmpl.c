/* What perturbed orbits pass, compiled once per instruction set: a vector of orbits, each at an index of its own, and to
 * the bits of render/deep/point/trace_walk.h. Lanes whose orbits have ended take others'. */
#include "cpu/deep/trace.h"
#include "cpu/escape/screen.h"
#include "cpu/lanes_deep.h"
#include "cpu/walk/slope.h"
#include "render/deep/perturbed_traced.h"
#include <string.h>

#define FORMULA_KERNEL
#include "render/deep/perturbed_steps.h"
#include "render/formula/trace_step.h"

#define NAME4(stage, isa) stage##_##isa
#define NAME3(stage, isa) NAME4(stage, isa)
#define NAME(stage)       NAME3(stage, TILE_ISA_NAME)

#define EACH_LANE for (int l = 0; l < LANES; l++)
#define PATIENCE  1024u /* rounds between looks at whether to stop */

typedef double lane_numbers[LANES];

/* A vector of orbits: struct trace_walk, lane by lane; `plain` is what a single step adds around the reference, c
 * elsewhere. Idle lanes have ended. */
struct group {
    _Alignas(64) lane_numbers zr, zi, wr, wi, n, count, unit_r, unit_i, plain_r, plain_i, cr, ci,
        c_size, size, stripe, stripe_before, triangle,
        triangle_before, square, line, cross, circle, nearest;
    _Alignas(64) uint32_t m[LANES], rounds[LANES];
    uint32_t id[LANES];
    struct extended tiny[LANES];
    unsigned alive;
};

struct kernel {
    const struct tile_points *points;
    const struct sample_planes *planes;
    struct perturbed_tables t;
    const struct segment_trace *segment;
    size_t next; /* point to begin */
};

INLINE real real_sqrt(real x) {
    number each[LANES];
    real_store(each, x);
    EACH_LANE each[l] = __builtin_sqrt(each[l]);
    return real_load(each);
}

/* --- lanes --- */

static void get_lane(const struct kernel *k, const struct group *g, int l, struct trace_walk *w) {
    *w = (struct trace_walk){
        .t = &k->t,
        .segment = k->segment,
        .o = {g->zr[l], g->zi[l], g->unit_r[l], g->unit_i[l], g->m[l], (uint32_t)g->n[l], 0},
        .passed = {g->size[l], g->stripe[l], g->stripe_before[l], g->triangle[l],
                   g->triangle_before[l], g->square[l], g->line[l], g->cross[l], g->circle[l],
                   (uint32_t)g->nearest[l], g->tiny[l]},
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
    const double numbers[] = {w->o.zr,        w->o.zi,
                              w->wr,          w->wi,
                              w->o.n,         w->count,
                              w->o.cr,        w->o.ci,
                              w->o.cr * unit, w->o.ci * unit,
                              w->cr,          w->ci,
                              w->c_size,      p->size,
                              p->stripe,      p->stripe_before,
                              p->triangle,    p->triangle_before,
                              p->square,      p->line,
                              p->cross,       p->circle,
                              p->nearest};
    lane_numbers *const all[] = {&g->zr,       &g->zi,
                                 &g->wr,       &g->wi,
                                 &g->n,        &g->count,
                                 &g->unit_r,   &g->unit_i,
                                 &g->plain_r,  &g->plain_i,
                                 &g->cr,       &g->ci,
                                 &g->c_size,   &g->size,
                                 &g->stripe,   &g->stripe_before,
                                 &g->triangle, &g->triangle_before,
                                 &g->square,   &g->line,
                                 &g->cross,    &g->circle,
                                 &g->nearest};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        (*all[i])[l] = numbers[i];
    g->m[l] = w->o.m;
    g->rounds[l] = w->rounds;
    g->tiny[l] = p->tiny;
}

/* Gives a lane the next orbit. False: there is none. */
static bool load_lane(struct kernel *k, struct group *g, int l) {
    const struct tile_points *p = k->points;
    const double *cr = p->cr, *ci = p->ci;
    while (k->next < p->size) {
        const size_t i = k->next++;
        const uint32_t count = k->planes->count[i];
        struct trace_walk w;
        if (count & SAMPLE_INTERIOR)
            continue;
        if (!NAME(trace_begin)(&w, &k->t, p->traces, cr[i], ci[i], count)) {
            NAME(trace_put)(&w, k->planes, i);
            continue;
        }
        set_lane(g, l, &w);
        g->id[l] = (uint32_t)i;
        g->alive |= 1u << l;
        return true;
    }
    return false;
}

/* --- rounds --- */

/* What lanes have passed. */
struct passed {
    real size, stripe, stripe_before, triangle, triangle_before, square, line, cross, circle,
        nearest;
};

INLINE struct passed passed_load(const struct group *g) {
    return (struct passed){
        real_load(g->size),     real_load(g->stripe),          real_load(g->stripe_before),
        real_load(g->triangle), real_load(g->triangle_before), real_load(g->square),
        real_load(g->line),     real_load(g->cross),           real_load(g->circle),
        real_load(g->nearest)};
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
}

/* As perturbed_trace_pass, of points number `which`. */
INLINE void pass(const int power, real c_size, real which, real wr, real wi, struct passed *p) {
    const real square = trace_square(wr, wi), size = real_sqrt(square) * real_set(1 / TRACE_UNIT);
    const real triangle = p->triangle + trace_triangle(power, size, p->size, c_size);
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
                                       (uint32_t)(g->count[l] - g->n[l]));
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
INLINE void pass_along(const struct kernel *k, const int power, const struct group *g,
                       const struct taken *s, real zr, real zi, struct passed *p) {
    const real n = real_load(g->n), square = real_load(s->square);
    struct passed along = *p;
    pass(power, real_load(g->c_size), n + real_set(1), real_pick(k->t.orbit, s->next) + zr,
         real_pick(k->t.orbit + 1, s->next) + zi, &along);
    along.nearest =
        lanes_select(lanes_less(square, along.square), n + real_load(s->nearest), along.nearest);
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

/* Lanes at the last index. */
INLINE unsigned lanes_at(const struct group *g, uint32_t last) {
    unsigned at = 0;
    EACH_LANE at |= (unsigned)(g->m[l] == last) << l;
    return at;
}

/* A round of all lanes, as trace_walk_round and trace_walk_arrive. Those that have ended are returned. */
INLINE unsigned run_round(const struct kernel *k, const bool folded, struct group *g) {
    const struct perturbed_tables *t = &k->t;
    const int power = folded ? (int)t->power : 2;
    const real wr = real_load(g->wr), wi = real_load(g->wi), n = real_load(g->n);
    const real count = real_load(g->count), c_size = real_load(g->c_size);
    real zr = real_load(g->zr), zi = real_load(g->zi);
    const real most_w = real_most(real_abs(wr), real_abs(wi));
    const real most_z = real_most(real_abs(zr), real_abs(zi));
    const lanes rebases = lanes_or(lanes_less(most_w, most_z), lanes_of(lanes_at(g, t->last)));
    const real apart = lanes_select(rebases, most_w, most_z);
    const lanes far = lanes_and(lanes_not_less(most_w, real_set(PERTURBED_TAIL_FROM)),
                                lanes_not_less(apart, real_set(PERTURBED_TAIL_SHARE) * most_w));
    const lanes leaves = lanes_or(lanes_not_less(n, count), far), again = lanes_or(rebases, leaves);
    const unsigned left = lanes_bits(leaves), begins = lanes_bits(again);
    uint32_t m[LANES];
    EACH_LANE m[l] = begins >> l & 1 ? 0 : g->m[l];
    zr = lanes_select(again, wr, zr);
    zi = lanes_select(again, wi, zi);
    const real Zr = real_pick(t->orbit, m), Zi = real_pick(t->orbit + 1, m);
    real xr, xi;
    if (folded)
        perturbed_difference(power, t->folds, Zr, Zi, zr, zi, &xr, &xi);
    else
        perturbed_product(Zr, Zi, zr, zi, &xr, &xi);
    zr = xr + lanes_select(leaves, real_load(g->cr), real_load(g->plain_r));
    zi = xi + lanes_select(leaves, real_load(g->ci), real_load(g->plain_i));

    int64_t found[LANES];
    struct taken s;
    struct passed passed = passed_load(g);
    const real first_r = zr, first_i = zi;
    const unsigned around = g->alive & ~left;
    real length = real_set(1);
    find(k, g, m, xr, xi, around, found, &s);
    if (s.which) {
        look_up(k, folded, m, found, &s);
        land(g, folded, &s, xr, xi, &zr, &zi);
        pass_along(k, power, g, &s, first_r, first_i, &passed);
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
    _Alignas(64) lane_numbers steps;
    real_store(steps, length);
    EACH_LANE g->m[l] = left >> l & 1 ? 0 : m[l] + (uint32_t)steps[l];
    EACH_LANE g->m[l] = g->alive >> l & 1 ? g->m[l] : 0;
    EACH_LANE g->rounds[l]++;
    const real at_r = real_pick(t->orbit, g->m) + zr, at_i = real_pick(t->orbit + 1, g->m) + zi;
    pass(power, c_size, then, at_r, at_i, &passed);
    passed_store(g, &passed);
    real_store(g->zr, zr);
    real_store(g->zi, zi);
    real_store(g->wr, at_r);
    real_store(g->wi, at_i);
    real_store(g->n, then);
    const lanes there = lanes_or(lanes_not_less(norm2(true, at_r, at_i), real_set(SMOOTH_NORM2)),
                                 lanes_not_less(then, count + real_set(SMOOTH_STEPS)));
    unsigned ended = (lanes_bits(there) & ~below) | over;
    for (unsigned b = below; b; b &= b - 1) {
        const int l = __builtin_ctz(b);
        set_lane(g, l, &one[l]);
    }
    EACH_LANE ended |= (unsigned)(g->rounds[l] >= TRACE_ROUNDS_MAX) << l;
    return ended & g->alive;
}

/* False: stopped. */
INLINE bool run(struct kernel *k, const bool folded) {
    struct group g = {0};
    EACH_LANE load_lane(k, &g, l);
    for (uint32_t rounds = 0; g.alive; rounds++) {
        if (rounds % PATIENCE == 0 && atomic_load_explicit(k->points->stop, memory_order_relaxed))
            return false;
        for (unsigned ended = run_round(k, folded, &g); ended; ended &= ended - 1) {
            const int l = __builtin_ctz(ended);
            struct trace_walk w;
            get_lane(k, &g, l, &w);
            NAME(trace_put)(&w, k->planes, g.id[l]);
            g.alive &= ~(1u << l);
            if (!load_lane(k, &g, l))
                g.m[l] = 0;
        }
    }
    return true;
}

void NAME(perturbed_trace)(const struct tile_points *points, const struct sample_planes *planes) {
    struct kernel k = {
        .points = points,
        .planes = planes,
        .t = points->screen && points->screen->tables->orbit ? *points->screen->tables
                                                             : *points->perturbed,
        .segment = points->traces->segment,
    };
    k.t.series = points->traces->series;
    for (int p = SAMPLE_PLANE_stripe; p <= SAMPLE_PLANE_domain; p++)
        if (planes->plane[p])
            memset(planes->plane[p], 0, points->size * SAMPLE_PLANE_BYTES);
    if (perturbed_is_folded(k.t.power, k.t.folds))
        run(&k, true);
    else
        run(&k, false);
}
