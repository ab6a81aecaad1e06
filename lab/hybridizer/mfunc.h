/* The "mfunc" modes of seed 002: one function that works through a list of points, compiled for one
 * lane and for vectors, and for three types of number. It is the seed's loop: z^2 + c with every
 * product and sum rounded, and a test in every step.
 *
 * Fixed-point numbers are int32 with MFUNC_FIXED_BITS fraction bits; products have 64 bits and lose
 * their lower bits by an arithmetic shift. With |re c|, |im c| <= 2.5 every number stays below 8 in
 * size up to the step in which an orbit escapes, which is all that counts. */
#ifndef FATHOM_LAB_HYBRIDIZER_MFUNC_H
#define FATHOM_LAB_HYBRIDIZER_MFUNC_H

#include "render/frame.h"
#include <stddef.h>
#include <stdint.h>

enum mfunc_number {
    MFUNC_FLOAT = TYPE_FLOAT,
    MFUNC_DOUBLE = TYPE_DOUBLE,
    MFUNC_FIXED,
    MFUNC_NUMBERS
};
#define MFUNC_FIXED_BITS 28
#define MFUNC_PADDING    16 /* points past the last one whose memory is read and written */

struct mfunc_points {
    size_t size;
    const void *cr, *ci; /* numbers of the type */
    void *zr, *zi;       /* input: z to continue from, 0 at first; output: the last z */
    uint32_t max;        /* steps to do, 1 .. 2^31 - 2 */
    /* Output as the seed returns it: steps done when |z|^2 >= 4 was noticed, one step after it
     * first held; 0: not within `max` steps. */
    uint32_t *depth;
};

typedef void mfunc_fn(const struct mfunc_points *points);

struct mfunc {
    /* Iterates every point to its end; a finished lane takes the next point. */
    mfunc_fn *follow;
    /* Does the same number of steps for all points, with finished lanes masked, so the loop has no
     * other branch. NULL for scalar code. */
    mfunc_fn *masked;
};

#define MFUNC_ISAS 3
extern const struct mfunc_isa {
    const char *name; /* "scalar", "avx2", "avx512" */
    uint32_t needs;   /* flags that cpu_flags() must report */
    struct mfunc mfunc[MFUNC_NUMBERS];
} mfunc_isas[MFUNC_ISAS];

const char *mfunc_number_name(enum mfunc_number number); /* "float", "double", "fixed" */
size_t mfunc_number_size(enum mfunc_number number);

#endif
