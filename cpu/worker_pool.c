/* Keeps the threads of one OpenMP region asleep until there is a task, and wakes the owner when
 * there is news. */
#define _GNU_SOURCE /* SCHED_IDLE */
#include "cpu/worker_pool.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <errno.h>
#include <mpfr.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TELL_EVERY_US 4000
#define SCRATCH_ALIGN 64

struct worker_pool {
    int threads;
    bool low_priority;
    size_t scratch_size; /* a multiple of SCRATCH_ALIGN */
    char *scratch;       /* one for each thread */
    pthread_t conductor; /* runs the OpenMP region that the workers are */
    pthread_mutex_t lock;
    pthread_cond_t task_there, news;
    struct task *task;     /* what they do, or NULL; under the lock */
    uint64_t serial;       /* counts calls, so that a worker knows a new one; under the lock */
    bool quit;             /* under the lock */
    atomic_bool waiting;   /* the owner sleeps until there are news */
    atomic_llong woken_us; /* when the owner was woken last */
};

/* --- workers --- */

/* Sleeps until there is a call other than the one seen last; NULL: quit. Gives two references. */
static struct task *next_work(struct worker_pool *pool, uint64_t *serial, struct task **source) {
    struct task *task = NULL;
    pthread_mutex_lock(&pool->lock);
    while (!pool->quit && (!pool->task || pool->serial == *serial))
        pthread_cond_wait(&pool->task_there, &pool->lock);
    if (!pool->quit) {
        task = task_ref(pool->task);
        *serial = pool->serial;
        *source = task->source ? task_ref(task->source) : NULL;
    }
    pthread_mutex_unlock(&pool->lock);
    return task;
}

/* Wakes the owner if it sleeps, but not for every step: that would take processors from the
 * workers. */
static void tell_owner(struct worker_pool *pool, bool complete) {
    const long long now_us = (long long)(clock_ms() * 1e3);
    if (!atomic_load(&pool->waiting) ||
        (!complete && now_us - atomic_load(&pool->woken_us) < TELL_EVERY_US))
        return;
    atomic_store(&pool->woken_us, now_us);
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->news);
    pthread_mutex_unlock(&pool->lock);
}

static void call_others(struct worker_pool *pool, const struct task *task) {
    pthread_mutex_lock(&pool->lock);
    if (pool->task == task) {
        pool->serial++;
        pthread_cond_broadcast(&pool->task_there);
    }
    pthread_mutex_unlock(&pool->lock);
}

static void run_worker(struct worker_pool *pool) {
    const int worker = omp_get_thread_num();
    void *scratch = pool->scratch + (size_t)worker * pool->scratch_size;
    uint64_t serial = 0;
    struct task *task, *source = NULL;
    if (pool->low_priority)
        sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
    while ((task = next_work(pool, &serial, &source))) {
        enum task_step step;
        while ((step = task->kind->step(task, source, worker, scratch)) != TASK_NONE) {
            if (step == TASK_CALL)
                call_others(pool, task);
            tell_owner(pool, false);
        }
        tell_owner(pool, true);
        task_unref(source);
        task_unref(task);
    }
    mpfr_free_cache();
}

static void *conduct(void *user) {
    struct worker_pool *pool = user;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(pool->threads)
    run_worker(pool);
    return NULL;
}

/* --- life --- */

static void init_locks(struct worker_pool *pool) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->task_there, NULL);
    pthread_cond_init(&pool->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void finish(struct worker_pool *pool) {
    pthread_cond_destroy(&pool->news);
    pthread_cond_destroy(&pool->task_there);
    pthread_mutex_destroy(&pool->lock);
    free(pool->scratch);
    free(pool);
}

struct worker_pool *worker_pool_create(int threads, bool low_priority, size_t scratch_size) {
    struct worker_pool *pool = calloc(1, sizeof *pool);
    if (!pool) {
        log_error("not enough memory for a backend");
        return NULL;
    }
    pool->threads = threads;
    pool->low_priority = low_priority;
    pool->scratch_size = (scratch_size + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
    init_locks(pool);
    pool->scratch = aligned_alloc(SCRATCH_ALIGN, (size_t)threads * pool->scratch_size);
    const int failed =
        pool->scratch ? pthread_create(&pool->conductor, NULL, conduct, pool) : ENOMEM;
    if (failed) {
        log_error("cannot start a thread: %s", strerror(failed));
        finish(pool);
        return NULL;
    }
    return pool;
}

void worker_pool_destroy(struct worker_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->task = NULL;
    pool->quit = true;
    pthread_cond_broadcast(&pool->task_there);
    pthread_mutex_unlock(&pool->lock);
    pthread_join(pool->conductor, NULL);
    finish(pool);
}

/* --- the owner's side --- */

void worker_pool_start(struct worker_pool *pool, struct task *task) {
    pthread_mutex_lock(&pool->lock);
    pool->task = task;
    pool->serial++;
    pthread_cond_broadcast(&pool->task_there);
    pthread_mutex_unlock(&pool->lock);
}

void worker_pool_stop(struct worker_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->task = NULL;
    pthread_mutex_unlock(&pool->lock);
}

void worker_pool_call(struct worker_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->serial++;
    pthread_cond_broadcast(&pool->task_there);
    pthread_mutex_unlock(&pool->lock);
}

struct task *worker_pool_take_source(struct worker_pool *pool, struct task *task) {
    pthread_mutex_lock(&pool->lock);
    struct task *source = task->source;
    task->source = NULL;
    pthread_mutex_unlock(&pool->lock);
    return source;
}

struct task *worker_pool_ref(struct worker_pool *pool, struct task *task, bool older) {
    pthread_mutex_lock(&pool->lock);
    struct task *reference = task_ref(older && task->source ? task->source : task);
    pthread_mutex_unlock(&pool->lock);
    return reference;
}

void worker_pool_wait(struct worker_pool *pool, bool (*news)(const void *user), const void *user,
                      double budget_ms) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const long long ns = until.tv_nsec + (long long)(budget_ms * 1e6);
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->waiting, true);
    while (!news(user))
        if (pthread_cond_timedwait(&pool->news, &pool->lock, &until) == ETIMEDOUT)
            break;
    atomic_store(&pool->waiting, false);
    pthread_mutex_unlock(&pool->lock);
}
