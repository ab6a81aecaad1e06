/* Follows orbits once more with their derivatives, as many steps as their counts say and on to where they were
 * left. Neighbours go together, as far as the first of them goes without any test. */
#include "cpu/escape/slope.h"
#include "cpu/escape/value.h"
#include "render/formula/slope.h"
#include "render/formula/slope_step.h"
#include <math.h>
#include <string.h>

#define GROUP    2 /* vectors in flight */
#define TOGETHER (GROUP * LANES)
#define EACH     _Pragma("GCC unroll 8") for (int v = 0; v < GROUP; v++)
#define PATIENCE 4096u /* steps between looks at whether to stop */

/* z, c and the derivative's columns; the second one where there are folds. */
struct walk {
    value zr[GROUP], zi[GROUP], cr[GROUP], ci[GROUP];
    real xa[GROUP], ya[GROUP], xb[GROUP], yb[GROUP];
};

struct way {
    const struct tile_points *points;
    bool fused, folded;
    real unit; /* that is added in each step */
};

INLINE void step_z(const int power, const unsigned folds, const bool fused, value *zr, value *zi,
                   value cr, value ci) {
    if (!fused && PARTS == 1)
        value_step(FORMULA_mandelbrot, false, zr, zi, cr, ci);
    else if (power == 2)
        value_square(folds, zr, zi, cr, ci);
    else
        value_power(power, folds, zr, zi, cr, ci);
}

/* Steps of one power; those without folds anywhere have one column. */
INLINE void steps_of(const int power, const unsigned folds, const bool folded, const bool fused,
                     const real unit, struct walk *walk, uint32_t steps) {
    struct walk w = *walk;
    for (uint32_t i = 0; i < steps; i++)
        EACH {
            const real zr = value_high(w.zr[v]), zi = value_high(w.zi[v]);
            if (folded)
                slope_step_folded(power, folds, zr, zi, unit, &w.xa[v], &w.ya[v], &w.xb[v],
                                  &w.yb[v]);
            else
                slope_step(power, zr, zi, unit, &w.xa[v], &w.ya[v]);
            step_z(power, folds, fused, &w.zr[v], &w.zi[v], w.cr[v], w.ci[v]);
        }
    *walk = w;
}

/* From step number n on. Not put in place: there are many instructions. */
static __attribute__((noinline)) void walk_on(const struct way *way, uint32_t n, struct walk *w,
                                              uint32_t steps) {
    const struct recipe *recipe = way->points->recipe;
    const uint32_t some = recipe->length == 1 ? steps : 1;
    for (uint32_t i = 0; i < steps; i += some) {
        const uint32_t which = (n + i) % recipe->length;
        const unsigned folds = recipe->folds[which];
        const int key = recipe->power[which] * 2 + way->folded;
        if (!way->fused) {
            steps_of(2, FOLD_NONE, false, false, way->unit, w, some);
            continue;
        }
        switch (key) {
        case 2 * 2:
            steps_of(2, FOLD_NONE, false, true, way->unit, w, some);
            break;
        case 2 * 2 + 1:
            steps_of(2, folds, true, true, way->unit, w, some);
            break;
#define POWER_CASE(power)                                                                          \
    case 2 * power:                                                                                \
        steps_of(power, FOLD_NONE, false, true, way->unit, w, some);                               \
        break;                                                                                     \
    case 2 * power + 1:                                                                            \
        steps_of(power, folds, true, true, way->unit, w, some);                                    \
        break;
            RECIPE_POWERS(POWER_CASE)
#undef POWER_CASE
        default:
            __builtin_unreachable();
        }
    }
}

static value parameter_of(const double parameter[2]) {
    number parts[PARTS * LANES];
    for (int i = 0; i < PARTS * LANES; i++)
        parts[i] = (number)parameter[i / LANES];
    return value_load(parts, LANES);
}

/* Points number `at`, of which there are up to TOGETHER, before their first step. */
static void start(const struct way *way, const uint32_t *at, double unit, struct walk *w) {
    const struct tile_points *p = way->points;
    const bool julia = p->recipe->julia;
    number r[PARTS * LANES], i[PARTS * LANES];
    EACH {
        for (int k = 0; k < PARTS * LANES; k++) {
            const size_t from = at[v * LANES + k % LANES] + (size_t)(k / LANES) * TILE_LOW;
            r[k] = ((const number *)p->cr)[from];
            i[k] = ((const number *)p->ci)[from];
        }
        const value pr = value_load(r, LANES), pi = value_load(i, LANES);
        const value origin = value_of(real_set(0));
        w->zr[v] = julia ? pr : origin;
        w->zi[v] = julia ? pi : origin;
        w->cr[v] = julia ? parameter_of(p->recipe->parameter_re) : pr;
        w->ci[v] = julia ? parameter_of(p->recipe->parameter_im) : pi;
        w->xa[v] = w->yb[v] = real_set((number)(julia ? unit : 0));
        w->ya[v] = w->xb[v] = real_set(0);
    }
}

