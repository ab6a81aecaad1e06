/* Undo and redo in one array: an undone step stays in its slot and holds the scene that was
 * left. */
#include "app/explore/history.h"
#include "render/base/memory.h"
#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const struct history_step *step) {
    const struct scene *scene = &step->scene;
    return 2 * ((size_t)view_bits(&scene->view) + (size_t)mpfr_get_prec(scene->fractal.re)) / 8;
}

static void drop(struct history *history, size_t first, size_t count) {
    struct history_step *steps = history->steps;
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

void history_add(struct history *history, const struct scene *before, bool whole) {
    if (!history->steps)
        history->steps =
            memory_alloc(HISTORY_STEPS_MAX * sizeof *history->steps, "the steps to undo");
    if (!history->steps)
        return;
    drop(history, history->at, history->count - history->at);
    /* The oldest tenth goes at once, so that the others are not moved for every step. */
    const size_t some = HISTORY_STEPS_MAX / 10;
    while (history->count == HISTORY_STEPS_MAX ||
           (history->bytes > HISTORY_BYTES_MAX && history->count > 0))
        drop(history, 0, history->count < some ? 1 : some);
    history->at = history->count;
    struct history_step *step = &history->steps[history->at];
    scene_init_copy(&step->scene, before);
    step->whole = whole;
    history->bytes += bytes_of(step);
    history->count = ++history->at;
}

/* Swaps the scene and the step's. False: they are the same. */
static bool take(struct history *history, struct history_step *step, struct scene *scene) {
    const bool other = step->whole || !view_equal(&step->scene.view, &scene->view);
    const struct scene left = *scene;
    history->bytes -= bytes_of(step);
    if (step->whole) {
        *scene = step->scene;
        step->scene = left;
    } else { /* each keeps what else it owns */
        scene->view = step->scene.view;
        step->scene.view = left.view;
    }
    history->bytes += bytes_of(step);
    return other;
}

bool history_undo(struct history *history, struct scene *scene) {
    while (history->at > 0)
        if (take(history, &history->steps[--history->at], scene))
            return true;
    return false;
}

bool history_redo(struct history *history, struct scene *scene) {
    while (history->at < history->count)
        if (take(history, &history->steps[history->at++], scene))
            return true;
    return false;
}
