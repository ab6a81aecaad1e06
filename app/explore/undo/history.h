/* Undo and redo: stores the whole scene before and after each step. */
#ifndef FATHOM_APP_EXPLORE_UNDO_HISTORY_H
#define FATHOM_APP_EXPLORE_UNDO_HISTORY_H

#include "render/files/scene.h"
#include <stddef.h>

#define HISTORY_STEPS_MAX 1000
#define HISTORY_JOIN_MS   1000.0
#define HISTORY_BYTES_MAX                                                                          \
    (64 << 20) /* of the numbers of deep views; the oldest steps are dropped */

/* Everything that a step may change. */
struct history_state {
    struct scene scene;
    bool auto_limit, auto_frequency; /* switched on */
    double
        offset; /* colour offset of auto_frequency_offset; that of the scene follows the picture */
};

/* Zero-initialised; pairs with history_finish. */
struct history {
    /* NULL before the first step. State before the step while the step is done, and after it while
     * it is undone. */
    struct history_state *steps;
    size_t count, at; /* the first `at` of `count` steps are done, the others undone */
    size_t bytes;
    int what;       /* kind of the last step */
    double time_ms; /* when it was made or continued */
};

void history_finish(struct history *history);

/* Adds a step from the state `before`, which is copied, and drops the undone steps. Steps of the
 * same `what` other than 0 within HISTORY_JOIN_MS join. Without memory the step is not added, and
 * an error is logged. */
void history_add(struct history *history, const struct history_state *before, int what,
                 double time_ms);
/* Undo the last step, or redo the next one: exchange *state and the step's state. Steps that change
 * nothing are skipped, but exchanged as well. Return false if there is no step. */
bool history_undo(struct history *history, struct history_state *state);
bool history_redo(struct history *history, struct history_state *state);
/* Returns true if two states are the same, except for values that follow the picture in both. May
 * return false if only the padding of the scenes differs. */
bool history_equal(const struct history_state *a, const struct history_state *b);

#endif
