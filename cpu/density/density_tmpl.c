/* Density kernel (SIMD): iterates samples for orbit density, a few vectors at a time. Compiled once
 * per instruction set and number type.
 *
 * Samples of a clump are neighbours, and so are their orbits at first. `young` therefore iterates
 * them together, step by step, and stores the pixel of each point. In the end it lists the points
 * of the orbits that count. Longer orbits are listed, so that the caller finds their lengths;
 * `plot` then iterates those that count again. Sets of lanes are words with a bit per sample. */
#include "cpu/density/density.h"
#include "cpu/escape/lists.h"
#include "cpu/lanes_int.h"
#include "render/interior.h"

#define NAME4(name, isa, type) name##_##isa##_##type
#define NAME3(name, isa, type) NAME4(name, isa, type)
#define NAME(name)             NAME3(name, TILE_ISA_NAME, TILE_TYPE_NAME)

#define FORMULA_KERNEL
#include "render/formula/formula_step.h"

#define VECTORS     (LANES == 16 ? 2 : 4)
#define SWARM       (VECTORS * LANES) /* samples in flight together */
#define SWARM_ALL   (~0u >> (32 - SWARM))
#define EACH_VECTOR _Pragma("GCC unroll 4") for (int v = 0; v < VECTORS; v++)

#define STOP_STEPS 4096u /* steps between two reads of `stop` */

_Static_assert(CLUMP_SAMPLES % SWARM == 0, "a clump is some whole swarms");

struct swarm {
    real cr[VECTORS], ci[VECTORS], zr[VECTORS], zi[VECTORS];
};

/* Coefficients of struct density_place as vectors. */
struct spot {
    real column_re, column_im, column_0, row_re, row_im, row_0, width, height;
    uint32_t stride;
};

INLINE struct spot spot_of(const struct density_place *place) {
    return (struct spot){real_set((number)place->column_re),
                         real_set((number)place->column_im),
                         real_set((number)place->column_0),
                         real_set((number)place->row_re),
                         real_set((number)place->row_im),
                         real_set((number)place->row_0),
                         real_set((number)place->width),
                         real_set((number)place->height),
                         (uint32_t)place->width};
}

INLINE void load_swarm(struct swarm *s, const number *cr, const number *ci) {
    EACH_VECTOR {
        s->cr[v] = s->zr[v] = real_load(cr + v * LANES);
        s->ci[v] = s->zi[v] = real_load(ci + v * LANES);
    }
}

INLINE void step_swarm(struct swarm *s) {
    EACH_VECTOR step_square(FOLD_NONE, &s->zr[v], &s->zi[v], s->cr[v], s->ci[v]);
}

/* Returns the samples with |z|^2 >= 4. */
INLINE unsigned escaped(const struct swarm *s) {
    unsigned bits = 0;
    EACH_VECTOR bits |= lanes_bits(lanes_not_less(norm2(s->zr[v], s->zi[v]), real_set(4)))
                        << v * LANES;
    return bits;
}

/* Computes the pixels of z, or of its conjugate. Returns the samples that lie in the picture.
 * `folded`: the picture's halves are counted as one. */
INLINE unsigned locate(const struct swarm *s, const struct spot *spot, const bool folded,
                       const bool conjugate, uint32_t index[SWARM]) {
    unsigned bits = 0;
    EACH_VECTOR {
        const real re = s->zr[v];
        const real im = folded ? real_size(s->zi[v]) : conjugate ? -s->zi[v] : s->zi[v];
        const real column =
            real_fma(im, spot->column_im, real_fma(re, spot->column_re, spot->column_0));
        const real row = real_fma(im, spot->row_im, real_fma(re, spot->row_re, spot->row_0));
        const lanes across =
            lanes_both(lanes_not_less(column, real_set(0)), lanes_less(column, spot->width));
        const lanes down =
            lanes_both(lanes_not_less(row, real_set(0)), lanes_less(row, spot->height));
        bits |= lanes_bits(lanes_both(across, down)) << v * LANES;
        real_index(index + v * LANES, row, spot->stride, column);
    }
    return bits;
}

