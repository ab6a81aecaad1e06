/* Exact counts: iterates single points in fixed point with a bound of the error, as the truth that
 * pictures are compared with. */
#include "render/number/exact.h"
#include "render/grid/exponential.h"
#include "render/interior.h"
#include "render/number/fixed_orbit.h"
#include "render/sample.h"
#include <math.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/formula/formula_step.h"

#define LEAST            3   /* limbs of fraction */
#define TRIM_STEPS       64  /* steps between two looks whether a limb can be dropped */
#define TRIM_BITS        40  /* bits that a rounding must be below the error */
#define SPARE_BITS       96  /* bits beyond the pixel step and the limit's size, at the first try */
#define EXPONENTIAL_BITS 192 /* precision of directions and radii */

/* part of a unit of place_on_axis by which a moved point is moved: 2^-40 of a pixel */
#define MOVED ((1L << (EXACT_MOVED_BITS - 1)) / FRAME_OFFSETS)

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
    mpfr_init2(term, mpfr_get_prec(a) + mpfr_get_prec(b) + FIXED_LIMB_BITS);
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

/* Computes a place in an exponential map from its shares right / across of the width and down /
 * along of the height. */
static void exponential_place(const struct frame_req *req, long right, long across, long down,
                              long along, mpfr_ptr re, mpfr_ptr im) {
    int width, height;
    mpfr_t radius, step, cosine, sine;
    frame_req_whole(req, &width, &height);
    mpfr_inits2(EXPONENTIAL_BITS, radius, cosine, sine, (mpfr_ptr)NULL);
    mpfr_init2(step, frame_req_step_bits(req));
    frame_req_exact_step(req, step);
    exponential_radius(width, height, down, along, radius);
    exponential_direction(&req->view, right, across, cosine, sine);
    mpfr_mul(radius, radius, step, MPFR_RNDN);
    add_exactly(re, radius, cosine, 1);
    add_exactly(im, radius, sine, 1);
    mpfr_clears(radius, step, cosine, sine, (mpfr_ptr)NULL);
}

