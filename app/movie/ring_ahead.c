/* Rings ahead: one thread draws, another one waits for its rings. */
#include "app/movie/ring_ahead.h"
#include "app/movie/ring_wait.h"
#include "render/base/interrupt.h"
#include <mpfr.h>

static bool go_on(void *user) {
    struct ring_ahead *ahead = user;
    pthread_mutex_lock(&ahead->lock);
    const bool stop = ahead->stop;
    pthread_mutex_unlock(&ahead->lock);
    return !stop && !interrupt_requested();
}

/* Waits until the next ring may be made. Returns its number, or -1 at the end. */
static int next_ring(struct ring_ahead *ahead) {
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->stop && ahead->made >= ahead->wanted + RING_AHEAD_MOST)
        pthread_cond_wait(&ahead->moved, &ahead->lock);
    int k = ahead->first + ahead->made * ahead->step;
    if (ahead->stop || k < 0 || k >= ahead->source->rings->count)
        k = -1;
    pthread_mutex_unlock(&ahead->lock);
    return k;
}

static bool make_ring(struct ring_ahead *ahead, int k) {
    const struct ring_taker *taker = &ahead->taker;
    const bool wanted = taker->begin && taker->begin(taker->user, k);
    const bool ok = ring_wait(ahead->source, k, ahead->step, go_on, ahead,
                              wanted ? taker->take : NULL, taker->user);
    if (wanted)
        taker->end(taker->user, k, ok);
    return ok;
}

static void *make_rings(void *user) {
    struct ring_ahead *ahead = user;
    bool ok = true;
    for (int k; ok && (k = next_ring(ahead)) >= 0;) {
        ok = make_ring(ahead, k);
        pthread_mutex_lock(&ahead->lock);
        ahead->made += ok;
        ahead->failed = !ok;
        pthread_cond_broadcast(&ahead->moved);
        pthread_mutex_unlock(&ahead->lock);
    }
    mpfr_free_cache();
    return NULL;
}

void ring_ahead_start(struct ring_ahead *ahead, const struct ring_source *source,
                      const struct ring_taker *taker, int first, bool outwards) {
    *ahead = (struct ring_ahead){.source = source,
                                 .taker = *taker,
                                 .first = first,
                                 .step = outwards ? -1 : 1,
                                 .started = true};
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->moved, NULL);
    ahead->alone = pthread_create(&ahead->thread, NULL, make_rings, ahead) != 0;
}

/* Returns the number of rings that are made when ring k is. */
static int number_of(const struct ring_ahead *ahead, int k) {
    return (k - ahead->first) * ahead->step + 1;
}

bool ring_ahead_has(struct ring_ahead *ahead, int k) {
    if (ahead->alone)
        return true;
    pthread_mutex_lock(&ahead->lock);
    const bool has = ahead->made >= number_of(ahead, k);
    pthread_mutex_unlock(&ahead->lock);
    return has;
}

bool ring_ahead_wait(struct ring_ahead *ahead, int k) {
    const int number = number_of(ahead, k);
    if (ahead->alone)
        return ring_wait(ahead->source, k, 0, go_on, ahead, NULL, NULL);
    pthread_mutex_lock(&ahead->lock);
    if (number > ahead->wanted)
        ahead->wanted = number;
    pthread_cond_broadcast(&ahead->moved);
    while (ahead->made < number && !ahead->failed)
        pthread_cond_wait(&ahead->moved, &ahead->lock);
    const bool ok = ahead->made >= number;
    pthread_mutex_unlock(&ahead->lock);
    return ok;
}

bool ring_ahead_again(struct ring_ahead *ahead, int k) {
    const struct ring_source *source = ahead->source;
    const struct ring_taker taker = ahead->taker;
    const bool started = ahead->started, outwards = ahead->step < 0;
    ring_source_remove(source, k);
    if (!started)
        return ring_ahead_wait(ahead, k);
    ring_ahead_finish(ahead);
    ring_ahead_start(ahead, source, &taker, k, outwards);
    return ring_ahead_wait(ahead, k);
}

void ring_ahead_finish(struct ring_ahead *ahead) {
    if (!ahead->started)
        return;
    pthread_mutex_lock(&ahead->lock);
    ahead->stop = true;
    pthread_cond_broadcast(&ahead->moved);
    pthread_mutex_unlock(&ahead->lock);
    if (!ahead->alone)
        pthread_join(ahead->thread, NULL);
    pthread_cond_destroy(&ahead->moved);
    pthread_mutex_destroy(&ahead->lock);
    ahead->started = false;
}
