/* Counts the signals that ask to stop and notes when they came, as a handler may do no more. */
#include "render/base/interrupt.h"
#include "render/base/clock.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Closer together, signals are one: `timeout` signals its child and then the child's group, a
 * terminal that is closed has its shell and the kernel tell of it. Signals sent by hand are farther
 * apart. */
#define APART_MS 500

/* A handler can write to statics only. */
static atomic_int came;
static atomic_llong counted_ms; /* when the last one that counts came; 0: none has */
static atomic_bool held;
static atomic_bool *_Atomic raised;
static atomic_int noting; /* handlers that may be about to raise it */

/* Whether this one counts. A terminal is closed once, however often that is told. */
static bool counts(int number) {
    const long long now = (long long)clock_ms() + 1;
    long long last = atomic_load(&counted_ms);
    if (last != 0 && (number == SIGHUP || now - last < APART_MS))
        return false;
    return atomic_compare_exchange_strong(&counted_ms, &last, now); /* else another thread's does */
}

static void note(int number) {
    const int error = errno;
    atomic_fetch_add(&noting, 1);
    if (counts(number) && atomic_fetch_add(&came, 1) >= 2 && !atomic_load(&held)) {
        signal(number, SIG_DFL);
        raise(number); /* arrives when this returns */
    }
    atomic_bool *const flag = atomic_load(&raised);
    if (flag)
        atomic_store(flag, true);
    atomic_fetch_sub(&noting, 1);
    errno = error;
}

void interrupt_raises(atomic_bool *flag) {
    atomic_store(&raised, flag);
    while (atomic_load(&noting) > 0) /* with the flag before */
        sched_yield();
    if (flag && interrupt_came())
        atomic_store(flag, true);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

bool interrupt_elsewhere(bool elsewhere) {
    sigset_t set, before;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&set, signals[i]);
    pthread_sigmask(elsewhere ? SIG_BLOCK : SIG_UNBLOCK, &set, &before);
    return sigismember(&before, SIGTERM);
}

void interrupt_catch(void) {
    struct sigaction action = {.sa_handler = note}; /* no SA_RESTART */
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

void interrupt_hold(bool hold) {
    atomic_store(&held, hold);
}

bool interrupt_came(void) {
    return atomic_load(&came) > 0;
}

bool interrupt_came_again(void) {
    return atomic_load(&came) > 1;
}
