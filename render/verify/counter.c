/* Exact counts of many points: the threads, and the points that each of them takes. */
#define _GNU_SOURCE /* SCHED_IDLE */
#include "render/verify/counter.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/verify/map_count.h"
#include "render/verify/pair_count.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define LOOK_MS 50

struct counter {
    struct frame_req req;
    struct pair_around *around; /* NULL: no points are counted in pairs */
    bool prepared;

    /* Set by the call in progress: */
    struct exact_point *points;
    size_t count;
    struct exact_point **left; /* points that need more bits than pairs have */
    size_t left_count;
    atomic_size_t next, done;
    atomic_bool stop;
    bool idle;
    void (*work)(struct counter *counter);
    int working;          /* threads that have not ended */
    pthread_mutex_t lock; /* protects `working` and `left` */
    pthread_cond_t ended; /* signals that a thread has ended */
};

struct counter *counter_create(const struct frame_req *req) {
    struct counter *counter = calloc(1, sizeof *counter);
    pthread_condattr_t monotonic;
    if (!counter) {
        log_error("cannot verify: not enough memory");
        return NULL;
    }
    frame_req_init_copy(&counter->req, req);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&counter->lock, NULL);
    pthread_cond_init(&counter->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return counter;
}

void counter_set_offset(struct counter *counter, int x, int y) {
    counter->req.offset_x = x;
    counter->req.offset_y = y;
}

void counter_destroy(struct counter *counter) {
    if (!counter)
        return;
    pair_around_destroy(counter->around);
    frame_req_finish(&counter->req);
    pthread_cond_destroy(&counter->ended);
    pthread_mutex_destroy(&counter->lock);
    free(counter);
}

/* --- work of a thread --- */

static void prepare(struct counter *counter) {
    counter->around = pair_around_create(&counter->req, &counter->stop);
}

static struct exact_point *next_point(void *user) {
    struct counter *counter = user;
    const size_t i = atomic_fetch_add(&counter->next, 1);
    return i < counter->count ? &counter->points[i] : NULL;
}

static void end_point(void *user, struct exact_point *point) {
    struct counter *counter = user;
    if (point->state != EXACT_OPEN) {
        atomic_fetch_add(&counter->done, 1);
        return;
    }
    pthread_mutex_lock(&counter->lock);
    counter->left[counter->left_count++] = point;
    pthread_mutex_unlock(&counter->lock);
}

static struct exact_point *next_left(struct counter *counter) {
    pthread_mutex_lock(&counter->lock);
    struct exact_point *point =
        counter->left_count > 0 ? counter->left[--counter->left_count] : NULL;
    pthread_mutex_unlock(&counter->lock);
    return point;
}

static void count_points(struct counter *counter) {
    struct exact_point *point;
    const struct pair_queue queue = {.req = &counter->req,
                                     .around = counter->around,
                                     .user = counter,
                                     .next = next_point,
                                     .done = end_point,
                                     .stop = &counter->stop};
    if (counter->around)
        pair_count(&queue);
    while (!atomic_load(&counter->stop) &&
           (point = counter->around ? next_left(counter) : next_point(counter))) {
        if (fractal_is_map(&counter->req.fractal))
            map_count(&counter->req, point, &counter->stop);
        else
            exact_count(&counter->req, point, &counter->stop);
        if (point->state != EXACT_OPEN)
            atomic_fetch_add(&counter->done, 1);
    }
}

/* --- threads --- */

static void *run(void *user) {
    struct counter *counter = user;
    if (counter->idle)
        sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
    counter->work(counter);
    mpfr_free_cache(); /* of this thread */
    pthread_mutex_lock(&counter->lock);
    counter->working--;
    pthread_cond_signal(&counter->ended);
    pthread_mutex_unlock(&counter->lock);
    return NULL;
}

/* Waits until all threads have ended. */
static void wait_for_threads(struct counter *counter, bool (*step)(void *user, size_t done),
                             void *user) {
    pthread_mutex_lock(&counter->lock);
    while (counter->working > 0) {
        const struct timespec until = clock_after(CLOCK_MONOTONIC, LOOK_MS);
        pthread_cond_timedwait(&counter->ended, &counter->lock, &until);
        pthread_mutex_unlock(&counter->lock);
        if (step && !step(user, atomic_load(&counter->done)))
            atomic_store(&counter->stop, true);
        pthread_mutex_lock(&counter->lock);
    }
    pthread_mutex_unlock(&counter->lock);
}

/* Does work on threads, or on the caller's if none can be started. Returns false if there is no
 * memory. */
static bool run_all(struct counter *counter, void (*work)(struct counter *counter), int threads,
                    bool (*step)(void *user, size_t done), void *user) {
    pthread_t *thread = malloc((size_t)threads * sizeof *thread);
    int started = 0;
    if (!thread)
        return false;
    counter->work = work;
    counter->working = threads;
    while (started < threads && pthread_create(&thread[started], NULL, run, counter) == 0)
        started++;
    pthread_mutex_lock(&counter->lock);
    counter->working -= threads - started;
    pthread_mutex_unlock(&counter->lock);
    if (started == 0) {
        log_warn("cannot start a thread for exact arithmetic, so all else waits for it");
        interrupt_set_flag(&counter->stop);
        work(counter);
        interrupt_set_flag(NULL);
    }
    wait_for_threads(counter, step, user);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    return true;
}

bool counter_count(struct counter *counter, struct exact_point *points, size_t count, int threads,
                   bool idle, bool (*step)(void *user, size_t done), void *user) {
    counter->left = malloc((count + 1) * sizeof(struct exact_point *));
    if (!counter->left) {
        log_error("cannot verify: not enough memory");
        return false;
    }
    bool ok = true;
    counter->points = points;
    counter->count = count;
    counter->left_count = 0;
    counter->idle = idle;
    atomic_store(&counter->stop, false);
    atomic_store(&counter->done, 0);
    atomic_store(&counter->next, 0);
    for (size_t i = 0; i < count; i++)
        points[i].state = EXACT_OPEN;
    if (!counter->prepared && pair_count_fits(&counter->req))
        ok = run_all(counter, prepare, 1, step, user);
    counter->prepared = !atomic_load(&counter->stop);
    if (counter->prepared)
        ok = ok && run_all(counter, count_points, threads, step, user);
    free(counter->left);
    return ok && atomic_load(&counter->done) == count;
}
