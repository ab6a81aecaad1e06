/* What options there are: one table, from which parsing, checking and --help follow. */
#ifndef FATHOM_APP_OPTIONS_OPTION_TABLE_H
#define FATHOM_APP_OPTIONS_OPTION_TABLE_H

#include "app/options/options.h"
#include "render/base/log.h"
#include <stddef.h>
#include <stdio.h>

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
    OPTION_SETTING, /* of a scene; what is told of it stays text */
};

struct option {
    const char *name;
    enum option_kind kind;
    size_t offset;              /* in struct options */
    unsigned commands;          /* bit per enum command: where it makes sense */
    enum setting_id id;         /* of OPTION_SETTING, whose row has the rest */
    size_t index;               /* in the order of the help */
    const char *former;         /* an earlier name, still taken; NULL: none */
    char letter;                /* 0: none */
    const char *argument;       /* its name in the help; NULL for flags */
    const char *help;           /* whole sentences, with the default where there is one to tell */
    double low, high;           /* of OPTION_WHOLE and OPTION_NUMBER */
    const char *const *choices; /* of OPTION_CHOICE, NULL-terminated, in the order of its enum */
    const char *initial;        /* what it is unless it is given; NULL: nothing, or see `help` */
    const char *setting;        /* an example of a value in the config file; NULL: not for it */
    unsigned setting_commands;  /* of `commands`, where settings count; 0: all */
    bool of_view; /* views tell it too, and go before settings (app/options/config.h) */
};

/* What a command is called and takes; the explorer's has no name. */
struct option_command {
    const char *name, *usage, *help;
    int least, most;         /* arguments */
    bool settings_elsewhere; /* the help of render and density explains the scene's settings */
};

/* By enum command; NULL past the last. */
const struct option_command *option_command(size_t index);

#define OPTION_TABLE_MAX 128 /* see option_bits */

/* In the order of the help. False: there are no more. */
bool option_at(size_t index, struct option *option);
/* By its name or its former one. False: there is none. */
bool option_find(const char *name, struct option *option);
/* The range of a number as the end of a sentence, "from 0 to 1"; false: it has none. */
bool option_range(const struct option *option, char *text, size_t size);
/* Prints what it is for and which values it takes, in whole sentences and lines of at most 100
 * columns: the first begins at `column`, the others with `margin`. */
void option_print(FILE *file, const struct option *option, int column, const char *margin);

/* Where a value stands: the beginning of messages about it ("--size", "FILE:3: size"), and their
 * level. */
struct option_place {
    const char *name;
    enum log_level level;
};

/* Whether only earlier versions had that value of an option, or the option. Then a warning about
 * `shown` says what is drawn instead. */
bool option_has_gone(const char *name, const char *value, const char *shown);
/* Checks a value and puts it where it belongs; flags are set by NULL. False: logged why, in one
 * line. */
bool option_set(const struct option *option, struct options *options, const char *value,
                const struct option_place *place);

#endif
