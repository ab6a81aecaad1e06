/* Prints a scene's numbers for the panel's fields and reads them back; what is read leaves no bit
 * changed that was not edited. */
#include "app/explore/field_text.h"
#include "app/explore/orbits.h"
#include "render/base/ini.h"
#include "render/files/scene.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPARE_DIGITS 2 /* of the centre, below the pixel step */
#define ZOOM_DIGITS  4

/* --- to text --- */

static char *number_text(double number) {
    char text[INI_NUMBER_SIZE];
    ini_number_text(number, text);
    return strdup(text);
}

static char *limit_text(const struct scene *scene) {
    char text[3 * 11];
    const uint32_t *limit = scene->orbits.limit;
    if (scene->orbit_density && scene->orbits.channels > 1)
        snprintf(text, sizeof text, "%" PRIu32 " %" PRIu32 " %" PRIu32, limit[0], limit[1],
                 limit[2]);
    else
        snprintf(text, sizeof text, "%" PRIu32, scene->limit);
    return strdup(text);
}

char *field_exact(const struct scene *scene, enum field field) {
    switch (field) {
    case FIELD_RE:
        return view_number_text(scene->view.re, 0);
    case FIELD_IM:
        return view_number_text(scene->view.im, 0);
    case FIELD_ZOOM:
        return view_number_text(scene->view.zoom, 0);
    case FIELD_ANGLE:
        return number_text(view_angle_degrees(&scene->view));
    case FIELD_LIMIT:
        return limit_text(scene);
    case FIELD_FREQUENCY:
        return number_text(scene->frequency);
    case FIELD_OFFSET:
        return number_text(scene->offset);
    case FIELD_LEAST:
        return number_text(density_least(&scene->orbits));
    case FIELD_EXPOSURE:
        return number_text(scene->tone.exposure);
    case FIELD_GAMMA:
        return number_text(scene->tone.gamma);
    default:
        return NULL;
    }
}

/* As many digits as tell neighbouring pixels apart. */
static int digits_needed(mpfr_srcptr number, double step_log2) {
    const double top = mpfr_regular_p(number) ? (double)mpfr_get_exp(number) : step_log2;
    const double digits = (top - step_log2) * 0.30103 + SPARE_DIGITS;
    return (int)fmax(fmin(digits, VIEW_DIGITS_MAX), SPARE_DIGITS);
}

char *field_shown(const struct scene *scene, enum field field, int height_px) {
    const struct view *view = &scene->view;
    if (field == FIELD_ZOOM)
        return view_number_text(view->zoom, ZOOM_DIGITS);
    if (field != FIELD_RE && field != FIELD_IM)
        return field_exact(scene, field);
    mpfr_srcptr number = field == FIELD_RE ? view->re : view->im;
    return view_number_text(number, digits_needed(number, view_step_log2(view, height_px)));
}

/* --- from text --- */

/* Text without what people put around and into numbers. The caller frees it; NULL: no memory. */
static char *clean(const char *text) {
    static const char minus[] = "\xe2\x88\x92", degree[] = "\xc2\xb0";
    char *out = malloc(strlen(text) + 1), *end = out;
    if (!out)
        return NULL;
    for (text += strspn(text, " \t\r\n"); *text;) {
        if (strncmp(text, minus, strlen(minus)) == 0) {
            *end++ = '-';
            text += strlen(minus);
        } else if (strcmp(text, degree) == 0) {
            text += strlen(degree);
        } else {
            *end++ = *text++;
        }
    }
    while (end > out && strchr(" \t\r\n", end[-1]))
        end--;
    *end = '\0';
    return out;
}

/* The other coordinate keeps its bits, and this one gets no fewer than it had; its own exact text,
 * whose digits would ask for a few more, changes nothing. */
static bool set_coordinate(mpfr_t number, const char *text, const char **why) {
    char *now = view_number_text(number, 0);
    const bool same = now && strcmp(now, text) == 0;
    free(now);
    if (same)
        return true;
    struct view read;
    const long bits = mpfr_get_prec(number);
    view_init(&read);
    bool ok = view_set_centre(&read, text, "0", 0, why);
    if (ok && mpfr_get_prec(read.re) < bits)
        ok = view_set_centre(&read, text, "0", bits, why);
    if (ok) {
        mpfr_set_prec(number, mpfr_get_prec(read.re));
        mpfr_set(number, read.re, MPFR_RNDN);
    }
    view_finish(&read);
    return ok;
}