INLINE void give(struct density_points *points, const uint32_t index[SWARM], unsigned bits,
                 uint32_t base) {
    for (int at = 0; bits && at < SWARM; at += WORDS) {
        const unsigned some = bits >> at & (unsigned)((1ull << WORDS) - 1);
        words_pack(points->index + points->size, some, index + at, base);
        points->size += (size_t)__builtin_popcount(some);
    }
}

/* --- samples --- */

struct words {
    uint32_t of[4][CLUMP_SAMPLES];
};

static uint32_t high(uint64_t x) {
    return (uint32_t)(x >> 32);
}

/* Computes the random words of a pair of clumps: Philox, with the values that all lanes share in
 * the first three rounds computed once. Upper halves of words that are not products are undefined;
 * products ignore them. */
static void make_words(struct words *words, uint64_t round, uint32_t pair, uint64_t random) {
    static const uint64_t lane_of[2][16] = {
        {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30},
        {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31}};
    const uint32_t key0 = (uint32_t)random, key1 = high(random);
    const uint64_t a0 = (uint64_t)PHILOX_M0 * (uint32_t)round, b0 = (uint64_t)PHILOX_M1 * pair;
    const uint64_t a1 = (uint64_t)PHILOX_M0 * (high(b0) ^ high(round) ^ key0);
    const uint32_t uniform2 = high(a1) ^ (uint32_t)a0 ^ (key1 + PHILOX_W1);
    const uint64_t b2 = (uint64_t)PHILOX_M1 * uniform2;
    const wide m0 = wide_set(PHILOX_M0), m1 = wide_set(PHILOX_M1);
    for (uint32_t lane = 0; lane < CLUMP_SAMPLES; lane += WORDS) {
        wide x0[2], x1[2], x2[2], x3[2];
        for (int i = 0; i < 2; i++) {
            const wide lanes_here = wide_load(&lane_of[i][lane / 2]);
            const wide b = wide_times(m1, wide_xor(lanes_here, wide_set(high(a0) ^ key1)));
            const uint32_t shared = (uint32_t)b0 ^ (key0 + PHILOX_W0);
            const wide a = wide_times(m0, wide_xor(wide_high(b), wide_set(shared)));
            x0[i] = wide_xor(b, wide_set(high(b2) ^ (key0 + 2 * PHILOX_W0)));
            x2[i] = wide_xor(wide_high(a), wide_set((uint32_t)a1 ^ (key1 + 2 * PHILOX_W1)));
            x1[i] = wide_set(b2);
            x3[i] = a;
        }
        for (uint32_t n = 3; n < PHILOX_ROUNDS; n++)
            for (int i = 0; i < 2; i++) {
                const wide a = wide_times(m0, x0[i]), b = wide_times(m1, x2[i]);
                x0[i] = wide_xor(wide_xor(wide_high(b), x1[i]), wide_set(key0 + n * PHILOX_W0));
                x2[i] = wide_xor(wide_xor(wide_high(a), x3[i]), wide_set(key1 + n * PHILOX_W1));
                x1[i] = b;
                x3[i] = a;
            }
        wide_merge(words->of[0] + lane, x0[0], x0[1]);
        wide_merge(words->of[1] + lane, x1[0], x1[1]);
        wide_merge(words->of[2] + lane, x2[0], x2[1]);
        wide_merge(words->of[3] + lane, x3[0], x3[1]);
    }
}

/* Samples of a clump, with room for a vector more. */
struct clump {
    number cr[CLUMP_SAMPLES], ci[CLUMP_SAMPLES], dead[CLUMP_SAMPLES];
};

static number coordinate(int32_t x, int32_t low) {
#ifdef TILE_TYPE_FLOAT
    (void)low;
    return (float)x * (float)SAMPLE_SCALE;
#else
    return ((double)x + (double)low * 0x1p-31) * SAMPLE_SCALE;
#endif
}

static void make_clump(const struct sample_round *round, uint32_t cell,
                       const uint32_t *restrict word_x, const uint32_t *restrict word_y,
                       struct clump *restrict clump) {
    const struct sample_clump at = sample_clump(round, cell);
    const uint32_t octave = round->octave;
    for (uint32_t i = 0; i < CLUMP_SAMPLES; i++)
        clump->cr[i] =
            coordinate(sample_x(at.x, octave, i, word_x[i]), sample_x_low(octave, word_x[i]));
    for (uint32_t i = 0; i < CLUMP_SAMPLES; i++)
        clump->ci[i] =
            coordinate(sample_y(at.y, octave, i, word_y[i]), sample_y_low(octave, word_y[i]));
}

