/* Perturbed orbits of a list of points in wide numbers, compiled once per instruction set.
 *
 * As in perturbed_tmpl.c points go from stage to stage: around the reference, a vector of neighbours in
 * lockstep; away from it, where a vector takes the next orbit of the list wherever a lane has become
 * free; and once escaped to the radius where the fraction is taken. */
#include "cpu/escape/tile.h"
#include "render/deep/perturbed_point.h"
#include "render/sample.h"
#include <math.h>
#include <string.h>

#include "cpu/lanes_deep.h"
#define FORMULA_KERNEL
#define WIDE_KERNEL
#include "render/number/formula_wide.h"

#include "cpu/deep/parting.h"

#define STOP_ROUNDS 1024u /* between looks at `stop` */

/* The parts of a complex number: of its real part, and of its imaginary part. */
enum { RE, RE_LOW, IM, IM_LOW, PARTS };

/* An orbit, and as it is kept when it may go on: the tail's has m = PERTURBED_TAIL. */
struct state {
    double z[PARTS];
    uint32_t m, n;
};
_Static_assert(sizeof(struct state) <= FRAME_STATE_MAX, "a state has room");

/* Where it was at some of its events; see struct perturbed_cycle. */
struct cycle {
    double z[PARTS];
    uint32_t events, next;
};

struct list {
    uint16_t *id;
    size_t size;
};

struct kernel {
    const struct tile_points *p;
    const struct perturbed_tables *t;
    struct tile_samples *samples;
    struct state *orbit;    /* of each point; in the tail z is the orbit itself */
    struct cycle *cycle;    /* of each point */
    double (*place)[PARTS]; /* of each point: c as it is */
    struct list around, tail, escaped;
    struct list again;         /* around the reference in the next round of stages */
    uint64_t rounds, executed; /* the latter: steps, in which a segment is one */
};

/* A vector of orbits. Lanes that do not live are parked at z = 0, m = 0. */
struct group {
    _Alignas(64) double z[PARTS][LANES], c[PARTS][LANES];
    _Alignas(64) uint32_t m[LANES], n[LANES];
    uint32_t id[LANES];
    unsigned alive;
};

struct complex_wide {
    struct wide re, im;
};

static void add(struct list *list, uint32_t id) {
    list->id[list->size++] = (uint16_t)id;
}

static bool stopped(struct kernel *k) {
    return k->rounds++ % STOP_ROUNDS == 0 && atomic_load_explicit(k->p->stop, memory_order_relaxed);
}

/* --- arithmetic --- */

INLINE struct complex_wide load(double (*parts)[LANES]) {
    return (struct complex_wide){{real_load(parts[RE]), real_load(parts[RE_LOW])},
                                 {real_load(parts[IM]), real_load(parts[IM_LOW])}};
}

INLINE void store(double (*parts)[LANES], struct complex_wide x) {
    real_store(parts[RE], x.re.hi);
    real_store(parts[RE_LOW], x.re.lo);
    real_store(parts[IM], x.im.hi);
    real_store(parts[IM_LOW], x.im.lo);
}

INLINE struct complex_wide sum(struct complex_wide a, struct complex_wide b) {
    return (struct complex_wide){wide_add(a.re, b.re), wide_add(a.im, b.im)};
}

INLINE struct complex_wide product(struct complex_wide a, struct complex_wide b) {
    return (struct complex_wide){
        wide_add(wide_product(a.re, b.re), wide_negative(wide_product(a.im, b.im))),
        wide_add(wide_product(a.re, b.im), wide_product(a.im, b.re))};
}

/* a b + c */
INLINE struct complex_wide product_sum(struct complex_wide a, struct complex_wide b,
                                       struct complex_wide c) {
    return (struct complex_wide){
        wide_add3(wide_product(a.re, b.re), wide_negative(wide_product(a.im, b.im)), c.re),
        wide_add3(wide_product(a.re, b.im), wide_product(a.im, b.re), c.im)};
}

