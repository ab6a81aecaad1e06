/* Leg: the camera on the way from one view to another.
 *
 * A leg that zooms is a similarity about a fixed point, the pivot, which keeps its place in the
 * frame or outside it. So the camera is a function of the depth alone, and frames that show the
 * pivot are nested. A level leg stays at one depth: the camera moves straight on and turns at
 * constant speed, or rests.
 *
 * Depths are log2 of the zoom. Positions in a frame are in frame heights from its middle, to the
 * right and downwards. A place on a leg, `at`, is the depth, or the share of a level leg's way. */
#ifndef FATHOM_RENDER_MOVIE_LEG_H
#define FATHOM_RENDER_MOVIE_LEG_H

#include "render/view.h"

#define LEG_REACH 1000.0 /* [frame heights] largest distance of the pivot from the middle */

struct leg {
    mpfr_t re,
        im;      /* pivot, at the precision of the deeper view; of a level leg: the first centre */
    double x, y; /* position of the pivot from every frame; 0 for a level leg [frame heights] */
    double from, to; /* depth of the shallower and of the deeper view; equal for a level leg */
    double angle;    /* of the shallower or first view [radians] */
    double turn;     /* rotation to the other view [radians] */
    double pan_re, pan_im; /* shift of a level leg's centre in the plane [frame heights] */
};

/* Initialises the leg between two views, of which `deep` has the larger zoom. `turns` is the number
 * of whole turns, which may be broken or negative, that are added to the difference of the angles.
 * Pairs with leg_finish if it returns true. Returns false if the zooms are nearly equal or the
 * pivot is farther away than LEG_REACH. */
bool leg_init(struct leg *leg, const struct view *shallow, const struct view *deep, double turns);
/* Initialises the level leg between two views of about the same zoom, of which the second one's is
 * ignored. Pairs with leg_finish. */
void leg_init_level(struct leg *leg, const struct view *from, const struct view *to, double turns);
void leg_finish(struct leg *leg);
bool leg_is_level(const struct leg *leg);
/* Returns true if both are the same leg, in either direction. */
bool leg_equal(const struct leg *a, const struct leg *b);
/* Returns true if frames of that aspect (width / height) show the pivot. */
bool leg_shows_pivot(const struct leg *leg, double aspect);
/* Returns the place of the shallower or first view, and of the other one. */
double leg_start(const struct leg *leg);
double leg_end(const struct leg *leg);
/* Returns the depth, or the angle, of the frame at a place. */
double leg_depth(const struct leg *leg, double at);
double leg_angle(const struct leg *leg, double at);
/* Stores the position of the pivot in the frame at a place. */
void leg_pivot(const struct leg *leg, double at, double *x, double *y);
/* Stores the view of the frame at a place in an initialised view. */
void leg_view(const struct leg *leg, double at, struct view *view);
/* Returns 2^x, correctly rounded, so that every machine computes the same frames. */
double leg_exp2(double x);

#endif
