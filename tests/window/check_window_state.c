/* Window state: the window's place is fitted to the displays, and read from files that may be
 * broken. */
#define _GNU_SOURCE
#include "app/window/window_state.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include "tests/shared/check.h"
#include <unistd.h>

static const SDL_Rect displays[] = {{0, 0, 1920, 1080}, {1920, -200, 1280, 1024}, {-50, 0, 50, 30}};

static void check_fit(struct window_state state, int count, int x, int y, int width, int height) {
    window_state_fit(&state, displays, count);
    const bool ok = state.x == x && state.y == y && state.width == width && state.height == height;
    if (!ok)
        printf("at %d %d %dx%d, not at %d %d %dx%d\n", state.x, state.y, state.width, state.height,
               x, y, width, height);
    CHECK(ok);
}

static void check_fitting(void) {
    check_fit((struct window_state){.x = 10, .y = 20, .width = 640, .height = 480}, 3, 10, 20, 640,
              480);
    check_fit((struct window_state){.x = 2000, .y = -100, .width = 640, .height = 480}, 3, 2000,
              -100, 640, 480);
    check_fit((struct window_state){.x = 2000, .y = -100, .width = 640, .height = 480}, 1, 1280, 0,
              640, 480); /* the second display was removed */
    check_fit((struct window_state){.x = 1800, .y = 0, .width = 640, .height = 480}, 3, 1920, 0,
              640, 480);
    check_fit((struct window_state){.x = 100000, .y = 100000, .width = 100000, .height = 9}, 1, 0,
              1016, 1920, 64);
    check_fit((struct window_state){.x = -50, .y = 0, .width = 50, .height = 30}, 3, -50, 0, 50,
              30);
}

static bool load(const char *text, struct window_state *state) {
    char *path = user_state_path("window");
    CHECK(path);
    file_put(path, text, strlen(text));
    free(path);
    return window_state_load(state);
}

static void check_file(void) {
    struct window_state state, again;
    CHECK(!window_state_load(&state));
    const struct window_state saved = {-3, 40, 500, 600, true, false};
    CHECK(window_state_save(&saved) && window_state_load(&again));
    CHECK(again.x == -3 && again.y == 40 && again.width == 500 && again.height == 600);
    CHECK(again.maximised && !again.fullscreen);
    log_start();
    CHECK(load("x = 1\ny = 2\nwidth = 3\nheight = 4\nlater = 5\n[more]\nx = z\n", &state));
    CHECK(state.x == 1 && state.height == 4 && !state.maximised);
    CHECK(!load("x = 1\ny = 2\nwidth = 3\n", &state));
    CHECK(!load("", &state));
    CHECK_REFUSED(load("x = 1\ny = 2\nwidth = 3\nheight = 1e9\n", &state), ":4: 'height'");
    CHECK_REFUSED(load("x = nan\ny = 2\nwidth = 3\nheight = 4\n", &state), ":1: 'x'");
    CHECK_REFUSED(load("x = 1\ny = 2\nwidth = -3\nheight = 4\n", &state), ":3: 'width'");
    CHECK_REFUSED(load("x = 1.5\ny = 2\nwidth = 3\nheight = 4\n", &state), ":1: 'x'");
}

int main(void) {
    char folder[] = "place-XXXXXX", here[2048], home[2100];
    CHECK(mkdtemp(folder) && getcwd(here, sizeof here));
    snprintf(home, sizeof home, "%s/%s", here, folder);
    setenv("XDG_STATE_HOME", home, 1);
    check_fitting();
    check_file();
    printf("%d failures\n", failures);
    return failures != 0;
}
