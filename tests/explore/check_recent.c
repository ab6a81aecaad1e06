/* List of recent places: order, limits, files that other runs changed meanwhile, and broken
 * files. */
#define _GNU_SOURCE
#include "app/explore/recent.h"
#include "app/paths.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include "tests/shared/check.h"
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void add(struct recent *recent, const char *zoom) {
    const char *why;
    SCOPED(scene, scene);
    CHECK(view_set_zoom(&scene.view, zoom, &why));
    recent_add(recent, &scene);
}

static bool has_zoom(const struct recent *recent, size_t i, const char *zoom) {
    char line[64];
    snprintf(line, sizeof line, "\nzoom = %s\n", zoom);
    return i < recent_count(recent) && strstr(recent_text(recent, i), line);
}

static void write_file(const char *text, size_t length) {
    char *path = user_state_path("recent");
    FILE *file = path ? fopen(path, "wb") : NULL;
    CHECK(file && fwrite(text, 1, length, file) == length);
    if (file)
        fclose(file);
    free(path);
}

static size_t count_of(const char *text, size_t length) {
    write_file(text, length);
    struct recent *recent = recent_load();
    CHECK(recent);
    const size_t count = recent_count(recent);
    recent_destroy(recent);
    return count;
}

static void check_order(void) {
    struct recent *recent = recent_load();
    CHECK(recent && recent_count(recent) == 0);
    recent_add(NULL, NULL);
    CHECK(recent_save(recent));
    char *path = user_state_path("recent");
    CHECK(path && access(path, F_OK) != 0);
    free(path);
    add(recent, "10");
    add(recent, "20");
    add(recent, "10");
    CHECK(recent_count(recent) == 2 && has_zoom(recent, 0, "10") && has_zoom(recent, 1, "20"));
    CHECK(strstr(recent_label(recent, 0), "  zoom 10  -0.5 + 0i"));
    CHECK(recent_save(recent));
    recent_destroy(recent);
    recent = recent_load();
    CHECK(recent_count(recent) == 2 && has_zoom(recent, 0, "10") && has_zoom(recent, 1, "20"));
    SCOPED(scene, scene);
    CHECK(scene_parse(&scene, "recent", recent_text(recent, 0), strlen(recent_text(recent, 0))));
    CHECK(mpfr_cmp_ui(scene.view.zoom, 10) == 0);
    recent_destroy(recent);
}

/* Checks two runs at once: the run that ends last keeps what the other saved. */
static void check_merge(void) {
    struct recent *first = recent_load(), *second = recent_load();
    add(first, "30");
    add(second, "40");
    add(second, "20");
    CHECK(recent_save(first) && recent_save(second));
    add(first, "50");
    CHECK(recent_save(first));
    recent_destroy(first);
    recent_destroy(second);
    struct recent *recent = recent_load();
    CHECK(recent_count(recent) == 5);
    CHECK(has_zoom(recent, 0, "50") && has_zoom(recent, 1, "20") && has_zoom(recent, 2, "40") &&
          has_zoom(recent, 3, "30") && has_zoom(recent, 4, "10"));
    recent_destroy(recent);
}

static void check_limit(void) {
    struct recent *recent = recent_load();
    for (int i = 100; i < 100 + 2 * RECENT_MAX; i++) {
        char zoom[16];
        snprintf(zoom, sizeof zoom, "1e%d", i);
        add(recent, zoom);
    }
    CHECK(recent_count(recent) == RECENT_MAX);
    CHECK(recent_save(recent));
    recent_destroy(recent);
    recent = recent_load();
    CHECK(recent_count(recent) == RECENT_MAX && has_zoom(recent, 0, "1e163") &&
          has_zoom(recent, RECENT_MAX - 1, "1e132"));
    recent_destroy(recent);
}

#define COUNT(text) count_of(text, sizeof text - 1)

static void check_broken(void) {
    CHECK(COUNT("") == 0);
    CHECK(COUNT("# nothing\n\n") == 0);
    CHECK(COUNT("place = a\n[view]\nzoom = 2\nplace = b\n[view]\nzoom = 3") == 2);
    CHECK(COUNT("[view]\nzoom = 2\nplace = b\n[view]\nzoom = 3\n") == 0);
    CHECK(COUNT("place = a\n") == 0);
    CHECK(COUNT("place = a\nplace = b\nzoom = 3\n") == 0);
    CHECK(COUNT("place = \nzoom = 3\n") == 0);
    CHECK(COUNT("place = a\033[2J\nzoom = 3\n") == 0);
    CHECK(COUNT("place = a\n[view]\nzoom = 3\0\nplace = b\nzoom = 4\n") == 0);
    char *large = malloc(8 << 20);
    CHECK(large);
    memset(large, 'a', 8 << 20);
    CHECK(count_of(large, 8 << 20) == 0);
    memcpy(large, "place = ", 8);
    CHECK(count_of(large, 1 << 20) == 0);
    large[9] = '\n';
    CHECK(count_of(large, (1 << 20) + 100) == 0);
    free(large);
    /* More places than there is room for. */
    char text[RECENT_MAX * 20 + 200] = "";
    for (int i = 0; i < RECENT_MAX + 5; i++)
        strcat(text, "place = a\nz = 1\n");
    CHECK(count_of(text, strlen(text)) == RECENT_MAX);
}

