/* Paths: reads and writes the stops. Each stop's view is passed to the reader of view files. */
#define _GNU_SOURCE /* asprintf */
#include "app/movie/path/path.h"
#include "render/base/atomic_file.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/style/style.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPEED_MAX 1000.0 /* [octaves/s] */
#define TURNS_MAX 1000.0

void path_finish(struct path *path) {
    for (size_t i = 0; i < path->count; i++)
        scene_finish(&path->stops[i].scene);
    free(path->stops);
    *path = (struct path){0};
}

struct path_stop *path_add(struct path *path, const struct scene *scene) {
    struct path_stop *stops = path->stops;
    if (path->count >= PATH_STOPS_MAX) {
        log_error("a path has at most %d stops", PATH_STOPS_MAX);
        return NULL;
    }
    if ((path->count & (path->count - 1)) == 0) /* the capacity is a power of two */
        stops = realloc(stops, (path->count ? 2 * path->count : 1) * sizeof *stops);
    if (!stops) {
        log_error("not enough memory for a path");
        return NULL;
    }
    path->stops = stops;
    struct path_stop *stop = &stops[path->count++];
    *stop = (struct path_stop){0};
    scene_init_copy(&stop->scene, scene);
    return stop;
}

/* Gives each stop the angle that the camera has there, so that only whole turns remain. */
static void settle_turns(struct path *path) {
    double turned = 0, before = 0;
    for (size_t i = 1; i < path->count; i++) {
        struct view *view = &path->stops[i].scene.view;
        const double angle = view->angle;
        turned += path->stops[i].turns;
        if (turned != 0)
            view_rotate(view, 2 * M_PI * turned);
        const double whole = round((angle - view->angle) / (2 * M_PI) + turned);
        path->stops[i].turns = whole - before;
        before = whole;
    }
}

void path_reverse(struct path *path) {
    settle_turns(path);
    for (size_t i = 0, j = path->count; i + 1 < j--; i++) {
        const struct path_stop stop = path->stops[i];
        path->stops[i] = path->stops[j];
        path->stops[j] = stop;
    }
    /* The way to a stop belongs to the stop, which now begins it. */
    for (size_t i = path->count; i-- > 1;) {
        const struct path_stop *way = &path->stops[i - 1];
        path->stops[i].seconds = way->seconds;
        path->stops[i].speed = way->speed;
        path->stops[i].turns = -way->turns;
        path->stops[i].cycles = -way->cycles;
    }
}

bool path_return(struct path *path) {
    settle_turns(path);
    for (size_t i = path->count; i-- > 1;) {
        struct scene scene; /* path_add moves the stops */
        scene_init_copy(&scene, &path->stops[i - 1].scene);
        struct path_stop *stop = path_add(path, &scene);
        scene_finish(&scene);
        if (!stop)
            return false;
        const struct path_stop *way = &path->stops[i];
        stop->seconds = way->seconds;
        stop->speed = way->speed;
        stop->turns = -way->turns;
        stop->cycles = -way->cycles;
        stop->hold = i > 1 ? way[-1].hold : 0;
    }
    return true;
}

/* --- reading --- */

/* A stop's lines, and what its keys have set. */
struct reading {
    const char *source;
    struct path_stop *stop;
    char *view, *style; /* NULL: not given */
};

static bool read_number(const struct reading *reading, const char *key, const char *value, int line,
                        double low, double high, double *number) {
    double read;
    if (ini_number(value, &read) && read >= low && read <= high) {
        *number = read;
        return true;
    }
    log_error("%s:%d: '%s' takes a number from %g to %g, not '%s'", reading->source, line, key, low,
              high, value);
    return false;
}

static bool read_text(const char *value, char **text) {
    free(*text);
    *text = strdup(value);
    return *text;
}

static bool read_entry(void *user, const char *section, const char *key, const char *value,
                       int line) {
    struct reading *reading = user;
    struct path_stop *stop = reading->stop;
    const struct {
        const char *key;
        double low, high;
        double *number;
    } numbers[] = {{"seconds", 0, PATH_SECONDS_MAX, &stop->seconds},
                   {"speed", 1e-6, SPEED_MAX, &stop->speed},
                   {"hold", 0, PATH_SECONDS_MAX, &stop->hold},
                   {"turns", -TURNS_MAX, TURNS_MAX, &stop->turns},
                   {"cycles", -TURNS_MAX, TURNS_MAX, &stop->cycles}};
    (void)section;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(key, numbers[i].key) == 0)
            return read_number(reading, key, value, line, numbers[i].low, numbers[i].high,
                               numbers[i].number);
    if (strcmp(key, "view") == 0)
        return read_text(value, &reading->view);
    if (strcmp(key, "style") == 0)
        return read_text(value, &reading->style);
    log_error("%s:%d: a stop has no key '%s'; it has seconds, speed, hold, turns, cycles, "
              "view and style",
              reading->source, line, key);
    return false;
}

