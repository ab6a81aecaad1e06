/* ffmpeg: starts the program, feeds it, and finds out how it has ended. */
#define _GNU_SOURCE
#include "app/movie/film/ffmpeg.h"
#include "app/work/process.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS    100       /* interval between two checks for interrupts */
#define POLL_MS    10        /* interval between two checks of a process that cannot be watched */
#define PIPE_BYTES (1 << 20) /* wanted size of the pipe: fewer switches between the processes */
#define TEXT_BYTES 4096      /* longest part of ffmpeg's output that is read */

/* --- command line --- */

static const char *program(void) {
    const char *named = getenv("FATHOM_FFMPEG");
    return named && *named ? named : "ffmpeg";
}

bool ffmpeg_exists(void) {
    const char *folders = getenv("PATH"), *name = program();
    bool found = strchr(name, '/') && access(name, X_OK) == 0;
    while (!found && !strchr(name, '/') && folders && *folders) {
        const size_t length = strcspn(folders, ":");
        char *path = NULL;
        found =
            asprintf(&path, "%.*s/%s", (int)length, folders, name) >= 0 && access(path, X_OK) == 0;
        free(path);
        folders += length + (folders[length] == ':');
    }
    return found;
}

static void append(struct ffmpeg_words *words, const char *text) {
    char *word = words->count < FFMPEG_WORDS_MAX ? strdup(text) : NULL;
    words->failed |= !word;
    if (word)
        words->words[words->count++] = word;
}

static char *print(struct ffmpeg_words *words, const char *format, va_list list) {
    char *text = NULL;
    if (vasprintf(&text, format, list) >= 0)
        return text;
    words->failed = true;
    return NULL;
}

void ffmpeg_words_init(struct ffmpeg_words *words) {
    *words = (struct ffmpeg_words){0};
    ffmpeg_words_add(words, "%s", program());
    ffmpeg_words_split(words,
                       "-hide_banner -nostdin -v error -xerror -nostats -progress pipe:1 -y");
}

void ffmpeg_words_add(struct ffmpeg_words *words, const char *format, ...) {
    va_list list;
    va_start(list, format);
    char *text = print(words, format, list);
    va_end(list);
    if (text)
        append(words, text);
    free(text);
}

void ffmpeg_words_split(struct ffmpeg_words *words, const char *format, ...) {
    char *rest;
    va_list list;
    va_start(list, format);
    char *text = print(words, format, list);
    va_end(list);
    for (char *word = text ? strtok_r(text, " ", &rest) : NULL; word;
         word = strtok_r(NULL, " ", &rest))
        append(words, word);
    free(text);
}

void ffmpeg_words_finish(struct ffmpeg_words *words) {
    for (int i = 0; i < words->count; i++)
        free(words->words[i]);
    *words = (struct ffmpeg_words){0};
}

/* --- the process --- */

/* Closes all descriptors; the process has ended. */
static void finish(struct ffmpeg *ffmpeg) {
    const int open[] = {ffmpeg->watch, ffmpeg->input, ffmpeg->progress, ffmpeg->error};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (open[i] >= 0)
            close(open[i]);
    *ffmpeg = (struct ffmpeg){0, -1, -1, -1, -1, 0};
}

static void log_start_failure(int error) {
    if (error == ENOENT && strcmp(program(), "ffmpeg") == 0)
        log_error("there is no ffmpeg, which encodes videos: install it, or write numbered "
                  "pictures (-o 'frame-%%i.png')");
    else
        log_error("cannot start '%s', which encodes videos: %s", program(), strerror(error));
}

bool ffmpeg_start(struct ffmpeg *ffmpeg, const struct ffmpeg_words *words, double limit_ms) {
    int ends[2] = {-1, -1};
    *ffmpeg = (struct ffmpeg){0, -1, -1, -1, -1, clock_ms() + limit_ms};
    int error = words->failed ? ENOMEM : 0;
    if (error == 0) {
        ffmpeg->progress = memfd_create("ffmpeg-progress", MFD_CLOEXEC);
        ffmpeg->error = memfd_create("ffmpeg-error", MFD_CLOEXEC);
        if (ffmpeg->progress < 0 || ffmpeg->error < 0 || pipe2(ends, O_CLOEXEC) != 0)
            error = errno;
    }
    if (error == 0)
        error = process_start(&ffmpeg->process, words->words,
                              (int[]){ends[0], ffmpeg->progress, ffmpeg->error});
    if (ends[0] >= 0)
        close(ends[0]);
    ffmpeg->input = ends[1];
    if (error != 0) {
        finish(ffmpeg);
        log_start_failure(error);
        return false;
    }
    fcntl(ffmpeg->input, F_SETPIPE_SZ, PIPE_BYTES);
    fcntl(ffmpeg->input, F_SETFL, O_NONBLOCK);
    ffmpeg->watch = (int)syscall(SYS_pidfd_open, ffmpeg->process, 0);
    return true;
}

