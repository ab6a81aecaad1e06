/* Readback: copies planes from device memory to the host in chunks of rows. A stopped picture drops
 * its chunks. */
#include "gpu/readback.h"
#include "render/base/clock.h"
#include <string.h>

#define CHUNK_BYTES      ((size_t)4 << 20) /* 16 rows of the widest picture */
#define PARTS            8                 /* number of parts of a chunk */
#define HELPER_BYTES_MIN ((size_t)1 << 17) /* [bytes] helpers copy chunks of this size or more */

/* --- copying --- */

static size_t bytes_of(const struct readback *readback, int rows) {
    return (size_t)readback->width_px * (size_t)rows * sizeof(uint32_t);
}

static const struct chunk *next_chunk(const struct readback *readback) {
    return &readback->chunks[readback->taken % READBACK_CHUNKS];
}

static void copy_part(const struct readback *readback, int part) {
    const struct chunk *chunk = next_chunk(readback);
    const struct target *target = readback->target;
    const int first = chunk->rows * part / readback->parts,
              end = chunk->rows * (part + 1) / readback->parts;
    char *to = chunk->plane == READBACK_RGBA
                   ? (char *)target->rgba
                   : target->planes.plane[chunk->plane - READBACK_SAMPLES(0)];
    memcpy(to + bytes_of(readback, chunk->row + first),
           (const char *)chunk->memory + bytes_of(readback, first),
           bytes_of(readback, end - first));
}

/* Copies parts of the chunk as long as any are left. The caller holds the lock, which is released
 * during each copy. */
static void copy_parts(struct readback *readback) {
    struct handoff *handoff = readback->handoff;
    while (readback->part < readback->parts) {
        const int part = readback->part++;
        pthread_mutex_unlock(&handoff->lock);
        copy_part(readback, part);
        pthread_mutex_lock(&handoff->lock);
        if (++readback->copied == readback->parts)
            pthread_cond_signal(&handoff->wake_owner);
    }
}

static void *helper_main(void *user) {
    struct readback *readback = user;
    pthread_mutex_lock(&readback->handoff->lock);
    while (!readback->quit) {
        copy_parts(readback);
        if (!readback->quit)
            pthread_cond_wait(&readback->help, &readback->handoff->lock);
    }
    pthread_mutex_unlock(&readback->handoff->lock);
    return NULL;
}

static void start_helpers(struct readback *readback) {
    int *count = &readback->helper_count;
    pthread_mutex_lock(&readback->handoff->lock);
    while (*count < READBACK_HELPERS &&
           pthread_create(&readback->helpers[*count], NULL, helper_main, readback) == 0)
        ++*count;
    pthread_mutex_unlock(&readback->handoff->lock);
}

static void end_helpers(struct readback *readback) {
    pthread_mutex_lock(&readback->handoff->lock);
    readback->quit = true;
    pthread_cond_broadcast(&readback->help);
    pthread_mutex_unlock(&readback->handoff->lock);
    for (int i = 0; i < readback->helper_count; i++)
        pthread_join(readback->helpers[i], NULL);
    pthread_cond_destroy(&readback->help);
}

/* --- the driver's thread --- */

enum device_error readback_init(struct readback *readback, struct device *device,
                                struct handoff *handoff) {
    *readback = (struct readback){.handoff = handoff, .device = device};
    enum device_error error = device->impl->queue_create(device, &readback->queue);
    pthread_cond_init(&readback->help, NULL);
    for (int i = 0; i < READBACK_CHUNKS && error == DEVICE_OK; i++) {
        struct chunk *chunk = &readback->chunks[i];
        error = device->impl->alloc_host(device, CHUNK_BYTES, &chunk->memory);
        if (error == DEVICE_OK)
            error = device->impl->event_create(device, DEVICE_EVENT_SLEEP, &chunk->copied);
    }
    return error;
}

void readback_finish(struct readback *readback) {
    struct device *device = readback->device;
    if (!device)
        return;
    end_helpers(readback);
    for (int i = 0; i < READBACK_CHUNKS; i++) {
        device->impl->free_host(device, readback->chunks[i].memory);
        device->impl->event_destroy(readback->chunks[i].copied);
    }
    device->impl->queue_destroy(readback->queue);
    *readback = (struct readback){0};
}

void readback_start(struct readback *readback, int width_px, int height_px) {
    readback->width_px = width_px;
    readback->height_px = height_px;
}

enum device_error readback_drop(struct readback *readback) {
    const enum device_error error = readback->device->impl->queue_drain(readback->queue);
    readback->wanted = 0;
    readback->next_row = 0;
    pthread_mutex_lock(&readback->handoff->lock);
    while (readback->parts > 0)
        pthread_cond_wait(&readback->handoff->wake_driver, &readback->handoff->lock);
    readback->ready = readback->taken = readback->sent;
    pthread_mutex_unlock(&readback->handoff->lock);
    return error;
}

void readback_send(struct readback *readback, int plane, struct device_pointer memory) {
    const unsigned bit = 1u << plane;
    if (!(readback->wanted & (bit - 1)))
        readback->next_row = 0;
    readback->wanted |= bit;
    readback->planes[plane] = memory;
    if (bytes_of(readback, readback->height_px) >= HELPER_BYTES_MIN)
        start_helpers(readback);
}

