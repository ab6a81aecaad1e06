/* Pixels on their way to an mfunc, gathered from any places, and their counts on the way back. */
#ifndef FATHOM_LAB_MODES_MODES_BATCH_H
#define FATHOM_LAB_MODES_MODES_BATCH_H

#include "lab/modes/modes_draw.h"

#define MODES_BATCH 1024 /* pixels, where nothing else decides */

struct modes_batch {
    const struct modes_job *job;
    const void *re, *im; /* the job's, of its type */
    size_t number_size, size, capacity;
    uint32_t *at; /* places in the picture */
    void *cr, *ci, *zr, *zi;
    uint32_t *depth;
};

/* Zeroed by a failed init, and then as good as finished. False: no memory, logged. */
bool modes_batch_init(struct modes_batch *batch, const struct modes_job *job, size_t capacity);
void modes_batch_finish(struct modes_batch *batch); /* twice, or zeroed, is allowed */

/* Draws and empties it first when it is full. */
void modes_batch_add(struct modes_batch *batch, int x, int y);
/* Follows all to the limit and empties it. */
void modes_batch_draw(struct modes_batch *batch);
/* All have done `done` steps and do `next` more; those still going stay. Pixels whose orbit has
 * ended, and those that are at the limit, have their counts. */
void modes_batch_resume(struct modes_batch *batch, mfunc_fn *mfunc, uint32_t done, uint32_t next);

#endif