/* "0.13i", and "0.13 i". */
static void cut_unit(char *text) {
    const size_t length = strlen(text);
    if (length < 2 || text[length - 1] != 'i')
        return;
    text[length - 1] = '\0';
    while (strlen(text) > 0 && text[strlen(text) - 1] == ' ')
        text[strlen(text) - 1] = '\0';
}

static bool set_zoom(struct view *view, const char *text, const char **why) {
    *why = "more digits than a zoom can have";
    return strlen(text) <= VIEW_DIGITS_MAX && view_set_zoom(view, text, why);
}

static bool set_angle(struct view *view, const char *text, const char **why) {
    double degrees;
    *why = "not a number of degrees";
    return ini_number(text, &degrees) && view_set_angle_degrees(view, degrees, why);
}

/* A whole number, also as "1e6". */
static bool whole(const char *text, uint32_t least, uint32_t *number) {
    double value;
    if (!ini_number(text, &value) || value < least || value > FRAME_LIMIT_MAX ||
        value != floor(value))
        return false;
    *number = (uint32_t)value;
    return true;
}

static bool set_limit(struct scene *scene, const char *text, const char **why) {
    const bool orbit_density = scene->orbit_density;
    struct setting_problem problem;
    *why = setting_table[SETTING_CHANNELS].takes;
    if (orbit_density && scene->orbits.channels > 1)
        return setting_parse(SETTING_CHANNELS, scene, text, &problem);
    *why = orbit_density ? "not a whole number from 1 to 2147483647"
                         : "not a whole number from 0 to 2147483647";
    uint32_t limit;
    if (!whole(text, orbit_density ? 1 : 0, &limit))
        return false;
    scene->limit = limit;
    if (orbit_density || scene->orbits.channels > 1)
        orbits_set_limit(scene, limit);
    return true;
}

static bool set_least(struct scene *scene, const char *text, const char **why) {
    uint32_t least;
    *why = "not a whole number from 1 to the limit";
    if (!whole(text, 1, &least) || least > orbits_limit(scene))
        return false;
    orbits_set_least(scene, least);
    return true;
}

static bool set_density(struct scene *scene, const char *text, const char **why) {
    double density;
    *why = "not a number above 0 and up to 1e6";
    if (!ini_number(text, &density) || density <= 0 || density > 1e6)
        return false;
    scene->frequency = density;
    return true;
}

static bool set_offset(struct scene *scene, const char *text, const char **why) {
    double offset;
    *why = "not a number of turns";
    if (!ini_number(text, &offset))
        return false;
    offset -= floor(offset);
    scene->offset = offset < 1 ? offset : 0;
    return true;
}

static bool set_tone(struct tone *tone, enum field field, const char *text, const char **why) {
    struct tone changed = *tone;
    *why = "not a number";
    if (!ini_number(text, field == FIELD_GAMMA ? &changed.gamma : &changed.exposure))
        return false;
    const char *problem = tone_problem(&changed);
    if (problem)
        *why = problem;
    else
        *tone = changed;
    return !problem;
}

static bool set(struct scene *scene, enum field field, char *text, const char **why) {
    switch (field) {
    case FIELD_RE:
        return set_coordinate(scene->view.re, text, why);
    case FIELD_IM:
        cut_unit(text);
        return set_coordinate(scene->view.im, text, why);
    case FIELD_ZOOM:
        return set_zoom(&scene->view, text, why);
    case FIELD_ANGLE:
        return set_angle(&scene->view, text, why);
    case FIELD_LIMIT:
        return set_limit(scene, text, why);
    case FIELD_FREQUENCY:
        return set_density(scene, text, why);
    case FIELD_OFFSET:
        return set_offset(scene, text, why);
    case FIELD_LEAST:
        return set_least(scene, text, why);
    case FIELD_EXPOSURE:
    case FIELD_GAMMA:
        return set_tone(&scene->tone, field, text, why);
    default:
        *why = "nothing to set";
        return false;
    }
}

bool field_set(struct scene *scene, enum field field, const char *text, const char **why) {
    char *cleaned = clean(text);
    *why = "too long for the memory there is";
    bool ok = cleaned != NULL;
    if (ok && !*cleaned) {
        *why = "empty";
        ok = false;
    }
    ok = ok && set(scene, field, cleaned, why);
    free(cleaned);
    return ok;
}
