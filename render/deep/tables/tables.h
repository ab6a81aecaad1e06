/* Tables of a reference and of views around it: segments, what they pass, and the common beginning of a view's orbits. */
#ifndef FATHOM_RENDER_DEEP_TABLES_TABLES_H
#define FATHOM_RENDER_DEEP_TABLES_TABLES_H

#include "render/deep/perturbed_trace.h"
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

/* --- traces of segments --- */

/* The orbits that segments are of, as segments_init_folded has them. */
struct segment_orbits {
    const double *z; /* pairs of real and imaginary part */
    const struct step_list *steps;
    const uint32_t *begin;
    uint32_t first;
};

/* Of all segments of those, with the parameter re + i im; 20 ns an index. NULL: no memory. The caller frees it. */
struct segment_trace *segment_traces_make(const struct segments *segments,
                                          const struct segment_orbits *orbits, double re,
                                          double im);

/* --- series --- */

/* Of all points of a view with those tables, whose orbits begin at the index `first`; 0.1 us a single step,
 * 1 us a segment. It ends
 * where an orbit might part from the others (rebase, leave the reference, escape), and where the
 * polynomial would lose more than rounding does. */
struct series series_make(const struct perturbed_tables *tables, uint32_t first, uint32_t limit);

/* The same of orbits whose traces are wanted: it ends where what they pass is not what the reference passes. `segment` is of
 * the tables' segments; *begun: what has been passed up to the point before the end. */
struct series series_make_traced(const struct perturbed_tables *tables, uint32_t first,
                                 uint32_t limit, const struct segment_trace *segment,
                                 struct perturbed_trace *begun);

#endif
