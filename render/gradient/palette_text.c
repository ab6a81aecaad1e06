/* Palette text: reads and writes the entries of a palette. */
#include "render/gradient/palette_text.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

static bool fail(const struct palette_text *t, const char *what, const char *value) {
    log_error("%s:%d: %s: '%.60s'", t->source, t->line, what, value);
    return false;
}

void palette_text_copy(char *to, size_t room, const char *name, size_t length) {
    size_t used = 0, step;
    for (size_t i = 0; i < length; i += step) {
        const size_t shown = log_shown_length(name + i);
        const bool whole = shown > 0 && shown <= length - i;
        step = whole ? shown : 1;
        if (used + step > room)
            break;
        memcpy(to + used, whole ? name + i : "?", step);
        used += step;
    }
    to[used] = '\0';
}

/* Reads "#rrggbb". */
static bool read_colour(const char *text, uint32_t *rgba) {
    if (text[0] != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6 || text[7])
        return false;
    const uint32_t rgb = (uint32_t)strtoul(text + 1, NULL, 16);
    *rgba = rgb >> 16 | (rgb & 0xff00) | (rgb & 0xff) << 16 | COLOUR_ALPHA;
    return true;
}

/* Reads a label, in which "_" stands for a blank. */
static bool read_label(struct palette_text *t, const char *text, char *label) {
    if (strlen(text) > GRADIENT_LABEL_MAX)
        return fail(t, "a colour's name has more than 19 bytes", text);
    palette_text_copy(label, GRADIENT_LABEL_MAX, text, strlen(text));
    for (char *c = label; (c = strchr(c, '_'));)
        *c = ' ';
    return true;
}

/* Reads "#rrggbb", "0.16:#rrggbb" or "0.16:#rrggbb:name". */
static bool read_stop(struct palette_text *t, char *word) {
    struct gradient *g = &t->named.gradient;
    if (g->count == GRADIENT_STOPS_MAX)
        return fail(t, "more than 256 colours, the last of them", word);
    struct gradient_stop *stop = &g->stops[g->count];
    *stop = (struct gradient_stop){0};
    char *colon = strchr(word, ':'), *colour = colon ? colon + 1 : word;
    char *label = colon ? strchr(colour, ':') : NULL;
    if (colon)
        *colon = '\0';
    if (label)
        *label = '\0';
    if (!read_colour(colour, &stop->rgba))
        return fail(t, "not a colour like #206bcb", colour);
    if (g->count > 0 && t->placed != (colon != NULL))
        return fail(t, "either all colours have positions or none", word);
    t->placed = colon != NULL;
    if (colon && (!ini_number(word, &stop->place) || stop->place < 0 || stop->place > 1))
        return fail(t, "a colour's position is not a number in [0, 1]", word);
    if (colon && g->count > 0 && stop->place < stop[-1].place)
        return fail(t, "positions decrease", word);
    g->count++;
    return !label || read_label(t, label + 1, stop->label);
}

static bool read_colours(struct palette_text *t, const char *value) {
    char *copy = strdup(value), *rest = NULL;
    if (!copy)
        return fail(t, "not enough memory for", value);
    bool ok = true;
    t->named.gradient.count = 0;
    for (char *word = strtok_r(copy, " \t", &rest); ok && word; word = strtok_r(NULL, " \t", &rest))
        ok = read_stop(t, word);
    free(copy);
    return ok;
}

static bool read_name(struct palette_text *t, const char *value) {
    if (!*value || strlen(value) > PALETTE_NAME_MAX)
        return fail(t, "a name has 1 to 40 bytes", value);
    palette_text_copy(t->named.name, PALETTE_NAME_MAX, value, strlen(value));
    return true;
}

static bool read_interpolation(struct palette_text *t, const char *value) {
    const int choice = ini_choice(value, interpolation_names);
    if (choice < 0)
        return fail(t, "the interpolation is none of smooth, oklab, linear and none", value);
    t->named.gradient.interpolation = (enum interpolation)choice;
    return true;
}

static bool read_mirror(struct palette_text *t, const char *value) {
    static const char *const choices[] = {"no", "yes", NULL};
    const int choice = ini_choice(value, choices);
    t->named.gradient.mirrored = choice == 1;
    return choice >= 0 || fail(t, "mirror is neither yes nor no", value);
}

