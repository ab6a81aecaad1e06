/* Slices: launches in flight, two at most, each timed and tallied. Used by the driver's thread.
 *
 * Launches run one after another in `queue`. Independent launches alternate between two queues, so
 * that the next launch fills the device while the last threads of the previous launch end. */
#ifndef FATHOM_GPU_SLICES_H
#define FATHOM_GPU_SLICES_H

#include "gpu/kernel_args.h"
#include "gpu/launch_budget.h"
#include "gpu/turns.h"

#define SLICES_IN_FLIGHT 2
#define SLICES_RING      (SLICES_IN_FLIGHT + 1) /* including the previous slice, for measuring */

struct slice {
    struct device_event *begin, *end,
        *tallied;                 /* start and end of the launch; arrival of its tally */
    double work;                  /* [pixel-steps] maximum work of the launch */
    struct launch_budget *budget; /* learns from the launch; may be NULL */
};

struct slices {
    const struct device_impl *impl;
    struct device *device;
    struct turn launching;
    const atomic_bool *stop;    /* once set, no launch begins */
    struct device_queue *queue; /* queue of the launch that slices_begin allowed */
    struct device_queue *queues[SLICES_IN_FLIGHT];
    bool overlap;
    struct device_event *turn; /* makes the queues wait for each other when `overlap` changes */
    enum device_error error;   /* first error; no launch begins after it */
    bool spins;                /* spins instead of sleeping, for pictures that are drawn at once */
    struct slice ring[SLICES_RING];
    struct device_pointer tally; /* TALLY_SHARES tallies, to which kernels add */
    struct tally *tallies; /* pinned host memory: a copy of the tallies per launch in flight */
    struct tally last;     /* sum of the tallies after the last retired slice; a lower bound */
    uint64_t launched, retired;
    double device_ms; /* [ms] duration of the retired launches; overlaps count once */
};

/* Initialises the slices. Returns false on failure; the reason is in `error` and is not logged.
 * slices_finish is necessary even after a failure. */
bool slices_init(struct slices *slices, struct device *device, struct turns *turns,
                 const atomic_bool *stop);
void slices_finish(struct slices *slices);

/* Returns true if `error` is DEVICE_OK. Stores the first error, except DEVICE_NOT_READY, which
 * means that a launch was given up. */
bool slices_ok(struct slices *slices, enum device_error error);

/* Zeroes the tallies and the duration. No launch may be in flight. */
bool slices_restart(struct slices *slices);
/* Zeroes tally->listed, in the queue's order. No launch may be in flight. */
bool slices_clear_list(struct slices *slices);

/* Allows or forbids that later launches overlap each other. If this changes, later launches begin
 * after all earlier ones. */
bool slices_overlap(struct slices *slices, bool overlap);

/* Waits for a free slice and for the picture's turn. Returns false if stopped or failed. */
bool slices_begin(struct slices *slices);
/* Returns true if the launch must be tried again, because its program is not made yet. Waits a
 * moment, in which other pictures have their turn; the launch's time starts again. Returns false
 * also if stopped or failed. */
bool slices_retry(struct slices *slices, enum device_error launch);
/* Tries a launch after slices_begin until its program is made. The value is the last result. */
#define SLICES_TRY(slices, launch)                                                                 \
    ({                                                                                             \
        enum device_error slices_tried;                                                            \
        do                                                                                         \
            slices_tried = (launch);                                                               \
        while (slices_retry((slices), slices_tried));                                              \
        slices_tried;                                                                              \
    })
/* Ends the launch that slices_begin allowed; `launch` is the result of SLICES_TRY. */
bool slices_end(struct slices *slices, enum device_error launch, double work,
                struct launch_budget *budget);
/* Makes a launch that no budget learns from. The value is false if stopped or failed. */
#define SLICES_LAUNCH(slices, launch)                                                              \
    (slices_begin(slices) && slices_end((slices), SLICES_TRY((slices), (launch)), 0, NULL))
/* Waits for all launches in flight, even if stopped. Returns false on failure. */
bool slices_drain(struct slices *slices);
/* Waits for all work in the queues, even after a failure. */
void slices_drain_queues(struct slices *slices);

#endif
