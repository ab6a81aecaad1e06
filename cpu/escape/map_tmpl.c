/* Kernel of maps (SIMD; render/formula/map.h), compiled once per instruction set and number type.
 * Every step is tested, since orbits of maps may come back from anywhere.
 *
 * All points of a list advance in rounds of blocks of steps. If any lane of a vector ends in a
 * block, the kernel repeats the block step by step. Ended orbits are listed, and followed in full
 * vectors to the radius where their fraction is taken. After a round the living lanes are packed
 * together. */
#include "cpu/escape/denormals.h"
#include "cpu/escape/kernels.h"
#include "cpu/lanes_count.h"
#include "cpu/lanes_screen.h"
#include <math.h>
#include <string.h>

#define FORMULA_KERNEL
#define real_from(x) real_set((number)(x))
#include "render/formula/map_step.h"

#define GROUP       8 /* maximum number of vectors in flight */
#define POINTS      (GROUP * LANES)
#define ALL_LANES   ((unsigned)((1ull << LANES) - 1))
#define EACH_VECTOR _Pragma("GCC unroll 8") for (int v = 0; v < vectors(formula); v++)

#define BLOCK       8
#define ROUND_LEAST 16u        /* steps of the shortest round */
#define BLOCKS_MOST (1u << 20) /* maximum number of blocks of a round */
#define STOP_BLOCKS 1024       /* blocks between two reads of `stop` */

_Static_assert(POINTS <= TILE_SPARE, "lists have room for a group more");

/* Lists of orbits in memory: the members of struct map_point and the point's number, with room for
 * one group more. */
enum { ZR, ZI, CR, CI, YR, YI, ID, MEMBERS };
struct orbits {
    number *member[MEMBERS];
    size_t size;
};

/* State of an orbit that may be resumed; its size is that of frame_req_state_size. */
struct state {
    number zr, zi, yr, yi;
};

struct kernel {
    const struct tile_points *p;
    struct tile_samples *samples;
    struct orbits live, ended;
    /* Per ended orbit: |z|^2 and distance before the last step, and steps done. */
    number *norm2_before, *near_before;
    uint32_t *count;
    number escape;
    screen_word screen;
    int power;
    uint32_t n;
};

/* Returns the number of vectors in flight: more if a step is a few products that wait for each
 * other. */
INLINE int vectors(const int formula) {
    return formula == FORMULA_barnsley ? GROUP : formula == FORMULA_spider ? 6 : 4;
}

/* --- lists --- */

INLINE struct map_point load_point(const struct orbits *list, size_t at) {
    number *const *m = list->member;
    return (struct map_point){real_load(m[ZR] + at), real_load(m[ZI] + at), real_load(m[CR] + at),
                              real_load(m[CI] + at), real_load(m[YR] + at), real_load(m[YI] + at)};
}

INLINE void pack_number(number *p, unsigned bits, real x) {
    if (bits == ALL_LANES)
        real_store(p, x);
    else
        real_pack(p, bits, x);
}

INLINE void pack(struct orbits *to, unsigned bits, const struct map_point *p, real id) {
    const real members[] = {p->zr, p->zi, p->cr, p->ci, p->yr, p->yi, id};
    if (bits == 0)
        return;
    for (int i = 0; i < MEMBERS; i++)
        pack_number(to->member[i] + to->size, bits, members[i]);
    to->size += (size_t)__builtin_popcount(bits);
}

/* Returns the lanes of the vector at `first` that lie within a list of `size`. */
INLINE unsigned valid_lanes(size_t size, size_t first) {
    return size >= first + LANES ? ALL_LANES : size > first ? (1u << (size - first)) - 1 : 0;
}

/* Clears the group behind the list, which is read as well. */
static void pad(struct orbits *list) {
    for (int i = 0; i < MEMBERS; i++)
        memset(list->member[i] + list->size, 0, POINTS * sizeof(number));
}

static void take_memory(struct kernel *k) {
    number *next = (number *)k->p->scratch->bytes;
    struct orbits *const lists[] = {&k->live, &k->ended};
    number **const others[] = {&k->norm2_before, &k->near_before};
    for (size_t l = 0; l < 2; l++)
        for (int i = 0; i < MEMBERS; i++, next += TILE_LOW)
            lists[l]->member[i] = next;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++, next += TILE_LOW)
        *others[i] = next;
    k->count = (uint32_t *)next;
}

/* --- ended orbits --- */

/* Adds orbits that have ended; `before`: their points before the last step. */
INLINE void note_ended(struct kernel *k, const int formula, unsigned bits,
                       const struct map_point *p, const struct map_point *before, real id,
                       uint32_t count) {
    const size_t at = k->ended.size;
    pack_number(k->norm2_before + at, bits, norm2(before->zr, before->zi));
    pack_number(k->near_before + at, bits, map_near(formula, before));
    pack(&k->ended, bits, p, id);
    for (size_t i = at; i < k->ended.size; i++)
        k->count[i] = count;
}

