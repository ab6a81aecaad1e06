/* Making references: a long computation, for a thread of its own. */
#ifndef FATHOM_RENDER_DEEP_REFERENCE_MAKE_H
#define FATHOM_RENDER_DEEP_REFERENCE_MAKE_H

#include "render/deep/reference.h"
#include <stdatomic.h>

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
