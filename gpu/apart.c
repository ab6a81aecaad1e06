/* Asking a driver in a process of its own. */
#define _GNU_SOURCE
#include "gpu/apart.h"
#include "render/base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
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
