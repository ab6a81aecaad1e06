/* Sample: the result of iterating one pixel's point, in planes of four bytes for each sample. On
 * all devices, the count alone indicates whether a sample exists; otherwise its other planes are
 * undefined.
 *   count     steps after which |z|^2 >= 4 first holds. With SAMPLE_INTERIOR: n steps without one,
 *             final for limits up to n; n is the request's limit in finished targets.
 *             SAMPLE_MISSING (n = 0): no sample yet. SAMPLE_NEVER: proved never to escape.
 *   fraction  count + fraction is the smooth value, too long for either type; 0 for the interior
 *   norm2     |z|^2 where the orbit was left; 0 without a fraction: interior, overflow, too small
 * SAMPLE_SLOPE: from the derivative there (formula/slope.h); 0 for the interior and without slopes.
 *   distance  [pixels] estimated distance to the set; the true one is half to twice as large
 *   normal    direction of the rising escape, length 32767: re in the low 16 bits, im in the high
 *   angle     argument of z, in turns of 2^32; the only one of these planes that maps have
 * SAMPLE_TRACE: statistics of the orbit up to there (formula/trace.h); undefined if distance is 0.
 * The first two are means, 0 to 1, of the points after the first, with the last in part:
 *   stripe    mean of (1 + sin(4 arg z)) / 2
 *   triangle  mean position of |z| between its bounds by the triangle inequality
 *   point, line, cross, circle: least distances above 0: to 0, the real axis, both axes, |z| = 1
 *   domain    number of the point nearest to 0, from 1 for the first after the start
 *   caught    the nearest to 0 of the last 16 points: re in the low 16 bits, im in the high, in
 *             2^-15; TRACE_NOWHERE: a part is not below 1
 * SAMPLE_INSIDE: interior samples only, at any limit (formula/inside.h); undefined for others.
 *   period    period of the attracting cycle; 0: none was found
 *   depth     [pixels] conformal radius for powers without folds: the distance to the component's
 *             boundary is a quarter of it to all; 0: unknown
 *   last      least |z| on the cycle; negative: none was found; 0: not searched, and all four are 0
 *   atom      number of the point nearest to 0, as in domain, until the cycle was found */
#ifndef FATHOM_RENDER_SAMPLE_H
#define FATHOM_RENDER_SAMPLE_H

#include "render/inline.h"

#define SAMPLE_INTERIOR   0x80000000u
#define SAMPLE_COUNT_MASK 0x7fffffffu
#define SAMPLE_MISSING    SAMPLE_INTERIOR
#define SAMPLE_NEVER      (SAMPLE_INTERIOR | SAMPLE_COUNT_MASK)

/* True if a count that is not missing is final for a limit. */
#define SAMPLE_FINAL(count, limit)                                                                 \
    (!((count)&SAMPLE_INTERIOR) || ((count)&SAMPLE_COUNT_MASK) >= (limit))

/* Planes; code that allocates, moves, copies or sends samples loops over this list. */
#define SAMPLE_PLANE_LIST(X)                                                                       \
    X(count, uint32_t)                                                                             \
    X(fraction, float)                                                                             \
    X(norm2, float)                                                                                \
    X(distance, float)                                                                             \
    X(normal, uint32_t)                                                                            \
    X(angle, uint32_t)                                                                             \
    X(stripe, float)                                                                               \
    X(triangle, float)                                                                             \
    X(point, float)                                                                                \
    X(line, float)                                                                                 \
    X(cross, float)                                                                                \
    X(circle, float)                                                                               \
    X(domain, uint32_t)                                                                            \
    X(caught, uint32_t)                                                                            \
    X(period, uint32_t)                                                                            \
    X(depth, float)                                                                                \
    X(last, float)                                                                                 \
    X(atom, uint32_t)
#define SAMPLE_PLANE_BYTES 4 /* size of a sample in any plane */

#define SAMPLE_PLANE_NUMBER(name, type) SAMPLE_PLANE_##name,
enum sample_plane { SAMPLE_PLANE_LIST(SAMPLE_PLANE_NUMBER) SAMPLE_PLANES };
#undef SAMPLE_PLANE_NUMBER

