/* XaoS importer: reads position files, which are commands in parentheses, "(view RE IM WIDTH
 * HEIGHT)". XaoS's imaginary axis points down: fathom shows the view upside down, with the angle
 * negated. */
#define _GNU_SOURCE
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/files/import/imported_location.h"
#include "render/formula/fractal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 8
#define WIDE      (9.0 / 16) /* least height of a view as a part of its width */

struct command {
    const char *source;
    int line;
    char *word[WORDS_MAX]; /* "" if missing */
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

static bool store_text(const struct command *command, char **text, const char *value) {
    double number;
    if (!ini_number(value, &number))
        return fail(command, "this is not a number", value);
    free(*text);
    *text = strdup(value);
    return *text || fail(command, "not enough memory for", value);
}

static bool set_view(const struct command *command, struct imported_location *location) {
    double width, height;
    if (!ini_number(command->word[3], &width) || !ini_number(command->word[4], &height) ||
        !(width > 0) || !(height > 0))
        return fail(command, "this is not the size of a view", command->word[3]);
    const double seen = height > width * WIDE ? height : width * WIDE;
    free(location->zoom);
    if (asprintf(&location->zoom, "%.17g", 4 / seen) < 0)
        location->zoom = NULL;
    return location->zoom && store_text(command, &location->re, command->word[1]) &&
           store_text(command, &location->im, command->word[2]);
}

/* A formula of XaoS. Choosing a formula also resets whether a Julia set is drawn, and its
 * constant. */
struct known {
    const char *name;
    enum formula formula;
    uint32_t power;
    bool julia;          /* initial choice of a Julia set */
    const char *re, *im; /* initial constant */
    /* kinds that fathom computes identically; HALF_IS_SET: the Julia set of 1/2 is fathom's set */
    enum { SETS = 1, JULIA_SETS = 2, HALF_IS_SET = 4 } kinds;
};

/* Formulas that fathom supports. XaoS's orbits begin at 0 or, one step later, at c; for powers and
 * for barnsley both give the same set. Its Julia sets of barnsley stop orbits at |z| = 2, although
 * they may return from there, and therefore differ. mlambda starts at the constant, with each point
 * as the parameter: from 1/2 that is the set of lambda. */
static const struct known known[] = {
    {"mandel", FORMULA_mandelbrot, 2, false, "0", "0", SETS | JULIA_SETS},
    {"mandel3", FORMULA_mandelbrot, 3, false, "0", "0", SETS | JULIA_SETS},
    {"mandel4", FORMULA_mandelbrot, 4, false, "0", "0", SETS | JULIA_SETS},
    {"mandel5", FORMULA_mandelbrot, 5, false, "0", "0", SETS | JULIA_SETS},
    {"mandel6", FORMULA_mandelbrot, 6, false, "0", "0", SETS | JULIA_SETS},
    {"mandel7", FORMULA_mandelbrot, 7, false, "0", "0", SETS | JULIA_SETS},
    {"mandel8", FORMULA_mandelbrot, 8, false, "0", "0", SETS | JULIA_SETS},
    {"mbar", FORMULA_tricorn, 2, false, "0", "0", SETS | JULIA_SETS},
    {"newton", FORMULA_newton, 2, false, "1.0199502202048319698", "0", SETS},
    {"newton4", FORMULA_newton, 3, false, "1.0199502202048319698", "0", SETS},
    {"barnsley", FORMULA_barnsley, 2, true, "-0.6", "1.1", SETS},
    {"phoenix", FORMULA_phoenix, 2, true, "0.56667000000000001", "-0.5", JULIA_SETS},
    {"magnet", FORMULA_magnet1, 2, false, "0", "0", SETS | JULIA_SETS},
    {"magnet2", FORMULA_magnet2, 2, false, "0", "0", SETS | JULIA_SETS},
    {"spider", FORMULA_spider, 2, false, "0", "0", SETS | JULIA_SETS},
    {"mlambda", FORMULA_lambda, 2, true, "0.5", "0", HALF_IS_SET},
};

/* State of reading a file. */
struct position {
    struct imported_location *location;
    const struct known *formula;
    struct command named; /* command that chose the formula */
    bool julia;
};

static bool set_formula(const struct command *command, struct position *position) {
    const char *name = command->word[1] + (command->word[1][0] == '\'');
    const struct known *formula = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            formula = &known[i];
    if (!formula)
        return fail(command, "this version has no formula like XaoS's", name);
    struct imported_location *location = position->location;
    position->formula = formula;
    position->named = *command;
    position->julia = formula->julia;
    location->formula = formula->formula;
    location->power = formula->power;
    return store_text(command, &location->julia_re, formula->re) &&
           store_text(command, &location->julia_im, formula->im);
}

static bool is_number(const char *text, double number) {
    double it;
    return ini_number(text, &it) && it == number;
}

/* Checks that fathom has the set or the Julia set that was chosen. Drops the constant unless it
 * belongs to a Julia set. */
static bool end_formula(const struct position *position) {
    struct imported_location *location = position->location;
    const struct known *formula = position->formula;
    const bool set = formula->kinds & HALF_IS_SET
                         ? position->julia && is_number(location->julia_re, 0.5) &&
                               is_number(location->julia_im, 0)
                         : !position->julia;
    if (!(formula->kinds & (set ? SETS | HALF_IS_SET : JULIA_SETS)))
        return fail(&position->named,
                    position->julia ? "this version has no Julia sets like XaoS's of"
                                    : "this version has no set like XaoS's of",
                    formula->name);
    if (set) {
        free(location->julia_re);
        free(location->julia_im);
        location->julia_re = location->julia_im = NULL;
    }
    return true;
}

static bool set_angle(const struct command *command, struct imported_location *location) {
    double degrees;
    if (!ini_number(command->word[1], &degrees))
        return fail(command, "this is not an angle", command->word[1]);
    free(location->angle);
    if (asprintf(&location->angle, "%.17g", -degrees) < 0)
        location->angle = NULL;
    return location->angle != NULL;
}

static bool is_nonzero(const char *text) {
    double number;
    return ini_number(text, &number) && number != 0;
}

/* Executes a command. Commands about colours and the like are ignored: they do not affect the
 * location. */
static bool do_command(const struct command *command, struct position *position) {
    struct imported_location *location = position->location;
    static const char *const names[] = {"view",      "formula", "maxiter",      "angle", "julia",
                                        "juliaseed", "plane",   "perturbation", NULL};
    switch (ini_choice(command->word[0], names)) {
    case 0:
        return set_view(command, location);
    case 1:
        return set_formula(command, position);
    case 2:
        return store_text(command, &location->limit, command->word[1]);
    case 3:
        return set_angle(command, location);
    case 4:
        position->julia = strcmp(command->word[1], "#t") == 0;
        return true;
    case 5:
        return store_text(command, &location->julia_re, command->word[1]) &&
               store_text(command, &location->julia_im, command->word[2]);
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

static char none[] = "", mandel[] = "'mandel";

/* Splits the words of one command, in place. Returns the text behind the command. */
static char *cut_words(struct command *command, char *p) {
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

static bool read_commands(const char *source, char *text, struct position *position) {
    struct command command = {.source = source, .line = 1, .word = {none, mandel}};
    if (!set_formula(&command, position))
        return false;
    for (char *p = text; *p;) {
        if (*p == ';') {
            p += strcspn(p, "\n");
        } else if (*p == '(') {
            char *next = cut_words(&command, p + 1);
            if (!do_command(&command, position))
                return false;
            p = next;
        } else {
            command.line += *p++ == '\n';
        }
    }
    return true;
}

bool xaos_read(const char *source, const char *text, struct imported_location *location) {
    struct position position = {.location = location};
    char *copy = strdup(text);
    if (!copy)
        log_error("%s: not enough memory", source);
    bool ok = copy && read_commands(source, copy, &position) && end_formula(&position);
    free(copy);
    if (ok && !location->zoom) {
        log_error("%s: this XaoS file has no location in it: (view ...) is needed", source);
        ok = false;
    }
    return ok;
}
