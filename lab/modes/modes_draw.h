/* Drawing modes of seed 002, for any mfunc, and plain loops. Where the text only names a mode, this
 * is its most likely meaning. */
#ifndef FATHOM_LAB_MODES_MODES_DRAW_H
#define FATHOM_LAB_MODES_MODES_DRAW_H

#include "lab/hybridizer/mfunc.h"
#include <stdbool.h>

/* Picture, or some of its rows: coordinates in each number type, the same as fathom's. */
struct modes_picture {
    int width_px, height_px;
    uint32_t limit;
    const void *re[MFUNC_NUMBERS], *im[MFUNC_NUMBERS]; /* of columns, and of rows from the top */
};

struct modes_job {
    struct modes_picture picture;
    enum mfunc_number number;
    const struct mfunc *mfunc; /* for the number */
    int threads;
    int rows;           /* rows of a dispatch of modes_draw_strided; 0: all */
    bool (*stop)(void); /* called by every thread now and then */
    /* Output: steps done when |z|^2 >= 4 first held, one less than the mfunc's depth; 0:
     * interior. */
    uint32_t *count;
    double *dispatch_ms; /* output: [ms] of each dispatch of modes_draw_strided; may be NULL */
};

/* Draws the whole picture. Returns false if it was stopped or without memory (logged). */
typedef bool modes_draw_fn(const struct modes_job *job);
/* Mode: each of T threads takes every T-th pixel, row by row from the top. */
modes_draw_fn modes_draw_parallel;
/* Mode: the seed's dispatches to a GPU, on CPU threads. Worker i of 64 takes the pixels 64 j + i of
 * a dispatch, which is one OpenMP region. */
modes_draw_fn modes_draw_strided;
/* Mode: does 32 masked steps of all pixels in a dispatch, then 32 more of the unfinished ones, and
 * so on. */
modes_draw_fn modes_draw_masked;
/* Mode: iterates each pixel to its end, in one dispatch. */
modes_draw_fn modes_draw_follow;

/* Counts by separately written plain loops. `fused`: with the arithmetic of fathom's backends (not
 * for fixed point). */
void modes_count_plainly(const struct modes_picture *picture, enum mfunc_number number, bool fused,
                         int threads, bool (*stop)(void), uint32_t *count);

#endif
