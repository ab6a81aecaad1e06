/* Escape-time kernel (SIMD): iterates a list of points. Compiled once per kernel of formula.h,
 * instruction set and number type.
 *
 * All points of a list advance in rounds. In a round, each group of GROUP vectors does a number of
 * blocks of steps. At the end of a block the kernel finds the lanes that have escaped, stores z at
 * the block's start for them, and parks them on c = 0. After a round it packs the living lanes
 * together, so that the next round has full vectors. The escaped lanes are replayed from the stored
 * z, again in full vectors. Each step is tested then, which gives the exact count, and the orbit
 * goes on to the radius where the fraction is taken. If most points escape within a few steps, the
 * first round tests and counts every step from the start. */
#include "cpu/escape/kernels.h"
#include "cpu/escape/lists.h"
#include <math.h>

#include "render/interior.h"
#include "render/sample.h"

#define FORMULA_NUMBER(name)   FORMULA_##name
#define FORMULA_NUMBERED(name) FORMULA_NUMBER(name)
/* TILE_FORMULA comes from the build */
#define FORMULA FORMULA_NUMBERED(TILE_FORMULA)
#include "cpu/escape/escape_tail.h"

/* |c|^2, as a multiple of the squared escape radius, from which an orbit of 0 escapes in its first
 * step and surely stays outside. An orbit that starts on the radius may come back. */
#define FAR (1 + 0x1p-16)

#define EACH_VECTOR _Pragma("GCC unroll 8") for (int v = 0; v < GROUP; v++)

_Static_assert(POINTS <= TILE_SPARE && POINTS % TAIL_ORBITS == 0,
               "lists have room for a group more");

/* Steps between two tests: few while many orbits escape, many when orbits live long. The long block
 * is used from step LONG_FROM on, or from QUIET_FROM on if hardly any orbit escaped in the last
 * round. */
#define BLOCK_SHORT 8
#define BLOCK_LONG  32
#define LONG_FROM   128u
#define QUIET_FROM  64u
#define QUIET       16 /* a round is quiet if fewer than one orbit in QUIET escaped */

#define ROUND_LEAST 16u        /* steps of the shortest round */
#define BLOCKS_MOST (1u << 23) /* maximum number of blocks of a round; a float holds it exactly */
#define COUNT_BELOW 16u        /* only rounds that begin below this step count step by step */
/* a group counts step by step if one point in DYING of the last group escaped */
#define DYING       3
#define CYCLES_FROM 128u /* only rounds that begin at or after this step look for cycles */
#define STOP_BLOCKS 1024 /* blocks between two reads of `stop` */
#define TAIL_MOST   (BLOCK_LONG + SMOOTH_STEPS)

/* State of an orbit that may be resumed. */
struct state {
    number zr[PARTS], zi[PARTS];
};

struct kernel {
    const struct tile_points *p;
    struct tile_samples *samples;
    struct orbits live; /* orbits that have done n steps and have not escaped */
    /* Orbits that escaped, with z at the start of the block of the escape. */
    struct orbits escaped;
    number *block;   /* of the escaped: number of that block in the current round */
    uint32_t *start; /* of the escaped from earlier rounds: steps done at the block's start */
    struct endings ended;
    float *fraction; /* of the ended */
    number *zr, *zi; /* z of all points that are resumed */
    uint32_t n;
    number escape; /* from the recipe: squared escape radius */
};

/* --- blocks of steps --- */

/* GROUP vectors in flight. Parked lanes are not alive and have c = z = 0. */
struct group {
    value cr[GROUP], ci[GROUP];
    /* z at the start of the block in which a lane escaped */
    value start_r[GROUP], start_i[GROUP];
    real block[GROUP];                     /* number of that block */
    unsigned alive[GROUP], escaped[GROUP]; /* a bit per lane */
};

INLINE bool group_lives(const struct group *g) {
    unsigned alive = 0;
    EACH_VECTOR alive |= g->alive[v];
    return alive != 0;
}

