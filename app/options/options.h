/* The command line, parsed by one table that also makes --help and the man page's list of
 * options. */
#ifndef FATHOM_APP_OPTIONS_OPTIONS_H
#define FATHOM_APP_OPTIONS_OPTIONS_H

#include "app/options/choices.h"
#include "render/files/setting.h"
#include <stdint.h>
#include <stdio.h>

enum command {
    COMMAND_EXPLORE,
    COMMAND_RENDER,
    COMMAND_MOVIE,
    COMMAND_COMPARE,
    COMMAND_BENCH,
    COMMAND_INFO,
    COMMAND_CLASSIC,
    COMMAND_LAB,
    COMMAND_DENSITY,
    COMMAND_CONFIG,
    COMMAND_VERIFY,
    COMMAND_LOCATE,
    COMMAND_LIST,
    COMMAND_HELP
};
#define ZOOM_SPEED_MIN 0.1 /* speed of a held zoom, as a multiple of the usual one */
#define ZOOM_SPEED_MAX 10.0
__extension__ typedef unsigned __int128 option_bits; /* one bit for each row of the option table */

/* Settings that are remembered from run to run (app/hud/preferences.h writes them). */
enum preference {
    PREFERENCE_PALETTE,
    PREFERENCE_SAMPLES,
    PREFERENCE_AUTO_LIMIT,
    PREFERENCE_AUTO_FREQUENCY,
    PREFERENCE_INERTIA,
    PREFERENCE_PANEL,
    PREFERENCE_ZOOM_SPEED,
    PREFERENCE_NUMBERS,
    PREFERENCE_MAP,
    PREFERENCE_COUNT
};

/* Strings point into argv, the environment or `settings`. Negative whole numbers, NaN and NULL mean
 * "not given" unless stated otherwise. */
struct options {
    enum command command;
    const char **arguments;         /* views, files ...: the front of argv */
    int argument_count, help_of;    /* help_of: command whose help is requested; -1: all */
    const char *output;             /* -o, --output FILE or DIR */
    const char *backend;            /* --backend NAME; for bench names with commas */
    const char *device;             /* --device; NULL: not given */
    bool inexact;                   /* --inexact */
    int threads;                    /* --threads N, default 0: one per core */
    uint32_t cpumask;               /* --cpumask LIST: features that may be used; default ~0u */
    int width_px, height_px;        /* --size WxH; 0: not given */
    int shortcuts;                  /* --interior-tests SET: enum shortcuts */
    int projection, planes;         /* --projection NAME; --planes: enum planes_set */
    int inertia;                    /* --kinetic-panning off|on, default on */
    const char *style;              /* --style NAME; NULL: not given */
    const char *script;             /* --script FILE */
    const char *screenshots;        /* --screenshots DIR */
    int format, quality;            /* --format NAME: enum image_format; --quality N */
    const char *diff;               /* --diff FILE */
    int points, points_seed;        /* --points N, default 0; --seed N, default 0 */
    const char *data, *smooth;      /* --data, --smooth FILE */
    const char *views, *scenarios;  /* --view, --scenario LIST */
    int hz;                         /* --hz N; 0: not given */
    int painting;                   /* --painting off|on: 0, 1 */
    const char *csv;                /* --csv FILE */
    uint64_t samples;               /* --samples N, of a pixel or orbits; 0: not given */
    double seconds;                 /* --seconds S */
    const char *resume;             /* --resume FILE */
    const char *from, *work, *vary; /* --from VIEW, --work DIR, --vary CHANGES */
    const char *encoder, *part, *devices; /* --encoder NAME, --part K/N, --devices LIST */
    int fps;                              /* --fps N; 0: not given */
    double speed, ease, turns; /* --speed X; 0: not given; --ease S; --turns X, default 0 */
    int codec, chroma, depth;  /* --codec: enum film_codec; --chroma, --bits: indices */
    bool reverse, loop, keep_work, join, merge; /* flags of those names */
    int repeats, kind;              /* --repeats N; 0: not given; --kind NAME: enum locate_kind */
    int auto_limit, auto_frequency; /* --auto-limit, --auto-frequency off|on: 0, 1 */
    double ui_scale;                /* --ui-scale X; 0: not given */
    double zoom_speed;              /* --zoom-speed X; 0: not given */
    int numbers;                    /* --numbers brief|all|none: enum hud_numbers */
    int panel, map;                 /* --panel, --map off|on, default off */
    int remember;                   /* --remember no|yes: 0, 1 */
    bool autopilot, kiosk, fullscreen, exact, pyramid;
    int autopilot_changes;        /* --autopilot-vary WHAT: enum autopilot_changes */
    int seed, compression;        /* --autopilot-seed N; --compression: enum poster_compression */
    double kiosk_pause;           /* --kiosk-pause S, default 30 */
    bool last, no_config, verify; /* --last, --no-config, --verify */
    bool quick, json, verbose;    /* --quick, --json, --verbose */
    bool help, version, upright;  /* --help, --version, --upright */

    option_bits given;                /* options on the command line */
    const char *texts[SETTING_COUNT]; /* checked texts of the scene's settings; NULL: not given */
    int spare_width_px, spare_height_px; /* size for a view that has none; 0: none */
    uint64_t spare_samples;              /* samples of a pixel for such a view in the explorer */
    const char *remembered[PREFERENCE_COUNT]; /* NULL: never switched in an earlier run */
    char *remembered_text;                    /* memory of `remembered` */
    char *settings;                           /* memory of the settings' texts */
    unsigned wrong_settings;                  /* number of settings that were wrong */
    char wrong_setting[200];                  /* warning about the first of them */
};

/* Returns true if the command line has the option of that name. */
bool options_given(const struct options *options, const char *name);
/* Return true for `fathom bench motion` and `dive`, and for `dive`. */
bool options_measure_motion(const struct options *options);
bool options_measure_dive(const struct options *options);
/* Stores a setting in a scene, without warnings. Returns false if it was not given. */
bool options_store_setting(const struct options *options, enum setting_id id, struct scene *scene);
/* Parses the command line. Returns false for a mistake, logged in one line; exit with 2. */
bool options_parse(struct options *options, int argc, char **argv);
void options_finish(struct options *options);
/* Returns the command of that name ("explore" for the explorer), or -1. */
int options_command(const char *name);
void options_help(FILE *file, int command); /* of a command; -1: the list of commands */
#endif
