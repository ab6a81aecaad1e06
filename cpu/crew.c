/* Threads that wait for work, and an owner who waits for news. */
#define _GNU_SOURCE /* SCHED_IDLE */
#include "cpu/crew.h"
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

struct crew {
    int threads;
    bool low_priority;
    size_t scratch_size; /* a multiple of SCRATCH_ALIGN */
    char *scratch;       /* one for each thread */
    pthread_t conductor; /* runs the OpenMP region that the workers are */
    pthread_mutex_t lock;
    pthread_cond_t work_there, news;
    struct work *work;    /* what they do, or NULL; under the lock */
    uint64_t serial;      /* counts calls, so that a worker knows a new one; under the lock */
    bool quit;            /* under the lock */
    atomic_bool waiting;  /* the owner sleeps until there are news */
    atomic_llong told_us; /* when he was woken last */
};

/* --- workers --- */

/* Sleeps until there is a call other than the one seen last; NULL: quit. Gives two references. */
static struct work *next_work(struct crew *crew, uint64_t *serial, struct work **source) {
    struct work *work = NULL;
    pthread_mutex_lock(&crew->lock);
    while (!crew->quit && (!crew->work || crew->serial == *serial))
        pthread_cond_wait(&crew->work_there, &crew->lock);
    if (!crew->quit) {
        work = work_ref(crew->work);
        *serial = crew->serial;
        *source = work->source ? work_ref(work->source) : NULL;
    }
    pthread_mutex_unlock(&crew->lock);
    return work;
}

/* Wakes the owner if he sleeps, but not for every step: he would take the workers' processors. */
static void tell_owner(struct crew *crew, bool complete) {
    const long long now_us = (long long)(clock_ms() * 1e3);
    if (!atomic_load(&crew->waiting) ||
        (!complete && now_us - atomic_load(&crew->told_us) < TELL_EVERY_US))
        return;
    atomic_store(&crew->told_us, now_us);
    pthread_mutex_lock(&crew->lock);
    pthread_cond_signal(&crew->news);
    pthread_mutex_unlock(&crew->lock);
}

static void call_others(struct crew *crew, const struct work *work) {
    pthread_mutex_lock(&crew->lock);
    if (crew->work == work) {
        crew->serial++;
        pthread_cond_broadcast(&crew->work_there);
    }
    pthread_mutex_unlock(&crew->lock);
}

static void run_worker(struct crew *crew) {
    const int worker = omp_get_thread_num();
    void *scratch = crew->scratch + (size_t)worker * crew->scratch_size;
    uint64_t serial = 0;
    struct work *work, *source = NULL;
    if (crew->low_priority)
        sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
    while ((work = next_work(crew, &serial, &source))) {
        enum work_step step;
        while ((step = work->kind->step(work, source, worker, scratch)) != WORK_NONE) {
            if (step == WORK_CALL)
                call_others(crew, work);
            tell_owner(crew, false);
        }
        tell_owner(crew, true);
        work_unref(source);
        work_unref(work);
    }
    mpfr_free_cache();
}

static void *conduct(void *user) {
    struct crew *crew = user;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(crew->threads)
    run_worker(crew);
    return NULL;
}

/* --- life --- */

static void init_locks(struct crew *crew) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work_there, NULL);
    pthread_cond_init(&crew->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void finish(struct crew *crew) {
    pthread_cond_destroy(&crew->news);
    pthread_cond_destroy(&crew->work_there);
    pthread_mutex_destroy(&crew->lock);
    free(crew->scratch);
    free(crew);
}

struct crew *crew_create(int threads, bool low_priority, size_t scratch_size) {
    struct crew *crew = calloc(1, sizeof *crew);
    if (!crew) {
        log_error("not enough memory for a backend");
        return NULL;
    }
    crew->threads = threads;
    crew->low_priority = low_priority;
    crew->scratch_size = (scratch_size + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
    init_locks(crew);
    crew->scratch = aligned_alloc(SCRATCH_ALIGN, (size_t)threads * crew->scratch_size);
    const int failed =
        crew->scratch ? pthread_create(&crew->conductor, NULL, conduct, crew) : ENOMEM;
    if (failed) {
        log_error("cannot start a thread: %s", strerror(failed));
        finish(crew);
        return NULL;
    }
    return crew;
}

void crew_destroy(struct crew *crew) {
    pthread_mutex_lock(&crew->lock);
    crew->work = NULL;
    crew->quit = true;
    pthread_cond_broadcast(&crew->work_there);
    pthread_mutex_unlock(&crew->lock);
    pthread_join(crew->conductor, NULL);
    finish(crew);
}

/* --- the owner's side --- */

void crew_start(struct crew *crew, struct work *work) {
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->serial++;
    pthread_cond_broadcast(&crew->work_there);
    pthread_mutex_unlock(&crew->lock);
}

void crew_stop(struct crew *crew) {
    pthread_mutex_lock(&crew->lock);
    crew->work = NULL;
    pthread_mutex_unlock(&crew->lock);
}

void crew_call(struct crew *crew) {
    pthread_mutex_lock(&crew->lock);
    crew->serial++;
    pthread_cond_broadcast(&crew->work_there);
    pthread_mutex_unlock(&crew->lock);
}

struct work *crew_take_source(struct crew *crew, struct work *work) {
    pthread_mutex_lock(&crew->lock);
    struct work *source = work->source;
    work->source = NULL;
    pthread_mutex_unlock(&crew->lock);
    return source;
}

struct work *crew_ref(struct crew *crew, struct work *work, bool older) {
    pthread_mutex_lock(&crew->lock);
    struct work *reference = work_ref(older && work->source ? work->source : work);
    pthread_mutex_unlock(&crew->lock);
    return reference;
}

void crew_wait(struct crew *crew, bool (*news)(const void *user), const void *user,
               double budget_ms) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const long long ns = until.tv_nsec + (long long)(budget_ms * 1e6);
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    pthread_mutex_lock(&crew->lock);
    atomic_store(&crew->waiting, true);
    while (!news(user))
        if (pthread_cond_timedwait(&crew->news, &crew->lock, &until) == ETIMEDOUT)
            break;
    atomic_store(&crew->waiting, false);
    pthread_mutex_unlock(&crew->lock);
}
