/* Nucleus search (minibrot finder): finds the nucleus (centre) of the lowest period in a view, for
 * formulas of powers. In their Julia sets it finds points whose orbits reach 0, where the set looks
 * as around 0, or return to their start.
 *
 * The view is searched by balls (ball.h). While |Z_n| > |D_n| r + R_n, a ball certainly has no
 * nucleus of period n. At the first n that violates this, Newton's method decides, unless the ball
 * is too far from linear. If Newton's method leads out of the view, or to an unwanted nucleus, the
 * part is cut in two. So the found period is the lowest, and no nucleus is overlooked. There is no
 * such proof with folds and in Julia sets. Balls on a fold are never near to linear, so Newton's
 * method is always tried. Points within a sixteenth of a nucleus' size belong to it. If 0 returns
 * to 0, roots are multiple. The smallest parts are then dropped if there are too many. Sources: R.
 * Munafo (period by a shrinking ball), K. Knighty (balls with a derivative), C. Heiland-Allen
 * (mathr.co.uk: Newton's method, size, atom domains). */
#ifndef FATHOM_RENDER_LOCATE_NUCLEUS_H
#define FATHOM_RENDER_LOCATE_NUCLEUS_H

#include "render/locate/newton.h"

enum nucleus_shape {
    NUCLEUS_ANY,            /* any shape and size, including the whole set's */
    NUCLEUS_CARDIOID,       /* with a copy of the whole set around it */
    NUCLEUS_CARDIOID_FIRST, /* as above, with a disc as fallback */
};

struct nucleus_want {
    const struct family *family;
    bool returns;             /* points of a Julia set that return, on repelling cycles */
    enum nucleus_shape shape; /* ignored for Julia sets */
    uint32_t limit;           /* largest period */
    /* [heights of the view] nuclei of this size or more are passed over. */
    double largest;
};

struct nucleus {
    struct big c;
    long bits;       /* c is known to 2^-bits, to 2^-64 of its size or better */
    uint32_t period; /* exact; for points that reach 0 the number of steps */
    /* c + size M is about the copy of the whole set M. Complex, with the rotation of the copy,
     * except with folds. For points that reach 0, the size of the Julia set around 0 instead. */
    struct scaled size;
    struct scaled domain; /* radius of its atom domain, in which it dominates the orbit */
    /* Points that return: derivative of the cycle; with folds only its size. */
    struct scaled multiplier;
    bool disc; /* disc on another component; otherwise a cardioid or the like, with a copy of M */
};

/* Extent of a nucleus' copy of the set, or of a disc, of size 1. */
#define NUCLEUS_EXTENT      2.5
#define NUCLEUS_EXTENT_DISC 1
struct scaled nucleus_extent(const struct nucleus *nucleus);

/* Searches the view in a picture of `aspect` (width by height). Takes minutes in bad cases: a step
 * takes as long as a product at the view's precision, and a search a few periods of steps.
 * Initialises `nucleus`, which the caller finishes, only on LOCATE_FOUND. *passed becomes the
 * number of nuclei that were passed over. Any thread. */
enum locate_end nucleus_find(const struct view *view, double aspect,
                             const struct nucleus_want *want, struct locate_watch *watch,
                             struct nucleus *nucleus, uint32_t *passed);
void nucleus_finish(struct nucleus *nucleus);

#endif