/* Returns the samples that are surely interior and need no iteration. */
static uint32_t dead_samples(struct clump *restrict clump) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < CLUMP_SAMPLES; i++)
        clump->dead[i] = (number)interior_surely((double)clump->cr[i], (double)clump->ci[i],
                                                 (double)INTERIOR_MARGIN);
    for (uint32_t i = 0; i < CLUMP_SAMPLES; i += LANES)
        bits |= (uint32_t)lanes_bits(lanes_less(real_set(0), real_load(clump->dead + i))) << i;
    return bits;
}

/* --- first phase --- */

/* Points of a swarm by step: their counters, and the samples that have one. `conjugate` and
 * `there`: the same for the conjugate points. */
struct trail {
    uint32_t index[DENSITY_YOUNG_MOST + 1][SWARM], conjugate[DENSITY_YOUNG_MOST + 1][SWARM];
    unsigned here[DENSITY_YOUNG_MOST + 1], there[DENSITY_YOUNG_MOST + 1];
};

/* Samples that count, by plane, and in any plane. */
struct verdict {
    unsigned plane[DENSITY_PLANES_MAX], any;
};

INLINE void give_trail(const struct density_task *task, const struct trail *trail, uint32_t last,
                       const struct verdict *verdict, const bool folded,
                       struct density_points *points) {
    for (uint32_t s = 1; s <= last; s++)
        for (int p = 0; p < task->rule.planes.count; p++) {
            const uint32_t base = (uint32_t)p * task->plane;
            give(points, trail->index[s], trail->here[s] & verdict->plane[p], base);
            if (!folded)
                give(points, trail->conjugate[s], trail->there[s] & verdict->plane[p], base);
        }
    if (points->size >= points->full)
        points->apply(points);
}

INLINE void list_living(const struct swarm *s, unsigned alive, struct density_list *list) {
    EACH_VECTOR {
        const unsigned bits = alive >> v * LANES & ALL_LANES;
        if (bits == 0)
            continue;
        pack_number((number *)list->cr + list->size, bits, s->cr[v]);
        pack_number((number *)list->ci + list->size, bits, s->ci[v]);
        pack_number((number *)list->zr + list->size, bits, s->zr[v]);
        pack_number((number *)list->zi + list->size, bits, s->zi[v]);
        list->size += (size_t)__builtin_popcount(bits);
    }
}

INLINE uint64_t run_swarm(const struct density_task *task, const struct spot *spot,
                          const number *cr, const number *ci, unsigned alive, const bool folded,
                          struct density_list *list, struct density_points *points) {
    const struct density_rule *rule = &task->rule;
    struct verdict verdict = {{0}, 0};
    struct trail trail;
    struct swarm swarm;
    uint64_t steps = 0;
    uint32_t s = 1;
    int plane = 0;
    load_swarm(&swarm, cr, ci);
    for (;; s++) {
        const unsigned gone = escaped(&swarm) & alive;
        steps += (uint64_t)__builtin_popcount(alive);
        trail.here[s] = trail.there[s] = 0;
        if (task->young_count) {
            trail.here[s] = locate(&swarm, spot, folded, false, trail.index[s]) & alive;
            if (!folded)
                trail.there[s] = locate(&swarm, spot, false, true, trail.conjugate[s]) & alive;
        }
        if (gone && s >= rule->least && !rule->bounded) {
            while (s > rule->planes.top[plane])
                plane++;
            verdict.plane[plane] |= gone;
            verdict.any |= gone;
        }
        alive &= ~gone;
        if (alive == 0 || s == task->young)
            break;
        step_swarm(&swarm);
    }
    if (alive && task->young < rule->limit)
        list_living(&swarm, alive, list);
    else if (rule->bounded)
        verdict.any = verdict.plane[0] = alive;
    if (verdict.any)
        give_trail(task, &trail, s, &verdict, folded, points);
    return steps;
}

