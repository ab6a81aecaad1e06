/* Table of options: parsing, checks, --help, the man page and the completion follow from it. */
#ifndef FATHOM_APP_OPTIONS_OPTION_TABLE_H
#define FATHOM_APP_OPTIONS_OPTION_TABLE_H

#include "app/options/options.h"
#include "render/base/log.h"
#include <stddef.h>
#include <stdio.h>

/* Type of an option's member of struct options. */
enum option_kind {
    OPTION_FLAG,    /* bool; settings take yes or no */
    OPTION_TEXT,    /* const char * */
    OPTION_BACKEND, /* const char *, as the command takes it */
    OPTION_WHOLE,   /* int, low .. high */
    OPTION_CHOICE,  /* int, an index of choices */
    OPTION_SIZE,    /* width_px and height_px */
    OPTION_CPUMASK, /* uint32_t */
    OPTION_NUMBER,  /* double, low .. high */
    OPTION_SAMPLES, /* uint64_t, as 1000000, 1e6, 1M */
    OPTION_SETTING, /* setting of a scene, stored as text */
};

struct option {
    const char *name;
    enum option_kind kind;
    size_t offset;              /* of its member in struct options */
    unsigned commands;          /* bit per enum command that has the option */
    enum setting_id id;         /* OPTION_SETTING: the setting, whose row has the rest */
    size_t index;               /* position in the help */
    const char *former;         /* earlier name, still accepted; NULL: none */
    char letter;                /* 0: none */
    const char *argument;       /* name of its value in the help; NULL for flags */
    const char *help;           /* whole sentences, with the default if `initial` has none */
    double low, high;           /* range of OPTION_WHOLE and OPTION_NUMBER */
    const char *const *choices; /* OPTION_CHOICE: names in the order of its enum, then NULL */
    const char *initial;        /* default; NULL: none, or see `help` */
    const char *setting; /* example of a value in the settings file; NULL: not allowed there */
    unsigned setting_commands; /* subset of `commands` that settings apply to; 0: all */
    bool of_view;              /* a view's own value overrides settings (app/options/config.h) */
};

/* Command of the program; the explorer has no name. */
struct option_command {
    const char *name, *usage, *help;
    int least, most;         /* number of arguments */
    bool settings_elsewhere; /* its help refers to render and density for the scene's settings */
};

/* Returns the command by enum command, or NULL past the last. */
const struct option_command *option_command(size_t index);

#define OPTION_TABLE_MAX 128 /* bits of option_bits */

/* Stores the option at a position in the help. Returns false past the last. The first call must not
 * be concurrent with another one. */
bool option_at(size_t index, struct option *option);
/* Stores the option of that name or former name. Returns false if there is none. */
bool option_find(const char *name, struct option *option);
/* Prints the range of a number, such as "0 to 1", into a text. Returns false if it has none. */
bool option_range(const struct option *option, char *text, size_t size);
/* Prints an option's help, values and default in lines of at most 100 columns. The first line
 * begins at `column`, the others with `margin`. */
void option_print(FILE *file, const struct option *option, int column, const char *margin);

/* Origin of a value: the beginning of messages about it ("--size", "FILE:3: size"), and their
 * level. */
struct option_place {
    const char *name;
    enum log_level level;
};

/* Returns true if only earlier versions had the option or the value. A warning about `shown` then
 * names the value that replaces it. */
bool option_is_retired(const char *name, const char *value, const char *shown);
/* Checks a value and stores it; flags are set by NULL. Returns false if it is wrong; the reason is
 * logged in one line. */
bool option_set(const struct option *option, struct options *options, const char *value,
                const struct option_place *place);

#endif
