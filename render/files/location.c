/* Tells from its content what kind of location a text holds, and reads each kind. */
#define _GNU_SOURCE
#include "render/files/location.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/files/coordinates.h"
#include "render/files/toml.h"
#include "render/gradient/import.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "\xef\xbb\xbf" /* UTF-8's, which some editors write */

/* One value of a place: its text, and where it stood. */
struct value {
    char *text; /* NULL: not given */
    int line;
};

enum { RE, IM, ZOOM, ANGLE, ITERATIONS, VALUES };

struct location {
    const char *source;
    struct value values[VALUES];
    bool stretched, mirrored;
    uint32_t power; /* of the Mandelbrot set; 0: no formula is told, and the scene's stays */
};

static bool fail(const struct location *location, int line, const char *what, const char *value) {
    log_error("%s:%d: %s: '%.40s%s'", location->source, line, what, value,
              strlen(value) > 40 ? "..." : "");
    return false;
}

static bool keep(struct location *location, int id, const char *sign, const char *text,
                 size_t length, int line) {
    struct value *value = &location->values[id];
    free(value->text);
    value->line = line;
    if (asprintf(&value->text, "%s%.*s", sign, (int)length, text) >= 0)
        return true;
    value->text = NULL;
    return fail(location, line, "not enough memory for", "this");
}

/* --- from a location to a scene --- */

static bool fail_value(const struct location *location, int id, const char *what, const char *why) {
    char both[120];
    snprintf(both, sizeof both, "%s%s", what, why);
    return fail(location, location->values[id].line, both, location->values[id].text);
}

static bool set_centre(const struct location *location, struct view *view) {
    const char *why;
    const char *re = location->values[RE].text, *im = location->values[IM].text;
    if (view_set_centre(view, re, im, 0, &why))
        return true;
    const bool im_is_bad = view_set_centre(view, re, "0", 0, &why);
    view_set_centre(view, re, im, 0, &why); /* for the reason */
    return fail_value(location, im_is_bad ? IM : RE,
                      im_is_bad ? "the imaginary part is " : "the real part is ", why);
}

static bool set_zoom(const struct location *location, struct view *view) {
    const char *why = "too many digits", *text = location->values[ZOOM].text;
    return (strlen(text) <= VIEW_DIGITS_MAX && view_set_zoom(view, text, &why)) ||
           fail_value(location, ZOOM, "the zoom is ", why);
}

static bool set_angle(const struct location *location, struct view *view) {
    const char *why, *text = location->values[ANGLE].text;
    double degrees;
    return !text || (ini_number(text, &degrees) && view_set_angle_degrees(view, degrees, &why)) ||
           fail_value(location, ANGLE, "the angle is not a number of degrees", "");
}

/* Whole, or a whole number as 1e6; *limit stays when none is given. */
static bool set_limit(const struct location *location, uint32_t *limit) {
    const char *text = location->values[ITERATIONS].text;
    double number;
    if (!text)
        return true;
    if (!ini_number(text, &number) || number < 0 || number != floor(number))
        return fail_value(location, ITERATIONS, "the iterations are not a whole number", "");
    if (number > FRAME_LIMIT_MAX)
        log_warn("%s:%d: iterations are clamped to %u", location->source,
                 location->values[ITERATIONS].line, FRAME_LIMIT_MAX);
    *limit = number > FRAME_LIMIT_MAX ? FRAME_LIMIT_MAX : (uint32_t)number;
    return true;
}

static void set_fractal(const struct location *location, struct fractal *fractal) {
    if (location->power == 0)
        return;
    fractal->formula = FORMULA_mandelbrot;
    fractal->power = location->power;
    fractal->then_count = fractal->julia = 0;
}