INLINE void park(struct group *g, int v, lanes mask, value *zr, value *zi) {
    g->cr[v] = value_clear(mask, g->cr[v]);
    g->ci[v] = value_clear(mask, g->ci[v]);
    *zr = value_clear(mask, *zr);
    *zi = value_clear(mask, *zi);
    g->alive[v] &= ~lanes_bits(mask);
}

/* Parks the lanes that escaped in block b of the round, which began at (br, bi). */
INLINE void note_escapes(struct group *g, const lanes escaped[GROUP], const value br[GROUP],
                         const value bi[GROUP], uint32_t b, value zr[GROUP], value zi[GROUP]) {
    EACH_VECTOR {
        g->start_r[v] = value_select(escaped[v], br[v], g->start_r[v]);
        g->start_i[v] = value_select(escaped[v], bi[v], g->start_i[v]);
        g->block[v] = lanes_select(escaped[v], real_set((number)(int)b), g->block[v]);
        g->escaped[v] |= lanes_bits(escaped[v]);
        park(g, v, escaped[v], &zr[v], &zi[v]);
    }
}

/* Parks the lanes whose z equals the round's start (sr, si), because they never escape. Rounds grow
 * geometrically, so this is Brent's cycle search. `left`: number of steps that each parked lane
 * saves. Returns true if any lane was parked. */
INLINE bool note_cycles(struct group *g, const number *sr, const number *si, value zr[GROUP],
                        value zi[GROUP], uint32_t left, uint64_t *skipped) {
    lanes back[GROUP];
    unsigned any = 0;
    EACH_VECTOR {
        back[v] = value_equal(zr[v], value_load(sr + v * LANES, TILE_LOW), zi[v],
                              value_load(si + v * LANES, TILE_LOW));
        any |= lanes_bits(back[v]) & g->alive[v];
    }
    if (any)
        EACH_VECTOR {
            const unsigned found = lanes_bits(back[v]) & g->alive[v];
            *skipped += (uint64_t)__builtin_popcount(found) * left;
            park(g, v, back[v], &zr[v], &zi[v]);
        }
    return any != 0;
}

/* Takes the group up to `blocks` blocks further, fewer once no lane is alive. (sr, si): z at the
 * start of the round, for the cycle search. Returns false if it was stopped. */
INLINE bool run_blocks(struct kernel *k, struct group *g, const int block, const bool cycles,
                       uint32_t blocks, value zr[GROUP], value zi[GROUP], const number *sr,
                       const number *si) {
    for (uint32_t b = 0; b < blocks; b++) {
        value br[GROUP], bi[GROUP];
        lanes escaped[GROUP];
        unsigned any = 0;
        EACH_VECTOR {
            br[v] = zr[v];
            bi[v] = zi[v];
        }
        const uint32_t done = b * (uint32_t)block;
        do_steps(k->p->recipe, k->n + done, GROUP, block, zr, zi, g->cr, g->ci);
        EACH_VECTOR {
            escaped[v] = lanes_not_less(value_norm2(zr[v], zi[v]), real_set(k->escape));
            any |= lanes_bits(escaped[v]);
        }
        bool changed = any != 0;
        if (any)
            note_escapes(g, escaped, br, bi, b, zr, zi);
        const uint32_t since = done + (uint32_t)block;
        if (cycles && (!HYBRID(k->p->recipe) || since % k->p->recipe->length == 0))
            changed |=
                note_cycles(g, sr, si, zr, zi, k->p->limit - (k->n + since), &k->samples->skipped);
        if (changed && !group_lives(g))
            return true;
        if (b % STOP_BLOCKS == STOP_BLOCKS - 1 &&
            atomic_load_explicit(k->p->stop, memory_order_relaxed))
            return false;
    }
    return true;
}

INLINE void load_group(const struct kernel *k, size_t at, struct group *g, value zr[GROUP],
                       value zi[GROUP]) {
    EACH_VECTOR {
        const size_t first = at + (size_t)v * LANES;
        g->cr[v] = value_load(k->live.cr + first, TILE_LOW);
        g->ci[v] = value_load(k->live.ci + first, TILE_LOW);
        zr[v] = value_load(k->live.zr + first, TILE_LOW);
        zi[v] = value_load(k->live.zi + first, TILE_LOW);
        g->block[v] = real_set(0);
        g->start_r[v] = g->start_i[v] = value_of(real_set(0));
        g->escaped[v] = 0;
        g->alive[v] = valid_lanes(k->live.size, first);
    }
}

