/* The one iteration loop, compiled once per instruction set and number type.
 *
 * GROUP vectors are in flight together. Steps run in blocks without tests; a block's end finds the
 * lanes that have escaped, keeps where they were at its start, and parks them on c = 0. When no lane
 * lives any more, the kept blocks are replayed step by step, all at once, for the exact count, and
 * the orbits go on to the radius where the fraction is taken. */
#include "cpu/lanes.h"
#include "cpu/tile.h"
#include <string.h>

#define FORMULA_KERNEL
#define FORMULA_FN static inline __attribute__((always_inline))
#include "render/formula.h"

static inline uint32_t sample_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float sample_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#define SAMPLE_FN           static inline
#define sample_fma(a, b, c) __builtin_fmaf(a, b, c)
#include "render/sample.h"

#define POINTS (GROUP * LANES)
_Static_assert(TILE_PADDING % POINTS == 0, "padding holds whole groups");

#define BLOCK       8    /* steps between tests */
#define STOP_BLOCKS 1024 /* blocks between looks at `stop` */

#define ALL_LANES ((unsigned)((1ull << LANES) - 1))

/* Past this |c|^2 an escaped orbit might come back inside by rounding (only near c = -2; elsewhere
 * |z| >= 2 and |c| < 1.99 give |z^2 + c| > 2.01 and growth from there on), so that a test at the end
 * of a block could miss an escape inside it: such points are tested every step. */
#define SAFE_NORM2 3.96

/* One group of points. The arrays are indexed by vector, and by lane where they hold numbers. */
struct group {
    real cr[GROUP], ci[GROUP];
    real start_r[GROUP], start_i[GROUP]; /* z at the start of the block in which a lane escaped */
    unsigned alive[GROUP];               /* bit per lane */
    uint32_t start[POINTS];              /* steps done at that point */
};

#define EACH_VECTOR _Pragma("GCC unroll 8") for (int v = 0; v < GROUP; v++)
#define INLINE      static inline __attribute__((always_inline))

/* Parks the lanes of `mask` after a block that began at (br, bi) with n steps done. */
INLINE void park(struct group *g, int v, lanes mask, real br, real bi, real *zr, real *zi,
                 uint32_t n) {
    const real zero = real_set(0);
    unsigned dead = lanes_bits(mask);
    g->start_r[v] = lanes_select(mask, br, g->start_r[v]);
    g->start_i[v] = lanes_select(mask, bi, g->start_i[v]);
    g->cr[v] = lanes_select(mask, zero, g->cr[v]);
    g->ci[v] = lanes_select(mask, zero, g->ci[v]);
    *zr = lanes_select(mask, zero, *zr);
    *zi = lanes_select(mask, zero, *zi);
    g->alive[v] &= ~dead;
    for (; dead; dead &= dead - 1)
        g->start[v * LANES + __builtin_ctz(dead)] = n;
}

/* Runs whole blocks of `block` steps up to `end` steps or until no lane lives. False: stopped. */
INLINE bool run_blocks(struct group *g, const int formula, const bool fused, const int block,
                       uint32_t *n, uint32_t end, real zr[GROUP], real zi[GROUP],
                       const atomic_bool *stop) {
    for (uint32_t turns = 1; end - *n >= (uint32_t)block; turns++) {
        real br[GROUP], bi[GROUP];
        lanes mask[GROUP];
        unsigned any = 0, alive = 0;
        EACH_VECTOR {
            br[v] = zr[v];
            bi[v] = zi[v];
        }
        for (int k = 0; k < block; k++)
            EACH_VECTOR formula_step(formula, fused, &zr[v], &zi[v], g->cr[v], g->ci[v]);
        EACH_VECTOR {
            mask[v] = lanes_not_less(norm2(fused, zr[v], zi[v]), real_set(4));
            any |= lanes_bits(mask[v]);
        }
        if (any) {
            EACH_VECTOR {
                if (lanes_bits(mask[v]))
                    park(g, v, mask[v], br[v], bi[v], &zr[v], &zi[v], *n);
                alive |= g->alive[v];
            }
            if (!alive)
                return true;
        }
        *n += (uint32_t)block;
        if (turns % STOP_BLOCKS == 0 && atomic_load_explicit(stop, memory_order_relaxed))
            return false;
    }
    return true;
}

INLINE bool iterate(struct group *g, const int formula, const bool fused, bool careful,
                    uint32_t limit, const atomic_bool *stop) {
    real zr[GROUP], zi[GROUP];
    uint32_t n = 0;
    unsigned alive = 0;
    EACH_VECTOR zr[v] = zi[v] = real_set(0);
    if (!careful && !run_blocks(g, formula, fused, BLOCK, &n, limit, zr, zi, stop))
        return false;
    EACH_VECTOR alive |= g->alive[v];
    return !alive || run_blocks(g, formula, fused, 1, &n, limit, zr, zi, stop);
}

/* What following the orbits to their ends finds, in steps from the start of the kept block. */
struct ending {
    number escape[POINTS], arrival[POINTS]; /* steps that did not reach |z|^2 = 4, SMOOTH_NORM2 */
    number norm2[POINTS];                   /* |z|^2 on arrival */
};

