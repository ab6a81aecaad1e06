/* OpenGL facts for `fathom info`: opens a window in a child process and reads the facts there. A
 * crashing or hanging driver costs only one line of the output. */
#include "app/command/gl_info.h"
#include "app/picture/gl.h"
#include "gpu/driver_probe.h"
#include <SDL.h>
#include <stdio.h>
#include <string.h>

#define WAIT_MS 5000
#define SIZE_PX 64

static void copy(char *to, size_t size, const GLubyte *text) {
    snprintf(to, size, "%s", text ? (const char *)text : "");
}

/* Reads the facts of the current context. */
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

/* Tries the OpenGL version that the explorer needs, else any version. */
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

static void query(void *answer) {
    struct gl_info *info = answer;
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

void gl_info_ask(struct gl_info *info) {
    static const char *const whys[] = {
        [DRIVER_PROBE_CRASHED] = "the display's driver crashes; update it, or use fathom render",
        [DRIVER_PROBE_TIMED_OUT] = "the display does not answer; is DISPLAY right?",
        [DRIVER_PROBE_NOT_STARTED] = "cannot start a process to look for a display"};
    const enum driver_probe end = driver_probe_in_process(query, info, sizeof *info, WAIT_MS);
    if (end == DRIVER_PROBE_ANSWERED)
        return;
    *info = (struct gl_info){.why = ""};
    snprintf(info->why, sizeof info->why, "%s", whys[end]);
}
