/* Misiurewicz points: c whose orbit of 0 comes to a repelling cycle after a while without being part
 * of it, where spirals have their centres and branches their ends.
 *
 * Counted from z_0 = 0: the preperiod k is the least index with z_(k+p) = z_k, p the period. So -2
 * has preperiod 2 and period 1, i has 2 and 2. At such a point z_(k-1+p) = -z_(k-1), which is what the
 * search looks for along the orbit of the view's middle: a return that is nearer than the view's
 * points differ there; Newton's method decides. Where that finds nothing, parts of the view are
 * searched. Sources: C. Heiland-Allen (mathr.co.uk), Tan Lei (similarity at such points). */
#ifndef FATHOM_RENDER_LOCATE_MISIUREWICZ_H
#define FATHOM_RENDER_LOCATE_MISIUREWICZ_H

#include "render/locate/newton.h"

struct misiurewicz {
    struct big c;
    long bits; /* it is known to 2^-bits, 2^-256 of the view's height */
    uint32_t preperiod, period;
    /* of the cycle, beyond 1 in size: zoomed in by that factor and turned, the set looks alike */
    struct scaled multiplier;
};

/* Searches what a picture of `aspect` (width by height) shows for one of a short preperiod and
 * period, which together are `limit` at most. As nucleus_find; LOCATE_NONE is no proof. */
enum locate_end misiurewicz_find(const struct view *view, double aspect, uint32_t limit,
                                 struct locate_watch *watch, struct misiurewicz *point);
void misiurewicz_finish(struct misiurewicz *point);

#endif
