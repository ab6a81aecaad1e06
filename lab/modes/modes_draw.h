/* The drawing modes of seed 002, over any mfunc. Where the text only names a mode, this is what it
 * most plainly means. */
#ifndef FATHOM_LAB_MODES_MODES_DRAW_H
#define FATHOM_LAB_MODES_MODES_DRAW_H

#include "lab/modes/modes_picture.h"

struct modes_job {
    struct modes_picture picture;
    enum mfunc_number number;
    const struct mfunc *mfunc; /* for the number */
    int threads;               /* > 0, for the modes that take several */
    bool (*stop)(void);        /* asked by every thread now and then */
    /* Out: steps done when |z|^2 >= 4 first held, one less than the mfunc's depth; 0: interior. */
    uint32_t *count;
};

/* All draw the whole picture. False: stopped, or no memory (logged). */
typedef bool modes_draw_fn(const struct modes_job *job);

/* Row by row from the top, on one thread. */
modes_draw_fn modes_draw_simple;
/* Each of T threads takes every T-th pixel. */
modes_draw_fn modes_draw_parallel;
/* On one thread. Draws the edges of the picture and every 32nd row and column (rings around the set
 * touch no edge); where neighbours differ, all eight around them come next; and pixels that no
 * border has touched have the count to their left. The only one that guesses. */
modes_draw_fn modes_draw_trace;
/* On one thread. All pixels up to a few steps, those not done yet up to twice as many, and again.
 */
modes_draw_fn modes_draw_iterative;

/* The seed's experiments in dispatching to a GPU, with threads of the CPU. A dispatch is one OpenMP
 * region. */

#define MODES_WORKERS      64
#define MODES_MASKED_STEPS 32

/* `rows` rows a dispatch, from the top: worker i of 64 takes the dispatch's pixels 64 j + i.
 * dispatch_ms: how long each took; may be NULL. */
bool modes_draw_strided(const struct modes_job *job, int rows, double *dispatch_ms);
/* The same dispatches with no pixels. */
bool modes_draw_empty(const struct modes_job *job, int dispatches);
/* One dispatch of 64x64 tiles. */
modes_draw_fn modes_draw_tiles;
/* All pixels 32 steps, masked, a dispatch; then another 32 for those still going. */
modes_draw_fn modes_draw_masked;
/* The same in one dispatch: each pixel to its end. */
modes_draw_fn modes_draw_follow;

#endif
