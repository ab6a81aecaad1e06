/* Threads that share the steps of an orbit. */
#define _GNU_SOURCE /* SCHED_IDLE, sched_getaffinity */
#include "render/deep/crew.h"
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define APART        128 /* [bytes] between members that different threads write: two cache lines */
#define SPINS        2000 /* pauses of a helper without work before it sleeps: 20 to 100 us */
#define SPINS_AT_ONE 64   /* pauses between two reads of the clock */
#define SENT_AWAY    ULONG_MAX
#define TRIAL        64   /* tasks that are timed with each number of threads */
#define WARM_UP      32   /* tasks before them */
#define TRIAL_WAITS  1024 /* tasks done alone while a trial waits for a helper: it is not there */
/* Number of tasks until the next trials: with helpers, or without, where it doubles each time. */
#define PERIOD       (100 * TRIAL)
#define PERIOD_ALONE (32 * TRIAL)
#define PERIOD_MOST  (1024 * TRIAL)

struct helper {
    /* The caller's: number of the last part that was offered, or SENT_AWAY. */
    _Alignas(APART) atomic_ulong offered;
    void *task;
    unsigned long called; /* value of `naps` when the caller last woke the helper */
    /* The helper's: number of the last part that is done; odd `naps` while it sleeps. */
    _Alignas(APART) atomic_ulong done;
    atomic_ulong naps;
    struct crew *crew;
    unsigned part;
    sem_t wake;
};

struct crew {
    void (*work)(void *task, unsigned part);
    unsigned helpers, working; /* `working`: helpers that have a part of the task */
    unsigned threads;          /* of the next tasks */
    unsigned trial;            /* threads on trial; 0: none */
    unsigned left, waited;     /* tasks until the end of the trial or the period */
    unsigned alone;            /* next period without helpers */
    long long since_ns, took_ns[CREW_MOST + 1]; /* by threads */
    void (*gone)(void *user);
    void *user;
    atomic_uint present; /* helpers, and the caller until it leaves */
    struct helper helper[CREW_MOST - 1];
};

