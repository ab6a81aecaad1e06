/* The drawing modes of seed 002, over any mfunc, and plain loops. Where the text only names a mode, this
 * is what it most plainly means. */
#ifndef FATHOM_LAB_MODES_MODES_DRAW_H
#define FATHOM_LAB_MODES_MODES_DRAW_H

#include "lab/hybridizer/mfunc.h"
#include <stdbool.h>

/* A picture, or some of its rows: coordinates in each type of number, as fathom has them. */
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
    int rows;           /* of a dispatch of modes_draw_strided; 0: all */
    bool (*stop)(void); /* asked by every thread now and then */
    /* Out: steps done when |z|^2 >= 4 first held, one less than the mfunc's depth; 0: interior. */
    uint32_t *count;
    double *dispatch_ms; /* out, of each dispatch of modes_draw_strided; may be NULL */
};

/* Each draws the whole picture. Returns false if it was stopped or there is no memory (logged). */
typedef bool modes_draw_fn(const struct modes_job *job);
/* Each of T threads takes every T-th pixel, row by row from the top. */
modes_draw_fn modes_draw_parallel;
/* The seed's dispatches to a GPU, by threads of the processor: worker i of 64 takes the pixels
 * 64 j + i of a dispatch, which is one OpenMP region. */
modes_draw_fn modes_draw_strided;
/* Takes all pixels 32 masked steps in a dispatch, then those still going another 32, and so on. */
modes_draw_fn modes_draw_masked;
/* Follows each pixel to its end, in one dispatch. */
modes_draw_fn modes_draw_follow;

/* Counts by plain loops that are written apart; fused as fathom's backends are (not of fixed). */
void modes_count_plainly(const struct modes_picture *picture, enum mfunc_number number, bool fused,
                         int threads, bool (*stop)(void), uint32_t *count);

#endif
