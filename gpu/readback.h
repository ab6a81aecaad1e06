/* The way from device memory to the caller's: planes, a few rows at a time, through a fixed amount
 * of pinned memory. The driver's thread fills chunks, the owner's empties them while polling. */
#ifndef FATHOM_GPU_READBACK_H
#define FATHOM_GPU_READBACK_H

#include "gpu/meeting.h"
#include "render/backend.h"
#include <cuda_runtime_api.h>
#include <stdatomic.h>

enum readback_plane { READBACK_RGBA, READBACK_COUNT, READBACK_FRACTION, READBACK_PLANES };

#define READBACK_CHUNKS 4

struct chunk {
    void *memory; /* pinned */
    cudaEvent_t copied;
    enum readback_plane plane;
    int row, rows;
};

struct readback {
    struct meeting *meeting;
    cudaStream_t stream;
    struct chunk chunks[READBACK_CHUNKS];
    /* The driver's: */
    const void *planes[READBACK_PLANES]; /* device memory, rows of width_px * 4 bytes */
    int width_px, height_px;
    unsigned wanted; /* bit per plane still to be sent; the lowest is being sent */
    int next_row;
    uint32_t sent;
    /* Under the meeting's lock: chunks that have arrived on the host, and that the owner took. */
    uint32_t ready, taken;
};

cudaError_t readback_init(struct readback *readback, struct meeting *meeting);
void readback_finish(struct readback *readback);

/* --- the driver's thread --- */

/* Starts on a picture of that size; nothing is on its way. */
void readback_start(struct readback *readback, int width_px, int height_px);
/* Sends a plane from its first row on, also when it is being sent already. */
void readback_send(struct readback *readback, enum readback_plane plane, const void *memory);
/* Whether something of what was sent has not left device memory yet. */
bool readback_is_sending(const struct readback *readback);
/* Gets on with it without waiting. */
cudaError_t readback_pump(struct readback *readback);
/* Gets on with it until all is ready for the owner, or `stop` is set. */
cudaError_t readback_flush(struct readback *readback, const atomic_bool *stop);
/* Forgets what is on its way, after waiting for copies in flight. */
cudaError_t readback_drop(struct readback *readback);

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
