/* Locations of other programs: recognises a text's kind by its content, and reads each kind. */
#define _GNU_SOURCE
#include "render/files/location.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/files/coordinates.h"
#include "render/files/import/imported_location.h"
#include "render/files/toml.h"
#include "render/formula/spelling.h"
#include "render/gradient/import.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "\xef\xbb\xbf" /* byte order mark of UTF-8, which some editors write */

/* A value of a location: its text and its line. */
struct value {
    char *text; /* NULL: not given */
    int line;
};

/* Values of a location, of Kalles Fraktaler's formula, and of a Julia set's constant. */
enum { RE, IM, ZOOM, ANGLE, ITERATIONS, PLACE_VALUES };
enum { POWER = PLACE_VALUES, TYPE, IS_HYBRID, HYBRID, JULIA_RE, JULIA_IM, VALUES };

/* Formula of Fraktaler-3 that is being read. */
struct element {
    int line; /* line of its newest entry; 0: no formula is open */
    /* by_words: opcodes replace these flags and the power */
    bool abs_x, abs_y, neg_x, neg_y, by_words;
    uint32_t power;
};

struct location {
    const char *source;
    struct value values[VALUES];
    bool stretched, mirrored;
    struct element element;
    struct spelling_steps steps; /* empty: no formula is given, and the scene's is kept */
};

static bool fail(const struct location *location, int line, const char *what, const char *value) {
    log_error("%s:%d: %s: '%.40s%s'", location->source, line, what, value,
              strlen(value) > 40 ? "..." : "");
    return false;
}

