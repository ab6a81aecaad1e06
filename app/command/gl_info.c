/* Opens a window in a child process and reads back what OpenGL says there, so that a driver that
 * crashes or hangs costs one line of `fathom info`. */
#define _GNU_SOURCE
#include "app/command/gl_info.h"
#include "app/picture/gl.h"
#include <SDL.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS 5000
#define SIZE_PX 64

/* --- the child --- */

static void copy(char *to, size_t size, const GLubyte *text) {
    snprintf(to, size, "%s", text ? (const char *)text : "");
}

/* Of the context that is current. */
static void ask_context(struct gl_info *info) {
    const GLubyte *(*get_string)(GLenum) = NULL;
    *(void **)&get_string = SDL_GL_GetProcAddress("glGetString");
    if (!get_string)
        return;
    copy(info->version, sizeof info->version, get_string(GL_VERSION));
    copy(info->renderer, sizeof info->renderer, get_string(GL_RENDERER));
    copy(info->vendor, sizeof info->vendor, get_string(GL_VENDOR));
}

static bool open_context(struct gl_info *info) {
    SDL_Window *window =
        SDL_CreateWindow("fathom", 0, 0, SIZE_PX, SIZE_PX, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
    SDL_GLContext context = window ? SDL_GL_CreateContext(window) : NULL;
    if (context)
        ask_context(info);
    if (context)
        SDL_GL_DeleteContext(context);
    if (window)
        SDL_DestroyWindow(window);
    return context != NULL;
}

/* The version that the explorer wants, else what there is. */
static void ask_opengl(struct gl_info *info) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    if (open_context(info))
        return;
    char reason[128];
    snprintf(reason, sizeof reason, "%s", SDL_GetError());
    SDL_GL_ResetAttributes();
    if (open_context(info))
        snprintf(info->why, sizeof info->why, "OpenGL 3.3 is needed; update the display's driver");
    else
        snprintf(info->why, sizeof info->why, "no OpenGL (%s); update the display's driver",
                 reason);
}

static void ask(struct gl_info *info) {
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        snprintf(info->why, sizeof info->why,
                 "no display (%.160s); fathom render works without one", SDL_GetError());
        return;
    }
    snprintf(info->video, sizeof info->video, "%s", SDL_GetCurrentVideoDriver());
    ask_opengl(info);
    const char *chosen = SDL_getenv("SDL_VIDEODRIVER");
    const bool unseen = strcmp(info->video, "offscreen") == 0 || strcmp(info->video, "dummy") == 0;
    if (unseen && !(chosen && *chosen) && !*info->why)
        snprintf(info->why, sizeof info->why,
                 "no display; fathom render and scripts work without one");
}

_Noreturn static void be_child(int out) {
    struct gl_info info = {0};
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0)
        dup2(null, STDERR_FILENO);
    ask(&info);
    const bool written = write(out, &info, sizeof info) == (ssize_t)sizeof info;
    _exit(!written);
}

/* --- the parent --- */

/* False: nothing came in time. */
static bool receive(int in, struct gl_info *info) {
    struct pollfd ready = {.fd = in, .events = POLLIN};
    int got;
    do
        got = poll(&ready, 1, WAIT_MS);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return false;
    if (read(in, info, sizeof *info) == (ssize_t)sizeof *info)
        return true;
    *info =
        (struct gl_info){.why = "the display's driver crashes; update it, or use fathom render"};
    return true;
}

void gl_info_ask(struct gl_info *info) {
    *info = (struct gl_info){.why = "cannot start a process to look for a display"};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    const pid_t child = fork();
    if (child == 0)
        be_child(ends[1]);
    close(ends[1]);
    if (child > 0) {
        if (!receive(ends[0], info))
            *info = (struct gl_info){.why = "the display does not answer; is DISPLAY right?"};
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    close(ends[0]);
}
