/* Pixel buffer: passes pixels to the owner between launches, so that a long picture appears as it
 * grows. */
#include "gpu/pixel_buffer.h"
#include "render/base/clock.h"
#include <math.h>

#define INTERVAL_MS 250.0 /* [ms] final interval between two updates */

void pixel_buffer_init(struct pixel_buffer *pixel_buffer, struct handoff *handoff,
                       struct readback *readback, struct slices *slices) {
    *pixel_buffer =
        (struct pixel_buffer){.handoff = handoff, .readback = readback, .slices = slices};
}

void pixel_buffer_lend(struct pixel_buffer *pixel_buffer, struct device_pointer rgba,
                       struct device_event *mapped) {
    pthread_mutex_lock(&pixel_buffer->handoff->lock);
    pixel_buffer->lent = rgba;
    pixel_buffer->mapped = mapped;
    pixel_buffer->holder = PIXEL_BUFFER_LENT;
    pthread_cond_signal(&pixel_buffer->handoff->wake_driver);
    pthread_mutex_unlock(&pixel_buffer->handoff->lock);
}

bool pixel_buffer_take(struct pixel_buffer *pixel_buffer) {
    pthread_mutex_lock(&pixel_buffer->handoff->lock);
    const bool offered = pixel_buffer->holder == PIXEL_BUFFER_OFFERED;
    if (offered)
        pixel_buffer->holder = PIXEL_BUFFER_TAKEN;
    pthread_mutex_unlock(&pixel_buffer->handoff->lock);
    return offered;
}

/* Draws to the lent buffer from now on. */
static bool adopt(struct pixel_buffer *pixel_buffer, struct device_pointer lent,
                  struct device_event *mapped) {
    pixel_buffer->rgba = lent;
    pixel_buffer->leaving = false;
    struct slices *slices = pixel_buffer->slices;
    return slices_ok(slices, slices->impl->queue_wait(slices->queue, mapped));
}

static void schedule(struct pixel_buffer *pixel_buffer, double now_ms) {
    if (pixel_buffer->on_demand) {
        pixel_buffer->due_ms = INFINITY;
        return;
    }
    pixel_buffer->due_ms = now_ms + pixel_buffer->interval_ms;
    pixel_buffer->interval_ms =
        pixel_buffer->interval_ms * 2 < INTERVAL_MS ? pixel_buffer->interval_ms * 2 : INTERVAL_MS;
}

bool pixel_buffer_start(struct pixel_buffer *pixel_buffer, bool gl, struct device_pointer rgba) {
    pixel_buffer->gl = gl;
    pixel_buffer->rgba = rgba;
    pixel_buffer->leaving = false;
    pixel_buffer->on_demand = false;
    pixel_buffer->interval_ms = PIXEL_BUFFER_FIRST_MS;
    schedule(pixel_buffer, clock_ms());
    return !pixel_buffer->gl || adopt(pixel_buffer, pixel_buffer->lent, pixel_buffer->mapped);
}

void pixel_buffer_on_demand(struct pixel_buffer *pixel_buffer) {
    pixel_buffer->on_demand = true;
    pixel_buffer->due_ms = INFINITY;
}

bool pixel_buffer_is_paintable(const struct pixel_buffer *pixel_buffer) {
    if (!pixel_buffer->gl)
        return !readback_is_sending(pixel_buffer->readback);
    return pixel_buffer->rgba.word && !pixel_buffer->leaving;
}

void pixel_buffer_update_next(struct pixel_buffer *pixel_buffer) {
    pixel_buffer->due_ms = 0;
}

static void offer(struct pixel_buffer *pixel_buffer) {
    pixel_buffer->leaving = false;
    pthread_mutex_lock(&pixel_buffer->handoff->lock);
    pixel_buffer->holder = PIXEL_BUFFER_OFFERED;
    pthread_cond_signal(&pixel_buffer->handoff->wake_owner);
    pthread_mutex_unlock(&pixel_buffer->handoff->lock);
}

static enum pixel_buffer_holder holder(struct pixel_buffer *pixel_buffer,
                                       struct device_pointer *lent, struct device_event **mapped) {
    pthread_mutex_lock(&pixel_buffer->handoff->lock);
    const enum pixel_buffer_holder now = pixel_buffer->holder;
    *lent = pixel_buffer->lent;
    *mapped = pixel_buffer->mapped;
    pthread_mutex_unlock(&pixel_buffer->handoff->lock);
    return now;
}

static bool tick_gl(struct pixel_buffer *pixel_buffer, double now_ms, bool *repaint) {
    struct device_pointer lent;
    struct device_event *mapped;
    if (holder(pixel_buffer, &lent, &mapped) != PIXEL_BUFFER_LENT)
        return true;
    if (pixel_buffer->leaving) {
        if (pixel_buffer->slices->retired >= pixel_buffer->last_use)
            offer(pixel_buffer);
    } else if (!pixel_buffer->rgba.word) {
        *repaint = true;
        if (pixel_buffer->due_ms > 0) /* Otherwise the pixels are due at once. */
            schedule(pixel_buffer, now_ms);
        return adopt(pixel_buffer, lent, mapped);
    } else if (now_ms >= pixel_buffer->due_ms) {
        pixel_buffer->rgba = (struct device_pointer){0};
        pixel_buffer->leaving = true;
        pixel_buffer->last_use = pixel_buffer->slices->launched;
    }
    return true;
}

bool pixel_buffer_tick(struct pixel_buffer *pixel_buffer, double now_ms, bool *repaint) {
    *repaint = false;
    if (pixel_buffer->gl && !tick_gl(pixel_buffer, now_ms, repaint))
        return false;
    if (!pixel_buffer->gl && now_ms >= pixel_buffer->due_ms) {
        readback_send(pixel_buffer->readback, READBACK_RGBA, pixel_buffer->rgba);
        schedule(pixel_buffer, now_ms);
    }
    return slices_ok(pixel_buffer->slices, readback_pump(pixel_buffer->readback));
}

bool pixel_buffer_await(struct pixel_buffer *pixel_buffer, const atomic_bool *stop, bool *repaint) {
    *repaint = false;
    if (!pixel_buffer->gl || pixel_buffer->rgba.word)
        return true;
    turn_end(&pixel_buffer->slices->launching);
    pthread_mutex_lock(&pixel_buffer->handoff->lock);
    while (pixel_buffer->holder != PIXEL_BUFFER_LENT && !atomic_load(stop))
        pthread_cond_wait(&pixel_buffer->handoff->wake_driver, &pixel_buffer->handoff->lock);
    const struct device_pointer lent = pixel_buffer->lent;
    struct device_event *mapped = pixel_buffer->mapped;
    const bool drawn = pixel_buffer->holder == PIXEL_BUFFER_LENT;
    pthread_mutex_unlock(&pixel_buffer->handoff->lock);
    if (!drawn)
        return true;
    *repaint = true;
    return adopt(pixel_buffer, lent, mapped);
}