/* Keys with a number as their value. */
static const struct number {
    const char *key;
    size_t offset;
    double usual, low, high;
    bool below; /* `high` is not allowed */
    const char *problem;
} numbers[] = {
    {"period", offsetof(struct gradient, period), 0, GRADIENT_PERIOD_MIN, GRADIENT_PERIOD_MAX,
     false, "the period is not a number from 0.001 to 1e9"},
    {"offset", offsetof(struct gradient, offset), 0, 0, 1, true,
     "the offset is not a number in [0, 1)"},
    {"hue", offsetof(struct gradient, hue), 0, -180, 180, false,
     "the hue is not a number from -180 to 180"},
    {"saturation", offsetof(struct gradient, saturation), 1, 0, 2, false,
     "the saturation is not a number from 0 to 2"},
    {"brightness", offsetof(struct gradient, brightness), 1, 0, 2, false,
     "the brightness is not a number from 0 to 2"},
};
#define NUMBERS (sizeof numbers / sizeof *numbers)

static bool read_number(struct palette_text *t, const struct number *n, const char *value) {
    double x;
    if (!ini_number(value, &x) || x < n->low || x > n->high || (n->below && x == n->high))
        return fail(t, n->problem, value);
    memcpy((char *)&t->named.gradient + n->offset, &x, sizeof x);
    return true;
}

void palette_text_begin(struct palette_text *text, const char *source, const char *name) {
    *text = (struct palette_text){.source = source};
    gradient_init(&text->named.gradient);
    palette_text_copy(text->named.name, PALETTE_NAME_MAX, name, strlen(name));
}

bool palette_text_set(struct palette_text *t, const char *key, const char *value, int line) {
    t->line = line;
    if (strcmp(key, "name") == 0)
        return read_name(t, value);
    if (strcmp(key, "interpolation") == 0)
        return read_interpolation(t, value);
    if (strcmp(key, "mirror") == 0)
        return read_mirror(t, value);
    if (strcmp(key, "colours") == 0)
        return read_colours(t, value);
    if (strcmp(key, "interior") == 0)
        return read_colour(value, &t->named.gradient.interior) ||
               fail(t, "not a colour like #206bcb", value);
    for (size_t i = 0; i < NUMBERS; i++)
        if (strcmp(key, numbers[i].key) == 0)
            return read_number(t, &numbers[i], value);
    return fail(t, "an unknown key", key);
}

bool palette_text_end(struct palette_text *t) {
    if (!t->placed)
        gradient_space_evenly(&t->named.gradient);
    const char *problem = gradient_problem(&t->named.gradient);
    if (problem)
        log_error("%s: %s", t->source, problem);
    return !problem;
}

/* --- writing --- */

static void write_colour(FILE *file, uint32_t rgba) {
    fprintf(file, "#%02x%02x%02x", (unsigned)(rgba & 0xff), (unsigned)(rgba >> 8 & 0xff),
            (unsigned)(rgba >> 16 & 0xff));
}

static void write_label(FILE *file, const char *label) {
    fputc(':', file);
    for (; *label; label++)
        fputc(*label == ' ' || *label == '\t' ? '_' : *label, file);
}

static bool has_labels(const struct gradient *g) {
    for (int i = 0; i < g->count; i++)
        if (g->stops[i].label[0])
            return true;
    return false;
}

static void write_stops(FILE *file, const struct gradient *g) {
    const bool placed = !gradient_is_even(g) || has_labels(g);
    fputs("colours =", file);
    for (int i = 0; i < g->count; i++) {
        char place[INI_NUMBER_SIZE];
        ini_number_text(g->stops[i].place, place);
        fprintf(file, " %s%s", placed ? place : "", placed ? ":" : "");
        write_colour(file, g->stops[i].rgba);
        if (g->stops[i].label[0])
            write_label(file, g->stops[i].label);
    }
    fputc('\n', file);
}

void palette_text_write(FILE *file, const struct named_gradient *named) {
    const struct gradient *g = &named->gradient;
    fprintf(file, "name = %s\ninterpolation = %s\n", named->name,
            interpolation_names[g->interpolation]);
    if (g->mirrored)
        fputs("mirror = yes\n", file);
    for (size_t i = 0; i < NUMBERS; i++) {
        char number[INI_NUMBER_SIZE];
        double x;
        memcpy(&x, (const char *)g + numbers[i].offset, sizeof x);
        ini_number_text(x, number);
        if (x != numbers[i].usual)
            fprintf(file, "%s = %s\n", numbers[i].key, number);
    }
    fputs("interior = ", file);
    write_colour(file, g->interior);
    fputc('\n', file);
    write_stops(file, g);
}
