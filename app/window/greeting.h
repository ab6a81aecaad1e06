/* What the very first start shows, before anything is pressed: a slow dive from the whole set to a spiral, and what to
 * press. */
#ifndef FATHOM_APP_WINDOW_GREETING_H
#define FATHOM_APP_WINDOW_GREETING_H

#include "render/files/scene.h"
#include <SDL.h>

struct loop;

#define GREETING_MS 15000.0 /* how long the line of keys stays, after a dive and what hides it */

/* Zero-initialised: nothing is shown. Pairs with greeting_finish. */
struct greeting {
    bool dives;       /* until it has arrived, or a hand does anything */
    bool under_way;   /* it has begun, once the first picture was complete */
    struct view goal; /* initialised while it dives */
    double dived_ms;
    bool tells;      /* the line of keys, */
    double until_ms; /* up to then; 0: it has only just begun, or there is the dive */
};

/* Whether it is to be shown: true once for each state folder, in which that is kept. Where it
 * cannot be kept it is not shown either, so that it is not shown again and again. */
bool greeting_due(void);
/* Shows the line of keys from now on. */
void greeting_tell(struct greeting *greeting);
/* Plans the dive: the scene becomes its goal, with its look; from where it begins is the caller's. */
void greeting_plan_dive(struct greeting *greeting, struct scene *scene);
void greeting_finish(struct greeting *greeting);

/* One line of static text; NULL: it is not shown. */
const char *greeting_line(const struct greeting *greeting);
/* To be told of every event first: whatever is pressed ends the dive, and then does what it always does. True: it was
 * Escape, which ends nothing else. */
bool greeting_take_event(struct loop *loop, const SDL_Event *event);
/* Before the explorer's time passes: dives on. */
void greeting_advance(struct loop *loop, double ms);
/* Once a turn: ends what is over. */
void greeting_follow(struct loop *loop);
/* When the next turn is due at the latest; `pace_ms`: the next frame. */
double greeting_due_ms(const struct loop *loop, double pace_ms);

#endif
