/* Tables of the segments of an orbit. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENTS_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENTS_H

#include "render/deep/tables/segment.h"
#include "render/formula/step_list.h"
#include <stdatomic.h>

struct segments {
    uint32_t *list_at;         /* of index 0 .. length: 1 + the number of its list, or 0 */
    struct segment_list *list; /* and one more, for its end */
    struct segment *segment;
    struct segment_low *low; /* of each; NULL: of tables in doubles */
    struct segment_bar *bar; /* of each, of formulas other than z^2 + c; else NULL */
    uint32_t length, lists, size;
};

/* Of the orbit Z_0 .. Z_length, pairs of real and imaginary part, Z_0 = 0. False: `stop`,
 * which may be NULL, was set, or no memory; nothing is left. */
bool segments_init(struct segments *segments, const double *orbit, uint32_t length,
                   const atomic_bool *stop);
/* The same in wide numbers, of which `low` has the orbit's low parts: a part in 2^100 or so is lost, for
 * which segments are shorter. */
bool segments_init_wide(struct segments *segments, const double *orbit, const double *low,
                        uint32_t length, const atomic_bool *stop);
/* Of the orbit of a Julia set's reference, Z_0 .. Z_(first - 1) and Z_first .. Z_length; c = 0. */
bool segments_init_two(struct segments *segments, const double *orbit, uint32_t first,
                       uint32_t length, const atomic_bool *stop);
/* Of any steps' orbits up to Z_length, where each begins whose first step is number i; and of a Julia set's one more, if
 * `first` is where that begins, and c = 0. */
bool segments_init_folded(struct segments *segments, const struct step_list *steps,
                          const double *orbit, const uint32_t begin[RECIPE_STEPS_MAX],
                          uint32_t first, uint32_t length, const atomic_bool *stop);
void segments_finish(struct segments *segments);

#endif
