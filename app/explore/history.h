/* Undo and redo: the scenes before and after each step. A step is a change of the view, undone
 * exactly; a step to another scene, with limit, colours and all, is undone with all of it. */
#ifndef FATHOM_APP_EXPLORE_HISTORY_H
#define FATHOM_APP_EXPLORE_HISTORY_H

#include "render/files/scene.h"
#include <stddef.h>

#define HISTORY_STEPS_MAX 1000
#define HISTORY_BYTES_MAX (64 << 20) /* deep views are long numbers; the oldest ones go */

struct history_step {
    struct scene scene; /* before the step when it is done, after it when it is undone */
    bool whole;         /* all of the scene changed, not only the view */
};

/* Zero-initialised; pairs with history_finish. */
struct history {
    struct history_step *steps; /* NULL before the first */
    size_t count, at;           /* the first `at` of `count` steps are done, the others undone */
    size_t bytes;
};

void history_finish(struct history *history);

/* A step from `before` has been made; undone steps can no longer be redone. Without memory it is
 * forgotten, with an error logged. */
void history_add(struct history *history, const struct scene *before, bool whole);
/* Takes the last step back, or does the next one undone again: `scene` becomes what it was. Steps
 * that change nothing are skipped. False: there is none. */
bool history_undo(struct history *history, struct scene *scene);
bool history_redo(struct history *history, struct scene *scene);

#endif
