/* Interrupts: counts the signals that request a stop and stores their times, which is all that a
 * handler may do. */
#include "render/base/interrupt.h"
#include "render/base/clock.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* [ms] signals closer together count as one: `timeout` signals its child and then the child's
 * group; the shell and the kernel both report a closed terminal. Signals sent by hand are farther
 * apart. */
#define APART_MS 500

/* Signal handlers can only use static variables.
 *
 * Number of counted signals. */
static atomic_int counted_signals;
static atomic_llong last_ms; /* [ms] time of the last counted signal; 0: none yet */
static atomic_bool held;
static atomic_bool *_Atomic flag_to_set;
static atomic_int handlers; /* number of handlers that may be about to set `flag_to_set` */

/* Returns true if this signal counts. A closed terminal counts once, even if several signals report
 * it. */
static bool is_counted(int number) {
    const long long now = (long long)clock_ms() + 1;
    long long last = atomic_load(&last_ms);
    if (last != 0 && (number == SIGHUP || now - last < APART_MS))
        return false;
    /* Fails if the signal of another thread counts. */
    return atomic_compare_exchange_strong(&last_ms, &last, now);
}

static void handle_signal(int number) {
    const int error = errno;
    atomic_fetch_add(&handlers, 1);
    if (is_counted(number) && atomic_fetch_add(&counted_signals, 1) >= 2 && !atomic_load(&held)) {
        signal(number, SIG_DFL);
        raise(number); /* delivered when this handler returns */
    }
    atomic_bool *const flag = atomic_load(&flag_to_set);
    if (flag)
        atomic_store(flag, true);
    atomic_fetch_sub(&handlers, 1);
    errno = error;
}

void interrupt_set_flag(atomic_bool *flag) {
    atomic_store(&flag_to_set, flag);
    while (atomic_load(&handlers) > 0) /* handlers with the previous flag */
        sched_yield();
    if (flag && interrupt_requested())
        atomic_store(flag, true);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

bool interrupt_block(bool block) {
    sigset_t set, before;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&set, signals[i]);
    pthread_sigmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, &before);
    return sigismember(&before, SIGTERM);
}

void interrupt_catch(void) {
    struct sigaction action = {.sa_handler = handle_signal}; /* no SA_RESTART */
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

bool interrupt_requested(void) {
    return atomic_load(&counted_signals) > 0;
}

bool interrupt_repeated(void) {
    return atomic_load(&counted_signals) > 1;
}
