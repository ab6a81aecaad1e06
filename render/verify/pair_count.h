/* Proven counts of z^2 + c and its Julia sets in pairs of doubles, around an exact orbit where a
 * view is deep (pair_lanes.h). Twenty to fifty times as fast as exact_count, which is left for the
 * points that have too few bits here. */
#ifndef FATHOM_RENDER_VERIFY_PAIR_COUNT_H
#define FATHOM_RENDER_VERIFY_PAIR_COUNT_H

#include "render/number/exact.h"

/* The orbit around which the points of a request are iterated; immutable. */
struct pair_around;

/* Returns true if a request's points can be counted in pairs. */
bool pair_count_fits(const struct frame_req *req);
/* Makes the orbit: about a microsecond a step at 1e200, 4 million steps at most. Returns NULL if
 * *stop became true, or if there is no memory, which is logged. */
struct pair_around *pair_around_create(const struct frame_req *req, const atomic_bool *stop);
/* NULL is allowed. */
void pair_around_destroy(struct pair_around *around);

/* The points of a request, of which several threads take the next one until all are taken. */
struct pair_queue {
    const struct frame_req *req;
    const struct pair_around *around;
    void *user;
    struct exact_point *(*next)(void *user); /* NULL: there are no more */
    /* Takes a point that has ended; it is open if it has too few bits, and at a stop. */
    void (*done)(void *user, struct exact_point *point);
    const atomic_bool *stop; /* obeyed within a millisecond */
};

/* Counts points until there are no more. Any thread. */
void pair_count(const struct pair_queue *queue);

#endif
