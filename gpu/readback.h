/* Readback: copies planes from device memory to the caller's, a few rows at a time, through a fixed
 * amount of pinned memory. The driver's thread fills chunks, and the owner's thread empties them
 * while polling. Helper threads take part, because a single thread copies more slowly than chunks
 * arrive. */
#ifndef FATHOM_GPU_READBACK_H
#define FATHOM_GPU_READBACK_H

#include "gpu/device.h"
#include "render/backend.h"
#include <pthread.h>
#include <stdatomic.h>

/* Changes that the owner wants in the current or waiting job. */
struct change {
    bool pending;
    struct look look;
    uint64_t samples; /* wanted number of samples (orbit density) */
};

/* Synchronisation of the owner's thread and the driver's thread: a lock, and a condition for each
 * side. */
struct handoff {
    pthread_mutex_t lock;
    pthread_cond_t wake_driver; /* the driver's thread waits for it */
    pthread_cond_t wake_owner;  /* the owner's thread waits for it */
    struct change change;       /* under the lock */
};

/* Takes the change, on the driver's thread. Returns false if there is none. */
static inline bool handoff_take_change(struct handoff *handoff, struct change *change) {
    pthread_mutex_lock(&handoff->lock);
    *change = handoff->change;
    handoff->change.pending = false;
    pthread_mutex_unlock(&handoff->lock);
    return change->pending;
}

/* Numbers of the planes that are sent: pixels, then planes of samples. */
#define READBACK_RGBA       0
#define READBACK_SAMPLES(p) (1 + (p))
#define READBACK_PLANES     READBACK_SAMPLES(SAMPLE_PLANES)

#define READBACK_CHUNKS  4
#define READBACK_HELPERS 3

struct chunk {
    void *memory; /* pinned */
    struct device_event *copied;
    int plane, row, rows;
};

struct readback {
    struct handoff *handoff;
    struct device *device;
    struct device_queue *queue;
    struct chunk chunks[READBACK_CHUNKS];
    /* Members of the driver's thread: */
    struct device_pointer planes[READBACK_PLANES]; /* rows of width_px * 4 bytes */
    int width_px, height_px;
    unsigned wanted; /* bit per plane still to be sent; the lowest bit is being sent */
    int next_row;
    uint32_t sent;
    /* Members under the handoff's lock: number of chunks that have arrived, and that the owner
     * took. */
    uint32_t ready, taken;
    /* Destination of the owner's current copy, which must remain valid, and the parts of the
     * copy: */
    const struct target *target;
    int part, parts, copied; /* parts begun, total (0: no copy is running), and finished */
    bool quit;               /* the helpers must end */
    /* Helpers, created for the first picture that is large enough: */
    pthread_t helpers[READBACK_HELPERS]; /* sleep until there are parts to copy */
    int helper_count;
    pthread_cond_t help;
};

/* Initialises the readback. readback_finish is necessary even after a failure. */
enum device_error readback_init(struct readback *readback, struct device *device,
                                struct handoff *handoff);
void readback_finish(struct readback *readback);

/* --- the driver's thread --- */

/* Starts a picture of that size. No chunk may be in flight. */
void readback_start(struct readback *readback, int width_px, int height_px);
/* Sends a plane from its first row, even if the plane is already being sent. */
void readback_send(struct readback *readback, int plane, struct device_pointer memory);
/* Returns true if the owner has not yet taken everything that was sent. */
bool readback_is_sending(struct readback *readback);
/* Continues sending, without waiting. */
enum device_error readback_pump(struct readback *readback);
/* Continues sending until all rows are ready for the owner, or `stop` is set. */
enum device_error readback_flush(struct readback *readback, const atomic_bool *stop);
/* Drops all chunks. Waits for copies in flight, and for a chunk that the owner is taking. */
enum device_error readback_drop(struct readback *readback);

/* --- the owner's thread --- */

/* Returns true if a chunk is ready. The caller holds the lock. */
bool readback_has_chunk(const struct readback *readback);
/* Discards the chunks that are ready. The caller holds the lock. */
void readback_discard(struct readback *readback);
/* Copies the chunks that are ready, and stops a few milliseconds after `deadline_ms` at the latest.
 * Adds the rows of pixels to *dirty. */
void readback_take(struct readback *readback, const struct target *target, double deadline_ms,
                   struct rect *dirty);

#endif