/* By a power of two. */
INLINE struct complex_wide scaled(struct complex_wide a, real by) {
    return (struct complex_wide){{a.re.hi * by, a.re.lo * by}, {a.im.hi * by, a.im.lo * by}};
}

INLINE struct wide select_wide(lanes m, struct wide a, struct wide b) {
    return (struct wide){lanes_select(m, a.hi, b.hi), lanes_select(m, a.lo, b.lo)};
}

INLINE real norm2_of(struct complex_wide z) {
    return norm2(z.re.hi, z.im.hi);
}

/* --- orbits and lanes --- */

static void leave(struct group *g, int lane) {
    g->alive &= ~(1u << lane);
    for (int i = 0; i < PARTS; i++)
        g->z[i][lane] = 0;
    g->m[lane] = 0;
}

/* From where it stands, or from w. */
static void keep_orbit(struct kernel *k, const struct group *g, int lane,
                       const double (*z)[LANES]) {
    struct state *o = &k->orbit[g->id[lane]];
    for (int i = 0; i < PARTS; i++)
        o->z[i] = z[i][lane];
    o->m = g->m[lane];
    o->n = g->n[lane];
}

static void end_at_limit(struct kernel *k, uint32_t id, uint32_t m) {
    struct tile_samples *samples = k->samples;
    if (!samples->undecided)
        return;
    const size_t to = samples->undecided_size++;
    samples->undecided[to] = (uint16_t)id;
    ((struct state *)samples->states)[to] = k->orbit[id];
    ((struct state *)samples->states)[to].m = m;
}

/* Whether a lane's orbit is back where it was. */
static bool returns(struct kernel *k, uint32_t id, const double (*z)[LANES], int lane) {
    struct cycle *c = &k->cycle[id];
    bool same = c->events > 0;
    if (!(k->p->shortcuts & SHORTCUTS_CYCLE))
        return false;
    for (int i = 0; i < PARTS; i++)
        same = same && c->z[i] == z[i][lane];
    if (same)
        return true;
    if (++c->events == c->next) {
        c->next *= 2;
        for (int i = 0; i < PARTS; i++)
            c->z[i] = z[i][lane];
    }
    return false;
}

/* Gives idle lanes the next orbits of a list. */
static void load_idle(const struct kernel *k, const struct list *list, bool tail, size_t *next,
                      struct group *g) {
    for (unsigned idle = ALL_LANES & ~g->alive; idle && *next < list->size; idle &= idle - 1) {
        const int l = __builtin_ctz(idle);
        const uint32_t id = list->id[(*next)++];
        const struct state *o = &k->orbit[id];
        const double *cr = k->p->cr, *ci = k->p->ci;
        const double c[PARTS] = {cr[id], cr[id + TILE_LOW], ci[id], ci[id + TILE_LOW]};
        for (int i = 0; i < PARTS; i++) {
            g->z[i][l] = o->z[i];
            g->c[i][l] = tail ? k->place[id][i] : c[i];
        }
        g->m[l] = o->m;
        g->n[l] = o->n;
        g->id[l] = id;
        g->alive |= 1u << l;
    }
}

/* --- around the reference --- */

