/* Arguments of orbit density's kernels, as the host fills them.
 *
 * A launch of `draw` draws pairs of clumps (density_sample.h): each sample's first `young` steps,
 * and where it has escaped by then, its points. Orbits that live longer are listed; threads of
 * other launches search them for their escape, slice by slice, and orbits that are counted are
 * listed again, to be plotted.
 *
 * Counters are 32 bits wide, for speed. How many increments a launch can make at most is known
 * before, and `flush` moves them to 64-bit totals before the sum of that could pass 2^32. */
#ifndef FATHOM_GPU_DENSITY_KERNELS_H
#define FATHOM_GPU_DENSITY_KERNELS_H

#include "gpu/density/rounds.h"
#include "gpu/kernels.h"
#include "render/density/density_counts.h"

struct draw_args {
    DRAW_ARGUMENTS(MEMBER, struct draw_args)
};
struct slice_args {
    SLICE_ARGUMENTS(MEMBER, struct slice_args)
};
struct bounds_args {
    BOUNDS_ARGUMENTS(MEMBER, struct bounds_args)
};
struct paint_args {
    PAINT_ARGUMENTS(MEMBER, struct paint_args)
};

/* What stays the same while a request is counted. */
struct points_job {
    enum number_type type;
    struct points_task task;
    DEVICE_POINTER(uint32_t) counts;
    DEVICE_POINTER(struct tally) tally;
    DEVICE_POINTER(struct points_state) state;
    DEVICE_POINTER(const uint32_t) abort; /* see struct iterate_args */
};

/* A part of the rounds to draw. */
struct points_draw {
    struct rounds_part part;
    DEVICE_POINTER(const struct points_pair) pairs; /* part.live of them, */
    DEVICE_POINTER(const uint32_t) numbers;         /* and their numbers */
    uint32_t turn;         /* which of state->claimed is the launch's; its value is 0 before */
    struct points_list to; /* unused unless points_deep(&job->task) */
    uint32_t room;         /* entries, at least launch_draw_room's */
};

/* A slice of a list of orbits to search or to plot. */
struct points_slice {
    struct points_list from, to; /* to: orbits that go on */
    struct points_list plot;     /* searching: orbits to be plotted */
    struct slice_part part;
};

/* Counters of stored pixels: `size` of each kind. */
struct paint_counts {
    DEVICE_POINTER(uint32_t) fresh;
    DEVICE_POINTER(uint64_t) total;
    size_t size;
};

#endif