static bool store(struct location *location, int id, const char *sign, const char *text,
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
    view_set_centre(view, re, im, 0, &why); /* repeated to get the reason */
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

/* Sets the limit, a whole number that may be written as 1e6. Keeps *limit if none is given. */
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

/* Sets the constant of a Julia set, as precise as the view of `read` needs. Returns false on
 * failure, which is logged. */
static bool set_parameter(const struct location *location, struct scene *read) {
    struct setting_problem problem;
    if (setting_parse(SETTING_JULIA_RE, read, location->values[JULIA_RE].text, &problem) &&
        setting_parse(SETTING_JULIA_IM, read, location->values[JULIA_IM].text, &problem))
        return true;
    log_error("%s: the Julia set's constant %s", location->source, problem.why);
    return false;
}

static bool set_fractal(const struct location *location, struct scene *read,
                        struct fractal *fractal) {
    const bool julia = location->values[JULIA_RE].text != NULL;
    if (julia && !set_parameter(location, read))
        return false;
    if (location->steps.count > 0)
        spelling_apply(&location->steps, fractal);
    if (julia) {
        mpfr_swap(fractal->re, read->fractal.re);
        mpfr_swap(fractal->im, read->fractal.im);
        fractal->julia = 1;
    }
    return true;
}

static bool apply(const struct location *location, struct scene *scene) {
    struct scene read;
    uint32_t limit = scene->limit;
    scene_init(&read);
    const bool ok = set_zoom(location, &read.view) && set_centre(location, &read.view) &&
                    set_angle(location, &read.view) && set_limit(location, &limit) &&
                    set_fractal(location, &read, &scene->fractal);
    if (ok) {
        view_assign(&scene->view, &read.view);
        scene->limit = limit;
    }
    scene_finish(&read);
    if (ok && location->stretched)
        log_warn("%s: stretched views are not supported; it is shown unstretched",
                 location->source);
    if (ok && location->mirrored)
        log_warn("%s: mirrored views are not supported; it is shown upright", location->source);
    return ok;
}

/* --- Kalles Fraktaler --- */

/* Returns true if a text is a number other than `usual`. */
static bool is_unusual(const char *text, double usual) {
    double number;
    return ini_number(text, &number) && number != usual;
}

static bool set_kalles(struct location *location, const char *key, const char *value, int line) {
    static const struct {
        const char *key, *what;
    } missing[] = {
        {"SeedR", "this version begins orbits at 0, not at SeedR"},
        {"SeedI", "this version begins orbits at 0, not at SeedI"},
        {"ExponentialMap", "this version has no exponential maps, as ExponentialMap asks for"},
    };
    static const char *const keys[] = {"Re",
                                       "Im",
                                       "Zoom",
                                       "RotateAngle",
                                       "Iterations",
                                       "Power",
                                       "FractalType",
                                       "UseHybridFormula",
                                       "HybridFormula",
                                       NULL};
    const int id = ini_choice(key, keys);
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (strcmp(key, missing[i].key) == 0 && is_unusual(value, 0))
            return fail(location, line, missing[i].what, value);
    if ((strcmp(key, "StretchAmount") == 0 || strcmp(key, "Rotate") == 0) && is_unusual(value, 0))
        location->stretched = true;
    if (strcmp(key, "Ratio") == 0 && is_unusual(value, 360))
        location->stretched = true;
    return id < 0 || store(location, id, "", value, strlen(value), line);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* A line without the blanks around it, in a text that may be modified. */
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

/* Returns true if a line is only part of a number. */
static bool is_rest_of_number(const struct line *line) {
    const size_t length = (size_t)(line->end - line->begin);
    return strspn(line->begin, "0123456789.eE+-") >= length &&
           strcspn(line->begin, "0123456789") < length;
}

/* Appends the digits of a number that continues in the lines below, as in texts of a fixed width.
 * Returns the number of those lines. */
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

/* Reads "Key: value"; the numbers of a location may continue below. Other lines are ignored. Sets
 * *more to the number of lines used below this one. */
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

/* Kalles Fraktaler's types up to 9, with the highest power that fathom has; 0: none. */
static const struct {
    const char *name;
    enum formula formula;
    uint32_t powers;
} kalles_types[] = {
    {"Mandelbrot", FORMULA_mandelbrot, FORMULA_POWER_MAX},
    {"Burning Ship", FORMULA_burning_ship, 5},
    {"Buffalo", FORMULA_buffalo, 5},
    {"Celtic", FORMULA_celtic, 5},
    {"Mandelbar", FORMULA_tricorn, 5},
    {"Mandelbar Celtic", FORMULA_COUNT, 0},
    {"Perpendicular Mandelbrot", FORMULA_perpendicular, 2},
    {"Perpendicular Burning Ship", FORMULA_perpendicular_ship, 2},
    {"Perpendicular Celtic", FORMULA_perpendicular_celtic, 2},
    {"Perpendicular Buffalo", FORMULA_perpendicular_buffalo, 2},
};

static bool find_kalles_type(struct location *location, uint64_t *type) {
    const char *text = location->values[TYPE].text, *name = "";
    *type = 0;
    if (!text)
        return true;
    const bool known = ini_whole(text, type) && *type < sizeof kalles_types / sizeof *kalles_types;
    if (known && kalles_types[*type].powers > 0)
        return true;
    if (known)
        name = kalles_types[*type].name;
    char what[100];
    snprintf(what, sizeof what, "this version has no formula like %s%sFractalType", name,
             known ? ", " : "");
    return fail_value(location, TYPE, what, "");
}

static bool find_kalles_power(struct location *location, uint64_t type, uint64_t *power) {
    const char *text = location->values[POWER].text;
    char what[100];
    *power = 2;
    if (text && (!ini_whole(text, power) || *power < 2 || *power > kalles_types[type].powers)) {
        snprintf(what, sizeof what, "%s has powers from 2 to %u here, not", kalles_types[type].name,
                 kalles_types[type].powers);
        return fail_value(location, POWER, what, "");
    }
    /* Kalles Fraktaler's formula is minus the cube of the conjugate, + c */
    return !(kalles_types[type].formula == FORMULA_tricorn && *power == 3) ||
           fail_value(location, POWER, "this version has no formula like Mandelbar of the power",
                      "");
}

static bool find_kalles_formula(struct location *location) {
    const char *is_hybrid = location->values[IS_HYBRID].text;
    const char *hybrid = location->values[HYBRID].text;
    if (is_hybrid && is_unusual(is_hybrid, 0))
        return hybrid ? spelling_read_hybrid(hybrid, &location->steps) ||
                            fail_value(location, HYBRID,
                                       "this version has no formula like this HybridFormula", "")
                      : fail_value(location, IS_HYBRID,
                                   "there is no HybridFormula beside UseHybridFormula", "");
    uint64_t type, power;
    if (!find_kalles_type(location, &type) || !find_kalles_power(location, type, &power))
        return false;
    location->steps.count = 1;
    location->steps.step[0] =
        (struct fractal_step){(uint8_t)kalles_types[type].formula, (uint8_t)power};
    return true;
}

static bool read_kalles(struct location *location, char *text) {
    bool ok = true;
    int line = 0, more;
    for (char *p = text; ok && *p; line += more) {
        struct line at = line_at(p);
        ok = read_kalles_line(location, &at, ++line, &more);
        p = at.next;
    }
    ok = ok && find_kalles_formula(location);
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

/* Stores a number without underscores, which numbers outside of quotes may contain. */
static bool keep_number(struct location *location, int id, const char *text, int line) {
    if (!store(location, id, "", text, strlen(text), line))
        return false;
    char *to = location->values[id].text;
    for (const char *from = to; *from; from++)
        if (*from != '_')
            *to++ = *from;
    *to = '\0';
    return true;
}

/* Closes an open formula, which adds it as a step. */
static bool end_element(struct location *location) {
    const struct element element = location->element;
    location->element = (struct element){0};
    if (element.line == 0 || element.by_words)
        return true;
    struct spelling spelling;
    spelling_begin(&spelling);
    for (int y = 0; y <= 1; y++) {
        if (y ? element.abs_y : element.abs_x)
            spelling_fold(&spelling, y);
        if (y ? element.neg_y : element.neg_x)
            spelling_negate(&spelling, y);
    }
    return (spelling_raise(&spelling, element.power) &&
            spelling_end(&spelling, &location->steps)) ||
           fail(location, element.line, "this version has no formula like this", "[[formula]]");
}

static bool begin_element(struct location *location, int line) {
    if (!end_element(location))
        return false;
    location->element = (struct element){.line = line, .power = 2};
    return true;
}

static bool set_words(struct location *location, const char *value, int line) {
    location->element.by_words = *value != '\0';
    return *value == '\0' || spelling_read_words(value, &location->steps) ||
           fail(location, line, "this version has no formula like these opcodes", value);
}

static bool set_formula(struct location *location, const char *key, const char *value, int line) {
    static const char *const keys[] = {"abs_x", "abs_y", "neg_x", "neg_y", NULL};
    struct element *element = &location->element;
    bool *const flags[] = {&element->abs_x, &element->abs_y, &element->neg_x, &element->neg_y};
    const int flag = ini_choice(key, keys);
    uint64_t power;
    if (element->line == 0 && !begin_element(location, line))
        return false;
    element->line = line;
    if (flag >= 0) {
        *flags[flag] = strcmp(value, "true") == 0;
        return *flags[flag] || strcmp(value, "false") == 0 ||
               fail(location, line, "this is neither true nor false", value);
    }
    if (strcmp(key, "power") == 0) {
        if (!ini_whole(value, &power) || power < 2 || power > FORMULA_POWER_MAX)
            return fail(location, line, "this version has powers from 2 to 8, not", value);
        element->power = (uint32_t)power;
        return true;
    }
    if (strcmp(key, "opcodes") == 0)
        return set_words(location, value, line);
    return (strcmp(key, "name") == 0 && strcmp(value, "Mandelbrot") == 0) ||
           strcmp(value, "false") == 0 ||
           fail(location, line, "this version has no formula with", key);
}

static bool set_fraktaler(void *user, const char *key, const char *value, int line) {
    struct location *location = user;
    static const char *const keys[] = {"location.real",    "location.imag",      "location.zoom",
                                       "transform.rotate", "bailout.iterations", NULL};
    if (!value)
        return strcmp(key, "formula") != 0 || begin_element(location, line);
    const int id = ini_choice(key, keys);
    if (id >= 0)
        return keep_number(location, id, value, line);
    if (strncmp(key, "formula.", 8) == 0)
        return set_formula(location, key + 8, value, line);
    if (strcmp(key, "transform.exponential_map") == 0 && strcmp(value, "true") == 0)
        return fail(location, line, "this version has no exponential maps", key);
    location->stretched |= strcmp(key, "transform.stretch_amount") == 0 && is_unusual(value, 0);
    location->mirrored |= strcmp(key, "transform.reflect") == 0 && strcmp(value, "true") == 0;
    return true;
}

/* Reads a Fraktaler-3 file, and adds the default values, which Fraktaler-3 omits. */
static bool read_fraktaler(struct location *location, const char *text, size_t length) {
    static const char *const usual[PLACE_VALUES] = {"0", "0", "1", "0", "1024"};
    bool ok =
        toml_read(location->source, text, length, set_fraktaler, location) && end_element(location);
    if (location->steps.count == 0)
        location->steps = (struct spelling_steps){{{FORMULA_mandelbrot, 2}}, 1};
    for (int id = 0; ok && id < PLACE_VALUES; id++)
        ok = location->values[id].text || store(location, id, "", usual[id], strlen(usual[id]), 1);
    return ok;
}

/* Reads a Fractint or XaoS file; takes over the texts of its location. */
static bool read_import(struct location *location, enum location_kind kind, const char *text) {
    struct imported_location found = {0};
    const bool ok = kind == LOCATION_XAOS ? xaos_read(location->source, text, &found)
                                          : fractint_read(location->source, text, &found);
    char *const texts[PLACE_VALUES] = {found.re, found.im, found.zoom, found.angle, found.limit};
    for (int id = 0; id < PLACE_VALUES; id++)
        location->values[id] = (struct value){texts[id], 1};
    location->values[JULIA_RE].text = found.julia_re;
    location->values[JULIA_IM].text = found.julia_im;
    location->steps.count = 1;
    location->steps.step[0] = (struct fractal_step){(uint8_t)found.formula, (uint8_t)found.power};
    return ok;
}

/* --- bare coordinates --- */

static bool read_bare(struct location *location, const char *text) {
    static const int ids[COORDINATES] = {RE, IM, ZOOM, ITERATIONS, ANGLE};
    struct coordinates found;
    bool ok = coordinates_find(location->source, text, &found);
    for (int i = 0; ok && i < COORDINATES; i++) {
        if (!found.number[i].text)
            continue;
        ok = store(location, ids[i], found.number[i].negative ? "-" : "", found.number[i].text,
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

/* Returns true for a line that occurs in Fraktaler-3's files, but not in fathom's own. */
static bool is_fraktaler(const char *p, const char *end) {
    static const char *const words[] = {"[location]",    "location.", "[[formula]]",
                                        "[[ formula ]]", "bailout.",  "transform."};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(p, end, words[i]))
            return true;
    return begins(p, end, "program") && memmem(p, (size_t)(end - p), "fraktaler", 9);
}

/* Returns true for "Key: 1" with nothing else in the line; other texts have colons, too. */
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
    bool braces = false; /* a brace occurs in this line or above */
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
        if (xaos_has_line(p, line_end))
            return LOCATION_XAOS;
        braces |= memchr(p, '{', (size_t)(line_end - p)) != NULL;
        if (braces && fractint_has_line(p, line_end))
            return LOCATION_FRACTINT;
        if (scene_may_be_line(p, (size_t)(line_end - p)) && !coordinates_begin_label(p, line_end))
            return LOCATION_VIEW;
        if (is_kalles(p, line_end))
            return LOCATION_KALLES;
    }
    return coordinates_begin(first, end) ? LOCATION_BARE : LOCATION_NONE;
}

static bool read_place(struct location *location, enum location_kind kind, char *text) {
    if (begins(text, text + strlen(text), MARK))
        memset(text, ' ', strlen(MARK));
    if (kind == LOCATION_FRACTINT || kind == LOCATION_XAOS)
        return read_import(location, kind, text);
    if (kind != LOCATION_FRAKTALER)
        coordinates_make_plain(text);
    return kind == LOCATION_KALLES      ? read_kalles(location, text)
           : kind == LOCATION_FRAKTALER ? read_fraktaler(location, text, strlen(text))
                                        : read_bare(location, text);
}

/* Applies the colours of a Kalles Fraktaler file, if there are any. */
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
    while ((text = strchr(text, '\n')))
        lines += *text++ == '\n';
    return lines;
}

bool scene_parse_any(struct scene *scene, const char *source, const char *text, size_t length) {
    require(scene && source && text, false);
    const enum location_kind kind = location_kind(text, length);
    if (kind == LOCATION_VIEW || length > SCENE_TEXT_MAX)
        return scene_parse(scene, source, text, length);
    if (kind == LOCATION_NONE) {
        log_error("%s: this is not a location: neither a view nor 're im zoom', nor a location of "
                  "Kalles Fraktaler, Fraktaler-3, Fractint or XaoS",
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
