/* Reads XaoS's position files: commands in parentheses, "(view RE IM WIDTH HEIGHT)". Its imaginary axis points down, so that
 * a view is the same place upside down, turned the other way round. */
#define _GNU_SOURCE
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/files/import/place.h"
#include "render/formula/fractal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 8
#define WIDE      (9.0 / 16) /* of a width, the height that is seen at least */

struct command {
    const char *source;
    int line;
    char *word[WORDS_MAX]; /* "" where there is none */
};

static bool fail(const struct command *command, const char *what, const char *value) {
    log_error("%s:%d: %s: '%.40s'", command->source, command->line, what, value);
    return false;
}

bool xaos_has_line(const char *p, const char *end) {
    static const char *const words[] = {"(initstate)", "(view ", "(formula '"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((size_t)(end - p) >= strlen(words[i]) && memcmp(p, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static bool keep(const struct command *command, char **text, const char *value) {
    double number;
    if (!ini_number(value, &number))
        return fail(command, "this is not a number", value);
    free(*text);
    *text = strdup(value);
    return *text || fail(command, "not enough memory for", value);
}

static bool set_view(const struct command *command, struct place *place) {
    double width, height;
    if (!ini_number(command->word[3], &width) || !ini_number(command->word[4], &height) ||
        !(width > 0) || !(height > 0))
        return fail(command, "this is not the size of a view", command->word[3]);
    const double seen = height > width * WIDE ? height : width * WIDE;
    free(place->zoom);
    if (asprintf(&place->zoom, "%.17g", 4 / seen) < 0)
        place->zoom = NULL;
    return place->zoom && keep(command, &place->re, command->word[1]) &&
           keep(command, &place->im, command->word[2]);
}

static bool set_formula(const struct command *command, struct place *place) {
    static const char *const names[] = {"'mandel",  "'mandel3", "'mandel4", "'mandel5",
                                        "'mandel6", "'mandel7", "'mandel8", NULL};
    const int index = ini_choice(command->word[1], names);
    if (index < 0)
        return fail(command, "this version has no formula like XaoS's", command->word[1]);
    place->power = (uint32_t)index + 2;
    return true;
}

static bool set_angle(const struct command *command, struct place *place) {
    double degrees;
    if (!ini_number(command->word[1], &degrees))
        return fail(command, "this is not an angle", command->word[1]);
    free(place->angle);
    if (asprintf(&place->angle, "%.17g", -degrees) < 0)
        place->angle = NULL;
    return place->angle != NULL;
}

static bool is_nonzero(const char *text) {
    double number;
    return ini_number(text, &number) && number != 0;
}

/* Commands about colours and the like say nothing of the place. */
static bool do_command(const struct command *command, struct place *place, bool *julia) {
    static const char *const names[] = {"view",      "formula", "maxiter",      "angle", "julia",
                                        "juliaseed", "plane",   "perturbation", NULL};
    switch (ini_choice(command->word[0], names)) {
    case 0:
        return set_view(command, place);
    case 1:
        return set_formula(command, place);
    case 2:
        return keep(command, &place->limit, command->word[1]);
    case 3:
        return set_angle(command, place);
    case 4:
        *julia = strcmp(command->word[1], "#t") == 0;
        return true;
    case 5:
        return keep(command, &place->julia_re, command->word[1]) &&
               keep(command, &place->julia_im, command->word[2]);
    case 6:
        return !is_nonzero(command->word[1]) ||
               fail(command, "this version has no planes but XaoS's 0", command->word[1]);
    case 7:
        return (!is_nonzero(command->word[1]) && !is_nonzero(command->word[2])) ||
               fail(command, "this version begins orbits at 0, not at", command->word[1]);
    default:
        return true;
    }
}

/* Cuts the words of one command, in place; *end is the character behind it. */
static char *cut_words(struct command *command, char *p) {
    static char none[] = "";
    char *end = p + strcspn(p, ")\n");
    char *next = end + (*end != '\0');
    *end = '\0';
    for (int i = 0; i < WORDS_MAX; i++) {
        p += strspn(p, " \t\r");
        size_t length = strcspn(p, " \t\r");
        command->word[i] = *p ? p : none;
        if (p[length])
            p[length++] = '\0';
        p += length;
    }
    return next;
}

static bool read_commands(const char *source, char *text, struct place *place, bool *julia) {
    struct command command = {.source = source, .line = 1};
    for (char *p = text; *p;) {
        if (*p == ';') {
            p += strcspn(p, "\n");
        } else if (*p == '(') {
            char *next = cut_words(&command, p + 1);
            if (!do_command(&command, place, julia))
                return false;
            p = next;
        } else {
            command.line += *p++ == '\n';
        }
    }
    return true;
}

bool xaos_read(const char *source, const char *text, struct place *place) {
    bool julia = false;
    char *copy = strdup(text);
    place->power = 2;
    if (!copy)
        log_error("%s: not enough memory", source);
    bool ok = copy && read_commands(source, copy, place, &julia);
    free(copy);
    if (ok && !place->zoom) {
        log_error("%s: this XaoS file has no location in it: (view ...) is needed", source);
        ok = false;
    }
    if (!julia || !place->julia_re) {
        free(place->julia_re);
        free(place->julia_im);
        place->julia_re = place->julia_im = NULL;
    }
    return ok;
}
