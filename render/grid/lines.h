/* Lines: the columns and rows of a picture that do not lie on its view's grid, or that an earlier
 * picture has drawn already. A picture in motion keeps lines that still serve, each with its true
 * coordinate, and adds new lines where the motion will need them. So neighbours are not equally far
 * apart, and the display looks up the position of each line.
 *
 * Shared and immutable once a request has a reference. */
#ifndef FATHOM_RENDER_GRID_LINES_H
#define FATHOM_RENDER_GRID_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define LINES_AT_MAX 1048576      /* [px] largest distance from the middle */
#define LINES_PARTS  4294967296.0 /* parts of a pixel to which coordinates are rounded */

/* Column or row. */
struct grid_line {
    double at; /* [px] position to the right of, or below, the middle of the view's picture */
    /* Number of the same line in the previous picture, whose samples are copied; -1: a new line. */
    int32_t from;
    /* Width that the gap before the line may reach until a new line is drawn in it, from 0 (narrow)
     * to 1, for line plans. With equal values all gaps would need a line at the same time. */
    float patience;
    bool exact; /* for line plans: drawn exactly on the view's grid */
};

struct lines {
    int references; /* reference count, atomic */
    int columns, rows;
    /* Columns, then rows. `at` ascends in both, and so does `from` where it is >= 0. */
    struct grid_line *line;
    /* Generation of the previous picture, and its numbers of lines; 0: there is none. */
    uint64_t source;
    int source_columns, source_rows;
    bool even;      /* the lines are the view's whole grid: an ordinary picture */
    bool in_motion; /* samples of any limit are accepted; the picture is for display only */
    /* Lines in motion: samples may contain distances that were rescaled from other pixel sizes. */
    bool rescaled;
};

/* Returns lines with `at` 0 and no previous picture, to be filled in before they are shared.
 * Returns NULL without memory; the reason is logged. Pairs with lines_unref. */
struct lines *lines_create(int columns, int rows);
/* Add and remove a reference; `lines` may be NULL. */
struct lines *lines_ref(struct lines *lines);
void lines_unref(struct lines *lines);

/* Returns true for lines in motion; `lines` may be NULL. */
static inline bool lines_in_motion(const struct lines *lines) {
    return lines && lines->in_motion;
}

/* Returns the reason why the lines cannot be drawn, or NULL if they can. Static text. */
const char *lines_problem(const struct lines *lines);

#endif
