/* Tables of a reference and of views around it: segments, what they pass, and the common beginning
 * of a view's orbits. */
#ifndef FATHOM_RENDER_DEEP_TABLES_TABLES_H
#define FATHOM_RENDER_DEEP_TABLES_TABLES_H

#include "render/deep/perturbed_trace.h"
#include "render/deep/reference.h"
#include <stdatomic.h>

struct segments {
    uint32_t *list_at;         /* of index 0 .. length: 1 + the number of its list, or 0 */
    struct segment_list *list; /* and one more, for the end of the last one */
    struct segment *segment;
    struct segment_low *low;     /* of each segment; NULL for tables in doubles */
    struct segment_cross *cross; /* of each segment; NULL: not made */
    struct segment_bar *bar;     /* of each segment, for formulas other than z^2 + c; else NULL */
    struct segment_cross_bar *cross_bar; /* of each segment, where both exist; else NULL */
    uint32_t length, lists, size;
};

/* The orbits of a reference, Z_0 .. Z_length. */
struct segment_orbits {
    const double *z;               /* pairs of real and imaginary part */
    const double *low;             /* their low parts; read for wide numbers only */
    const struct step_list *steps; /* read for formulas other than z^2 + c only */
    const uint32_t *begin;         /* begin[i]: where the orbit begins whose first step is i */
    uint32_t first;                /* where a Julia set's orbit begins, whose c is 0; otherwise 0 */
    uint32_t length;
};

/* Makes the segments of orbits; with `cross` also their terms in x c and c^2, in twice the time,
 * for sets over c. Returns false if `stop`, which may be NULL, was set, or if there is no memory;
 * nothing is left. */
typedef bool segments_fn(struct segments *segments, const struct segment_orbits *orbits, bool cross,
                         const atomic_bool *stop);
segments_fn segments_init;
/* Makes segments in wide numbers. They lose about one part in 2^100, and are shorter for that. */
segments_fn segments_init_wide;
/* Make segments of any steps; in doubles without terms in x c and c^2. */
segments_fn segments_init_folded, segments_init_folded_wide;
/* Do the same on x86-64 processors with fma, which segments_init_wide and others find out. */
segments_fn segments_init_wide_fma, segments_init_folded_wide_fma;
void segments_finish(struct segments *segments);

/* Appends `b`, whose indices follow those of `a`. Returns false if there is no memory; both are
 * unchanged then. */
bool segments_join(struct segments *a, const struct segments *b);
/* Removes what c adds: c = 0 for all. */
void segments_clear_c(struct segments *segments);

/* --- traces of segments --- */

/* Makes what all segments pass, for the parameter re + i im; 20 ns per index. Returns NULL if there
 * is no memory. The caller frees it. */
struct segment_trace *segment_traces_make(const struct segments *segments,
                                          const struct segment_orbits *orbits, double re,
                                          double im);

/* --- series --- */

/* Makes the common beginning of all orbits of a view, from the index `first` on; 0.1 us per single
 * step, 1 us per segment. It ends where an orbit might diverge from the others (rebase, leave the
 * reference, escape), and where the polynomial would lose more than rounding does. */
struct series series_make(const struct perturbed_tables *tables, uint32_t first, uint32_t limit);

/* Makes the common beginning of orbits for traces. The beginning ends where the reference's points
 * no longer stand for those of the orbits. `segment` contains the traces of the tables' segments.
 * *begun receives the trace up to the point before the end. */
struct series series_make_traced(const struct perturbed_tables *tables, uint32_t first,
                                 uint32_t limit, const struct segment_trace *segment,
                                 struct perturbed_trace *begun);

/* --- minibrots --- */

/* Finds the minibrot that fills a view, or else the largest one that the view may show. Minibrots
 * lie at the reference's cuts; `cross` may be NULL. Takes 0.2 us per segment of a period, a
 * millisecond at most. */
struct minibrot minibrot_find(const struct perturbed_tables *tables,
                              const struct segment_cross *cross, const struct reference_cut *cuts,
                              uint32_t size);

#endif
