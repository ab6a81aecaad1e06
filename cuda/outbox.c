/* Parcels of rows. */
#include "cuda/outbox.h"
#include "render/base/clock.h"
#include <string.h>

#define PARCEL_BYTES ((size_t)4 << 20) /* 16 rows of the widest picture */

cudaError_t outbox_init(struct outbox *outbox, struct meeting *meeting) {
    *outbox = (struct outbox){.meeting = meeting};
    cudaError_t error = cudaStreamCreateWithFlags(&outbox->stream, cudaStreamNonBlocking);
    for (int i = 0; i < OUTBOX_PARCELS && error == cudaSuccess; i++) {
        struct parcel *parcel = &outbox->parcels[i];
        error = cudaMallocHost(&parcel->memory, PARCEL_BYTES);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&parcel->copied,
                                             cudaEventDisableTiming | cudaEventBlockingSync);
    }
    return error;
}

void outbox_finish(struct outbox *outbox) {
    for (int i = 0; i < OUTBOX_PARCELS; i++) {
        cudaFreeHost(outbox->parcels[i].memory);
        if (outbox->parcels[i].copied)
            cudaEventDestroy(outbox->parcels[i].copied);
    }
    if (outbox->stream)
        cudaStreamDestroy(outbox->stream);
    *outbox = (struct outbox){0};
}

void outbox_start(struct outbox *outbox, int width_px, int height_px) {
    outbox->width_px = width_px;
    outbox->height_px = height_px;
}

cudaError_t outbox_drop(struct outbox *outbox) {
    const cudaError_t error = cudaStreamSynchronize(outbox->stream);
    outbox->wanted = 0;
    outbox->next_row = 0;
    pthread_mutex_lock(&outbox->meeting->lock);
    outbox->ready = outbox->taken = outbox->sent;
    pthread_mutex_unlock(&outbox->meeting->lock);
    return error;
}

void outbox_send(struct outbox *outbox, enum outbox_plane plane, const void *memory) {
    const unsigned bit = 1u << plane;
    if (!(outbox->wanted & (bit - 1)))
        outbox->next_row = 0;
    outbox->wanted |= bit;
    outbox->planes[plane] = memory;
}

bool outbox_is_sending(const struct outbox *outbox) {
    return outbox->wanted != 0 || outbox->ready != outbox->sent;
}

static enum outbox_plane lowest(unsigned wanted) {
    return (enum outbox_plane)__builtin_ctz(wanted);
}

