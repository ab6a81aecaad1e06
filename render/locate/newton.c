/* Newton's method for nuclei and Misiurewicz points: each step costs a run over the orbit, with the
 * derivative at no more bits than the step can gain. */
#include "render/locate/newton.h"
#include <math.h>

#define APPROACH_STEPS 32
#define SHARPEN_STEPS  64
#define SETTLED_BITS   64 /* below half of the view's height: there the root is where it is */
#define AWAY           1  /* halves of the view's height that a step may lead out of it */

void sight_init(struct sight *sight, const struct view *view, double aspect) {
    long exponent;
    const double mantissa = mpfr_get_d_2exp(&exponent, view->zoom, MPFR_RNDN);
    *sight = (struct sight){.view = view,
                            .half = scaled_settle((struct scaled){2 / mantissa, 0, -exponent}),
                            .aspect = aspect,
                            .cos = cos(view->angle),
                            .sin = sin(view->angle)};
    sight->depth_bits = (long)fmax(2, -scaled_log2(sight->half));
}

void sight_turn(const struct sight *sight, struct scaled d, double *right, double *up) {
    const struct scaled part = scaled_div(d, sight->half);
    const double x = scaled_double(part.re, part.exponent);
    const double y = scaled_double(part.im, part.exponent);
    *right = x * sight->cos + y * sight->sin;
    *up = y * sight->cos - x * sight->sin;
}

void sight_place(const struct sight *sight, const struct big *c, double *right, double *up) {
    struct big d;
    big_init(&d, 64);
    mpfr_sub(d.re, c->re, sight->view->re, MPFR_RNDN);
    mpfr_sub(d.im, c->im, sight->view->im, MPFR_RNDN);
    sight_turn(sight, big_scaled(&d), right, up);
    big_finish(&d);
}

void sight_point(const struct sight *sight, double right, double up, struct big *c) {
    struct big d;
    big_init(&d, 64);
    big_set_scaled(&d, scaled_mul(scaled_of(right * sight->cos - up * sight->sin,
                                            right * sight->sin + up * sight->cos),
                                  sight->half));
    mpfr_add(c->re, sight->view->re, d.re, MPFR_RNDN);
    mpfr_add(c->im, sight->view->im, d.im, MPFR_RNDN);
    big_finish(&d);
}

/* What one run over an orbit works on: Z with the sum of two of them at c's precision, the same of
 * the derivative D at its own. */
struct run {
    struct big z, sum, spare;
    struct big d, rise, near, product;
    struct big known; /* D_g / Z_g, the part of the roots that are no Misiurewicz points */
    mpfr_t aside;
};

static void run_init(struct run *run, long bits, long derivative_bits) {
    big_init(&run->z, bits);
    big_init(&run->sum, bits);
    big_init(&run->spare, bits);
    big_init(&run->d, derivative_bits);
    big_init(&run->rise, derivative_bits);
    big_init(&run->near, derivative_bits);
    big_init(&run->product, derivative_bits);
    big_init(&run->known, derivative_bits);
    mpfr_init2(run->aside, derivative_bits);
}

static void run_finish(struct run *run) {
    big_finish(&run->z);
    big_finish(&run->sum);
    big_finish(&run->spare);
    big_finish(&run->d);
    big_finish(&run->rise);
    big_finish(&run->near);
    big_finish(&run->product);
    big_finish(&run->known);
    mpfr_clear(run->aside);
}

/* D <- 2 Z D + 1 */
static void derive(struct run *run) {
    big_set(&run->near, &run->z);
    big_mul(&run->product, &run->near, &run->d, run->aside);
    mpfr_mul_2ui(run->d.re, run->product.re, 1, MPFR_RNDN);
    mpfr_mul_2ui(run->d.im, run->product.im, 1, MPFR_RNDN);
    mpfr_add_ui(run->d.re, run->d.re, 1, MPFR_RNDN);
}

static uint32_t common_divisor(uint32_t a, uint32_t b) {
    while (a > 0) {
        const uint32_t rest = b % a;
        b = a;
        a = rest;
    }
    return b;
}