static void pause_briefly(void) {
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

/* --- helpers --- */

static void leave(struct crew *crew) {
    if (atomic_fetch_sub(&crew->present, 1) > 1)
        return;
    for (unsigned i = 0; i < crew->helpers; i++)
        sem_destroy(&crew->helper[i].wake);
    crew->gone(crew->user);
    free(crew);
}

static void sleep_until_called(struct helper *helper) {
    atomic_fetch_add(&helper->naps, 1);
    while (sem_wait(&helper->wake) != 0)
        continue; /* interrupted by a signal */
    atomic_fetch_add(&helper->naps, 1);
}

/* Waits for another part than the last one, and returns its number. */
static unsigned long next_part(struct helper *helper, unsigned long last) {
    unsigned long part;
    unsigned spins = 0;
    while ((part = atomic_load_explicit(&helper->offered, memory_order_acquire)) == last) {
        if (++spins < SPINS) {
            pause_briefly();
        } else {
            sleep_until_called(helper);
            spins = 0;
        }
    }
    return part;
}

static void *help(void *user) {
    struct helper *helper = user;
    unsigned long part = 0;
    sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
    atomic_fetch_add(&helper->naps, 1);
    while ((part = next_part(helper, part)) != SENT_AWAY) {
        helper->crew->work(helper->task, helper->part);
        atomic_store_explicit(&helper->done, part, memory_order_release);
    }
    leave(helper->crew);
    return NULL;
}

/* --- the caller --- */

unsigned crew_threads(int asked) {
    cpu_set_t set;
    const int there = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    const int threads = asked > 0 && asked < there ? asked : there;
    return threads > 1 ? (unsigned)threads : 1;
}

static bool start(struct crew *crew) {
    struct helper *helper = &crew->helper[crew->helpers];
    pthread_t thread;
    helper->crew = crew;
    helper->part = crew->helpers + 1;
    helper->called = 1;
    atomic_store(&helper->naps, 1); /* until it runs */
    sem_init(&helper->wake, 0, 0);
    atomic_fetch_add(&crew->present, 1);
    if (pthread_create(&thread, NULL, help, helper) != 0) {
        atomic_fetch_sub(&crew->present, 1);
        sem_destroy(&helper->wake);
        return false;
    }
    pthread_detach(thread);
    crew->helpers++;
    return true;
}

struct crew *crew_create(unsigned threads, void (*work)(void *task, unsigned part)) {
    struct crew *crew = threads > 1 ? aligned_alloc(APART, sizeof *crew) : NULL;
    if (!crew)
        return NULL;
    *crew = (struct crew){.work = work, .present = 1, .alone = PERIOD_ALONE};
    while (crew->helpers + 1 < threads && crew->helpers + 1 < CREW_MOST && start(crew))
        continue;
    if (crew->helpers > 0)
        return crew;
    free(crew);
    return NULL;
}

void crew_leave(struct crew *crew, void (*gone)(void *user), void *user) {
    if (!crew) {
        gone(user);
        return;
    }
    crew->gone = gone;
    crew->user = user;
    for (unsigned i = 0; i < crew->helpers; i++) {
        atomic_store(&crew->helper[i].offered, SENT_AWAY);
        sem_post(&crew->helper[i].wake);
    }
    leave(crew);
}

/* --- steps --- */

static bool is_late(const struct helper *helper) {
    return atomic_load_explicit(&helper->done, memory_order_acquire) !=
           atomic_load_explicit(&helper->offered, memory_order_relaxed);
}

/* Returns true if a helper waits for a part. Wakes it if it sleeps. */
static bool is_ready(struct helper *helper) {
    const unsigned long naps = atomic_load_explicit(&helper->naps, memory_order_relaxed);
    if (naps % 2 == 0)
        return !is_late(helper);
    if (naps != helper->called)
        sem_post(&helper->wake);
    helper->called = naps;
    return false;
}

static long long now_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Ends a trial, or the period after the trials. Begins the next one. Time for which the caller's
 * thread does not run is not counted. */
static void begin_next(struct crew *crew) {
    if (crew->trial > 0)
        crew->took_ns[crew->trial] = crew->waited > TRIAL_WAITS
                                         ? LLONG_MAX
                                         : now_ns(CLOCK_THREAD_CPUTIME_ID) - crew->since_ns;
    crew->waited = 0;
    crew->left = WARM_UP + TRIAL;
    if (crew->trial <= crew->helpers) {
        crew->threads = ++crew->trial;
        return;
    }
    crew->threads = crew->trial = 0;
    for (unsigned i = 1; i <= crew->helpers + 1; i++)
        if (crew->threads == 0 || crew->took_ns[i] < crew->took_ns[crew->threads])
            crew->threads = i;
    crew->left = crew->threads > 1 ? PERIOD : crew->alone;
    crew->alone = crew->threads > 1           ? PERIOD_ALONE
                  : crew->alone < PERIOD_MOST ? 2 * crew->alone
                                              : PERIOD_MOST;
}

unsigned crew_next(struct crew *crew, unsigned most) {
    bool ready = true;
    if (crew->left == 0 || crew->waited > TRIAL_WAITS)
        begin_next(crew);
    const unsigned threads = crew->threads < most ? crew->threads : most;
    for (unsigned i = 0; i + 1 < threads; i++)
        ready &= is_ready(&crew->helper[i]);
    if (crew->trial > 0 && crew->left >= TRIAL && !ready) {
        crew->waited++;
        return 1;
    }
    if (crew->trial > 0 && crew->left == TRIAL)
        crew->since_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
    crew->left--;
    return ready ? threads : 1;
}

void crew_offer(struct crew *crew, void *task, unsigned count) {
    crew->working = count - 1;
    for (unsigned i = 0; i < crew->working; i++) {
        struct helper *helper = &crew->helper[i];
        helper->task = task;
        const unsigned long last = atomic_load_explicit(&helper->offered, memory_order_relaxed);
        atomic_store_explicit(&helper->offered, last + 1, memory_order_release);
    }
}

/* Waits until a helper has done its part. Returns false after `patience_ns`. */
static bool wait_for(const struct helper *helper, long patience_ns) {
    long long until_ns = 0;
    for (;;) {
        for (int i = 0; i < SPINS_AT_ONE; i++) {
            if (!is_late(helper))
                return true;
            pause_briefly();
        }
        const long long now = now_ns(CLOCK_MONOTONIC);
        until_ns = until_ns ? until_ns : now + patience_ns;
        if (now >= until_ns)
            return false;
    }
}

bool crew_finish(struct crew *crew, long patience_ns) {
    bool done = true;
    for (unsigned i = 0; i < crew->working && done; i++)
        done = wait_for(&crew->helper[i], patience_ns);
    return done;
}

bool crew_holds(const struct crew *crew, const void *task) {
    bool holds = false;
    for (unsigned i = 0; i < crew->helpers; i++)
        holds |= crew->helper[i].task == task && is_late(&crew->helper[i]);
    return holds;
}
