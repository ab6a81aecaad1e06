/* Cycle search: Brent's search for the exact return of an orbit, and the conclusion from the cycle
 * of rounded numbers to the true cycle. */
#include "render/locate/cycle.h"
#include <complex.h>
#include <math.h>

typedef double real;
#define FORMULA_KERNEL
#define real_fma double_fma
#define real     double
#include "render/formula/formula_step.h"
#undef real

#define STEPS_MOST  (1u << 22) /* most steps of a search */
#define PERIOD_MOST 4096       /* longest return in rounded numbers whose divisors are tried */
/* Distances on a cycle: points within SAME are one point, up to rounding. Points are two if they
 * are DIFFERENT apart somewhere on the cycle. */
#define SAME      1e-11
#define DIFFERENT 1e-6
/* DELTA is the distance for numerical derivatives of a step; SURE is the least distance of a
 * multiplier from 1. */
#define DELTA 0x1p-20
#define SURE  1e-4

/* Performs step number `at` of the orbit. */
static inline void step(const struct cycle_search *search, uint32_t at, double *zr, double *zi) {
    const struct recipe *recipe = &search->recipe;
    const uint32_t i = recipe->length == 1 ? 0 : at % recipe->length;
    if (recipe->power[i] == 2)
        step_square(recipe->folds[i], zr, zi, search->cr, search->ci);
    else
        step_power(recipe->power[i], recipe->folds[i], zr, zi, search->cr, search->ci);
}

static bool escaped(const struct cycle_search *search) {
    return !(norm2(search->zr, search->zi) < search->recipe.escape);
}

void cycle_begin(struct cycle_search *search, const struct fractal *fractal, double re, double im) {
    *search = (struct cycle_search){.cr = re, .ci = im};
    fractal_recipe(fractal, TYPE_DOUBLE, &search->recipe);
    if (search->recipe.julia) {
        search->cr = search->recipe.parameter_re[0];
        search->ci = search->recipe.parameter_im[0];
        search->zr = search->keptr = re;
        search->zi = search->kepti = im;
    }
    if (!isfinite(re) || !isfinite(im) || fractal_is_map(fractal))
        search->state = CYCLE_UNKNOWN;
    else if (escaped(search))
        search->state = CYCLE_ESCAPES;
}

/* --- the cycle of rounded numbers --- */

/* Multiplies the derivative m by the derivative of a step at a point. */
static void follow_derivative(const struct cycle_search *search, uint32_t at, double zr, double zi,
                              double m[2][2]) {
    double j[2][2];
    for (int i = 0; i < 2; i++) {
        double ar = zr + (i == 0) * DELTA, ai = zi + (i == 1) * DELTA;
        double br = zr - (i == 0) * DELTA, bi = zi - (i == 1) * DELTA;
        step(search, at, &ar, &ai);
        step(search, at, &br, &bi);
        j[0][i] = (ar - br) / (2 * DELTA);
        j[1][i] = (ai - bi) / (2 * DELTA);
    }
    for (int i = 0; i < 2; i++) {
        const double a = m[0][i], b = m[1][i];
        m[0][i] = j[0][0] * a + j[0][1] * b;
        m[1][i] = j[1][0] * a + j[1][1] * b;
    }
}

/* Returns true if the cycle attracts: both eigenvalues of its derivative are below 1. */
static bool attracts(const struct cycle_search *search, uint32_t period) {
    double m[2][2] = {{1, 0}, {0, 1}}, zr = search->zr, zi = search->zi;
    for (uint32_t i = 0; i < period; i++) {
        follow_derivative(search, search->steps + i, zr, zi, m);
        step(search, search->steps + i, &zr, &zi);
    }
    const double half = (m[0][0] + m[1][1]) / 2, det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    const double complex root = csqrt(half * half - det + 0 * I);
    const double size = fmax(cabs(half + root), cabs(half - root));
    return size < 1 - SURE; /* false for NaN */
}

/* Returns the largest distance between points of the cycle that are `shift` steps apart; stops at
 * DIFFERENT. */
static double spread(const struct cycle_search *search, uint32_t period, uint32_t shift) {
    double ar = search->zr, ai = search->zi, br = ar, bi = ai, most = 0;
    for (uint32_t i = 0; i < shift; i++)
        step(search, search->steps + i, &br, &bi);
    for (uint32_t i = 0; i < period && most < DIFFERENT; i++) {
        most = fmax(most, hypot(ar - br, ai - bi));
        step(search, search->steps + i, &ar, &ai);
        step(search, search->steps + shift + i, &br, &bi);
    }
    return most;
}

/* Decides the period. Rounding may combine several turns of the true cycle, whose period is the
 * least divisor after which the points repeat. */
static enum cycle_state decide_period(struct cycle_search *search, uint32_t period) {
    if (period > PERIOD_MOST)
        return CYCLE_UNKNOWN;
    /* A cycle consists of whole turns of the steps. */
    const uint32_t length = search->recipe.length;
    for (uint32_t part = length; part <= period; part += length) {
        if (period % part)
            continue;
        const double apart = spread(search, period, part);
        if (apart >= DIFFERENT)
            continue;
        search->number = part;
        return apart < SAME && attracts(search, part) ? CYCLE_PERIOD : CYCLE_UNKNOWN;
    }
    return CYCLE_UNKNOWN;
}

/* Returns true if the orbit is at the kept number, at the same step of the recipe. */
static bool returned(const struct cycle_search *search) {
    return search->zr == search->keptr && search->zi == search->kepti &&
           (search->steps - search->kept) % search->recipe.length == 0;
}

enum cycle_state cycle_search(struct cycle_search *search, uint32_t steps) {
    for (; search->state == CYCLE_SEARCHED && steps > 0; steps--) {
        step(search, search->steps, &search->zr, &search->zi);
        search->steps++;
        if (escaped(search)) {
            search->state = CYCLE_ESCAPES;
            search->number = search->steps;
        } else if (returned(search)) {
            search->state = decide_period(search, search->steps - search->kept);
        } else if (search->steps >= STEPS_MOST) {
            search->state = CYCLE_UNKNOWN;
        } else if ((search->steps & (search->steps - 1)) == 0) {
            search->keptr = search->zr;
            search->kepti = search->zi;
            search->kept = search->steps;
        }
    }
    return search->state;
}
