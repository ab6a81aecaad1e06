/* Lines: the columns and rows of a picture that do not lie on its view's grid, or that an earlier
 * picture has drawn already. A picture in motion keeps the lines that still serve, each with its
 * true coordinate, and adds new ones where the motion will need them; so neighbours are not equally
 * far apart, and whoever shows it looks up where each one lies.
 *
 * Shared and immutable once a request has them. */
#ifndef FATHOM_RENDER_GRID_LINES_H
#define FATHOM_RENDER_GRID_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define LINES_AT_MAX 1048576      /* px from the middle, each way */
#define LINES_PARTS  4294967296.0 /* of a pixel: coordinates are those of the nearest one */

/* One line. */
struct grid_line {
    double at; /* px right of, or below, the middle of the view's picture */
    /* The same line's number in the picture before, whose samples on it are taken over; -1: it was
     * not there. */
    int32_t from;
    /* For those who plan: how wide the gap before it may become until a line is drawn there, from 0,
     * little, to 1. Were it the same for all, they would all need one at the same time. */
    float patience;
    bool exact; /* it lies exactly on the view's grid, and so it was drawn; for them, too */
};

struct lines {
    int references; /* counted atomically */
    int columns, rows;
    struct grid_line
        *line; /* columns, then rows; both by rising `at`, and `from` where it is >= 0 */
    /* The generation of the picture before, and how many lines it has; 0: there is none. */
    uint64_t source;
    int source_columns, source_rows;
    bool even;  /* these are all lines of the view's grid, in their places: an ordinary picture */
    bool loose; /* samples of any limit serve: what comes of it is shown, never kept for itself */
    /* Of loose ones: distances that were once in other pixels may be among their samples, rounded again. */
    bool rescaled;
};

/* With all lines at 0, none of which was there; to be filled in before it is shared. NULL: no
 * memory, logged. Pairs with lines_unref. */
struct lines *lines_create(int columns, int rows);
/* NULL is allowed in both. */
struct lines *lines_ref(struct lines *lines);
void lines_unref(struct lines *lines);

/* NULL: there are none, which are not. */
static inline bool lines_are_loose(const struct lines *lines) {
    return lines && lines->loose;
}

/* Says why it cannot be drawn, NULL when it can. Static text. */
const char *lines_problem(const struct lines *lines);

#endif
