/* Field texts: prints a scene's numbers for the panel's fields and parses them. A text that was not
 * edited changes no bit. */
#include "app/explore/field_text.h"
#include "app/explore/orbits.h"
#include "render/base/ini.h"
#include "render/files/scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPARE_DIGITS 2 /* digits of the centre below the pixel step */
#define ZOOM_DIGITS  4
#define WHOLE_END    1e15

static bool three_limits(const struct scene *scene, enum setting_id id) {
    return id == SETTING_LIMIT && scene->orbit_density && scene->orbits.channels > 1;
}

/* --- to text --- */

char *field_exact(const struct scene *scene, enum setting_id id) {
    struct scene shown = *scene; /* borrows the view */
    shown.orbits.least = density_least(&scene->orbits);
    return setting_text(three_limits(scene, id) ? SETTING_CHANNELS : id, &shown);
}

/* Returns the number of digits that distinguishes neighbouring pixels. */
static int digits_needed(mpfr_srcptr number, double step_log2) {
    const double top = mpfr_regular_p(number) ? (double)mpfr_get_exp(number) : step_log2;
    const double digits = (top - step_log2) * 0.30103 + SPARE_DIGITS;
    return (int)fmax(fmin(digits, VIEW_DIGITS_MAX), SPARE_DIGITS);
}

char *field_shown(const struct scene *scene, enum setting_id id, int height_px) {
    const struct view *view = &scene->view;
    if (id == SETTING_ZOOM)
        return view_number_text(view->zoom, ZOOM_DIGITS);
    if (id != SETTING_RE && id != SETTING_IM)
        return field_exact(scene, id);
    mpfr_srcptr number = id == SETTING_RE ? view->re : view->im;
    return view_number_text(number, digits_needed(number, view_step_log2(view, height_px)));
}

/* --- from text --- */

/* Returns the text without surrounding white space and degree signs, and with ASCII minus signs.
 * The caller frees it. NULL: no memory. */
static char *plain_copy(const char *text) {
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

/* Removes the unit of "0.13i" and "0.13 i". */
static void cut_unit(char *text) {
    const size_t length = strlen(text);
    if (length < 2 || text[length - 1] != 'i')
        return;
    text[length - 1] = '\0';
    while (strlen(text) > 0 && text[strlen(text) - 1] == ' ')
        text[strlen(text) - 1] = '\0';
}

/* Expands a whole number with an exponent, such as "1e6". */
static void expand_exponent(const char *text, char whole[INI_NUMBER_SIZE]) {
    double number;
    if (ini_number(text, &number) && number >= 0 && number < WHOLE_END && number == floor(number))
        snprintf(whole, INI_NUMBER_SIZE, "%.0f", number);
}

static bool refuse(struct setting_problem *problem, const char *why) {
    snprintf(problem->why, sizeof problem->why, "%s", why);
    problem->joint = ", not";
    return false;
}

static bool set_limit(struct scene *scene, const char *text, struct setting_problem *problem) {
    const uint32_t before = scene->limit;
    if (three_limits(scene, SETTING_LIMIT))
        return setting_parse(SETTING_CHANNELS, scene, text, problem);
    if (!setting_parse(SETTING_LIMIT, scene, text, problem))
        return false;
    if (scene->orbit_density && scene->limit == 0) {
        scene->limit = before;
        return refuse(problem, "takes a whole number from 1 to 2147483647");
    }
    if (scene->orbit_density || scene->orbits.channels > 1)
        orbits_set_limit(scene, scene->limit);
    return true;
}

static bool set_least(struct scene *scene, const char *text, struct setting_problem *problem) {
    const uint32_t before = scene->orbits.least, limit = orbits_limit(scene);
    if (setting_parse(SETTING_LEAST, scene, text, problem) && scene->orbits.least >= 1 &&
        scene->orbits.least <= limit)
        return true;
    scene->orbits.least = before;
    return refuse(problem, "takes a whole number from 1 to the limit");
}

static bool set_cleaned(struct scene *scene, enum setting_id id, char *text,
                        struct setting_problem *problem) {
    char whole[INI_NUMBER_SIZE] = "";
    if (!*text && setting_table[id].kind != SETTING_KIND_STEPS)
        return refuse(problem, "is empty");
    if (id == SETTING_IM)
        cut_unit(text);
    if (setting_table[id].kind == SETTING_KIND_WHOLE)
        expand_exponent(text, whole);
    if (id == SETTING_LIMIT)
        return set_limit(scene, *whole ? whole : text, problem);
    if (id == SETTING_LEAST)
        return set_least(scene, *whole ? whole : text, problem);
    return setting_parse(id, scene, *whole ? whole : text, problem);
}

bool field_set(struct scene *scene, enum setting_id id, const char *text,
               struct setting_problem *problem) {
    char *cleaned = plain_copy(text);
    const bool ok = cleaned ? set_cleaned(scene, id, cleaned, problem)
                            : refuse(problem, "is too long for the available memory");
    free(cleaned);
    return ok;
}