/* Moves the group's points to the lists of the living and the escaped. `alive` grows over entries
 * of the same memory that were read already. */
INLINE void store_group(struct kernel *k, size_t at, struct orbits *alive, const struct group *g,
                        const value zr[GROUP], const value zi[GROUP]) {
    EACH_VECTOR {
        const size_t first = at + (size_t)v * LANES;
        if (g->alive[v] == ALL_LANES && alive->size == first) {
            value_store(alive->zr + first, zr[v]);
            value_store(alive->zi + first, zi[v]);
            alive->size += LANES;
            continue;
        }
        const value cr = value_load(k->live.cr + first, TILE_LOW),
                    ci = value_load(k->live.ci + first, TILE_LOW);
        const real id = real_load(k->live.id + first);
        if (g->escaped[v]) {
            real_pack(k->block + k->escaped.size, g->escaped[v], g->block[v]);
            pack(&k->escaped, g->escaped[v], cr, ci, g->start_r[v], g->start_i[v], id);
        }
        pack(alive, g->alive[v], cr, ci, zr[v], zi[v], id);
    }
}

/* --- steps with tests --- */

/* Takes TAIL_VECTORS vectors `steps` steps further and tests each step; follows escaping lanes at
 * once. */
INLINE void count_vectors(struct kernel *k, size_t at, struct orbits *alive, uint32_t steps) {
    struct endings *ended = &k->ended;
    struct escape_tail c;
    unsigned living[TAIL_VECTORS] = {0};
    bool continues = true;
    escape_tail_load(&c, &k->live, at);
    c.done = k->n;
    for (uint32_t j = 0; j < steps && continues; j++)
        continues = escape_tail_step(k->p->recipe, &c, &k->live, at, living);
    value zr[TAIL_VECTORS], zi[TAIL_VECTORS];
    EACH_TAIL {
        zr[v] = c.zr[v];
        zi[v] = c.zi[v];
        living[v] =
            lanes_bits(lanes_not_less(value_norm2(zr[v], zi[v]), real_set(k->escape))) ^ ALL_LANES;
    }
    for (int j = 0; j < SMOOTH_STEPS && continues; j++)
        continues = escape_tail_step(k->p->recipe, &c, &k->live, at, living);
    EACH_TAIL {
        const size_t first = at + (size_t)v * LANES;
        const unsigned valid = valid_lanes(k->live.size, first), gone = ~living[v] & valid;
        const real id = real_load(k->live.id + first);
        if (gone) {
            pack_number(ended->steps + ended->size, gone, c.steps[v]);
            pack_number(ended->norm2 + ended->size, gone, c.norm2[v]);
            pack_number(ended->id + ended->size, gone, id);
            ended->size += (size_t)__builtin_popcount(gone);
        }
        pack(alive, living[v] & valid, value_load(k->live.cr + first, TILE_LOW),
             value_load(k->live.ci + first, TILE_LOW), zr[v], zi[v], id);
    }
}

/* Selection of escaped orbits for follow_escaped, and their known properties. */
enum follow {
    FOLLOW_FULL,    /* as many as fill vectors; the rest waits for more */
    FOLLOW_ALL,     /* all orbits */
    FOLLOW_CAREFUL, /* all orbits; every one of them escapes in its first step */
    FOLLOW_OUTSIDE  /* all orbits; every one of them starts outside the escape radius */
};

