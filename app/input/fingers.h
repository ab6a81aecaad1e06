/* Fingers on a touch screen: their state between events. Part of input.h. */
#ifndef FATHOM_APP_INPUT_FINGERS_H
#define FATHOM_APP_INPUT_FINGERS_H

#include <SDL.h>
#include <stdbool.h>

struct action;
struct input;

#define FINGERS_MAX 10 /* further fingers are ignored */

struct finger {
    SDL_TouchID touch;
    SDL_FingerID id;
    double x_px, y_px;           /* position in the picture; may be outside it */
    double from_x_px, from_y_px; /* position when its pinch began */
};

/* Zero-initialised: no finger touches the window. */
struct fingers {
    struct finger held[FINGERS_MAX]; /* the oldest first; the first two pinch */
    int count;
    int most;        /* highest count since the first finger arrived */
    bool ignored;    /* until all have left, because an overlay uses the first finger */
    bool moved;      /* a finger has moved farther than in a tap */
    bool pinched;    /* a pinch has been reported and not ended */
    double turn;     /* [rad] rotation of the pinch; may exceed half a turn */
    Uint32 since_ms; /* arrival of the first finger */
    bool tapped;     /* the last touch was a tap of one finger */
    double tap_x_px, tap_y_px;
    Uint32 tap_ms;
};

/* Returns true if fingers control the pointer; mouse events are ignored meanwhile. */
static inline bool fingers_own_pointer(const struct fingers *fingers) {
    return fingers->count > 0 && !fingers->ignored;
}

#ifndef __cplusplus /* C++ files include no actions here */
/* Returns the action that a finger's event requests. (fingers.c) */
struct action input_translate_finger(struct input *input, const SDL_TouchFingerEvent *event);
#endif
/* Translates an event of the first finger into mouse events, for code that handles only a mouse.
 * Call it before the event is translated. Returns the number of events, 0 to 2. */
int input_finger_as_mouse(const struct input *input, const SDL_Event *event, SDL_Event mouse[2]);
/* Ignores the fingers on the window, and those that join them, until all have left. */
void input_ignore_fingers(struct input *input);

#endif
