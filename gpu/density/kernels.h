/* The arguments of orbit density's kernels.
 *
 * A launch of `draw` draws pairs of clumps (density_sample.h): each sample's first `young` steps,
 * and where it has escaped by then, its points. The orbits that live longer are listed; threads of
 * other launches search them for their escape, slice by slice, and those that are counted are
 * listed again, to be plotted.
 *
 * Counters are 32 bits wide, for speed. How many increments a launch can make at most is known
 * before, and `flush` moves them to 64-bit totals before the sum of that could pass 2^32. */
#ifndef FATHOM_GPU_DENSITY_KERNELS_H
#define FATHOM_GPU_DENSITY_KERNELS_H

#include "gpu/density/cell_bounds.h"
#include "gpu/density/rounds.h"
#include "gpu/kernels.h"
#include "render/density/density_counts.h"

/* Orbits under way. Numbers of the request's type; each array has room for `room` of them. */
struct points_list {
    DEVICE_POINTER(void) cr;
    DEVICE_POINTER(void) ci;
    DEVICE_POINTER(void) zr;
    DEVICE_POINTER(void) zi;
    DEVICE_POINTER(uint32_t) done; /* steps: z is z_done */
    DEVICE_POINTER(uint32_t) end;  /* plotting: the last point's step; the plane in `plane` */
    DEVICE_POINTER(uint8_t) plane;
};

/* What does not change while a request is counted. */
struct points_job {
    enum number_type type;
    struct points_task task;
    DEVICE_POINTER(uint32_t) counts;
    DEVICE_POINTER(struct tally) tally;
    DEVICE_POINTER(struct points_state) state;
    DEVICE_POINTER(const uint32_t) abort; /* see struct iterate_args */
};

/* `draw` draws a part of the rounds. It ends early, after state->claimed[turn] pairs, when the list
 * has no room for what the next ones might add. */
struct points_draw {
    struct rounds_part part;
    DEVICE_POINTER(const struct points_pair) pairs; /* part.live of them, */
    DEVICE_POINTER(const uint32_t) numbers;         /* and their numbers */
    uint32_t turn;         /* which of state->claimed is the launch's; its value is 0 before */
    struct points_list to; /* unused unless points_deep(&job->task) */
    uint32_t room;         /* at least what `room_least` says */
};

/* `search` and `plot` take `size` orbits from entry `begin` on at most `steps` further. */
struct points_slice {
    struct points_list from, to; /* to: those that go on */
    struct points_list plot;     /* searching: those to be plotted */
    uint32_t begin, size, steps;
};

/* Lists the pairs of cells in `order` that have something to plot, in order. */
struct cell_bounds_args {
    const struct points_job *job;
    DEVICE_POINTER(const uint32_t) order;
    DEVICE_POINTER(void) memory; /* room for job->task.cells pairs of 32-bit numbers */
    DEVICE_POINTER(struct points_pair) pairs;
    DEVICE_POINTER(uint32_t) numbers; /* theirs, in a round */
    DEVICE_POINTER(struct cell_bounds) result;
};

/* Stored pixels, planes * height * width; a count is the sum of both. The kernel `flush` moves what
 * is fresh to the totals. */
struct paint_counts {
    DEVICE_POINTER(uint32_t) fresh;
    DEVICE_POINTER(uint64_t) total;
    size_t size;
};

/* `levels` finds the levels of each channel, and `picture` makes the picture of them. */
struct paint_job {
    struct paint_counts counts;
    struct density_place place;
    int channels;
    int width_px, height_px;                   /* of the picture */
    DEVICE_POINTER(struct tone_levels) levels; /* TONE_CHANNELS_MAX, all are written */
    DEVICE_POINTER(const struct tone_map) map;
    DEVICE_POINTER(uint32_t) rgba; /* width_px * height_px */
};

#endif
