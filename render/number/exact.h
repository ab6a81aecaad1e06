/* Exact iteration counts of single points of a request, by arbitrary precision with a proven bound
 * of its error: what pictures are judged by. It shares nothing with the kernels but the view.
 *
 * A point is iterated in fixed point. Beside it goes a bound E of |z - exact z|: a step makes at
 * most (2|z| + E) E of it, and adds its own rounding. An answer is given only where |z| differs from
 * the bailout radius by more than E; where it does not, the point is iterated again with more bits.
 * So counts are proven, not estimated. Points of the main cardioid, of the period-2 disc and of the
 * set's real axis are known to be interior without iterating. */
#ifndef FATHOM_RENDER_NUMBER_EXACT_H
#define FATHOM_RENDER_NUMBER_EXACT_H

#include "render/frame.h"
#include <stdatomic.h>

enum exact_state {
    EXACT_OPEN,    /* not found out: cancelled, or no memory, which was logged */
    EXACT_ESCAPED, /* `count` steps were done when |z|^2 >= 4 first held */
    EXACT_INTERIOR /* not within the limit, which is `count` */
};

struct exact_point {
    int x_px, y_px; /* of the request's picture, from its top left pixel */
    enum exact_state state;
    uint32_t count;
    long bits; /* of fraction that it took; 0: none was iterated */
};

/* What a worker and who waits for it share; all zero at first. */
struct exact_watch {
    atomic_bool cancel;         /* obeyed within 10 ms */
    atomic_uint_fast32_t steps; /* of the point that is being iterated, done so far */
};

/* Finds state and count of a point of a request that frame_req_problem finds nothing wrong with and
 * that has no uneven lines. Any thread. */
void exact_count(const struct frame_req *req, struct exact_point *point, struct exact_watch *watch);

/* Finds those of many points, on at most `threads` threads (> 0). `step` (may be NULL) is called on
 * the caller's thread at least every 50 ms with what is done, 0 .. 1; when it returns false, the rest
 * is left open. False: that, no memory, or no thread; the latter two were logged. */
bool exact_count_all(const struct frame_req *req, struct exact_point *points, size_t count,
                     int threads, bool (*step)(void *user, double done), void *user);

#endif
