/* Fractint importer: reads parameter files, whose entries are "name { key=value ... }"; a line
 * that ends in a backslash continues in the next.
 *
 * Magnification 1 is a height of 2, so magnification is half of fathom's zoom. Rotation has the
 * opposite sign, because Fractint's cvtcorners takes the screen's corners clockwise. */
#define _GNU_SOURCE
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/files/import/imported_location.h"
#include "render/formula/fractal.h"
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define VALUES_MAX 10 /* most values of a list that are read */
#define BITS_MAX   400000

enum { TYPE, CENTER_MAG, CORNERS, PARAMS, MAXITER, KEYS };
static const char *const keys[] = {"type", "center-mag", "corners", "params", "maxiter", NULL};

struct entry {
    const char *source;
    char *values[KEYS]; /* texts in the copy; NULL: not given */
    int lines[KEYS];
};

/* Values of a list "a/b/c". */
struct list {
    const char *text[VALUES_MAX];
    int count;
};

static bool fail(const struct entry *entry, int key, const char *what) {
    log_error("%s:%d: %s: '%.40s%s'", entry->source, entry->lines[key], what, entry->values[key],
              strlen(entry->values[key]) > 40 ? "..." : "");
    return false;
}

bool fractint_has_line(const char *p, const char *end) {
    static const char *const words[] = {"reset=", "type=", "center-mag=", "corners="};
    for (const char *word = p; word < end; word++) {
        const bool begins = word == p || strchr(" \t{", word[-1]);
        for (size_t i = 0; begins && i < sizeof words / sizeof *words; i++)
            if ((size_t)(end - word) >= strlen(words[i]) &&
                strncasecmp(word, words[i], strlen(words[i])) == 0)
                return true;
    }
    return false;
}

/* --- words --- */

/* Joins a line that ends in a backslash with the next line, whose leading blanks are dropped, and
 * removes remarks. Works in place. Messages below a joined line report too low a line, because its
 * line end is gone. */
static void join(char *text) {
    char *to = text;
    for (const char *p = text; *p;) {
        if (*p == ';') {
            p += strcspn(p, "\n");
        } else if (*p == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n'))) {
            p += p[1] == '\n' ? 2 : 3;
            p += strspn(p, " \t");
        } else {
            *to++ = *p++;
        }
    }
    *to = '\0';
}

static void take_word(struct entry *entry, char *word, int line) {
    char *equals = strchr(word, '=');
    if (!equals)
        return;
    *equals = '\0';
    for (int i = 0; i < KEYS; i++)
        if (strcasecmp(word, keys[i]) == 0) {
            entry->values[i] = equals + 1;
            entry->lines[i] = line;
        }
}

/* Splits the words of the first entry, in place. */
static void read_words(struct entry *entry, char *text) {
    int line = 1;
    char *p = text;
    for (; *p && *p != '{'; p++)
        line += *p == '\n';
    for (p += *p == '{'; *p && *p != '}';) {
        const size_t blanks = strspn(p, " \t\r\n");
        for (size_t i = 0; i < blanks; i++)
            line += p[i] == '\n';
        p += blanks;
        char *end = p + strcspn(p, " \t\r\n}");
        const char stop = *end;
        *end = '\0';
        take_word(entry, p, line);
        if (stop == '\0' || stop == '}')
            return;
        line += stop == '\n';
        p = end + 1;
    }
}

/* Splits a value at its slashes. */
static struct list list_of(char *value) {
    struct list list = {.count = 0};
    for (char *p = value; p && list.count < VALUES_MAX;
         p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL)
        list.text[list.count++] = p;
    for (int i = 1; i < list.count; i++)
        ((char *)list.text[i])[-1] = '\0';
    return list;
}

static double number_of(const struct list *list, int i, double otherwise) {
    double number;
    return i < list->count && ini_number(list->text[i], &number) ? number : otherwise;
}

/* --- locations --- */

static bool is_number(const char *text) {
    return *text && strspn(text, "0123456789+-.eE") == strlen(text);
}

static char *number_text(mpfr_srcptr number, int digits) {
    char *text = NULL;
    return mpfr_asprintf(&text, "%.*Rg", digits, number) < 0 ? NULL : text;
}

static bool complete(const struct entry *entry, int key, const struct imported_location *location) {
    return (location->re && location->im && location->zoom) ||
           fail(entry, key, "not enough memory for");
}

static bool set_angle(struct imported_location *location, double degrees) {
    return degrees == 0 || asprintf(&location->angle, "%.17g", degrees) >= 0;
}

static bool read_center_mag(struct entry *entry, struct imported_location *location) {
    const struct list list = list_of(entry->values[CENTER_MAG]);
    mpfr_t zoom;
    for (int i = 0; i < list.count; i++)
        if (!is_number(list.text[i]))
            return fail(entry, CENTER_MAG, "this is not a centre and a magnification");
    if (list.count < 3)
        return fail(entry, CENTER_MAG, "this is not a centre and a magnification");
    if (fabs(number_of(&list, 3, 1) - 1) > 0.05 || number_of(&list, 5, 0) != 0)
        log_warn("%s:%d: stretched and skewed views are not supported; it is shown without",
                 entry->source, entry->lines[CENTER_MAG]);
    mpfr_init2(zoom, 256);
    const bool ok = mpfr_set_str(zoom, list.text[2], 10, MPFR_RNDN) == 0;
    mpfr_mul_ui(zoom, zoom, 2, MPFR_RNDN);
    location->zoom = number_text(zoom, 30);
    mpfr_clear(zoom);
    location->re = strdup(list.text[0]);
    location->im = strdup(list.text[1]);
    return ok && set_angle(location, -number_of(&list, 4, 0)) &&
           complete(entry, CENTER_MAG, location);
}

