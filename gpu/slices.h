/* Launches in flight: never more than two, each timed and tallied. The driver's thread's.
 *
 * They run one after another, in `queue`; or, where they do not depend on each other, in two queues
 * in turn, so that the next one fills the device while the last threads of the one before end. */
#ifndef FATHOM_GPU_SLICES_H
#define FATHOM_GPU_SLICES_H

#include "gpu/kernels.h"
#include "gpu/launch_budget.h"
#include "gpu/turns.h"

#define SLICES_IN_FLIGHT 2
#define SLICES_RING      (SLICES_IN_FLIGHT + 1) /* with the one before, for measuring */

struct slice {
    struct device_event *begin, *end,
        *seen;                    /* of the launch; `seen`: the tally has arrived after it */
    double work;                  /* pixel-steps, at most */
    struct launch_budget *budget; /* learns from it; NULL: not a measure of anything */
};

struct slices {
    const struct device_impl *impl;
    struct device *device;
    struct turn launching;
    const atomic_bool *stop;    /* nothing is launched any more once it is set */
    struct device_queue *queue; /* the launch that slices_begin allowed goes there */
    struct device_queue *queues[SLICES_IN_FLIGHT];
    bool overlap;
    struct device_event *turn; /* what the queues have to wait for when that changes */
    enum device_error error;   /* the first one; nothing is launched after it */
    bool eager; /* spin rather than sleep while waiting: for pictures that are done at once */
    struct slice ring[SLICES_RING];
    struct device_pointer tally; /* TALLY_SHARES, for kernels to add to */
    struct tally *seen;          /* pinned host memory, one copy of them per slice */
    struct tally last;           /* their sum after the last retired slice, at least */
    uint64_t launched, retired;
    double device_ms; /* of the retired ones; time that two share counts once */
};

/* False: not logged, the reason is in `error`. Finish it in any case. */
bool slices_init(struct slices *slices, struct device *device, struct turns *turns,
                 const atomic_bool *stop);
void slices_finish(struct slices *slices);

/* Keeps the first error; DEVICE_NOT_READY, of a launch that was given up, is none. */
bool slices_ok(struct slices *slices, enum device_error error);

/* Zeroes the tally and what is counted here; nothing is in flight. */
bool slices_restart(struct slices *slices);
/* Zeroes tally->listed, in the queue's order; nothing is in flight. */
bool slices_new_list(struct slices *slices);

/* Whether the following launches may overlap; they come after all earlier ones in any case. */
bool slices_overlap(struct slices *slices, bool overlap);

/* Waits for room for a launch, and for the picture's turn. False: stopped or failed. */
bool slices_begin(struct slices *slices);
/* Whether a launch that returned that is to be tried once more, a moment later, as its kernel is not there yet. Other
 * pictures have their turn until then, and its time begins anew. False also when stopped or failed. */
bool slices_again(struct slices *slices, enum device_error launch);
/* Tries a launch that has begun until its kernel is there, as an expression: what it returned last. */
#define SLICES_TRY(slices, launch)                                                                 \
    ({                                                                                             \
        enum device_error slices_tried;                                                            \
        do                                                                                         \
            slices_tried = (launch);                                                               \
        while (slices_again((slices), slices_tried));                                              \
        slices_tried;                                                                              \
    })
/* Ends what began; `launch` is what SLICES_TRY gave. */
bool slices_end(struct slices *slices, enum device_error launch, double work,
                struct launch_budget *budget);
/* All of one launch that is no measure of anything, as an expression. */
#define SLICES_LAUNCH(slices, launch)                                                              \
    (slices_begin(slices) && slices_end((slices), SLICES_TRY((slices), (launch)), 0, NULL))
/* Waits for all launches in flight, also when stopped. False: failed. */
bool slices_drain(struct slices *slices);
/* The same for everything in the queues, after a failure too. */
void slices_settle(struct slices *slices);

#endif