INLINE real keep(lanes m, real a, real b) {
    return lanes_select(m, a, b);
}

/* Lanes that have `left` steps to their counts stay where they are once they have got to SMOOTH_NORM2, or
 * have gone on for as long as others do. */
static void climb(const struct way *way, uint32_t n, const number *left_of, struct walk *w) {
    real left[GROUP];
    lanes there[GROUP];
    EACH left[v] = real_load(left_of + v * LANES);
    for (;;) {
        unsigned all = ~0u;
        EACH {
            real norm = value_norm2(way->fused, w->zr[v], w->zi[v]);
            norm = keep(lanes_not_less(real_set(-SMOOTH_STEPS), left[v]), real_set(INFINITY), norm);
            norm = keep(lanes_not_less(real_set(0), left[v]), norm, real_set(0));
            there[v] = lanes_not_less(norm, real_set(SMOOTH_NORM2));
            all &= lanes_bits(there[v]) | ~((1u << LANES) - 1);
        }
        if (all == ~0u)
            return;
        struct walk next = *w;
        walk_on(way, n++, &next, 1);
        EACH {
            w->zr[v] = value_select(there[v], w->zr[v], next.zr[v]);
            w->zi[v] = value_select(there[v], w->zi[v], next.zi[v]);
            w->xa[v] = keep(there[v], w->xa[v], next.xa[v]);
            w->ya[v] = keep(there[v], w->ya[v], next.ya[v]);
            w->xb[v] = keep(there[v], w->xb[v], next.xb[v]);
            w->yb[v] = keep(there[v], w->yb[v], next.yb[v]);
            left[v] = left[v] - real_set(1);
        }
    }
}

static void put(const struct way *way, const struct walk *w, const uint32_t *at, size_t size,
                const struct sample_planes *planes) {
    number lane[6][TOGETHER];
    EACH {
        real_store(lane[0] + v * LANES, value_high(w->zr[v]));
        real_store(lane[1] + v * LANES, value_high(w->zi[v]));
        real_store(lane[2] + v * LANES, w->xa[v]);
        real_store(lane[3] + v * LANES, w->ya[v]);
        real_store(lane[4] + v * LANES, w->xb[v]);
        real_store(lane[5] + v * LANES, w->yb[v]);
    }
    for (size_t i = 0; i < size; i++) {
        const double xa = (double)lane[2][i], ya = (double)lane[3][i];
        const struct slope slope =
            slope_of((double)lane[0][i], (double)lane[1][i], xa, ya,
                     way->folded ? (double)lane[4][i] : -ya, way->folded ? (double)lane[5][i] : xa);
        planes->distance[at[i]] = slope.distance;
        planes->normal[at[i]] = slope.normal;
        planes->angle[at[i]] = slope.angle;
    }
}

/* False: stopped. */
static bool walk(const struct way *way, double unit, const uint32_t *at, size_t size,
                 const struct sample_planes *planes) {
    const uint32_t *count = planes->count;
    uint32_t least = UINT32_MAX;
    number left[TOGETHER];
    struct walk w;
    for (size_t i = 0; i < size; i++)
        least = count[at[i]] < least ? count[at[i]] : least;
    for (size_t i = 0; i < TOGETHER; i++)
        left[i] = (number)(int)(count[at[i]] - least);
    start(way, at, unit, &w);
    for (uint32_t n = 0; n < least; n += PATIENCE) {
        if (atomic_load_explicit(way->points->stop, memory_order_relaxed))
            return false;
        walk_on(way, n, &w, least - n < PATIENCE ? least - n : PATIENCE);
    }
    climb(way, least, left, &w);
    put(way, &w, at, size, planes);
    return true;
}

#define NAME3(isa, type) slope_##isa##_##type
#define NAME2(isa, type) NAME3(isa, type)

void NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(const struct tile_points *points, double unit,
                                          const struct sample_planes *planes) {
    const struct recipe *recipe = points->recipe;
    struct way way = {.points = points,
                      .fused = points->arithmetic == ARITHMETIC_FUSED || PARTS > 1,
                      .unit = real_set((number)(recipe->julia ? 0 : unit))};
    uint32_t at[TOGETHER];
    size_t size = 0;
    for (uint32_t i = 0; i < recipe->length; i++)
        way.folded |= recipe->folds[i] != FOLD_NONE;
    for (size_t i = 0; i < points->size; i++) {
        const bool walks =
            !(planes->count[i] & SAMPLE_INTERIOR) && planes->count[i] <= SLOPE_STEPS_MAX;
        planes->distance[i] = 0;
        planes->normal[i] = planes->angle[i] = 0;
        at[size] = (uint32_t)i;
        size += walks;
        if (size == TOGETHER && !walk(&way, unit, at, size, planes))
            return;
        size %= TOGETHER;
    }
    for (size_t i = size; size > 0 && i < TOGETHER; i++)
        at[i] = at[0];
    if (size > 0)
        walk(&way, unit, at, size, planes);
}
