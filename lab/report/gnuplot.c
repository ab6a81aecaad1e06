/* gnuplot as a child process: script in, SVG out through a pipe, no shell. */
#include "lab/report/gnuplot.h"
#include "render/base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIME_MS    20000
#define BYTES_MOST (32 << 20)

extern char **environ;

struct child {
    pid_t pid;
    int out, errors; /* to read from; -1: closed */
    double end_ms;
    char *svg;
    size_t length, capacity;
    char said[160]; /* the start of its messages */
    size_t said_length;
};

static void close_one(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool open_pipe(int fds[2]) {
    if (pipe(fds) != 0) {
        fds[0] = fds[1] = -1;
        return false;
    }
    for (int i = 0; i < 2; i++)
        fcntl(fds[i], F_SETFD, FD_CLOEXEC);
    return true;
}

/* In a group of its own, so that all it starts can be ended with it. 0, or an error of errno.h. */
static int spawn(struct child *child, const char *script, int out, int errors) {
    char *const arguments[] = {"gnuplot", "-d", NULL}; /* -d: no settings of the user's */
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, script, O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    const int error =
        posix_spawnp(&child->pid, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* False: no memory, or too much was said. */
static bool keep(struct child *child, const char *bytes, size_t count) {
    if (child->length + count > BYTES_MOST)
        return false;
    if (child->length + count > child->capacity) {
        const size_t capacity = 2 * (child->length + count);
        char *svg = realloc(child->svg, capacity);
        if (!svg)
            return false;
        child->svg = svg;
        child->capacity = capacity;
    }
    memcpy(child->svg + child->length, bytes, count);
    child->length += count;
    return true;
}

static void keep_said(struct child *child, const char *bytes, size_t count) {
    const size_t room = sizeof child->said - 1 - child->said_length;
    memcpy(child->said + child->said_length, bytes, count < room ? count : room);
    child->said_length += count < room ? count : room;
}

/* Takes what one of the pipes has; closes it at its end. */
static bool take(struct child *child, int *fd) {
    char bytes[16384];
    const ssize_t got = read(*fd, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR)
        return true;
    if (got <= 0)
        close_one(fd);
    else if (fd == &child->out)
        return keep(child, bytes, (size_t)got);
    else
        keep_said(child, bytes, (size_t)got);
    return got >= 0;
}

/* Reads until both pipes end. False: it takes too long, or too much. */
static bool listen_to(struct child *child) {
    while (child->out >= 0 || child->errors >= 0) {
        struct pollfd fds[] = {{.fd = child->out, .events = POLLIN},
                               {.fd = child->errors, .events = POLLIN}};
        const double left = child->end_ms - clock_ms();
        if (left <= 0)
            return false;
        if (poll(fds, 2, (int)left + 1) < 0 && errno != EINTR)
            return false;
        if ((fds[0].revents && !take(child, &child->out)) ||
            (fds[1].revents && !take(child, &child->errors)))
            return false;
    }
    return true;
}

/* Its exit status; -1: it had to be ended. */
static int await(const struct child *child) {
    static const struct timespec moment = {.tv_nsec = 2000000};
    int status = 0;
    pid_t done;
    while ((done = waitpid(child->pid, &status, WNOHANG)) <= 0) {
        if (done < 0 && errno != EINTR)
            return -1;
        if (clock_ms() >= child->end_ms) {
            kill(-child->pid, SIGKILL);
            while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
            }
            return -1;
        }
        nanosleep(&moment, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* The first line that says anything. */
static const char *first_line(char *text) {
    static const char blank[] = " \t\r\n";
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        line += strspn(line, blank);
        if (*line && strncmp(line, "gnuplot>", 8) != 0 && *line != '^')
            return line;
    }
    return "it said nothing about why";
}

static bool whole(const struct child *child) {
    static const char end[] = "</svg>";
    size_t length = child->length;
    while (length > 0 && strchr("\r\n ", child->svg[length - 1]))
        length--;
    return length > strlen(end) && memcmp(child->svg + length - strlen(end), end, strlen(end)) == 0;
}

static enum gnuplot_result run(struct child *child, const char *script, char why[200]) {
    int out[2] = {-1, -1}, errors[2] = {-1, -1}, error = 0;
    if (!open_pipe(out) || !open_pipe(errors))
        error = errno;
    else
        error = spawn(child, script, out[1], errors[1]);
    close_one(&out[1]);
    close_one(&errors[1]);
    child->out = out[0];
    child->errors = errors[0];
    if (error) {
        snprintf(why, 200, "%s", strerror(error));
        return error == ENOENT && access(script, R_OK) == 0 ? GNUPLOT_MISSING : GNUPLOT_FAILED;
    }
    if (!listen_to(child))
        child->end_ms = 0;
    const int status = await(child);
    if (status == 127 && child->length == 0 && !child->said_length)
        return GNUPLOT_MISSING;
    if (status == 0 && whole(child))
        return GNUPLOT_DONE;
    snprintf(why, 200, "%s",
             status < 0 ? "it did not end, and was stopped" : first_line(child->said));
    return status < 0 ? GNUPLOT_HUNG : GNUPLOT_FAILED;
}

enum gnuplot_result gnuplot_draw(const char *script, char **svg, size_t *length, char why[200]) {
    struct child child = {.out = -1, .errors = -1, .end_ms = clock_ms() + TIME_MS};
    snprintf(why, 200, "there is no program gnuplot");
    const enum gnuplot_result result = run(&child, script, why);
    close_one(&child.out);
    close_one(&child.errors);
    *svg = child.svg;
    *length = child.length;
    if (result != GNUPLOT_DONE) {
        free(child.svg);
        *svg = NULL;
    }
    return result;
}
