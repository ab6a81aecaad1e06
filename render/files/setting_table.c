/* Table of a scene's settings: names, ranges, defaults, help and places. */
#include "render/accumulate.h"
#include "render/files/poster/poster.h"
#include "render/files/scene.h"

#define MEMBER(name)  offsetof(struct scene, name)
#define PER_PIXEL(to) "per pixel are from 1 to " TEXT(to)
#define PARAMETER                                                                                  \
    "takes a number from -" TEXT(FRACTAL_PARAMETER_MAX) " to " TEXT(FRACTAL_PARAMETER_MAX)
#define TEXT(macro)   TEXT_OF(macro)
#define TEXT_OF(text) #text

#define FORMULA_HINT(name, text, ...) "; " #name ": " text

static const char *const julia_names[] = {"no", "yes", NULL};
static const char *const smooth_names[] = {"yes", "no", NULL};
static const char *const mapping_names[] = {COLOUR_MAPPING_LIST(CHOICE_NAME) NULL};
static const char *const by_names[] = {COLOUR_BY_LIST(CHOICE_NAME) NULL};
static const char *const inside_names[] = {COLOUR_INSIDE_LIST(CHOICE_NAME) NULL};
static const char *const layer_names[] = {LAYER_LIST(CHOICE_NAME) NULL};
static const char *const layer_mode_names[] = {LAYER_MODE_LIST(CHOICE_NAME) NULL};
static const char *const kind_names[] = {"escape", "density", NULL};

const struct setting setting_table[SETTING_COUNT] = {
#define SETTING(id, ...) [SETTING_##id] = {__VA_ARGS__},
#include "render/files/setting_rows.def"
#undef SETTING
};

#define EXACT    "every pixel is drawn"
#define STANDARD "orbits are counted by the standard rules"

const struct setting_renamed settings_renamed[] = {
    {"square root", "sqrt"},     {"logarithm", "log"},
    {"slope light", "light"},    {"binary decomposition", "binary"},
    {"field lines", "field"},    {"triangle inequality", "triangle"},
    {"point trap", "point"},     {"line trap", "line"},
    {"cross trap", "cross"},     {"circle trap", "circle"},
    {"atom domains", "domains"}, {"atom", "domains"},
    {"one colour", "one"},       {"last |z|", "last"},
    {"tiles", "tiled"},          {"rows", "scanline"},
    {"deepen", "progressive"},   {"slopes", "piecewise"},
    {"cycle", "periodicity"},    {NULL, NULL},
};

const struct setting_retired settings_retired[] = {
    {"picture", "method", "trace", EXACT},
    {"picture", "method", "tracing", EXACT},
    {"picture", "method", "subdivide", EXACT},
    {"picture", "method", "mariani-silver", EXACT},
    {"picture", "arithmetic", "fused", ""},
    {"picture", "arithmetic", "unfused", "every step is fused"},
    {"orbits", "rules", "standard", ""},
    {"orbits", "rules", "ours", ""},
    {"orbits", "rules", "classic", STANDARD},
    {"orbits", "rules", "seed", STANDARD},
    {NULL, NULL, NULL, NULL},
};
