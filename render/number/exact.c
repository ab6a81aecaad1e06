/* Exact counts: iterates single points in fixed point with a bound of the error, as the truth that
 * pictures are compared with. */
#include "render/number/exact.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/interior.h"
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LIMB_BITS  64
#define LEAST      3    /* limbs of fraction */
#define SPARE_BITS 96   /* bits beyond the pixel step and the limit's size, at the first try */
#define SHOW_STEPS 1024 /* steps between two updates of the number of steps done */
#define LOOK_MS    50

static_assert(GMP_NUMB_BITS == LIMB_BITS, "limbs are taken apart");

/* --- where a point lies --- */

static long lowest_of(mpfr_srcptr x) {
    return mpfr_regular_p(x) ? (long)mpfr_get_exp(x) - (long)mpfr_min_prec(x) : 0;
}

static long highest_of(mpfr_srcptr x) {
    return mpfr_regular_p(x) ? (long)mpfr_get_exp(x) : 0;
}

static long larger(long a, long b) {
    return a > b ? a : b;
}

/* Adds a * b * k to `sum`, exactly: `sum` gets the precision that it needs. */
static void add_exactly(mpfr_ptr sum, mpfr_srcptr a, mpfr_srcptr b, long k) {
    mpfr_t term;
    mpfr_init2(term, mpfr_get_prec(a) + mpfr_get_prec(b) + LIMB_BITS);
    mpfr_mul(term, a, b, MPFR_RNDN);
    mpfr_mul_si(term, term, k, MPFR_RNDN);
    const long high = larger(highest_of(sum), highest_of(term));
    const long low = -larger(-lowest_of(sum), -lowest_of(term));
    if (high + 1 - low > mpfr_get_prec(sum))
        mpfr_prec_round(sum, high + 1 - low, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
    mpfr_clear(term);
}

/* Returns the distance from the middle of a picture's axis, in FRAME_OFFSETS-ths of half a step. */
static long place_on_axis(int pixel, int part, int whole, int offset) {
    return (2L * (pixel + part) + 1 - whole) * FRAME_OFFSETS + 2L * offset;
}

/* Computes the c of a point exactly; re and im get the precision for it. The sine and cosine of the
 * view's angle are those of the coordinates' tables, of 128 bits. */
static void point_of(const struct frame_req *req, const struct exact_point *point, mpfr_ptr re,
                     mpfr_ptr im) {
    int width, height;
    mpfr_t unit, cosine, sine;
    frame_req_whole(req, &width, &height);
    const long right = place_on_axis(point->x_px, req->part_x_px, width, req->offset_x);
    const long down = place_on_axis(point->y_px, req->part_y_px, height, req->offset_y);
    mpfr_init2(unit, frame_req_step_bits(req));
    mpfr_inits2(128, cosine, sine, (mpfr_ptr)NULL);
    view_step(&req->view, height, unit);
    mpfr_div_2ui(unit, unit, 1, MPFR_RNDN);
    mpfr_div_si(unit, unit, FRAME_OFFSETS, MPFR_RNDN); /* a power of two */
    mpfr_set_d(cosine, req->view.angle, MPFR_RNDN);
    mpfr_sin_cos(sine, cosine, cosine, MPFR_RNDN);
    mpfr_set_prec(re, mpfr_get_prec(req->view.re));
    mpfr_set_prec(im, mpfr_get_prec(req->view.im));
    mpfr_set(re, req->view.re, MPFR_RNDN);
    mpfr_set(im, req->view.im, MPFR_RNDN);
    add_exactly(re, unit, cosine, right);
    add_exactly(re, unit, sine, down);
    add_exactly(im, unit, sine, right);
    add_exactly(im, unit, cosine, -down);
    mpfr_clears(unit, cosine, sine, (mpfr_ptr)NULL);
}

/* --- points that need no iterating --- */

/* Computes |re + i im|^2 exactly; it gets the precision for it. */
static void norm2_of(mpfr_srcptr re, mpfr_srcptr im, mpfr_ptr norm2) {
    mpfr_set_zero(norm2, 1);
    add_exactly(norm2, re, re, 1);
    add_exactly(norm2, im, im, 1);
}

/* Computes the square of the escape radius exactly: 4, or |c|^2 of a Julia set if that is more. */
static void escape_of(const struct fractal *fractal, mpfr_ptr escape) {
    mpfr_set_ui(escape, 4, MPFR_RNDN);
    if (!fractal->julia)
        return;
    norm2_of(fractal->re, fractal->im, escape);
    if (mpfr_cmp_ui(escape, 4) < 0)
        mpfr_set_ui(escape, 4, MPFR_RNDN);
}

/* Returns true if a point is on that radius or beyond it. */
static bool has_escaped(mpfr_srcptr re, mpfr_srcptr im, mpfr_srcptr escape) {
    const long most = highest_of(escape) / 2 + 1; /* |z| >= 2^(most - 1) is far out in any case */
    if (highest_of(re) > most || highest_of(im) > most)
        return true;
    mpfr_t norm2;
    mpfr_init2(norm2, 64);
    norm2_of(re, im, norm2);
    const bool far = mpfr_cmp(norm2, escape) >= 0;
    mpfr_clear(norm2);
    return far;
}

/* Returns true for points known to be interior, with |c| < 2, from 0. All formulas' squares are x^2
 * + c on the real axis, where [-2, 1/4] stays bounded. */
static bool never_escapes(const struct fractal *fractal, mpfr_srcptr re, mpfr_srcptr im) {
    const double margin = INTERIOR_MARGIN_DOUBLE;
    bool squares = fractal->power == 2 && !fractal->julia;
    for (uint32_t i = 0; i < fractal->then_count; i++)
        squares = squares && fractal->then[i].power == 2;
    return (squares && mpfr_zero_p(im) && mpfr_cmp_d(re, 0.25) <= 0) ||
           (fractal_is_mandelbrot(fractal) &&
            interior_surely(mpfr_get_d(re, MPFR_RNDN), mpfr_get_d(im, MPFR_RNDN), margin));
}

/* --- the bound of the error --- */

/* m * 2^exponent; the exponent is a multiple of LIMB_BITS, and m is 0 or from 1 to 2^LIMB_BITS. */
struct bound {
    double m;
    long exponent;
};

/* More than all roundings of bounds in a step, relatively. */
#define SLACK (1 + 0x1p-48)

static struct bound bound_normal(struct bound a) {
    for (; a.m >= 0x1p64; a.exponent += LIMB_BITS)
        a.m *= 0x1p-64;
    for (; a.m > 0 && a.m < 1; a.exponent -= LIMB_BITS)
        a.m *= 0x1p64;
    return a;
}

static struct bound bound_times(struct bound a, struct bound b) {
    return bound_normal((struct bound){a.m * b.m * SLACK, a.exponent + b.exponent});
}

/* Returns the bound in units of 2^exponent, or more if it is tiny. */
static double bound_in(struct bound a, long exponent) {
    const long limbs = (a.exponent - exponent) / LIMB_BITS;
    return limbs == 0    ? a.m
           : limbs == 1  ? a.m * 0x1p64
           : limbs == 2  ? a.m * 0x1p128
           : limbs == -1 ? a.m * 0x1p-64
           : limbs == -2 ? a.m * 0x1p-128
           : limbs > 0   ? INFINITY
                         : (a.m > 0 ? 0x1p-128 : 0);
}

/* --- a point in fixed point --- */

/* An orbit in fixed point: magnitudes of `limbs` limbs, the highest for the whole part, lowest
 * first, with separate signs. The parts of z and c, of their squares, and scratch. */
struct orbit {
    long fraction, limbs;
    mp_limb_t *memory, *x, *y, *cr, *ci, *xx, *yy, *between, *norm, *escape, *other, *product;
    bool x_negative, y_negative, cr_negative, ci_negative;
    bool exact; /* nothing has been rounded yet */
    struct bound error;
    double radius; /* at least the escape radius */
};

static bool orbit_init(struct orbit *orbit, long fraction) {
    *orbit = (struct orbit){.fraction = fraction, .limbs = fraction + 1, .exact = true};
    const size_t n = (size_t)orbit->limbs;
    orbit->memory = calloc(12 * n, sizeof *orbit->memory);
    if (!orbit->memory) {
        log_error("cannot iterate with %ld bits: not enough memory", fraction * LIMB_BITS);
        return false;
    }
    mp_limb_t **const parts[] = {&orbit->x,      &orbit->y,    &orbit->cr,      &orbit->ci,
                                 &orbit->xx,     &orbit->yy,   &orbit->between, &orbit->norm,
                                 &orbit->escape, &orbit->other};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = orbit->memory + i * n;
    orbit->product = orbit->memory + 10 * n;
    return true;
}

/* Stores a number with |from| < 2^LIMB_BITS. Returns true if nothing was cut off. */
static bool take_number(const struct orbit *orbit, mp_limb_t *to, bool *negative,
                        mpfr_srcptr from) {
    mpfr_t scaled;
    mpz_t whole;
    mpfr_init2(scaled, mpfr_get_prec(from));
    mpz_init(whole);
    mpfr_mul_2si(scaled, from, orbit->fraction * LIMB_BITS, MPFR_RNDN);
    const bool exact = mpfr_get_z(whole, scaled, MPFR_RNDZ) == 0;
    *negative = mpz_sgn(whole) < 0;
    memcpy(to, mpz_limbs_read(whole), mpz_size(whole) * sizeof *to);
    mpz_clear(whole);
    mpfr_clear(scaled);
    return exact;
}

/* to = floor of a's square. */
static void square(struct orbit *orbit, mp_limb_t *to, const mp_limb_t *a) {
    mpn_sqr(orbit->product, a, orbit->limbs);
    memcpy(to, orbit->product + orbit->fraction, (size_t)orbit->limbs * sizeof *to);
    if (orbit->exact)
        orbit->exact = mpn_zero_p(orbit->product, orbit->fraction);
}

/* to = floor of a b. */
static void times(struct orbit *orbit, mp_limb_t *to, const mp_limb_t *a, const mp_limb_t *b) {
    mpn_mul_n(orbit->product, a, b, orbit->limbs);
    memcpy(to, orbit->product + orbit->fraction, (size_t)orbit->limbs * sizeof *to);
    if (orbit->exact)
        orbit->exact = mpn_zero_p(orbit->product, orbit->fraction);
}

/* to = |a - b|. Returns true if a - b is below 0. */
static bool difference(const struct orbit *orbit, mp_limb_t *to, const mp_limb_t *a,
                       const mp_limb_t *b) {
    const bool negative = mpn_cmp(a, b, orbit->limbs) < 0;
    mpn_sub_n(to, negative ? b : a, negative ? a : b, orbit->limbs);
    return negative;
}

/* to = |a + c|, with the given signs. Returns true if a + c is below 0. */
static bool sum(const struct orbit *orbit, mp_limb_t *to, const mp_limb_t *a, bool a_negative,
                const mp_limb_t *c, bool c_negative) {
    if (a_negative != c_negative)
        return difference(orbit, to, a, c) != a_negative;
    mpn_add_n(to, a, c, orbit->limbs);
    return a_negative;
}

/* xx and yy are the squares; a step's rounding is below 2 units in x, 4 in y. */
#define STEP_UNITS 5.0

/* Makes one step from z with its squares and their sum. Folds change signs, which do not matter to
 * bound_step. */
static void iterate_once(struct orbit *orbit, unsigned folds) {
    difference(orbit, orbit->between, orbit->x, orbit->y);
    square(orbit, orbit->between, orbit->between);
    /* 2|xy|; rounding may leave a little less than 0 */
    if (mpn_cmp(orbit->norm, orbit->between, orbit->limbs) < 0)
        mpn_zero(orbit->between, orbit->limbs);
    else
        mpn_sub_n(orbit->between, orbit->norm, orbit->between, orbit->limbs);
    const bool x_negative = orbit->x_negative && !(folds & FOLD_X);
    const bool y_negative = orbit->y_negative && !(folds & FOLD_Y);
    const bool product_negative =
        (x_negative != y_negative && !(folds & FOLD_IM)) != ((folds & FOLD_NEGATE) != 0);
    const bool squares_negative =
        difference(orbit, orbit->xx, orbit->xx, orbit->yy) && !(folds & FOLD_RE);
    orbit->x_negative =
        sum(orbit, orbit->x, orbit->xx, squares_negative, orbit->cr, orbit->cr_negative);
    orbit->y_negative =
        sum(orbit, orbit->y, orbit->between, product_negative, orbit->ci, orbit->ci_negative);
}

/* Folds x and y, before the power. */
static void fold(struct orbit *orbit, unsigned folds) {
    orbit->x_negative = orbit->x_negative && !(folds & FOLD_X);
    orbit->y_negative = (orbit->y_negative && !(folds & FOLD_Y)) != ((folds & FOLD_NEGATE) != 0);
}

/* w = w z, where w is in xx and yy: with the products x xx, y yy, x yy, y xx. */
static void times_z(struct orbit *orbit, bool *re_negative, bool *im_negative) {
    mp_limb_t *re = orbit->between, *im = orbit->norm, *other = orbit->other;
    const bool w_re = *re_negative, w_im = *im_negative;
    times(orbit, re, orbit->x, orbit->xx);
    times(orbit, other, orbit->y, orbit->yy);
    *re_negative = sum(orbit, re, re, orbit->x_negative != w_re, other, orbit->y_negative == w_im);
    times(orbit, im, orbit->x, orbit->yy);
    times(orbit, other, orbit->y, orbit->xx);
    *im_negative = sum(orbit, im, im, orbit->x_negative != w_im, other, orbit->y_negative != w_re);
    memcpy(orbit->xx, re, (size_t)orbit->limbs * sizeof *re);
    memcpy(orbit->yy, im, (size_t)orbit->limbs * sizeof *im);
}

/* Makes a step of a higher power: z times z and so on, one after the other. Each product is off by
 * less than 3 units, which the later ones multiply by |z|. */
static void iterate_power(struct orbit *orbit, int power, unsigned folds) {
    fold(orbit, folds);
    bool re_negative = orbit->x_negative, im_negative = orbit->y_negative;
    memcpy(orbit->xx, orbit->x, (size_t)orbit->limbs * sizeof *orbit->xx);
    memcpy(orbit->yy, orbit->y, (size_t)orbit->limbs * sizeof *orbit->yy);
    for (int i = 1; i < power; i++)
        times_z(orbit, &re_negative, &im_negative);
    orbit->x_negative = sum(orbit, orbit->x, orbit->xx, re_negative && !(folds & FOLD_RE),
                            orbit->cr, orbit->cr_negative);
    orbit->y_negative = sum(orbit, orbit->y, orbit->yy, im_negative && !(folds & FOLD_IM),
                            orbit->ci, orbit->ci_negative);
}

static double units_of(const struct orbit *orbit, int power) {
    return power == 2 ? STEP_UNITS : 3 * (power - 1) * pow(orbit->radius, power - 2) + 2;
}

/* Returns at least the number's size, from its two highest limbs that are not 0. */
static struct bound size_of(const struct orbit *orbit, const mp_limb_t *a) {
    long i = orbit->fraction;
    while (i > 1 && a[i] == 0)
        i--;
    return (struct bound){((double)a[i] * 0x1p64 + (double)a[i - 1] + 1) * SLACK,
                          (i - 1 - orbit->fraction) * LIMB_BITS};
}

static struct bound size_of_z(const struct orbit *orbit) {
    const struct bound a = size_of(orbit, orbit->x), b = size_of(orbit, orbit->y);
    const long exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
    const double x = bound_in(a, exponent), y = bound_in(b, exponent);
    return (struct bound){sqrt(x * x + y * y) * SLACK, exponent};
}

/* Returns the error after a step from the error E before it: (2|z| + E) E, or p (|z| + E)^(p-1) E,
 * plus the rounding. */
static struct bound bound_step(const struct orbit *orbit, int power) {
    const long unit = -orbit->fraction * LIMB_BITS;
    const double units = units_of(orbit, power);
    if (orbit->error.m == 0)
        return bound_normal((struct bound){units, unit});
    struct bound z = size_of_z(orbit), error = orbit->error;
    const double beside = bound_in(error, z.exponent);
    if (power == 2) {
        error = bound_times(error, (struct bound){2 * z.m + beside, z.exponent});
    } else {
        z.m += beside;
        error.m *= power;
        for (int i = 1; i < power; i++)
            error = bound_times(error, z);
    }
    if (error.exponent < unit)
        return bound_normal((struct bound){units + 1, unit});
    error.m += bound_in((struct bound){units, unit}, error.exponent);
    return bound_normal(error);
}

/* Returns true for 2^-48 and more: there are too few bits. */
static bool too_large(struct bound error) {
    return error.m > 0 &&
           (error.exponent >= 0 || (error.exponent == -LIMB_BITS && error.m >= 0x1p16));
}

enum side { SIDE_IN, SIDE_OUT, SIDE_UNKNOWN };

/* Compares |z|^2 with the square of the escape radius. `norm` is at most 2 units below that of the
 * fixed-point z; the square of the radius r lacks at most one. With E < 2^-48 the exact |z|^2
 * differs by less than (2r + 1) E near it, including the rounding, which E is never below; the size
 * of the distance is at most four times the distance. */
static enum side side_of(struct orbit *orbit) {
    mp_limb_t *between = orbit->between;
    const bool out = !difference(orbit, between, orbit->norm, orbit->escape);
    const long top = orbit->fraction;
    const bool near = between[top] == 0 && between[top - 1] >> 24 == 0;
    if (!near || orbit->exact)
        return out ? SIDE_OUT : SIDE_IN;
    const struct bound distance = size_of(orbit, between);
    const struct bound error = {(2 * orbit->radius + 1) * orbit->error.m, orbit->error.exponent};
    return bound_in(error, distance.exponent) < distance.m / 4 ? (out ? SIDE_OUT : SIDE_IN)
                                                               : SIDE_UNKNOWN;
}

/* Iterates from z, which is inside. Returns false if there are too few bits, or if it was
 * cancelled. */
static bool iterate(struct orbit *orbit, const struct recipe *recipe, uint32_t limit,
                    struct exact_point *point, struct exact_watch *watch) {
    for (uint32_t n = 0;; n++) {
        if (atomic_load_explicit(&watch->cancel, memory_order_relaxed) || too_large(orbit->error))
            return false;
        if (n % SHOW_STEPS == 0)
            atomic_store_explicit(&watch->steps, n, memory_order_relaxed);
        square(orbit, orbit->xx, orbit->x);
        square(orbit, orbit->yy, orbit->y);
        mpn_add_n(orbit->norm, orbit->xx, orbit->yy, orbit->limbs);
        if (!orbit->exact && orbit->error.m == 0) /* now the squares are rounded */
            orbit->error = (struct bound){STEP_UNITS, -orbit->fraction * LIMB_BITS};
        const enum side side = n > 0 ? side_of(orbit) : SIDE_IN;
        if (side == SIDE_UNKNOWN)
            return false;
        if (side == SIDE_OUT || n == limit) {
            point->state = side == SIDE_OUT ? EXACT_ESCAPED : EXACT_INTERIOR;
            point->count = n;
            return true;
        }
        const uint32_t number = n % recipe->length;
        const struct bound error = bound_step(orbit, recipe->power[number]);
        if (recipe->power[number] == 2)
            iterate_once(orbit, recipe->folds[number]);
        else
            iterate_power(orbit, recipe->power[number], recipe->folds[number]);
        if (!orbit->exact)
            orbit->error = error;
    }
}

/* Begins at c, or where z starts. What is cut off is an error of z's first or second step. */
static void begin(struct orbit *orbit, const struct frame_req *req, mpfr_srcptr re, mpfr_srcptr im,
                  mpfr_srcptr escape) {
    const struct fractal *fractal = &req->fractal;
    const bool julia = fractal->julia;
    bool unused, exact = take_number(orbit, orbit->escape, &unused, escape);
    exact &= take_number(orbit, orbit->cr, &orbit->cr_negative, julia ? fractal->re : re);
    exact &= take_number(orbit, orbit->ci, &orbit->ci_negative, julia ? fractal->im : im);
    if (julia) {
        exact &= take_number(orbit, orbit->x, &orbit->x_negative, re);
        exact &= take_number(orbit, orbit->y, &orbit->y_negative, im);
    }
    orbit->exact = exact;
    orbit->radius = sqrt(mpfr_get_d(escape, MPFR_RNDU)) * 1.05;
}

/* Returns false if there is no memory. */
static bool attempt(const struct frame_req *req, long fraction, mpfr_srcptr re, mpfr_srcptr im,
                    mpfr_srcptr escape, struct exact_point *point, struct exact_watch *watch) {
    struct orbit orbit;
    struct recipe recipe;
    if (!orbit_init(&orbit, fraction))
        return false;
    fractal_recipe(&req->fractal, TYPE_DOUBLE, &recipe); /* for its steps */
    begin(&orbit, req, re, im, escape);
    point->bits = fraction * LIMB_BITS;
    iterate(&orbit, &recipe, req->limit, point, watch);
    free(orbit.memory);
    return true;
}

void exact_count(const struct frame_req *req, struct exact_point *point,
                 struct exact_watch *watch) {
    const bool julia = req->fractal.julia;
    mpfr_t re, im, escape;
    int width, height;
    frame_req_whole(req, &width, &height);
    mpfr_inits2(64, re, im, escape, (mpfr_ptr)NULL);
    point_of(req, point, re, im);
    escape_of(&req->fractal, escape);
    point->state = EXACT_OPEN;
    point->bits = 0;
    if ((julia || req->limit > 0) && has_escaped(re, im, escape)) { /* else the first z is c */
        point->state = EXACT_ESCAPED;
        point->count = !julia;
    } else if (req->limit == 0 || never_escapes(&req->fractal, re, im)) {
        point->state = EXACT_INTERIOR;
        point->count = req->limit;
    }
    const double bits = fmax(-view_step_log2(&req->view, height), 0) + log2(req->limit + 1.0);
    long fraction = (long)((bits + SPARE_BITS) / LIMB_BITS) + 1;
    fraction = larger(fraction, LEAST);
    while (point->state == EXACT_OPEN && !atomic_load(&watch->cancel) &&
           attempt(req, fraction, re, im, escape, point, watch))
        fraction += fraction / 4 + 1;
    mpfr_clears(re, im, escape, (mpfr_ptr)NULL);
}

/* --- many points --- */

struct crew;

struct worker {
    struct crew *crew;
    pthread_t thread;
    struct exact_watch watch;
};

struct crew {
    const struct frame_req *req;
    struct exact_point *points;
    size_t count;
    atomic_size_t next, done;
    struct worker *workers;
    int started, working; /* number of threads */
    pthread_mutex_t lock; /* protects `working` */
    pthread_cond_t ended; /* signals that a thread has ended */
};

static void *work(void *user) {
    struct worker *worker = user;
    struct crew *crew = worker->crew;
    for (size_t i; (i = atomic_fetch_add(&crew->next, 1)) < crew->count;) {
        exact_count(crew->req, &crew->points[i], &worker->watch);
        if (crew->points[i].state == EXACT_OPEN)
            break;
        atomic_store(&worker->watch.steps, 0);
        atomic_fetch_add(&crew->done, 1);
    }
    mpfr_free_cache(); /* of this thread */
    pthread_mutex_lock(&crew->lock);
    crew->working--;
    pthread_cond_signal(&crew->ended);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static double done_of(const struct crew *crew) {
    double points = (double)atomic_load(&crew->done);
    for (int i = 0; i < crew->started; i++)
        points += (double)atomic_load(&crew->workers[i].watch.steps) / (crew->req->limit + 1.0);
    return fmin(points / (double)crew->count, 1);
}

/* Waits until all threads have ended. */
static void wait_for_threads(struct crew *crew, bool (*step)(void *user, double done), void *user) {
    pthread_mutex_lock(&crew->lock);
    while (crew->working > 0) {
        const struct timespec until = clock_after(CLOCK_MONOTONIC, LOOK_MS);
        pthread_cond_timedwait(&crew->ended, &crew->lock, &until);
        pthread_mutex_unlock(&crew->lock);
        const bool on = !step || step(user, done_of(crew));
        for (int i = 0; !on && i < crew->started; i++)
            atomic_store(&crew->workers[i].watch.cancel, true);
        pthread_mutex_lock(&crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
}

static void start(struct crew *crew, int threads) {
    for (int i = 0; i < threads; i++) {
        crew->workers[i].crew = crew;
        pthread_mutex_lock(&crew->lock);
        crew->working++;
        pthread_mutex_unlock(&crew->lock);
        if (pthread_create(&crew->workers[i].thread, NULL, work, &crew->workers[i]) == 0) {
            crew->started++;
            continue;
        }
        pthread_mutex_lock(&crew->lock);
        crew->working--;
        pthread_mutex_unlock(&crew->lock);
        break;
    }
    if (threads > 0 && crew->started == 0) {
        log_warn("cannot start a thread for exact arithmetic, so all else waits for it");
        crew->working++;
        interrupt_set_flag(&crew->workers[0].watch.cancel);
        work(&crew->workers[0]);
        interrupt_set_flag(NULL);
    }
}

bool exact_count_all(const struct frame_req *req, struct exact_point *points, size_t count,
                     int threads, bool (*step)(void *user, double done), void *user) {
    struct crew crew = {.req = req, .points = points, .count = count};
    pthread_condattr_t monotonic;
    const size_t wanted = (size_t)threads < count ? (size_t)threads : count;
    crew.workers = calloc(wanted + 1, sizeof *crew.workers);
    if (!crew.workers) {
        log_error("cannot start %d threads: not enough memory", threads);
        return false;
    }
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    start(&crew, (int)wanted);
    wait_for_threads(&crew, step, user);
    for (int i = 0; i < crew.started; i++)
        pthread_join(crew.workers[i].thread, NULL);
    const bool ok = atomic_load(&crew.done) == count;
    pthread_cond_destroy(&crew.ended);
    pthread_mutex_destroy(&crew.lock);
    free(crew.workers);
    return ok;
}
