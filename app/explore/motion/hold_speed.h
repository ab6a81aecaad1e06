/* Speed of a held zoom that the user has not set: the usual speed while pictures in motion keep up
 * with it, else slower, down to a third. Pure functions of what is learned and of time. */
#ifndef FATHOM_APP_EXPLORE_MOTION_HOLD_SPEED_H
#define FATHOM_APP_EXPLORE_MOTION_HOLD_SPEED_H

#include <stdbool.h>

#define HOLD_MS          700.0     /* time in which a held zoom grows by e at the usual speed */
#define HOLD_SPEED_LEAST (1.0 / 3) /* minimum, as a multiple of the usual speed */

struct hold_speed {
    bool adapts;   /* the speed follows the machine; false: set by hand, the factors are 1 */
    double keeps;  /* factor that pictures keep up with; small changes are ignored */
    double factor; /* factor in use, HOLD_SPEED_LEAST to 1; approaches `keeps` smoothly */
};

/* Starts at the usual speed. */
void hold_speed_init(struct hold_speed *speed, bool adapts);
/* Learns the number of new samples, > 0, that pictures of that many pixels deliver per ms of
 * motion. Has no effect on a speed that was set by hand. */
void hold_speed_learn(struct hold_speed *speed, double samples_per_ms, double pixels);
/* Advances by a time and returns the factor by which the speed changes. `held`: a zoom is held;
 * otherwise the speed may jump. */
double hold_speed_advance(struct hold_speed *speed, double ms, bool held);

#endif
