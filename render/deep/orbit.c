/* Reference orbits: the rounding of exact values, which all engines share, and the engine on GMP's
 * mpn functions, which every machine has. A step takes three squarings. From LIMBS_OF_PRODUCTS
 * limbs on, a step takes two products by MPFR instead, which leave out the lower halves. */
#include "render/deep/orbit.h"
#include <limits.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

void orbit_value_init(struct orbit_value *value, unsigned limbs) {
    *value = (struct orbit_value){.limbs = limbs};
    value->re = calloc(2 * (size_t)limbs, sizeof *value->re);
    value->im = value->re ? value->re + limbs : NULL;
}

/* Rounds a part to nearest: *mantissa is in [0.5, 1]. Returns its exponent. */
static int32_t part_rounded(const mp_limb_t *limb, unsigned limbs, double *mantissa) {
    unsigned top = limbs;
    while (top > 0 && limb[top - 1] == 0)
        top--;
    if (top == 0)
        return orbit_rounded(0, false, 0, mantissa);
    const int zeros = __builtin_clzll(limb[top - 1]);
    uint64_t high = limb[top - 1] << zeros;
    unsigned rest = top - 1; /* limbs that are not wholly in `high` */
    if (zeros > 0 && top > 1)
        high |= limb[top - 2] >> (64 - zeros);
    bool more = false;
    if (orbit_is_tie(high)) { /* any bit below decides */
        more = zeros > 0 && rest > 0 && limb[rest - 1] << zeros != 0;
        for (unsigned i = 0; i + (zeros > 0) < rest && !more; i++)
            more = limb[i] != 0;
    }
    const int64_t exponent = ORBIT_INTEGER_BITS - zeros - 64 * (int64_t)(limbs - top);
    return orbit_rounded(high, more, (int32_t)exponent, mantissa);
}

__extension__ typedef unsigned __int128 wide_bits;

double orbit_low(const mp_limb_t *limb, unsigned limbs, double rounded) {
    unsigned top = limbs;
    while (top > 0 && limb[top - 1] == 0)
        top--;
    if (top == 0 || rounded == 0)
        return 0;
    /* The highest 128 bits of the value, of which `rounded` has 53; the others are its low part, or
     * what the low part lacks to a unit more. */
    const int zeros = __builtin_clzll(limb[top - 1]);
    wide_bits high = (wide_bits)limb[top - 1] << 64 | (top > 1 ? limb[top - 2] : 0);
    if (zeros > 0)
        high = high << zeros | (top > 2 ? limb[top - 3] >> (64 - zeros) : 0);
    const int exponent = (int)(ORBIT_INTEGER_BITS - zeros - 64 * (int64_t)(limbs - top));
    const wide_bits unit = (wide_bits)1 << 75, below = high & (unit - 1);
    const bool up = ldexp(fabs(rounded), 53 - exponent) > (double)(uint64_t)(high >> 75);
    const double low = up ? -(double)(unit - below) : (double)below;
    return ldexp(rounded < 0 ? -low : low, exponent - 128);
}

static double scaled(double mantissa, int32_t exponent) {
    const union {
        uint64_t bits;
        double number;
    } power = {.bits = (uint64_t)(exponent + 1023) << 52};
    return exponent > -1000 ? mantissa * power.number : ldexp(mantissa, exponent);
}

struct orbit_point orbit_point_join(double re, int32_t re_exponent, double im,
                                    int32_t im_exponent) {
    const int32_t larger = re_exponent > im_exponent ? re_exponent : im_exponent;
    const int32_t exponent = larger > ORBIT_SMALL || larger == INT32_MIN ? 0 : larger;
    return (struct orbit_point){re != 0 ? scaled(re, re_exponent - exponent) : 0,
                                im != 0 ? scaled(im, im_exponent - exponent) : 0, exponent};
}

struct orbit_point orbit_point(const struct orbit_value *value) {
    double re, im;
    const int32_t re_exponent = part_rounded(value->re, value->limbs, &re);
    const int32_t im_exponent = part_rounded(value->im, value->limbs, &im);
    return orbit_point_join(value->re_negative ? -re : re, re_exponent,
                            value->im_negative ? -im : im, im_exponent);
}

/* --- GMP's engine --- */

#define LIMBS_OF_PRODUCTS 40 /* from here on products are faster than squarings */

/* Values lie at the top of the room for the most limbs, so that their number changes without moving
 * them. */