/* End of an orbit. `norm2`: |z|^2 there; `climbed`: |z|^2 after `steps` more steps, times the gain;
 * `near`: distance from the limit point. */
struct ending {
    float norm2, climbed, near;
    int steps;
    number zr, zi; /* z at the end, or after `steps` more steps */
};

INLINE bool has_converged(const int formula, const struct ending *end) {
    return map_converges(formula) && end->near < (float)MAP_CLOSE;
}

static void write_sample(struct kernel *k, const int formula, size_t i, const struct ending *end) {
    const size_t id = (size_t)k->ended.member[ID][i];
    const bool converged = has_converged(formula, end);
    const bool climbs = map_climbs(formula) && !converged;
    const struct sample_planes *planes = &k->samples->planes;
    planes->count[id] = k->count[i];
    if (climbs)
        planes->fraction[id] = sample_fraction(end->climbed, end->steps, 1);
    else if (converged)
        planes->fraction[id] = map_fraction_converged((float)k->near_before[i], end->near);
    else
        planes->fraction[id] =
            map_fraction_scaled((float)k->norm2_before[i], end->norm2, (float)k->escape);
    if (planes->norm2)
        planes->norm2[id] = climbs ? sample_norm2(end->climbed) : 0;
    if (planes->angle)
        planes->angle[id] = slope_angle_any((double)end->zr, (double)end->zi);
    k->samples->escaped++;
    k->samples->steps += k->count[i];
}

/* Follows a vector of ended orbits, on to SMOOTH_NORM2 if the map's fractions are taken there. */
INLINE void follow(struct kernel *k, const int formula, size_t at) {
    struct map_point p = load_point(&k->ended, at);
    struct ending end[LANES] = {{0}};
    number squares[LANES], gains[LANES], near[LANES], zr[LANES], zi[LANES];
    unsigned under = valid_lanes(k->ended.size, at);
    real_store(squares, norm2(p.zr, p.zi));
    real_store(gains, norm2(p.cr, p.ci));
    real_store(near, map_near(formula, &p));
    real_store(zr, p.zr);
    real_store(zi, p.zi);
    for (int l = 0; l < LANES; l++) {
        end[l].zr = zr[l];
        end[l].zi = zi[l];
        end[l].norm2 = (float)squares[l];
        end[l].near = (float)near[l];
        gains[l] = (number)map_gain(formula, (float)gains[l]);
    }
    for (int steps = 0; map_climbs(formula) && under; steps++) {
        if (steps > 0)
            map_step(formula, k->power, &p);
        real_store(squares, norm2(p.zr, p.zi));
        real_store(zr, p.zr);
        real_store(zi, p.zi);
        for (int l = 0; l < LANES; l++) {
            if (under >> l & 1) {
                end[l].climbed = (float)(squares[l] * gains[l]);
                end[l].steps = steps;
                if (!has_converged(formula, &end[l])) {
                    end[l].zr = zr[l];
                    end[l].zi = zi[l];
                }
            }
            if (!(end[l].climbed < SMOOTH_NORM2) || steps == SMOOTH_STEPS)
                under &= ~(1u << l);
        }
    }
    for (size_t l = 0; l < LANES && at + l < k->ended.size; l++)
        write_sample(k, formula, at + l, &end[l]);
}

INLINE void follow_all(struct kernel *k, const int formula) {
    pad(&k->ended);
    for (size_t at = 0; at < k->ended.size; at += LANES)
        follow(k, formula, at);
    k->ended.size = 0;
}

/* --- steps --- */

INLINE lanes has_ended(const struct kernel *k, const int formula, const struct map_point *p) {
    const lanes out = lanes_not_less(norm2(p->zr, p->zi), real_set(k->escape));
    return map_converges(formula)
               ? lanes_either(out, lanes_less(map_near(formula, p), real_from(MAP_CLOSE)))
               : out;
}

/* Takes a vector through `steps` steps one by one, after `done` steps, because a lane ends within
 * them. Returns the remaining lanes. */
INLINE unsigned step_singly(struct kernel *k, const int formula, struct map_point *p, real id,
                            unsigned alive, uint32_t done, int steps) {
    for (int i = 1; i <= steps && alive; i++) {
        const struct map_point before = *p;
        map_step(formula, k->power, p);
        const unsigned ended = lanes_bits(has_ended(k, formula, p)) & alive;
        if (ended)
            note_ended(k, formula, ended, p, &before, id, done + (uint32_t)i);
        alive &= ~ended;
    }
    return alive;
}

