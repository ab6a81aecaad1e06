/* Handing pixels over. */
#include "cuda/canvas.h"
#include "render/base/clock.h"
#include <math.h>

#define FIRST_SIGHT_MS 12.0
#define INTERVAL_MS    250.0 /* in the long run */

void canvas_init(struct canvas *canvas, struct meeting *meeting, struct outbox *outbox,
                 struct slices *slices) {
    *canvas = (struct canvas){.meeting = meeting, .outbox = outbox, .slices = slices};
}

void canvas_give(struct canvas *canvas, uint32_t *rgba, cudaEvent_t mapped) {
    pthread_mutex_lock(&canvas->meeting->lock);
    canvas->lent = rgba;
    canvas->mapped = mapped;
    canvas->holder = CANVAS_DRAWN;
    pthread_cond_signal(&canvas->meeting->work);
    pthread_mutex_unlock(&canvas->meeting->lock);
}

bool canvas_take(struct canvas *canvas) {
    pthread_mutex_lock(&canvas->meeting->lock);
    const bool offered = canvas->holder == CANVAS_OFFERED;
    if (offered)
        canvas->holder = CANVAS_AWAY;
    pthread_mutex_unlock(&canvas->meeting->lock);
    return offered;
}

/* Draws to the lent buffer from now on. */
static bool adopt(struct canvas *canvas, uint32_t *lent, cudaEvent_t mapped) {
    canvas->rgba = lent;
    canvas->leaving = false;
    return slices_ok(canvas->slices, cudaStreamWaitEvent(canvas->slices->stream, mapped, 0));
}

static void schedule(struct canvas *canvas, double now_ms) {
    if (canvas->on_demand) {
        canvas->due_ms = INFINITY;
        return;
    }
    canvas->due_ms = now_ms + canvas->interval_ms;
    canvas->interval_ms =
        canvas->interval_ms * 2 < INTERVAL_MS ? canvas->interval_ms * 2 : INTERVAL_MS;
}

bool canvas_start(struct canvas *canvas, uint32_t *host_rgba) {
    canvas->gl = !host_rgba;
    canvas->rgba = host_rgba;
    canvas->leaving = false;
    canvas->on_demand = false;
    canvas->interval_ms = FIRST_SIGHT_MS;
    schedule(canvas, clock_ms());
    return !canvas->gl || adopt(canvas, canvas->lent, canvas->mapped);
}

void canvas_on_demand(struct canvas *canvas) {
    canvas->on_demand = true;
    canvas->due_ms = INFINITY;
}

bool canvas_free(const struct canvas *canvas) {
    if (!canvas->gl)
        return !outbox_is_sending(canvas->outbox);
    return canvas->rgba && !canvas->leaving;
}

void canvas_show(struct canvas *canvas) {
    canvas->due_ms = 0;
}

static void offer(struct canvas *canvas) {
    canvas->leaving = false;
    pthread_mutex_lock(&canvas->meeting->lock);
    canvas->holder = CANVAS_OFFERED;
    pthread_cond_signal(&canvas->meeting->news);
    pthread_mutex_unlock(&canvas->meeting->lock);
}

static enum canvas_holder holder(struct canvas *canvas, uint32_t **lent, cudaEvent_t *mapped) {
    pthread_mutex_lock(&canvas->meeting->lock);
    const enum canvas_holder now = canvas->holder;
    *lent = canvas->lent;
    *mapped = canvas->mapped;
    pthread_mutex_unlock(&canvas->meeting->lock);
    return now;
}

static bool tick_gl(struct canvas *canvas, double now_ms, bool *repaint) {
    uint32_t *lent;
    cudaEvent_t mapped;
    if (holder(canvas, &lent, &mapped) != CANVAS_DRAWN)
        return true;
    if (canvas->leaving) {
        if (canvas->slices->retired >= canvas->last_use)
            offer(canvas);
    } else if (!canvas->rgba) {
        *repaint = true;
        schedule(canvas, now_ms);
        return adopt(canvas, lent, mapped);
    } else if (now_ms >= canvas->due_ms) {
        canvas->rgba = NULL;
        canvas->leaving = true;
        canvas->last_use = canvas->slices->launched;
    }
    return true;
}

bool canvas_tick(struct canvas *canvas, double now_ms, bool *repaint) {
    *repaint = false;
    if (canvas->gl && !tick_gl(canvas, now_ms, repaint))
        return false;
    if (!canvas->gl && now_ms >= canvas->due_ms) {
        outbox_send(canvas->outbox, OUTBOX_RGBA, canvas->rgba);
        schedule(canvas, now_ms);
    }
    return slices_ok(canvas->slices, outbox_pump(canvas->outbox));
}

bool canvas_regain(struct canvas *canvas, const atomic_bool *stop, bool *repaint) {
    *repaint = false;
    if (!canvas->gl || canvas->rgba)
        return true;
    pthread_mutex_lock(&canvas->meeting->lock);
    while (canvas->holder != CANVAS_DRAWN && !atomic_load(stop))
        pthread_cond_wait(&canvas->meeting->work, &canvas->meeting->lock);
    uint32_t *lent = canvas->lent;
    cudaEvent_t mapped = canvas->mapped;
    const bool drawn = canvas->holder == CANVAS_DRAWN;
    pthread_mutex_unlock(&canvas->meeting->lock);
    if (!drawn)
        return true;
    *repaint = true;
    return adopt(canvas, lent, mapped);
}