/* What begins a round of one lane, at W. */
static void begin_round(struct kernel *k, struct group *g, int lane, const double (*w)[LANES]) {
    const double wr = w[RE][lane], wi = w[IM][lane], zr = g->z[RE][lane], zi = g->z[IM][lane];
    const uint32_t id = g->id[lane];
    if (perturbed_escapes(wr, wi)) {
        keep_orbit(k, g, lane, w);
        add(&k->escaped, id);
        leave(g, lane);
        return;
    }
    if (g->n[lane] >= k->p->limit) {
        keep_orbit(k, g, lane, (const double(*)[LANES])g->z);
        end_at_limit(k, id, g->m[lane]);
        leave(g, lane);
        return;
    }
    const double most_w = extended_most(wr, wi);
    double most_z = extended_most(zr, zi);
    if (most_w < most_z || g->m[lane] == k->t->last) {
        for (int i = 0; i < PARTS; i++)
            g->z[i][lane] = w[i][lane];
        g->m[lane] = 0;
        most_z = most_w;
        if (returns(k, id, w, lane)) {
            leave(g, lane);
            return;
        }
    }
    if (most_w >= PERTURBED_TAIL_FROM && most_z >= PERTURBED_TAIL_SHARE * most_w) {
        keep_orbit(k, g, lane, w);
        add(&k->tail, id);
        leave(g, lane);
    }
}

/* The numbers of the segments that lanes take. */
struct taken {
    _Alignas(64) double p[SEGMENT_DEGREE][PARTS][LANES], C[PARTS][LANES], scale[LANES];
    unsigned plain; /* those that take single steps */
};

INLINE struct complex_wide coefficient(const struct segment *s, const struct segment_low *low,
                                       int i) {
    return (struct complex_wide){{real_set(s->p[i][0]), real_set(low->p[i][0])},
                                 {real_set(s->p[i][1]), real_set(low->p[i][1])}};
}

/* Looks up each lane's segment for x, and counts its steps. False: none has any. */
INLINE bool find_segments(const struct perturbed_tables *t, struct group *g, struct complex_wide x,
                          struct taken *s) {
    _Alignas(64) double most[LANES];
    int64_t found[LANES];
    real_store(most, real_most(real_abs(x.re.hi), real_abs(x.im.hi)));
    s->plain = 0;
    EACH_LANE {
        found[l] = g->alive >> l & 1 ? perturbed_find(t, g->m[l], perturbed_log2(most[l])) : -1;
        s->plain |= (unsigned)(found[l] < 0) << l;
        const uint32_t length = found[l] < 0 ? 1 : (uint32_t)t->segment[found[l]].length;
        g->m[l] += g->alive >> l & 1 ? length : 0;
        g->n[l] += g->alive >> l & 1 ? length : 0;
    }
    if (s->plain == ALL_LANES)
        return false;
    const int any = __builtin_ctz(ALL_LANES & ~s->plain);
    EACH_LANE {
        const int64_t at = found[found[l] < 0 ? any : l];
        for (int i = 0; i < SEGMENT_DEGREE; i++) {
            s->p[i][RE][l] = t->segment[at].p[i][0];
            s->p[i][RE_LOW][l] = t->low[at].p[i][0];
            s->p[i][IM][l] = t->segment[at].p[i][1];
            s->p[i][IM_LOW][l] = t->low[at].p[i][1];
        }
        s->C[RE][l] = t->c[at][0];
        s->C[RE_LOW][l] = t->c_low[at][0];
        s->C[IM][l] = t->c[at][1];
        s->C[IM_LOW][l] = t->c_low[at][1];
        s->scale[l] = extended_power(-t->segment[at].t_log2);
    }
    return true;
}

/* The distances after those segments, or single steps. */
INLINE struct complex_wide take_segments(struct taken *s, struct complex_wide x,
                                         struct complex_wide c) {
    const struct complex_wide at = scaled(x, real_load(s->scale)), single = sum(x, c);
    struct complex_wide z = load(s->p[SEGMENT_DEGREE - 1]);
    for (int i = SEGMENT_DEGREE - 2; i >= 0; i--)
        z = product_sum(z, at, load(s->p[i]));
    z = product_sum(z, at, product(load(s->C), c));
    const lanes plain = lanes_of(s->plain);
    return (struct complex_wide){select_wide(plain, single.re, z.re),
                                 select_wide(plain, single.im, z.im)};
}

