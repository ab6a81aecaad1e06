/* Derivatives of a vector of perturbed orbits (render/deep/perturbed_steps.h), where PERTURBED_SLOPE says that they are
 * wanted; elsewhere there is nothing to do. The includer has defined FORMULA_KERNEL. */
#ifndef FATHOM_CPU_DEEP_GROUP_SLOPE_H
#define FATHOM_CPU_DEEP_GROUP_SLOPE_H

#include "cpu/deep/turns.h"
#include "render/deep/perturbed_steps.h"

#define SLOPE_PARTS (FOLDED ? 4 : 2) /* of d, that are in use */
#define EACH_PART   _Pragma("GCC unroll 4") for (int i = 0; i < SLOPE_PARTS; i++)

/* Of a vector. */
struct slopes {
#ifdef PERTURBED_SLOPE
    real d[4], log2, by;
#else
    int none;
#endif
};

/* Of the lanes of a group, and how many rounds each has made. */
struct group_slopes {
#ifdef PERTURBED_SLOPE
    _Alignas(64) double d[SLOPE_PARTS][LANES], log2[LANES], by[LANES];
    uint32_t rounds[LANES];
#else
    int none;
#endif
};

#ifdef PERTURBED_SLOPE
static inline void slopes_take(const struct kernel *k, struct group_slopes *g, int lane,
                               uint32_t id) {
    const struct orbit_slope *from = &k->slope[id];
    EACH_PART g->d[i][lane] = from->d.d[i];
    g->log2[lane] = from->d.log2;
    g->by[lane] = from->d.by;
    g->rounds[lane] = from->rounds;
}

static inline void slopes_keep(struct kernel *k, const struct group_slopes *g, int lane,
                               uint32_t id) {
    struct orbit_slope *to = &k->slope[id];
    EACH_PART to->d.d[i] = g->d[i][lane];
    to->d.log2 = g->log2[lane];
    to->d.by = g->by[lane];
    to->rounds = g->rounds[lane];
}

INLINE struct slopes slopes_load(const struct group_slopes *g) {
    struct slopes d = {.log2 = real_load(g->log2), .by = real_load(g->by)};
    EACH_PART d.d[i] = real_load(g->d[i]);
    return d;
}

INLINE void slopes_store(struct group_slopes *g, const struct slopes *d) {
    EACH_PART real_store(g->d[i], d->d[i]);
    real_store(g->log2, d->log2);
    real_store(g->by, d->by);
}

/* Lanes that are taken back to where they were. */
static inline void slopes_take_back(struct group_slopes *g, const struct slopes *before,
                                    unsigned which) {
    struct group_slopes at;
    slopes_store(&at, before);
    for (; which; which &= which - 1) {
        const int l = __builtin_ctz(which);
        EACH_PART g->d[i][l] = at.d[i][l];
        g->log2[l] = at.log2[l];
        g->by[l] = at.by[l];
    }
}

INLINE void slopes_count(struct group_slopes *g, uint32_t rounds, unsigned which) {
    EACH_LANE g->rounds[l] += which >> l & 1 ? rounds : 0;
}

/* Those of `which` lanes are taken from `from`. */
INLINE struct slopes slopes_select(lanes which, const struct slopes *from,
                                   const struct slopes *other) {
    struct slopes to = {.log2 = lanes_select(which, from->log2, other->log2),
                        .by = lanes_select(which, from->by, other->by)};
    EACH_PART to.d[i] = lanes_select(which, from->d[i], other->d[i]);
    return to;
}

/* After a round. */
INLINE void slopes_fit(const struct perturbed_tables *t, unsigned alive, struct slopes *d) {
    const bool folds = perturbed_any_folds(t, FOLDED);
    const real most = slope_size(folds, d->d);
    const lanes off = lanes_or(lanes_less(most, real_set(SLOPE_LEAST)),
                               lanes_not_less(most, real_set(SLOPE_MOST)));
    if ((lanes_bits(off) & alive) == 0)
        return;
    struct slopes fit = *d;
    slope_fit(folds, real_set(t->unit), real_set(t->unit_log2), fit.d, &fit.log2, &fit.by);
    *d = slopes_select(off, &fit, d);
}
#else
#define slopes_take(k, g, lane, id)        ((void)0)
#define slopes_keep(k, g, lane, id)        ((void)0)
#define slopes_load(g)                     ((struct slopes){0})
#define slopes_store(g, d)                 ((void)(d))
#define slopes_count(g, rounds, which)     ((void)0)
#define slopes_take_back(g, before, which) ((void)0)
#define slopes_fit(t, alive, d)            ((void)(alive))
#endif

#endif
