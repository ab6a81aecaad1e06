/* Undo and redo: the whole scenes before and after each step, with what follows the picture by
 * itself. */
#ifndef FATHOM_APP_EXPLORE_UNDO_HISTORY_H
#define FATHOM_APP_EXPLORE_UNDO_HISTORY_H

#include "render/files/scene.h"
#include <stddef.h>

#define HISTORY_STEPS_MAX 1000
#define HISTORY_JOIN_MS   1000.0
#define HISTORY_BYTES_MAX (64 << 20) /* deep views are long numbers; the oldest ones go */

/* All that a step may change. */
struct history_state {
    struct scene scene;
    bool auto_limit, auto_frequency; /* they are on */
    double
        offset; /* the colours', as auto_frequency_offset has it: that of the scene follows the picture */
};

/* Zero-initialised; pairs with history_finish. */
struct history {
    /* NULL before the first. Each is the state before its step when the step is done, and after it
     * when it is undone. */
    struct history_state *steps;
    size_t count, at; /* the first `at` of `count` steps are done, the others undone */
    size_t bytes;
    int what;       /* the kind of the last step, */
    double time_ms; /* and when it was made or went on */
};

void history_finish(struct history *history);

/* A step from `before`, which is copied, is made; undone steps can no longer be redone. Steps of the
 * same `what` other than 0 that follow each other within HISTORY_JOIN_MS are one. Without memory
 * the step is forgotten, with an error logged. */
void history_add(struct history *history, const struct history_state *before, int what,
                 double time_ms);
/* Takes the last step back, or makes the next undone one again: *state becomes what it was. Steps
 * that change nothing are skipped, though what they keep is exchanged. False: there is none. */
bool history_undo(struct history *history, struct history_state *state);
bool history_redo(struct history *history, struct history_state *state);
/* Whether two states are the same, but for what follows the picture in both. Where the padding of
 * the scenes differs, it may be false. */
bool history_same(const struct history_state *a, const struct history_state *b);

#endif
