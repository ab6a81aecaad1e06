/* Exact counts of many points of a request, on several threads. Points of z^2 + c are counted in
 * pairs of doubles first (pair_count.h), the others with as many bits as they need (exact.h). */
#ifndef FATHOM_RENDER_VERIFY_COUNTER_H
#define FATHOM_RENDER_VERIFY_COUNTER_H

#include "render/number/exact.h"

struct counter;

/* Copies the request, which frame_req_problem accepts and which has no uneven lines. Returns NULL
 * if there is no memory, which is logged. */
struct counter *counter_create(const struct frame_req *req);
/* Changes the offset of the request's samples (frame.h). */
void counter_set_offset(struct counter *counter, int x, int y);
/* NULL is allowed. */
void counter_destroy(struct counter *counter);

/* Finds state and count of points, on at most `threads` threads (> 0), which have the lowest
 * priority if `idle` is true. `step` (may be NULL) is called on the caller's thread at least every
 * 50 ms with the number of points that are done; when it returns false, the other points stay open.
 * Returns false then, or if there is no memory or no thread, which is logged. The first call makes
 * the orbit around which points are iterated. */
bool counter_count(struct counter *counter, struct exact_point *points, size_t count, int threads,
                   bool idle, bool (*step)(void *user, size_t done), void *user);

#endif
