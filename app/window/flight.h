/* The autopilot in the window: begins and ends flights, changes colours at turning points, and keeps
 * a kiosk going. Its looks are also what colours adapt to, whether it flies or not. */
#ifndef FATHOM_APP_WINDOW_FLIGHT_H
#define FATHOM_APP_WINDOW_FLIGHT_H

#include "app/options/options.h"
#include "app/window/survey.h"
#include <SDL.h>

struct loop;

/* What colours were when the last look was judged for them, and whether the view moved. */
struct judged {
    enum colour_by by;
    enum colour_mapping mapping;
    double period; /* of the palette */
    bool moving;
};

/* Zero-initialised, then flight_begin; pairs with flight_finish. */
struct flight {
    struct autopilot autopilot;
    struct survey survey; /* also without a flight, for the colours */
    struct judged judged;
    bool on;                        /* it flies, until a hand moves the view */
    bool kiosk;                     /* and goes on by itself after a while */
    enum autopilot_changes changes; /* at turning points */
    uint64_t seed;
    unsigned turns;             /* turning points seen to, */
    unsigned turns_in_all;      /* and those of all flights */
    unsigned long long flights; /* so that each has a course of its own */
    double hand_ms;             /* when a hand did anything last, */
    double pause_ms;            /* and how long after that a kiosk flies on */
};

/* As the options say; a kiosk fills the screen. */
void flight_begin(struct loop *loop, const struct options *options);
void flight_finish(struct loop *loop);

/* Begins a flight, or ends it, with a message. */
void flight_toggle(struct loop *loop);
/* Carries out an edit of the panel, if it is about flights. */
void flight_follow_edit(struct loop *loop, int item, int index);
/* To be told of every event: a kiosk flies on when there were none for a while. */
void flight_note(struct flight *flight, const SDL_Event *event);
/* Once a turn: takes looks, and sees whether a hand has taken over. */
void flight_follow(struct loop *loop);
/* At rest, whether a look for the colours is still to come. */
bool flight_colours_due(const struct loop *loop);
/* Before the explorer's time passes: moves its view. */
void flight_advance(struct loop *loop, double ms);
/* When the next turn is due at the latest; `pace_ms`: the next frame. */
double flight_due_ms(const struct loop *loop, double pace_ms);
/* Nothing but the picture is to be seen, not even the pointer. */
bool flight_bare(const struct flight *flight);

#endif
