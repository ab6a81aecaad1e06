/* Similarities: scale, rotation and shift of a picture on the screen while it moves. Positions
 * are complex numbers, x + i y in pixels from the middle of their picture, y downwards. Pure
 * functions. */
#ifndef FATHOM_APP_EXPLORE_SIMILARITY_H
#define FATHOM_APP_EXPLORE_SIMILARITY_H

#include "render/view.h"
#include <complex.h>

/* Maps p to factor * p + offset. */
struct similarity {
    double complex factor, offset;
};

extern const struct similarity similarity_identity;
bool similarity_is_identity(struct similarity s);

double complex similarity_apply(struct similarity s, double complex p);
/* Returns the map that applies `inner`, then `outer`. */
struct similarity similarity_compose(struct similarity outer, struct similarity inner);
/* Returns the inverse; the factor must not be 0. */
struct similarity similarity_inverse(struct similarity s);

/* Returns the map from a picture of `from` to a picture of `to`; the heights may differ. */
struct similarity similarity_between(const struct view *to, int to_height_px,
                                     const struct view *from, int from_height_px);

/* Returns the map on the way to the identity at which the fraction `left` (0 .. 1) of the way is
 * left. The way is a spiral about the fixed point, or a straight line for a shift. */
struct similarity similarity_towards_identity(struct similarity s, double left);

/* Returns the length of that way [px]: the initial speed of a corner of a picture of this size. A
 * fraction of the way has that fraction of the length. */
double similarity_way(struct similarity s, int width_px, int height_px);

/* Returns the largest distance [px] by which the map moves a point of a picture of this size. */
double similarity_displacement(struct similarity s, int width_px, int height_px);

#endif
