/* Arguments of orbit density's kernels, as the host fills them.
 *
 * A launch of `draw` draws pairs of clumps (density_sample.h). It makes the first `young` steps of
 * each sample, and plots the points of samples that have escaped by then. Orbits that live longer
 * are listed. Threads of other launches search them for their escape, slice by slice, and list
 * orbits that count again, for plotting.
 *
 * Counters have 32 bits, for speed. The maximum number of increments of a launch is known in
 * advance; `flush` moves the counts to 64-bit totals before the sum could pass 2^32. */
#ifndef FATHOM_GPU_DENSITY_DENSITY_ARGS_H
#define FATHOM_GPU_DENSITY_DENSITY_ARGS_H

#include "gpu/density/rounds.h"
#include "gpu/kernel_args.h"
#include "render/density/density_counts.h"

ARGUMENT_STRUCT(draw_args, DRAW_ARGUMENTS)
ARGUMENT_STRUCT(slice_args, SLICE_ARGUMENTS)
ARGUMENT_STRUCT(bounds_args, BOUNDS_ARGUMENTS)
ARGUMENT_STRUCT(paint_args, PAINT_ARGUMENTS)

/* Members that do not change while a request is counted. */
struct points_job {
    enum number_type type;
    struct points_task task;
    DEVICE_POINTER(uint32_t) counts;
    DEVICE_POINTER(struct tally) tally;
    DEVICE_POINTER(struct points_state) state;
    DEVICE_POINTER(const uint32_t) abort; /* see struct iterate_args */
};

/* Part of the rounds to draw. */
struct points_draw {
    struct draw_part part;
    DEVICE_POINTER(const struct points_pair) pairs; /* part.live pairs */
    DEVICE_POINTER(const uint32_t) numbers;         /* numbers of these pairs */
    struct points_list to;                          /* unused unless points_deep(&job->task) */
};

/* Slice of a list of orbits to search or to plot. */
struct points_slice {
    struct points_list from, to; /* to: orbits that continue */
    struct points_list plot;     /* searching: orbits to plot */
    struct slice_part part;
};

/* Counters of stored pixels: `size` counters of each kind. */
struct paint_counts {
    DEVICE_POINTER(uint32_t) fresh;
    DEVICE_POINTER(uint64_t) total;
    size_t size;
};

#endif
