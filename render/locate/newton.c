/* Newton's method on orbits: each step follows the orbit once. The derivative has only the
 * precision that the step can gain. */
#include "render/locate/newton.h"
#include <math.h>

#define APPROACH_STEPS 32
#define SHARPEN_STEPS  64
/* [bits] below half of the view's height; shorter steps are at the root. */
#define SETTLED_BITS 64
#define AWAY         1 /* [half heights] largest distance of a step's end from the view */

void sight_init(struct sight *sight, const struct view *view, double aspect) {
    long exponent;
    const double mantissa = mpfr_get_d_2exp(&exponent, view->zoom, MPFR_RNDN);
    *sight = (struct sight){.view = view,
                            .half = scaled_normalise((struct scaled){2 / mantissa, 0, -exponent}),
                            .aspect = aspect,
                            .cos = cos(view->angle),
                            .sin = sin(view->angle)};
    sight->depth_bits = (long)fmax(2, -scaled_log2(sight->half));
}

void sight_displacement(const struct sight *sight, struct scaled d, double *right, double *up) {
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
    sight_displacement(sight, big_scaled(&d), right, up);
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

/* Working numbers of one run along an orbit. Z and the sum that is to be 0 have the precision of c.
 * Derivatives have a precision of their own and are pairs (jet.h), whose second parts stay 0
 * without folds. */
struct run {
    struct big z, sum, spare[2];
    struct big d[2], rise[2];
    struct big near, factor, product, spare_near[2];
    struct big known; /* D_g / Z_g, the part of roots that are nuclei */
    mpfr_t aside;
};

static void run_init(struct run *run, long bits, long derivative_bits) {
    struct big *const exact[] = {&run->z, &run->sum, &run->spare[0], &run->spare[1]};
    struct big *const rough[] = {
        &run->d[0],   &run->d[1],    &run->rise[0],       &run->rise[1],       &run->near,
        &run->factor, &run->product, &run->spare_near[0], &run->spare_near[1], &run->known};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        big_init(exact[i], bits);
    for (size_t i = 0; i < sizeof rough / sizeof *rough; i++)
        big_init(rough[i], derivative_bits);
    mpfr_init2(run->aside, derivative_bits);
}

static void run_finish(struct run *run) {
    struct big *const all[] = {
        &run->z,       &run->sum,           &run->spare[0],      &run->spare[1], &run->d[0],
        &run->d[1],    &run->rise[0],       &run->rise[1],       &run->near,     &run->factor,
        &run->product, &run->spare_near[0], &run->spare_near[1], &run->known};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        big_finish(all[i]);
    mpfr_clear(run->aside);
}

static void reflect_pair(struct big d[2], unsigned reflected) {
    if (reflected == REFLECT_RE || reflected == REFLECT_IM) {
        mpfr_swap(d[0].re, d[1].re);
        mpfr_swap(d[0].im, d[1].im);
        big_reflect(&d[0], REFLECT_IM);
        big_reflect(&d[1], REFLECT_IM);
    }
    for (int i = 0; i < 2 && reflected & REFLECT_RE; i++)
        big_reflect(&d[i], REFLECT_RE | REFLECT_IM);
}

/* Moves Z and D from n to n + 1. */
static void run_step(struct run *run, const struct family *family, uint32_t n,
                     const struct big *c) {
    const int power = family_power(family, n);
    reflect_pair(run->d, family_fold(family, n, &run->z));
    big_set(&run->factor, &run->z);
    big_power(&run->factor, power - 1, run->spare_near);
    mpfr_mul_ui(run->factor.re, run->factor.re, (unsigned long)power, MPFR_RNDN);
    mpfr_mul_ui(run->factor.im, run->factor.im, (unsigned long)power, MPFR_RNDN);
    for (int i = 0; i < 1 + family->folded; i++) {
        big_mul(&run->product, &run->factor, &run->d[i], run->aside);
        big_set(&run->d[i], &run->product);
    }
    reflect_pair(run->d, family_raise(family, n, c, &run->z, run->spare));
    if (!family->julia)
        mpfr_add_ui(run->d[0].re, run->d[0].re, 1, MPFR_RNDN);
}

static uint32_t common_divisor(uint32_t a, uint32_t b) {
    while (a > 0) {
        const uint32_t rest = b % a;
        b = a;
        a = rest;
    }
    return b;
}

/* Computes the sum that is to be 0, and its derivative. Returns false if cancelled. */
static bool run_orbit(struct run *run, struct locate_watch *watch, const struct roots *roots,
                      const struct big *c) {
    const uint32_t divisor = roots->a > 0 ? common_divisor(roots->a, roots->b) : 0;
    family_begin(roots->family, c, &run->z);
    mpfr_set_ui(run->d[0].re, roots->family->julia, MPFR_RNDN);
    atomic_store(&watch->sharpened_of, roots->b);
    for (uint32_t n = 0; n < roots->b; n++) {
        run_step(run, roots->family, n, c);
        if (n + 1 == roots->a) {
            big_set(&run->sum, &run->z);
            big_set(&run->rise[0], &run->d[0]);
        }
        if (n + 1 == divisor) {
            big_set(&run->near, &run->z);
            big_div(&run->known, &run->d[0], &run->near, run->aside);
        }
        atomic_store_explicit(&watch->sharpened_at, n, memory_order_relaxed);
        if (atomic_load_explicit(&watch->cancel, memory_order_relaxed))
            return false;
    }
    big_add(&run->sum, &run->z);
    big_add(&run->rise[0], &run->d[0]);
    big_add(&run->rise[1], &run->d[1]);
    if (roots->returns) {
        big_sub(&run->sum, c);
        mpfr_sub_ui(run->rise[0].re, run->rise[0].re, 1, MPFR_RNDN);
    }
    return true;
}

/* Stores the x that solves rise[0] x + rise[1] conj(x) = sum in `product`, as jet_solve. */
static void solve(struct run *run, bool folded) {
    struct big *const a = &run->rise[0], *const b = &run->rise[1], *const top = &run->d[0];
    big_set(&run->near, &run->sum);
    if (!folded) {
        big_div(&run->product, &run->near, a, run->aside);
        return;
    }
    big_reflect(a, REFLECT_IM);
    big_mul(top, a, &run->near, run->aside);
    big_reflect(&run->near, REFLECT_IM);
    big_mul(&run->product, b, &run->near, run->aside);
    big_sub(top, &run->product);
    mpfr_fmma(run->near.re, a->re, a->re, a->im, a->im, MPFR_RNDN);
    mpfr_fmma(run->near.im, b->re, b->re, b->im, b->im, MPFR_RNDN);
    mpfr_sub(run->aside, run->near.re, run->near.im, MPFR_RNDN);
    mpfr_div(run->product.re, top->re, run->aside, MPFR_RNDN);
    mpfr_div(run->product.im, top->im, run->aside, MPFR_RNDN);
}

static bool step_is_number(struct scaled step) {
    return isfinite(step.re) && isfinite(step.im);
}

/* Performs one step of Newton's method for F / Z_g, where F = Z_a + Z_b and g divides a and b:
 * nuclei of period g are also roots of F. The step F / (F' - F D_g / Z_g) is stored in *step and
 * subtracted from c. Returns false if cancelled. */
static bool newton_step(struct locate_watch *watch, const struct roots *roots, long derivative_bits,
                        struct big *c, struct scaled *step) {
    struct run run;
    run_init(&run, big_bits(c), derivative_bits);
    const bool done = run_orbit(&run, watch, roots, c);
    if (done) {
        big_set(&run.near, &run.sum);
        big_mul(&run.product, &run.known, &run.near, run.aside);
        big_sub(&run.rise[0], &run.product);
        solve(&run, roots->family->folded);
        *step = big_scaled(&run.product);
        if (step_is_number(*step))
            big_sub(c, &run.product);
    }
    run_finish(&run);
    return done;
}

/* Returns log2 of a step; infinity if the derivative was 0. */
static double step_log2(struct scaled step) {
    return step_is_number(step) ? scaled_log2(step) : INFINITY;
}

enum newton_end newton_approach(const struct sight *sight, struct locate_watch *watch,
                                const struct roots *roots, struct big *c) {
    const double half = scaled_log2(sight->half);
    double before = INFINITY;
    for (int i = 0; i < APPROACH_STEPS; i++) {
        struct scaled step;
        if (!newton_step(watch, roots, SETTLED_BITS + 32, c, &step))
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

/* Fraction bits of short numbers, on which results may lie exactly. */
#define SHORT_BITS 32

static void shorten(mpfr_t number, long bits) {
    mpfr_t whole, off;
    mpfr_init2(whole, mpfr_get_prec(number));
    mpfr_init2(off, 64);
    mpfr_mul_2ui(whole, number, SHORT_BITS, MPFR_RNDN);
    mpfr_rint(whole, whole, MPFR_RNDN);
    mpfr_div_2ui(whole, whole, SHORT_BITS, MPFR_RNDN);
    mpfr_sub(off, number, whole, MPFR_RNDN);
    if (mpfr_zero_p(off) || mpfr_get_exp(off) <= -bits)
        mpfr_set(number, whole, MPFR_RNDN);
    if (mpfr_zero_p(number))
        mpfr_set_zero(number, 1); /* not -0 */
    mpfr_clears(whole, off, (mpfr_ptr)NULL);
}

/* Doubles the known bits below the view's height with each step, which is computed with only that
 * precision. */
enum locate_end newton_sharpen(const struct sight *sight, struct locate_watch *watch,
                               const struct roots *roots, long bits, struct big *c) {
    const double half = fmin(scaled_log2(sight->half), 0);
    const long most = bits + 32 + (long)log2(roots->b);
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
        if (!newton_step(watch, roots, gain, c, &step))
            return LOCATE_CANCELLED;
        const double now = -step_log2(step);
        if (now >= (double)bits) {
            shorten(c->re, bits);
            shorten(c->im, bits);
            return LOCATE_FOUND;
        }
        if (!(now > -half))
            return LOCATE_UNDECIDED;
        known = fmax(now + half, known);
    }
    return LOCATE_UNDECIDED;
}
