/* Worker pool: keeps the threads of OpenMP regions asleep until there is a task, gives them the
 * task of highest priority, and wakes the owner when there is progress. */
#define _GNU_SOURCE /* SCHED_IDLE, sem_clockwait, pthread_timedjoin_np */
#include "cpu/worker_pool.h"
#include "cpu/threads.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <errno.h>
#include <mpfr.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TELL_EVERY_US 4000
#define SCRATCH_ALIGN 64
/* [ms] time that the owner waits for threads to end. Under full load, low-priority threads may not
 * be scheduled for many seconds, and only root may raise their priority again. */
#define PATIENCE_MS 200

/* Threads of one OpenMP region. */
struct worker_set {
    struct worker_pool *pool;
    bool low_priority;
    char *scratch;       /* scratch memory, scratch_size for each thread */
    pthread_t conductor; /* runs the region */
    /* Semaphore on which idle threads sleep. Broadcasting a condition would wait for low-priority
     * threads that an earlier broadcast woke and that were not scheduled since. */
    sem_t task_there;
    int asleep; /* number of sleepers; protected by the lock */
};

/* Sets of threads: SET_EAGER serves the eager ones; without it SET_PATIENT serves all. */
enum { SET_PATIENT, SET_EAGER, SETS };

struct worker_pool {
    int threads;         /* in each set */
    size_t scratch_size; /* [bytes] multiple of SCRATCH_ALIGN */
    struct worker_set set[SETS];
    int sets;          /* number of sets; protected by the lock once there are tasks */
    bool eager_failed; /* the eager set cannot be started; the owner's */
    pthread_mutex_t lock;
    /* Posted by workers when there is progress. No lock: a low-priority worker that is not
     * scheduled while it holds the lock would block the owner. */
    sem_t news;
    struct task *tasks; /* started tasks, highest priority first; protected by the lock */
    /* Calls of all tasks; a change makes workers look for a task of higher priority. */
    atomic_uint calls;
    bool quit; /* protected by the lock */
    /* Number of users: the owner and the conductors. Atomic instead of locked: a thread that is not
     * scheduled for long may hold the lock when the owner stops waiting. */
    atomic_int present;
    void (*gone)(void *user);
    void *user;
    _Atomic(const struct task *) awaited; /* task whose progress the owner waits for; NULL: none */
    atomic_llong woken_us;                /* [us] time of the owner's last wake-up */
};

/* --- workers --- */

static struct worker_set *set_of(struct worker_pool *pool, const struct task *task) {
    return &pool->set[task->eager && pool->sets == SETS ? SET_EAGER : SET_PATIENT];
}

/* Wakes the set's threads. Needs the lock. */
static void wake(struct worker_set *set) {
    for (; set->asleep > 0; set->asleep--)
        sem_post(&set->task_there);
}

/* Sleeps until woken. Needs the lock, and releases it meanwhile. */
static void fall_asleep(struct worker_set *set) {
    set->asleep++;
    pthread_mutex_unlock(&set->pool->lock);
    while (sem_wait(&set->task_there) != 0)
        continue; /* interrupted by a signal */
    pthread_mutex_lock(&set->pool->lock);
}

/* Marks new work in a task and wakes its workers. Needs the lock. */
static void call(struct worker_pool *pool, struct task *task) {
    task->calls++;
    task->idle = false;
    wake(set_of(pool, task));
}

static struct task *most_urgent(const struct worker_set *set) {
    struct task *task = set->pool->tasks;
    while (task && (task->idle || set_of(set->pool, task) != set))
        task = task->next;
    return task;
}

/* Stay of a worker at a task. */
struct visit {
    struct task *task, *source; /* references; NULL: none */
    unsigned calls, task_calls; /* numbers of calls at its start */
};

/* Sleeps until there is work, and takes a task. Returns false if the pool quits. */
static bool begin_visit(struct worker_set *set, struct visit *visit) {
    struct worker_pool *pool = set->pool;
    *visit = (struct visit){0};
    pthread_mutex_lock(&pool->lock);
    while (!pool->quit && !(visit->task = most_urgent(set)))
        fall_asleep(set);
    const bool found = !pool->quit;
    if (found) {
        task_ref(visit->task);
        visit->source = visit->task->source ? task_ref(visit->task->source) : NULL;
        visit->calls = atomic_load(&pool->calls);
        visit->task_calls = visit->task->calls;
    }
    pthread_mutex_unlock(&pool->lock);
    return found;
}

