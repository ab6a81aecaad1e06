/* Gestures that move the explorer's target: pinches of two fingers, and the sticks of gamepads.
 * Part of the explorer. */
#ifndef FATHOM_APP_EXPLORE_MOTION_GESTURE_H
#define FATHOM_APP_EXPLORE_MOTION_GESTURE_H

#include "app/explore/similarity.h"
#include "render/view.h"
#include <stdbool.h>

struct action;
struct explorer;

/* Zero-initialised: no gesture. Pairs with gesture_end_pinch. */
struct gesture {
    bool pinching;
    struct view before;       /* target at the beginning of the pinch */
    struct similarity behind; /* movement of the fingers before that */
    bool steering;
    struct gesture_course {
        double x, y, zoom, turn; /* -1 .. 1, fractions of the highest speed */
    } wanted, now;
    double complex rest_px; /* fractions of pixels that it has not moved yet */
};

/* Moves the target with the fingers (ACTION_PINCH). The result is independent of the number of
 * events: fingers that return to their start restore the exact view. */
void gesture_pinch(struct explorer *explorer, const struct action *action);
/* Ends the pinch: the fingers have left, or other motion moves the target. */
void gesture_end_pinch(struct gesture *gesture);
/* Sets the course of the sticks (ACTION_STEER). */
void gesture_steer(struct gesture *gesture, const struct action *action);
/* Advances the steering by a time. */
void gesture_advance(struct explorer *explorer, double ms);

#endif
