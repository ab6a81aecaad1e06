/* Counting orbits on the device: launch after launch draws samples, until as many as were asked for
 * are done, while their picture is shown now and then. It belongs to the driver's thread. */
#ifndef FATHOM_GPU_DENSITY_DENSITY_RUN_H
#define FATHOM_GPU_DENSITY_DENSITY_RUN_H

#include "gpu/density/density_buffers.h"
#include "gpu/density/rounds.h"
#include "gpu/pixel_buffer.h"

/* What is asked for. */
struct density_run_order {
    struct density_req *req; /* owned; NULL: go on with what was counted last */
    /* What the counts begin with: `start_size` numbers, owned; NULL: nothing. */
    uint64_t *start;
    uint64_t start_samples, start_points;
    bool show; /* to the target; otherwise there is none */
};

/* Frees what it owns, which it does not have any more then. */
void density_run_order_finish(struct density_run_order *order);

struct density_run_extent {
    uint64_t samples, points;
    double hit; /* as in struct backend_report, by the latest levels */
};

/* How far it is; under the meeting's lock. */
struct density_run_progress {
    uint64_t iterations;
    struct density_run_extent done, shown; /* shown: in the picture that was sent last */
    double device_ms;
};

struct density_run {
    struct slices *slices;
    struct pixel_buffer *pixel_buffer;
    struct readback *readback;
    struct meeting *meeting;
    struct density_run_progress *progress;
    struct device_pointer abort; /* see struct iterate_args */
    uint32_t threads;            /* as many as the device runs at a time */
    /* What there is: counts of `req`, which is owned; NULL: nothing. */
    struct density_buffers buffers;
    struct density_req *req;
    bool complete; /* all samples of it are done, and their counts in the totals */
    struct points_job job;
    struct cell_bounds bounds;
    struct rounds rounds;
    uint64_t steps, points;            /* of earlier runs */
    struct launch_budget search, plot; /* of long orbits */
    /* While it runs: */
    bool show;
    double pairs_per_ms;
    struct {
        uint64_t most; /* increments that the launch can make */
        uint32_t pairs;
    } ring[SLICES_IN_FLIGHT];
    uint64_t retired;                 /* launches seen to have ended */
    double device_ms;                 /* of those */
    uint64_t flushed_points;          /* in the totals since the last flush, at least */
    uint64_t levels_launch;           /* that made the levels; 0: none is under way */
    struct density_run_extent extent; /* of those */
    bool retold;                      /* what was shown has another tone */
    double due_ms;
    uint32_t searched, plotted; /* entries in the lists of this turn */
    uint32_t search_steps;
    int search_turn, plot_turn;
};

void density_run_finish(struct density_run *run);

/* Does as ordered; takes the request over. `gl`: the target is the GL buffer that the pixel buffer
 * was given. False: stopped, or failed (slices->error), or the request cannot be counted for lack
 * of memory (*room is false then). Nothing is in flight afterwards. */
bool density_run_run(struct density_run *run, struct density_run_order *order, bool gl,
                     uint32_t serial, bool *room);

#endif