/* Leaves a task. Work that the worker leaves behind may have been hidden from others, so they look
 * again. */
static void end_visit(struct worker_pool *pool, const struct visit *visit, bool nothing) {
    pthread_mutex_lock(&pool->lock);
    if (!nothing)
        call(pool, visit->task);
    else if (visit->task->calls == visit->task_calls)
        visit->task->idle = true;
    pthread_mutex_unlock(&pool->lock);
    task_unref(visit->source);
    task_unref(visit->task);
}

/* Wakes the owner if it waits for the task, but not for every step, which would cost processor
 * time. */
static void tell_owner(struct worker_pool *pool, const struct task *task, bool leaving) {
    const long long now_us = (long long)(clock_ms() * 1e3);
    if (atomic_load(&pool->awaited) != task ||
        (!leaving && now_us - atomic_load(&pool->woken_us) < TELL_EVERY_US))
        return;
    atomic_store(&pool->woken_us, now_us);
    sem_post(&pool->news);
}

static void run_worker(struct worker_set *set) {
    struct worker_pool *pool = set->pool;
    const int worker = omp_get_thread_num();
    void *scratch = set->scratch + (size_t)worker * pool->scratch_size;
    struct visit visit;
    if (set->low_priority)
        sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
    while (begin_visit(set, &visit)) {
        enum task_step step;
        do {
            step = visit.task->kind->step(visit.task, visit.source, worker, scratch);
            if (step == TASK_CALL)
                worker_pool_call(pool, visit.task);
            tell_owner(pool, visit.task, false);
        } while (step != TASK_NONE && atomic_load(&pool->calls) == visit.calls);
        tell_owner(pool, visit.task, true);
        end_visit(pool, &visit, step == TASK_NONE);
    }
    mpfr_free_cache();
}

/* Drops a user of the pool; the last one frees it. */
static void leave(struct worker_pool *pool) {
    if (atomic_fetch_sub(&pool->present, 1) > 1)
        return;
    for (int i = 0; i < pool->sets; i++) {
        sem_destroy(&pool->set[i].task_there);
        free(pool->set[i].scratch);
    }
    sem_destroy(&pool->news);
    pthread_mutex_destroy(&pool->lock);
    if (pool->gone)
        pool->gone(pool->user);
    free(pool);
}

static void *conduct(void *user) {
    struct worker_set *set = user;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(set->pool->threads)
    run_worker(set);
    leave(set->pool);
    return NULL;
}

/* --- conductors that outlive their pool --- */

/* GCC's OpenMP lets the process end while its threads run. Clang's frees memory that they use, so
 * the end of the process waits for them there. */
#ifdef __clang__
#define EXIT_PATIENCE_S 20

struct late {
    pthread_t conductor;
    struct late *next;
};

static pthread_mutex_t late_lock = PTHREAD_MUTEX_INITIALIZER;
static struct late *late_ones;

/* Joins the conductors that end before `until`. */
static void join_late_ones(const struct timespec *until) {
    pthread_mutex_lock(&late_lock);
    for (struct late **link = &late_ones; *link;) {
        struct late *late = *link;
        if (pthread_timedjoin_np(late->conductor, NULL, until) == 0) {
            *link = late->next;
            free(late);
        } else {
            link = &late->next;
        }
    }
    pthread_mutex_unlock(&late_lock);
}

static void wait_for_late_ones(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += EXIT_PATIENCE_S;
    join_late_ones(&until);
}

static void wait_at_exit(void) {
    omp_get_max_threads(); /* registers OpenMP's own exit handler first, so that it runs last */
    atexit(wait_for_late_ones);
}

static void prepare_exit(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, wait_at_exit);
}

static void let_go(pthread_t conductor) {
    join_late_ones(&(struct timespec){0});
    struct late *late = malloc(sizeof *late);
    if (!late) {
        pthread_detach(conductor);
        return;
    }
    pthread_mutex_lock(&late_lock);
    *late = (struct late){conductor, late_ones};
    late_ones = late;
    pthread_mutex_unlock(&late_lock);
}
#else
static void prepare_exit(void) {
}

static void let_go(pthread_t conductor) {
    pthread_detach(conductor);
}
#endif

/* --- creation and destruction --- */

