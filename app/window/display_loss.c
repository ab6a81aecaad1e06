/* Catches the end of the X display by handlers of Xlib, which is found as SDL finds it: at run
 * time, without its headers. */
#define _GNU_SOURCE
#include "app/window/display_loss.h"
#include "render/base/log.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* X.h and Xproto.h */
#define BAD_WINDOW      3
#define CHANGE_PROPERTY 18
#define SEND_EVENT      25

/* Xlib's XErrorEvent. */
struct error_event {
    int type;
    void *display;
    unsigned long resource, serial;
    unsigned char code, request, minor;
};

typedef int (*io_handler)(void *display);
typedef int (*error_handler)(void *display, struct error_event *event);

/* A handler can see statics only. */
static void (*keep_what_there_is)(void *user);
static void *keeper;
static atomic_flag ended = ATOMIC_FLAG_INIT;

static void end(void) {
    if (keep_what_there_is)
        keep_what_there_is(keeper);
    _exit(1); /* drivers' clean-up would ask the display */
}

static int lose_display(void *display) {
    (void)display;
    if (atomic_flag_test_and_set(&ended))
        _exit(1);
    log_error("the display is gone: its server has ended or closed the window");
    end();
    return 0;
}

/* The program that asked for the clipboard may be gone before the answer. */
static bool is_harmless(const struct error_event *event) {
    return event->code == BAD_WINDOW &&
           (event->request == CHANGE_PROPERTY || event->request == SEND_EVENT);
}

static int refuse(void *display, struct error_event *event) {
    char text[128] = "";
    int (*describe)(void *, int, char *, int) = NULL;
    if (is_harmless(event) || atomic_flag_test_and_set(&ended))
        return 0;
    *(void **)&describe = dlsym(RTLD_DEFAULT, "XGetErrorText");
    if (describe)
        describe(display, event->code, text, sizeof text);
    log_error("the display refused a request (%d.%d): %s", event->request, event->minor, text);
    end();
    return 0;
}

void display_loss_watch(void (*keep)(void *user), void *user) {
    keep_what_there_is = keep;
    keeper = user;
    void *xlib = dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
    if (!xlib)
        return;
    io_handler (*set_io)(io_handler) = NULL;
    error_handler (*set_error)(error_handler) = NULL;
    *(void **)&set_io = dlsym(xlib, "XSetIOErrorHandler");
    *(void **)&set_error = dlsym(xlib, "XSetErrorHandler");
    if (set_io)
        set_io(lose_display);
    if (set_error)
        set_error(refuse);
    dlclose(xlib);
}
