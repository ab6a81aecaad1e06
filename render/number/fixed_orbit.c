/* Orbits in fixed point with a proven bound of their error. */
#include "render/number/fixed_orbit.h"
#include "render/base/log.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIMB_BITS FIXED_LIMB_BITS

static_assert(GMP_NUMB_BITS == LIMB_BITS, "limbs are taken apart");

/* --- the bound of the error --- */

/* More than all roundings of bounds in a step, relatively. */
#define SLACK (1 + 0x1p-48)

static struct fixed_bound bound_normal(struct fixed_bound a) {
    for (; a.m >= 0x1p64; a.exponent += LIMB_BITS)
        a.m *= 0x1p-64;
    for (; a.m > 0 && a.m < 1; a.exponent -= LIMB_BITS)
        a.m *= 0x1p64;
    return a;
}

static struct fixed_bound bound_times(struct fixed_bound a, struct fixed_bound b) {
    return bound_normal((struct fixed_bound){a.m * b.m * SLACK, a.exponent + b.exponent});
}

/* Returns the bound in units of 2^exponent, or more if it is tiny. */
static double bound_in(struct fixed_bound a, long exponent) {
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

static bool allocate(struct fixed_orbit *orbit, long fraction) {
    *orbit = (struct fixed_orbit){.fraction = fraction, .limbs = fraction + 1, .exact = true};
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
static bool take_number(const struct fixed_orbit *orbit, mp_limb_t *to, bool *negative,
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
static void square(struct fixed_orbit *orbit, mp_limb_t *to, const mp_limb_t *a) {
    mpn_sqr(orbit->product, a, orbit->limbs);
    memcpy(to, orbit->product + orbit->fraction, (size_t)orbit->limbs * sizeof *to);
    if (orbit->exact)
        orbit->exact = mpn_zero_p(orbit->product, orbit->fraction);
}

/* to = floor of a b. */
static void times(struct fixed_orbit *orbit, mp_limb_t *to, const mp_limb_t *a,
                  const mp_limb_t *b) {
    mpn_mul_n(orbit->product, a, b, orbit->limbs);
    memcpy(to, orbit->product + orbit->fraction, (size_t)orbit->limbs * sizeof *to);
    if (orbit->exact)
        orbit->exact = mpn_zero_p(orbit->product, orbit->fraction);
}

/* to = |a - b|. Returns true if a - b is below 0. */
static bool difference(const struct fixed_orbit *orbit, mp_limb_t *to, const mp_limb_t *a,
                       const mp_limb_t *b) {
    const bool negative = mpn_cmp(a, b, orbit->limbs) < 0;
    mpn_sub_n(to, negative ? b : a, negative ? a : b, orbit->limbs);
    return negative;
}

/* to = |a + c|, with the given signs. Returns true if a + c is below 0. */
static bool sum(const struct fixed_orbit *orbit, mp_limb_t *to, const mp_limb_t *a, bool a_negative,
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
static void iterate_once(struct fixed_orbit *orbit, unsigned folds) {
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
static void fold(struct fixed_orbit *orbit, unsigned folds) {
    orbit->x_negative = orbit->x_negative && !(folds & FOLD_X);
    orbit->y_negative = (orbit->y_negative && !(folds & FOLD_Y)) != ((folds & FOLD_NEGATE) != 0);
}

/* w = w z, where w is in xx and yy: with the products x xx, y yy, x yy, y xx. */
static void times_z(struct fixed_orbit *orbit, bool *re_negative, bool *im_negative) {
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
static void iterate_power(struct fixed_orbit *orbit, int power, unsigned folds) {
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

static double units_of(const struct fixed_orbit *orbit, int power) {
    return power == 2 ? STEP_UNITS : 3 * (power - 1) * pow(orbit->radius, power - 2) + 2;
}

/* Returns at least the number's size, from its two highest limbs that are not 0. */
static struct fixed_bound size_of(const struct fixed_orbit *orbit, const mp_limb_t *a) {
    long i = orbit->fraction;
    while (i > 1 && a[i] == 0)
        i--;
    return (struct fixed_bound){((double)a[i] * 0x1p64 + (double)a[i - 1] + 1) * SLACK,
                                (i - 1 - orbit->fraction) * LIMB_BITS};
}

static struct fixed_bound size_of_z(const struct fixed_orbit *orbit) {
    const struct fixed_bound a = size_of(orbit, orbit->x), b = size_of(orbit, orbit->y);
    const long exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
    const double x = bound_in(a, exponent), y = bound_in(b, exponent);
    return (struct fixed_bound){sqrt(x * x + y * y) * SLACK, exponent};
}

/* Returns the error after a step from the error E before it: (2|z| + E) E, or p (|z| + E)^(p-1) E,
 * plus the rounding. */
static struct fixed_bound bound_step(const struct fixed_orbit *orbit, int power) {
    const long unit = -orbit->fraction * LIMB_BITS;
    const double units = units_of(orbit, power);
    if (orbit->error.m == 0)
        return bound_normal((struct fixed_bound){units, unit});
    struct fixed_bound z = size_of_z(orbit), error = orbit->error;
    const double beside = bound_in(error, z.exponent);
    if (power == 2) {
        error = bound_times(error, (struct fixed_bound){2 * z.m + beside, z.exponent});
    } else {
        z.m += beside;
        error.m *= power;
        for (int i = 1; i < power; i++)
            error = bound_times(error, z);
    }
    if (error.exponent < unit)
        return bound_normal((struct fixed_bound){units + 1, unit});
    error.m += bound_in((struct fixed_bound){units, unit}, error.exponent);
    return bound_normal(error);
}

/* Compares |z|^2 with the square of the escape radius. `norm` is at most 2 units below that of the
 * fixed-point z; the square of the radius r lacks at most one. With E < 2^-48 the exact |z|^2
 * differs by less than (2r + 1) E near it, including the rounding, which E is never below; the size
 * of the distance is at most four times the distance. */
static enum fixed_side side_of(struct fixed_orbit *orbit) {
    mp_limb_t *between = orbit->between;
    const bool out = !difference(orbit, between, orbit->norm, orbit->escape);
    const long top = orbit->fraction;
    const bool near = between[top] == 0 && between[top - 1] >> 24 == 0;
    if (!near || orbit->exact)
        return out ? FIXED_OUTSIDE : FIXED_INSIDE;
    const struct fixed_bound distance = size_of(orbit, between);
    const struct fixed_bound error = {(2 * orbit->radius + 1) * orbit->error.m,
                                      orbit->error.exponent};
    return bound_in(error, distance.exponent) < distance.m / 4
               ? (out ? FIXED_OUTSIDE : FIXED_INSIDE)
               : FIXED_UNKNOWN;
}

/* Begins at c, or where z starts. What is cut off is an error of z's first or second step. */
static void begin(struct fixed_orbit *orbit, const struct fractal *fractal, mpfr_srcptr re,
                  mpfr_srcptr im, mpfr_srcptr escape) {
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

bool fixed_orbit_init(struct fixed_orbit *orbit, long fraction, const struct fractal *fractal,
                      mpfr_srcptr re, mpfr_srcptr im, mpfr_srcptr escape) {
    if (!allocate(orbit, fraction))
        return false;
    begin(orbit, fractal, re, im, escape);
    return true;
}

void fixed_orbit_finish(struct fixed_orbit *orbit) {
    free(orbit->memory);
}

enum fixed_side fixed_orbit_side(struct fixed_orbit *orbit) {
    square(orbit, orbit->xx, orbit->x);
    square(orbit, orbit->yy, orbit->y);
    mpn_add_n(orbit->norm, orbit->xx, orbit->yy, orbit->limbs);
    if (!orbit->exact && orbit->error.m == 0) /* now the squares are rounded */
        orbit->error = (struct fixed_bound){STEP_UNITS, -orbit->fraction * LIMB_BITS};
    return side_of(orbit);
}

void fixed_orbit_step(struct fixed_orbit *orbit, int power, unsigned folds) {
    const struct fixed_bound error = bound_step(orbit, power);
    if (power == 2)
        iterate_once(orbit, folds);
    else
        iterate_power(orbit, power, folds);
    if (!orbit->exact)
        orbit->error = error;
}

void fixed_orbit_trim(struct fixed_orbit *orbit, double spare_bits) {
    const long unit = -(orbit->fraction - 1) * LIMB_BITS; /* log2 of the unit that is left */
    mp_limb_t **const parts[] = {&orbit->x, &orbit->y, &orbit->cr, &orbit->ci, &orbit->escape};
    if (orbit->exact || orbit->error.m == 0 ||
        fixed_orbit_error_log2(orbit) < spare_bits + (double)unit)
        return;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ++*parts[i];
    orbit->fraction--;
    orbit->limbs--;
    orbit->error.m += bound_in((struct fixed_bound){2, unit}, orbit->error.exponent);
    orbit->error = bound_normal(orbit->error);
}

bool fixed_orbit_lost(const struct fixed_orbit *orbit) {
    const struct fixed_bound error = orbit->error;
    return error.m > 0 &&
           (error.exponent >= 0 || (error.exponent == -LIMB_BITS && error.m >= 0x1p16));
}

double fixed_orbit_error_log2(const struct fixed_orbit *orbit) {
    return log2(orbit->error.m) + (double)orbit->error.exponent;
}

/* Stores the highest 106 bits of a magnitude of which the highest limb that is not 0 is number i,
 * cut off, in two doubles. */
static void pair_of(const struct fixed_orbit *orbit, long unit_log2, const mp_limb_t *a,
                    bool negative, double pair[2]) {
    long i = orbit->fraction;
    while (i > 0 && a[i] == 0)
        i--;
    const uint64_t high = a[i], next = i > 0 ? a[i - 1] : 0, last = i > 1 ? a[i - 2] : 0;
    const long exponent = (i - orbit->fraction) * LIMB_BITS - unit_log2;
    pair[0] = pair[1] = 0;
    if (high == 0 || exponent < -960)
        return;
    const int up = __builtin_clzll(high);
    const uint64_t top = up ? high << up | next >> (LIMB_BITS - up) : high;
    const uint64_t rest = up ? next << up | last >> (LIMB_BITS - up) : next;
    const double hi = (double)(top >> 11),
                 lo = (double)((top & 0x7ff) << 42 | rest >> 22) * 0x1p-53;
    const double sum = ldexp(hi + lo, (int)exponent + 11 - up);
    pair[0] = negative ? -sum : sum;
    pair[1] = ldexp(lo - ((hi + lo) - hi), (int)exponent + 11 - up);
    pair[1] = negative ? -pair[1] : pair[1];
}

long fixed_orbit_exponent(const struct fixed_orbit *orbit) {
    long i = orbit->fraction;
    while (i > 0 && orbit->x[i] == 0 && orbit->y[i] == 0)
        i--;
    return (i + 1 - orbit->fraction) * LIMB_BITS;
}

void fixed_orbit_pairs(const struct fixed_orbit *orbit, long unit_log2, double re[2],
                       double im[2]) {
    pair_of(orbit, unit_log2, orbit->x, orbit->x_negative, re);
    pair_of(orbit, unit_log2, orbit->y, orbit->y_negative, im);
}
