/* Driver probe: calls a driver in a child process or on a thread, so that a fault is contained. */
#define _GNU_SOURCE
#include "gpu/driver_probe.h"
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

_Noreturn static void run_child(int out, void (*query)(void *answer), void *answer, size_t size) {
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
    memset(answer, 0, size);
    query(answer);
    _exit(!write_all(out, answer, size));
}

static enum driver_probe receive(int in, char *answer, size_t size, int timeout_ms) {
    const double until = clock_ms() + timeout_ms;
    size_t done = 0;
    while (done < size) {
        const double left = until - clock_ms();
        struct pollfd ready = {.fd = in, .events = POLLIN};
        const int got = left > 0 ? poll(&ready, 1, (int)left + 1) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return DRIVER_PROBE_TIMED_OUT;
        const ssize_t some = read(in, answer + done, size - done);
        if (some <= 0)
            return DRIVER_PROBE_CRASHED;
        done += (size_t)some;
    }
    return DRIVER_PROBE_ANSWERED;
}

enum driver_probe driver_probe_in_process(void (*query)(void *answer), void *answer, size_t size,
                                          int timeout_ms) {
    enum driver_probe end = DRIVER_PROBE_NOT_STARTED;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return end;
    const pid_t child = fork();
    if (child == 0)
        run_child(ends[1], query, answer, size);
    close(ends[1]);
    if (child > 0) {
        end = receive(ends[0], answer, size, timeout_ms);
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
static void exit_without_handlers(int status, void *user) {
    (void)user;
    fflush(NULL);
    _exit(status);
}

bool driver_probe_join(pthread_t thread, int timeout_ms) {
    const struct timespec until = clock_after(CLOCK_REALTIME, timeout_ms);
    if (pthread_timedjoin_np(thread, NULL, &until) == 0)
        return true;
    on_exit(exit_without_handlers, NULL);
    pthread_detach(thread);
    return false;
}

struct probe {
    void (*query)(void *answer);
    _Alignas(max_align_t) char answer[];
};

static void *query_on_thread(void *user) {
    struct probe *probe = user;
    /* Libraries may start threads that inherit the signal mask and stay. */
    interrupt_block(true);
    probe->query(probe->answer);
    return NULL;
}

enum driver_probe driver_probe_on_thread(void (*query)(void *answer), void *answer, size_t size,
                                         int timeout_ms) {
    struct probe *probe = calloc(1, sizeof *probe + size);
    pthread_t thread;
    if (probe)
        probe->query = query;
    if (!probe || pthread_create(&thread, NULL, query_on_thread, probe) != 0) {
        free(probe);
        return DRIVER_PROBE_NOT_STARTED;
    }
    if (!driver_probe_join(thread, timeout_ms))
        return DRIVER_PROBE_TIMED_OUT; /* The thread still uses `probe`. */
    memcpy(answer, probe->answer, size);
    free(probe);
    return DRIVER_PROBE_ANSWERED;
}
