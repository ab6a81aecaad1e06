/* Window: opens it and its OpenGL context with SDL2; reports its size, its display's rate and its
 * visibility. */
#include "app/window/window.h"
#include "app/input/gamepad.h"
#include "app/input/latin.h"
#include "app/picture/gl.h"
#include "app/window/x11.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_WIDTH   1280
#define DEFAULT_HEIGHT  720
#define OFFSCREEN_TICK  20     /* [ms] maximum wait of the offscreen driver */
#define GAMEPAD_TICK    30     /* [ms] maximum wait with a gamepad, which must be polled */
#define LONGEST_WAIT    250    /* [ms] maximum wait, because a signal does not end SDL's wait */
#define POINTS_PER_INCH 96.0   /* density of a display with 1:1 text */
#define ROWS_PER_SCALE  1080.0 /* height of a window per unit of text size if density is unknown */
#define TEXT_SCALE_MAX  4.0
#define RATE_MIN        10 /* [Hz] drivers also report values that are no display's rate */
#define RATE_MAX        1000
#define SETTLED_MS      500 /* a change this shortly before maximising belongs to it */
#define DISPLAYS_MAX    16

struct window {
    SDL_Window *sdl;
    SDL_GLContext context;
    bool offscreen;
    double text_scale;           /* that was set; 0: none */
    double desktop_scale;        /* of the desktop's settings; 0: unknown */
    double rate_hz;              /* that was set; 0: the display's */
    bool covering;               /* fills the screen without a window manager */
    struct window_state state;   /* while neither maximised nor full screen */
    struct window_state earlier; /* the state before that */
    double moved_ms;             /* last change of `state` */
    GLuint framebuffer;          /* offscreen only: that driver's surface keeps its first size */
    struct gl_texture frame;     /* offscreen only */
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
    SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0"); /* fingers.c makes them */
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    gamepads_prepare(scripted);
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
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_RESET_NOTIFICATION, SDL_GL_CONTEXT_RESET_LOSE_CONTEXT);
}

static SDL_Window *open_sdl_window(const struct window_state *state) {
    const Uint32 flags =
        SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | SDL_WINDOW_HIDDEN;
    return SDL_CreateWindow("fathom", state->x, state->y, state->width, state->height, flags);
}

/* Logs which OpenGL version the display has instead of 3.3 core. */
static void explain_no_context(const struct window_state *state) {
    char reason[256];
    snprintf(reason, sizeof reason, "%s", SDL_GetError());
    SDL_GL_ResetAttributes();
    SDL_Window *sdl = open_sdl_window(state);
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

/* Loads OpenGL's functions. Under EGL glewInit finds no GLX display, after it has loaded all of
 * them. */
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
    if (!window->context) { /* not every driver can report resets */
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_RESET_NOTIFICATION,
                            SDL_GL_CONTEXT_RESET_NO_NOTIFICATION);
        window->context = SDL_GL_CreateContext(window->sdl);
    }
    if (window->context && SDL_GL_MakeCurrent(window->sdl, window->context) == 0)
        return load_functions();
    explain_no_context(&window->state);
    return false;
}

/* Stores the pixels per unit of SDL's window coordinates. */
static void scale_of(const struct window *window, double *x, double *y) {
    int width, height, width_px, height_px;
    SDL_GetWindowSize(window->sdl, &width, &height);
    window_size(window, &width_px, &height_px);
    *x = width > 0 ? (double)width_px / width : 1;
    *y = height > 0 ? (double)height_px / height : 1;
}

/* Resizes the window to a number of pixels, because SDL's window coordinates may be coarser. */
static void fit_pixels(struct window *window, int width_px, int height_px) {
    double x, y;
    scale_of(window, &x, &y);
    if (x != 1 || y != 1)
        SDL_SetWindowSize(window->sdl, (int)lround(width_px / x), (int)lround(height_px / y));
}

/* --- position --- */

/* Stores the usable part of each display and returns the number of displays. */
static int list_displays(SDL_Rect displays[DISPLAYS_MAX]) {
    int count = 0;
    for (int i = 0; i < SDL_GetNumVideoDisplays() && count < DISPLAYS_MAX; i++)
        if (SDL_GetDisplayUsableBounds(i, &displays[count]) == 0 && displays[count].w > 0 &&
            displays[count].h > 0)
            count++;
    return count;
}