static bool apply(const struct location *location, struct scene *scene) {
    struct view view;
    uint32_t limit = scene->limit;
    view_init(&view);
    const bool ok = set_centre(location, &view) && set_zoom(location, &view) &&
                    set_angle(location, &view) && set_limit(location, &limit);
    if (ok) {
        view_assign(&scene->view, &view);
        scene->limit = limit;
        set_fractal(location, &scene->fractal);
    }
    view_finish(&view);
    if (ok && location->stretched)
        log_warn("%s: stretched views are not supported; it is shown unstretched",
                 location->source);
    if (ok && location->mirrored)
        log_warn("%s: mirrored views are not supported; it is shown upright", location->source);
    return ok;
}

/* --- Kalles Fraktaler --- */

/* Whether text is a number other than `usual`. */
static bool is_unusual(const char *text, double usual) {
    double number;
    return ini_number(text, &number) && number != usual;
}

static bool set_kalles(struct location *location, const char *key, const char *value, int line) {
    static const struct {
        const char *key;
        double usual;
        const char *what;
    } needed[] = {
        {"FractalType", 0, "this version has only the Mandelbrot set, not FractalType"},
        {"UseHybridFormula", 0, "this version has no hybrid formulas"},
        {"SeedR", 0, "this version begins orbits at 0, not at SeedR"},
        {"SeedI", 0, "this version begins orbits at 0, not at SeedI"},
    };
    static const char *const keys[] = {"Re", "Im", "Zoom", "RotateAngle", "Iterations", NULL};
    const int id = ini_choice(key, keys);
    uint64_t power;
    if (strcmp(key, "Power") == 0) {
        if (!ini_whole(value, &power) || power < 2 || power > FORMULA_POWER_MAX)
            return fail(location, line, "this version has powers from 2 to 8, not", value);
        location->power = (uint32_t)power;
    }
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (strcmp(key, needed[i].key) == 0 && is_unusual(value, needed[i].usual))
            return fail(location, line, needed[i].what, value);
    if ((strcmp(key, "StretchAmount") == 0 || strcmp(key, "Rotate") == 0) && is_unusual(value, 0))
        location->stretched = true;
    if (strcmp(key, "Ratio") == 0 && is_unusual(value, 360))
        location->stretched = true;
    return id < 0 || keep(location, id, "", value, strlen(value), line);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* A line without the blanks around it, in a text that may be written to. */
struct line {
    char *begin, *end, *next;
};

static struct line line_at(char *text) {
    char *end = text + strcspn(text, "\r\n");
    struct line line = {text, end, end + (*end != '\0') + (end[0] == '\r' && end[1] == '\n')};
    while (line.begin < line.end && is_blank(*line.begin))
        line.begin++;
    while (line.begin < line.end && is_blank(line.end[-1]))
        line.end--;
    return line;
}

/* Whether a line is but a part of a number. */
static bool is_rest_of_number(const struct line *line) {
    const size_t length = (size_t)(line->end - line->begin);
    return strspn(line->begin, "0123456789.eE+-") >= length &&
           strcspn(line->begin, "0123456789") < length;
}

/* Moves what a number has in the lines below, as texts of a fixed width have it, behind what it has in this one. Gives
 * how many lines these are. */
static int join_lines(struct line *line) {
    int joined = 0, passed = 0;
    for (char *p = line->next; *p;) {
        const struct line below = line_at(p);
        const size_t length = (size_t)(below.end - below.begin);
        if (length > 0 && !is_rest_of_number(&below))
            break;
        p = below.next;
        passed++;
        if (length == 0)
            continue;
        memmove(line->end, below.begin, length);
        line->end += length;
        line->next = p;
        joined = passed;
    }
    return joined;
}

/* "Key: value", whose numbers of a place may go on below; other lines say nothing. *more: how many lines below it
 * took. */
static bool read_kalles_line(struct location *location, struct line *read, int number, int *more) {
    static const char *const long_numbers[] = {"Re", "Im", "Zoom", NULL};
    *more = 0;
    char *colon = memchr(read->begin, ':', (size_t)(read->end - read->begin));
    if (!colon)
        return true;
    char *key_end = colon;
    while (key_end > read->begin && is_blank(key_end[-1]))
        key_end--;
    *colon = *key_end = '\0';
    if (ini_choice(read->begin, long_numbers) >= 0)
        *more = join_lines(read);
    *read->end = '\0';
    const char *value = colon + 1;
    value += strspn(value, " \t");
    return set_kalles(location, read->begin, value, number);
}

static bool read_kalles(struct location *location, char *text) {
    bool ok = true;
    int line = 0, more;
    location->power = 2;
    for (char *p = text; ok && *p; line += more) {
        struct line at = line_at(p);
        ok = read_kalles_line(location, &at, ++line, &more);
        p = at.next;
    }
    if (ok && (!location->values[RE].text || !location->values[IM].text ||
               !location->values[ZOOM].text)) {
        log_error(
            "%s: this Kalles Fraktaler file has no location in it: Re, Im and Zoom are needed",
            location->source);
        return false;
    }
    return ok;
}

/* --- Fraktaler-3 --- */

/* Numbers outside of quotes may have underscores. */
static bool keep_number(struct location *location, int id, const char *text, int line) {
    if (!keep(location, id, "", text, strlen(text), line))
        return false;
    char *to = location->values[id].text;
    for (const char *from = to; *from; from++)
        if (*from != '_')
            *to++ = *from;
    *to = '\0';
    return true;
}

static bool is_usual_formula(const char *key, const char *value) {
    return strcmp(key, "formula.power") == 0     ? strcmp(value, "2") == 0
           : strcmp(key, "formula.opcodes") == 0 ? strcmp(value, "sqr add") == 0
           : strcmp(key, "formula.name") == 0    ? strcmp(value, "Mandelbrot") == 0
                                                 : strcmp(value, "false") == 0;
}

static bool set_fraktaler(void *user, const char *key, const char *value, int line) {
    struct location *location = user;
    static const char *const keys[] = {"location.real",    "location.imag",      "location.zoom",
                                       "transform.rotate", "bailout.iterations", NULL};
    const int id = ini_choice(key, keys);
    if (id >= 0)
        return keep_number(location, id, value, line);
    if (strncmp(key, "formula.", 8) == 0 && !is_usual_formula(key, value))
        return fail(location, line, "this version has only the Mandelbrot set of power 2, not",
                    key + 8);
    if (strcmp(key, "transform.exponential_map") == 0 && strcmp(value, "true") == 0)
        return fail(location, line, "this version has no exponential maps", key);
    location->stretched |= strcmp(key, "transform.stretch_amount") == 0 && is_unusual(value, 0);
    location->mirrored |= strcmp(key, "transform.reflect") == 0 && strcmp(value, "true") == 0;
    return true;
}

/* Fraktaler-3 leaves out what it has at the start. */
static bool read_fraktaler(struct location *location, const char *text, size_t length) {
    static const char *const usual[VALUES] = {"0", "0", "1", "0", "1024"};
    location->power = 2;
    bool ok = toml_read(location->source, text, length, set_fraktaler, location);
    for (int id = 0; ok && id < VALUES; id++)
        ok = location->values[id].text || keep(location, id, "", usual[id], strlen(usual[id]), 1);
    return ok;
}

/* --- bare coordinates --- */

static bool read_bare(struct location *location, const char *text) {
    static const int ids[COORDINATES] = {RE, IM, ZOOM, ITERATIONS};
    struct coordinates found;
    bool ok = coordinates_find(location->source, text, &found);
    for (int i = 0; ok && i < COORDINATES; i++) {
        if (!found.number[i].text)
            continue;
        ok = keep(location, ids[i], found.number[i].negative ? "-" : "", found.number[i].text,
                  found.number[i].length, found.number[i].line);
        char *comma = ok && found.decimal ? strchr(location->values[ids[i]].text, ',') : NULL;
        if (comma)
            *comma = '.';
    }
    return ok;
}

/* --- kinds --- */

static bool begins(const char *p, const char *end, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(end - p) >= length && memcmp(p, word, length) == 0;
}

/* A line of Fraktaler-3's that fathom's own text has not. */
static bool is_fraktaler(const char *p, const char *end) {
    static const char *const words[] = {"[location]",    "location.", "[[formula]]",
                                        "[[ formula ]]", "bailout.",  "transform."};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(p, end, words[i]))
            return true;
    return begins(p, end, "program") && memmem(p, (size_t)(end - p), "fraktaler", 9);
}

