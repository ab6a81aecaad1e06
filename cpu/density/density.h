/* Density kernels' interface: iterate samples and list the points of their orbits as indices of
 * counters, which density_job.c counts. One set of functions per (ISA, number type), compiled from
 * density_tmpl.c. */
#ifndef FATHOM_CPU_DENSITY_DENSITY_H
#define FATHOM_CPU_DENSITY_DENSITY_H

#include "cpu/escape/tile.h"
#include "render/density/density_cells.h"
#include "render/density/density_counts.h"
#include "render/density/density_sample.h"

#define DENSITY_YOUNG      16u /* steps of the first phase, whose points are kept */
#define DENSITY_YOUNG_MOST 40u /* highest limit at which the first phase does all steps */

#define DENSITY_LIST_ROOM (TILE_POINTS_MAX + TILE_SPARE)

/* Values that all samples of a picture share. */
struct density_task {
    struct density_rule rule;
    struct density_place place;
    uint64_t random;
    enum number_type type;
    uint32_t plane;          /* counters in a plane */
    uint32_t young;          /* steps of the first phase, at most the limit */
    bool young_count;        /* orbits that end in the first phase may be counted */
    const atomic_bool *stop; /* read every few thousand steps */
};

/* Points, as indices of counters. Once `size` reaches `full`, a kernel calls `apply`, which sets it
 * to 0. Before that the kernel may write up to DENSITY_POINTS_SPARE more. */
#define DENSITY_POINTS_SPARE 4096
struct density_points {
    uint32_t *index;
    size_t size, full;
    void (*apply)(struct density_points *points);
};

/* Orbits that are bounded after task->young steps, in the kernel's type; DENSITY_LIST_ROOM of
 * each. */
struct density_list {
    void *cr, *ci, *zr, *zi;
    size_t size; /* at most TILE_POINTS_MAX */
};

/* Does the first phase of clumps k .. end - 1 of a round, fewer if the list might overflow. Returns
 * the next clump. Adds the executed steps to *steps. */
typedef uint32_t density_young_fn(const struct density_task *task, const struct sample_round *round,
                                  const uint32_t *order, uint32_t k, uint32_t end,
                                  struct density_list *list, struct density_points *points,
                                  uint64_t *steps);

/* Orbits to be counted, from their first points on. */
struct density_tracks {
    /* `size` numbers of the kernel's type; must be readable for a group more */
    const void *cr, *ci;
    const uint32_t *end; /* number of each orbit's last point, ascending */
    size_t size;
};
/* Lists the points of the orbits. Returns false if it was stopped. */
typedef bool density_plot_fn(const struct density_task *task, const struct density_tracks *orbits,
                             uint32_t base, struct density_points *points);

/* Finds runs of equal indices: writes each run's index and its start in the list, then `size` as
 * the start after the last. Returns the number of runs. index[-1] must differ from index[0], and
 * the outputs must have room for DENSITY_POINTS_SPARE more. */
typedef size_t density_runs_fn(const uint32_t *index, size_t size, uint32_t *head, uint32_t *first);

struct density_kernels {
    density_young_fn *young;
    density_plot_fn *plot;
    density_runs_fn *runs;
};

extern const struct density_kernels density_base_float, density_base_double, density_fma_float,
    density_fma_double, density_avx2_float, density_avx2_double, density_avx512_float,
    density_avx512_double;

/* Returns the fastest kernels for a processor with these flags (cpuid.h). */
const struct density_kernels *density_choose(uint32_t flags, enum number_type type);

#endif
