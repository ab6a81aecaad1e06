/* Histogram equalisation: counts are mapped to how many pixels of a picture have fewer. */
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

/* Those of no picture: all octaves of counts are alike. */
void ranks_init(struct colour_ranks *ranks);
bool ranks_are_initial(const struct colour_ranks *ranks);
/* From a picture in which something has escaped; false: nothing has, and they stay. What a count has as its smooth
 * value is `more` and up to 1 above that. */
bool ranks_set(struct colour_ranks *ranks, const struct statistics *statistics, double more);
/* "FIRST KNOT KNOT ...": the knots before number FIRST are 0, those after the last one are like it. "" are those
 * of no picture. */
void ranks_text(const struct colour_ranks *ranks, char text[RANKS_TEXT_SIZE]);
/* False: that is none, and nothing has changed. */
bool ranks_parse(struct colour_ranks *ranks, const char *text);

#ifdef __cplusplus
}
#endif

#endif
