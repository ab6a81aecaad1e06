/* Title: makes the window's title, by which window managers distinguish windows in lists and
 * bars. */
#include "app/title.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ENDING    ".fathom"
#define SEPARATOR " - "

void title_init(struct title *title) {
    *title = (struct title){.shown = "fathom"}; /* title of a new window */
    view_init(&title->view);
}

void title_finish(struct title *title) {
    if (*title->shown)
        view_finish(&title->view);
    *title->shown = '\0';
}

/* Copies a name in ASCII: X shows only letters of the locale, which is C, so others become "?". */
static void copy_name(char *name, const char *from) {
    size_t length = 0;
    for (; *from && length < TITLE_MAX - 1; from++) {
        const unsigned char byte = (unsigned char)*from;
        if ((byte & 0xc0) != 0x80)
            name[length++] = byte < ' ' || byte >= 127 ? '?' : *from;
    }
    name[length] = '\0';
}

void title_name(struct title *title, const char *path, const struct view *view) {
    const char *slash = strrchr(path, '/');
    copy_name(title->name, slash ? slash + 1 : path);
    char *ending = strrchr(title->name, '.');
    if (ending && ending > title->name && strcmp(ending, ENDING) == 0)
        *ending = '\0';
    view_assign(&title->view, view);
}

/* Prints the zoom; two digits are enough to recognise a window. */
static void print_zoom(const struct view *view, char *text, size_t size) {
    const double depth = 2 - view_step_log2(view, 1), power = floor(depth * log10(2));
    if (fabs(power) < 5)
        snprintf(text, size, "zoom %.*g" SEPARATOR "fathom", power < 1 ? 2 : (int)power + 1,
                 exp2(depth));
    else
        snprintf(text, size, "zoom %.1fe%.0f" SEPARATOR "fathom", pow(10, depth * log10(2) - power),
                 power);
}

void title_text(const struct title *title, const struct view *view, bool at_home, char *text,
                size_t size) {
    if (*title->name && view_equal(view, &title->view))
        snprintf(text, size, "%s" SEPARATOR "fathom", title->name);
    else if (at_home)
        snprintf(text, size, "fathom");
    else
        print_zoom(view, text, size);
}

void title_update(struct title *title, SDL_Window *window, const struct view *view, bool at_home) {
    char text[sizeof title->shown];
    title_text(title, view, at_home, text, sizeof text);
    if (strcmp(text, title->shown) == 0)
        return;
    memcpy(title->shown, text, sizeof text);
    SDL_SetWindowTitle(window, text);
}