struct orbit {
    unsigned most, limbs;
    bool negative[2], c_negative[2];
    mp_limb_t *part[2], *c[2]; /* re, im */
    mp_limb_t *difference;     /* |re| - |im|; all of these have room for the most limbs */
    mp_limb_t *square[3];      /* have room for twice as many */
    mp_limb_t room[];
};

static void put_limbs(mp_limb_t *to, unsigned most, const mp_limb_t *from, unsigned limbs) {
    memset(to, 0, (most - limbs) * sizeof *to);
    memcpy(to + most - limbs, from, limbs * sizeof *to);
}

static void *mpn_create(const struct orbit_value *c, const struct orbit_value *z) {
    const size_t most = c->limbs;
    struct orbit *orbit = malloc(sizeof *orbit + 11 * most * sizeof *orbit->room);
    if (!orbit)
        return NULL;
    *orbit = (struct orbit){.most = c->limbs,
                            .limbs = z->limbs,
                            .negative = {z->re_negative, z->im_negative},
                            .c_negative = {c->re_negative, c->im_negative}};
    for (size_t i = 0; i < 2; i++) {
        orbit->part[i] = orbit->room + i * most;
        orbit->c[i] = orbit->room + (2 + i) * most;
    }
    orbit->difference = orbit->room + 4 * most;
    for (size_t i = 0; i < 3; i++)
        orbit->square[i] = orbit->room + (5 + 2 * i) * most;
    put_limbs(orbit->c[0], c->limbs, c->re, c->limbs);
    put_limbs(orbit->c[1], c->limbs, c->im, c->limbs);
    put_limbs(orbit->part[0], c->limbs, z->re, z->limbs);
    put_limbs(orbit->part[1], c->limbs, z->im, z->limbs);
    return orbit;
}

/* Sets `to` to |a - b|. Returns true if a - b is negative. */
static bool distance(mp_limb_t *to, const mp_limb_t *a, const mp_limb_t *b, unsigned limbs) {
    const bool negative = mpn_cmp(a, b, (mp_size_t)limbs) < 0;
    mpn_sub_n(to, negative ? b : a, negative ? a : b, (mp_size_t)limbs);
    return negative;
}

static void add_c(struct orbit *orbit, int which, bool negative, unsigned limbs) {
    mp_limb_t *to = orbit->part[which] + orbit->most - limbs;
    const mp_limb_t *c = orbit->c[which] + orbit->most - limbs;
    if (negative == orbit->c_negative[which])
        mpn_add_n(to, to, c, (mp_size_t)limbs);
    else
        negative ^= distance(to, to, c, limbs);
    orbit->negative[which] = negative;
}

/* Sets a part to a product, which has twice the limbs and twice the bits before the point, plus its
 * part of c. */
static void put_part(struct orbit *orbit, int which, const mp_limb_t *product, bool negative,
                     unsigned limbs) {
    const unsigned there = 2 * orbit->limbs, short_of = limbs > there ? limbs - there : 0;
    mp_limb_t *to = orbit->part[which] + orbit->most - limbs;
    const mp_limb_t *from = product + there - (limbs - short_of);
    memset(to, 0, short_of * sizeof *to);
    mpn_lshift(to + short_of, from, (mp_size_t)(limbs - short_of), ORBIT_INTEGER_BITS);
    if (from > product)
        to[short_of] |= from[-1] >> (64 - ORBIT_INTEGER_BITS);
    add_c(orbit, which, negative, limbs);
}

/* Computes re^2 - im^2, and 2 |re im| = re^2 + im^2 - (|re| - |im|)^2. */
static void square(struct orbit *orbit, const mp_limb_t *re, const mp_limb_t *im, bool re_negative,
                   bool im_negative, unsigned limbs) {
    mp_limb_t *const *square = orbit->square;
    const mp_size_t n = (mp_size_t)orbit->limbs;
    mpn_sqr(square[0], re, n);
    mpn_sqr(square[1], im, n);
    mpn_sqr(square[2], orbit->difference, n);
    mpn_sub_n(square[2], square[0], square[2], 2 * n); /* may wrap around, and back */
    mpn_add_n(square[2], square[2], square[1], 2 * n);
    mpn_sub_n(square[0], square[re_negative ? 1 : 0], square[re_negative ? 0 : 1], 2 * n);
    put_part(orbit, 0, square[0], re_negative, limbs);
    put_part(orbit, 1, square[2], im_negative, limbs);
}

/* Makes a part an MPFR number with limbs in `to`, which may be the part itself. Returns false if it
 * is 0. */
