/* A reference: the orbit of one exact point under a formula, or several (of a Julia set, of a hybrid), computed with as many bits as a depth
 * needs and rounded to doubles, around which the points of views are iterated.
 *
 * Immutable once made , so any thread may read one that it holds; the
 * last to let go frees it. */
#ifndef FATHOM_RENDER_DEEP_REFERENCE_H
#define FATHOM_RENDER_DEEP_REFERENCE_H

#include "render/formula/step_list.h"
#include <mpfr.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A reference ends where |Z|^2 reaches this: a point around it has escaped by then, or is nearer to 0
 * than to Z, so that it is rebased anyway. (From 4 on that would come too early: beside c = -2
 * orbits stay near 2 for long.) */
#define REFERENCE_ESCAPE 16.0

/* An index m whose Z, or its larger part, is below 2^-900: Z_m = (re + i im) * 2^exponent, the larger
 * part being in [0.5, 1]; both are 0 where Z_m is. */
struct reference_small {
    double re, im;
    int32_t exponent;
    uint32_t index;
};

/* An index m where |Z_m| / |D_m|, D = dZ/dc, is lower than ever before: about as far away lies a
 * nucleus of period m. In views of at least that radius the orbit can end there, being periodic.
 * `radius_log2` is log2 of the quotient, rounded up to eighths; -INFINITY where Z_m is 0. */
struct reference_cut {
    double radius_log2;
    uint32_t index;
};

/* What all points share there, and the index where the last orbit begins. */
struct reference_julia {
    mpfr_t re, im;
    uint32_t first;
};

struct reference {
    mpfr_t re, im;          /* the point, with every bit that was given */
    struct step_list steps; /* what is said of cuts, traps and low parts holds for z^2 + c */
    /* Where the orbit of 0 begins whose first step is number i, of each of the steps one after the other, each
     * to its escape or the limit. begin[0] = 0. */
    uint32_t begin[RECIPE_STEPS_MAX];
    double step_log2; /* log2 of the finest pixel step that its precision is good for */
    uint32_t length;  /* indices are 0 .. length, length >= 1 */
    uint32_t limit;   /* the iteration limit of several orbits, which serve no other; of one 0 */
    bool escaped;     /* at the last index, and there alone, |Z|^2 >= REFERENCE_ESCAPE */
    /* No point within 2^trapped_log2 of it ever escapes, since all orbits are caught by a cycle that
     * attracts them; -INFINITY: not known. */
    double trapped_log2;
    /* Z_m, each part rounded to nearest, at z[2m] and z[2m + 1]; aligned to 16 bytes. Z_0 = 0. What
     * lies below the range of doubles is in `small`. */
    const double *z;
    /* In a wide reference what is left of those, rounded to nearest likewise, 0 where `small` has Z_m;
     * else NULL. */
    const double *low;
    /* Of a Julia set. Behind those of 0 is the orbit of (re, im), which orbits of views begin at; at its end they can do
     * without it. NULL: of a set over c. */
    const struct reference_julia *julia;
    const struct reference_small *small; /* by rising index, without Z_0 */
    const struct reference_cut *cuts;    /* by rising index and falling radius */
    uint32_t small_count, cut_count;
    struct reference_rest *rest; /* what going on needs, and how many hold it */
};

/* One more holder; returns `reference`. NULL gives NULL. Any thread that holds it. */
const struct reference *reference_ref(const struct reference *reference);
/* One holder less; the last frees it. NULL is allowed. Any thread. */
void reference_unref(const struct reference *reference);

/* The last index to be used for a view, at which its points are rebased: `radius_log2` is log2 of the
 * largest distance of one of them from the reference's point. 1 <= result <= length. */
uint32_t reference_last(const struct reference *reference, double radius_log2, uint32_t limit);
/* The period by which it ends in views of that radius; 0: in those it does not. */
uint32_t reference_period(const struct reference *reference, double radius_log2);
/* Whether it will do for a view of that radius, pixel step and iteration limit: precise enough, and
 * cut, escaped, trapped, or as long as the limit; several orbits serve the limit that they were made for. Whether it
 * has to be wide is another question. */
bool reference_serves(const struct reference *reference, double radius_log2, double step_log2,
                      uint32_t limit);
/* Bytes of memory that it takes. */
uint64_t reference_bytes(const struct reference *reference);

/* --- making: a long computation, for a thread of its own --- */

struct orbit_engine;

/* Depths that can be asked for: log2 of a pixel step. */
#define REFERENCE_STEP_LOG2_MIN (-400000.0)

/* A start other than 0, and the pixel step there. */
struct reference_start {
    mpfr_srcptr re, im;
    double step_log2;
};

struct reference_want {
    mpfr_srcptr re, im;     /* the point */
    struct step_list steps; /* {0}: z^2 + c */
    /* Where its orbit begins, which then goes on until orbits around it can do without it: pixels are
     * 2^-8 as far apart as it is from 0; or until nothing tells them apart. NULL: at 0. */
    const struct reference_start *start;
    bool whole;         /* to the escape or the limit, whatever orbits around it do */
    double radius_log2; /* log2 of the largest distance from it that is to be iterated */
    double step_log2; /* log2 of the finest pixel step; deeper than now while a zoom goes on, since
                         * a reference too shallow for a view has to be computed anew */
    uint32_t limit;   /* iteration limit, 1 .. 2^31 - 1 */
    bool
        wide; /* of z^2 + c: with low parts; the step has to be as much finer (PERTURBED_WIDE_BITS) */
    uint64_t bytes_most; /* of memory; 0: a quarter of the machine's */
    /* Who does the arithmetic, which changes no byte of the result; NULL: orbit_mpn, as
     * where it has no use for that one. */
    const struct orbit_engine *engine;
};

/* The finest step that a reference made for `step_log2`, or for that step, serves: its own step_log2. */
double reference_step_log2(double step_log2);

/* A Julia set's reference: its parameter is the point of `want`, and orbits of views begin at or about its
 * start, which may not be NULL. Otherwise as below. */
const struct reference *reference_make_julia(const struct reference_want *want,
                                             const atomic_bool *stop, atomic_uint *progress);

/* A reference that serves a view of that radius, step and limit, held once for the caller: `base` itself
 * where it does; one that goes on from the end of `base`, where that is of the same point and precise
 * enough, byte for byte the one that would have been made at once with its step; a new one
 * otherwise, as always of other formulas than z^2 + c. `base` may be NULL and stays the caller's.
 *
 * NULL: *stop became true, which is noticed within a step (5 ms at 400,000 bits); or it was refused, which is
 * logged: too deep, or more memory than allowed. Memory grows with the indices done, 16 bytes for
 * each, 32 of a wide one, not with the limit. *progress, if given, is the number of indices done. Any thread. */
const struct reference *reference_make(const struct reference_want *want,
                                       const struct reference *base, const atomic_bool *stop,
                                       atomic_uint *progress);

#endif
