/* Thread limit: starts threads on trial, because OpenMP ends the program if it cannot start one. */
#define _GNU_SOURCE
#include "cpu/threads.h"
#include "render/base/log.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BESIDE     2   /* spare threads for others: a writer and a waiter */
#define GONE_TRIES 200 /* polls for the end of a thread, one every GONE_NS [ns] */
#define GONE_NS    50000

struct trial {
    pthread_t thread;
    atomic_int id; /* thread id of the system; 0: not running yet */
    pthread_mutex_t *held;
};

/* Lives until all threads have been started. */
static void *wait_for_end(void *user) {
    struct trial *trial = user;
    atomic_store(&trial->id, (int)gettid());
    pthread_mutex_lock(trial->held);
    pthread_mutex_unlock(trial->held);
    return NULL;
}

/* Waits until the system no longer counts a joined thread, which takes a moment. */
static void wait_until_gone(int id) {
    for (int i = 0; i < GONE_TRIES && tgkill(getpid(), id, 0) == 0; i++)
        nanosleep(&(struct timespec){0, GONE_NS}, NULL);
}

/* Returns how many of the threads can run at once; *error: why no more. */
static int start_all(struct trial *trials, int wanted, int *error) {
    pthread_mutex_t held;
    int count = 0;
    pthread_mutex_init(&held, NULL);
    pthread_mutex_lock(&held);
    for (; count < wanted; count++) {
        trials[count].held = &held;
        *error = pthread_create(&trials[count].thread, NULL, wait_for_end, &trials[count]);
        if (*error)
            break;
    }
    pthread_mutex_unlock(&held);
    for (int i = 0; i < count; i++)
        pthread_join(trials[i].thread, NULL);
    for (int i = 0; i < count; i++)
        wait_until_gone(atomic_load(&trials[i].id));
    pthread_mutex_destroy(&held);
    return count;
}

int threads_startable(int wanted) {
    struct trial *trials = calloc((size_t)wanted + BESIDE, sizeof *trials);
    int error = ENOMEM;
    int count = trials ? start_all(trials, wanted + BESIDE, &error) : 0;
    free(trials);
    if (count == wanted + BESIDE)
        return wanted;
    errno = error;
    return count > BESIDE ? count - BESIDE : count > 0;
}

int threads_fit(int wanted) {
    const int count = threads_startable(wanted);
    if (count > 0 && count < wanted) /* with none the code that starts a thread reports it */
        log_warn("only %d of %d threads can be started (%s), so this takes longer", count, wanted,
                 strerror(errno));
    return count ? count : 1;
}
