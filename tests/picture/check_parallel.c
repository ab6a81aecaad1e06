/* Parallel loops: each number once, loops in loops and next to each other, and the scheduling of
 * the caller. */
#define _GNU_SOURCE /* gettid */
#include "render/parallel.h"
#include "tests/shared/check.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#define COUNT   1000
#define CALLERS 4
#define ROUNDS  200
#define NICE    7

struct sums {
    atomic_uint times[COUNT];
    atomic_int wrong;
};

static void note(void *user, uint32_t begin, uint32_t end) {
    struct sums *sums = user;
    for (uint32_t i = begin; i < end; i++)
        atomic_fetch_add(&sums->times[i], 1);
}

static bool is_once(const struct sums *sums, uint32_t count) {
    bool once = true;
    for (uint32_t i = 0; i < COUNT; i++)
        once = once && atomic_load(&sums->times[i]) == (i < count);
    return once;
}

static void check_counts(void) {
    static const uint32_t counts[] = {0, 1, 2, 99, COUNT}, sizes[] = {1, 7, COUNT, UINT32_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            struct sums sums = {0};
            parallel_for(counts[i], sizes[k], note, &sums);
            CHECK(is_once(&sums, counts[i]));
        }
}

static void note_in_loop(void *user, uint32_t begin, uint32_t end) {
    struct sums *sums = user;
    for (uint32_t i = begin; i < end; i++) {
        struct sums inner = {0};
        parallel_for(20, 1, note, &inner);
        atomic_fetch_add(&sums->wrong, !is_once(&inner, 20));
    }
    note(user, begin, end);
}

static void *call_loops(void *user) {
    bool *ok = user;
    *ok = true;
    for (int i = 0; i < ROUNDS; i++) {
        struct sums sums = {0};
        parallel_for(50, 1, i % 20 == 0 ? note_in_loop : note, &sums);
        *ok = *ok && is_once(&sums, 50) && atomic_load(&sums.wrong) == 0;
    }
    return NULL;
}

static void check_callers(void) {
    pthread_t threads[CALLERS];
    bool ok[CALLERS] = {false};
    for (int i = 0; i < CALLERS; i++)
        CHECK(pthread_create(&threads[i], NULL, call_loops, &ok[i]) == 0);
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(ok[i]);
    }
}

/* Notes threads whose scheduling is not that of the caller. */
static void look(void *user, uint32_t begin, uint32_t end) {
    struct sums *sums = user;
    const int policy = sched_getscheduler(0);
    const int niceness = getpriority(PRIO_PROCESS, (id_t)gettid());
    note(user, begin, end);
    atomic_fetch_add(&sums->wrong, policy != SCHED_BATCH || niceness != NICE);
}

static void *call_as_batch(void *user) {
    const struct sched_param none = {0};
    if (sched_setscheduler(0, SCHED_BATCH, &none) == 0 &&
        setpriority(PRIO_PROCESS, (id_t)gettid(), NICE) == 0)
        parallel_for(COUNT, 1, look, user);
    return NULL;
}

/* Threads that waited after the loops of others do not take part. */
static void check_scheduling(void) {
    struct sums sums = {0};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, call_as_batch, &sums) == 0);
    pthread_join(thread, NULL);
    CHECK(is_once(&sums, COUNT) && atomic_load(&sums.wrong) == 0);
}

int main(void) {
    check_counts();
    check_callers();
    check_scheduling();
    printf("%d failures\n", failures);
    return failures > 0;
}
