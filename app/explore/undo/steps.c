/* Undo steps: records the explorer's state before each change, and restores it. */
#include "app/explore/undo/steps.h"
#include <string.h>

/* Returns the explorer's state without copying what the explorer owns. */
static struct history_state state_of(const struct explorer *explorer) {
    const struct auto_frequency_colours now = {explorer->scene.frequency, explorer->scene.offset};
    return (struct history_state){explorer->scene, explorer->auto_limit.on,
                                  explorer->auto_frequency.on,
                                  auto_frequency_offset(&explorer->auto_frequency, &now)};
}

void steps_begin(struct explorer *explorer) {
    const struct history_state state = state_of(explorer);
    history_add(&explorer->history, &state, 0, explorer->time_ms);
}

void steps_remember(const struct explorer *explorer, struct history_state *before) {
    *before = state_of(explorer);
    scene_init_copy(&before->scene, &explorer->scene);
}

void steps_end(struct explorer *explorer, struct history_state *before, int what) {
    const struct history_state now = state_of(explorer);
    if (!history_equal(before, &now))
        history_add(&explorer->history, before, what, explorer->time_ms);
    scene_finish(&before->scene);
}

/* Restores a state. An automatic limit continues from the restored one. Colours that adapt before
 * and after keep their values, except for the offset that the user had set. */
static void restore(struct explorer *explorer, const struct history_state *left,
                    const struct history_state *state) {
    const double frequency = left->scene.frequency;
    const double offset = auto_frequency_offset_by(left->scene.offset, left->offset, state->offset);
    explorer->scene = state->scene;
    if (explorer->auto_frequency.on && state->auto_frequency) {
        explorer->scene.frequency = frequency;
        explorer->scene.offset = offset;
    }
    explorer->auto_frequency.judged = false;
    if (explorer->auto_limit.on != state->auto_limit)
        auto_limit_switch(&explorer->auto_limit, state->auto_limit);
    auto_limit_reset(&explorer->auto_limit);
    if (explorer->auto_frequency.on != state->auto_frequency)
        auto_frequency_switch(&explorer->auto_frequency, state->auto_frequency);
}

/* Takes over the memory of a scene that skipped steps have exchanged, although there was no step to
 * undo. Automatic values stay. */
static void take_memory(struct explorer *explorer, const struct history_state *state) {
    const struct scene was = explorer->scene;
    explorer->scene = state->scene;
    explorer->scene.limit = was.limit;
    explorer->scene.frequency = was.frequency;
    explorer->scene.offset = was.offset;
    explorer->scene.ranks = was.ranks;
}

void steps_undo(struct explorer *explorer, double amount) {
    const struct history_state left = state_of(explorer);
    struct history_state state = left;
    struct view before;
    view_init_copy(&before, &explorer->scene.view);
    if (amount > 0 ? history_undo(&explorer->history, &state)
                   : history_redo(&explorer->history, &state)) {
        restore(explorer, &left, &state);
        motion_end(explorer);
        motion_follow(explorer, &before);
    } else {
        take_memory(explorer, &state);
    }
    view_finish(&before);
}

bool steps_undo_at_once(struct explorer *explorer) {
    const struct history_state left = state_of(explorer);
    struct history_state state = left;
    const bool any = history_undo(&explorer->history, &state);
    if (any)
        restore(explorer, &left, &state);
    else
        take_memory(explorer, &state);
    return any;
}

const struct palette *steps_chosen_palette(const struct explorer *explorer) {
    const struct history *history = &explorer->history;
    const struct scene *after = &explorer->scene;
    for (size_t i = history->at; i > 0; i--) {
        const struct scene *before = &history->steps[i - 1].scene;
        if (before->palette != after->palette && view_equal(&before->view, &after->view))
            return after->palette;
        after = before;
    }
    return NULL;
}

static bool put_image(struct scene *scene, const char *path, const struct trap_image *image) {
    if (!scene->image->awaited || strcmp(scene->image->path, path) != 0)
        return false;
    trap_image_replace(&scene->image, trap_image_ref(image));
    return true;
}

void steps_put_image(struct explorer *explorer, const char *path, const struct trap_image *image) {
    struct history *history = &explorer->history;
    for (size_t i = 0; i < history->count; i++)
        put_image(&history->steps[i].scene, path, image);
    if (put_image(&explorer->scene, path, image))
        explorer->changed = true;
}
