/* Balls: bounds of the orbits of all points within a radius of a middle point. z_n lies within R_n
 * of Z_n + D_n (point - middle), rounding included, where D_n is a pair (jet.h). */
#ifndef FATHOM_RENDER_LOCATE_BALL_H
#define FATHOM_RENDER_LOCATE_BALL_H

#include "render/locate/jet.h"

#define BALL_OUTWARDS (1 + 0x1p-48)
#define BALL_RELATIVE 0x1p-50       /* relative error of a step of D_n, for each factor */
#define BALL_SLACK    (1 + 0x1p-16) /* factor that covers the rounding of products in 2^31 steps */
#define BALL_SIDE     0x1p-46       /* relative error of a power in the decision about its side */

/* Ball after n steps. */
struct ball {
    struct scaled radius; /* r */
    struct scaled z;      /* Z_n */
    struct jet d;         /* D_n */
    struct scaled linear; /* |D_n| r */
    struct scaled bound;  /* R_n */
    struct scaled round;  /* rounding error of Z_n in each step */
};

/* Returns the bound of a step's rounding error: 2^6 units in the last place of 1, and 2^2 times as
 * much for each power above 2. */
static inline struct scaled ball_round(const struct family *family, long bits) {
    return scaled_power(6 + 2 * (step_list_most_power(&family->steps) - 2) - bits);
}

/* Returns the ball at n = 0, except Z. */
static inline struct ball ball_begin(const struct family *family, struct scaled radius, long bits) {
    struct ball ball = {.radius = radius, .round = ball_round(family, bits)};
    if (family->julia) {
        ball.d.a = scaled_of(1, 0);
        ball.linear = scaled_times(radius, BALL_SLACK);
    }
    return ball;
}

/* Returns the bound of the error of reflecting points within `reach` of the middle like the middle
 * itself, whose distance from the fold is |from|. */
static inline struct scaled fold_error(struct scaled reach, double from, int64_t exponent) {
    const struct scaled over = scaled_sub(reach, (struct scaled){fabs(from), 0, exponent});
    return over.re > 0 ? scaled_times(over, 2) : (struct scaled){0};
}

/* Returns the bound of the terms of (Z + e)^p from e^2 on, for |e| <= reach. */
static inline struct scaled ball_bend(int power, struct scaled z, struct scaled reach) {
    struct scaled sum = {0}, term = scaled_mul(reach, reach); /* reach^k */
    double choose = power * (power - 1) / 2.0;
    for (int k = 2; k <= power; k++) {
        const struct scaled rest = k == power ? term : scaled_mul(scaled_raise(z, power - k), term);
        sum = scaled_add(sum, choose == 1 ? rest : scaled_times(rest, choose));
        choose = choose * (power - k) / (k + 1);
        if (k < power)
            term = scaled_mul(term, reach);
    }
    return sum;
}

/* Moves the ball from n to n + 1, except Z. */
static inline void ball_step(struct ball *ball, const struct family *family, uint32_t n) {
    const struct turn turn = turn_at(family, n, ball->z);
    const unsigned folds = family_folds(family, n);
    const int power = family_power(family, n);
    const struct scaled reach = scaled_add(ball->linear, ball->bound), size = scaled_abs(turn.z);
    const struct scaled factor = scaled_abs(turn.factor), bend = ball_bend(power, size, reach);
    struct scaled bound = ball->bound;
    if (folds & FOLD_X)
        bound = scaled_add(bound, fold_error(reach, turn.z.re, turn.z.exponent));
    if (folds & FOLD_Y)
        bound = scaled_add(bound, fold_error(reach, turn.z.im, turn.z.exponent));
    bound = scaled_add(scaled_mul(factor, bound), bend);
    if (folds & (FOLD_RE | FOLD_IM)) {
        struct scaled far = scaled_add(scaled_mul(factor, reach), bend);
        far = scaled_add(far, scaled_times(scaled_abs(turn.power), BALL_SIDE));
        if (folds & FOLD_RE)
            bound = scaled_add(bound, fold_error(far, turn.power.re, turn.power.exponent));
        if (folds & FOLD_IM)
            bound = scaled_add(bound, fold_error(far, turn.power.im, turn.power.exponent));
    }
    ball->d = jet_step(ball->d, &turn);
    const struct scaled one = scaled_of(1, 0), terms = scaled_add(jet_most(ball->d), one);
    if (!family->julia)
        ball->d.a = scaled_add(ball->d.a, one);
    ball->linear = scaled_times(scaled_mul(jet_most(ball->d), ball->radius), BALL_SLACK);
    const struct scaled rounded =
        scaled_times(scaled_mul(terms, ball->radius), BALL_RELATIVE * power);
    bound = scaled_add(scaled_add(bound, rounded), ball->round);
    ball->bound = scaled_times(bound, BALL_OUTWARDS);
}

/* Returns true if all points of the ball have escaped for good: |z| beyond 2 and beyond |c|. */
static inline bool ball_escaped(const struct ball *ball, struct scaled c_most) {
    const struct scaled least =
        scaled_sub(scaled_abs(ball->z), scaled_add(ball->linear, ball->bound));
    return scaled_less(scaled_of(2, 0), least) && scaled_less(c_most, least);
}

/* Returns the largest distance of the ball's orbits from Z_n. */
static inline struct scaled ball_reach(const struct ball *ball) {
    return scaled_add(ball->linear, ball->bound);
}

#endif
