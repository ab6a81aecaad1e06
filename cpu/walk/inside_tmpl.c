/* Interior cycles (SIMD): iterates interior orbits from their start to find their cycles
 * (render/formula/inside.h). All orbits take the same steps; finished orbits are removed from the
 * list at intervals. Each orbit with a cycle is then followed once around it. */
#include "cpu/walk/slope.h"
#include "cpu/walk/walk.h"
#include "render/formula/inside_depth.h"
#include "render/formula/inside_step.h"
#include "render/formula/trace.h"
#include <string.h>

#ifndef TILE_TYPE_WIDE
#include "cpu/lanes_count.h"
#endif

#define PASTE3(what, type) INSIDE_##what##_##type
#define PASTE2(what, type) PASTE3(what, type)
#if defined TILE_TYPE_FLOAT
#define INSIDE(what) PASTE2(what, FLOAT)
#elif defined TILE_TYPE_WIDE
#define INSIDE(what) PASTE2(what, WIDE)
#else
#define INSIDE(what) PASTE2(what, DOUBLE)
#endif

/* Steps between two removals: FEWEST after a mark, then doubling up to MOST. */
#define FEWEST      8u
#define MOST        256u
#define VECTOR_BITS ((unsigned)((1ull << LANES) - 1))

/* Orbits in flight, and by point number the points at which cycles were found. */
struct list {
    number zr[PARTS * TILE_LOW], zi[PARTS * TILE_LOW], cr[PARTS * TILE_LOW], ci[PARTS * TILE_LOW];
    number mark_r[TILE_LOW], mark_i[TILE_LOW]; /* mark to come back to; high parts */
    number least[TILE_LOW], atom[TILE_LOW], enough[TILE_LOW];
    number found_r[PARTS * TILE_LOW], found_i[PARTS * TILE_LOW];
    uint32_t id[TILE_LOW];
    size_t size;
};
_Static_assert(sizeof(struct list) <= sizeof(struct tile_scratch), "it is put there");

struct way {
    const struct tile_points *points;
    const struct sample_planes *planes;
    struct list *list;
    bool deep;
    double unit;
    uint32_t mark; /* step number of the mark; 0: none yet */
    /* SAMPLE_INTERIOR if there is none, as walk_order expects */
    uint32_t period[TILE_POINTS_MAX];
    unsigned alive[TILE_LOW]; /* per vector of the list: a bit per lane */
};

/* Vectors of the list in flight, and the events of their last step. */
struct group {
    value zr[GROUP], zi[GROUP], cr[GROUP], ci[GROUP];
    real mark_r[GROUP], mark_i[GROUP], least[GROUP], atom[GROUP], enough[GROUP];
    unsigned alive[GROUP], near[GROUP], escaped[GROUP];
};

/* --- the search --- */

/* Steps until the first event. Returns the number of steps done. `number_of`: number of the first
 * step, from 1. */
INLINE uint32_t steps_of(const int power, const unsigned folds, const bool tests, const real escape,
                         struct group *group, uint32_t number_of, uint32_t steps) {
    struct group g = *group;
    real at = real_set((number)number_of);
    unsigned events = 0;
    uint32_t i = 0;
    for (; i < steps && events == 0; i++) {
        EACH {
            step_z(power, folds, &g.zr[v], &g.zi[v], g.cr[v], g.ci[v]);
            const real square = value_norm2(g.zr[v], g.zi[v]);
            g.atom[v] = lanes_select(lanes_less(square, g.least[v]), at, g.atom[v]);
            g.least[v] = real_least(square, g.least[v]);
            g.escaped[v] = lanes_bits(lanes_not_less(square, escape));
            g.near[v] = 0;
            if (tests) {
                const real apart = inside_apart(value_high(g.zr[v]), value_high(g.zi[v]),
                                                g.mark_r[v], g.mark_i[v]);
                g.near[v] = lanes_bits(lanes_less(apart, g.enough[v]));
                const real nearer = apart * real_set((number)INSIDE(NEARER));
                g.enough[v] = real_least(nearer, g.enough[v]);
            }
            events |= (g.escaped[v] | g.near[v]) & g.alive[v];
        }
        at = at + real_set(1);
    }
    *group = g;
    return i;
}

/* Steps from step n on, n from 0, as above. Called instead of inlined, because the code is
 * large. */
