/* Fingers on a touch screen: what has to be remembered of them between events. Parts of input.h. */
#ifndef FATHOM_APP_INPUT_FINGERS_H
#define FATHOM_APP_INPUT_FINGERS_H

#include <SDL.h>
#include <stdbool.h>

struct action;
struct input;

#define FINGERS_MAX 10 /* more are not looked at */

struct finger {
    SDL_TouchID touch;
    SDL_FingerID id;
    double x_px, y_px;           /* of the picture; outside it, too */
    double from_x_px, from_y_px; /* where the pinch that it takes part in began */
};

/* Zero-initialised: no finger touches the window. */
struct fingers {
    struct finger held[FINGERS_MAX]; /* the eldest first; the first two pinch */
    int count;
    int most;        /* at once, since the first of them came */
    bool refused;    /* they mean nothing until all have left: something else has the first */
    bool moved;      /* one of them has gone farther than a tap goes */
    bool pinched;    /* a pinch has been told of and not ended */
    double turn;     /* of the pinch, beyond half a turn, too */
    Uint32 since_ms; /* when the first of them came */
    bool tapped;     /* the last time it was one finger's tap, here: */
    double tap_x_px, tap_y_px;
    Uint32 tap_ms;
};

/* Whether the pointer is theirs: a mouse means nothing meanwhile. */
static inline bool fingers_lead(const struct fingers *fingers) {
    return fingers->count > 0 && !fingers->refused;
}

#ifndef __cplusplus /* which wants to know actions here */
/* The action that a finger's event asks for. (fingers.c) */
struct action input_translate_finger(struct input *input, const SDL_TouchFingerEvent *event);
#endif
/* To be asked before the event is translated: what it is for those that know a mouse alone, when it
 * is of the first finger. Returns how many events, 0 to 2. */
int input_finger_as_mouse(const struct input *input, const SDL_Event *event, SDL_Event mouse[2]);
/* The fingers on the window, and those that join them, mean nothing until all have left. */
void input_refuse_fingers(struct input *input);

#endif
