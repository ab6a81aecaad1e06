/* Carries out actions, which come from keys, the pointer or a script. */
#ifndef FATHOM_APP_WINDOW_ACTIONS_H
#define FATHOM_APP_WINDOW_ACTIONS_H

#include "app/window/loop.h"

/* Carries it out, with a message where it cannot be seen or is not possible. The action stays the
 * caller's. */
void actions_apply(struct loop *loop, const struct action *action);

#endif
