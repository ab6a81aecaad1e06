/* Driver probe: calls a driver in a child process or on a thread, so that a fault is contained. */
#define _GNU_SOURCE
#include "gpu/apart.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool write_all(int out, const char *bytes, size_t size) {
    ssize_t wrote = 0;
    for (size_t done = 0; done < size; done += (size_t)wrote) {
        wrote = write(out, bytes + done, size - done);
        if (wrote <= 0)
            return false;
    }
    return true;
}

_Noreturn static void be_child(int out, void (*ask)(void *answer), void *answer, size_t size) {
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
    memset(answer, 0, size);
    ask(answer);
    _exit(!write_all(out, answer, size));
}

static enum apart receive(int in, char *answer, size_t size, int wait_ms) {
    const double until = clock_ms() + wait_ms;
    size_t done = 0;
    while (done < size) {
        const double left = until - clock_ms();
        struct pollfd ready = {.fd = in, .events = POLLIN};
        const int got = left > 0 ? poll(&ready, 1, (int)left + 1) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return APART_SILENT;
        const ssize_t some = read(in, answer + done, size - done);
        if (some <= 0)
            return APART_CRASHED;
        done += (size_t)some;
    }
    return APART_ANSWERED;
}

enum apart apart_ask(void (*ask)(void *answer), void *answer, size_t size, int wait_ms) {
    enum apart end = APART_NOT_ASKED;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return end;
    const pid_t child = fork();
    if (child == 0)
        be_child(ends[1], ask, answer, size);
    close(ends[1]);
    if (child > 0) {
        end = receive(ends[0], answer, size, wait_ms);
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    close(ends[0]);
    return end;
}

/* --- on a thread --- */

/* Skips the exit handlers of libraries: a handler may wait for the hanging thread, or free memory
 * that the thread uses. */
static void leave_at_once(int status, void *user) {
    (void)user;
    fflush(NULL);
    _exit(status);
}

bool apart_join(pthread_t thread, int wait_ms) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += wait_ms / 1000;
    if (pthread_timedjoin_np(thread, NULL, &until) == 0)
        return true;
    on_exit(leave_at_once, NULL);
    pthread_detach(thread);
    return false;
}

struct here {
    void (*ask)(void *answer);
    _Alignas(max_align_t) char answer[];
};

static void *ask_on_thread(void *user) {
    struct here *here = user;
    /* Libraries may start threads that inherit the signal mask and stay. */
    interrupt_elsewhere(true);
    here->ask(here->answer);
    return NULL;
}

enum apart apart_ask_here(void (*ask)(void *answer), void *answer, size_t size, int wait_ms) {
    struct here *here = calloc(1, sizeof *here + size);
    pthread_t thread;
    if (here)
        here->ask = ask;
    if (!here || pthread_create(&thread, NULL, ask_on_thread, here) != 0) {
        free(here);
        return APART_NOT_ASKED;
    }
    if (!apart_join(thread, wait_ms))
        return APART_SILENT; /* The thread still uses `here`. */
    memcpy(answer, here->answer, size);
    free(here);
    return APART_ANSWERED;
}
