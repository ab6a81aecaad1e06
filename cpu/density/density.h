/* Counting orbits of samples: the kernels' interface. Points come out as indices of counters, in
 * lists, to be counted by density_job.c. One set of functions per (ISA, number type), all
 * compiled from density_tmpl.c. */
#ifndef FATHOM_CPU_DENSITY_DENSITY_H
#define FATHOM_CPU_DENSITY_DENSITY_H

#include "cpu/escape/tile.h"
#include "render/density/density_cells.h"
#include "render/density/density_counts.h"
#include "render/density/density_sample.h"

#define DENSITY_YOUNG      16u /* steps that are done, and kept, in place */
#define DENSITY_YOUNG_MOST 40u /* all of them, when the limit is not higher */

#define DENSITY_LIST_ROOM (TILE_POINTS_MAX + TILE_SPARE)

/* What all samples of a picture share. */
struct density_task {
    struct density_rule rule;
    struct density_place place;
    uint64_t random;
    enum number_type type;
    uint32_t plane;          /* counters in one */
    uint32_t young;          /* steps done in place, up to the limit */
    bool young_count;        /* the points of those that do not live longer may be counted */
    const atomic_bool *stop; /* looked at every few thousand steps */
};

/* Points, as indices of counters. When `size` reaches `full`, a kernel calls `apply`, which makes
 * it 0; it may write DENSITY_POINTS_SPARE words more before it does so. */
#define DENSITY_POINTS_SPARE 4096
struct density_points {
    uint32_t *index;
    size_t size, full;
    void (*apply)(struct density_points *points);
};

/* Orbits that are bounded after task->young steps, of the kernel's type; DENSITY_LIST_ROOM of
 * each. */
struct density_list {
    void *cr, *ci, *zr, *zi;
    size_t size; /* up to TILE_POINTS_MAX */
};

/* Does clumps k .. end - 1 of a round, or fewer: until the list may overflow. Gives the next k.
 * Adds the steps it took to *steps. */
typedef uint32_t density_young_fn(const struct density_task *task, const struct sample_round *round,
                                  const uint32_t *order, uint32_t k, uint32_t end,
                                  struct density_list *list, struct density_points *points,
                                  uint64_t *steps);

/* Orbits to be counted from their first point on. */
struct density_tracks {
    const void *cr, *ci; /* `size` of the kernel's type, and some more */
    const uint32_t *end; /* the last point of each, ascending */
    size_t size;
};
/* False: stopped. */
typedef bool density_plot_fn(const struct density_task *task, const struct density_tracks *orbits,
                             uint32_t base, struct density_points *points);

/* Runs of equal indices: each one's index, and where it begins in the list. Gives how many there
 * are; first[that] is `size`. index[-1] differs from index[0]; there is room for
 * DENSITY_POINTS_SPARE more. */
typedef size_t density_runs_fn(const uint32_t *index, size_t size, uint32_t *head, uint32_t *first);

struct density_kernels {
    density_young_fn *young;
    density_plot_fn *plot;
    density_runs_fn *runs;
};

extern const struct density_kernels density_base_float, density_base_double, density_fma_float,
    density_fma_double, density_avx2_float, density_avx2_double, density_avx512_float,
    density_avx512_double;

/* The best ones for a processor with these flags (cpuid.h). */
const struct density_kernels *density_choose(uint32_t flags, enum number_type type);

#endif
