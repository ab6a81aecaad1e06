/* Rings ahead: a thread draws the rings that the next frames will show, and passes their samples
 * on, while frames are made of the rings before. */
#ifndef FATHOM_APP_MOVIE_RING_AHEAD_H
#define FATHOM_APP_MOVIE_RING_AHEAD_H

#include "app/movie/ring_source.h"
#include <pthread.h>

#define RING_AHEAD_MOST 6 /* rings that are drawn before a frame has asked for them */

/* Receives rings as they are made, on the thread that makes them. Zeros: nothing does. */
struct ring_taker {
    /* Returns true if the samples of ring k are wanted. */
    bool (*begin)(void *user, int k);
    ring_take *take;
    /* Called last; `whole`: all samples were passed. */
    void (*end)(void *user, int k, bool whole);
    void *user;
};

struct ring_ahead {
    const struct ring_source *source; /* the thread's, until ring_ahead_finish */
    struct ring_taker taker;
    int first, step; /* rings first, first + step ... are made; step is 1 or -1 */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    /* Under the lock: numbers of rings that were made, and that were asked for. */
    int made, wanted;
    bool stop, failed;
    bool started, alone; /* alone: there is no thread, and rings are made when they are wanted */
};

/* Starts with ring `first`, towards deeper rings or, with `outwards`, towards wider ones. */
void ring_ahead_start(struct ring_ahead *ahead, const struct ring_source *source,
                      const struct ring_taker *taker, int first, bool outwards);
/* Returns true if ring k was made, or is not the thread's. */
bool ring_ahead_has(struct ring_ahead *ahead, int k);
/* Waits until the file of ring k exists. Returns false if a ring could not be made, which is logged
 * unless it was stopped. */
bool ring_ahead_wait(struct ring_ahead *ahead, int k);
/* Makes ring k, which was made before, again. Returns as ring_ahead_wait. */
bool ring_ahead_again(struct ring_ahead *ahead, int k);
/* Stops the thread and waits for its end. A zeroed one is allowed. */
void ring_ahead_finish(struct ring_ahead *ahead);

#endif
