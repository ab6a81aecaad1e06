/* The speed of a held zoom that nobody has set: the usual one while pictures in motion keep up with it, and less where
 * they do not, down to a third. Pure functions of what is learned and of the time that passes. */
#ifndef FATHOM_APP_EXPLORE_MOTION_HOLD_SPEED_H
#define FATHOM_APP_EXPLORE_MOTION_HOLD_SPEED_H

#include <stdbool.h>

#define HOLD_MS          700.0     /* at the usual speed a held zoom grows by e in this time */
#define HOLD_SPEED_LEAST (1.0 / 3) /* in times the usual speed */

struct hold_speed {
    bool adapts;   /* the speed follows the machine; false: set by hand, the factors are 1 */
    double keeps;  /* the factor that pictures keep up with; small changes are ignored */
    double factor; /* the factor in use, HOLD_SPEED_LEAST to 1; approaches `keeps` smoothly */
};

/* Begins at the usual speed. */
void hold_speed_init(struct hold_speed *speed, bool adapts);
/* Learns how many new samples pictures in motion deliver, or could, in a millisecond of motion; above 0. They have that
 * many pixels. Of all speeds that are set by hand nothing changes. */
void hold_speed_learn(struct hold_speed *speed, double samples_per_ms, double pixels);
/* Lets time pass; `held`: a zoom is under way, else the speed is the next one's, and may jump. Returns by which factor
 * the speed has changed. */
double hold_speed_advance(struct hold_speed *speed, double ms, bool held);

#endif
