/* The minibrot finder: the nucleus (centre) of the lowest period among those that a view shows, of formulas of powers;
 * of their Julia sets the points whose orbits come to 0, where the set looks as around 0, or come back to themselves.
 *
 * The view is searched by balls (ball.h): while |Z_n| > |D_n| r + R_n a ball has no nucleus of period n, for
 * certain; at the first n where that fails Newton's method decides, unless the ball is too far from linear; where
 * it leads out of the view, or to one that is not wanted, the part is cut in two. So what is found is the lowest
 * period, and none is overlooked. That is no proof where formulas fold and of Julia sets: balls on a fold are never
 * near to linear, so that Newton's method is tried in any case, and what is within a sixteenth of a nucleus' size
 * from it is taken for part of it; where 0 comes back to 0, roots are several in one. There the smallest parts are
 * given up when they are too many.
 * Sources: R. Munafo (period by a shrinking ball), K. Knighty (balls with a derivative), C.
 * Heiland-Allen (mathr.co.uk: Newton's method, size, atom domains). */
#ifndef FATHOM_RENDER_LOCATE_NUCLEUS_H
#define FATHOM_RENDER_LOCATE_NUCLEUS_H

#include "render/locate/newton.h"

enum nucleus_shape {
    NUCLEUS_ANY,            /* and of any size, the whole set's, too */
    NUCLEUS_CARDIOID,       /* with a copy of the whole set around it */
    NUCLEUS_CARDIOID_FIRST, /* a disc where there are none */
};

struct nucleus_want {
    const struct family *family;
    bool returns;             /* points of a Julia set that come back, of repelling cycles */
    enum nucleus_shape shape; /* ignored of Julia sets */
    uint32_t limit;           /* of periods */
    double
        largest; /* those that are this many heights of the view large, or more, are passed over */
};

struct nucleus {
    struct big c;
    long bits;       /* c is known to 2^-bits, to 2^-64 of its size or better */
    uint32_t period; /* exact; of points that come to 0 the steps until then */
    struct scaled
        size; /* about c + size M is the copy of the whole set M: complex, so turned, but where formulas
                             fold; of points that come to 0 that of the Julia set around 0 */
    struct scaled domain; /* radius of its atom domain, where it dominates the orbit */
    struct scaled
        multiplier; /* of points that come back: the derivative of the cycle, a size where formulas fold */
    bool
        disc; /* of a disc on another component; else a cardioid or the like, with a copy around it */
};

/* The extent of a nucleus' copy of the set, or of a disc, whose size is 1. */
#define NUCLEUS_EXTENT      2.5
#define NUCLEUS_EXTENT_DISC 1
struct scaled nucleus_extent(const struct nucleus *nucleus);

/* Searches what a picture of `aspect` (width by height) shows. Minutes in bad
 * cases: a step takes as long as a product of the view's precision, and there are a few times the
 * period of them. Initialises `nucleus` when it ends with LOCATE_FOUND, to be finished. *passed: how many were passed
 * over. Any thread. */
enum locate_end nucleus_find(const struct view *view, double aspect,
                             const struct nucleus_want *want, struct locate_watch *watch,
                             struct nucleus *nucleus, uint32_t *passed);
void nucleus_finish(struct nucleus *nucleus);

#endif
