/* Clipboard for pictures: writes a picture into a pipe to the program that keeps the clipboard. */
#define _GNU_SOURCE
#include "app/still/clipboard.h"
#include "render/base/log.h"
#include "render/files/image.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Programs that keep a picture, best first, each with its display and its package. */
static const struct keeper {
    const char *display; /* environment variable that is set under this display */
    const char *package;
    const char *words[8];
} keepers[] = {
    {"WAYLAND_DISPLAY", "wl-clipboard", {"wl-copy", "--type", "image/png", NULL}},
    {"DISPLAY", "xclip", {"xclip", "-selection", "clipboard", "-t", "image/png", "-i", NULL}},
};
#define KEEPERS (sizeof keepers / sizeof *keepers)

static bool is_usable(const struct keeper *keeper) {
    const char *display = getenv(keeper->display);
    return display && *display;
}

/* Starts the program with `input` as its standard input. Its other streams are /dev/null,
 * because it would keep them open as long as it keeps the picture. Returns 0 or an errno. */
static int start(const struct keeper *keeper, int input, pid_t *process) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    for (int stream = STDOUT_FILENO; error == 0 && stream <= STDERR_FILENO; stream++)
        error = posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = posix_spawnp(process, keeper->words[0], &actions, NULL,
                             (char *const *)keeper->words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Starts the first program that exists. Returns false after an error, which is logged. If no
 * program exists, *started is NULL and nothing is logged. */
static bool start_any(int input, pid_t *process, const struct keeper **started) {
    int error = ENOENT;
    *started = NULL;
    for (size_t i = 0; error == ENOENT && i < KEEPERS; i++)
        if (is_usable(&keepers[i]) && (error = start(&keepers[i], input, process)) == 0)
            *started = &keepers[i];
    if (error != 0 && error != ENOENT)
        log_error("the picture cannot be copied: %s", strerror(error));
    return error == 0 || error == ENOENT;
}

static void tell_missing(void) {
    const bool wayland = is_usable(&keepers[0]), x11 = is_usable(&keepers[1]);
    if (!wayland && !x11)
        log_error("the picture cannot be copied: there is no display with a clipboard");
    else if (wayland)
        log_error("the picture cannot be copied: install wl-clipboard (or xclip) first");
    else
        log_error("the picture cannot be copied: install xclip first");
}

/* Returns true if the program has succeeded. */
static bool end(const struct keeper *keeper, pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    const bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ok)
        log_error("the picture was not copied: %s has failed", keeper->words[0]);
    return ok;
}

bool clipboard_put_picture(const uint32_t *rgba, int width_px, int height_px, const char *text) {
    int ends[2];
    char path[32];
    pid_t process;
    const struct keeper *keeper;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        log_error("the picture cannot be copied: %s", strerror(errno));
        return false;
    }
    const bool told = !start_any(ends[0], &process, &keeper);
    bool ok = keeper != NULL;
    close(ends[0]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    const bool written = ok && image_write(path, IMAGE_PNG, rgba, width_px, height_px, text);
    close(ends[1]);
    if (ok)
        ok = end(keeper, process) && written;
    else if (!told)
        tell_missing();
    return ok;
}