/* The same where all take this one. */
INLINE struct complex_wide take_together(const struct perturbed_tables *t, int64_t found,
                                         struct complex_wide x, struct complex_wide c) {
    const struct segment *s = &t->segment[found];
    const struct segment_low *low = &t->low[found];
    const struct complex_wide at = scaled(x, real_set(extended_power(-s->t_log2)));
    const struct complex_wide C = {{real_set(t->c[found][0]), real_set(t->c_low[found][0])},
                                   {real_set(t->c[found][1]), real_set(t->c_low[found][1])}};
    struct complex_wide z = coefficient(s, low, SEGMENT_DEGREE - 1);
    for (int i = SEGMENT_DEGREE - 2; i >= 0; i--)
        z = product_sum(z, at, coefficient(s, low, i));
    return product_sum(z, at, product(C, c));
}

/* Whether the living are at the same index, and which. */
INLINE bool same_index(const struct group *g, uint32_t *m) {
    unsigned apart = 0;
    *m = g->m[__builtin_ctz(g->alive)];
    EACH_LANE apart |= (unsigned)(g->m[l] != *m) << l;
    return (apart & g->alive) == 0;
}

INLINE struct complex_wide reference_at(const struct perturbed_tables *t, const struct group *g,
                                        bool together, uint32_t m) {
    const double *z = t->orbit + 2 * (size_t)m, *low = t->orbit_low + 2 * (size_t)m;
    if (together)
        return (struct complex_wide){{real_set(z[0]), real_set(low[0])},
                                     {real_set(z[1]), real_set(low[1])}};
    return (struct complex_wide){
        {real_pick(t->orbit, g->m), real_pick(t->orbit_low, g->m)},
        {real_pick(t->orbit + 1, g->m), real_pick(t->orbit_low + 1, g->m)}};
}

/* Keeps lanes that have rebased, where others have not, for later groups of such, which begin
 * together. */
static void set_aside(struct kernel *k, struct group *g) {
    unsigned begins = 0;
    EACH_LANE begins |= (unsigned)(g->m[l] == 0) << l;
    begins &= g->alive;
    if (begins == g->alive)
        return;
    for (; begins; begins &= begins - 1) {
        const int l = __builtin_ctz(begins);
        keep_orbit(k, g, l, (const double(*)[LANES])g->z);
        add(&k->again, g->id[l]);
        leave(g, l);
    }
}

/* A round of all lanes; where some begin theirs in a way of their own, that alone. */
static void run_round(struct kernel *k, struct group *g) {
    const struct perturbed_tables *t = k->t;
    uint32_t m;
    const bool together = same_index(g, &m);
    const struct complex_wide Z = reference_at(t, g, together, m), z = load(g->z), c = load(g->c),
                              w = sum(Z, z);
    unsigned special = parting_lanes(w.re.hi, w.im.hi, z.re.hi, z.im.hi);
    EACH_LANE special |= (unsigned)((g->m[l] == t->last) | (g->n[l] >= k->p->limit)) << l;
    special &= g->alive;
    if (special) {
        _Alignas(64) double at[PARTS][LANES];
        store(at, w);
        for (; special; special &= special - 1)
            begin_round(k, g, __builtin_ctz(special), (const double(*)[LANES])at);
        if (g->alive)
            set_aside(k, g);
        return;
    }
    k->executed += (unsigned)__builtin_popcount(g->alive);
    const struct complex_wide x = product(sum(scaled(Z, real_set(2)), z), z);
    const int64_t found = together ? find_together(t, g->alive, m, x.re.hi, x.im.hi) : APART;
    if (found == APART) {
        struct taken s;
        store(g->z, find_segments(t, g, x, &s) ? take_segments(&s, x, c) : sum(x, c));
    } else {
        const uint32_t length = found == NONE ? 1 : (uint32_t)t->segment[found].length;
        store(g->z, found == NONE ? sum(x, c) : take_together(t, found, x, c));
        EACH_LANE g->m[l] += g->alive >> l & 1 ? length : 0;
        EACH_LANE g->n[l] += g->alive >> l & 1 ? length : 0;
    }
    if (g->alive != ALL_LANES)
        EACH_LANE if (!(g->alive >> l & 1)) leave(g, l);
}