/* Follows all vectors from their kept blocks to the exact escape and on to SMOOTH_NORM2. */
INLINE void follow(const struct group *g, const int formula, const bool fused, const number *cr,
                   const number *ci, struct ending *ending) {
    const real zero = real_set(0), one = real_set(1);
    real zr[GROUP], zi[GROUP], escape[GROUP], arrival[GROUP], n2[GROUP];
    lanes escaped[GROUP], arrived[GROUP];
    EACH_VECTOR {
        zr[v] = g->start_r[v];
        zi[v] = g->start_i[v];
        escape[v] = arrival[v] = n2[v] = zero;
        escaped[v] = arrived[v] = lanes_not_less(zero, one);
    }
    unsigned climbing = 1;
    for (int j = 0; climbing && j < BLOCK + SMOOTH_STEPS; j++) {
        climbing = 0;
        EACH_VECTOR {
            formula_step(formula, fused, &zr[v], &zi[v], real_load(cr + v * LANES),
                         real_load(ci + v * LANES));
            const real n = norm2(fused, zr[v], zi[v]);
            n2[v] = lanes_select(arrived[v], n2[v], n);
            escaped[v] = lanes_or(escaped[v], lanes_not_less(n, real_set(4)));
            arrived[v] = lanes_or(arrived[v], lanes_not_less(n, real_set(SMOOTH_NORM2)));
            escape[v] = escape[v] + lanes_select(escaped[v], zero, one);
            arrival[v] = arrival[v] + lanes_select(arrived[v], zero, one);
            climbing |= ~(lanes_bits(arrived[v]) | g->alive[v]) & ALL_LANES;
        }
    }
    EACH_VECTOR {
        real_store(ending->escape + v * LANES, escape[v]);
        real_store(ending->arrival + v * LANES, arrival[v]);
        real_store(ending->norm2 + v * LANES, n2[v]);
    }
}

/* Writes the group's samples; plain loops, which compilers make vectors of. */
INLINE void finish(const struct group *g, const struct ending *ending, uint32_t limit,
                   uint32_t *count, float *fraction) {
    for (int i = 0; i < POINTS; i++) {
        const int steps = (int)(ending->arrival[i] - ending->escape[i]);
        const float n2 = steps <= SMOOTH_STEPS ? (float)ending->norm2[i] : 0.0f;
        count[i] = g->start[i] + 1 + (uint32_t)(int)ending->escape[i];
        fraction[i] = sample_fraction(n2, steps);
    }
    for (int v = 0; v < GROUP; v++)
        for (unsigned alive = g->alive[v]; alive; alive &= alive - 1) {
            const int i = v * LANES + __builtin_ctz(alive);
            count[i] = limit | SAMPLE_INTERIOR;
            fraction[i] = 0;
        }
}

/* Loads POINTS points; true when one of them needs careful testing. */
INLINE bool load(struct group *g, const number *cr, const number *ci) {
    unsigned unsafe = 0;
    memset(g->start, 0, sizeof g->start);
    EACH_VECTOR {
        g->cr[v] = real_load(cr + v * LANES);
        g->ci[v] = real_load(ci + v * LANES);
        g->start_r[v] = g->start_i[v] = real_set(0);
        g->alive[v] = ALL_LANES;
        const real c2 = norm2(true, g->cr[v], g->ci[v]);
        unsafe |= lanes_bits(lanes_not_less(c2, real_set(SAFE_NORM2)));
    }
    return unsafe != 0;
}

INLINE bool group_run(const struct tile_points *p, const int formula, const bool fused,
                      const number *cr, const number *ci, uint32_t *count, float *fraction) {
    struct group g;
    if (atomic_load_explicit(p->stop, memory_order_relaxed))
        return false;
    const bool careful = load(&g, cr, ci);
    if (!iterate(&g, formula, fused, careful, p->limit, p->stop))
        return false;
    struct ending ending;
    follow(&g, formula, fused, cr, ci, &ending);
    finish(&g, &ending, p->limit, count, fraction);
    return true;
}

/* The whole list; the last group is filled up with copies of its last point. */
INLINE bool list_run(const struct tile_points *p, const int formula, const bool fused) {
    const number *cr = p->cr, *ci = p->ci;
    size_t i = 0;
    for (; i + POINTS <= p->size; i += POINTS)
        if (!group_run(p, formula, fused, cr + i, ci + i, p->count + i, p->fraction + i))
            return false;
    if (i == p->size)
        return true;
    number last_r[POINTS], last_i[POINTS];
    for (size_t k = 0; k < POINTS; k++) {
        const size_t from = i + k < p->size ? i + k : p->size - 1;
        last_r[k] = cr[from];
        last_i[k] = ci[from];
    }
    return group_run(p, formula, fused, last_r, last_i, p->count + i, p->fraction + i);
}

#define NAME3(isa, type) tile_##isa##_##type
#define NAME2(isa, type) NAME3(isa, type)

bool NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(const struct tile_points *p) {
    switch (p->formula) {
#define TILE_CASE(name, text)                                                                      \
    case FORMULA_##name:                                                                           \
        return p->arithmetic == ARITHMETIC_FUSED ? list_run(p, FORMULA_##name, true)               \
                                                 : list_run(p, FORMULA_##name, false);
        FORMULA_LIST(TILE_CASE)
#undef TILE_CASE
    case FORMULA_COUNT:
        break;
    }
    return false;
}
