/* Perturbation: a reference with its tables, around which pictures are drawn, and the numbers by
 * which one view uses the tables. */
#ifndef FATHOM_RENDER_DEEP_PERTURBATION_H
#define FATHOM_RENDER_DEEP_PERTURBATION_H

#include "render/deep/perturbed.h"
#include "render/deep/perturbed_trace.h"
#include "render/deep/reference.h"
#include "render/deep/tables/tables.h"
#include "render/formula/fractal.h"
#include "render/view.h"
#include <stdatomic.h>

/* Immutable except for its findings and for tables that are made at their first use. Any thread may
 * hold a share. */
struct perturbation {
    atomic_uint users;
    const struct reference *reference;
    struct perturbed_small *small; /* small values of the reference */
    struct segments segments;
    _Atomic(struct segment_trace *) traces; /* of each segment; NULL: not made yet */
    /* terms that were made later than `segments`; NULL: not made */
    _Atomic(struct segment_cross *) cross;
    /* The last findings about views in doubles; see render/number/doubt.h. */
#define PERTURBATION_FINDINGS 4
    atomic_ullong finding[PERTURBATION_FINDINGS];
    atomic_uint findings;
};

/* Makes the tables. Returns NULL if stopped, or if there is no memory, which is logged. The caller
 * has the first share. */
struct perturbation *perturbation_create(const struct reference *reference,
                                         const atomic_bool *stop);
/* NULL is allowed. */
struct perturbation *perturbation_ref(struct perturbation *perturbation);
void perturbation_unref(struct perturbation *perturbation);
/* Returns the bytes of memory that it occupies, its reference included. */
uint64_t perturbation_bytes(const struct perturbation *perturbation);

#define PERTURBED_PLAIN_STEP_LOG2 FRACTAL_PLAIN_LOG2

/* Position of a picture relative to a reference. All views of a size and a zoom have the same
 * position while the reference is at their home. */
struct perturbed_place {
    int32_t c_log2;      /* distances c are in units of 2^c_log2; 0 while doubles hold them */
    int32_t c_most_log2; /* every |c| < 2^c_most_log2 */
    double step;         /* a pixel's step is step * 2^step_log2 */
    long step_log2;
    bool tailless; /* orbits never leave the reference */
};
struct perturbed_place perturbed_place(mpfr_srcptr re, mpfr_srcptr im, const struct view *view,
                                       int width_px, int height_px);
/* Finds a picture's home, where its reference is made: the point nearest to its centre on a grid as
 * wide as two pictures are high; returns the step_log2 of a reference there. So a picture has the
 * same reference whatever was shown before, and after a small pan it usually still has it. `re` and
 * `im` are initialised; their precision is set. */
#define PERTURBED_WIDE_BITS 54 /* bits by which references of wide numbers are finer */
double perturbed_home(const struct view *view, int height_px, bool wide, mpfr_t re, mpfr_t im);

/* Returns the tables for one picture that looks up each index itself (perturbed_index_at); valid as
 * long as `of` is held. Any thread. The first shallow picture around a deep reference makes its
 * terms in x c and c^2, in 1 us per index. Without memory for them no picture uses them. */
struct perturbed_tables perturbed_tables(struct perturbation *of,
                                         const struct perturbed_place *place, uint32_t limit);

/* Finds what the orbits of one picture pass; `tables` are its own. What segments pass is made at
 * the first call, 20 ns per index. Any thread. Returns false if there is no memory. */
bool perturbed_traces(struct perturbation *of, const struct perturbed_tables *tables,
                      uint32_t limit, struct perturbed_traces *traces);

/* The tables as one picture uses them. `tables` points into the other members and into `of`. */
struct perturbed_view {
    struct perturbation *of;
    struct perturbed_tables tables;
    uint8_t *usable;
    double (*c)[2], (*c_low)[2], (*c_bar)[4];
};

/* Takes about 10 ns per segment. Returns false if there is no memory. */
bool perturbed_view_init(struct perturbed_view *view, struct perturbation *of,
                         const struct perturbed_place *place, uint32_t limit);
void perturbed_view_finish(struct perturbed_view *view);

#endif