static __attribute__((noinline)) uint32_t walk_on(const struct way *way, uint32_t n,
                                                  struct group *g, uint32_t steps) {
    const struct recipe *recipe = way->points->recipe;
    const real escape = real_set((number)recipe->escape);
    const uint32_t which = n % recipe->length, some = recipe->length == 1 ? steps : 1;
    const bool tests = way->mark > 0 && (n + 1 - way->mark) % recipe->length == 0;
    const unsigned folds = recipe->folds[which];
    switch (recipe->power[which] * 2 + tests) {
    case 2 * 2:
        return steps_of(2, folds, false, escape, g, n + 1, some);
    case 2 * 2 + 1:
        if (folds == FOLD_NONE)
            return steps_of(2, FOLD_NONE, true, escape, g, n + 1, some);
        return steps_of(2, folds, true, escape, g, n + 1, some);
#define POWER_CASE(power)                                                                          \
    case 2 * power:                                                                                \
        return steps_of(power, folds, false, escape, g, n + 1, some);                              \
    case 2 * power + 1:                                                                            \
        return steps_of(power, folds, true, escape, g, n + 1, some);
        RECIPE_POWERS(POWER_CASE)
#undef POWER_CASE
    default:
        __builtin_unreachable();
    }
}

static void load(const struct way *way, size_t at, struct group *g) {
    const struct list *l = way->list;
    EACH {
        const size_t i = at + (size_t)v * LANES;
        g->zr[v] = value_load(l->zr + i, TILE_LOW);
        g->zi[v] = value_load(l->zi + i, TILE_LOW);
        g->cr[v] = value_load(l->cr + i, TILE_LOW);
        g->ci[v] = value_load(l->ci + i, TILE_LOW);
        g->mark_r[v] = real_load(l->mark_r + i);
        g->mark_i[v] = real_load(l->mark_i + i);
        g->least[v] = real_load(l->least + i);
        g->atom[v] = real_load(l->atom + i);
        g->enough[v] = real_load(l->enough + i);
        g->alive[v] = way->alive[i / LANES];
    }
}

static void store(struct way *way, size_t at, const struct group *g) {
    struct list *l = way->list;
    EACH {
        const size_t i = at + (size_t)v * LANES;
        value_store(l->zr + i, g->zr[v]);
        value_store(l->zi + i, g->zi[v]);
        real_store(l->least + i, g->least[v]);
        real_store(l->atom + i, g->atom[v]);
        real_store(l->enough + i, g->enough[v]);
        way->alive[i / LANES] = g->alive[v];
    }
}

/* Stores the events after n steps, and marks their lanes as finished. */
static void note(struct way *way, size_t at, uint32_t n, struct group *g) {
    struct list *l = way->list;
    store(way, at, g);
    EACH {
        for (unsigned left = (g->near[v] | g->escaped[v]) & g->alive[v]; left; left &= left - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(left);
            const size_t i = at + (size_t)v * LANES + lane, id = l->id[i];
            way->planes->atom[id] = (uint32_t)l->atom[i];
            if (g->escaped[v] >> lane & 1)
                continue;
            way->period[id] = n - way->mark;
            for (size_t part = 0; part < PARTS * (size_t)TILE_LOW; part += TILE_LOW) {
                l->found_r[id + part] = l->zr[i + part];
                l->found_i[id + part] = l->zi[i + part];
            }
        }
        g->alive[v] &= ~(g->near[v] | g->escaped[v]);
    }
}

/* Takes all listed orbits `steps` steps further, from step n on. */
static void walk(struct way *way, uint32_t n, uint32_t steps) {
    for (size_t at = 0; at < way->list->size; at += TOGETHER) {
        struct group g;
        load(way, at, &g);
        for (uint32_t i = 0; i < steps;) {
            unsigned alive = 0, events = 0;
            EACH alive |= g.alive[v];
            if (alive == 0)
                break;
            i += walk_on(way, n + i, &g, steps - i);
            EACH events |= (g.near[v] | g.escaped[v]) & g.alive[v];
            if (events)
                note(way, at, n + i, &g);
        }
        store(way, at, &g);
    }
}

