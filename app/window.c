/* SDL2 and the OpenGL context. */
#include "app/window.h"
#include "app/gl.h"
#include "render/frame.h"
#include "render/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_WIDTH   1280
#define DEFAULT_HEIGHT  720
#define OFFSCREEN_TICK  20     /* ms; how long that driver sleeps in one go */
#define LONGEST_WAIT    250    /* ms; a a signal does not end SDL's wait */
#define POINTS_PER_INCH 96.0   /* of a display where text is 1:1 */
#define ROWS_PER_SCALE  1080.0 /* a taller window gets larger text even if its density is unknown */
#define TEXT_SCALE_MAX  4.0

struct window {
    SDL_Window *sdl;
    SDL_GLContext context;
    bool offscreen;
    /* Offscreen only, because that driver's own surface keeps its first size: */
    GLuint framebuffer;
    struct gl_texture frame;
};

static bool has_variable(const char *name) {
    const char *value = SDL_getenv(name);
    return value && *value;
}

static bool start_video(bool scripted) {
    const bool chosen = has_variable("SDL_VIDEODRIVER");
    const bool display = has_variable("DISPLAY") || has_variable("WAYLAND_DISPLAY");
    if (scripted && !chosen && !display)
        SDL_setenv("SDL_VIDEODRIVER", "offscreen", 1);
    SDL_SetHint(SDL_HINT_APP_NAME, "fathom");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        log_error("no display (%s); use --script with SDL_VIDEODRIVER=offscreen, or fathom render",
                  SDL_GetError());
        return false;
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    const bool unseen = strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0;
    if (unseen && !chosen && !scripted) {
        log_error("no display; use --script with SDL_VIDEODRIVER=offscreen, or fathom render");
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        return false;
    }
    return true;
}

static void set_attributes(void) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_RED_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_GREEN_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_BLUE_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
}

static SDL_Window *open_sdl_window(int width_px, int height_px) {
    const Uint32 flags =
        SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | SDL_WINDOW_HIDDEN;
    return SDL_CreateWindow("fathom", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width_px,
                            height_px, flags);
}

/* The context that 3.3 core was refused for: says which version there is instead. */
static void explain_no_context(int width_px, int height_px) {
    char reason[256];
    snprintf(reason, sizeof reason, "%s", SDL_GetError());
    SDL_GL_ResetAttributes();
    SDL_Window *sdl = open_sdl_window(width_px, height_px);
    SDL_GLContext context = sdl ? SDL_GL_CreateContext(sdl) : NULL;
    const GLubyte *(*get_string)(GLenum) = NULL;
    if (context)
        *(void **)&get_string = SDL_GL_GetProcAddress("glGetString");
    const GLubyte *version = get_string ? get_string(GL_VERSION) : NULL;
    if (version)
        log_error("OpenGL 3.3 is needed, this display has '%s'; update its driver, or use fathom "
                  "render",
                  (const char *)version);
    else
        log_error("this display has no OpenGL (%s); update its driver, or use fathom render",
                  reason);
    if (context)
        SDL_GL_DeleteContext(context);
    if (sdl)
        SDL_DestroyWindow(sdl);
}

/* Under EGL glewInit finds no GLX display, after it has loaded every function. */
static bool load_functions(void) {
    glewExperimental = GL_TRUE;
    const GLenum result = glewInit();
    if (result != GLEW_OK && result != GLEW_ERROR_NO_GLX_DISPLAY) {
        log_error("cannot load OpenGL: %s", (const char *)glewGetErrorString(result));
        return false;
    }
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    if (major * 10 + minor < 33) {
        log_error("OpenGL 3.3 is needed, this display has '%s'",
                  (const char *)glGetString(GL_VERSION));
        return false;
    }
    log_info("OpenGL %s on %s", (const char *)glGetString(GL_VERSION),
             (const char *)glGetString(GL_RENDERER));
    return true;
}

static bool make_context(struct window *window) {
    window->context = SDL_GL_CreateContext(window->sdl);
    if (window->context && SDL_GL_MakeCurrent(window->sdl, window->context) == 0)
        return load_functions();
    int width, height;
    SDL_GetWindowSize(window->sdl, &width, &height);
    explain_no_context(width, height);
    return false;
}

/* Sizes on the command line are pixels; SDL's window coordinates may be coarser. */
static void fit_pixels(struct window *window, int width_px, int height_px) {
    double x, y;
    window_scale(window, &x, &y);
    if (x != 1 || y != 1)
        SDL_SetWindowSize(window->sdl, (int)lround(width_px / x), (int)lround(height_px / y));
}

