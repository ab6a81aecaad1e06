/* Density run: counts orbits on the device. Launches draw samples until the wanted number is
 * reached, and the picture is shown at intervals. Used by the driver's thread. */
#ifndef FATHOM_GPU_DENSITY_DENSITY_RUN_H
#define FATHOM_GPU_DENSITY_DENSITY_RUN_H

#include "gpu/density/density_buffers.h"
#include "gpu/density/rounds.h"
#include "gpu/pixel_buffer.h"

/* Order for a run. */
struct density_run_input {
    struct density_req *req; /* owned; may be NULL: continues the previous counts */
    /* Initial values of all counters (struct density_counts), owned. May be NULL: all zero. */
    uint64_t *start;
    uint64_t start_samples, start_points;
    bool show; /* there is a target, which shows the picture */
};

/* Frees the data that the input owns, and resets the pointers. */
void density_run_input_finish(struct density_run_input *input);

struct density_run_extent {
    uint64_t samples, points;
    double hit; /* as in struct backend_report, from the latest levels */
};

/* Progress of a run; under the handoff's lock. */
struct density_run_progress {
    uint64_t iterations;
    struct density_run_extent done, shown; /* shown: extent of the picture that was sent last */
    double device_ms;
};

struct density_run {
    struct slices *slices;
    struct pixel_buffer *pixel_buffer;
    struct readback *readback;
    struct handoff *handoff;
    struct density_run_progress *progress;
    struct device_pointer abort; /* see struct iterate_args */
    uint32_t threads;            /* the device's resident threads */
    /* Counts of `req`, which is owned. May be NULL: no counts. */
    struct density_buffers buffers;
    struct density_req *req;
    bool complete; /* all samples are done, and all counts are in the totals */
    struct points_job job;
    struct cell_bounds bounds;
    struct rounds rounds;
    uint64_t steps, points;            /* of earlier runs */
    struct launch_budget search, plot; /* for long orbits */
    /* Members that are used during a run: */
    bool show;
    double pairs_per_ms;
    struct {
        uint64_t most; /* maximum number of increments of the launch */
        uint32_t pairs;
    } ring[SLICES_IN_FLIGHT];
    uint64_t retired;        /* number of launches known to have ended */
    double device_ms;        /* [ms] duration of those launches */
    uint64_t flushed_points; /* lower bound of the points in the totals since the last flush */
    uint64_t levels_launch;  /* number of the launch that makes the levels; 0: none in flight */
    struct density_run_extent extent; /* extent at the time of the levels */
    bool tone_changed;                /* the shown picture has another tone */
    double due_ms;
    uint32_t searched, plotted; /* entries in the current lists */
    uint32_t search_steps;
    int search_list, plot_list;
};

void density_run_finish(struct density_run *run);

/* Makes a run, and takes over its request. `gl` is true if the target is the GL buffer that
 * was given to the pixel buffer. Returns false if stopped, on failure (slices->error), or if memory
 * is lacking (*room is then false). No launch is in flight afterwards. */
bool density_run_run(struct density_run *run, struct density_run_input *input, bool gl,
                     uint32_t serial, bool *room);

#endif
