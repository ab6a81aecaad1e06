/* Counts alone, for jobs that need neither fraction nor colour (`fathom classic`, the laboratory).
 * Short orbits are counted where they are; longer ones go on in lists. */
#ifndef FATHOM_LAB_COUNT_COUNT_H
#define FATHOM_LAB_COUNT_COUNT_H

#include "render/frame.h"

/* How a step is rounded: with fused multiply-adds, as fathom does it, or every product and sum by
 * itself, as most of the seeds do. */
enum lab_arithmetic { LAB_FUSED, LAB_UNFUSED, LAB_ARITHMETICS };
extern const char *const lab_arithmetic_names[]; /* "fused", "unfused" */

/* A picture of counts. A count is the number of steps done when |z|^2 >= 4 first held, 0 for a
 * point that did not get there within the limit. */
struct count_job {
    int width_px, height_px;
    /* Of the columns, rising or falling, and of the rows, of the type; each 0 or at least 2^-60 in
     * size, so that what is lost when products underflow is lost in sums anyway. */
    const void *re, *im;
    enum number_type type;
    enum lab_arithmetic arithmetic;
    unsigned shortcuts; /* enum shortcuts; no count changes */
    uint32_t limit;
    uint32_t cpu_flags; /* what may be used of the processor, from cpu_flags() */
    int threads;        /* > 0 */
    bool (*stop)(void); /* asked by all threads now and then, but not within some thousand orbits */
    uint32_t *count;    /* out, width_px * height_px; NULL: not wanted */
    /* Called once for every row, on any thread, with its counts, which are lent. May be NULL. */
    void (*row_done)(void *user, int row, const uint32_t *count);
    void *user;
};

/* Returns when all threads are done. False: stopped, or no memory (logged). */
bool count_draw(const struct count_job *job);

/* --- the kernels, from count_tmpl.c --- */

#define COUNT_GROUP_MAX 64 /* points that a kernel takes at a time, at most */

/* Orbits that are still bounded, of the kernel's type, and where their counts go. */
struct count_list {
    void *cr, *ci, *zr, *zi; /* room for a group more than there are */
    uint32_t *where;
    size_t size;
};

/* Some points of a row. */
struct count_points {
    const void *re; /* `size` numbers, and up to the next multiple of COUNT_GROUP_MAX more */
    double im;
    size_t size;
    enum lab_arithmetic arithmetic;
    unsigned shortcuts;
    uint32_t steps;          /* at most so many, from 1 */
    uint32_t *count;         /* out, up to that multiple too; 0: bounded */
    uint32_t first;          /* added to a point's number in the row for `where` */
    struct count_list *list; /* gets the bounded; NULL: they are dropped */
};

typedef void count_fn(const struct count_points *points);
/* Follows a list's orbits from `done` steps to the limit, and empties it. Writes the counts of those
 * that escape; those of the others are 0 before. */
typedef void count_on_fn(struct count_list *list, enum lab_arithmetic arithmetic,
                         unsigned shortcuts, uint32_t done, uint32_t limit, uint32_t *count);

count_fn count_base_float, count_base_double;
count_fn count_fma_float, count_fma_double;
count_fn count_avx2_float, count_avx2_double;
count_fn count_avx512_float, count_avx512_double;
count_on_fn count_on_base_float, count_on_base_double;
count_on_fn count_on_fma_float, count_on_fma_double;
count_on_fn count_on_avx2_float, count_on_avx2_double;
count_on_fn count_on_avx512_float, count_on_avx512_double;

#endif
