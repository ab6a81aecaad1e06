/* Similarities: how a picture lies on the screen while it moves. Positions are complex numbers,
 * x + i y in pixels from the middle of their picture, y downwards. Pure functions. */
#ifndef FATHOM_APP_EXPLORE_SIMILARITY_H
#define FATHOM_APP_EXPLORE_SIMILARITY_H

#include "render/view.h"
#include <complex.h>

/* p lies at factor * p + offset. */
struct similarity {
    double complex factor, offset;
};

extern const struct similarity similarity_identity;
bool similarity_is_identity(struct similarity s);

double complex similarity_apply(struct similarity s, double complex p);
/* First `inner`, then `outer`. */
struct similarity similarity_compose(struct similarity outer, struct similarity inner);
/* The factor must not be 0. */
struct similarity similarity_inverse(struct similarity s);

/* Where a picture of `from` lies in one of `to`; the heights may differ. */
struct similarity similarity_between(const struct view *to, int to_height_px,
                                     const struct view *from, int from_height_px);

/* The way to the identity, of which the fraction `left` in 0 .. 1 is left to go: a spiral about the
 * fixed point, which therefore stays where it is; a straight line when nothing but a shift is
 * left. */
struct similarity similarity_settle(struct similarity s, double left);

/* How long that way is, px, by the speed that a corner of a picture of this size begins with: of the
 * fraction that is left, that fraction. */
double similarity_way(struct similarity s, int width_px, int height_px);

/* The farthest that a point of a picture of this size is from where it belongs, in pixels. */
double similarity_displacement(struct similarity s, int width_px, int height_px);

#endif