static bool run_around(struct kernel *k) {
    struct group g = {.alive = 0};
    for (size_t next = 0; next < k->around.size;) {
        load_idle(k, &k->around, false, &next, &g);
        while (g.alive) {
            if (stopped(k))
                return false;
            run_round(k, &g);
        }
    }
    const struct list done = k->around;
    k->around = k->again;
    k->again = (struct list){.id = done.id};
    return true;
}

/* --- away from it --- */

/* After a block of steps, none of which escaped. False: the orbit's stage is over. */
static bool end_block(struct kernel *k, struct group *g, int lane) {
    const uint32_t id = g->id[lane];
    const double(*z)[LANES] = (const double(*)[LANES])g->z;
    g->n[lane] += PERTURBED_TAIL_STEPS;
    g->m[lane] = 0;
    keep_orbit(k, g, lane, z);
    if (extended_most(z[RE][lane], z[IM][lane]) < PERTURBED_TAIL_FROM)
        add(&k->around, id);
    else if (g->n[lane] >= k->p->limit)
        end_at_limit(k, id, PERTURBED_TAIL);
    else if (!returns(k, id, z, lane))
        return true;
    return false; /* or it is known to go on for ever */
}

/* A block of steps. The lanes that escape in it are returned. */
static unsigned run_block(struct group *g) {
    const struct complex_wide c = load(g->c);
    struct complex_wide z = load(g->z);
    unsigned escaped = 0;
    for (int i = 0; i < PERTURBED_TAIL_STEPS; i++) {
        wide_step_square(FOLD_NONE, &z.re, &z.im, c.re, c.im);
        escaped |= lanes_bits(lanes_not_less(norm2_of(z), real_set(4)));
    }
    store(g->z, z);
    return escaped;
}

/* Takes the list's orbits from block to block. False: stopped. */
static bool run_tail(struct kernel *k) {
    struct group g = {.alive = 0};
    size_t next = 0;
    while (g.alive || next < k->tail.size) {
        load_idle(k, &k->tail, true, &next, &g);
        if (stopped(k))
            return false;
        const unsigned escaped = run_block(&g);
        k->executed += PERTURBED_TAIL_STEPS * (unsigned)__builtin_popcount(g.alive);
        for (unsigned left = g.alive; left; left &= left - 1) {
            const int l = __builtin_ctz(left);
            const bool gone = escaped >> l & 1;
            if (gone) /* from where the block began; its steps are counted later */
                add(&k->escaped, g.id[l]);
            if (gone || !end_block(k, &g, l))
                leave(&g, l);
        }
    }
    k->tail.size = 0;
    return true;
}

/* --- samples --- */