/* Sets `alive` to the lanes that the list fills, in all its vectors. */
static void finish_list(struct way *way) {
    const size_t size = way->list->size;
    for (size_t i = 0; i < size + TOGETHER; i += LANES)
        way->alive[i / LANES] = i + LANES <= size ? VECTOR_BITS
                                : i < size        ? (1u << (size - i)) - 1
                                                  : 0;
}

/* Removes finished orbits from the list if they are more than a quarter. */
static void pack(struct way *way) {
    struct list *l = way->list;
    size_t to = 0, alive = 0;
    for (size_t i = 0; i < l->size; i += LANES)
        alive += (size_t)__builtin_popcount(way->alive[i / LANES]);
    if (alive > l->size - l->size / 4)
        return;
    for (size_t i = 0; i < l->size; i += LANES) {
        const unsigned bits = way->alive[i / LANES];
        size_t id = to;
        value_pack(l->zr + to, bits, value_load(l->zr + i, TILE_LOW));
        value_pack(l->zi + to, bits, value_load(l->zi + i, TILE_LOW));
        value_pack(l->cr + to, bits, value_load(l->cr + i, TILE_LOW));
        value_pack(l->ci + to, bits, value_load(l->ci + i, TILE_LOW));
        pack_number(l->mark_r + to, bits, real_load(l->mark_r + i));
        pack_number(l->mark_i + to, bits, real_load(l->mark_i + i));
        pack_number(l->least + to, bits, real_load(l->least + i));
        pack_number(l->atom + to, bits, real_load(l->atom + i));
        pack_number(l->enough + to, bits, real_load(l->enough + i));
        for (unsigned left = bits; left; left &= left - 1)
            l->id[id++] = l->id[i + (unsigned)__builtin_ctz(left)];
        to = id;
    }
    l->size = to;
    finish_list(way);
}

/* Sets the mark that orbits have to come back to: their points after n steps. */
static void set_mark(struct way *way, uint32_t n) {
    struct list *l = way->list;
    memcpy(l->mark_r, l->zr, l->size * sizeof(number));
    memcpy(l->mark_i, l->zi, l->size * sizeof(number));
    for (size_t i = 0; i < l->size; i++)
        l->enough[i] = (number)INSIDE(NEAR);
    way->mark = n;
}

static void start(struct way *way, const struct walk_order *which) {
    struct list *l = way->list;
    l->size = which->size;
    for (size_t at = 0; at < l->size; at += TOGETHER) {
        value zr[GROUP], zi[GROUP], cr[GROUP], ci[GROUP];
        begin_points(way->points, which->at + at, zr, zi, cr, ci);
        EACH {
            const size_t i = at + (size_t)v * LANES;
            value_store(l->zr + i, zr[v]);
            value_store(l->zi + i, zi[v]);
            value_store(l->cr + i, cr[v]);
            value_store(l->ci + i, ci[v]);
            real_store(l->mark_r + i, real_set(0));
            real_store(l->mark_i + i, real_set(0));
            real_store(l->least + i, real_set((number)INSIDE_FAR));
            real_store(l->atom + i, real_set(0));
            real_store(l->enough + i, real_set(0));
        }
    }
    memcpy(l->id, which->at, l->size * sizeof *l->id);
    finish_list(way);
}

/* Searches the cycles of the points. Returns false if it was stopped. */
static bool search(struct way *way, const struct walk_order *which) {
    struct list *l = way->list;
    const uint32_t most = inside_steps_max(way->points->recipe);
    uint32_t next = inside_first(way->points->recipe->length), span = MOST;
    start(way, which);
    for (uint32_t n = 0; n < most && l->size > 0;) {
        if (atomic_load_explicit(way->points->stop, memory_order_relaxed))
            return false;
        const uint32_t end = next < most ? next : most;
        const uint32_t steps = end - n < span ? end - n : span;
        walk(way, n, steps);
        n += steps;
        span = span < MOST ? 2 * span : MOST;
        pack(way);
        if (n == next) {
            set_mark(way, n);
            next = 2 * n;
            span = FEWEST;
        }
    }
    for (size_t i = 0; i < l->size; i++)
        if (way->alive[i / LANES] >> i % LANES & 1)
            way->planes->atom[l->id[i]] = (uint32_t)l->atom[i];
    return true;
}

/* --- a round along the cycle --- */