struct group {
    struct map_point p[GROUP], start[GROUP]; /* points now, and at the start of the round */
    real id[GROUP];
    unsigned alive[GROUP]; /* a bit per lane */
    bool near;             /* a lane is near a limit point, so every step is tested */
};

INLINE bool group_lives(const int formula, const struct group *g) {
    unsigned alive = 0;
    EACH_VECTOR alive |= g->alive[v];
    return alive != 0;
}

/* Does a block of steps and marks in `ended` the lanes that may have ended. The test uses the bits
 * of the largest parts of z and needs no product. It may miss a NaN, but the test at the block's
 * end does not. */
INLINE void run_screened(const struct kernel *k, const int formula, struct map_point *p,
                         unsigned *ended, int steps) {
    screen far[GROUP];
    EACH_VECTOR far[v] = screen_none();
    for (int i = 0; i < steps; i++)
        EACH_VECTOR {
            map_step(formula, k->power, &p[v]);
            far[v] = screen_add(far[v], p[v].zr, p[v].zi, k->screen);
        }
    EACH_VECTOR ended[v] = screen_bits(far[v]) | lanes_bits(has_ended(k, formula, &p[v]));
}

/* Does a block of steps with all tests and marks in `ended` the lanes that have ended. */
INLINE void run_tested(const struct kernel *k, const int formula, struct map_point *p,
                       unsigned *ended, int steps) {
    lanes any[GROUP];
    EACH_VECTOR any[v] = lanes_less(real_set(0), real_set(0));
    for (int i = 0; i < steps; i++)
        EACH_VECTOR {
            map_step(formula, k->power, &p[v]);
            any[v] = lanes_either(any[v], has_ended(k, formula, &p[v]));
        }
    EACH_VECTOR ended[v] = lanes_bits(any[v]);
}

INLINE void run_block(struct kernel *k, const int formula, struct group *g, uint32_t done,
                      int steps) {
    struct map_point p[GROUP];
    unsigned ended[GROUP];
    const bool screened = map_screens(formula) && !g->near;
    EACH_VECTOR p[v] = g->p[v];
    if (screened)
        run_screened(k, formula, p, ended, steps);
    else
        run_tested(k, formula, p, ended, steps);
    EACH_VECTOR {
        const unsigned alive = g->alive[v];
        if (ended[v] & alive) {
            g->alive[v] = step_singly(k, formula, &g->p[v], g->id[v], alive, done, steps);
            g->near |= g->alive[v] == alive;
        }
        g->p[v] = p[v];
    }
}

/* Drops the orbits whose point equals the round's start, because they never end. Rounds grow
 * geometrically, so this is Brent's cycle search. `left`: number of steps that each dropped orbit
 * saves. */
INLINE void note_cycles(struct kernel *k, const int formula, struct group *g, uint32_t left) {
    EACH_VECTOR {
        const struct map_point *p = &g->p[v], *start = &g->start[v];
        lanes back = lanes_equal(p->zr, start->zr, p->zi, start->zi);
        if (map_second(formula) != SECOND_NONE)
            back = lanes_both(back, lanes_equal(p->yr, start->yr, p->yi, start->yi));
        const unsigned found = lanes_bits(back) & g->alive[v];
        k->samples->skipped += (uint64_t)__builtin_popcount(found) * left;
        g->alive[v] &= ~found;
    }
}

/* Runs the blocks of a round. Returns false if it was stopped. */
INLINE bool run_group(struct kernel *k, const int formula, struct group *g, int block,
                      uint32_t blocks) {
    const bool cycles = k->p->shortcuts & SHORTCUTS_CYCLE;
    for (uint32_t b = 0; b < blocks && group_lives(formula, g); b++) {
        const uint32_t done = k->n + b * (uint32_t)block, next = done + (uint32_t)block;
        if (b % STOP_BLOCKS == 0 && atomic_load_explicit(k->p->stop, memory_order_relaxed))
            return false;
        run_block(k, formula, g, done, block);
        if (cycles)
            note_cycles(k, formula, g, k->p->limit - next);
    }
    return true;
}

INLINE bool run_round(struct kernel *k, const int formula, int block, uint32_t blocks) {
    struct orbits alive = k->live;
    alive.size = 0;
    pad(&k->live);
    for (size_t at = 0; at < k->live.size; at += (size_t)vectors(formula) * LANES) {
        struct group g;
        g.near = false;
        EACH_VECTOR {
            const size_t first = at + (size_t)v * LANES;
            g.p[v] = g.start[v] = load_point(&k->live, first);
            g.id[v] = real_load(k->live.member[ID] + first);
            g.alive[v] = valid_lanes(k->live.size, first);
        }
        if (!run_group(k, formula, &g, block, blocks))
            return false;
        EACH_VECTOR pack(&alive, g.alive[v], &g.p[v], g.id[v]);
    }
    k->live = alive;
    k->n += blocks * (uint32_t)block;
    return true;
}

