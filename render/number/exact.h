/* Exact iteration counts of single points of a request, by arbitrary precision with a proven bound
 * of the error. Pictures are judged by them, and they share nothing with the kernels except the
 * view.
 *
 * A point is iterated in fixed point, with a bound E of |z - exact z|: a step makes at most (2|z| +
 * E) E of it, and adds its own rounding. A count is given only where |z| differs from the bailout
 * radius by more than E; otherwise the point is iterated again with more bits. So counts are
 * proven, not estimated. Points of the main cardioid, of the period-2 disc and of the set's real
 * axis are interior without iterating. */
#ifndef FATHOM_RENDER_NUMBER_EXACT_H
#define FATHOM_RENDER_NUMBER_EXACT_H

#include "render/frame.h"
#include <stdatomic.h>

enum exact_state {
    EXACT_OPEN,    /* unknown: cancelled, or no memory, which was logged */
    EXACT_ESCAPED, /* `count` steps were done when |z|^2 >= 4 first held */
    EXACT_INTERIOR /* not within the limit, which is `count` */
};

struct exact_point {
    int x_px, y_px; /* from the top left pixel of the request's picture */
    enum exact_state state;
    uint32_t count;
    long bits; /* bits of fraction that it took; 0: it was not iterated */
};

/* Shared by a worker and its caller; all zero at first. */
struct exact_watch {
    atomic_bool cancel;         /* obeyed within 10 ms */
    atomic_uint_fast32_t steps; /* steps done of the point in progress */
};

/* Finds state and count of a point of a request that frame_req_problem accepts and that has no
 * uneven lines. Any thread. */
void exact_count(const struct frame_req *req, struct exact_point *point, struct exact_watch *watch);

/* Finds state and count of many points, on at most `threads` threads (> 0). `step` (may be NULL) is
 * called on the caller's thread at least every 50 ms with the part that is done, 0 .. 1; when it
 * returns false, the other points stay open. Returns false then, or if there is no memory or no
 * thread, which is logged. */
bool exact_count_all(const struct frame_req *req, struct exact_point *points, size_t count,
                     int threads, bool (*step)(void *user, double done), void *user);

#endif
