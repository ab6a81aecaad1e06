/* X11 beyond SDL: queries Xlib, and handles the loss of the display by its handlers. Like SDL, it
 * loads Xlib at run time, without its headers. */
#define _GNU_SOURCE
#include "app/window/x11.h"
#include "render/base/log.h"
#include <SDL.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DPI_MIN 48.0
#define DPI_MAX 1000.0
/* X.h and Xproto.h */
#define ANY_TYPE        0 /* AnyPropertyType */
#define BAD_WINDOW      3
#define CHANGE_PROPERTY 18
#define SEND_EVENT      25

/* Copy of XErrorEvent. */
struct error_event {
    int type;
    void *display;
    unsigned long resource, serial;
    unsigned char code, request, minor;
};

typedef int (*io_handler)(void *display);
typedef int (*error_handler)(void *display, struct error_event *event);

/* Returns Xlib, which SDL keeps loaded, or NULL if it is not in use. */
static void *find_xlib(void) {
    return dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
}

/* --- loss of the display --- */

/* Xlib's handlers have no argument for them. */
static void (*keep_state)(void *user);
static void *keeper;
static atomic_flag ended = ATOMIC_FLAG_INIT;

static void end_program(void) {
    if (keep_state)
        keep_state(keeper);
    _exit(1); /* the drivers' clean-up would use the display */
}

static int lose_display(void *display) {
    (void)display;
    if (atomic_flag_test_and_set(&ended))
        _exit(1);
    log_error("the display is gone: its server has ended or closed the window");
    end_program();
    return 0;
}

/* Returns true for errors of sending the clipboard to a program that has ended. */
static bool is_harmless(const struct error_event *event) {
    return event->code == BAD_WINDOW &&
           (event->request == CHANGE_PROPERTY || event->request == SEND_EVENT);
}

static int handle_error(void *display, struct error_event *event) {
    char text[128] = "";
    int (*describe)(void *, int, char *, int) = NULL;
    if (is_harmless(event) || atomic_flag_test_and_set(&ended))
        return 0;
    *(void **)&describe = dlsym(RTLD_DEFAULT, "XGetErrorText");
    if (describe)
        describe(display, event->code, text, sizeof text);
    log_error("the display refused a request (%d.%d): %s", event->request, event->minor, text);
    end_program();
    return 0;
}

void x11_watch_loss(void (*keep)(void *user), void *user) {
    io_handler (*set_io)(io_handler) = NULL;
    error_handler (*set_error)(error_handler) = NULL;
    void *xlib = find_xlib();
    keep_state = keep;
    keeper = user;
    if (!xlib)
        return;
    *(void **)&set_io = dlsym(xlib, "XSetIOErrorHandler");
    *(void **)&set_error = dlsym(xlib, "XSetErrorHandler");
    if (set_io)
        set_io(lose_display);
    if (set_error)
        set_error(handle_error);
}

/* --- queries --- */

struct xlib {
    void *(*open)(const char *name);
    int (*close)(void *display);
    unsigned long (*root)(void *display);
    unsigned long (*atom)(void *display, const char *name, int only_if_exists);
    int (*property)(void *display, unsigned long window, unsigned long property, long offset,
                    long length, int remove, unsigned long type, unsigned long *actual_type,
                    int *format, unsigned long *items, unsigned long *bytes_after,
                    unsigned char **value);
    int (*release)(void *value);
    const char *(*resources)(void *display);
};

/* Loads the functions. Returns false if one is missing. */
static bool load_functions(struct xlib *xlib, void *library) {
    *(void **)&xlib->open = dlsym(library, "XOpenDisplay");
    *(void **)&xlib->close = dlsym(library, "XCloseDisplay");
    *(void **)&xlib->root = dlsym(library, "XDefaultRootWindow");
    *(void **)&xlib->atom = dlsym(library, "XInternAtom");
    *(void **)&xlib->property = dlsym(library, "XGetWindowProperty");
    *(void **)&xlib->release = dlsym(library, "XFree");
    *(void **)&xlib->resources = dlsym(library, "XResourceManagerString");
    return xlib->open && xlib->close && xlib->root && xlib->atom && xlib->property &&
           xlib->release && xlib->resources;
}

/* Returns 1 if a window manager has registered its window on the root (EWMH), else 0. */
static double has_manager(const struct xlib *xlib, void *display) {
    const unsigned long atom = xlib->atom(display, "_NET_SUPPORTING_WM_CHECK", 1);
    unsigned long type, items = 0, bytes_after;
    int format;
    unsigned char *value = NULL;
    if (atom)
        xlib->property(display, xlib->root(display), atom, 0, 1, 0, ANY_TYPE, &type, &format,
                       &items, &bytes_after, &value);
    if (value)
        xlib->release(value);
    return items > 0;
}

/* Returns the number of the line "Xft.dpi: 192" in the resources of the root window, or 0. */
static double dpi(const struct xlib *xlib, void *display) {
    static const char key[] = "Xft.dpi:";
    const char *resources = xlib->resources(display);
    const char *line = resources ? strstr(resources, key) : NULL;
    while (line && line > resources && line[-1] != '\n')
        line = strstr(line + 1, key);
    const double number = line ? strtod(line + sizeof key - 1, NULL) : 0;
    return number >= DPI_MIN && number <= DPI_MAX ? number : 0;
}

/* Returns the reply to a query, or `unknown` without X. */
static double query(double (*question)(const struct xlib *xlib, void *display), double unknown) {
    const char *driver = SDL_GetCurrentVideoDriver();
    void *library = driver && strcmp(driver, "x11") == 0 ? find_xlib() : NULL;
    struct xlib xlib;
    void *display = library && load_functions(&xlib, library) ? xlib.open(NULL) : NULL;
    if (!display)
        return unknown;
    const double answer = question(&xlib, display);
    xlib.close(display);
    return answer;
}

bool x11_has_manager(void) {
    return query(has_manager, 1) > 0;
}

double x11_dpi(void) {
    return query(dpi, 0);
}
