/* Engines of reference orbits: their exact arithmetic, in which all engines agree in every bit.
 *
 * Numbers are fixed point, sign and magnitude, with limbs of 64 bits. The highest limb has
 * ORBIT_INTEGER_BITS bits before the point. A value of n limbs has 64 n - ORBIT_INTEGER_BITS bits
 * behind it. trunc() rounds towards zero to the number of limbs that the caller requests. Products
 * are exact. A step is
 *
 *     re' = trunc(re^2 - im^2) + trunc(c.re)        im' = trunc(2 re im) + trunc(c.im)
 *
 * The number of limbs may change with every step, upwards too. */
#ifndef FATHOM_RENDER_DEEP_ORBIT_H
#define FATHOM_RENDER_DEEP_ORBIT_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

_Static_assert(GMP_NUMB_BITS == 64, "limbs of 64 bits");

#define ORBIT_INTEGER_BITS 5    /* parts are below 32; before squaring, below 4 */
#define ORBIT_SMALL        -900 /* smaller exponents are stored next to the number, not in it */

/* A complex number: `limbs` limbs for each part, lowest first. */
struct orbit_value {
    unsigned limbs;
    bool re_negative, im_negative;
    mp_limb_t *re, *im;
};

/* A value rounded to nearest, (re + i im) * 2^exponent. The exponent is 0 unless both parts are
 * below 2^ORBIT_SMALL; then the larger one of re and im is in [0.5, 1], or both are 0. */
struct orbit_point {
    double re, im;
    int32_t exponent;
};

/* An engine of reference orbits. A handle is one orbit and belongs to one thread. */
struct orbit_engine {
    const char *name;
    /* Range of limbs for which the engine is made. Outside of it orbit_mpn is faster, or the only
     * engine. */
    unsigned limbs_least, limbs_most;
    /* Creates the orbit of c, beginning at z. The parts of c are below 4. c has the most limbs that
     * will be requested; z has no more. At most `threads` threads share a step, which changes no
     * bit. Returns NULL if there is no memory, which is not logged. */
    void *(*create)(const struct orbit_value *c, const struct orbit_value *z, unsigned threads);
    void (*destroy)(void *orbit);
    /* Makes one step, to a value of `limbs` limbs. Parts must be below 4. */
    struct orbit_point (*step)(void *orbit, unsigned limbs);
    /* Stores the current value; re and im have room for the most limbs, and limbs is set. */
    void (*save)(const void *orbit, struct orbit_value *value);
};

/* GMP's mpn functions, on every machine. */
extern const struct orbit_engine orbit_mpn;

/* Allocates both parts; re is NULL if there is no memory. Freed by free(value->re). */
void orbit_value_init(struct orbit_value *value, unsigned limbs);
/* Rounds a value as step() does. */
struct orbit_point orbit_point(const struct orbit_value *value);

/* Returns what a part of a value, or its magnitude, is more than `rounded`, the double nearest to
 * it; all in units of 2^log2. */
double orbit_low(const mp_limb_t *limb, unsigned limbs, double rounded, int32_t log2);

/* Rounding in parts, for engines with limbs of their own. A part is 0, or a little more than `high`
 * * 2^(exponent - 64) if `more` is true, where the highest bit of `high` is set. *mantissa is the
 * part rounded; returns the exponent. `more` is read only where orbit_is_tie is true. */
static inline bool orbit_is_tie(uint64_t high) {
    return (high & 0x7ff) == 0x400;
}
static inline int32_t orbit_rounded(uint64_t high, bool more, int32_t exponent, double *mantissa) {
    *mantissa = (double)(high | (more && orbit_is_tie(high))) * 0x1p-64;
    return high == 0 ? INT32_MIN : exponent;
}
struct orbit_point orbit_point_join(double re, int32_t re_exponent, double im, int32_t im_exponent);

#endif
