/* Counts alone, for jobs that need neither fraction nor colour (`fathom classic`, the laboratory):
 * short orbits are counted where they are, and only what lives longer goes through tile.h's
 * kernel. */
#ifndef FATHOM_CPU_COUNT_H
#define FATHOM_CPU_COUNT_H

#include "render/frame.h"

#define COUNT_PADDING 16 /* numbers past the last column that may be read */

/* A picture of counts. A count is the number of steps done when |z|^2 >= 4 first held, 0 for a point
 * that did not get there within the limit. */
struct count_job {
    int width_px, height_px;
    const void *re; /* of the columns, of the type, and COUNT_PADDING numbers more */
    const void *im; /* of the rows. All of both are 0 or at least 2^-60 in size, so that products
                     * which underflow are lost in sums */
    enum number_type type;
    enum arithmetic arithmetic;
    unsigned shortcuts; /* enum shortcuts; no count changes */
    uint32_t limit;
    uint32_t cpu_flags; /* what may be used of the processor, from cpu_flags() */
    int threads;        /* > 0 */
    bool (*stop)(void); /* asked by every thread now and then */
    uint32_t *count;    /* out, width_px * height_px; may be NULL when row_done is not */
    /* Called once for every row, on any thread, with its counts, which are valid during the call.
     * May be NULL. */
    void (*row_done)(void *user, int row, const uint32_t *count);
    void *user;
};

/* Returns when all threads are done. False: stopped, or no memory (logged). */
bool count_draw(const struct count_job *job);

#endif
