/* Table of a scene's settings. View files, the command line, settings files, the environment, the
 * panel, the keys, the man page and the completion follow from it. A setting is a row of
 * setting_rows.def and a member of struct scene. */
#ifndef FATHOM_RENDER_FILES_SETTING_TABLE_H
#define FATHOM_RENDER_FILES_SETTING_TABLE_H

#include "render/files/setting_id.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Type of the member, and its form as text. */
enum setting_kind {
    SETTING_KIND_COORDINATE, /* mpfr_t */
    SETTING_KIND_BITS,       /* precision of both coordinates */
    SETTING_KIND_ZOOM,       /* mpfr_t */
    SETTING_KIND_ANGLE,      /* double [rad]; written in degrees */
    SETTING_KIND_NUMBER,     /* double */
    SETTING_KIND_TURNS,      /* double, 0 <= turns < 1; any number is accepted */
    SETTING_KIND_WHOLE,      /* uint32_t or int, at most 2^31 - 1 */
    SETTING_KIND_KEY,        /* uint64_t */
    SETTING_KIND_CHOICE,     /* enum that starts at 0 */
    SETTING_KIND_SWITCH,     /* bool; names of false ("on" in the panel) and true */
    SETTING_KIND_PALETTE,    /* const struct palette *, one of palette_at or of a file */
    SETTING_KIND_STEPS,      /* struct fractal: the steps after the first */
    SETTING_KIND_PARAMETER,  /* mpfr_t, c of a Julia set */
    SETTING_KIND_RANKS,      /* struct colour_ranks */
    SETTING_KIND_IMAGE,      /* const struct trap_image * */
    SETTING_KIND_LIMITS      /* one or three limits of orbits; a single one is the scene's limit */
};

/* Pictures that the setting has an effect on. */
enum setting_use { SETTING_OF_ALL, SETTING_OF_ESCAPE, SETTING_OF_DENSITY };

/* Part of a picture that another value invalidates: nothing, the colours, the samples (or counts of
 * orbits) as well, or also the reference orbits that samples are computed from. */
enum setting_change { SETTING_NOTHING, SETTING_COLOURS, SETTING_SAMPLE_VALUES, SETTING_REFERENCE };

/* When view files contain the setting. */
enum setting_saved {
    SETTING_SAVED,        /* always */
    SETTING_SAVED_CHANGED /* if it differs from a new scene */
};

struct setting {
    const char *section, *key; /* in view files */
    enum setting_kind kind;
    size_t offset;       /* of the member in struct scene */
    const char *initial; /* value in a new scene; NULL: zero ("not given"), or the first palette */
    double low, high;    /* range of numbers */
    bool above;          /* `low` itself is excluded */
    bool clamped;        /* files and options may exceed `high`, which is used with a warning */
    const char *takes;   /* message about a rejected text; NULL: the range */
    const char *const *names; /* of choices and switches, NULL-terminated, single words */
    enum setting_use use;
    enum setting_change invalidates;
    enum setting_saved saved;

    const char *option;     /* long name on the command line; NULL: none */
    const char *former;     /* earlier name of the option and the key, still accepted */
    const char *argument;   /* name of its value in the help */
    const char *help;       /* of the option: whole sentences */
    const char *help_after; /* option above it in the help; NULL: that of the row before */
    bool configured;        /* settings files and the environment accept it */
    bool measured;          /* `fathom bench` accepts it */

    const char *label, *hint; /* in the panel; NULL: not in the panel */
    const char *panel_after;  /* label above it in the panel; NULL: that of the row before */
    double slider_low, slider_high, slider_step; /* both 0: no slider; step 0: logarithmic */
    int steps_in_one; /* steps of a key that add 1; 0: no steps, or those of a ladder */
    const char
        *subject; /* in the message after a step that the picture does not show; NULL: none */
};

extern const struct setting setting_table[SETTING_COUNT];

/* Renamed choice: the former name is still accepted, for every setting. */
struct setting_renamed {
    const char *former, *now;
};

/* Ends with a row of NULL. */
extern const struct setting_renamed settings_renamed[];

/* Retired value of an earlier version, which files may still contain. */
struct setting_retired {
    const char *section, *key, *value; /* the key is also the option's name */
    const char *instead;               /* the replacement, for a warning; "": it looks the same */
};

/* Ends with a row without a key. */
extern const struct setting_retired settings_retired[];

#ifdef __cplusplus
}
#endif

#endif
