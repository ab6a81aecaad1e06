/* Interior test: proves for some points, without iteration, that their orbit stays bounded.
 *
 * A c of the main cardioid has an attracting fixed point; a c of the period-2 disc has an
 * attracting cycle of two points. Both have a multiplier m that is an algebraic function of c: 1 -
 * sqrt(1 - 4c) and 4(1 + c). The test is |m| < 1 - margin.
 *
 * The margin covers rounding. With the distance w from the fixed point, a step maps w to w(m + w) +
 * e, where e is the rounding error: |e| <= u(2|z|^2 + |c| + |z'|) in either arithmetic (u = 2^-24
 * or 2^-53). |w| <= r is mapped into itself if r(1 - |m| - r) >= |e|, and such an r exists if (1 -
 * |m|)^2 >= 4|e|. Two steps near the cycle behave equally, with larger constants. An orbit that
 * gets there never escapes at any limit. tests/backend/check_interior.c proves that the rounded
 * orbit of 0 gets there; docs/decisions.md has the figures. */
#ifndef FATHOM_RENDER_INTERIOR_H
#define FATHOM_RENDER_INTERIOR_H

#include "render/inline.h"

/* Margins for each number type, in both arithmetics. Wide numbers round less per step, and use the
 * margin of doubles, in which the test itself is computed. */
#define INTERIOR_MARGIN_FLOAT  0x1p-9
#define INTERIOR_MARGIN_DOUBLE 0x1p-16
/* Factor of the margins for the disc: two steps round more than one, and |z| is larger there. */
#define INTERIOR_DISC_MARGINS 2

/* Returns 1 if c is in the main cardioid, with |multiplier| < 1 - margin. With x = 1/4 - c, |m|^2 =
 * 1 + 4|x| - sqrt(8(|x| + Re x)). Two squarings remove the roots. The second is allowed because a
 * negative `left` is at least -below |x|: the two differ by 2(|x| - lost/4)^2 or more. */
INLINE int interior_cardioid(double cr, double ci, double margin) {
    const double below = (1.0 - margin) * (1.0 - margin);
    const double lost = 1.0 - below;
    const double xr = 0.25 - cr;
    const double norm2 = xr * xr + ci * ci;
    const double left = (norm2 + norm2) + (lost * lost * 0.125 - xr);
    return left * left < (below * below) * norm2;
}

/* Returns 1 if c is in the disc of period 2, with a margin as above. */
INLINE int interior_disc(double cr, double ci, double margin) {
    const double radius = 0.25 * (1.0 - margin);
    const double xr = cr + 1.0;
    return xr * xr + ci * ci < radius * radius;
}

/* Returns 1 if the orbit of 0 under z^2 + c, in the margin's number type, certainly never has |z|^2
 * >= 4 at any limit. Returns 0 for NaN and infinities. Without branches, so that a loop over points
 * vectorises. */
INLINE int interior_surely(double cr, double ci, double margin) {
    return interior_cardioid(cr, ci, margin) |
           interior_disc(cr, ci, INTERIOR_DISC_MARGINS * margin);
}

#endif
