/* Flight: the autopilot in the window. Begins and ends flights, changes colours at turning points,
 * and restarts a kiosk. Its surveys also adapt the colours while it is off. */
#ifndef FATHOM_APP_WINDOW_FLIGHT_H
#define FATHOM_APP_WINDOW_FLIGHT_H

#include "app/options/options.h"
#include "app/window/survey.h"
#include <SDL.h>

struct loop;

/* Settings of the colours at the last survey that they adapted to, and whether the view moved. */
struct judged {
    enum colour_by by;
    enum colour_mapping mapping;
    double period; /* of the palette */
    bool moving;
};

/* Zero-initialised, then flight_begin; pairs with flight_finish. */
struct flight {
    struct autopilot autopilot;
    struct survey survey; /* also drawn without a flight, for the colours */
    struct judged judged;
    bool on;                        /* it flies; ends when the user moves the view */
    bool kiosk;                     /* it restarts automatically after a pause */
    enum autopilot_changes changes; /* at turning points */
    uint64_t seed;
    unsigned turns;             /* handled turning points of this flight */
    unsigned turns_in_all;      /* of all flights */
    unsigned long long flights; /* number of flights; each has its own course */
    double hand_ms;             /* clock_ms of the last input */
    double pause_ms;            /* time after it at which a kiosk restarts */
};

/* Starts with the options; a kiosk fills the screen. */
void flight_begin(struct loop *loop, const struct options *options);
void flight_finish(struct loop *loop);

/* Begins or ends a flight, with a message. */
void flight_toggle(struct loop *loop);
/* Applies an edit of the panel if it is about flights. */
void flight_follow_edit(struct loop *loop, int item, int index);
/* Records the time of input, after which a kiosk pauses. Call it for every event. */
void flight_record_input(struct flight *flight, const SDL_Event *event);
/* Collects surveys, and ends the flight if the user has taken over. Call it once a turn. */
void flight_follow(struct loop *loop);
/* Returns true if a survey for the colours of the view at rest is still to come. */
bool flight_colours_due(const struct loop *loop);
/* Moves the view. Call it before the explorer's time advances. */
void flight_advance(struct loop *loop, double ms);
/* Returns the latest time of the next turn. `pace_ms`: the next frame. */
double flight_due_ms(const struct loop *loop, double pace_ms);
/* Returns true if only the picture is visible, not even the pointer. */
bool flight_bare(const struct flight *flight);

#endif
