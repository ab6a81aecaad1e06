/* The command line, from one table that also makes --help and the man page's option list. */
#ifndef FATHOM_APP_OPTIONS_OPTIONS_H
#define FATHOM_APP_OPTIONS_OPTIONS_H

#include "render/plan.h"
#include <stdio.h>

enum command {
    COMMAND_EXPLORE,
    COMMAND_RENDER,
    COMMAND_COMPARE,
    COMMAND_BENCH,
    COMMAND_INFO,
    COMMAND_CLASSIC,
    COMMAND_LAB,
    COMMAND_DENSITY,
    COMMAND_CONFIG
};

#define OPTIONS_ARGUMENTS_MAX 8   /* more than any command takes, to say what is wrong */
#define ZOOM_SPEED_MIN        0.1 /* of a held zoom, in times the usual one */
#define ZOOM_SPEED_MAX        10.0

/* What was switched in the window in an earlier run (config.h, app/hud/preferences.h). */
struct remembered {
    unsigned which; /* a bit for each enum preference */
    const char *palette;
    uint32_t samples;
    int auto_limit, inertia, panel, numbers;
    double zoom_speed;
};

struct option_key {
    bool given;
    uint64_t number;
};

/* Strings point into argv, the environment or `settings`. Negative whole numbers, NaN and NULL mean "not given" unless said otherwise. */
struct options {
    enum command command;
    const char *arguments[OPTIONS_ARGUMENTS_MAX]; /* view, files, sizes, names */
    int argument_count;
    const char *output;       /* -o, --output FILE or DIR */
    const char *backend;      /* --backend NAME; for bench names with commas */
    int device;               /* --device N */
    int threads;              /* --threads N, default 0: one per core */
    uint32_t cpumask;         /* --cpumask LIST: flags that may be used; default ~0u */
    int precision;            /* --precision auto|float|double: enum precision */
    int arithmetic;           /* --arithmetic fused|unfused: enum arithmetic */
    int width_px, height_px;  /* --size WxH; 0: not given */
    const char *re, *im;      /* --re X, --im Y: decimal, up to VIEW_DIGITS_MAX */
    const char *zoom;         /* --zoom Z */
    int64_t iterations;       /* --iterations N */
    int method;               /* --method NAME: enum method */
    int shortcuts;            /* --shortcuts SET: of enum shortcuts, never negative */
    const char *palette;      /* --palette ID */
    int inertia;              /* --inertia off|on, default on */
    const char *script;       /* --script FILE */
    const char *screenshots;  /* --screenshots DIR */
    int format;               /* --format ppm|png: enum image_format */
    const char *diff;         /* --diff FILE */
    const char *data;         /* --data FILE */
    const char *smooth;       /* --smooth FILE */
    const char *views;        /* --view LIST */
    const char *csv;          /* --csv FILE */
    uint64_t samples;         /* --samples N, of a pixel or orbits; 0: not given */
    double seconds;           /* --seconds S */
    const char *resume;       /* --resume FILE */
    int counted;              /* --counted escaping|bounded: enum density_orbits */
    int rules;                /* --rules ours|seed: enum density_rules */
    int least;                /* --least N */
    const char *channels;     /* --channels LIST, as scene_set_channels takes it */
    struct option_key random; /* --random N */
    int curve;                /* --curve NAME: enum tone_curve */
    double exposure, gamma;   /* --exposure STOPS, --gamma G */
    double white;             /* --white PERCENT */
    int ramp;                 /* --ramp NAME: enum tone_ramp */
    int repeats;              /* --repeats N; 0: not given */
    int auto_limit;           /* --auto-limit off|on: 0, 1 */
    double ui_scale;          /* --ui-scale X; 0: not given */
    double zoom_speed;        /* --zoom-speed X, default 1 */
    int numbers;              /* --numbers brief|all|none: enum hud_numbers */
    int panel;                /* --panel off|on, default off */
    int remember;             /* --remember no|yes: 0, 1 */
    bool last;                /* --last */
    bool no_config;           /* --no-config */
    bool quick;               /* --quick */
    bool json;                /* --json */
    bool verbose;             /* -v, --verbose */
    bool help, version;       /* --help, --version */

    uint64_t given; /* on the command line; a bit for each entry of the table */
    int spare_width_px, spare_height_px; /* of settings, for a view that tells no size; 0: none */
    uint64_t spare_samples;              /* likewise for the explorer: of a pixel */
    struct remembered remembered;
    char *remembered_text;   /* what that points into */
    char *settings;          /* what settings point into */
    unsigned wrong_settings; /* how many were told of */
    char wrong_setting[200]; /* the first of them, as the log had it */
};

/* Whether the command line has the option of that name. */
bool options_given(const struct options *options, const char *name);
/* The command line alone; app/options/config.h adds settings. False: the mistake was logged in one line; exit
 * with 2. */
bool options_parse(struct options *options, int argc, char **argv);
void options_finish(struct options *options);
/* The command of that name, "explore" for the explorer; -1: there is none. */
int options_command(const char *name);
void options_help(FILE *file);

#endif