static cudaError_t send_parcel(struct outbox *outbox) {
    struct parcel *parcel = &outbox->parcels[outbox->sent % OUTBOX_PARCELS];
    const size_t row_bytes = (size_t)outbox->width_px * sizeof(uint32_t);
    const int most = (int)(PARCEL_BYTES / row_bytes), left = outbox->height_px - outbox->next_row;
    parcel->plane = lowest(outbox->wanted);
    parcel->row = outbox->next_row;
    parcel->rows = left < most ? left : most;
    const char *from =
        (const char *)outbox->planes[parcel->plane] + (size_t)parcel->row * row_bytes;
    cudaError_t error = cudaMemcpyAsync(parcel->memory, from, (size_t)parcel->rows * row_bytes,
                                        cudaMemcpyDeviceToHost, outbox->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(parcel->copied, outbox->stream);
    outbox->sent++;
    outbox->next_row += parcel->rows;
    if (outbox->next_row == outbox->height_px) {
        outbox->wanted &= outbox->wanted - 1;
        outbox->next_row = 0;
    }
    return error;
}

static uint32_t taken(struct outbox *outbox) {
    pthread_mutex_lock(&outbox->meeting->lock);
    const uint32_t count = outbox->taken;
    pthread_mutex_unlock(&outbox->meeting->lock);
    return count;
}

/* Tells the owner about parcels whose copy has ended. */
static cudaError_t deliver(struct outbox *outbox) {
    cudaError_t error = cudaSuccess;
    while (outbox->ready != outbox->sent) {
        error = cudaEventQuery(outbox->parcels[outbox->ready % OUTBOX_PARCELS].copied);
        if (error != cudaSuccess)
            break;
        pthread_mutex_lock(&outbox->meeting->lock);
        outbox->ready++;
        pthread_cond_signal(&outbox->meeting->news);
        pthread_mutex_unlock(&outbox->meeting->lock);
    }
    return error == cudaErrorNotReady ? cudaSuccess : error;
}

cudaError_t outbox_pump(struct outbox *outbox) {
    cudaError_t error = deliver(outbox);
    while (error == cudaSuccess && outbox->wanted && outbox->sent - taken(outbox) < OUTBOX_PARCELS)
        error = send_parcel(outbox);
    return error;
}

/* Sleeps until a copy has ended or the owner has taken a parcel. */
static cudaError_t wait_for_progress(struct outbox *outbox, const atomic_bool *stop) {
    if (outbox->ready != outbox->sent)
        return cudaEventSynchronize(outbox->parcels[outbox->ready % OUTBOX_PARCELS].copied);
    pthread_mutex_lock(&outbox->meeting->lock);
    while (outbox->sent - outbox->taken == OUTBOX_PARCELS && !atomic_load(stop))
        pthread_cond_wait(&outbox->meeting->work, &outbox->meeting->lock);
    pthread_mutex_unlock(&outbox->meeting->lock);
    return cudaSuccess;
}

cudaError_t outbox_flush(struct outbox *outbox, const atomic_bool *stop) {
    cudaError_t error = outbox_pump(outbox);
    while (error == cudaSuccess && (outbox->wanted || outbox->ready != outbox->sent) &&
           !atomic_load(stop)) {
        error = wait_for_progress(outbox, stop);
        if (error == cudaSuccess)
            error = outbox_pump(outbox);
    }
    return error;
}

bool outbox_has_news(const struct outbox *outbox) {
    /* Signed: a failing driver drops parcels while the owner takes one. */
    return (int32_t)(outbox->ready - outbox->taken) > 0;
}

void outbox_refuse(struct outbox *outbox) {
    outbox->taken = outbox->ready;
}

static void *plane_of(const struct target *target, enum outbox_plane plane) {
    switch (plane) {
    case OUTBOX_RGBA:
        return target->rgba;
    case OUTBOX_COUNT:
        return target->count;
    case OUTBOX_FRACTION:
        return target->fraction;
    case OUTBOX_PLANES:
        break;
    }
    return NULL;
}

static void unpack(const struct outbox *outbox, const struct parcel *parcel,
                   const struct target *target, struct rect *dirty) {
    const size_t row_bytes = (size_t)outbox->width_px * sizeof(uint32_t);
    char *to = plane_of(target, parcel->plane);
    memcpy(to + (size_t)parcel->row * row_bytes, parcel->memory, (size_t)parcel->rows * row_bytes);
    if (parcel->plane != OUTBOX_RGBA)
        return;
    const int end = parcel->row + parcel->rows;
    const bool empty = dirty->x0 >= dirty->x1;
    *dirty = (struct rect){0, empty || parcel->row < dirty->y0 ? parcel->row : dirty->y0,
                           outbox->width_px, empty || end > dirty->y1 ? end : dirty->y1};
}

void outbox_take(struct outbox *outbox, const struct target *target, double deadline_ms,
                 struct rect *dirty) {
    pthread_mutex_lock(&outbox->meeting->lock);
    while (outbox_has_news(outbox)) {
        pthread_mutex_unlock(&outbox->meeting->lock);
        unpack(outbox, &outbox->parcels[outbox->taken % OUTBOX_PARCELS], target, dirty);
        pthread_mutex_lock(&outbox->meeting->lock);
        outbox->taken++;
        pthread_cond_signal(&outbox->meeting->work);
        if (clock_ms() > deadline_ms)
            break;
    }
    pthread_mutex_unlock(&outbox->meeting->lock);
}