INLINE void follow_escaped(struct kernel *k, enum follow which) {
    struct orbits *list = &k->escaped;
    struct endings *ended = &k->ended;
    const size_t size = which == FOLLOW_FULL ? list->size / TAIL_ORBITS * TAIL_ORBITS : list->size;
    const size_t rest = list->size - size;
    const unsigned none[TAIL_VECTORS] = {0};
    const struct recipe *recipe = k->p->recipe;
    const int most = TAIL_MOST + (HYBRID(recipe) ? (int)recipe->length : 0);
    if (which != FOLLOW_FULL)
        pad(list);
    for (size_t at = 0; at < size; at += TAIL_ORBITS) {
        struct escape_tail c;
        escape_tail_load(&c, list, at);
        if (which == FOLLOW_OUTSIDE)
            escape_tail_start_outside(&c);
        else if (HYBRID(recipe))
            escape_tail_wait(&c, k->start + at, recipe->length);
        for (int j = 0; j < most && escape_tail_step(recipe, &c, list, at, none); j++)
            continue;
        EACH_TAIL {
            const size_t to = ended->size + at + (size_t)v * LANES;
            real_store(ended->steps + to, c.steps[v]);
            real_store(ended->norm2 + to, c.norm2[v]);
        }
    }
    for (size_t i = ended->size; which >= FOLLOW_CAREFUL && i < ended->size + size; i++)
        ended->steps[i] = (number)((int)ended->steps[i] / ARRIVAL * ARRIVAL);
    memcpy(ended->id + ended->size, list->id, size * sizeof *list->id);
    memcpy(ended->start + ended->size, k->start, size * sizeof *k->start);
    ended->size += size;
    number *const members[] = {list->cr, list->ci, list->zr, list->zi};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        list_move(members[i], members[i] + size, rest);
    memmove(list->id, list->id + size, rest * sizeof(number));
    memmove(k->start, k->start + size, rest * sizeof *k->start);
    list->size = rest;
}

/* --- samples --- */

/* Adds the counts to `start` and computes the fractions. Each inner loop has one element width, so
 * that compilers vectorise it. */
static void make_samples(const struct endings *ended, const struct recipe *recipe,
                         uint32_t *restrict count, float *restrict fraction) {
    const float scale = recipe->scale[0];
    for (size_t at = 0; at < ended->size; at += POINTS) {
        int steps[POINTS];
        float n2[POINTS];
        for (size_t i = 0; i < POINTS; i++)
            steps[i] = (int)ended->steps[at + i];
        for (size_t i = 0; i < POINTS; i++)
            n2[i] = (float)ended->norm2[at + i];
        for (size_t i = 0; i < POINTS; i++) {
            const int escape = steps[i] % ARRIVAL, after = steps[i] / ARRIVAL - escape;
            count[at + i] += 1 + (uint32_t)escape;
            fraction[at + i] = sample_fraction(after <= SMOOTH_STEPS ? n2[i] : 0.0f, after, scale);
        }
        for (size_t i = 0; HYBRID(recipe) && i < POINTS; i++) {
            const int after = steps[i] / ARRIVAL - steps[i] % ARRIVAL;
            fraction[at + i] =
                sample_fraction(after <= SMOOTH_STEPS ? n2[i] : 0.0f, after,
                                recipe_scale(recipe, count[at + i] + (uint32_t)after));
        }
    }
}

/* Writes the norm2 plane of the ended orbits, unless it is NULL. */
static void write_norm2(const struct endings *ended, float *norm2) {
    for (size_t i = 0; norm2 && i < ended->size; i++) {
        const int steps = (int)ended->steps[i], after = steps / ARRIVAL - steps % ARRIVAL;
        norm2[(uint32_t)(int)ended->id[i]] =
            after <= SMOOTH_STEPS ? sample_norm2((float)ended->norm2[i]) : 0.0f;
    }
}

static void write_samples(struct kernel *k) {
    struct endings *ended = &k->ended;
    uint32_t *count = k->samples->planes.count;
    float *fraction = k->samples->planes.fraction;
    memset(ended->steps + ended->size, 0, POINTS * sizeof *ended->steps);
    memset(ended->norm2 + ended->size, 0, POINTS * sizeof *ended->norm2);
    memset(ended->start + ended->size, 0, POINTS * sizeof *ended->start);
    write_norm2(ended, k->samples->planes.norm2);
    make_samples(ended, k->p->recipe, ended->start, k->fraction);
    for (size_t i = 0; i < ended->size; i++) {
        const uint32_t id = (uint32_t)(int)ended->id[i];
        count[id] = ended->start[i];
        fraction[id] = k->fraction[i];
        k->samples->steps += ended->start[i];
    }
    k->samples->escaped += ended->size;
    ended->size = 0;
}

