/* Histogram equalisation: maps a count to the number of pixels of a picture with lower counts. */
#ifndef FATHOM_RENDER_LIGHT_RANKS_H
#define FATHOM_RENDER_LIGHT_RANKS_H

#include "render/colour.h"
#include "render/statistics.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RANKS_TEXT_SIZE (COLOUR_KNOTS * 9 + 8)

/* Returns the count at which a knot lies (mapping.h). */
double ranks_count_at(int knot);
/* Initialises to equal weights for all octaves of counts, as without a picture. */
void ranks_init(struct colour_ranks *ranks);
bool ranks_are_initial(const struct colour_ranks *ranks);
/* Sets the knots from a picture. Returns false and changes nothing if no pixel has escaped. The
 * smooth value of a count is between count + `more` and count + `more` + 1. */
bool ranks_set(struct colour_ranks *ranks, const struct statistics *statistics, double more);
/* Prints "FIRST KNOT KNOT ...": the knots before number FIRST are 0, the knots after the last one
 * equal it. Initial ranks are "". */
void ranks_text(const struct colour_ranks *ranks, char text[RANKS_TEXT_SIZE]);
/* Parses the text of ranks_text. Returns false on a syntax error and changes nothing. */
bool ranks_parse(struct colour_ranks *ranks, const char *text);

#ifdef __cplusplus
}
#endif

#endif
