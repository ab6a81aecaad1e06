/* Speed of a held zoom: adapts to the number of samples that pictures in motion deliver. */
#include "app/explore/motion/hold_speed.h"
#include <math.h>

/* New samples of a zoom by e, as a multiple of a picture's samples. All columns and all rows are
 * new, which is 2. Lines beyond the edges, and gaps that are halved early, make it 1.4 times as
 * many. */
#define RENEWALS 2.8
#define USED     0.7 /* share of the delivered samples that a zoom asks for */
/* A learned rate within this factor of the one in use changes nothing. */
#define HYSTERESIS 1.2
/* [ms] Time constants of the logarithm of the speed. A zoom that is too fast is seen at once; a
 * machine that delivers more now may soon deliver less again. */
#define SLOWER_MS 400.0
#define FASTER_MS 1600.0

void hold_speed_init(struct hold_speed *speed, bool adapts) {
    *speed = (struct hold_speed){.adapts = adapts, .keeps = 1, .factor = 1};
}

void hold_speed_learn(struct hold_speed *speed, double samples_per_ms, double pixels) {
    const double latest = USED * samples_per_ms / (RENEWALS * pixels / HOLD_MS);
    const double keeps = fmin(fmax(speed->keeps, latest / HYSTERESIS), latest * HYSTERESIS);
    if (speed->adapts)
        speed->keeps = fmin(fmax(keeps, HOLD_SPEED_LEAST), 1);
}

double hold_speed_advance(struct hold_speed *speed, double ms, bool held) {
    const double ratio = speed->keeps / speed->factor;
    const double part = held ? 1 - exp(-ms / (ratio < 1 ? SLOWER_MS : FASTER_MS)) : 1;
    const double change = pow(ratio, part);
    speed->factor = fmin(speed->factor * change, 1);
    return change;
}