/* Sets of planes; every picture has SAMPLE_BASIC, which its colours need. */
#define SAMPLE_PLANE_BIT(name) (1u << SAMPLE_PLANE_##name)
#define SAMPLE_BASIC           (SAMPLE_PLANE_BIT(count) | SAMPLE_PLANE_BIT(fraction))
#define SAMPLE_SLOPE                                                                               \
    (SAMPLE_PLANE_BIT(distance) | SAMPLE_PLANE_BIT(normal) | SAMPLE_PLANE_BIT(angle))
#define SAMPLE_TRACE                                                                               \
    (SAMPLE_PLANE_BIT(stripe) | SAMPLE_PLANE_BIT(triangle) | SAMPLE_PLANE_BIT(point) |             \
     SAMPLE_PLANE_BIT(line) | SAMPLE_PLANE_BIT(cross) | SAMPLE_PLANE_BIT(circle) |                 \
     SAMPLE_PLANE_BIT(domain) | SAMPLE_PLANE_BIT(caught))
#define SAMPLE_INSIDE                                                                              \
    (SAMPLE_PLANE_BIT(period) | SAMPLE_PLANE_BIT(depth) | SAMPLE_PLANE_BIT(last) |                 \
     SAMPLE_PLANE_BIT(atom))
/* Planes that a second pass along the orbits adds to existing samples. */
#define SAMPLE_WALKED (SAMPLE_SLOPE | SAMPLE_TRACE | SAMPLE_INSIDE)
#define SAMPLE_ALL    ((1u << SAMPLE_PLANES) - 1)

/* Orbits continue after the escape until |z|^2 >= SMOOTH_NORM2, for at most SMOOTH_STEPS steps. */
#define SMOOTH_NORM2 65536.0f
#define SMOOTH_STEPS 32

/* Returns log2 of a positive normal float, within 1e-6. With m in [sqrt 1/2, sqrt 2) and s =
 * (m-1)/(m+1), log2 m = 2/ln 2 (s + s^3/3 + s^5/5 + ...); |s| < 0.172, so s^9/9 is the last term in
 * single precision. */
INLINE float sample_log2(float x) {
    const uint32_t bits = float_bits(x) - 0x3f3504f3u;
    const int exponent = (int)bits >> 23;
    const float m = bits_float((bits & 0x007fffffu) + 0x3f3504f3u);
    const float s = (m - 1.0f) / (m + 1.0f);
    const float q = s * s;
    float p = float_fma(q, 0x1.484b14p-2f, 0x1.a61762p-2f); /* 2/(9 ln 2), 2/(7 ln 2) */
    p = float_fma(q, p, 0x1.2776c6p-1f);                    /* 2/(5 ln 2) */
    p = float_fma(q, p, 0x1.ec709ep-1f);                    /* 2/(3 ln 2) */
    p = float_fma(q, p, 0x1.715476p+1f);                    /* 2/ln 2 */
    return float_fma(s, p, (float)exponent);
}

/* Returns the fraction of an orbit that had |z|^2 = norm2 when it was left, `steps` after its
 * escape: steps - log(log2(norm2) / 16) to the base of the formula's power, where `scale` is 1 /
 * log2(power). Continuous in c (the usual renormalised count, see
 * linas.org/art-gallery/escape/smooth.html). Returns 0 if the orbit did not reach SMOOTH_NORM2 or
 * overflowed. */
INLINE float sample_fraction(float norm2, int steps, const float scale) {
    const float low = norm2 >= SMOOTH_NORM2 ? norm2 : SMOOTH_NORM2;
    const float x = low <= 0x1.fffffep127f ? low : SMOOTH_NORM2;
    const float f = (float)steps - sample_log2(sample_log2(x) * 0.0625f) * scale;
    return x == norm2 ? f : 0.0f; /* in a form that compilers vectorise */
}

/* Returns the plane norm2 of such an orbit. */
INLINE float sample_norm2(float norm2) {
    return norm2 >= SMOOTH_NORM2 && norm2 <= 0x1.fffffep127f ? norm2 : 0.0f;
}

#endif
