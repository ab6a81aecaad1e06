/* A flag that signals raise. */
#include "app/interrupt.h"
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* A handler has nothing but statics to write to. */
static atomic_bool came;

static void note(int number) {
    (void)number;
    atomic_store(&came, true);
}

void interrupt_catch(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note}; /* no SA_RESTART */
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

bool interrupt_came(void) {
    return atomic_load(&came);
}
