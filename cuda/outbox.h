/* The way from device memory to the caller's: planes, a few rows at a time, through a fixed amount
 * of pinned memory. The driver's thread fills parcels, the owner's empties them while polling. */
#ifndef FATHOM_CUDA_OUTBOX_H
#define FATHOM_CUDA_OUTBOX_H

#include "cuda/meeting.h"
#include "render/backend.h"
#include <cuda_runtime_api.h>
#include <stdatomic.h>

enum outbox_plane { OUTBOX_RGBA, OUTBOX_COUNT, OUTBOX_FRACTION, OUTBOX_PLANES };

#define OUTBOX_PARCELS 4

struct parcel {
    void *memory; /* pinned */
    cudaEvent_t copied;
    enum outbox_plane plane;
    int row, rows;
};

struct outbox {
    struct meeting *meeting;
    cudaStream_t stream;
    struct parcel parcels[OUTBOX_PARCELS];
    /* The driver's: */
    const void *planes[OUTBOX_PLANES]; /* device memory, rows of width_px * 4 bytes */
    int width_px, height_px;
    unsigned wanted; /* bit per plane still to be sent; the lowest is being sent */
    int next_row;
    uint32_t sent;
    /* Under the meeting's lock: parcels that have arrived on the host, and that the owner took. */
    uint32_t ready, taken;
};

cudaError_t outbox_init(struct outbox *outbox, struct meeting *meeting);
void outbox_finish(struct outbox *outbox);

/* --- the driver's thread --- */

/* Starts on a picture of that size; nothing is on its way. */
void outbox_start(struct outbox *outbox, int width_px, int height_px);
/* Sends a plane from its first row on, also when it is being sent already. */
void outbox_send(struct outbox *outbox, enum outbox_plane plane, const void *memory);
/* Whether something of what was sent has not left device memory yet. */
bool outbox_is_sending(const struct outbox *outbox);
/* Gets on with it without waiting. */
cudaError_t outbox_pump(struct outbox *outbox);
/* Gets on with it until all is ready for the owner, or `stop` is set. */
cudaError_t outbox_flush(struct outbox *outbox, const atomic_bool *stop);
/* Forgets what is on its way, after waiting for copies in flight. */
cudaError_t outbox_drop(struct outbox *outbox);

/* --- the owner's thread --- */

/* Whether there is a parcel to take; under the lock. */
bool outbox_has_news(const struct outbox *outbox);
/* Takes what is ready without looking at it; under the lock. */
void outbox_refuse(struct outbox *outbox);
/* Copies what is ready, for at most a couple of milliseconds past `deadline_ms`; the RGBA rows
 * among it are added to *dirty. */
void outbox_take(struct outbox *outbox, const struct target *target, double deadline_ms,
                 struct rect *dirty);

#endif
