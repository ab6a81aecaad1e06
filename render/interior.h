/* The exact shortcut: points whose orbit is known to stay bounded without iterating it.
 *
 * A c of the main cardioid has an attracting fixed point, one of the period-2 disc an attracting
 * cycle of two points, and both have a multiplier m that is an algebraic function of c: 1 - sqrt(1
 * - 4c) and 4(1 + c). The test is |m| < 1 - margin.
 *
 * The margin pays for rounding. With w the distance from the fixed point, a step takes w to w(m +
 * w) + e, where e is what its roundings add: |e| <= u(2|z|^2 + |c| + |z'|) in either arithmetic (u
 * = 2^-24 or 2^-53). |w| <= r is mapped into itself when r(1 - |m| - r) >= |e|, and such an r
 * exists when (1 - |m|)^2 >= 4|e|; for two steps about the cycle alike, with larger constants. An
 * orbit that gets there never escapes, whatever the limit. That the rounded orbit of 0 does get
 * there is proved in tests/backend/check_interior.c; docs/decisions.md has the figures. */
#ifndef FATHOM_RENDER_INTERIOR_H
#define FATHOM_RENDER_INTERIOR_H

#include "render/inline.h"

/* The margins, per number type; they serve both arithmetics. Wide numbers, whose steps round less,
 * have that of doubles, which the test itself is computed in. */
#define INTERIOR_MARGIN_FLOAT  0x1p-9
#define INTERIOR_MARGIN_DOUBLE 0x1p-16
/* The disc's, in these: two steps round more than one, and |z| is larger there. */
#define INTERIOR_DISC_MARGINS 2

/* Whether c is in the main cardioid, its multiplier below 1 - margin in size: with x = 1/4 - c,
 * |m|^2 = 1 + 4|x| - sqrt(8(|x| + Re x)). Two squarings remove the roots; the second one may, since
 * a negative `left` is at least -below |x|: the two differ by 2(|x| - lost/4)^2 or more. */
INLINE int interior_cardioid(double cr, double ci, double margin) {
    const double below = (1.0 - margin) * (1.0 - margin);
    const double lost = 1.0 - below;
    const double xr = 0.25 - cr;
    const double norm2 = xr * xr + ci * ci;
    const double left = (norm2 + norm2) + (lost * lost * 0.125 - xr);
    return left * left < (below * below) * norm2;
}

/* The same for the disc of period 2. */
INLINE int interior_disc(double cr, double ci, double margin) {
    const double radius = 0.25 * (1.0 - margin);
    const double xr = cr + 1.0;
    return xr * xr + ci * ci < radius * radius;
}

/* Whether the orbit of 0 under z^2 + c, in the number type that the margin belongs to, surely never
 * has |z|^2 >= 4, at any limit. 0 for NaN and infinities. No branches, so that a loop over points
 * vectorises. */
INLINE int interior_surely(double cr, double ci, double margin) {
    return interior_cardioid(cr, ci, margin) |
           interior_disc(cr, ci, INTERIOR_DISC_MARGINS * margin);
}

#endif
