/* The way from device memory to the caller's: planes, a few rows at a time, through a fixed amount
 * of pinned memory. The driver's thread fills chunks, the owner's empties them while polling, with
 * the help of other threads, as one alone copies more slowly than they come. */
#ifndef FATHOM_GPU_READBACK_H
#define FATHOM_GPU_READBACK_H

#include "gpu/device.h"
#include "render/backend.h"
#include <pthread.h>
#include <stdatomic.h>

/* What the owner wants otherwise of the picture that is in work, or waiting. */
struct wish {
    bool there;
    struct look look;
    uint64_t samples; /* of orbit density, to be done */
};

/* Where the owner's thread and the driver's thread meet: one lock and a condition for each side. */
struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t work; /* the driver's thread waits for it */
    pthread_cond_t news; /* the owner's thread waits for it */
    struct wish wish;    /* under the lock */
};

/* The driver's: takes it. False: there is none. */
static inline bool meeting_take_wish(struct meeting *meeting, struct wish *wish) {
    pthread_mutex_lock(&meeting->lock);
    *wish = meeting->wish;
    meeting->wish.there = false;
    pthread_mutex_unlock(&meeting->lock);
    return wish->there;
}

/* What is sent, by number: pixels, then planes of samples. */
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
    struct meeting *meeting;
    struct device *device;
    struct device_queue *queue;
    struct chunk chunks[READBACK_CHUNKS];
    /* The driver's: */
    struct device_pointer planes[READBACK_PLANES]; /* rows of width_px * 4 bytes */
    int width_px, height_px;
    unsigned wanted; /* bit per plane still to be sent; the lowest is being sent */
    int next_row;
    uint32_t sent;
    /* Under the meeting's lock: chunks that have arrived on the host, and that the owner took. */
    uint32_t ready, taken;
    /* Where the owner copies the next one to, which must stay, in parts: */
    const struct target *target;
    int part, parts, copied; /* how many are taken, there are (0: it does not), and are done */
    bool quit;               /* helpers are to end */
    /* Made for the first picture that is large enough: */
    pthread_t helpers[READBACK_HELPERS]; /* wait until there are parts */
    int helper_count;
    pthread_cond_t help;
};

/* Finish it in any case. */
enum device_error readback_init(struct readback *readback, struct device *device,
                                struct meeting *meeting);
void readback_finish(struct readback *readback);

/* --- the driver's thread --- */

/* Starts on a picture of that size; nothing is on its way. */
void readback_start(struct readback *readback, int width_px, int height_px);
/* Sends a plane from its first row on, also when it is being sent already. */
void readback_send(struct readback *readback, int plane, struct device_pointer memory);
/* Whether something of what was sent has not been taken by the owner yet. */
bool readback_is_sending(struct readback *readback);
/* Gets on with it without waiting. */
enum device_error readback_pump(struct readback *readback);
/* Gets on with it until all is ready for the owner, or `stop` is set. */
enum device_error readback_flush(struct readback *readback, const atomic_bool *stop);
/* Forgets what is on its way, after waiting for copies in flight and for a chunk being taken. */
enum device_error readback_drop(struct readback *readback);

/* --- the owner's thread --- */

/* Whether there is a chunk to take; under the lock. */
bool readback_has_news(const struct readback *readback);
/* Takes what is ready without looking at it; under the lock. */
void readback_refuse(struct readback *readback);
/* Copies what is ready, for at most a couple of milliseconds past `deadline_ms`; the RGBA rows
 * among it are added to *dirty. */
void readback_take(struct readback *readback, const struct target *target, double deadline_ms,
                   struct rect *dirty);

#endif