static bool must_stop(const struct ffmpeg *ffmpeg) {
    return interrupt_requested() || clock_ms() > ffmpeg->end_ms;
}

bool ffmpeg_write(struct ffmpeg *ffmpeg, const void *data, size_t size) {
    const char *from = data;
    for (size_t at = 0; at < size;) {
        struct pollfd ready = {ffmpeg->input, POLLOUT, 0};
        if (must_stop(ffmpeg))
            return false;
        if (poll(&ready, 1, LOOK_MS) <= 0)
            continue;
        const ssize_t n = write(ffmpeg->input, from + at, size - at);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        at += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Waits until the process ends. Returns false if it had to be killed. */
static bool wait_for_end(struct ffmpeg *ffmpeg, int *status) {
    bool killed = false;
    for (;;) {
        const pid_t ended = waitpid(ffmpeg->process, status, killed ? 0 : WNOHANG);
        if (ended == ffmpeg->process || (ended < 0 && errno != EINTR))
            break;
        if (!killed && must_stop(ffmpeg)) {
            kill(-ffmpeg->process, SIGKILL);
            killed = true;
        } else if (!killed) {
            /* Without a descriptor, poll only waits. */
            struct pollfd watch = {ffmpeg->watch, POLLIN, 0};
            poll(&watch, 1, ffmpeg->watch < 0 ? POLL_MS : LOOK_MS);
        }
    }
    ffmpeg->process = 0;
    return !killed;
}

/* --- its output --- */

/* Reads the start of a file, or its end. */
static void read_text(int file, bool end, char text[static TEXT_BYTES]) {
    const off_t length = lseek(file, 0, SEEK_END), most = TEXT_BYTES - 1;
    const ssize_t got = pread(file, text, TEXT_BYTES - 1, end && length > most ? length - most : 0);
    text[got > 0 ? got : 0] = '\0';
}

/* Copies the first error without its origin, "[libx264 @ 0x55f0] ". Libraries of encoders also
 * write lines that are no errors. */
static void first_error(int file, char why[static FFMPEG_WHY]) {
    char text[TEXT_BYTES], *rest;
    read_text(file, false, text);
    *why = '\0';
    for (char *line = strtok_r(text, "\r\n", &rest); line && !*why;
         line = strtok_r(NULL, "\r\n", &rest)) {
        const char *origin = *line == '[' ? strstr(line, "] ") : NULL;
        if (!strstr(line, "[info]") && !strstr(line, "[warn"))
            snprintf(why, FFMPEG_WHY, "%s", origin ? origin + 2 : line);
    }
}

/* Returns the last reported number of frames, 0 if there is none. */
static uint32_t frames_stored(int file) {
    char text[TEXT_BYTES];
    uint32_t frames = 0;
    read_text(file, true, text);
    for (const char *at = text; (at = strstr(at, "frame=")); at++)
        frames = (uint32_t)strtoul(at + strlen("frame="), NULL, 10);
    return frames;
}

/* Sets `why` for a process that has ended without a signal from here; empty if it has succeeded. */
static void judge(const struct ffmpeg *ffmpeg, int status, uint32_t frames,
                  char why[static FFMPEG_WHY]) {
    const uint32_t stored = frames_stored(ffmpeg->progress);
    first_error(ffmpeg->error, why);
    if (WIFSIGNALED(status))
        snprintf(why, FFMPEG_WHY, "ffmpeg was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0 && !*why)
        snprintf(why, FFMPEG_WHY, "ffmpeg has failed with status %d and without a message",
                 WEXITSTATUS(status));
    else if (WEXITSTATUS(status) == 0 && (frames == 0 || stored == frames))
        *why = '\0';
    else if (WEXITSTATUS(status) == 0 && !*why)
        snprintf(why, FFMPEG_WHY, "ffmpeg has stored %u of %u frames", stored, frames);
}

bool ffmpeg_end(struct ffmpeg *ffmpeg, uint32_t frames, char why[static FFMPEG_WHY]) {
    int status = 0;
    close(ffmpeg->input);
    ffmpeg->input = -1;
    const bool by_itself = wait_for_end(ffmpeg, &status);
    *why = '\0';
    if (by_itself)
        judge(ffmpeg, status, frames, why);
    else if (!interrupt_requested())
        snprintf(why, FFMPEG_WHY, "ffmpeg does not answer");
    finish(ffmpeg);
    return by_itself && !*why;
}

void ffmpeg_kill(struct ffmpeg *ffmpeg) {
    if (ffmpeg->process <= 0)
        return;
    kill(-ffmpeg->process, SIGKILL);
    while (waitpid(ffmpeg->process, NULL, 0) < 0 && errno == EINTR)
        continue;
    finish(ffmpeg);
}
