/* Counts alone, for jobs that need neither fraction nor colour (`fathom classic`, the laboratory).
 * Every product and sum is rounded by itself, as most of the seeds do it. */
#ifndef FATHOM_LAB_COUNT_COUNT_H
#define FATHOM_LAB_COUNT_COUNT_H

#include "render/frame.h"

/* A picture of counts. A count is the number of steps done when |z|^2 >= 4 first held, 0 for a
 * point that did not get there within the limit. */
struct count_job {
    int width_px, height_px;
    /* Of the columns and of the rows, of the type; each 0 or at least 2^-60 in size, so that what is
     * lost when products underflow is lost in sums anyway. */
    const void *re, *im;
    enum number_type type;
    unsigned shortcuts; /* enum shortcuts; no count changes */
    uint32_t limit;
    uint32_t cpu_flags; /* what may be used of the processor, from cpu_flags() */
    int threads;        /* > 0 */
    bool (*stop)(void); /* asked by all threads now and then */
    uint32_t *count;    /* out, width_px * height_px; NULL: not wanted */
    /* Called once for every row, on any thread, with its counts, which are lent. May be NULL. */
    void (*row_done)(void *user, int row, const uint32_t *count);
    void *user;
};

/* Returns when all threads are done. False: stopped, or no memory (logged). */
bool count_draw(const struct count_job *job);

/* --- the kernels, from count_tmpl.c --- */

#define COUNT_GROUP_MAX 64 /* points that a kernel takes at a time, at most */

/* A row. */
struct count_points {
    const void *re; /* `size` numbers, and COUNT_GROUP_MAX more */
    double im;
    size_t size;
    unsigned shortcuts;
    uint32_t limit;  /* at least 1 */
    uint32_t *count; /* out, with as much room */
};

typedef void count_fn(const struct count_points *points);
count_fn count_base_float, count_base_double;
count_fn count_fma_float, count_fma_double;
count_fn count_avx2_float, count_avx2_double;
count_fn count_avx512_float, count_avx512_double;

#endif
