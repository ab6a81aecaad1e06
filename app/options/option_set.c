/* Option values: parses and stores them, one function for each kind of option. */
#include "app/options/option_table.h"
#include "cpu/cpuid.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/files/poster/poster.h"
#include "render/files/scene.h"
#include <stdio.h>
#include <string.h>

#define SAMPLES_MAX 1000000000000000000u

static bool set_flag(const struct option_place *place, bool *flag, const char *value) {
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1", NULL};
    const int word = value ? ini_choice(value, words) : 1;
    if (word < 0)
        log_message(place->level, "%s is yes or no, not '%s'", place->name, value);
    else
        *flag = word % 2;
    return word >= 0;
}

static bool refuse(const struct option_place *place, const struct setting_problem *problem,
                   const char *value) {
    log_message(place->level, "%s %s%s '%.60s'", place->name, problem->why, problem->joint, value);
    return false;
}

/* Stores a number, a whole number or a choice, parsed like a setting of that kind. */
static bool set_value(const struct option *option, const struct option_place *place, void *field,
                      const char *value) {
    struct setting_problem problem;
    const struct setting row = {
        .kind = option->kind == OPTION_NUMBER  ? SETTING_KIND_NUMBER
                : option->kind == OPTION_WHOLE ? SETTING_KIND_WHOLE
                                               : SETTING_KIND_CHOICE,
        .low = option->low,
        .high = option->high,
        .names = option->choices,
    };
    return setting_parse_value(&row, field, value, &problem) || refuse(place, &problem, value);
}

/* Stores the size of a usual name. Returns false for other names. */
static bool set_named_size(struct options *options, const char *name) {
    static const struct {
        const char *name;
        int width_px, height_px;
    } sizes[] = {{"720p", 1280, 720},
                 {"1080p", 1920, 1080},
                 {"1440p", 2560, 1440},
                 {"4k", 3840, 2160},
                 {"8k", 7680, 4320}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(name, sizes[i].name) == 0) {
            options->width_px = sizes[i].width_px;
            options->height_px = sizes[i].height_px;
            return true;
        }
    return false;
}

static bool set_size(const struct option_place *place, struct options *options, const char *value) {
    if (set_named_size(options, value))
        return true;
    char width[16] = "";
    const char *x = strchr(value, 'x');
    const int most = options->command == COMMAND_RENDER ? POSTER_SIDE_MAX : FRAME_SIZE_MAX;
    uint64_t w, h;
    if (x && (size_t)(x - value) < sizeof width)
        memcpy(width, value, (size_t)(x - value));
    if (!x || !ini_whole(width, &w) || !ini_whole(x + 1, &h) || w < 1 || h < 1 ||
        w > (uint64_t)most || h > (uint64_t)most) {
        log_message(place->level,
                    "%s takes WxH, each from 1 to %d, or 720p, 1080p, 1440p, 4k or 8k, not '%s'",
                    place->name, most, value);
        return false;
    }
    options->width_px = (int)w;
    options->height_px = (int)h;
    return true;
}

/* Adds a feature and all features below it, which it needs. */
static bool add_cpu_flag(uint32_t *mask, const char *name, size_t length) {
    static const char *const names[] = CPU_FLAG_NAMES;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) {
            *mask |= (2u << i) - 1;
            return true;
        }
    return false;
}

static bool set_cpumask(const struct option_place *place, uint32_t *mask, const char *value) {
    *mask = strcmp(value, "all") == 0 ? ~0u : 0;
    if (*mask || strcmp(value, "none") == 0)
        return true;
    for (const char *name = value; name; name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL)
        if (!add_cpu_flag(mask, name, strcspn(name, ","))) {
            log_message(place->level, "%s is all, none or a list of fma, avx2, avx512, not '%s'",
                        place->name, value);
            return false;
        }
    return true;
}

static bool set_samples(const struct option_place *place, uint64_t *samples, const char *value) {
    uint64_t number;
    if (!ini_count(value, &number) || number < 1 || number > SAMPLES_MAX) {
        log_message(place->level,
                    "%s takes a whole number from 1 to 1e18, such as 1000000, 1e9 or 20G, not '%s'",
                    place->name, value);
        return false;
    }
    *samples = number;
    return true;
}

bool option_is_retired(const char *name, const char *value, const char *shown) {
    const char *instead = setting_replacement(NULL, name, value);
    if (instead && *instead)
        log_warn("%s '%s' is no longer supported; %s", shown, value, instead);
    return instead;
}

static bool set_setting(enum setting_id id, const struct option_place *place,
                        struct options *options, const char *value) {
    char clamped[SETTING_CLAMPED_SIZE];
    struct setting_problem problem;
    struct scene scratch;
    if (option_is_retired(setting_table[id].key, value, place->name))
        return true;
    scene_init(&scratch);
    options->texts[id] = value;
    if (setting_clamps(id, value, clamped)) {
        log_warn("%s is clamped to %s", place->name, clamped);
        value = clamped;
    }
    const bool ok = setting_parse(id, &scratch, value, &problem);
    scene_finish(&scratch);
    return ok || refuse(place, &problem, value);
}

bool options_store_setting(const struct options *options, enum setting_id id, struct scene *scene) {
    char clamped[SETTING_CLAMPED_SIZE];
    struct setting_problem problem;
    const char *text = options->texts[id];
    char heard[8];
    if (!text)
        return false;
    const struct log_listener before = log_listen_instead_of_warnings(heard, sizeof heard);
    const bool ok =
        setting_parse(id, scene, setting_clamps(id, text, clamped) ? clamped : text, &problem);
    log_listen_restore(before);
    return ok;
}

bool option_range(const struct option *option, char *text, size_t size) {
    const bool is_setting = option->kind == OPTION_SETTING;
    const struct setting *setting = &setting_table[option->id];
    const bool whole = is_setting ? setting->kind == SETTING_KIND_WHOLE && !setting->clamped
                                  : option->kind == OPTION_WHOLE;
    const bool number =
        is_setting ? setting->kind == SETTING_KIND_NUMBER : option->kind == OPTION_NUMBER;
    const bool above = is_setting && setting->above;
    const double low = is_setting ? setting->low : option->low;
    const double high = is_setting ? setting->high : option->high;
    if (whole)
        snprintf(text, size, "%.0f to %.0f", low, high);
    else if (number)
        snprintf(text, size, above ? "above %g, up to %.9g" : "%g to %.9g", low, high);
    return whole || number;
}

bool option_set(const struct option *option, struct options *options, const char *value,
                const struct option_place *place) {
    void *field = (char *)options + option->offset;
    switch (option->kind) {
    case OPTION_FLAG:
        return set_flag(place, field, value);
    case OPTION_TEXT:
    case OPTION_BACKEND:
        *(const char **)field = value;
        if (!*value)
            log_message(place->level, "%s needs a value", place->name);
        return *value != '\0';
    case OPTION_WHOLE:
    case OPTION_NUMBER:
    case OPTION_CHOICE:
        return set_value(option, place, field, value);
    case OPTION_SIZE:
        return set_size(place, options, value);
    case OPTION_CPUMASK:
        return set_cpumask(place, field, value);
    case OPTION_SAMPLES:
        return set_samples(place, field, value);
    case OPTION_SETTING:
        return set_setting(option->id, place, options, value);
    }
    return false;
}
