/* The settings of a scene: one table, from which view files, the command line, settings files and
 * the environment, the panel, the keys, the man page and the completion follow. A setting is a row
 * of setting_rows.def and a member of struct scene. */
#ifndef FATHOM_RENDER_FILES_SETTING_TABLE_H
#define FATHOM_RENDER_FILES_SETTING_TABLE_H

#include "render/files/setting_id.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the member is, and how it is written. */
enum setting_kind {
    SETTING_KIND_COORDINATE, /* mpfr_t */
    SETTING_KIND_BITS,       /* the precision of both coordinates */
    SETTING_KIND_ZOOM,       /* mpfr_t */
    SETTING_KIND_ANGLE,      /* double, radians; written in degrees */
    SETTING_KIND_NUMBER,     /* double */
    SETTING_KIND_TURNS,      /* double, 0 <= turns < 1, of any number */
    SETTING_KIND_WHOLE,      /* uint32_t or int, at most 2^31 - 1 */
    SETTING_KIND_KEY,        /* uint64_t */
    SETTING_KIND_CHOICE,     /* an enum from 0 */
    SETTING_KIND_SWITCH,     /* bool; the name of false, which is "on" in the panel, and of true */
    SETTING_KIND_PALETTE,    /* const struct palette *, one of palette_at */
    SETTING_KIND_STEPS,      /* struct fractal: those after the first */
    SETTING_KIND_PARAMETER,  /* mpfr_t, of a Julia set */
    SETTING_KIND_RANKS,      /* struct colour_ranks */
    SETTING_KIND_IMAGE,      /* const struct trap_image * */
    SETTING_KIND_LIMITS      /* one or three limits of orbits; one is the scene's limit, too */
};

/* Of which pictures it decides something. */
enum setting_use { SETTING_OF_ALL, SETTING_OF_ESCAPE, SETTING_OF_DENSITY };

/* What another value makes of a picture that is there: nothing is different, colours are, samples
 * (or counts of orbits) are, and what samples are computed from is, too. */
enum setting_change { SETTING_NOTHING, SETTING_COLOURS, SETTING_SAMPLE_VALUES, SETTING_REFERENCE };

/* Whether view files tell it. */
enum setting_telling {
    SETTING_TOLD,        /* always */
    SETTING_TOLD_CHANGED /* where it is not what a new scene has */
};

struct setting {
    const char *section, *key; /* in view files */
    enum setting_kind kind;
    size_t offset;       /* in struct scene */
    const char *initial; /* in a new scene; NULL: zero ("not said"), or the first palette */
    double low, high;    /* of numbers */
    bool above;          /* `low` itself is none of them */
    bool clamped; /* in files and options what is above `high` is taken for it, with a warning */
    const char *takes;        /* what is said of a text that is refused, instead of the range */
    const char *const *names; /* of choices and switches, NULL-terminated, single words */
    enum setting_use use;
    enum setting_change invalidates;
    enum setting_telling telling;

    const char *option;     /* long name on the command line; NULL: there is none */
    const char *former;     /* an earlier name of the option and the key, still taken */
    const char *argument;   /* what stands for its value in the help */
    const char *help;       /* of the option: whole sentences, with the default */
    const char *help_after; /* name of the option above it in the help; NULL: the setting before */
    bool configured;        /* settings files and the environment know it, too */
    bool measured;          /* as does `fathom bench` */

    const char *label, *hint; /* in the panel; NULL: it is not there */
    const char *panel_after;  /* label of the panel's row above it; NULL: the setting before */
    double slider_low, slider_high, slider_step; /* both 0: no slider; step 0: logarithmic */
    int steps_in_one;    /* how many steps of a key make 1; 0: none, of whole ones a ladder */
    const char *subject; /* in the message after a step that is not seen at once; NULL: none */
};

extern const struct setting setting_table[SETTING_COUNT];

/* A choice that has another name now; the former one is still taken, whichever the setting is. */
struct setting_renamed {
    const char *former, *now;
};

/* Ends with a row of NULL. */
extern const struct setting_renamed settings_renamed[];

/* A value that earlier versions had, which files may still hold. */
struct setting_retired {
    const char *section, *key, *value; /* the key is the option's name, too */
    const char *instead;               /* what is drawn now, for a warning; "": the same */
};

/* Ends with a row without a key. */
extern const struct setting_retired settings_retired[];

#ifdef __cplusplus
}
#endif

#endif
