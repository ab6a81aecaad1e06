/* Reference orbit: the orbit of one exact point under a formula, or several orbits (of a Julia
 * set, of a hybrid). It is computed with as many bits as a depth needs and rounded to doubles;
 * the points of views are iterated around it.
 *
 * A reference is immutable, so any thread that holds a share may read it; the last holder frees
 * it. */
#ifndef FATHOM_RENDER_DEEP_REFERENCE_H
#define FATHOM_RENDER_DEEP_REFERENCE_H

#include "render/formula/step_list.h"
#include <mpfr.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A reference ends where |Z|^2 reaches this value: a point around it has escaped by then, or is
 * nearer to 0 than to Z, so that it is rebased anyway. (4 would be too early: next to c = -2 orbits
 * stay near 2 for long.) */
#define REFERENCE_ESCAPE 16.0

/* An index m whose Z, or its larger part, is below 2^-900: Z_m = (re + i im) * 2^exponent. The
 * larger part is in [0.5, 1]; both are 0 where Z_m is 0. Wide references have low parts, too. */
struct reference_small {
    double re, im, re_low, im_low;
    int32_t exponent;
    uint32_t index;
};

/* An index m where |Z_m| / |D_m|, D = dZ/dc, is lower than at all indices before: a nucleus of
 * period m lies about that far away. In views of at least that radius the orbit can end at m, since
 * it is periodic. `radius_log2` is log2 of the quotient, rounded up to eighths; -INFINITY where Z_m
 * is 0. */
struct reference_cut {
    double radius_log2;
    uint32_t index;
};

/* Parameter of a Julia set, and the index where the orbit of the view begins. */
struct reference_julia {
    mpfr_t re, im;
    uint32_t first;
};

struct reference {
    mpfr_t re, im;          /* the point, exactly */
    struct step_list steps; /* cuts and traps exist for z^2 + c only */
    /* Index where the orbit of 0 begins whose first step is number i. Orbits follow one another,
     * each up to its escape or the limit. begin[0] = 0. */
    uint32_t begin[RECIPE_STEPS_MAX];
    double step_log2; /* log2 of the finest pixel step that the precision is good for */
    uint32_t length;  /* the last index, at least 1 */
    /* iteration limit of several orbits, which serve that limit alone; 0: there is one orbit */
    uint32_t limit;
    bool escaped; /* |Z|^2 >= REFERENCE_ESCAPE at the last index, and only there */
    /* Z has been moved off the circle |Z| = 2 (orbit_leave_circle). Doubles may notice too late
     * that orbits around it escape. */
    bool moved;
    /* No point within 2^trapped_log2 of the reference ever escapes, since a cycle attracts all
     * their orbits; -INFINITY: not known. */
    double trapped_log2;
    /* Z_m, each part rounded to nearest, at z[2m] and z[2m + 1]; aligned to 16 bytes. Z_0 = 0.
     * Values below the range of doubles are in `small`. */
    const double *z;
    /* Low parts of wide references: Z_m - z, rounded to nearest. They decide whether |Z| < 2, so z
     * itself is not moved by orbit_leave_circle. NULL if the reference is not wide. */
    const double *low;
    /* Julia sets: after the orbits of 0 lies the orbit of (re, im), near which orbits of views
     * begin; at its end they are rebased or have escaped. NULL: a set over c. */
    const struct reference_julia *julia;
    const struct reference_small *small; /* by rising index, without Z_0 */
    const struct reference_cut *cuts;    /* by rising index and falling radius */
    uint32_t small_count, cut_count;
    struct reference_rest *rest; /* state for extending it; reference count */
};

/* Adds a holder; returns `reference`. NULL gives NULL. Any thread that holds it. */
const struct reference *reference_ref(const struct reference *reference);
/* Releases a share; the last one frees the reference. NULL is allowed. Any thread. */
void reference_unref(const struct reference *reference);

/* Returns the last index that a view may use, at which its points are rebased, 1 .. length.
 * `radius_log2` is log2 of the largest distance of a point of the view from the reference's
 * point. */
uint32_t reference_last(const struct reference *reference, double radius_log2, uint32_t limit);
/* Returns the period by which the orbit ends in views of that radius; 0: it does not. */
uint32_t reference_period(const struct reference *reference, double radius_log2);
/* Returns true if the reference serves a view of that radius, pixel step and iteration limit: it is
 * precise enough, and cut, escaped, trapped, or as long as the limit. With several orbits it serves
 * only its own limit. The caller checks whether a wide reference is needed. */
bool reference_serves(const struct reference *reference, double radius_log2, double step_log2,
                      uint32_t limit);
/* Returns the bytes of memory that it occupies. */
uint64_t reference_bytes(const struct reference *reference);

/* --- making: a long computation, for a thread of its own --- */

struct orbit_engine;

/* log2 of the finest pixel step that can be requested */
#define REFERENCE_STEP_LOG2_MIN (-400000.0)

/* A start other than 0, and the pixel step there. */
struct reference_start {
    mpfr_srcptr re, im;
    double step_log2;
};

struct reference_want {
    mpfr_srcptr re, im;     /* the point */
    struct step_list steps; /* {0}: z^2 + c */
    /* Start of the orbit; NULL: 0. The orbit ends where orbits around it no longer need it. There
     * pixels are 2^-8 as far apart as the orbit is from 0, or are no longer distinguishable. */
    const struct reference_start *start;
    bool whole;         /* true: goes on to the escape or the limit in any case */
    double radius_log2; /* log2 of the largest distance of a point from the reference */
    /* log2 of the finest pixel step; finer than the view's while a zoom goes on, since a reference
     * that is too shallow has to be computed again */
    double step_log2;
    uint32_t limit;      /* iteration limit, 1 .. 2^31 - 1 */
    bool wide;           /* with low parts; the step has to be PERTURBED_WIDE_BITS finer */
    uint64_t bytes_most; /* limit of its memory; 0: a quarter of the machine's */
    /* Engine of the arithmetic, which changes no byte of the result; NULL, or outside its range of
     * limbs: orbit_mpn. */
    const struct orbit_engine *engine;
    unsigned threads; /* most threads that share a step (render/deep/crew.h); 0: one */
};

/* Returns the finest step that a reference made for `step_log2` serves, which is its own
 * step_log2. */
double reference_step_log2(double step_log2);

/* Makes a Julia set's reference: its parameter is the point of `want`, and orbits of views begin
 * near its start, which must not be NULL. Otherwise as reference_make. */
const struct reference *reference_make_julia(const struct reference_want *want,
                                             const atomic_bool *stop, atomic_uint *progress);

/* Returns a reference that serves a view of that radius, step and limit; the caller has a share. It
 * is `base` if that serves; an extension of `base` if that has the same point and is precise
 * enough, byte for byte the one that would have been made at once with its step; otherwise a new
 * one, as always for formulas other than z^2 + c. `base` may be NULL and stays the caller's.
 *
 * Returns NULL if *stop became true, which is noticed within a step (5 ms at 400,000 bits), or if
 * the reference was refused, which is logged: too deep, or more memory than allowed. Memory grows
 * with the number of indices, 16 bytes each, 32 for a wide one, not with the limit. *progress, if
 * given, is the number of indices done. Any thread. */
const struct reference *reference_make(const struct reference_want *want,
                                       const struct reference *base, const atomic_bool *stop,
                                       atomic_uint *progress);

#endif
