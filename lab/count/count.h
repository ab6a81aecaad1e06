/* Counting: iteration counts alone, for jobs that need neither fraction nor colour (`fathom
 * classic`, the laboratory). Every product and sum is rounded on its own, as most of the seeds do
 * it. */
#ifndef FATHOM_LAB_COUNT_COUNT_H
#define FATHOM_LAB_COUNT_COUNT_H

#include "render/frame.h"

/* Picture of counts. A count is the number of steps done when |z|^2 >= 4 first held, or 0 for a
 * point for which it did not hold within the limit. */
struct count_job {
    int width_px, height_px;
    /* Coordinates of the columns and of the rows, in the type. Each is 0 or at least 2^-60 in size,
     * so that an underflow of products never changes a sum. */
    const void *re, *im;
    enum number_type type;
    unsigned shortcuts; /* set of enum shortcuts; changes no count */
    uint32_t limit;
    uint32_t cpu_flags; /* processor features to use, from cpu_flags() */
    int threads;        /* > 0 */
    bool (*stop)(void); /* called by all threads now and then */
    uint32_t *count;    /* output, width_px * height_px; NULL: not needed */
    /* Called once for every row, on any thread, with its counts, which are valid during the call.
     * May be NULL. */
    void (*row_done)(void *user, int row, const uint32_t *count);
    void *user;
};

/* Counts a picture; returns once all threads are done. Returns false if it was stopped or without
 * memory (logged). */
bool count_draw(const struct count_job *job);

/* --- the kernels, from count_tmpl.c --- */

#define COUNT_GROUP_MAX 64 /* maximum number of points that a kernel takes at a time */

/* Points of a row. */
struct count_points {
    const void *re; /* `size` numbers, and COUNT_GROUP_MAX more */
    double im;
    size_t size;
    unsigned shortcuts;
    uint32_t limit;  /* at least 1 */
    uint32_t *count; /* output, with as much room */
};

typedef void count_fn(const struct count_points *points);
count_fn count_base_float, count_base_double;
count_fn count_fma_float, count_fma_double;
count_fn count_avx2_float, count_avx2_double;
count_fn count_avx512_float, count_avx512_double;

#endif
