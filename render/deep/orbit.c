/* What all engines share: room for exact values, and rounding them. */
#include "render/deep/orbit.h"
#include <math.h>
#include <stdlib.h>

void orbit_value_init(struct orbit_value *value, unsigned limbs) {
    *value = (struct orbit_value){.limbs = limbs};
    value->re = calloc(2 * (size_t)limbs, sizeof *value->re);
    value->im = value->re ? value->re + limbs : NULL;
}

/* A part as *mantissa in [0.5, 1], rounded to nearest; returns its exponent. */
static int32_t part_rounded(const mp_limb_t *limb, unsigned limbs, double *mantissa) {
    unsigned top = limbs;
    while (top > 0 && limb[top - 1] == 0)
        top--;
    if (top == 0)
        return orbit_rounded(0, false, 0, mantissa);
    const int zeros = __builtin_clzll(limb[top - 1]);
    uint64_t high = limb[top - 1] << zeros;
    unsigned rest = top - 1; /* limbs that are not in `high` as a whole */
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
    /* The highest 128 bits of the value, of which `rounded` has 53: those below, or what they lack to a
     * unit more. */
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