/* Counts the steps that are left to the escape, and takes the fractions of up to a vector of orbits. */
static void follow(struct kernel *k, size_t *next) {
    struct group g = {.alive = 0};
    load_idle(k, &k->escaped, true, next, &g);
    const struct complex_wide c = load(g.c);
    struct complex_wide z = load(g.z);
    real before = real_set(0), after = real_set(0), left = real_set(INFINITY);
    for (int i = 0; i < PERTURBED_TAIL_STEPS + SMOOTH_STEPS + 1; i++) {
        const real n2 = norm2_of(z);
        const lanes escaped = lanes_not_less(n2, real_set(4));
        const lanes arrived = lanes_not_less(n2, real_set(SMOOTH_NORM2));
        left = real_least(lanes_select(arrived, n2, real_set(INFINITY)), left);
        before = before + lanes_clear(escaped, real_set(1));
        after = after + lanes_clear(arrived, lanes_select(escaped, real_set(1), real_set(0)));
        if (lanes_bits(arrived) == ALL_LANES)
            break;
        wide_step_square(FOLD_NONE, &z.re, &z.im, c.re, c.im);
    }
    _Alignas(64) double steps[2][LANES], norm[LANES];
    real_store(steps[0], before);
    real_store(steps[1], after);
    real_store(norm, left);
    for (unsigned rest = g.alive; rest; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const uint32_t id = g.id[l];
        struct sample_planes *planes = &k->samples->planes;
        const int after_steps = (int)steps[1][l];
        const float n2 = after_steps <= SMOOTH_STEPS ? (float)norm[l] : 0.0f;
        const uint32_t n = k->orbit[id].n + (uint32_t)(int)steps[0][l];
        if (n > k->p->limit) { /* some steps at once took it there */
            end_at_limit(k, id, PERTURBED_TAIL);
            continue;
        }
        planes->count[id] = n;
        planes->fraction[id] = sample_fraction(n2, after_steps, 1.0f);
        if (planes->norm2)
            planes->norm2[id] = sample_norm2(n2);
        k->samples->steps += n;
        k->samples->escaped++;
    }
}

static void take_memory(struct kernel *k) {
    unsigned char *next = k->p->scratch->bytes;
    k->place = (double(*)[PARTS])next;
    next += TILE_POINTS_MAX * sizeof *k->place;
    k->cycle = (struct cycle *)next;
    next += TILE_POINTS_MAX * sizeof *k->cycle;
    k->orbit = (struct state *)next;
    next += TILE_POINTS_MAX * sizeof *k->orbit;
    struct list *lists[] = {&k->around, &k->tail, &k->escaped, &k->again};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++, next += 2 * TILE_POINTS_MAX)
        *lists[i] = (struct list){.id = (uint16_t *)next};
}

/* c as it is of a vector of points from the `at`th on; lists have room for whole vectors. */
static void find_places(struct kernel *k, size_t at, size_t size) {
    const double *cr = k->p->cr, *ci = k->p->ci;
    const struct perturbed_tables *t = k->t;
    const struct complex_wide c = {{real_load(cr + at), real_load(cr + at + TILE_LOW)},
                                   {real_load(ci + at), real_load(ci + at + TILE_LOW)}};
    const struct complex_wide of = {{real_set(t->re), real_set(t->re_low)},
                                    {real_set(t->im), real_set(t->im_low)}};
    _Alignas(64) double place[PARTS][LANES];
    store(place, sum(of, c));
    for (size_t l = 0; l < size; l++)
        for (int i = 0; i < PARTS; i++)
            k->place[at + l][i] = place[i][l];
}

static void begin(struct kernel *k) {
    const struct tile_points *p = k->p;
    const double *cr = p->cr, *ci = p->ci;
    const struct state *states = p->states;
    for (size_t at = 0; at < p->size; at += LANES)
        find_places(k, at, p->size - at < LANES ? p->size - at : LANES);
    for (uint32_t i = 0; i < p->size; i++) {
        k->cycle[i] = (struct cycle){.next = PERTURBED_CYCLE_FIRST};
        const bool outside = !states && perturbed_outside(k->t, cr[i], ci[i]);
        k->orbit[i] = states ? states[i] : (struct state){.m = outside ? PERTURBED_TAIL : 0};
        add(k->orbit[i].m == PERTURBED_TAIL ? &k->tail : &k->around, i);
    }
}

#define ISA_NAME2(isa) wide_##isa
#define ISA_NAME1(isa) ISA_NAME2(isa)

bool ISA_NAME1(TILE_ISA_NAME)(const struct tile_points *p, struct tile_samples *samples) {
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
    while (k.around.size + k.tail.size > 0)
        if (!run_around(&k) || !run_tail(&k))
            return false;
    for (size_t next = 0; next < k.escaped.size;)
        follow(&k, &next);
    tile_samples_skip(p, samples, k.executed);
    return true;
}
