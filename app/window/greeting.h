/* Greeting of the first start, before any input: a slow dive from the whole set to a spiral, and a
 * line of keys. */
#ifndef FATHOM_APP_WINDOW_GREETING_H
#define FATHOM_APP_WINDOW_GREETING_H

#include "render/files/scene.h"
#include <SDL.h>

struct loop;

#define GREETING_MS 15000.0 /* time for which the line of keys is visible after the dive */

/* Zero-initialised: nothing is shown. Pairs with greeting_finish. */
struct greeting {
    bool dives;       /* until it arrives or there is input */
    bool under_way;   /* it has begun, after the first complete picture */
    struct view goal; /* initialised while it dives */
    double dived_ms;
    bool shows_keys;
    double until_ms; /* clock_ms at which the keys disappear; 0: not counted yet */
};

/* Returns true at the first start with a state folder, and records it there. Returns false if it
 * cannot be recorded, so that the greeting does not appear at every start. */
bool greeting_is_first_start(void);
/* Shows the line of keys from now on. */
void greeting_show_keys(struct greeting *greeting);
/* Plans the dive: stores its goal and colours in the scene. The caller sets the first view. */
void greeting_plan_dive(struct greeting *greeting, struct scene *scene);
void greeting_finish(struct greeting *greeting);

/* Returns the line of keys, static text, or NULL if it is hidden. */
const char *greeting_line(const struct greeting *greeting);
/* Ends the dive at any input, which then has its usual effect. Call it first for every event.
 * Returns true for Escape, which has no other effect. */
bool greeting_take_event(struct loop *loop, const SDL_Event *event);
/* Continues the dive. Call it before the explorer's time advances. */
void greeting_advance(struct loop *loop, double ms);
/* Ends the dive when it has arrived, and hides the keys when their time is up. Call it once a
 * turn. */
void greeting_follow(struct loop *loop);
/* Returns the latest time of the next turn. `pace_ms`: the next frame. */
double greeting_due_ms(const struct loop *loop, double pace_ms);

#endif