static void set_size(struct window_state *state, int width_px, int height_px) {
    if (width_px <= 0)
        return;
    state->width = width_px;
    state->height = height_px;
    state->maximised = state->fullscreen = false;
}

/* Returns the first position. A size of 0 is not given; `last` may be NULL. */
static struct window_state first_place(int width_px, int height_px,
                                       const struct window_state *last) {
    SDL_Rect displays[DISPLAYS_MAX];
    const int count = list_displays(displays);
    struct window_state state = {.x = SDL_WINDOWPOS_CENTERED,
                                 .y = SDL_WINDOWPOS_CENTERED,
                                 .width = DEFAULT_WIDTH,
                                 .height = DEFAULT_HEIGHT};
    if (last && count > 0) {
        state = *last;
        set_size(&state, width_px, height_px);
        window_state_fit(&state, displays, count);
    }
    set_size(&state, width_px, height_px); /* even if it does not fit */
    return state;
}

/* Returns the position of the frame around the window if the window manager reports it. */
static struct window_state current_place(const struct window *window) {
    struct window_state state = {0};
    int top = 0, left = 0;
    SDL_GetWindowPosition(window->sdl, &state.x, &state.y);
    SDL_GetWindowSize(window->sdl, &state.width, &state.height);
    SDL_GetWindowBordersSize(window->sdl, &top, &left, NULL, NULL);
    state.x -= left;
    state.y -= top;
    return state;
}

void window_follow(struct window *window, const SDL_WindowEvent *event) {
    const Uint32 flags = SDL_GetWindowFlags(window->sdl);
    const double now = clock_ms();
    if (window->covering)
        return;
    if (event->event == SDL_WINDOWEVENT_MAXIMIZED && now - window->moved_ms < SETTLED_MS)
        window->state = window->earlier;
    if (flags & (SDL_WINDOW_MAXIMIZED | SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN |
                 SDL_WINDOW_FULLSCREEN_DESKTOP))
        return;
    const struct window_state state = current_place(window);
    if (state.x == window->state.x && state.y == window->state.y &&
        state.width == window->state.width && state.height == window->state.height)
        return;
    if (now - window->moved_ms >= SETTLED_MS)
        window->earlier = window->state;
    window->state = state;
    window->moved_ms = now;
}

bool window_is_reshaped_by(const SDL_WindowEvent *event) {
    switch (event->event) {
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_RESIZED:
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_MAXIMIZED:
    case SDL_WINDOWEVENT_RESTORED:
        return true;
    default:
        return false;
    }
}

struct window_state window_current_state(const struct window *window) {
    struct window_state state = window->state;
    state.maximised = SDL_GetWindowFlags(window->sdl) & SDL_WINDOW_MAXIMIZED;
    state.fullscreen = window_fullscreen(window);
    return state;
}

/* --- creation --- */

static void show(struct window *window, bool maximised, bool fullscreen) {
    SDL_ShowWindow(window->sdl);
    if (maximised)
        SDL_MaximizeWindow(window->sdl);
    if (fullscreen)
        window_toggle_fullscreen(window);
    if (SDL_GL_SetSwapInterval(-1) != 0) /* adaptive: late frames do not wait */
        SDL_GL_SetSwapInterval(1);
    SDL_StopTextInput();
}

struct window *window_create(int width_px, int height_px, bool scripted,
                             const struct window_state *last) {
    struct window *window = calloc(1, sizeof *window);
    if (!window)
        return NULL;
    if (!start_video(scripted)) {
        free(window);
        return NULL;
    }
    const struct window_state state = first_place(width_px, height_px, last);
    window->state = window->earlier = state;
    window->offscreen = strcmp(SDL_GetCurrentVideoDriver(), "offscreen") == 0;
    set_attributes();
    window->sdl = open_sdl_window(&state);
    if (!window->sdl) {
        log_error(
            "cannot open a window of %dx%d with OpenGL: %s; install a driver with OpenGL 3.3, "
            "or use fathom render",
            state.width, state.height, SDL_GetError());
        goto error;
    }
    if (!make_context(window))
        goto error;
    SDL_SetWindowMinimumSize(window->sdl, 1, 1);
    if (width_px > 0)
        fit_pixels(window, width_px, height_px);
    window->state = window->earlier = current_place(window);
    show(window, state.maximised, state.fullscreen);
    int drawable_width, drawable_height;
    window_size(window, &drawable_width, &drawable_height);
    log_info("window of %dx%d pixels by SDL's driver %s", drawable_width, drawable_height,
             SDL_GetCurrentVideoDriver());
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

void window_set_text_scale(struct window *window, double scale) {
    window->text_scale = scale;
    window->desktop_scale = x11_dpi() / POINTS_PER_INCH;
}

/* Rounds to halves, so that displays of nearly the same density have the same text. */
static double in_halves(double scale) {
    return round(2 * scale) / 2;
}

double window_text_scale(const struct window *window) {
    if (window->text_scale > 0)
        return window->text_scale;
    double ratio_x, ratio_y;
    int width_px, height_px;
    float dpi = 0;
    scale_of(window, &ratio_x, &ratio_y);
    window_size(window, &width_px, &height_px);
    double density = window->desktop_scale;
    if (density <= 0 &&
        SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(window->sdl), &dpi, NULL, NULL) == 0)
        density = (double)dpi / POINTS_PER_INCH;
    const double scale = fmax(in_halves(fmax(ratio_y, density)), round(height_px / ROWS_PER_SCALE));
    return fmin(fmax(scale, 1), TEXT_SCALE_MAX);
}