/* "Key: 1", and nothing else in the line; other texts have colons, too. */
static bool is_kalles(const char *p, const char *end) {
    static const char *const keys[] = {
        "Re",    "Im",    "Zoom",  "Iterations",       "RotateAngle",
        "Power", "SeedR", "SeedI", "UseHybridFormula", "FractalType"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!begins(p, end, keys[i]))
            continue;
        const char *colon = p + strlen(keys[i]);
        while (colon < end && is_blank(*colon))
            colon++;
        if (colon == end || *colon != ':')
            continue;
        const char *value = colon + 1;
        while (value < end && is_blank(*value))
            value++;
        return coordinates_begin_number(value, end) && !memchr(value, ':', (size_t)(end - value));
    }
    return false;
}

enum location_kind location_kind(const char *text, size_t length) {
    const char *end = text + length, *p = text, *line_end;
    if (begins(p, end, MARK))
        p += strlen(MARK);
    const char *first = p;
    for (; p < end; p = line_end + (line_end < end)) {
        for (line_end = p; line_end < end && *line_end != '\n' && *line_end != '\r';)
            line_end++;
        while (p < line_end && is_blank(*p))
            p++;
        if (is_fraktaler(p, line_end))
            return LOCATION_FRAKTALER;
        if (scene_may_be_line(p, (size_t)(line_end - p)))
            return LOCATION_VIEW;
        if (is_kalles(p, line_end))
            return LOCATION_KALLES;
    }
    return coordinates_begin(first, end) ? LOCATION_BARE : LOCATION_NONE;
}

