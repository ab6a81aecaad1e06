/* Slopes (SIMD): iterates orbits again with their derivatives, for as many steps as their counts
 * say and on to the radius of the fraction. Points of similar counts share a vector, and run
 * without tests up to the lowest count. */
#include "cpu/walk/slope.h"
#include "cpu/walk/walk.h"
#include "render/formula/slope.h"
#include "render/formula/slope_step.h"

/* z, c and the derivative's columns; the second column is used with folds only. */
struct walk {
    value zr[GROUP], zi[GROUP], cr[GROUP], ci[GROUP];
    real xa[GROUP], ya[GROUP], xb[GROUP], yb[GROUP];
};

struct way {
    const struct tile_points *points;
    bool folded;
    real unit; /* added to the derivative in each step */
};

/* Steps of one power. Recipes without folds need one column of the derivative. */
INLINE void steps_of(const int power, const unsigned folds, const bool folded, const real unit,
                     struct walk *walk, uint32_t steps) {
    struct walk w = *walk;
    for (uint32_t i = 0; i < steps; i++)
        EACH {
            const real zr = value_high(w.zr[v]), zi = value_high(w.zi[v]);
            if (folded)
                slope_step_folded(power, folds, zr, zi, unit, &w.xa[v], &w.ya[v], &w.xb[v],
                                  &w.yb[v]);
            else
                slope_step(power, zr, zi, unit, &w.xa[v], &w.ya[v]);
            step_z(power, folds, &w.zr[v], &w.zi[v], w.cr[v], w.ci[v]);
        }
    *walk = w;
}

/* Steps from step n on. Called instead of inlined, because the code is large. */
static __attribute__((noinline)) void walk_on(const struct way *way, uint32_t n, struct walk *w,
                                              uint32_t steps) {
    const struct recipe *recipe = way->points->recipe;
    const uint32_t some = recipe->length == 1 ? steps : 1;
    for (uint32_t i = 0; i < steps; i += some) {
        const uint32_t which = (n + i) % recipe->length;
        const unsigned folds = recipe->folds[which];
        const int key = recipe->power[which] * 2 + way->folded;
        switch (key) {
        case 2 * 2:
            steps_of(2, FOLD_NONE, false, way->unit, w, some);
            break;
        case 2 * 2 + 1:
            steps_of(2, folds, true, way->unit, w, some);
            break;
#define POWER_CASE(power)                                                                          \
    case 2 * power:                                                                                \
        steps_of(power, FOLD_NONE, false, way->unit, w, some);                                     \
        break;                                                                                     \
    case 2 * power + 1:                                                                            \
        steps_of(power, folds, true, way->unit, w, some);                                          \
        break;
            RECIPE_POWERS(POWER_CASE)
#undef POWER_CASE
        default:
            __builtin_unreachable();
        }
    }
}

/* Loads the points with numbers `at`, at most TOGETHER, before their first step. */
static void start(const struct way *way, const uint32_t *at, double unit, struct walk *w) {
    const bool julia = way->points->recipe->julia;
    begin_points(way->points, at, w->zr, w->zi, w->cr, w->ci);
    EACH {
        w->xa[v] = w->yb[v] = real_set((number)(julia ? unit : 0));
        w->ya[v] = w->xb[v] = real_set(0);
    }
}

/* Steps each lane up to its count and on to SMOOTH_NORM2, at most SMOOTH_STEPS more; see
 * are_there. */
static void walk_tail(const struct way *way, uint32_t n, const number *left_of, struct walk *w) {
    real left[GROUP];
    lanes there[GROUP];
    EACH left[v] = real_load(left_of + v * LANES);
    while (!are_there(left, w->zr, w->zi, there)) {
        struct walk next = *w;
        walk_on(way, n++, &next, 1);
        EACH {
            w->zr[v] = value_select(there[v], w->zr[v], next.zr[v]);
            w->zi[v] = value_select(there[v], w->zi[v], next.zi[v]);
            w->xa[v] = lanes_select(there[v], w->xa[v], next.xa[v]);
            w->ya[v] = lanes_select(there[v], w->ya[v], next.ya[v]);
            w->xb[v] = lanes_select(there[v], w->xb[v], next.xb[v]);
            w->yb[v] = lanes_select(there[v], w->yb[v], next.yb[v]);
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

/* Does the second pass of up to TOGETHER points. Returns false if it was stopped. */
static bool walk(const struct way *way, double unit, const uint32_t *at, size_t size,
                 const struct sample_planes *planes) {
    number left[TOGETHER];
    struct walk w;
    const uint32_t least = steps_together(planes->count, at, size, left);
    start(way, at, unit, &w);
    for (uint32_t n = 0; n < least; n += PATIENCE) {
        if (atomic_load_explicit(way->points->stop, memory_order_relaxed))
            return false;
        walk_on(way, n, &w, least - n < PATIENCE ? least - n : PATIENCE);
    }
    walk_tail(way, least, left, &w);
    put(way, &w, at, size, planes);
    return true;
}

#define NAME3(isa, type) slope_##isa##_##type
#define NAME2(isa, type) NAME3(isa, type)

void NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(const struct tile_points *points, double unit,
                                          const struct sample_planes *planes) {
    const struct recipe *recipe = points->recipe;
    struct way way = {.points = points, .unit = real_set((number)(recipe->julia ? 0 : unit))};
    struct walk_order order;
    for (uint32_t i = 0; i < recipe->length; i++)
        way.folded |= recipe->folds[i] != FOLD_NONE;
    walk_clear(planes, SAMPLE_PLANE_distance, SAMPLE_PLANE_angle, points->size);
    walk_order(planes->count, points->size, &order);
    for (uint32_t i = 0; i < order.size; i += TOGETHER)
        if (!walk(&way, unit, order.at + i, order.size - i < TOGETHER ? order.size - i : TOGETHER,
                  planes))
            return;
}