INLINE bool run_rounds(struct kernel *k, const int formula) {
    for (;;) {
        follow_all(k, formula);
        if (k->live.size == 0 || k->n >= k->p->limit)
            return true;
        const uint32_t left = k->p->limit - k->n;
        uint32_t steps = k->n > ROUND_LEAST ? k->n : ROUND_LEAST;
        steps = steps < left ? steps : left;
        const uint32_t block = steps < BLOCK ? 1 : BLOCK, blocks = steps / block;
        if (!run_round(k, formula, (int)block, blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST))
            return false;
    }
}

/* --- the whole list --- */

static const number lane_numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Fills `live` with the points; orbits that start outside have ended before their first step. */
INLINE void take_points(struct kernel *k, const int formula) {
    const struct tile_points *points = k->p;
    const struct recipe *recipe = points->recipe;
    const struct state *states = points->states;
    number *const *m = k->live.member;
    const size_t size = points->size;
    memcpy(m[CR], points->cr, size * sizeof(number));
    memcpy(m[CI], points->ci, size * sizeof(number));
    k->live.size = size;
    pad(&k->live);
    for (size_t i = 0; states && i < size; i++) {
        m[ZR][i] = states[i].zr;
        m[ZI][i] = states[i].zi;
        m[YR][i] = states[i].yr;
        m[YI][i] = states[i].yi;
    }
    const struct orbits from = k->live;
    k->live.size = 0;
    for (size_t at = 0; at < size; at += LANES) {
        const struct map_point there = load_point(&from, at);
        const real id = real_set((number)(int)at) + real_load(lane_numbers);
        unsigned valid = valid_lanes(size, at);
        struct map_point p =
            map_begin(formula, recipe->julia, there.cr, there.ci,
                      real_from(recipe->parameter_re[0]), real_from(recipe->parameter_im[0]));
        if (states) {
            p.zr = there.zr;
            p.zi = there.zi;
            p.yr = there.yr;
            p.yi = there.yi;
        } else {
            const lanes out = lanes_not_less(norm2(p.zr, p.zi), real_set(k->escape));
            const unsigned outside = lanes_bits(out) & valid;
            if (outside)
                note_ended(k, formula, outside, &p, &p, id, 0);
            valid &= ~outside;
        }
        pack(&k->live, valid, &p, id);
    }
}

/* Lists the points that reached the limit, with their states, if the caller asked for them. */
static void take_undecided(struct kernel *k) {
    struct tile_samples *samples = k->samples;
    number *const *m = k->live.member;
    for (size_t i = 0; samples->undecided && i < k->live.size; i++) {
        const size_t to = samples->undecided_size++;
        samples->undecided[to] = (uint16_t)(int)m[ID][i];
        ((struct state *)samples->states)[to] =
            (struct state){m[ZR][i], m[ZI][i], m[YR][i], m[YI][i]};
    }
}

/* Interleaves the cosines of several vectors, which the processor does not look far enough ahead
 * for. */
#if defined __GNUC__ && !defined __clang__
static bool run_collatz(struct kernel *k) __attribute__((optimize("schedule-insns")));
#endif

/* Defines a function per formula, called instead of inlined. */
#define MAP_RUN(name, ...)                                                                         \
    static __attribute__((noinline)) bool run_##name(struct kernel *k) {                           \
        take_points(k, FORMULA_##name);                                                            \
        return run_rounds(k, FORMULA_##name);                                                      \
    }
FORMULA_MAP_LIST(MAP_RUN)

static bool run(struct kernel *k) {
    switch (k->p->recipe->kind) {
#define MAP_CASE(name, ...)                                                                        \
    case FORMULA_##name:                                                                           \
        return run_##name(k);
        FORMULA_MAP_LIST(MAP_CASE)
    default:
        __builtin_unreachable();
    }
}

#define NAME3(isa, type) map_##isa##_##type
#define NAME2(isa, type) NAME3(isa, type)

bool NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(const struct tile_points *p,
                                          struct tile_samples *samples) {
    struct kernel k = {.p = p,
                       .samples = samples,
                       .escape = (number)p->recipe->escape,
                       .screen = screen_at(p->recipe->escape),
                       .power = p->recipe->power[0],
                       .n = p->done};
    tile_samples_begin(p, samples);
    take_memory(&k);
    const unsigned mode = denormals_avoid(p->recipe);
    const bool done = run(&k);
    denormals_restore(mode);
    if (done)
        take_undecided(&k);
    return done;
}
