/* Undo and redo in one array: an undone step stays in its slot and stores the state after it. */
#include "app/explore/undo/history.h"
#include "render/base/memory.h"
#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const struct history_state *step) {
    const struct scene *scene = &step->scene;
    return 2 * ((size_t)view_bits(&scene->view) + (size_t)mpfr_get_prec(scene->fractal.re)) / 8;
}

static void drop(struct history *history, size_t first, size_t count) {
    struct history_state *steps = history->steps;
    for (size_t i = first; i < first + count; i++) {
        history->bytes -= bytes_of(&steps[i]);
        scene_finish(&steps[i].scene);
    }
    history->count -= count;
    memmove(steps + first, steps + first + count, (history->count - first) * sizeof *steps);
}

void history_finish(struct history *history) {
    if (history->steps)
        drop(history, 0, history->count);
    free(history->steps);
    *history = (struct history){0};
}

/* Makes values equal that follow the picture in both states. */
static void leave_out_automatic(struct scene *x, struct scene *y, const struct history_state *a,
                                const struct history_state *b) {
    if (a->auto_limit && b->auto_limit)
        x->limit = y->limit;
    if (!a->auto_frequency || !b->auto_frequency)
        return;
    x->frequency = y->frequency;
    x->offset = y->offset;
    x->ranks = y->ranks;
}

bool history_equal(const struct history_state *a, const struct history_state *b) {
    struct scene x = a->scene, y = b->scene;
    memset(&x.view, 0, sizeof x.view);
    memset(&y.view, 0, sizeof y.view);
    memset(&x.fractal, 0, sizeof x.fractal);
    memset(&y.fractal, 0, sizeof y.fractal);
    leave_out_automatic(&x, &y, a, b);
    if (a->auto_limit != b->auto_limit || a->auto_frequency != b->auto_frequency ||
        (a->auto_frequency && a->offset != b->offset))
        return false;
    return memcmp(&x, &y, sizeof x) == 0 && view_equal(&a->scene.view, &b->scene.view) &&
           fractal_equal(&a->scene.fractal, &b->scene.fractal);
}

void history_add(struct history *history, const struct history_state *before, int what,
                 double time_ms) {
    const bool joins = what != 0 && what == history->what && history->at > 0 &&
                       history->at == history->count &&
                       time_ms - history->time_ms < HISTORY_JOIN_MS;
    history->what = what;
    history->time_ms = time_ms;
    if (joins)
        return;
    if (!history->steps)
        history->steps =
            memory_alloc(HISTORY_STEPS_MAX * sizeof *history->steps, "the steps to undo");
    if (!history->steps)
        return;
    drop(history, history->at, history->count - history->at);
    /* The oldest tenth is dropped at once, so that the others do not move for every step. */
    const size_t some = HISTORY_STEPS_MAX / 10;
    while (history->count == HISTORY_STEPS_MAX ||
           (history->bytes > HISTORY_BYTES_MAX && history->count > 0))
        drop(history, 0, history->count < some ? 1 : some);
    history->at = history->count;
    struct history_state *step = &history->steps[history->at];
    *step = *before;
    scene_init_copy(&step->scene, &before->scene);
    history->bytes += bytes_of(step);
    history->count = ++history->at;
}

/* Exchanges the state and the step's state. Returns false if they are the same. */
static bool exchange(struct history *history, struct history_state *step,
                     struct history_state *state) {
    const bool other = !history_equal(step, state);
    const struct history_state left = *state;
    history->what = 0;
    history->bytes -= bytes_of(step);
    *state = *step;
    *step = left;
    history->bytes += bytes_of(step);
    return other;
}

bool history_undo(struct history *history, struct history_state *state) {
    while (history->at > 0)
        if (exchange(history, &history->steps[--history->at], state))
            return true;
    return false;
}

bool history_redo(struct history *history, struct history_state *state) {
    while (history->at < history->count)
        if (exchange(history, &history->steps[history->at++], state))
            return true;
    return false;
}
