/* Window position: reads and writes it as an INI without sections, and fits it to the present
 * displays. */
#include "app/window/window_state.h"
#include "app/paths.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include <stdlib.h>

#define FILE_MAX_SIZE  4096
#define COORDINATE_MAX 100000
#define SIZE_LEAST     64 /* minimum size of a restored window */

/* --- the file --- */

static bool set_number(int *number, const char *value, int least) {
    double parsed;
    if (!ini_number(value, &parsed) || parsed < least || parsed > COORDINATE_MAX ||
        parsed != (int)parsed)
        return false;
    *number = (int)parsed;
    return true;
}

static bool set_flag(bool *flag, const char *value) {
    static const char *const words[] = {"no", "yes", NULL};
    const int word = ini_choice(value, words);
    *flag = word == 1;
    return word >= 0;
}

struct reader {
    struct window_state state;
    const char *path;
    unsigned found; /* one bit for each key */
};

static bool take_entry(void *user, const char *section, const char *key, const char *value,
                       int line) {
    struct reader *reader = user;
    struct window_state *state = &reader->state;
    static const char *const keys[] = {"x",         "y",          "width", "height",
                                       "maximised", "fullscreen", NULL};
    int *const numbers[] = {&state->x, &state->y, &state->width, &state->height};
    const int index = *section ? -1 : ini_choice(key, keys);
    const bool ok = index < 0    ? true /* a key of a later version */
                    : index == 4 ? set_flag(&state->maximised, value)
                    : index == 5
                        ? set_flag(&state->fullscreen, value)
                        : set_number(numbers[index], value, index < 2 ? -COORDINATE_MAX : 1);
    if (ok && index >= 0)
        reader->found |= 1u << index;
    else if (!ok)
        log_warn("%s:%d: '%s' is not used for the window's position", reader->path, line, key);
    return ok;
}

bool window_state_load(struct window_state *state) {
    size_t length;
    char *path = user_state_path("window");
    char *text = path ? paths_read(path, FILE_MAX_SIZE, &length) : NULL;
    struct reader reader = {.path = path};
    if (text)
        ini_read_leniently(path, text, length, take_entry, &reader);
    free(text);
    free(path);
    *state = reader.state;
    return (reader.found & 15) == 15;
}

bool window_state_save(const struct window_state *state) {
    char *path = user_state_path("window");
    if (!path)
        return true; /* there is no folder for it */
    struct atomic_file *file = paths_create(path);
    free(path);
    if (!file)
        return false;
    fprintf(atomic_file_stream(file),
            "# Where fathom's window was.\n"
            "x = %d\ny = %d\nwidth = %d\nheight = %d\nmaximised = %s\nfullscreen = %s\n",
            state->x, state->y, state->width, state->height, state->maximised ? "yes" : "no",
            state->fullscreen ? "yes" : "no");
    return atomic_file_commit(file, NULL);
}

/* --- fitting --- */

static const SDL_Rect *best_display(const struct window_state *state, const SDL_Rect *displays,
                                    int count) {
    const SDL_Rect window = {state->x, state->y, state->width, state->height}, *best = displays;
    double most = 0;
    for (int i = 0; i < count; i++) {
        SDL_Rect common;
        const bool any = SDL_IntersectRect(&window, &displays[i], &common);
        const double area = any ? (double)common.w * common.h : 0;
        if (area > most) {
            most = area;
            best = &displays[i];
        }
    }
    return best;
}

static int clamp(int value, int low, int high) {
    const int raised = value < low ? low : value;
    return raised > high ? high : raised;
}

void window_state_fit(struct window_state *state, const SDL_Rect *displays, int count) {
    const SDL_Rect *display = best_display(state, displays, count);
    state->width = clamp(state->width, SIZE_LEAST, display->w);
    state->height = clamp(state->height, SIZE_LEAST, display->h);
    state->x = clamp(state->x, display->x, display->x + display->w - state->width);
    state->y = clamp(state->y, display->y, display->y + display->h - state->height);
}