/* The sine and cosine of the view's angle are those of the coordinates' tables, of 128 bits. */
void exact_place(const struct frame_req *req, const struct exact_point *point, mpfr_ptr re,
                 mpfr_ptr im) {
    int width, height;
    mpfr_t unit, cosine, sine;
    frame_req_whole(req, &width, &height);
    const long right = place_on_axis(point->x_px, req->part_x_px, width, req->offset_x) * MOVED +
                       (point->moved ? 1 : 0);
    const long down = place_on_axis(point->y_px, req->part_y_px, height, req->offset_y) * MOVED;
    mpfr_init2(unit, frame_req_step_bits(req));
    mpfr_inits2(128, cosine, sine, (mpfr_ptr)NULL);
    view_step(&req->view, height, unit);
    mpfr_div_2ui(unit, unit, 1, MPFR_RNDN);
    mpfr_div_si(unit, unit, FRAME_OFFSETS * MOVED, MPFR_RNDN); /* a power of two */
    mpfr_set_d(cosine, req->view.angle, MPFR_RNDN);
    mpfr_sin_cos(sine, cosine, cosine, MPFR_RNDN);
    mpfr_set_prec(re, mpfr_get_prec(req->view.re));
    mpfr_set_prec(im, mpfr_get_prec(req->view.im));
    mpfr_set(re, req->view.re, MPFR_RNDN);
    mpfr_set(im, req->view.im, MPFR_RNDN);
    if (req->projection == PROJECTION_EXPONENTIAL) {
        const long across = width * FRAME_OFFSETS * MOVED, along = height * FRAME_OFFSETS * MOVED;
        exponential_place(req, right + across, 2 * across, down + along, 2 * along, re, im);
    } else {
        add_exactly(re, unit, cosine, right);
        add_exactly(re, unit, sine, down);
        add_exactly(im, unit, sine, right);
        add_exactly(im, unit, cosine, -down);
    }
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

/* Returns how many bits below the error are kept. Where an orbit comes near 0, a step makes the
 * error smaller, by about half of the view's depth if the view shows what is around a minibrot. */
static double spare_bits_of(const struct frame_req *req) {
    int width, height;
    frame_req_whole(req, &width, &height);
    return TRIM_BITS + fmax(-view_step_log2(&req->view, height), 0) / 2;
}

/* Iterates from z, which is inside. Returns false if there are too few bits, or if it was
 * cancelled. */
static bool iterate(struct fixed_orbit *orbit, const struct recipe *recipe,
                    const struct frame_req *req, struct exact_point *point,
                    const atomic_bool *stop) {
    const uint32_t limit = req->limit;
    const double spare_bits = spare_bits_of(req);
    for (uint32_t n = 0;; n++) {
        if (n % TRIM_STEPS == 0)
            fixed_orbit_trim(orbit, spare_bits);
        if (atomic_load_explicit(stop, memory_order_relaxed) || fixed_orbit_lost(orbit))
            return false;
        enum fixed_side side = fixed_orbit_side(orbit);
        side = n > 0 ? side : FIXED_INSIDE;
        if (side == FIXED_UNKNOWN)
            return false;
        if (side == FIXED_OUTSIDE || n == limit) {
            point->state = side == FIXED_OUTSIDE ? EXACT_ESCAPED : EXACT_INTERIOR;
            point->count = n;
            point->growth_log2 = fixed_orbit_error_log2(orbit) + (double)point->bits;
            return true;
        }
        const uint32_t number = n % recipe->length;
        fixed_orbit_step(orbit, recipe->power[number], recipe->folds[number]);
    }
}

void exact_set_fraction(const struct frame_req *req, struct exact_point *point, double re,
                        double im, double zr, double zi) {
    struct recipe recipe;
    uint32_t steps = 0;
    fractal_recipe(&req->fractal, TYPE_DOUBLE, &recipe);
    const double cr = recipe.julia ? recipe.parameter_re[0] : re;
    const double ci = recipe.julia ? recipe.parameter_im[0] : im;
    for (; norm2(zr, zi) < (double)SMOOTH_NORM2 && steps < SMOOTH_STEPS; steps++) {
        const uint32_t number = (point->count + steps) % recipe.length;
        if (recipe.power[number] == 2)
            step_square(recipe.folds[number], &zr, &zi, cr, ci);
        else
            step_power(recipe.power[number], recipe.folds[number], &zr, &zi, cr, ci);
    }
    const float left = (float)norm2(zr, zi);
    point->fraction =
        sample_fraction(left, (int)steps, recipe_scale(&recipe, point->count + steps));
    point->norm2 = sample_norm2(left);
}

/* Returns false if there is no memory. */
static bool attempt(const struct frame_req *req, long fraction, mpfr_srcptr re, mpfr_srcptr im,
                    mpfr_srcptr escape, struct exact_point *point, const atomic_bool *stop) {
    struct fixed_orbit orbit;
    struct recipe recipe;
    if (!fixed_orbit_init(&orbit, fraction, &req->fractal, re, im, escape))
        return false;
    fractal_recipe(&req->fractal, TYPE_DOUBLE, &recipe); /* for its steps */
    point->bits = fraction * FIXED_LIMB_BITS;
    if (iterate(&orbit, &recipe, req, point, stop) && point->state == EXACT_ESCAPED) {
        double zr[2], zi[2];
        fixed_orbit_pairs(&orbit, 0, zr, zi);
        exact_set_fraction(req, point, mpfr_get_d(re, MPFR_RNDN), mpfr_get_d(im, MPFR_RNDN), zr[0],
                           zi[0]);
    }
    fixed_orbit_finish(&orbit);
    return true;
}

bool exact_is_known(const struct frame_req *req, mpfr_srcptr re, mpfr_srcptr im,
                    struct exact_point *point) {
    const bool julia = req->fractal.julia;
    mpfr_t escape;
    mpfr_init2(escape, 64);
    escape_of(&req->fractal, escape);
    point->state = EXACT_OPEN;
    point->bits = 0;
    point->growth_log2 = 0;
    point->norm2 = 0;
    if ((julia || req->limit > 0) && has_escaped(re, im, escape)) { /* else the first z is c */
        point->state = EXACT_ESCAPED;
        point->count = !julia;
    } else if (req->limit == 0 || never_escapes(&req->fractal, re, im)) {
        point->state = EXACT_INTERIOR;
        point->count = req->limit;
    }
    mpfr_clear(escape);
    return point->state != EXACT_OPEN;
}

void exact_count(const struct frame_req *req, struct exact_point *point, const atomic_bool *stop) {
    mpfr_t re, im, escape;
    int width, height;
    frame_req_whole(req, &width, &height);
    mpfr_inits2(64, re, im, escape, (mpfr_ptr)NULL);
    exact_place(req, point, re, im);
    escape_of(&req->fractal, escape);
    const double bits = fmax(-view_step_log2(&req->view, height), 0) + log2(req->limit + 1.0);
    long fraction = (long)((bits + SPARE_BITS) / FIXED_LIMB_BITS) + 1;
    fraction = larger(larger(fraction, LEAST), point->least_bits / FIXED_LIMB_BITS);
    exact_is_known(req, re, im, point);
    while (point->state == EXACT_OPEN && !atomic_load(stop) &&
           attempt(req, fraction, re, im, escape, point, stop))
        fraction += fraction / 4 + 1;
    mpfr_clears(re, im, escape, (mpfr_ptr)NULL);
}
