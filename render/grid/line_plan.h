/* Line plan: the lines of a picture in motion. These are the lines of the previous picture that
 * still serve, and the most important new ones, within a time budget. A pure function.
 *
 * Old lines stay unless they are closer together than the screen's pixels will be when the picture
 * is shown. Gaps wider than those pixels get new lines. So almost every shown sample is within half
 * a pixel of its true position, as far as the budget permits. When the budget ends, wide gaps come
 * before narrow ones and near gaps before far ones. (XaoS solves a similar problem by dynamic
 * programming over squared distances.) */
#ifndef FATHOM_RENDER_GRID_LINE_PLAN_H
#define FATHOM_RENDER_GRID_LINE_PLAN_H

#include "render/grid/lines.h"

/* Axis to plan. All positions are in pixels from the middle of the new picture. */
struct line_axis {
    /* Lines of the previous picture at their current positions, ascending; `from` is ignored. */
    const struct grid_line *old;
    int old_count;
    double low, high; /* range to be covered */
    double slot;      /* width of a screen pixel on this axis */
    double focus;     /* position that is most urgent */
    /* Number of the picture's own pixels. New lines lie at their centres where possible: at odd
     * halves if the number is even, else at whole positions. 0: new lines lie anywhere. */
    int count;
};

#define LINE_AXES 2 /* columns, rows */

/* Plans the lines to draw. `samples` is the number of new samples within the time budget. With
 * `exact`, lines next to their pixel centre are replaced by lines at the centre, once no gap is
 * left. Returns NULL without memory; the reason is logged. */
struct lines *line_plan(const struct line_axis axes[LINE_AXES], double samples, bool exact);

/* Returns all lines of the view's own grid; lines of `old` that lie exactly on it are reused. */
struct lines *line_plan_even(const struct line_axis axes[LINE_AXES]);

/* Returns the patience of the i-th line of a picture that is new or was not planned. */
float line_plan_patience(int i);

/* Returns the number of new samples of a plan. */
double line_plan_new(const struct lines *lines);

#endif
