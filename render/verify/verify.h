/* Verification: compares counts of a picture with exact ones, at random pixels, and says whether
 * the picture is right.
 *
 * A picture is right if at most VERIFY_WRONG_MOST of its counts are wrong. Pixels are compared
 * until a larger share is excluded with 95% confidence, which takes 600 pixels without an error, or
 * until it is found. A point is fragile if its exact count changes when the point is moved by
 * 2^-EXACT_MOVED_BITS of a pixel. */
#ifndef FATHOM_RENDER_VERIFY_VERIFY_H
#define FATHOM_RENDER_VERIFY_VERIFY_H

#include "render/sample.h"
#include "render/verify/counter.h"

#define VERIFY_WRONG_MOST  0.005
#define VERIFY_POINTS      600  /* least number for a right picture, unless it has fewer pixels */
#define VERIFY_POINTS_MOST 2400 /* unless the caller asks for a number of points */

enum verify_verdict { VERIFY_OPEN, VERIFY_RIGHT, VERIFY_IS_WRONG };

/* Numbers of the points that are compared so far. */
struct verify_result {
    size_t points, wrong, fragile, fragile_wrong;
    size_t interior_drawn, interior_exact; /* points interior in one of the two alone */
    uint32_t largest;                      /* difference of counts */
    double low, high;                      /* bounds of the wrong share, each with 95% confidence */
    int bits;       /* about as many bits as numbers need for a right picture; 0: unknown */
    long most_bits; /* bits of fraction that the hardest point took */
    enum verify_verdict verdict;
};

struct verify;

/* Chooses points of a request's picture: `points`, or as many as the verdict takes if it is 0.
 * Returns NULL if there is no memory, which is logged. The request is as for counter_create. */
struct verify *verify_create(const struct frame_req *req, size_t points, uint64_t seed);
/* NULL is allowed. */
void verify_destroy(struct verify *verify);
/* Takes the counts of the picture's next rows, from the top down. All rows come before verify_run;
 * if the picture is drawn again, the first row follows the last. */
void verify_take_rows(struct verify *verify, const uint32_t *counts, int rows);
/* Sets a source of counts, which replaces verify_take_rows. It stores the counts of points as
 * struct sample_planes has them, on verify_run's thread, and returns false to stop. */
void verify_set_source(struct verify *verify,
                       bool (*fetch)(void *user, const struct exact_point *points, size_t count,
                                     uint32_t *drawn),
                       void *user);
/* Compares the points. `step` may be NULL; it is called at least every 50 ms with the numbers of
 * the last look and the number of points done, and returns false to stop. Returns false then, or on
 * failure, which is logged; otherwise there is a verdict. Threads are as for counter_count. */
bool verify_run(struct verify *verify, int threads, bool idle,
                bool (*step)(void *user, const struct verify_result *so_far, size_t done),
                void *user);
/* Returns the numbers after verify_run. */
const struct verify_result *verify_result(const struct verify *verify);

#endif
