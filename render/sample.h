/* A sample: what iteration says about one pixel. Two planes, a count (uint32_t) and a fraction
 * (float), kept apart because their sum would not fit either.
 *
 * count: steps done when |z|^2 >= 4 first held; a point that did not get there has the limit and
 * SAMPLE_INTERIOR set. fraction: count + fraction is the smooth value; always 0 for the interior.
 * A NaN fraction marks a sample that is not there yet (memset to 0xff clears a plane). */
#ifndef FATHOM_RENDER_SAMPLE_H
#define FATHOM_RENDER_SAMPLE_H

#include "render/inline.h"

#define SAMPLE_INTERIOR   0x80000000u
#define SAMPLE_COUNT_MASK 0x7fffffffu

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
 * steps - log2(log2(norm2) / 16), continuous in c (the usual renormalised count, see
 * linas.org/art-gallery/escape/smooth.html). Orbits that never got to SMOOTH_NORM2, and those that
 * overflowed, have 0. */
INLINE float sample_fraction(float norm2, int steps) {
    const float low = norm2 >= SMOOTH_NORM2 ? norm2 : SMOOTH_NORM2;
    const float x = low <= 0x1.fffffep127f ? low : SMOOTH_NORM2;
    const float f = (float)steps - sample_log2(sample_log2(x) * 0.0625f);
    return x == norm2 ? f : 0.0f; /* written so that compilers make vectors of it */
}

#endif
