/* A sample: what iteration says about one pixel, in planes of four bytes a sample. The count alone
 * says whether there is a sample, on all devices; without one the other planes hold anything.
 *
 * count: steps done when |z|^2 >= 4 first held. With SAMPLE_INTERIOR it is a number n of steps within which the point
 * did not escape: a final sample for limits up to n, undecided for higher ones. SAMPLE_MISSING, n = 0, is a sample that
 * is not there yet; SAMPLE_NEVER a point that is known never to escape. In the planes of a target that is done, all
 * interior samples have the request's limit. fraction: count + fraction is the smooth value; kept apart because the sum
 * would not fit either type. 0 for the interior. norm2: |z|^2 where the orbit was left for the fraction; 0 for the
 * interior, and for those that have no fraction because they did not get to SMOOTH_NORM2, or overflowed.
 *
 * The next three come together, as SAMPLE_SLOPE, from the derivative of the orbit up to where it was left
 * (formula/slope.h): all 0 for the interior, and where there is none. distance: an estimate of that to the set, in
 * pixels; the true one is half to twice as much. normal: where the escape rises, in the plane: a vector of
 * length 32767, re in the lower 16 bits, im in the upper. angle: the argument of z, in turns of 2^32; maps have it
 * alone, of where they end.
 *
 * The rest, SAMPLE_TRACE, is what the orbit passed up to there (formula/trace.h), for pictures that have slopes;
 * anything where distance is 0. Means of all points but the first, 0 to 1, the last one in part:
 * stripe, of (1 + sin(4 arg z)) / 2; triangle, of where |z| lies between its bounds by the triangle inequality. How
 * near a point came, above 0: point, to 0; line, to the real axis; cross, to one of the axes; circle, |z| to 1.
 * domain: the number of the point that came nearest to 0, the first after the start being 1. caught: where the nearest of the last
 * 16 was, re in the lower 16 bits, im in the upper, in units of 2^-15; TRACE_NOWHERE: a part was not below 1.
 *
 * SAMPLE_INSIDE is known of interior samples alone (formula/inside.h), likewise, whatever the limit: period, of the
 * cycle that the orbit comes to; 0: none was found. depth, that of the point within its component, in pixels, of
 * powers without folds; the true one is a quarter of it to all; 0: not known. last: the least |z| on the cycle, above 0;
 * below 0: none was found; 0: it was not looked for, and the others are 0. atom: as domain, of the points until the cycle
 * was found. Of samples that are not interior they are anything. */
#ifndef FATHOM_RENDER_SAMPLE_H
#define FATHOM_RENDER_SAMPLE_H

#include "render/inline.h"

#define SAMPLE_INTERIOR   0x80000000u
#define SAMPLE_COUNT_MASK 0x7fffffffu
#define SAMPLE_MISSING    SAMPLE_INTERIOR
#define SAMPLE_NEVER      (SAMPLE_INTERIOR | SAMPLE_COUNT_MASK)

/* Whether a count that is not missing is final for a limit. */
#define SAMPLE_FINAL(count, limit)                                                                 \
    (!((count)&SAMPLE_INTERIOR) || ((count)&SAMPLE_COUNT_MASK) >= (limit))

/* The planes; whatever allocates, moves, copies or sends samples loops over this list. */
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
#define SAMPLE_PLANE_BYTES 4 /* a sample of any plane */

#define SAMPLE_PLANE_NUMBER(name, type) SAMPLE_PLANE_##name,
enum sample_plane { SAMPLE_PLANE_LIST(SAMPLE_PLANE_NUMBER) SAMPLE_PLANES };
#undef SAMPLE_PLANE_NUMBER

/* Sets of planes; every picture has SAMPLE_BASIC, what it is coloured from. */
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
/* What is made of samples that are there already, by following their orbits once more. */
#define SAMPLE_WALKED (SAMPLE_SLOPE | SAMPLE_TRACE | SAMPLE_INSIDE)
#define SAMPLE_ALL    ((1u << SAMPLE_PLANES) - 1)

/* The orbit goes on from its escape until |z|^2 >= SMOOTH_NORM2, at most SMOOTH_STEPS steps. */
#define SMOOTH_NORM2 65536.0f
#define SMOOTH_STEPS 32

/* log2 of a positive normal float, within 1e-6. With m in [sqrt 1/2, sqrt 2) and s = (m-1)/(m+1),
 * log2 m = 2/ln 2 (s + s^3/3 + s^5/5 + ...); |s| < 0.172, so s^9/9 ends it in single precision. */
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

/* The fraction of an orbit that had |z|^2 = norm2 when it was left, `steps` after its escape:
 * steps - log(log2(norm2) / 16) to the base of the formula's power, 1 / log2 of which is `scale`; continuous
 * in c (the usual renormalised count, see linas.org/art-gallery/escape/smooth.html). Orbits that never
 * got to SMOOTH_NORM2, and those that overflowed, have 0. */
INLINE float sample_fraction(float norm2, int steps, const float scale) {
    const float low = norm2 >= SMOOTH_NORM2 ? norm2 : SMOOTH_NORM2;
    const float x = low <= 0x1.fffffep127f ? low : SMOOTH_NORM2;
    const float f = (float)steps - sample_log2(sample_log2(x) * 0.0625f) * scale;
    return x == norm2 ? f : 0.0f; /* written so that compilers make vectors of it */
}

/* The norm2 of such an orbit. */
INLINE float sample_norm2(float norm2) {
    return norm2 >= SMOOTH_NORM2 && norm2 <= 0x1.fffffep127f ? norm2 : 0.0f;
}

#endif