/* Returns the path of a view file that a path file names. The caller frees it. */
static char *beside(const char *source, const char *view) {
    const char *slash = strrchr(source, '/');
    char *path = NULL;
    if (*view == '/' || !slash)
        return strdup(view);
    return asprintf(&path, "%.*s/%s", (int)(slash - source), source, view) < 0 ? NULL : path;
}

/* Reads the lines of a view, which begin at `line`. Empty lines before them keep the numbers in
 * messages right. */
static bool read_view(const char *source, struct scene *scene, const char *text, size_t length,
                      int line) {
    char *numbered = malloc((size_t)line + length);
    if (!numbered) {
        log_error("not enough memory for a path");
        return false;
    }
    memset(numbered, '\n', (size_t)line - 1);
    memcpy(numbered + line - 1, text, length);
    const bool ok = scene_parse(scene, source, numbered, (size_t)line - 1 + length);
    free(numbered);
    return ok;
}

/* Returns true if a line begins a section; of a stop if `stop`. */
static bool is_header(const char *line, const char *end, bool stop) {
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    return stop ? end - line >= 6 && memcmp(line, "[stop]", 6) == 0 : line < end && *line == '[';
}

static const char *next_line(const char *line, const char *end) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    return newline ? newline + 1 : end;
}

/* Reads the keys of a stop and its view, and adds the stop. */
static bool read_stop(struct path *path, const char *source, const char *text, const char *end,
                      int line) {
    struct scene scene;
    const char *view = next_line(text, end);
    int view_line = line + 1;
    for (; view < end && !is_header(view, end, false); view = next_line(view, end))
        view_line++;
    scene_init(&scene);
    struct reading reading = {.source = source, .stop = path_add(path, &scene)};
    char *numbered = malloc((size_t)line + (size_t)(view - text));
    bool ok = reading.stop && numbered;
    if (ok) {
        memset(numbered, '\n', (size_t)line - 1);
        memcpy(numbered + line - 1, text, (size_t)(view - text));
        ok = ini_read(source, numbered, (size_t)line - 1 + (size_t)(view - text), read_entry,
                      &reading);
    }
    free(numbered);
    if (ok && reading.view) {
        char *file = beside(source, reading.view);
        ok = file && scene_load(&reading.stop->scene, file);
        free(file);
    } else if (ok) {
        ok = read_view(source, &reading.stop->scene, view, (size_t)(end - view), view_line);
    }
    ok = ok && (!reading.style || style_apply(&reading.stop->scene, reading.style));
    free(reading.view);
    free(reading.style);
    scene_finish(&scene);
    return ok;
}

static bool read_stops(struct path *path, const char *source, const char *text, size_t length) {
    const char *end = text + length, *stop = NULL;
    int line = 1, stop_line = 0;
    for (const char *at = text; at < end; at = next_line(at, end), line++) {
        if (!is_header(at, end, true)) {
            if (!stop && is_header(at, end, false))
                break;
            continue;
        }
        if (stop && !read_stop(path, source, stop, at, stop_line))
            return false;
        stop = at;
        stop_line = line;
    }
    if (!stop) {
        log_error("'%s' is no path: it has to begin with [stop]", source);
        return false;
    }
    return read_stop(path, source, stop, end, stop_line);
}

bool path_load(struct path *path, const char *file) {
    size_t length;
    char *text = file_read(file, PATH_TEXT_MAX, &length);
    const bool ok = text && read_stops(path, file, text, length);
    if (!ok)
        path_finish(path);
    free(text);
    return ok;
}

/* --- writing --- */

static void write_number(FILE *file, const char *key, double number) {
    char text[INI_NUMBER_SIZE];
    ini_number_text(number, text);
    if (number != 0)
        fprintf(file, "%s = %s\n", key, text);
}

static bool write_stops(FILE *file, const struct path *path) {
    fputs("# A path of fathom: the stops of a movie\n", file);
    for (size_t i = 0; i < path->count; i++) {
        const struct path_stop *stop = &path->stops[i];
        char *text = scene_text(&stop->scene);
        if (!text)
            return false;
        fputs("\n[stop]\n", file);
        write_number(file, "seconds", stop->seconds);
        write_number(file, "speed", stop->speed);
        write_number(file, "hold", stop->hold);
        write_number(file, "turns", stop->turns);
        write_number(file, "cycles", stop->cycles);
        fprintf(file, "\n%s", text);
        free(text);
    }
    return true;
}

char *path_text(const struct path *path) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    const bool ok = file && write_stops(file, path);
    if (file && fclose(file) == 0 && ok)
        return text;
    log_error("not enough memory for a path");
    free(text);
    return NULL;
}

bool path_save(const struct path *path, const char *file) {
    char *text = path_text(path);
    struct atomic_file *saved = text ? atomic_file_open(file, true) : NULL;
    if (saved)
        fputs(text, atomic_file_stream(saved));
    free(text);
    return saved && atomic_file_commit(saved, NULL);
}

bool path_has_ending(const char *file) {
    const size_t length = strlen(file), ending = strlen(PATH_ENDING);
    return length > ending && strcmp(file + length - ending, PATH_ENDING) == 0;
}
