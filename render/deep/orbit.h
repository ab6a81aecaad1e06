/* The exact arithmetic of reference orbits, in which all engines agree in every bit.
 *
 * Numbers are fixed point, sign and magnitude, with limbs of 64 bits, of which the highest has
 * ORBIT_INTEGER_BITS bits before the point. A value of n limbs has 64 n - ORBIT_INTEGER_BITS bits behind it.
 * With trunc() for rounding towards zero to the number of limbs that the caller asks for, a step is
 *
 *     re' = trunc(re^2 - im^2) + trunc(c.re)        im' = trunc(2 re im) + trunc(c.im)
 *
 * where products are exact. The number of limbs may change with every step, upwards too. */
#ifndef FATHOM_RENDER_DEEP_ORBIT_H
#define FATHOM_RENDER_DEEP_ORBIT_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

_Static_assert(GMP_NUMB_BITS == 64, "limbs of 64 bits");

#define ORBIT_INTEGER_BITS 5    /* parts are below 32; those squared below 4 */
#define ORBIT_SMALL        -900 /* exponents below this go beside the number, not into it */

/* A complex number: `limbs` limbs for each part, lowest first. */
struct orbit_value {
    unsigned limbs;
    bool re_negative, im_negative;
    mp_limb_t *re, *im;
};

/* The same rounded to nearest, (re + i im) * 2^exponent. The exponent is 0, unless both parts are below
 * 2^ORBIT_SMALL. Then the larger one of re and im is in [0.5, 1], or both are 0. */
struct orbit_point {
    double re, im;
    int32_t exponent;
};

/* An engine's handle is one orbit and belongs to one thread. */
struct orbit_engine {
    const char *name;
    /* Orbits of fewer or more limbs are made by orbit_mpn, which is faster there or the only one. */
    unsigned limbs_least, limbs_most;
    /* The orbit of c, which has the most limbs that will be asked for, and whose parts are below 4;
     * it starts at z, of so many limbs or fewer. NULL: no memory; nothing was logged. */
    void *(*create)(const struct orbit_value *c, const struct orbit_value *z);
    void (*destroy)(void *orbit);
    /* Goes on by one step, to a value of `limbs` limbs. Parts have to be below 4. */
    struct orbit_point (*step)(void *orbit, unsigned limbs);
    /* The current value; re and im have room for the most limbs, and limbs is set. */
    void (*save)(const void *orbit, struct orbit_value *value);
};

/* GMP's mpn functions: everywhere. */
extern const struct orbit_engine orbit_mpn;

/* Room for both parts; NULL in re: no memory. Freed by free(value->re). */
void orbit_value_init(struct orbit_value *value, unsigned limbs);
/* What step() returns for a value. */
struct orbit_point orbit_point(const struct orbit_value *value);

/* What a part of a value, or its magnitude, is more than `rounded`, the double nearest to it. */
double orbit_low(const mp_limb_t *limb, unsigned limbs, double rounded);

/* The same in parts, for engines with limbs of their own. A part is 0, or `high` * 2^(exponent - 64), the highest
 * bit being set, and a little more if so; it is rounded to *mantissa, and the exponent returned. `more`
 * is looked at for what orbit_is_tie tells. */
static inline bool orbit_is_tie(uint64_t high) {
    return (high & 0x7ff) == 0x400;
}
static inline int32_t orbit_rounded(uint64_t high, bool more, int32_t exponent, double *mantissa) {
    *mantissa = (double)(high | (more && orbit_is_tie(high))) * 0x1p-64;
    return high == 0 ? INT32_MIN : exponent;
}
struct orbit_point orbit_point_join(double re, int32_t re_exponent, double im, int32_t im_exponent);

#endif
