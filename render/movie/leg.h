/* Leg: the camera of a zoom from one view to another, as a similarity about a fixed point, the
 * pivot. The pivot keeps its place in the frame, so that the frames of a leg are nested, and the
 * camera is a function of the depth alone.
 *
 * Depths are log2 of the zoom. Positions in a frame are in frame heights from its middle, to the
 * right and downwards. */
#ifndef FATHOM_RENDER_MOVIE_LEG_H
#define FATHOM_RENDER_MOVIE_LEG_H

#include "render/view.h"

struct leg {
    mpfr_t re, im;   /* pivot, at the precision of the deeper view */
    double x, y;     /* position of the pivot in every frame [frame heights] */
    double from, to; /* depth of the shallower and of the deeper view; from < to */
    double angle;    /* of the shallower view [radians] */
    double turn;     /* rotation from `from` to `to` [radians] */
};

/* Initialises the leg between two views, of which `deep` has the larger zoom, for frames of that
 * aspect (width / height). `turns` is the number of whole turns, which may be broken or negative,
 * that are added to the difference of the angles. Pairs with leg_finish if it returns true. Returns false
 * if the shallower frame does not show the pivot or the zooms are nearly equal; *why is then a
 * static sentence. */
bool leg_init(struct leg *leg, const struct view *shallow, const struct view *deep, double aspect,
              double turns, const char **why);
void leg_finish(struct leg *leg);
/* Returns the angle of the frames at a depth. */
double leg_angle(const struct leg *leg, double depth);
/* Stores the view of the frame at a depth in an initialised view. */
void leg_view(const struct leg *leg, double depth, struct view *view);
/* Returns 2^x, correctly rounded, so that every machine computes the same frames. */
double leg_exp2(double x);

#endif
