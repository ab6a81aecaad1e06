/* Asks through Xlib, which is found as SDL finds it (at run time, without its headers), whether
 * there is a window manager. */
#include "app/window/window_manager.h"
#include <SDL.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define DPI_MIN  48.0
#define DPI_MAX  1000.0
#define ANY_TYPE 0 /* X.h: AnyPropertyType */

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

/* False: this is no X, or an unknown version of Xlib. */
static bool find_xlib(struct xlib *xlib) {
    void *library = dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        return false;
    *(void **)&xlib->open = dlsym(library, "XOpenDisplay");
    *(void **)&xlib->close = dlsym(library, "XCloseDisplay");
    *(void **)&xlib->root = dlsym(library, "XDefaultRootWindow");
    *(void **)&xlib->atom = dlsym(library, "XInternAtom");
    *(void **)&xlib->property = dlsym(library, "XGetWindowProperty");
    *(void **)&xlib->release = dlsym(library, "XFree");
    *(void **)&xlib->resources = dlsym(library, "XResourceManagerString");
    dlclose(library); /* SDL keeps it */
    return xlib->open && xlib->close && xlib->root && xlib->atom && xlib->property && xlib->release;
}

/* Every window manager of the last twenty years names a window of its own on the root (EWMH). */
static bool names_itself(const struct xlib *xlib, void *display) {
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

/* The line "Xft.dpi: 192" of what desktops leave on the root window. */
static double dpi_in(const char *resources) {
    static const char key[] = "Xft.dpi:";
    const char *line = resources ? strstr(resources, key) : NULL;
    while (line && line > resources && line[-1] != '\n')
        line = strstr(line + 1, key);
    const double dpi = line ? strtod(line + sizeof key - 1, NULL) : 0;
    return dpi >= DPI_MIN && dpi <= DPI_MAX ? dpi : 0;
}

double window_manager_dpi(void) {
    struct xlib xlib;
    const char *driver = SDL_GetCurrentVideoDriver();
    if (!driver || strcmp(driver, "x11") != 0 || !find_xlib(&xlib) || !xlib.resources)
        return 0;
    void *display = xlib.open(NULL);
    if (!display)
        return 0;
    const double dpi = dpi_in(xlib.resources(display));
    xlib.close(display);
    return dpi;
}

bool window_manager_there(void) {
    struct xlib xlib;
    const char *driver = SDL_GetCurrentVideoDriver();
    if (!driver || strcmp(driver, "x11") != 0 || !find_xlib(&xlib))
        return true;
    void *display = xlib.open(NULL);
    if (!display)
        return true;
    const bool there = names_itself(&xlib, display);
    xlib.close(display);
    return there;
}