/* Reads xmin/xmax/ymin/ymax/x3/y3: top left is (xmin, ymax), bottom right (xmax, ymin), bottom left
 * the third corner. */
static bool read_corners(struct entry *entry, struct imported_location *location) {
    const struct list list = list_of(entry->values[CORNERS]);
    size_t digits = 0;
    for (int i = 0; i < list.count; i++) {
        if (!is_number(list.text[i]))
            return fail(entry, CORNERS, "these are not corners");
        digits = strlen(list.text[i]) > digits ? strlen(list.text[i]) : digits;
    }
    if (list.count != 4 && list.count != 6)
        return fail(entry, CORNERS, "these are not four or six numbers of corners");
    const mpfr_prec_t bits = digits < BITS_MAX / 4 ? (mpfr_prec_t)(4 * digits + 128) : BITS_MAX;
    mpfr_t n[6], side;
    mpfr_init2(side, bits);
    for (int i = 0; i < 6; i++) {
        mpfr_init2(n[i], bits);
        mpfr_set_str(n[i], list.text[i < list.count ? i : i == 4 ? 0 : 2], 10, MPFR_RNDN);
    }
    mpfr_sub(side, n[0], n[4], MPFR_RNDN); /* side from the bottom left to the top left corner */
    const double across = mpfr_get_d(side, MPFR_RNDN);
    mpfr_sub(side, n[3], n[5], MPFR_RNDN);
    const double up = mpfr_get_d(side, MPFR_RNDN);
    mpfr_sub(n[4], n[0], n[4], MPFR_RNDN);
    mpfr_hypot(side, side, n[4], MPFR_RNDN);
    const bool ok = mpfr_sgn(side) != 0;
    mpfr_ui_div(side, 4, side, MPFR_RNDN);
    location->zoom = ok ? number_text(side, 30) : NULL;
    for (int i = 0; i < 4; i += 2) {
        mpfr_add(n[i], n[i], n[i + 1], MPFR_RNDN);
        mpfr_div_2ui(n[i], n[i], 1, MPFR_RNDN);
    }
    location->re = number_text(n[0], (int)digits + 4);
    location->im = number_text(n[2], (int)digits + 4);
    for (int i = 0; i < 6; i++)
        mpfr_clear(n[i]);
    mpfr_clear(side);
    if (!ok)
        return fail(entry, CORNERS, "these corners have no height");
    return set_angle(location,
                     across == 0 ? 0 : -atan2(across, up) * (180 / 3.14159265358979323846)) &&
           complete(entry, CORNERS, location);
}

/* --- formulas --- */

static bool set_julia(struct imported_location *location, const struct list *params) {
    location->julia_re = strdup(params->count > 0 ? params->text[0] : "0");
    location->julia_im = strdup(params->count > 1 ? params->text[1] : "0");
    return location->julia_re && location->julia_im;
}

/* Reads the type and its params. They contain the start of the orbits, or the Julia set's c; then,
 * for types of any power, the power. */
static bool read_type(struct entry *entry, struct imported_location *location) {
    static const struct {
        const char *name;
        uint32_t power; /* 0: in params */
        bool julia;
    } types[] = {{"mandel", 2, false},  {"julia", 2, true},      {"mandel4", 4, false},
                 {"julia4", 4, true},   {"manzpower", 0, false}, {"julzpower", 0, true},
                 {"manzpwr", 0, false}, {"julzpwr", 0, true}};
    const char *name = entry->values[TYPE] ? entry->values[TYPE] : "mandel";
    const struct list params =
        entry->values[PARAMS] ? list_of(entry->values[PARAMS]) : (struct list){.count = 0};
    size_t i = 0;
    while (i < sizeof types / sizeof *types && strcasecmp(types[i].name, name) != 0)
        i++;
    if (i == sizeof types / sizeof *types)
        return fail(entry, TYPE, "this version has no formula like Fractint's type");
    const double power = types[i].power > 0 ? types[i].power : number_of(&params, 2, 2);
    if (!(power >= 2 && power <= FORMULA_POWER_MAX) || power != floor(power) ||
        (types[i].power == 0 && number_of(&params, 3, 0) != 0))
        return fail(entry, PARAMS, "this version has whole powers from 2 to 8, not those of");
    if (!types[i].julia && (number_of(&params, 0, 0) != 0 || number_of(&params, 1, 0) != 0))
        return fail(entry, PARAMS, "this version begins orbits at 0, not at");
    location->power = (uint32_t)power;
    for (int k = 0; types[i].julia && k < params.count && k < 2; k++)
        if (!is_number(params.text[k]))
            return fail(entry, PARAMS, "this is not the number of a Julia set");
    return !types[i].julia || set_julia(location, &params) ||
           fail(entry, TYPE, "not enough memory for");
}

bool fractint_read(const char *source, const char *text, struct imported_location *location) {
    struct entry entry = {.source = source};
    char *copy = strdup(text);
    bool ok = copy != NULL;
    if (!copy)
        log_error("%s: not enough memory", source);
    if (ok) {
        join(copy);
        read_words(&entry, copy);
        ok = read_type(&entry, location);
    }
    if (ok && entry.values[CENTER_MAG] && *entry.values[CENTER_MAG])
        ok = read_center_mag(&entry, location);
    else if (ok && entry.values[CORNERS] && *entry.values[CORNERS])
        ok = read_corners(&entry, location);
    else if (ok) {
        log_error("%s: the first entry of this Fractint file has no location: center-mag or "
                  "corners is needed",
                  source);
        ok = false;
    }
    if (ok)
        location->limit = strdup(entry.values[MAXITER] ? entry.values[MAXITER] : "150");
    free(copy);
    return ok && location->limit;
}
