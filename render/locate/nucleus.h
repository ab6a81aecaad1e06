/* The minibrot finder: the nucleus (centre) of the lowest period among those that a view shows.
 *
 * The view is searched by balls: with D_n = dZ_n/dc at a centre, |z_n(c) - Z_n - D_n (c - centre)| <=
 * R_n throughout a ball of radius r, where R' = 2 |Z| R + (|D| r + R)^2 and all rounding is added.
 * While |Z_n| > |D_n| r + R_n it has no nucleus of period n, for certain; at the first n where that
 * fails Newton's method decides, unless the ball is too far from linear; where it leads out of the
 * view, the part is cut in two. So what is found is the lowest period, and none is overlooked.
 * Sources: R. Munafo (period by a shrinking ball), K. Knighty (balls with a derivative), C.
 * Heiland-Allen (mathr.co.uk: Newton's method, size, atom domains), A. Dolotin and A. Morozov
 * (shape). */
#ifndef FATHOM_RENDER_LOCATE_NUCLEUS_H
#define FATHOM_RENDER_LOCATE_NUCLEUS_H

#include "render/locate/newton.h"

struct nucleus {
    struct big c;
    long bits;            /* c is known to 2^-bits, to 2^-64 of its size or better */
    uint32_t period;      /* exact */
    struct scaled size;   /* about c + size M is the copy of the whole set M: complex, so turned */
    struct scaled domain; /* radius of its atom domain, where it dominates the orbit */
    bool disc; /* of a disc on another component; else a cardioid, with a copy around it */
};

/* Searches what a picture of `aspect` (width by height) shows of the Mandelbrot set. Minutes in bad
 * cases: a step takes as long as a product of the view's precision, and there are a few times the
 * period of them. Initialises `nucleus` when it ends with LOCATE_FOUND, to be finished. Any
 * thread. */
enum locate_end nucleus_find(const struct view *view, double aspect, uint32_t limit,
                             struct locate_watch *watch, struct nucleus *nucleus);
void nucleus_finish(struct nucleus *nucleus);

#endif