void window_set_rate(struct window *window, double hz) {
    window->rate_hz = hz;
    SDL_GL_SetSwapInterval(0);
}

double window_frame_ms(const struct window *window) {
    SDL_DisplayMode mode;
    if (window->rate_hz > 0)
        return 1000.0 / window->rate_hz;
    const int display = SDL_GetWindowDisplayIndex(window->sdl);
    const bool known = display >= 0 && SDL_GetCurrentDisplayMode(display, &mode) == 0 &&
                       mode.refresh_rate >= RATE_MIN && mode.refresh_rate <= RATE_MAX;
    return 1000.0 / (known ? mode.refresh_rate : 60);
}

bool window_waits_for_display(const struct window *window) {
    return !window->offscreen && SDL_GL_GetSwapInterval() != 0;
}

bool window_visible(const struct window *window) {
    return !(SDL_GetWindowFlags(window->sdl) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN));
}

bool window_fullscreen(const struct window *window) {
    const Uint32 flags = SDL_GetWindowFlags(window->sdl);
    return window->covering ||
           (flags & SDL_WINDOW_FULLSCREEN_DESKTOP) == SDL_WINDOW_FULLSCREEN_DESKTOP;
}

/* Fills the screen without a window manager, on whose reply SDL's own function relies. */
static void cover_screen(struct window *window, bool cover) {
    SDL_Rect all = {window->state.x, window->state.y, window->state.width, window->state.height};
    if (cover)
        SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(window->sdl), &all);
    window->covering = cover;
    SDL_SetWindowSize(window->sdl, all.w, all.h);
    SDL_SetWindowPosition(window->sdl, all.x, all.y);
}

void window_toggle_fullscreen(struct window *window) {
    const bool full = window_fullscreen(window);
    if (window->covering || (!full && !x11_has_manager()))
        cover_screen(window, !full);
    else if (SDL_SetWindowFullscreen(window->sdl, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP) != 0)
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

/* Returns true if the driver has reset the GPU; false if it does not report resets. */
static bool was_reset(void) {
    if (GLEW_VERSION_4_5 && glGetGraphicsResetStatus)
        return glGetGraphicsResetStatus() != GL_NO_ERROR;
    return GLEW_ARB_robustness && glGetGraphicsResetStatusARB &&
           glGetGraphicsResetStatusARB() != GL_NO_ERROR;
}

bool window_present(struct window *window) {
    if (window->offscreen)
        glFinish();
    else
        SDL_GL_SwapWindow(window->sdl);
    const bool lost = was_reset();
    if (lost)
        log_error("the graphics driver has reset the GPU; start fathom again with --last to "
                  "continue here");
    return !lost;
}

static bool next_event(const struct window *window, double timeout_ms, SDL_Event *event) {
    if (!window->offscreen)
        return SDL_WaitEventTimeout(
            event, (int)fmin(timeout_ms, gamepads_any() ? GAMEPAD_TICK : LONGEST_WAIT));
    if (SDL_PollEvent(event))
        return true;
    SDL_Delay((Uint32)fmin(timeout_ms, OFFSCREEN_TICK));
    return SDL_PollEvent(event);
}

bool window_wait(const struct window *window, double timeout_ms, SDL_Event *event) {
    gamepads_update();
    if (!next_event(window, timeout_ms, event))
        return false;
    latin_key(event);
    return true;
}