/* Vectors of points, addressed by their numbers. */
struct round {
    value zr[GROUP], zi[GROUP], cr[GROUP], ci[GROUP];
    struct inside_turn turn[TOGETHER];
};

static void begin_round(const struct way *way, const uint32_t *at, struct round *r) {
    const struct list *l = way->list;
    value start_r[GROUP], start_i[GROUP];
    begin_points(way->points, at, start_r, start_i, r->cr, r->ci);
    EACH {
        number re[PARTS * LANES], im[PARTS * LANES];
        for (size_t k = 0; k < PARTS * LANES; k++) {
            const size_t from = at[(size_t)v * LANES + k % LANES] + k / LANES * TILE_LOW;
            re[k] = l->found_r[from];
            im[k] = l->found_i[from];
        }
        r->zr[v] = value_load(re, LANES);
        r->zi[v] = value_load(im, LANES);
    }
    for (size_t i = 0; i < TOGETHER; i++)
        r->turn[i] = inside_turn_begin();
}

/* Does step n of the round for the points whose periods are longer than n. */
static void turn_on(const struct way *way, uint32_t n, const uint32_t *at, struct round *r) {
    const struct recipe *recipe = way->points->recipe;
    const uint32_t which = n % recipe->length;
    const int power = recipe->power[which];
    const unsigned folds = recipe->folds[which];
    number re[TOGETHER], im[TOGETHER];
    EACH {
        real_store(re + v * LANES, value_high(r->zr[v]));
        real_store(im + v * LANES, value_high(r->zi[v]));
    }
    for (size_t i = 0; i < TOGETHER; i++) {
        const struct inside_number z = {(double)re[i], (double)im[i]};
        const double square = inside_square(z);
        struct inside_turn *turn = &r->turn[i];
        if (n >= way->period[at[i]])
            continue;
        turn->least = square < turn->least ? square : turn->least;
        if (way->deep)
            inside_derive(power, z, turn);
    }
    EACH switch (power) {
    case 2:
        step_z(2, folds, &r->zr[v], &r->zi[v], r->cr[v], r->ci[v]);
        break;
#define POWER_CASE(power)                                                                          \
    case power:                                                                                    \
        step_z(power, folds, &r->zr[v], &r->zi[v], r->cr[v], r->ci[v]);                            \
        break;
        RECIPE_POWERS(POWER_CASE)
#undef POWER_CASE
    }
}

/* Goes once round the cycles of `size` points and writes their samples. Returns false if it was
 * stopped. */
static bool go_round(const struct way *way, const uint32_t *at, size_t size) {
    const struct sample_planes *planes = way->planes;
    const uint32_t longest = way->period[at[size - 1]];
    struct round r;
    begin_round(way, at, &r);
    for (uint32_t n = 0; n < longest; n++) {
        if (n % PATIENCE == 0 && atomic_load_explicit(way->points->stop, memory_order_relaxed))
            return false;
        turn_on(way, n, at, &r);
    }
    for (size_t i = 0; i < size; i++) {
        const struct inside_turn *turn = &r.turn[i];
        planes->period[at[i]] = way->period[at[i]];
        planes->last[at[i]] = trace_nearness(double_sqrt(turn->least));
        if (way->deep)
            planes->depth[at[i]] = inside_depth(way->points->recipe->power[0], turn, way->unit);
    }
    return true;
}

#define NAME3(isa, type) inside_##isa##_##type
#define NAME2(isa, type) NAME3(isa, type)

void NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(const struct tile_points *points,
                                          const struct walk_order *which, double unit,
                                          const struct sample_planes *planes) {
    struct way way = {.points = points,
                      .planes = planes,
                      .list = (struct list *)points->scratch->bytes,
                      .deep = inside_has_depth(points->recipe),
                      .unit = unit};
    struct walk_order order;
    for (size_t i = 0; i < points->size; i++)
        way.period[i] = SAMPLE_INTERIOR;
    for (size_t i = 0; i < which->size; i++)
        planes->last[which->at[i]] = INSIDE_NONE;
    if (!search(&way, which))
        return;
    walk_order(way.period, points->size, &order);
    for (uint32_t i = 0; i < order.size; i += TOGETHER)
        if (!go_round(&way, order.at + i, order.size - i < TOGETHER ? order.size - i : TOGETHER))
            return;
}