/* Z_a + Z_b and its derivative. False: cancelled. */
static bool run_orbit(struct run *run, struct locate_watch *watch, uint32_t a, uint32_t b,
                      const struct big *c) {
    const uint32_t divisor = a > 0 ? common_divisor(a, b) : 0;
    atomic_store(&watch->sharpened_of, b);
    for (uint32_t n = 0; n < b; n++) {
        derive(run);
        big_step(&run->z, c, &run->spare);
        if (n + 1 == a) {
            big_set(&run->sum, &run->z);
            big_set(&run->rise, &run->d);
        }
        if (n + 1 == divisor) {
            big_set(&run->near, &run->z);
            big_div(&run->known, &run->d, &run->near, run->aside);
        }
        atomic_store_explicit(&watch->sharpened_at, n, memory_order_relaxed);
        if (atomic_load_explicit(&watch->cancel, memory_order_relaxed))
            return false;
    }
    big_add(&run->sum, &run->z);
    big_add(&run->rise, &run->d);
    return true;
}

/* One step, of F / Z_g where F = Z_a + Z_b and g divides a and b, as nuclei of period g are roots of
 * both: F / (F' - F D_g / Z_g). c moves by `*step`. False: cancelled. */
static bool newton_step(struct locate_watch *watch, uint32_t a, uint32_t b, long derivative_bits,
                        struct big *c, struct scaled *step) {
    struct run run;
    run_init(&run, big_bits(c), derivative_bits);
    const bool done = run_orbit(&run, watch, a, b, c);
    if (done) {
        big_set(&run.near, &run.sum);
        big_mul(&run.product, &run.known, &run.near, run.aside);
        big_sub(&run.rise, &run.product);
        big_div(&run.product, &run.near, &run.rise, run.aside);
        big_sub(c, &run.product);
        *step = big_scaled(&run.product);
    }
    run_finish(&run);
    return done;
}

/* log2 of a step; infinite where the derivative was 0. */
static double step_log2(struct scaled step) {
    const double log2 = scaled_log2(step);
    return log2 == log2 ? log2 : INFINITY;
}

enum newton_end newton_approach(const struct sight *sight, struct locate_watch *watch, uint32_t a,
                                uint32_t b, struct big *c) {
    const double half = scaled_log2(sight->half);
    double before = INFINITY;
    for (int i = 0; i < APPROACH_STEPS; i++) {
        struct scaled step;
        if (!newton_step(watch, a, b, SETTLED_BITS + 32, c, &step))
            return NEWTON_CANCELLED;
        const double now = step_log2(step);
        if (now < fmin(half, 0) - SETTLED_BITS)
            return NEWTON_ROOT;
        double right, up;
        sight_place(sight, c, &right, &up);
        const bool near = fabs(right) < sight->aspect + AWAY && fabs(up) < 1 + AWAY;
        if (!near || (i > 3 && now > before - 0.5))
            return NEWTON_AWAY;
        before = now;
    }
    return NEWTON_AWAY;
}

/* Each step doubles the bits that are known below the view's height; it is taken at no more than
 * that. */
enum locate_end newton_sharpen(const struct sight *sight, struct locate_watch *watch, uint32_t a,
                               uint32_t b, long bits, struct big *c) {
    const double half = fmin(scaled_log2(sight->half), 0);
    const long most = bits + 32 + (long)log2(b);
    double known = SETTLED_BITS;
    if (most > VIEW_BITS_MAX)
        return LOCATE_TOO_DEEP;
    for (int i = 0; i < SHARPEN_STEPS; i++) {
        const long wanted = (long)(2 * known - half) + 64;
        const long working = wanted < most ? wanted : most;
        if (working > big_bits(c))
            big_round(c, working);
        struct scaled step;
        const long gain = (long)(big_bits(c) + half - known) + 64;
        if (!newton_step(watch, a, b, gain, c, &step))
            return LOCATE_CANCELLED;
        const double now = -step_log2(step);
        if (now >= (double)bits)
            return LOCATE_FOUND;
        if (!(now > -half))
            return LOCATE_UNDECIDED;
        known = fmax(now + half, known);
    }
    return LOCATE_UNDECIDED;
}
