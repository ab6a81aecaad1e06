/* What guides the view beside keys and a mouse: two fingers, which the picture follows, and the sticks
 * of gamepads. Part of the explorer, for motion.c alone. */
#ifndef FATHOM_APP_EXPLORE_MOTION_GESTURE_H
#define FATHOM_APP_EXPLORE_MOTION_GESTURE_H

#include "app/explore/similarity.h"
#include "render/view.h"
#include <stdbool.h>

struct action;
struct explorer;

/* Zero-initialised: nothing does. Pairs with gesture_end_pinch. */
struct gesture {
    bool pinching;
    struct view before;       /* the target when the pinch began, */
    struct similarity behind; /* and the fingers' way up to then */
    bool steering;
    struct gesture_course {
        double x, y, zoom, turn; /* parts of the fastest: -1 .. 1 */
    } wanted, now;
    double complex rest_px; /* of pixels that it has not moved yet */
};

/* Takes the target to where the fingers want it, by ACTION_PINCH. Exact, however many events the
 * way there had: what comes back to where it was is what it was. */
void gesture_pinch(struct explorer *explorer, const struct action *action);
/* The fingers have left, or something else moves the target. */
void gesture_end_pinch(struct gesture *gesture);
/* Changes the course, by ACTION_STEER. */
void gesture_steer(struct gesture *gesture, const struct action *action);
/* Lets time pass. */
void gesture_advance(struct explorer *explorer, double ms);

#endif