/* --- rounds --- */

/* Takes the group at `at` through a round in blocks. Returns false if it was stopped. */
INLINE bool run_group(struct kernel *k, size_t at, struct orbits *alive, const int block,
                      const bool cycles, uint32_t blocks) {
    struct group g;
    value zr[GROUP], zi[GROUP];
    load_group(k, at, &g, zr, zi);
    if (atomic_load_explicit(k->p->stop, memory_order_relaxed) ||
        !run_blocks(k, &g, block, cycles, blocks, zr, zi, k->live.zr + at, k->live.zi + at))
        return false;
    store_group(k, at, alive, &g, zr, zi);
    return true;
}

INLINE bool run_round(struct kernel *k, const int block, const bool cycles, uint32_t blocks) {
    const size_t before = k->escaped.size, ended_before = k->ended.size;
    struct orbits alive = k->live;
    bool dying = k->n < COUNT_BELOW; /* many points of the last group escaped */
    alive.size = 0;
    pad(&k->live);
    for (size_t at = 0; at < k->live.size; at += POINTS) {
        const size_t was = k->escaped.size + k->ended.size;
        if (dying && block == BLOCK_SHORT)
            for (size_t i = at; i < at + POINTS && i < k->live.size; i += TAIL_ORBITS)
                count_vectors(k, i, &alive, blocks * (uint32_t)block);
        else if (!run_group(k, at, &alive, block, cycles, blocks))
            return false;
        dying = k->n < COUNT_BELOW && (k->escaped.size + k->ended.size - was) * DYING >= POINTS;
    }
    for (size_t i = ended_before; i < k->ended.size; i++)
        k->ended.start[i] = k->n;
    for (size_t i = before; i < k->escaped.size; i++)
        k->start[i] = k->n + (uint32_t)block * (uint32_t)(int)k->block[i];
    k->live = alive;
    k->n += blocks * (uint32_t)block;
    return true;
}

/* Returns the number of blocks that fit into `steps`, at most BLOCKS_MOST. */
static inline uint32_t blocks_of(uint32_t steps, uint32_t block) {
    const uint32_t blocks = steps / block;
    return blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST;
}

/* Chooses the length of the next round and its block size, and runs it. `careful`: every step is
 * tested. `quiet`: few orbits escaped in the last round. */
INLINE bool run_next_round(struct kernel *k, bool careful, bool quiet) {
    const uint32_t left = k->p->limit - k->n;
    uint32_t steps = quiet ? k->n : k->n / 2;
    steps = steps > ROUND_LEAST ? steps : ROUND_LEAST;
    steps = steps < left ? steps : left;
    if (careful || steps < BLOCK_SHORT)
        return run_round(k, 1, false, blocks_of(steps, 1));
    if (steps < BLOCK_LONG || k->n < (quiet ? QUIET_FROM : LONG_FROM))
        return run_round(k, BLOCK_SHORT, false, blocks_of(steps, BLOCK_SHORT));
    if (!(k->p->shortcuts & SHORTCUTS_CYCLE) || k->n < CYCLES_FROM)
        return run_round(k, BLOCK_LONG, false, blocks_of(steps, BLOCK_LONG));
    return run_round(k, BLOCK_LONG, true, blocks_of(steps, BLOCK_LONG));
}

INLINE bool run_rounds(struct kernel *k, bool careful) {
    bool quiet = false;
    while (k->live.size > 0 && k->n < k->p->limit) {
        const size_t before = k->live.size;
        if (!run_next_round(k, careful, quiet))
            return false;
        quiet = (before - k->live.size) * QUIET < before;
        follow_escaped(k, careful ? FOLLOW_CAREFUL : FOLLOW_FULL);
        write_samples(k);
    }
    return true;
}

/* --- the whole list --- */

