/* Misiurewicz points: c for which the orbit of 0 reaches a repelling cycle after a while, without
 * starting in it. They are the centres of spirals and the ends of branches.
 *
 * Indices count from z_0 = 0: the preperiod k is the least index with z_(k+p) = z_k, where p is the
 * period. So -2 has preperiod 2 and period 1, and i has 2 and 2. At such a point z_(k-1+p) =
 * -z_(k-1). The search follows the orbit of the view's middle and looks for that: a return that is
 * closer than the spread of the view's points. Newton's method decides. If nothing is found, parts
 * of the view are searched. Sources: C. Heiland-Allen (mathr.co.uk), Tan Lei (similarity at such
 * points). */
#ifndef FATHOM_RENDER_LOCATE_MISIUREWICZ_H
#define FATHOM_RENDER_LOCATE_MISIUREWICZ_H

#include "render/locate/newton.h"

struct misiurewicz {
    struct big c;
    long bits; /* c is known to 2^-bits, 2^-256 of the view's height */
    uint32_t preperiod, period;
    /* Multiplier of the cycle, with a size above 1: zoomed by its size and rotated by its angle,
     * the set looks alike. */
    struct scaled multiplier;
};

/* Searches the view in a picture of `aspect` (width by height) for a point with a short preperiod
 * and period, whose sum is at most `limit`. Otherwise as nucleus_find; LOCATE_NONE is no proof. */
enum locate_end misiurewicz_find(const struct view *view, double aspect, uint32_t limit,
                                 struct locate_watch *watch, struct misiurewicz *point);
void misiurewicz_finish(struct misiurewicz *point);

#endif
