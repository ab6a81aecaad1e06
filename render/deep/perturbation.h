/* What perturbed pictures are drawn around: a reference with its tables, and what one view needs of
 * them. */
#ifndef FATHOM_RENDER_DEEP_PERTURBATION_H
#define FATHOM_RENDER_DEEP_PERTURBATION_H

#include "render/deep/perturbed.h"
#include "render/deep/perturbed_trace.h"
#include "render/deep/reference.h"
#include "render/deep/tables/tables.h"
#include "render/formula/fractal.h"
#include "render/view.h"
#include <stdatomic.h>

/* Immutable, but for its findings; any thread may hold it. */
struct perturbation {
    atomic_uint users;
    const struct reference *reference;
    struct perturbed_small *small; /* its small values */
    struct segments segments;
    _Atomic(struct segment_trace *) traces; /* of each segment; NULL: nobody has wanted them yet */
    /* The last findings about views in doubles; see render/number/doubt.h. */
#define PERTURBATION_FINDINGS 4
    atomic_ullong finding[PERTURBATION_FINDINGS];
    atomic_uint findings;
};

/* Makes the tables. NULL: stopped, or no memory, logged. The caller has the first share. */
struct perturbation *perturbation_create(const struct reference *reference,
                                         const atomic_bool *stop);
/* NULL is allowed. */
struct perturbation *perturbation_ref(struct perturbation *perturbation);
void perturbation_unref(struct perturbation *perturbation);
/* Bytes of memory that it takes, its reference included. */
uint64_t perturbation_bytes(const struct perturbation *perturbation);

#define PERTURBED_PLAIN_STEP_LOG2 FRACTAL_PLAIN_LOG2

/* Where a picture lies around a reference. The same for all views of a size and a zoom while the
 * reference is at their home. */
struct perturbed_place {
    int32_t c_log2;      /* the unit of distances c is 2^c_log2; 0 while a double holds them */
    int32_t c_most_log2; /* every |c| < 2^c_most_log2 */
    double step;         /* a pixel's is this times 2^step_log2, */
    long step_log2;
};
struct perturbed_place perturbed_place(mpfr_srcptr re, mpfr_srcptr im, const struct view *view,
                                       int width_px, int height_px);
/* A picture's home, where its reference is made: the point next to its centre on a grid as wide as
 * two pictures are high, and the step_log2 that it has. So that the same picture has the same
 * reference whatever was shown before, and one that was moved by a little most often still has it.
 * `re` and `im` are initialised already; their precision is set. */
#define PERTURBED_WIDE_BITS 54 /* that references of wide numbers are finer by */
double perturbed_home(const struct view *view, int height_px, bool wide, mpfr_t re, mpfr_t im);

/* The tables as one picture sees them that looks up each index by itself (perturbed_index_at); valid as
 * long as `of` is held. */
struct perturbed_tables perturbed_tables(const struct perturbation *of,
                                         const struct perturbed_place *place, uint32_t limit);

/* What one picture's orbits pass, likewise: `tables` are its own. What segments pass is made when it is first asked for, 20 ns an
 * index. Any thread. False: no memory. */
bool perturbed_traces(struct perturbation *of, const struct perturbed_tables *tables,
                      uint32_t limit, struct perturbed_traces *traces);

/* The tables as one picture uses them. `tables` points into both. */
struct perturbed_view {
    struct perturbation *of;
    struct perturbed_tables tables;
    uint8_t *usable;
    double (*c)[2], (*c_low)[2], (*c_bar)[2];
};

/* About 10 ns a segment. False: no memory. */
bool perturbed_view_init(struct perturbed_view *view, struct perturbation *of,
                         const struct perturbed_place *place, uint32_t limit);
void perturbed_view_finish(struct perturbed_view *view);

#endif