static const number lane_numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static void take_memory(struct kernel *k) {
    number **const values[] = {&k->live.cr,    &k->live.ci,    &k->live.zr,    &k->live.zi,
                               &k->escaped.cr, &k->escaped.ci, &k->escaped.zr, &k->escaped.zi,
                               &k->zr,         &k->zi};
    number **const members[] = {&k->live.id,     &k->escaped.id, &k->ended.steps,
                                &k->ended.norm2, &k->ended.id,   &k->block};
    const size_t room = TILE_LOW;
    number *next = (number *)k->p->scratch->bytes;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++, next += PARTS * room)
        *values[i] = next;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++, next += room)
        *members[i] = next;
    k->start = (uint32_t *)next;
    k->ended.start = k->start + room;
    k->fraction = (float *)(k->ended.start + room);
}

/* Source of a run's points: the caller's list, or the points at its end that do not fill a
 * vector. */
struct source {
    const number *pr, *pi, *zr, *zi; /* zr and zi are NULL if orbits start */
    size_t first, size, low;
};

/* Points that a run iterates: see select_vectors. */
enum care { CARE_NONE, CARE_NEEDED };

/* Sets inside[i] to 1 if point i is surely interior, else to 0. */
static void find_interior(const number *cr, const number *ci, size_t size,
                          number *restrict inside) {
    for (size_t i = 0; i < size; i++)
        inside[i] = (number)interior_surely((double)cr[i], (double)ci[i], (double)INTERIOR_MARGIN);
}

/* Returns a number of the recipe in all lanes. */
INLINE value parameter_of(const double parameter[2]) {
    number parts[PARTS * LANES];
    for (int i = 0; i < PARTS * LANES; i++)
        parts[i] = (number)parameter[i / LANES];
    return value_load(parts, LANES);
}

/* Adds the points of the given care to `live`. Points between the radii `safe` and FAR need care:
 * their orbits may come back after the escape radius. Points with |c| beyond FAR whose orbits start
 * from 0 escape in their first step, so they are listed as escaped in that block. Orbits of a Julia
 * set that start outside are listed as escaped before it. Returns true if there are points that
 * need care. */
INLINE bool select_vectors(struct kernel *k, const struct source *from, enum care care,
                           const number *inside) {
    const bool julia = k->p->recipe->julia, starts = !from->zr;
    const number far = starts && !julia ? (number)(k->p->recipe->escape * FAR) : INFINITY;
    const number safe = (number)k->p->recipe->safe;
    const value parameter_r = parameter_of(k->p->recipe->parameter_re);
    const value parameter_i = parameter_of(k->p->recipe->parameter_im);
    unsigned careful = 0;
    real id = real_set((number)(int)from->first) + real_load(lane_numbers);
    for (size_t i = 0; i < from->size; i += LANES, id = id + real_set(LANES)) {
        const unsigned valid = valid_lanes(from->size, i);
        const unsigned iterated = k->p->limit > k->n ? valid : 0;
        const value pr = value_load(from->pr + i, from->low);
        const value pi = value_load(from->pi + i, from->low);
        const value cr = julia ? parameter_r : pr, ci = julia ? parameter_i : pi;
        const value origin = value_of(real_set(0));
        const value zr = !starts ? value_load(from->zr + i, from->low) : julia ? pr : origin;
        const value zi = !starts ? value_load(from->zi + i, from->low) : julia ? pi : origin;
        const real c2 = value_norm2(cr, ci);
        const unsigned outside =
            julia && starts
                ? lanes_bits(lanes_not_less(value_norm2(zr, zi), real_set(k->escape))) & valid
                : 0;
        const unsigned first = outside | (lanes_bits(lanes_not_less(c2, real_set(far))) & iterated);
        const unsigned ring = lanes_bits(lanes_not_less(c2, real_set(safe))) & ~first & iterated;
        unsigned bits = care == CARE_NEEDED ? ring : valid & ~(first | ring);
        careful |= ring;
        if (inside) {
            const unsigned sure = lanes_bits(lanes_not_less(real_load(inside + i), real_set(1)));
            k->samples->skipped += (uint64_t)__builtin_popcount(sure & bits) * (k->p->limit - k->n);
            bits &= ~sure;
        }
        if (care == CARE_NONE && first) {
            for (int j = 0; j < __builtin_popcount(first); j++)
                k->start[k->escaped.size + (size_t)j] = k->n - (outside != 0);
            pack(&k->escaped, first, cr, ci, zr, zi, id);
        }
        pack(&k->live, bits, cr, ci, zr, zi, id);
    }
    return careful != 0;
}