static bool read_place(struct location *location, enum location_kind kind, char *text) {
    if (begins(text, text + strlen(text), MARK))
        memset(text, ' ', strlen(MARK));
    if (kind != LOCATION_FRAKTALER)
        coordinates_make_plain(text);
    return kind == LOCATION_KALLES      ? read_kalles(location, text)
           : kind == LOCATION_FRAKTALER ? read_fraktaler(location, text, strlen(text))
                                        : read_bare(location, text);
}

/* Kalles Fraktaler's locations may have colours, too. */
static bool take_colours(const char *source, const char *text, size_t length, struct scene *scene) {
    if (import_kind(text, length) != IMPORT_KALLES)
        return true;
    const struct palette *palette = palette_import(source, text, length);
    if (palette)
        palette_replace(&scene->palette, palette);
    return palette;
}

static size_t lines_of(const char *text) {
    size_t lines = 1;
    for (; (text = strchr(text, '\n')); text++)
        lines++;
    return lines;
}

bool scene_parse_any(struct scene *scene, const char *source, const char *text, size_t length) {
    require(scene && source && text, false);
    const enum location_kind kind = location_kind(text, length);
    if (kind == LOCATION_VIEW || length > SCENE_TEXT_MAX)
        return scene_parse(scene, source, text, length);
    if (kind == LOCATION_NONE) {
        log_error("%s: this is not a location: neither a view nor 're im zoom', nor a location of "
                  "Kalles Fraktaler or Fraktaler-3",
                  source);
        return false;
    }
    struct location location = {.source = source};
    char *copy = strndup(text, length);
    bool ok = copy && strlen(copy) == length;
    if (!copy)
        log_error("%s: not enough memory", source);
    else if (!ok)
        log_error("%s:%zu: a NUL byte; this is not a text file", source, lines_of(copy));
    ok = ok && read_place(&location, kind, copy) && apply(&location, scene) &&
         take_colours(source, text, length, scene);
    for (int id = 0; id < VALUES; id++)
        free(location.values[id].text);
    free(copy);
    return ok;
}
