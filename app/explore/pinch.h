/* Two fingers on the picture, which follows them. Part of the explorer, for motion.c alone. */
#ifndef FATHOM_APP_EXPLORE_PINCH_H
#define FATHOM_APP_EXPLORE_PINCH_H

#include "app/explore/similarity.h"
#include "render/view.h"
#include <stdbool.h>

struct action;
struct explorer;

/* Zero-initialised: there is none. Pairs with pinch_end. */
struct pinch {
    bool on;
    struct view before;       /* the target when it began, */
    struct similarity behind; /* and the fingers' way up to then */
};

/* Takes the target to where the fingers want it, by ACTION_PINCH. Exact, however many events the
 * way there had: what comes back to where it was is what it was. */
void pinch_follow(struct explorer *explorer, const struct action *action);
/* The fingers have left, or something else moves the target. */
void pinch_end(struct pinch *pinch);

#endif
