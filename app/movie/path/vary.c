/* Vary: reads the changes and stores them in both stops. */
#include "app/movie/path/vary.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/base/suggest.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns true for settings that may change along a path. */
static bool is_varied(const struct setting *setting) {
    const enum setting_kind kind = setting->kind;
    return setting == &setting_table[SETTING_SAMPLES] ||
           (setting->option &&
            (kind == SETTING_KIND_NUMBER || kind == SETTING_KIND_TURNS ||
             kind == SETTING_KIND_PARAMETER || kind == SETTING_KIND_ANGLE ||
             setting == &setting_table[SETTING_LIMIT] || setting == &setting_table[SETTING_LEAST]));
}

static const char *name_of(const struct setting *setting) {
    return setting->option ? setting->option : setting->key;
}

static enum setting_id find(const char *name) {
    struct suggestion suggestion = {.word = name};
    for (int id = 0; id < SETTING_COUNT; id++) {
        const struct setting *setting = &setting_table[id];
        if (!is_varied(setting))
            continue;
        if (strcmp(name, name_of(setting)) == 0)
            return (enum setting_id)id;
        suggest_consider(&suggestion, name_of(setting));
    }
    if (suggestion.best)
        log_error("--vary: '%s' is no number that can change; did you mean '%s'?", name,
                  suggestion.best);
    else
        log_error("--vary: '%s' is no number that can change, such as julia-re, offset, "
                  "light-angle, angle or iterations",
                  name);
    return SETTING_COUNT;
}

static bool store(enum setting_id id, struct path_stop *stop, const char *text) {
    struct setting_problem problem;
    if (id == SETTING_JULIA_RE || id == SETTING_JULIA_IM)
        stop->scene.fractal.julia = 1;
    if (id == SETTING_SAMPLES) {
        if (ini_count(text, &stop->scene.samples) && stop->scene.samples > 0)
            return true;
        log_error("--vary: 'samples' takes a number of samples such as 10M, not '%s'", text);
        return false;
    }
    if (setting_parse(id, &stop->scene, text, &problem))
        return true;
    log_error("--vary: '%s' %s%s '%s'", name_of(&setting_table[id]), problem.why, problem.joint,
              text);
    return false;
}

/* Adds the turns that the values of two stops do not show. */
static void add_turns(enum setting_id id, struct path_stop *first, struct path_stop *last,
                      const char *from, const char *to) {
    double a, b;
    if (!ini_number(from, &a) || !ini_number(to, &b))
        return;
    if (id == SETTING_OFFSET) {
        const double shown = last->scene.offset - first->scene.offset;
        last->cycles = round(b - a - (shown - round(shown)));
    }
    if (id == SETTING_ANGLE) {
        const double shown = (last->scene.view.angle - first->scene.view.angle) / (2 * M_PI);
        last->turns = (b - a) / 360 - shown;
    }
}

/* Reads NAME=FROM..TO; changes the text. */
static bool vary(struct path *path, char *text) {
    struct path_stop *first = &path->stops[0], *last = &path->stops[path->count - 1];
    char *from = strchr(text, '='), *to = from ? strstr(from, "..") : NULL;
    if (!to) {
        log_error("--vary takes NAME=FROM..TO, such as offset=0..1, not '%s'", text);
        return false;
    }
    *from++ = '\0';
    *to = '\0';
    to += 2;
    const enum setting_id id = find(text);
    if (id == SETTING_COUNT || !store(id, first, from) || !store(id, last, to))
        return false;
    add_turns(id, first, last, from, to);
    return true;
}

bool vary_path(struct path *path, const char *text) {
    char *copy = strdup(text), *at = copy;
    bool ok = copy;
    while (ok && at) {
        char *next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        ok = vary(path, at);
        at = next;
    }
    free(copy);
    return ok;
}
