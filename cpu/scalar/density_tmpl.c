/* Density kernel (scalar): iterates the samples of clumps, and lists the points of their orbits. */
#include "cpu/density/density.h"
#include "cpu/scalar/scalar.h"
#include "gpu/density/points_search.h"

#define PLOT_STEPS                                                                                 \
    1024u /* steps between two reads of `stop`, which list fewer points than a list has spare */
_Static_assert(2 * PLOT_STEPS <= DENSITY_POINTS_SPARE, "lists have room");

/* Returns the values of a task in the kernel's type. */
INLINE struct points_numbers numbers_of(const struct density_place *place) {
#define POINTS_NUMBER(name) (real) place->name,
    return (struct points_numbers){POINTS_NUMBER_LIST(POINTS_NUMBER)};
#undef POINTS_NUMBER
}

INLINE struct points_task task_of(const struct density_task *task) {
    return (struct points_task){.place = task->place,
                                .rule = task->rule,
                                .random = task->random,
                                .plane = task->plane,
                                .young = task->young};
}

/* Lists the points of an orbit from step `from` up to step `end`, and makes these steps. */
INLINE void plot_steps(const struct points_task *task, const struct points_numbers *numbers,
                       const int fold, struct points_orbit *o, uint32_t from, uint32_t end,
                       uint32_t base, struct density_points *points) {
    for (uint32_t k = from; k <= end; k++) {
        uint32_t pixel;
        if (points_locate(fold, numbers, task, o->zr, o->zi, &pixel))
            points->index[points->size++] = base + pixel;
        if (fold == DENSITY_FOLD_NONE && task->place.both &&
            points_locate(fold, numbers, task, o->zr, -o->zi, &pixel))
            points->index[points->size++] = base + pixel;
        points_step(o);
    }
    if (points->size >= points->full)
        points->apply(points);
}

INLINE void plot_orbit(const struct points_task *task, const struct points_numbers *numbers,
                       struct points_orbit *o, uint32_t from, uint32_t end, uint32_t base,
                       struct density_points *points) {
    switch (task->place.fold) {
    case DENSITY_FOLD_ROWS:
        plot_steps(task, numbers, DENSITY_FOLD_ROWS, o, from, end, base, points);
        break;
    case DENSITY_FOLD_COLUMNS:
        plot_steps(task, numbers, DENSITY_FOLD_COLUMNS, o, from, end, base, points);
        break;
    default:
        plot_steps(task, numbers, DENSITY_FOLD_NONE, o, from, end, base, points);
    }
}

/* Iterates a sample for task->young steps: plots its points, or lists it if it lives longer.
 * Returns the number of steps. */
INLINE uint32_t draw_sample(const struct points_task *task, const struct points_numbers *numbers,
                            bool young_count, struct points_orbit *o, struct density_list *list,
                            struct density_points *points) {
    uint32_t n = 1;
    for (; n < task->young && points_inside(o); n++)
        points_step(o);
    const bool bounded = points_inside(o);
    if (bounded && task->young < task->rule.limit) {
        ((real *)list->cr)[list->size] = o->cr;
        ((real *)list->ci)[list->size] = o->ci;
        ((real *)list->zr)[list->size] = o->zr;
        ((real *)list->zi)[list->size++] = o->zi;
        return n;
    }
    const uint32_t life = bounded ? n + 1 : n, end = young_count ? points_end(task, life) : 0;
    points_restart(o);
    if (end > 0)
        plot_orbit(task, numbers, o, 1, end, points_plane(task, life), points);
    return n;
}

static uint32_t young(const struct density_task *task, const struct sample_round *round,
                      const uint32_t *order, uint32_t k, uint32_t end, struct density_list *list,
                      struct density_points *points, uint64_t *steps) {
    const struct points_task values = task_of(task);
    const struct points_numbers numbers = numbers_of(&task->place);
    for (; k < end && list->size + CLUMP_SAMPLES <= TILE_POINTS_MAX; k++) {
        const struct sample_clump clump = sample_clump(round, order[k]);
        for (uint32_t lane = 0; lane < CLUMP_SAMPLES; lane++) {
            const struct philox words = sample_words(round->number, k / 2, lane, task->random);
            struct points_orbit o;
            points_sample(&clump, round->octave, lane, words.word + k % 2 * 2, &o);
            if (points_must_search(&values, order[k], &o))
                *steps += draw_sample(&values, &numbers, task->young_count, &o, list, points);
        }
    }
    return k;
}

/* --- second iteration of long orbits --- */

static bool plot(const struct density_task *task, const struct density_tracks *orbits,
                 uint32_t base, struct density_points *points) {
    const struct points_task values = task_of(task);
    const struct points_numbers numbers = numbers_of(&task->place);
    for (size_t i = 0; i < orbits->size; i++) {
        const real cr = ((const real *)orbits->cr)[i], ci = ((const real *)orbits->ci)[i];
        struct points_orbit o = {cr, ci, cr, ci};
        for (uint32_t k = 1, last; k <= orbits->end[i]; k = last + 1) {
            last = orbits->end[i] - k < PLOT_STEPS ? orbits->end[i] : k + PLOT_STEPS - 1;
            if (atomic_load_explicit(task->stop, memory_order_relaxed))
                return false;
            plot_orbit(&values, &numbers, &o, k, last, base, points);
        }
    }
    return true;
}

static size_t runs(const uint32_t *index, size_t size, uint32_t *head, uint32_t *first) {
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        head[n] = index[i];
        first[n] = (uint32_t)i;
        n += index[i] != index[(ptrdiff_t)i - 1];
    }
    first[n] = (uint32_t)size;
    return n;
}

const struct density_kernels NAME(density) = {young, plot, runs};
