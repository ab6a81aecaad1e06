/* Location search: a thread that searches a view, so that commands can show progress and the window
 * continues. */
#include "app/explore/locator.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct locator {
    bool threaded; /* false: locator_start has searched already */
    pthread_t thread;
    struct scene scene;
    struct locate_request request;
    struct locate_watch watch;

    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done; /* under the lock; until then the thread owns the members below */
    bool ok;
    struct located found;
};

static void *run_search(void *user) {
    struct locator *locator = user;
    locator->ok = locate(&locator->scene, &locator->request, &locator->watch, &locator->found);
    mpfr_free_cache();
    pthread_mutex_lock(&locator->lock);
    locator->done = true;
    pthread_cond_signal(&locator->ended);
    pthread_mutex_unlock(&locator->lock);
    return NULL;
}

static void free_locator(struct locator *locator) {
    if (locator->ok)
        located_finish(&locator->found);
    scene_finish(&locator->scene);
    pthread_cond_destroy(&locator->ended);
    pthread_mutex_destroy(&locator->lock);
    free(locator);
}

struct locator *locator_start(const struct scene *scene, const struct locate_request *request) {
    struct locator *locator = calloc(1, sizeof *locator);
    if (!locator) {
        log_error("not enough memory to search the view");
        return NULL;
    }
    locator->request = *request;
    scene_init_copy(&locator->scene, scene);
    pthread_mutex_init(&locator->lock, NULL);
    pthread_cond_init(&locator->ended, NULL);
    locator->threaded = pthread_create(&locator->thread, NULL, run_search, locator) == 0;
    if (locator->threaded)
        return locator;
    log_warn("cannot start a thread to search the view, so all else waits for it");
    interrupt_set_flag(&locator->watch.cancel);
    run_search(locator);
    interrupt_set_flag(NULL);
    return locator;
}

const struct view *locator_view(const struct locator *locator) {
    return &locator->scene.view;
}

bool locator_wait(struct locator *locator, int ms) {
    const struct timespec until = clock_after(CLOCK_REALTIME, ms);
    int error = 0;
    pthread_mutex_lock(&locator->lock);
    while (!locator->done && error != ETIMEDOUT)
        error =
            ms > 0 ? pthread_cond_timedwait(&locator->ended, &locator->lock, &until) : ETIMEDOUT;
    const bool done = locator->done;
    pthread_mutex_unlock(&locator->lock);
    return done;
}

double locator_progress(const struct locator *locator, char text[static LOCATOR_TEXT_MAX]) {
    const struct locate_watch *watch = &locator->watch;
    const uint32_t period = atomic_load(&watch->period), reached = atomic_load(&watch->reached);
    const uint32_t of = atomic_load(&watch->sharpened_of), at = atomic_load(&watch->sharpened_at);
    if (period > 0) {
        snprintf(text, LOCATOR_TEXT_MAX, "period %" PRIu32 ": computing the point", period);
        return of > 0 && at < of ? (double)at / of : 0;
    }
    snprintf(text, LOCATOR_TEXT_MAX, "searching, at period %" PRIu32 " of %" PRIu32 " at most",
             reached, locator->scene.limit);
    return locator->scene.limit > 0 ? fmin((double)reached / locator->scene.limit, 1) : 0;
}

const struct located *locator_found(const struct locator *locator) {
    return locator->ok ? &locator->found : NULL;
}

const char *locator_why(const struct locator *locator) {
    return locator->found.why;
}

void locator_destroy(struct locator *locator) {
    if (!locator)
        return;
    atomic_store(&locator->watch.cancel, true);
    if (locator->threaded)
        pthread_join(locator->thread, NULL);
    free_locator(locator);
}
