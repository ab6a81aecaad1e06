/* The orbits of all c within a ball, from that of its middle: z_n(c) is within R_n of Z_n + D_n (c -
 * middle), rounding included. */
#ifndef FATHOM_RENDER_LOCATE_BALL_H
#define FATHOM_RENDER_LOCATE_BALL_H

#include "render/locate/scaled.h"
#include <stdbool.h>

#define BALL_OUTWARDS   (1 + 0x1p-48)
#define BALL_RELATIVE   0x1p-50       /* error of a step of the derivative */
#define BALL_SLACK      (1 + 0x1p-16) /* more than what products err by, in 2^31 steps */
#define BALL_ROUND_BITS 6 /* an orbit's step errs by less than 2^6 units in the last place of 1 */

/* The orbit of a ball's middle, at some n. */
struct ball {
    struct scaled radius; /* r */
    struct scaled z, d;   /* Z_n, D_n */
    struct scaled linear; /* |D_n| r */
    struct scaled bound;  /* R_n */
    struct scaled round;  /* what Z_n is off by after each step */
};

/* From n to n + 1, but for Z. */
static inline void ball_step(struct ball *ball) {
    const struct scaled reach = scaled_add(ball->linear, ball->bound);
    const struct scaled twice = scaled_times(ball->z, 2);
    const struct scaled product = scaled_mul(twice, ball->d);
    ball->d = scaled_add(product, scaled_of(1, 0));
    ball->linear = scaled_times(scaled_mul(scaled_abs(ball->d), ball->radius), BALL_SLACK);
    struct scaled bound = scaled_mul(scaled_abs(twice), ball->bound);
    bound = scaled_add(bound, scaled_mul(reach, reach));
    const struct scaled terms = scaled_add(scaled_abs(product), scaled_of(1, 0));
    bound = scaled_add(bound, scaled_times(scaled_mul(terms, ball->radius), BALL_RELATIVE));
    ball->bound = scaled_times(scaled_add(bound, ball->round), BALL_OUTWARDS);
}

/* Whether all its points have left for good: |z| beyond 2 and beyond |c|. */
static inline bool ball_escaped(const struct ball *ball, struct scaled c_most) {
    const struct scaled least =
        scaled_sub(scaled_abs(ball->z), scaled_add(ball->linear, ball->bound));
    return scaled_less(scaled_of(2, 0), least) && scaled_less(c_most, least);
}

/* How far it may reach from Z_n. */
static inline struct scaled ball_reach(const struct ball *ball) {
    return scaled_add(ball->linear, ball->bound);
}

#endif
