/* Threads that parallel loops share. */
#define _GNU_SOURCE /* gettid */
#include "render/parallel.h"
#include <errno.h>
#include <mpfr.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MOST 16 /* besides the caller's */
#define IDLE_S       1  /* time without a loop after which a thread ends */

/* Scheduling that the threads inherit that a thread starts. */
struct urgency {
    int policy, niceness;
};

struct loop {
    void (*part)(void *user, uint32_t begin, uint32_t end);
    void *user;
    uint32_t count, size, parts;
    atomic_uint next;
    struct urgency urgency; /* of the caller */
    /* Under the lock: */
    unsigned inside;     /* threads besides the caller's */
    pthread_cond_t left; /* a thread has left the loop */
    struct loop *older;
};

/* A thread that waits for a loop. */
struct idle {
    struct urgency urgency;
    bool called;
    pthread_cond_t call;
    struct idle *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loop *loops; /* that have parts, newest first */
static struct idle *idle;
static int starting[2]; /* threads that do not run yet: of SCHED_IDLE, and others */

static struct urgency own_urgency(void) {
    struct urgency own = {sched_getscheduler(0), getpriority(PRIO_PROCESS, (id_t)gettid())};
    if (!(own.policy & SCHED_RESET_ON_FORK))
        return own;
    own.policy &= ~SCHED_RESET_ON_FORK;
    if (own.policy == SCHED_FIFO || own.policy == SCHED_RR)
        own.policy = SCHED_OTHER;
    own.niceness = own.niceness > 0 ? own.niceness : 0;
    return own;
}

/* Returns the number of threads that do not run yet. Those of SCHED_IDLE may wait for long, and are
 * counted apart. */
static int *starting_of(struct urgency urgency) {
    return &starting[urgency.policy != SCHED_IDLE];
}

static bool is_equal(struct urgency a, struct urgency b) {
    return a.policy == b.policy && a.niceness == b.niceness;
}

static void make_parts(struct loop *loop) {
    uint32_t i;
    while ((i = atomic_fetch_add(&loop->next, 1)) < loop->parts) {
        const uint32_t begin = i * loop->size, left = loop->count - begin;
        loop->part(loop->user, begin, begin + (left < loop->size ? left : loop->size));
    }
}

/* --- threads; the lock is held --- */

static struct loop *find_loop(struct urgency urgency) {
    struct loop *loop = loops;
    while (loop && (!is_equal(loop->urgency, urgency) || atomic_load(&loop->next) >= loop->parts))
        loop = loop->older;
    return loop;
}

static void leave_idle(const struct idle *self) {
    struct idle **at = &idle;
    while (*at != self)
        at = &(*at)->next;
    *at = self->next;
}

/* Waits until a caller needs the thread. Returns false if none does. */
static bool wait_for_call(struct idle *self) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += IDLE_S;
    self->called = false;
    self->next = idle;
    idle = self;
    while (!self->called)
        if (pthread_cond_clockwait(&self->call, &lock, CLOCK_MONOTONIC, &until) == ETIMEDOUT &&
            !self->called) {
            leave_idle(self);
            return false;
        }
    return true;
}

static void *help(void *user) {
    struct idle self = {.urgency = own_urgency(), .call = PTHREAD_COND_INITIALIZER};
    (void)user;
    pthread_mutex_lock(&lock);
    do {
        --*starting_of(self.urgency);
        for (struct loop *loop; (loop = find_loop(self.urgency));) {
            loop->inside++;
            pthread_mutex_unlock(&lock);
            make_parts(loop);
            pthread_mutex_lock(&lock);
            if (--loop->inside == 0)
                pthread_cond_signal(&loop->left);
        }
    } while (wait_for_call(&self));
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&self.call);
    mpfr_free_cache();
    return NULL;
}

/* Calls up to `count` idle threads. Returns their number. */
static int call_threads(struct urgency urgency, int count) {
    int called = 0;
    for (struct idle *self = idle, *next; self && called < count; self = next) {
        next = self->next;
        if (!is_equal(self->urgency, urgency))
            continue;
        leave_idle(self);
        self->called = true;
        pthread_cond_signal(&self->call);
        ++*starting_of(urgency);
        called++;
    }
    return called;
}

/* --- the caller --- */

static void begin(struct loop *loop) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int threads = THREADS_MOST;
    if (processors <= threads)
        threads = processors > 1 ? (int)processors - 1 : 0;
    if (loop->parts <= (uint32_t)threads)
        threads = (int)loop->parts - 1;
    int *begun = starting_of(loop->urgency);
    pthread_mutex_lock(&lock);
    loop->older = loops;
    loops = loop;
    threads = threads > *begun ? threads - *begun : 0;
    threads -= call_threads(loop->urgency, threads);
    *begun += threads;
    pthread_mutex_unlock(&lock);
    for (pthread_t thread; threads > 0 && pthread_create(&thread, NULL, help, NULL) == 0; threads--)
        pthread_detach(thread);
    if (threads == 0)
        return;
    pthread_mutex_lock(&lock);
    *begun -= threads;
    pthread_mutex_unlock(&lock);
}

static void end(struct loop *loop) {
    struct loop **at = &loops;
    pthread_mutex_lock(&lock);
    while (*at != loop)
        at = &(*at)->older;
    *at = loop->older;
    while (loop->inside > 0)
        pthread_cond_wait(&loop->left, &lock);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&loop->left);
}

void parallel_for(uint32_t count, uint32_t size,
                  void (*part)(void *user, uint32_t begin, uint32_t end), void *user) {
    struct loop loop = {.part = part,
                        .user = user,
                        .count = count,
                        .size = size,
                        .parts = count / size + (count % size > 0),
                        .urgency = own_urgency(),
                        .left = PTHREAD_COND_INITIALIZER};
    if (loop.parts > 1)
        begin(&loop);
    make_parts(&loop);
    if (loop.parts > 1)
        end(&loop);
}
