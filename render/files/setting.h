/* The settings of a scene: one table, from which view files, the command line, settings files and
 * the environment, the panel, the keys, the man page and the completion follow. A setting is a row
 * here (setting_table.c), its number in the enum below, and a member of struct scene.
 *
 * Pure functions of a scene; texts are UTF-8, and those that are read are hostile. */
#ifndef FATHOM_RENDER_FILES_SETTING_H
#define FATHOM_RENDER_FILES_SETTING_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scene;

/* In the order of view files; those of a section follow each other. */
enum setting_id {
    SETTING_RE,
    SETTING_IM,
    SETTING_BITS, /* of re and im */
    SETTING_ZOOM,
    SETTING_ANGLE,
    SETTING_FORMULA,
    SETTING_LIMIT,
    SETTING_PALETTE,
    SETTING_FREQUENCY,
    SETTING_OFFSET,
    SETTING_SMOOTH,
    SETTING_WIDTH,
    SETTING_HEIGHT,
    SETTING_PRECISION,
    SETTING_ARITHMETIC,
    SETTING_METHOD,
    SETTING_PIXEL_SAMPLES,
    SETTING_ORBIT_DENSITY,
    SETTING_ORBITS,
    SETTING_RULES,
    SETTING_LEAST,
    SETTING_CHANNELS,
    SETTING_RANDOM,
    SETTING_SAMPLES,
    SETTING_SAMPLING,
    SETTING_CURVE,
    SETTING_RAMP,
    SETTING_EXPOSURE,
    SETTING_GAMMA,
    SETTING_WHITE,
    SETTING_COUNT
};

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
    SETTING_KIND_SWITCH,     /* bool, with a name for false and one for true */
    SETTING_KIND_PALETTE,    /* const struct palette *, one of palette_at */
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
    size_t offset; /* in struct scene */
    const char *
        /* what a new scene has; NULL: zero, which stands for "not said", and the first palette */
        initial;
    double low, high; /* of numbers */
    bool above;       /* `low` itself is none of them */
    bool clamped; /* in files and options what is above `high` is taken for it, with a warning */
    const char *takes;        /* what is said of a text that is refused, instead of the range */
    const char *const *names; /* of choices and switches, NULL-terminated; as people see them */
    const char *const *ids;   /* the same in files, and understood everywhere; NULL: `names` */
    enum setting_use use;
    enum setting_change invalidates;
    enum setting_telling telling;

    const char *option;   /* long name on the command line; NULL: there is none */
    const char *former;   /* an earlier one, still taken */
    const char *argument; /* what stands for its value in the help */
    const char *help;     /* of the option: whole sentences, with the default */
    bool configured;      /* settings files and the environment know it, too */
    bool measured;        /* as does `fathom bench` */

    const char *label, *hint;                    /* in the panel; NULL: it is not there */
    double slider_low, slider_high, slider_step; /* both 0: no slider; step 0: logarithmic */
    int steps_in_one;                            /* how many steps of a key make 1, of numbers */
};

extern const struct setting setting_table[SETTING_COUNT];

#define SETTING_WHY_SIZE     400
#define SETTING_CLAMPED_SIZE 24
/* Why a text was refused: NAME why joint 'TEXT' is a sentence ("gamma" "takes a number from 0.1 to
 * 10" ", not" '0'). */
struct setting_problem {
    char why[SETTING_WHY_SIZE];
    const char *joint;
};

/* SETTING_COUNT: there is none. */
enum setting_id setting_find(const char *section, const char *key);
/* False: nothing has changed, and *problem says why. Of a coordinate the other one keeps its bits,
 * and this one gets no fewer than it had. */
bool setting_parse(enum setting_id id, struct scene *scene, const char *text,
                   struct setting_problem *problem);
/* The text in files, from which setting_parse gives the same value; the caller frees it. NULL: no
 * memory. */
char *setting_text(enum setting_id id, const struct scene *scene);
/* As in a new scene. */
void setting_reset(enum setting_id id, struct scene *scene);
/* Whether `text` is past what the setting can be, and `high`, whose text is in *clamped, is to be
 * taken for it. */
bool setting_clamps(enum setting_id id, const char *text, char clamped[SETTING_CLAMPED_SIZE]);
/* Goes on by so many steps: choices go round, numbers stay in their range, and whole ones climb the
 * ladder 1, 2, 5, 10, 20, 50 ... */
void setting_step(enum setting_id id, struct scene *scene, double steps);
/* The index of a choice or a switch, 0 being the first name; of palettes that of palette_at. -1: it
 * is none. */
int setting_index(enum setting_id id, const struct scene *scene);
/* False: there is no such index, and nothing has changed. */
bool setting_choose(enum setting_id id, struct scene *scene, int index);
/* Of numbers but keys; of choices the index. */
double setting_number(enum setting_id id, const struct scene *scene);

#ifdef __cplusplus
}
#endif

#endif
