/* Which lines a picture in motion has: those of the picture before that still serve, and the new
 * ones that matter most, as many as there is time for. A pure function.
 *
 * Old lines stay unless they lie closer together than the screen's pixels will when the picture is
 * shown, and gaps that are wider than those get new ones; so nearly nothing that is shown is farther
 * than half a pixel from where it belongs, as far as the budget goes. Where that ends, wide gaps
 * come before narrow ones, near ones before far ones. (XaoS does the like by dynamic programming
 * over squared distances.) */
#ifndef FATHOM_RENDER_GRID_LINE_PLAN_H
#define FATHOM_RENDER_GRID_LINE_PLAN_H

#include "render/grid/lines.h"

/* All positions are pixels from the middle of the picture that is wanted. */
struct line_axis {
    /* Of the picture before, where they lie now, rising; `from` is not looked at. */
    const struct grid_line *old;
    int old_count;
    double low, high; /* what is to be covered */
    double slot;      /* how much of it a pixel of the screen takes */
    double focus;     /* where to begin */
    /* Of the picture's own pixels, in whose centres new lines lie where they can; those are at odd
     * halves of one if that is even, else at whole ones. 0: anywhere. */
    int count;
};

#define LINE_AXES 2 /* columns, rows */

/* What to draw: `samples` is how many new ones there is time for; with `exact` lines that lie beside
 * their pixel's centre are replaced by such that do not, once no gap is left. NULL: no memory,
 * logged. */
struct lines *line_plan(const struct line_axis axes[LINE_AXES], double samples, bool exact);

/* All lines of the view's own grid, with those of `old` that are exactly some of them. */
struct lines *line_plan_even(const struct line_axis axes[LINE_AXES]);

/* The patience of the i-th line of a picture that was not planned, or is new. */
float line_plan_patience(int i);

/* How many samples of a plan are new. */
double line_plan_new(const struct lines *lines);

#endif