static bool as_number(mpfr_ptr number, mp_limb_t *to, const mp_limb_t *part, unsigned limbs) {
    unsigned top = limbs;
    while (top > 0 && part[top - 1] == 0)
        top--;
    if (top == 0)
        return false;
    const int zeros = __builtin_clzll(part[top - 1]);
    if (zeros > 0)
        mpn_lshift(to, part, top, (unsigned)zeros);
    else
        memmove(to, part, top * sizeof *to);
    const mpfr_exp_t exponent = ORBIT_INTEGER_BITS - zeros - 64 * (mpfr_exp_t)(limbs - top);
    mpfr_custom_init_set(number, MPFR_REGULAR_KIND, exponent, 64 * (mpfr_prec_t)top, to);
    return true;
}

/* Sets a part to the product of two numbers times 2^more; `room` is scratch. */
static void put_product(struct orbit *orbit, int which, mpfr_srcptr a, mpfr_srcptr b, int more,
                        mp_limb_t *room, unsigned limbs) {
    mpfr_t product;
    mp_limb_t *to = orbit->part[which] + orbit->most - limbs;
    const mpfr_exp_t most = mpfr_get_exp(a) + mpfr_get_exp(b) + more;
    const long bits = most + 64 * (long)limbs - ORBIT_INTEGER_BITS;
    const long digits = (bits + 63) / 64;
    if (bits < 1)
        return;
    mpfr_custom_init_set(product, MPFR_ZERO_KIND, 0, 64 * digits, room);
    mpfr_mul(product, a, b, MPFR_RNDZ);
    const long down = ORBIT_INTEGER_BITS - mpfr_get_exp(product) - more, there = limbs - down / 64;
    const long count = digits < there ? digits : there;
    if (count < 1)
        return;
    mp_limb_t *end = to + there - count;
    const mp_limb_t *from = room + digits - count;
    if (down % 64 == 0)
        memcpy(end, from, (size_t)count * sizeof *to);
    else {
        const mp_limb_t rest = mpn_rshift(end, from, count, (unsigned)(down % 64));
        if (end > to)
            end[-1] = rest;
    }
}

/* Computes (|re| + |im|) (|re| - |im|), and 2 |re im|. */
static void multiply(struct orbit *orbit, const mp_limb_t *re, const mp_limb_t *im,
                     bool re_negative, bool im_negative, unsigned limbs) {
    mp_limb_t *const *room = orbit->square;
    mpfr_t sum, difference, a, b;
    const unsigned n = orbit->limbs;
    mpn_add_n(room[0], re, im, (mp_size_t)n);
    const bool any_re = as_number(difference, orbit->difference, orbit->difference, n) &&
                        as_number(sum, room[0], room[0], n);
    const bool any_im = as_number(a, room[1], re, n) && as_number(b, room[1] + n, im, n);
    for (int i = 0; i < 2; i++)
        memset(orbit->part[i] + orbit->most - limbs, 0, limbs * sizeof *re);
    if (any_re)
        put_product(orbit, 0, sum, difference, 0, room[2], limbs);
    if (any_im)
        put_product(orbit, 1, a, b, 1, room[2], limbs);
    add_c(orbit, 0, re_negative, limbs);
    add_c(orbit, 1, im_negative, limbs);
}

static struct orbit_point mpn_step(void *handle, unsigned limbs) {
    struct orbit *orbit = handle;
    const unsigned n = orbit->limbs;
    const mp_limb_t *re = orbit->part[0] + orbit->most - n, *im = orbit->part[1] + orbit->most - n;
    const bool im_negative = orbit->negative[0] != orbit->negative[1];
    const bool re_negative = distance(orbit->difference, re, im, n);
    if (n < LIMBS_OF_PRODUCTS)
        square(orbit, re, im, re_negative, im_negative, limbs);
    else
        multiply(orbit, re, im, re_negative, im_negative, limbs);
    orbit->limbs = limbs;
    const struct orbit_value value = {limbs, orbit->negative[0], orbit->negative[1],
                                      orbit->part[0] + orbit->most - limbs,
                                      orbit->part[1] + orbit->most - limbs};
    return orbit_point(&value);
}

static void mpn_save(const void *handle, struct orbit_value *value) {
    const struct orbit *orbit = handle;
    const unsigned n = orbit->limbs;
    value->limbs = n;
    value->re_negative = orbit->negative[0];
    value->im_negative = orbit->negative[1];
    memcpy(value->re, orbit->part[0] + orbit->most - n, n * sizeof *value->re);
    memcpy(value->im, orbit->part[1] + orbit->most - n, n * sizeof *value->im);
}

const struct orbit_engine orbit_mpn = {"mpn", 0, UINT_MAX, mpn_create, free, mpn_step, mpn_save};