/* Starts a set of threads. Returns 0 or the error number. */
static int start_set(struct worker_pool *pool, bool low_priority) {
    struct worker_set *set = &pool->set[pool->sets];
    *set = (struct worker_set){.pool = pool, .low_priority = low_priority};
    set->scratch = aligned_alloc(SCRATCH_ALIGN, (size_t)pool->threads * pool->scratch_size);
    if (!set->scratch)
        return ENOMEM;
    sem_init(&set->task_there, 0, 0);
    const int failed = pthread_create(&set->conductor, NULL, conduct, set);
    if (failed) {
        sem_destroy(&set->task_there);
        free(set->scratch);
    }
    pthread_mutex_lock(&pool->lock);
    pool->sets += !failed;
    atomic_fetch_add(&pool->present, !failed);
    pthread_mutex_unlock(&pool->lock);
    return failed;
}

void worker_pool_destroy(struct worker_pool *pool, void (*gone)(void *user), void *user) {
    struct timespec until;
    pthread_mutex_lock(&pool->lock);
    pool->gone = gone;
    pool->user = user;
    pool->quit = true;
    for (int i = 0; i < pool->sets; i++)
        wake(&pool->set[i]);
    pthread_mutex_unlock(&pool->lock);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    for (int i = 0; i < pool->sets; i++)
        if (pthread_timedjoin_np(pool->set[i].conductor, NULL, &until) != 0)
            let_go(pool->set[i].conductor);
    leave(pool);
}

struct worker_pool *worker_pool_create(int threads, bool low_priority, size_t scratch_size) {
    struct worker_pool *pool = calloc(1, sizeof *pool);
    if (!pool) {
        log_error("not enough memory for a backend");
        return NULL;
    }
    prepare_exit();
    pool->threads = threads;
    atomic_init(&pool->present, 1);
    pool->scratch_size = (scratch_size + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
    pthread_mutex_init(&pool->lock, NULL);
    sem_init(&pool->news, 0, 0);
    const int failed = start_set(pool, low_priority);
    if (failed) {
        log_error("cannot start a thread: %s", strerror(failed));
        worker_pool_destroy(pool, NULL, NULL);
        return NULL;
    }
    return pool;
}

/* --- owner's thread --- */

static void start_eager(struct worker_pool *pool) {
    pool->eager_failed =
        threads_startable(pool->threads) < pool->threads || start_set(pool, false) != 0;
    if (pool->eager_failed)
        log_warn("%d more threads cannot be started, so pictures in motion wait for other programs",
                 pool->threads);
}

bool worker_pool_eager(struct worker_pool *pool, bool eager) {
    if (!pool->set[SET_PATIENT].low_priority)
        return true;
    if (eager && pool->sets < SETS && !pool->eager_failed)
        start_eager(pool);
    return eager && pool->sets == SETS;
}

/* Removes a task from the list. Needs the lock. */
static void take_out(struct worker_pool *pool, const struct task *task) {
    struct task **link = &pool->tasks;
    while (*link && *link != task)
        link = &(*link)->next;
    if (*link)
        *link = task->next;
}

void worker_pool_start(struct worker_pool *pool, struct task *task, int rank) {
    pthread_mutex_lock(&pool->lock);
    take_out(pool, task);
    struct task **link = &pool->tasks;
    while (*link && (*link)->rank <= rank)
        link = &(*link)->next;
    task->rank = rank;
    task->next = *link;
    *link = task;
    call(pool, task);
    atomic_fetch_add(&pool->calls, 1);
    pthread_mutex_unlock(&pool->lock);
}

void worker_pool_stop(struct worker_pool *pool, struct task *task) {
    pthread_mutex_lock(&pool->lock);
    take_out(pool, task);
    pthread_mutex_unlock(&pool->lock);
}

void worker_pool_call(struct worker_pool *pool, struct task *task) {
    pthread_mutex_lock(&pool->lock);
    call(pool, task);
    atomic_fetch_add(&pool->calls, 1);
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

void worker_pool_wait(struct worker_pool *pool, const struct task *task,
                      bool (*news)(const void *user), const void *user, double budget_ms) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const long long ns = until.tv_nsec + (long long)(budget_ms * 1e6);
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    atomic_store(&pool->awaited, task);
    while (!news(user))
        if (sem_clockwait(&pool->news, CLOCK_MONOTONIC, &until) != 0 && errno != EINTR)
            break;
    atomic_store(&pool->awaited, NULL);
    while (sem_trywait(&pool->news) == 0)
        continue; /* drops posts that arrived too late */
}