struct window *window_create(int width_px, int height_px, bool scripted) {
    struct window *window = calloc(1, sizeof *window);
    if (!window)
        return NULL;
    if (!start_video(scripted)) {
        free(window);
        return NULL;
    }
    const int width = width_px > 0 ? width_px : DEFAULT_WIDTH;
    const int height = height_px > 0 ? height_px : DEFAULT_HEIGHT;
    window->offscreen = strcmp(SDL_GetCurrentVideoDriver(), "offscreen") == 0;
    set_attributes();
    window->sdl = open_sdl_window(width, height);
    if (!window->sdl) {
        log_error("cannot open a window of %dx%d with OpenGL: %s", width, height, SDL_GetError());
        goto error;
    }
    if (!make_context(window))
        goto error;
    SDL_SetWindowMinimumSize(window->sdl, 1, 1);
    if (width_px > 0)
        fit_pixels(window, width, height);
    SDL_ShowWindow(window->sdl);
    SDL_GL_SetSwapInterval(1);
    SDL_StopTextInput();
    if (window->offscreen)
        glGenFramebuffers(1, &window->framebuffer);
    return window;
error:
    window_destroy(window);
    return NULL;
}

void window_destroy(struct window *window) {
    if (!window)
        return;
    if (window->framebuffer) {
        glDeleteFramebuffers(1, &window->framebuffer);
        gl_texture_finish(&window->frame);
    }
    if (window->context)
        SDL_GL_DeleteContext(window->context);
    if (window->sdl)
        SDL_DestroyWindow(window->sdl);
    SDL_Quit();
    free(window);
}

SDL_Window *window_sdl(struct window *window) {
    return window->sdl;
}

SDL_GLContext window_context(struct window *window) {
    return window->context;
}

void window_size(const struct window *window, int *width_px, int *height_px) {
    SDL_GL_GetDrawableSize(window->sdl, width_px, height_px);
    *width_px = *width_px > 1 ? *width_px : 1;
    *height_px = *height_px > 1 ? *height_px : 1;
}

void window_scale(const struct window *window, double *x, double *y) {
    int width, height, width_px, height_px;
    SDL_GetWindowSize(window->sdl, &width, &height);
    window_size(window, &width_px, &height_px);
    *x = width > 0 ? (double)width_px / width : 1;
    *y = height > 0 ? (double)height_px / height : 1;
}

double window_text_scale(const struct window *window) {
    double ratio_x, ratio_y;
    int width_px, height_px;
    float dpi = 0;
    window_scale(window, &ratio_x, &ratio_y);
    window_size(window, &width_px, &height_px);
    double scale = fmax(ratio_y, height_px / ROWS_PER_SCALE);
    if (SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(window->sdl), &dpi, NULL, NULL) == 0)
        scale = fmax(scale, (double)dpi / POINTS_PER_INCH);
    return fmin(fmax(scale, 1), TEXT_SCALE_MAX);
}

double window_frame_ms(const struct window *window) {
    SDL_DisplayMode mode;
    const int display = SDL_GetWindowDisplayIndex(window->sdl);
    const bool known =
        display >= 0 && SDL_GetCurrentDisplayMode(display, &mode) == 0 && mode.refresh_rate > 0;
    return 1000.0 / (known ? mode.refresh_rate : 60);
}

bool window_visible(const struct window *window) {
    return !(SDL_GetWindowFlags(window->sdl) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN));
}

void window_toggle_fullscreen(struct window *window) {
    const bool full = SDL_GetWindowFlags(window->sdl) & SDL_WINDOW_FULLSCREEN_DESKTOP;
    if (SDL_SetWindowFullscreen(window->sdl, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP) != 0)
        log_warn("cannot change to %s: %s", full ? "a window" : "full screen", SDL_GetError());
}

bool window_begin(struct window *window) {
    if (!window->offscreen) {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        return true;
    }
    int width_px, height_px;
    window_size(window, &width_px, &height_px);
    if (!gl_texture_resize(&window->frame, width_px, height_px))
        return false;
    gl_draw_into(window->framebuffer, &window->frame);
    return true;
}

void window_present(struct window *window) {
    if (window->offscreen)
        glFinish();
    else
        SDL_GL_SwapWindow(window->sdl);
}

bool window_wait(const struct window *window, double timeout_ms, SDL_Event *event) {
    if (!window->offscreen)
        return SDL_WaitEventTimeout(event, (int)fmin(timeout_ms, LONGEST_WAIT));
    if (SDL_PollEvent(event))
        return true;
    SDL_Delay((Uint32)fmin(timeout_ms, OFFSCREEN_TICK));
    return SDL_PollEvent(event);
}