/* Puts a folder in the file's place: only the list may be lost. */
static void check_no_file(void) {
    char *path = user_state_path("recent");
    CHECK(path && remove(path) == 0 && mkdir(path, 0700) == 0);
    struct recent *recent = recent_load();
    CHECK(recent && recent_count(recent) == 0);
    add(recent, "5");
    CHECK(!recent_save(recent) && recent_count(recent) == 1);
    recent_destroy(recent);
    CHECK(rmdir(path) == 0 && mkfifo(path, 0600) == 0);
    recent = recent_load();
    add(recent, "5");
    CHECK(!recent_save(recent));
    recent_destroy(recent);
    CHECK(remove(path) == 0);
    free(path);
}

/* --- many at once --- */

/* Loads, reports that it is ready, waits for all others, saves; runs in a process of its own. */
static void save_at_once(int number, int ready, int go) {
    char zoom[16], byte = 0;
    snprintf(zoom, sizeof zoom, "1e%d", number);
    struct recent *recent = recent_load();
    add(recent, zoom);
    const bool begun = write(ready, &byte, 1) == 1 && read(go, &byte, 1) == 0;
    _exit(!begun || !recent_save(recent));
}

#define WINDOWS 8

/* Closes windows at the same time, as at a logout. */
static void check_together(void) {
    char *path = user_state_path("recent"), byte;
    int ready[2], go[2], saved = 0, status;
    if (path)
        CHECK(remove(path) == 0 && rmdir(dirname(path)) == 0);
    free(path);
    CHECK(pipe(ready) == 0 && pipe(go) == 0);
    for (int i = 0; i < WINDOWS; i++)
        if (fork() == 0) {
            close(go[1]);
            save_at_once(i + 1, ready[1], go[0]);
        }
    for (int i = 0; i < WINDOWS; i++)
        CHECK(read(ready[0], &byte, 1) == 1);
    close(go[1]);
    while (wait(&status) > 0)
        saved += status == 0;
    close(go[0]);
    close(ready[0]);
    close(ready[1]);
    struct recent *recent = recent_load();
    const size_t count = recent_count(recent);
    if (saved != WINDOWS || count != WINDOWS) {
        printf("%d windows that closed together saved, and left %zu places\n", saved, count);
        failures++;
    }
    recent_destroy(recent);
}

/* Checks that a lock that is never released does not keep a window from closing. */
static void check_held(void) {
    char *path = user_state_path("recent");
    const int lock = path ? paths_lock(path) : -1;
    CHECK(lock >= 0);
    struct recent *recent = recent_load();
    add(recent, "77");
    CHECK(recent_save(recent));
    recent_destroy(recent);
    recent = recent_load();
    CHECK(has_zoom(recent, 0, "77"));
    recent_destroy(recent);
    close(lock);
    free(path);
}

/* --- large views --- */

#define DIGITS 90000 /* digits of each coordinate */

/* Checks that the file holds only as many places as can be read again: the newest. */
static void check_large(void) {
    static char re[DIGITS + 8];
    struct recent *recent = recent_load();
    for (int i = 0; i < RECENT_MAX; i++) {
        const char *why;
        SCOPED(scene, scene);
        memset(re, '3', DIGITS);
        memcpy(re, "-0.", 3);
        re[3] = (char)('0' + i % 10);
        re[4] = (char)('0' + i / 10);
        CHECK(view_set_centre(&scene.view, re, re, 0, &why));
        CHECK(view_set_zoom(&scene.view, i == RECENT_MAX - 1 ? "4321" : "1234", &why));
        recent_add(recent, &scene);
    }
    CHECK(recent_count(recent) == RECENT_MAX && recent_save(recent));
    recent_destroy(recent);
    log_start();
    recent = recent_load();
    struct stat status;
    fflush(stderr);
    CHECK(stat(LOG_FILE, &status) == 0 && status.st_size == 0);
    CHECK(recent_count(recent) > 10 && recent_count(recent) < RECENT_MAX &&
          has_zoom(recent, 0, "4321"));
    recent_destroy(recent);
}

/* Checks that a folder that cannot be made is not made in part. */
static void check_long_folder(void) {
    char name[5000] = "deep";
    for (size_t i = 4; i < 4500; i += 2)
        memcpy(name + i, "/x", 3);
    CHECK(!user_folder_make(name, 0700) && errno == ENAMETOOLONG && access("deep", F_OK) != 0);
    memset(name, 'y', 300);
    memcpy(name, "deep/", 5);
    name[300] = '\0';
    CHECK(!user_folder_make(name, 0700) && errno == ENAMETOOLONG && access("deep", F_OK) != 0);
    CHECK(user_folder_make("deep/a//b/", 0700) && access("deep/a/b", F_OK) == 0);
    CHECK(rmdir("deep/a/b") == 0 && rmdir("deep/a") == 0 && rmdir("deep") == 0);
}

int main(void) {
    char folder[] = "state-XXXXXX", here[2048], home[2100];
    CHECK(mkdtemp(folder) && getcwd(here, sizeof here));
    snprintf(home, sizeof home, "%s/%s/deeper", here, folder);
    setenv("XDG_STATE_HOME", home, 1);
    check_order();
    check_merge();
    check_limit();
    check_broken();
    check_no_file();
    check_large();
    for (int i = 0; i < 4; i++)
        check_together();
    check_held();
    check_long_folder();
    printf("%d failures\n", failures);
    return failures != 0;
}