static uint32_t taken(struct readback *readback) {
    pthread_mutex_lock(&readback->handoff->lock);
    const uint32_t count = readback->taken;
    pthread_mutex_unlock(&readback->handoff->lock);
    return count;
}

bool readback_is_sending(struct readback *readback) {
    return readback->wanted != 0 || taken(readback) != readback->sent;
}

static enum device_error send_chunk(struct readback *readback) {
    const struct device_impl *impl = readback->device->impl;
    struct chunk *chunk = &readback->chunks[readback->sent % READBACK_CHUNKS];
    /* Gaps between the rows of a first pass are filled from the row above. A gap never crosses the
     * end of a chunk. */
    const int most =
                  (int)(CHUNK_BYTES / bytes_of(readback, 1)) / FRAME_STRIDE_MAX * FRAME_STRIDE_MAX,
              left = readback->height_px - readback->next_row;
    chunk->plane = __builtin_ctz(readback->wanted);
    chunk->row = readback->next_row;
    chunk->rows = left < most ? left : most;
    const struct device_pointer from =
        device_pointer_at(readback->planes[chunk->plane], bytes_of(readback, chunk->row));
    enum device_error error =
        impl->download(readback->queue, chunk->memory, from, bytes_of(readback, chunk->rows));
    if (error == DEVICE_OK)
        error = impl->event_record(chunk->copied, readback->queue);
    readback->sent++;
    readback->next_row += chunk->rows;
    if (readback->next_row == readback->height_px) {
        readback->wanted &= readback->wanted - 1;
        readback->next_row = 0;
    }
    return error;
}

static struct device_event *oldest_in_flight(const struct readback *readback) {
    return readback->chunks[readback->ready % READBACK_CHUNKS].copied;
}

/* Marks chunks whose copy has ended as ready, and signals the owner. */
static enum device_error deliver(struct readback *readback) {
    enum device_error error = DEVICE_OK;
    while (readback->ready != readback->sent) {
        error = readback->device->impl->event_ready(oldest_in_flight(readback));
        if (error != DEVICE_OK)
            break;
        pthread_mutex_lock(&readback->handoff->lock);
        readback->ready++;
        pthread_cond_signal(&readback->handoff->wake_owner);
        pthread_mutex_unlock(&readback->handoff->lock);
    }
    return error == DEVICE_NOT_READY ? DEVICE_OK : error;
}

enum device_error readback_pump(struct readback *readback) {
    enum device_error error = deliver(readback);
    while (error == DEVICE_OK && readback->wanted &&
           readback->sent - taken(readback) < READBACK_CHUNKS)
        error = send_chunk(readback);
    return error;
}

/* Sleeps until a copy has ended or the owner has taken a chunk. */
static enum device_error wait_for_progress(struct readback *readback, const atomic_bool *stop) {
    if (readback->ready != readback->sent)
        return readback->device->impl->event_sleep(oldest_in_flight(readback));
    pthread_mutex_lock(&readback->handoff->lock);
    while (readback->sent - readback->taken == READBACK_CHUNKS && !atomic_load(stop))
        pthread_cond_wait(&readback->handoff->wake_driver, &readback->handoff->lock);
    pthread_mutex_unlock(&readback->handoff->lock);
    return DEVICE_OK;
}

enum device_error readback_flush(struct readback *readback, const atomic_bool *stop) {
    enum device_error error = readback_pump(readback);
    while (error == DEVICE_OK && (readback->wanted || readback->ready != readback->sent) &&
           !atomic_load(stop)) {
        error = wait_for_progress(readback, stop);
        if (error == DEVICE_OK)
            error = readback_pump(readback);
    }
    return error;
}

bool readback_has_chunk(const struct readback *readback) {
    return readback->ready != readback->taken;
}

void readback_discard(struct readback *readback) {
    readback->taken = readback->ready;
}

/* Adds the rows of the next chunk to *dirty if they are pixels. */
static void add_dirty(const struct readback *readback, struct rect *dirty) {
    const struct chunk *chunk = next_chunk(readback);
    const int end = chunk->row + chunk->rows;
    const bool empty = dirty->x0 >= dirty->x1;
    if (chunk->plane == READBACK_RGBA)
        *dirty = (struct rect){0, empty || chunk->row < dirty->y0 ? chunk->row : dirty->y0,
                               readback->width_px, empty || end > dirty->y1 ? end : dirty->y1};
}

/* Takes the next chunk. The caller holds the lock, which is released during the copy. */
static void take(struct readback *readback) {
    const bool helped = readback->helper_count > 0 &&
                        bytes_of(readback, next_chunk(readback)->rows) >= HELPER_BYTES_MIN;
    readback->parts = helped ? PARTS : 1;
    if (helped)
        pthread_cond_broadcast(&readback->help);
    copy_parts(readback);
    while (readback->copied < readback->parts)
        pthread_cond_wait(&readback->handoff->wake_owner, &readback->handoff->lock);
    readback->part = readback->parts = readback->copied = 0;
    readback->taken++;
    pthread_cond_signal(&readback->handoff->wake_driver);
}

void readback_take(struct readback *readback, const struct target *target, double deadline_ms,
                   struct rect *dirty) {
    pthread_mutex_lock(&readback->handoff->lock);
    readback->target = target;
    while (readback_has_chunk(readback)) {
        add_dirty(readback, dirty);
        take(readback);
        if (clock_ms() > deadline_ms)
            break;
    }
    pthread_mutex_unlock(&readback->handoff->lock);
}