INLINE uint32_t run_clumps(const struct density_task *task, const struct sample_round *round,
                           const uint32_t *order, uint32_t k, uint32_t end, const bool folded,
                           struct density_list *list, struct density_points *points,
                           uint64_t *steps) {
    const struct spot spot = spot_of(&task->place);
    struct words words;
    struct clump clump;
    bool made = false;
    for (; k < end && list->size + CLUMP_SAMPLES <= TILE_POINTS_MAX; k++, made = k % 2 != 0) {
        uint32_t alive = ~0u;
        if (!made)
            make_words(&words, round->number, k / 2, task->random);
        make_clump(round, order[k], words.of[k % 2 * 2], words.of[k % 2 * 2 + 1], &clump);
        if (!task->rule.bounded && order[k] & CELLS_TEST)
            alive = ~dead_samples(&clump);
        for (int at = 0; at < (int)CLUMP_SAMPLES; at += SWARM)
            if (alive >> at & SWARM_ALL)
                *steps += run_swarm(task, &spot, clump.cr + at, clump.ci + at,
                                    alive >> at & SWARM_ALL, folded, list, points);
    }
    return k;
}

static uint32_t young(const struct density_task *task, const struct sample_round *round,
                      const uint32_t *order, uint32_t k, uint32_t end, struct density_list *list,
                      struct density_points *points, uint64_t *steps) {
    return task->place.both ? run_clumps(task, round, order, k, end, false, list, points, steps)
                            : run_clumps(task, round, order, k, end, true, list, points, steps);
}

/* --- second iteration of long orbits --- */

/* Returns the orbits at `at` that have points after point s. *until: the point up to which all of
 * them do. */
static unsigned going_on(const struct density_tracks *orbits, size_t at, uint32_t s,
                         uint32_t *until) {
    unsigned bits = 0;
    *until = UINT32_MAX;
    for (size_t i = 0; i < SWARM && at + i < orbits->size; i++)
        if (orbits->end[at + i] > s) {
            bits |= 1u << i;
            *until = orbits->end[at + i] < *until ? orbits->end[at + i] : *until;
        }
    return bits;
}

INLINE bool plot_swarm(const struct density_task *task, const struct spot *spot,
                       const struct density_tracks *orbits, size_t at, uint32_t base,
                       const bool folded, struct density_points *points) {
    uint32_t index[SWARM], until, s = 1;
    struct swarm swarm;
    unsigned alive = going_on(orbits, at, 0, &until);
    load_swarm(&swarm, (const number *)orbits->cr + at, (const number *)orbits->ci + at);
    while (alive) {
        give(points, index, locate(&swarm, spot, folded, false, index) & alive, base);
        if (!folded)
            give(points, index, locate(&swarm, spot, false, true, index) & alive, base);
        if (points->size >= points->full)
            points->apply(points);
        if (s % STOP_STEPS == 0 && atomic_load_explicit(task->stop, memory_order_relaxed))
            return false;
        if (s == until)
            alive = going_on(orbits, at, s, &until);
        s++;
        step_swarm(&swarm);
    }
    return true;
}

static bool plot(const struct density_task *task, const struct density_tracks *orbits,
                 uint32_t base, struct density_points *points) {
    const struct spot spot = spot_of(&task->place);
    bool running = true;
    for (size_t at = 0; running && at < orbits->size; at += SWARM)
        running = task->place.both ? plot_swarm(task, &spot, orbits, at, base, false, points)
                                   : plot_swarm(task, &spot, orbits, at, base, true, points);
    return running;
}

/* --- runs --- */

static size_t runs(const uint32_t *index, size_t size, uint32_t *head, uint32_t *first) {
    static const uint32_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    size_t n = 0;
    for (size_t at = 0; at < size; at += WORDS) {
        const unsigned bits =
            words_heads(index + at, index + at - 1) &
            (size - at < WORDS ? (1u << (size - at)) - 1 : (unsigned)((1ull << WORDS) - 1));
        words_pack(head + n, bits, index + at, 0);
        words_pack(first + n, bits, numbers, (uint32_t)at);
        n += (size_t)__builtin_popcount(bits);
    }
    first[n] = (uint32_t)size;
    return n;
}

const struct density_kernels NAME(density) = {young, plot, runs};
