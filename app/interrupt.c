/* How many signals came. */
#include "app/interrupt.h"
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* A handler has nothing but statics to write to. */
static atomic_int came;

static void note(int number) {
    if (atomic_fetch_add(&came, 1) < 2)
        return;
    signal(number, SIG_DFL);
    raise(number); /* arrives when this returns */
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
    return atomic_load(&came) > 0;
}

bool interrupt_came_again(void) {
    return atomic_load(&came) > 1;
}