static void unpack_states(struct kernel *k) {
    const struct state *states = k->p->states;
    for (size_t i = 0; states && i < k->p->size; i++) {
        for (size_t part = 0; part < PARTS; part++) {
            k->zr[i + part * TILE_LOW] = states[i].zr[part];
            k->zi[i + part * TILE_LOW] = states[i].zi[part];
        }
    }
}

/* Fills `live` with the points of the given care. Returns true if points that need care are
 * left. */
INLINE bool select_points(struct kernel *k, enum care care) {
    const struct tile_points *p = k->p;
    const size_t whole = p->size / LANES * LANES, rest = p->size - whole;
    number last[4][PARTS * LANES] = {{0}};
    const struct source list = {
        p->cr, p->ci, p->states ? k->zr : NULL, p->states ? k->zi : NULL, 0, whole, TILE_LOW};
    const struct source end = {
        last[0], last[1], list.zr ? last[2] : NULL, list.zi ? last[3] : NULL, whole, rest, LANES};
    const number *const lists[] = {list.pr, list.pi, list.zr, list.zi};
    number *inside = NULL;
    if (FORMULA_IS_OF(FORMULAS_INTERIOR, FORMULA) && p->shortcuts & SHORTCUTS_CARDIOID &&
        care == CARE_NONE && !p->recipe->julia) {
        inside = k->block;
        find_interior(list.pr, list.pi, p->size, inside);
    }
    for (int i = 0; i < (list.zr ? 4 : 2); i++)
        for (size_t part = 0; part < PARTS; part++)
            memcpy(last[i] + part * LANES, lists[i] + whole + part * TILE_LOW,
                   rest * sizeof(number));
    k->live.size = 0;
    k->n = p->done;
    bool careful = select_vectors(k, &list, care, inside);
    careful |= select_vectors(k, &end, care, inside ? inside + whole : NULL);
    return careful && care == CARE_NONE;
}

/* Lists the points that reached the limit, with their states, if the caller asked for them. */
static void take_undecided(struct kernel *k) {
    struct tile_samples *samples = k->samples;
    if (!samples->undecided)
        return;
    for (size_t i = 0; i < k->live.size; i++) {
        const size_t to = samples->undecided_size++;
        samples->undecided[to] = (uint16_t)(int)k->live.id[i];
        for (size_t part = 0; part < PARTS; part++) {
            ((struct state *)samples->states)[to].zr[part] = k->live.zr[i + part * TILE_LOW];
            ((struct state *)samples->states)[to].zi[part] = k->live.zi[i + part * TILE_LOW];
        }
    }
}

#define NAME3(formula, isa, type) tile_##formula##_##isa##_##type
#define NAME2(formula, isa, type) NAME3(formula, isa, type)

bool NAME2(TILE_FORMULA, TILE_ISA_NAME, TILE_TYPE_NAME)(const struct tile_points *p,
                                                        struct tile_samples *samples) {
    struct kernel k = {.p = p, .samples = samples, .escape = (number)p->recipe->escape};
    tile_samples_begin(p, samples);
    take_memory(&k);
    unpack_states(&k);
    bool more = select_points(&k, CARE_NONE);
    if (p->recipe->julia) {
        follow_escaped(&k, FOLLOW_OUTSIDE);
        write_samples(&k);
    }
    if (!run_rounds(&k, false))
        return false;
    take_undecided(&k);
    follow_escaped(&k, FOLLOW_ALL);
    if (more) {
        select_points(&k, CARE_NEEDED);
        if (!run_rounds(&k, true))
            return false;
        take_undecided(&k);
    }
    write_samples(&k);
    return true;
}
