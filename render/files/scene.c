/* Scenes and their text. */
#include "render/files/scene.h"
#include "render/accumulate.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/base/suggest.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARNINGS_MAX 20 /* of one text */

const char *const formula_names[] = {
#define FORMULA_NAME(name, text) #name,
    FORMULA_LIST(FORMULA_NAME)
#undef FORMULA_NAME
        NULL};

void scene_init(struct scene *scene) {
    *scene = (struct scene){
        .formula = FORMULA_mandelbrot,
        .limit = SCENE_LIMIT_DEFAULT,
        .palette = palette_builtin(0),
        .frequency = 1,
        .precision = PRECISION_AUTO,
        .arithmetic = ARITHMETIC_FUSED,
        .method = METHOD_TILES,
        .pixel_samples = 1,
    };
    density_init(&scene->orbits);
    tone_init(&scene->tone);
    view_init(&scene->view);
}

void scene_init_copy(struct scene *scene, const struct scene *from) {
    *scene = *from;
    view_init_copy(&scene->view, &from->view);
}

void scene_finish(struct scene *scene) {
    view_finish(&scene->view);
}

bool scene_set_channels(struct scene *scene, const char *text, const char **why) {
    uint32_t limits[DENSITY_PLANES_MAX] = {0};
    int count = 0;
    const char *at = text;
    while (*at && count < DENSITY_PLANES_MAX) {
        char number[16];
        uint64_t limit;
        const size_t length = strcspn(at, " ,");
        if (length >= sizeof number)
            break;
        memcpy(number, at, length);
        number[length] = '\0';
        if (!ini_whole(number, &limit) || limit < 1 || limit > FRAME_LIMIT_MAX)
            break;
        limits[count++] = (uint32_t)limit;
        at += length;
        at += strspn(at, " ");
        at += *at == ',';
        at += strspn(at, " ");
    }
    *why = "channels are one or three limits from 1 to 2147483647, red, green and blue";
    if (*at || (count != 1 && count != DENSITY_PLANES_MAX))
        return false;
    scene->orbits.channels = count;
    if (count == 1)
        scene->limit = limits[0];
    memcpy(scene->orbits.limit, limits, sizeof limits);
    return true;
}

/* --- reading --- */

/* The centre is set at the end, because its three entries need each other. */
struct reader {
    struct scene scene;
    const char *source;
    int line;
    int known; /* entries */
    int warnings;
    char section[32]; /* the unknown one that was told of last */
    char *re, *im;    /* NULL: not given */
    int re_line, im_line;
    long bits;
    uint64_t sampling; /* 0: not given */
};

static bool fail(const struct reader *r, const char *what, const char *value) {
    const char *dots = strlen(value) > 40 ? "..." : "";
    log_error("%s:%d: %s: '%.40s%s'", r->source, r->line, what, value, dots);
    return false;
}

/* Whether one more warning is given. Of many lines that are wrong the first ones are enough. */
static bool may_warn(struct reader *r) {
    r->warnings++;
    if (r->warnings == WARNINGS_MAX + 1)
        log_warn("%s:%d: further problems are not reported, as there are so many", r->source,
                 r->line);
    return r->warnings <= WARNINGS_MAX;
}

static bool keep_text(struct reader *r, char **text, int *line, const char *value) {
    free(*text);
    *line = r->line;
    *text = strdup(value);
    return *text || fail(r, "not enough memory for", value);
}

static bool set_re(struct reader *r, const char *value) {
    return keep_text(r, &r->re, &r->re_line, value);
}

static bool set_im(struct reader *r, const char *value) {
    return keep_text(r, &r->im, &r->im_line, value);
}

static bool set_bits(struct reader *r, const char *value) {
    uint64_t bits;
    if (!ini_whole(value, &bits) || bits < 64 || bits > VIEW_BITS_MAX)
        return fail(r, "bits is not a whole number from 64 to 400000", value);
    r->bits = (long)bits;
    return true;
}

static bool set_zoom(struct reader *r, const char *value) {
    const char *why = "too many digits";
    if (strlen(value) > VIEW_DIGITS_MAX || !view_set_zoom(&r->scene.view, value, &why)) {
        char what[80];
        snprintf(what, sizeof what, "zoom is %s", why);
        return fail(r, what, value);
    }
    return true;
}

static bool set_angle(struct reader *r, const char *value) {
    const char *why;
    double degrees;
    return (ini_number(value, &degrees) && view_set_angle_degrees(&r->scene.view, degrees, &why)) ||
           fail(r, "angle is not a number of degrees", value);
}

static bool set_formula(struct reader *r, const char *value) {
    const int choice = ini_choice(value, formula_names);
    if (choice < 0)
        return fail(r, "this version does not know the formula", value);
    r->scene.formula = (enum formula)choice;
    return true;
}

static bool set_iterations(struct reader *r, const char *value) {
    uint64_t limit;
    if (!ini_whole(value, &limit))
        return fail(r, "iterations is not a whole number", value);
    if (limit > FRAME_LIMIT_MAX && may_warn(r))
        log_warn("%s:%d: iterations are clamped to %u", r->source, r->line, FRAME_LIMIT_MAX);
    r->scene.limit = limit > FRAME_LIMIT_MAX ? FRAME_LIMIT_MAX : (uint32_t)limit;
    return true;
}

/* A palette that is not there costs no more than its colours. */
static bool set_palette(struct reader *r, const char *value) {
    const struct palette *palette = palette_find(value);
    if (!palette && !palette_ready())
        return false;
    if (palette)
        r->scene.palette = palette;
    else if (may_warn(r))
        log_warn("%s:%d: there is no palette '%.40s'; the default is used", r->source, r->line,
                 value);
    return true;
}

static bool set_density(struct reader *r, const char *value) {
    double density;
    if (!ini_number(value, &density) || density <= 0 || density > 1e6)
        return fail(r, "density is not a number above 0 and up to 1e6", value);
    r->scene.frequency = density;
    return true;
}

static bool set_offset(struct reader *r, const char *value) {
    double offset;
    if (!ini_number(value, &offset))
        return fail(r, "offset is not a number of turns", value);
    offset -= floor(offset);
    r->scene.offset = offset < 1 ? offset : 0;
    return true;
}

static bool set_smooth(struct reader *r, const char *value) {
    static const char *const answers[] = {"yes", "no", NULL};
    const int index = ini_choice(value, answers);
    if (index < 0)
        return fail(r, "smooth is neither yes nor no", value);
    r->scene.banded = index == 1;
    return true;
}

static bool set_size(struct reader *r, int *size, const char *value) {
    uint64_t px;
    if (!ini_whole(value, &px) || px < 1 || px > FRAME_SIZE_MAX)
        return fail(r, "a picture's width and height are from 1 to 65536", value);
    *size = (int)px;
    return true;
}

static bool set_width(struct reader *r, const char *value) {
    return set_size(r, &r->scene.width_px, value);
}

static bool set_height(struct reader *r, const char *value) {
    return set_size(r, &r->scene.height_px, value);
}

/* Sets an enum by one of its names; `message` lists them. */
static bool set_named(struct reader *r, const char *value, const char *const *names,
                      const char *message, int *index) {
    *index = ini_choice(value, names);
    return *index >= 0 || fail(r, message, value);
}

/* The same where files have other names than people. */
static bool set_id(struct reader *r, const char *value, const char *const *ids,
                   const char *const *names, const char *message, int *index) {
    *index = ini_choice(value, ids);
    return *index >= 0 || set_named(r, value, names, message, index);
}

static bool set_number(struct reader *r, const char *value) {
    int index;
    if (!set_named(r, value, precision_names, "number is none of auto, float and double", &index))
        return false;
    r->scene.precision = (enum precision)index;
    return true;
}

static bool set_arithmetic(struct reader *r, const char *value) {
    int index;
    if (!set_named(r, value, arithmetic_names, "arithmetic is neither fused nor unfused", &index))
        return false;
    r->scene.arithmetic = (enum arithmetic)index;
    return true;
}

static bool set_method(struct reader *r, const char *value) {
    int index;
    if (!set_id(r, value, method_ids, method_names,
                "method is none of tiled, scanline, progressive, tracing and mariani-silver",
                &index))
        return false;
    r->scene.method = (enum method)index;
    return true;
}

static bool set_pixel_samples(struct reader *r, const char *value) {
    uint64_t samples;
    if (!ini_whole(value, &samples) || samples < 1 || samples > ACCUMULATE_SAMPLES_MAX)
        return fail(r, "a pixel has from 1 to 65536 samples", value);
    r->scene.pixel_samples = (uint32_t)samples;
    return true;
}

static const char *const kind_names[] = {"escape", "density", NULL};

static bool set_kind(struct reader *r, const char *value) {
    int index;
    if (!set_named(r, value, kind_names, "kind is neither escape nor density", &index))
        return false;
    r->scene.orbit_density = index == 1;
    return true;
}

static bool set_counted(struct reader *r, const char *value) {
    int index;
    if (!set_named(r, value, density_orbits_names, "counted is neither escaping nor bounded",
                   &index))
        return false;
    r->scene.orbits.orbits = (enum density_orbits)index;
    return true;
}

static bool set_rules(struct reader *r, const char *value) {
    int index;
    if (!set_id(r, value, density_rules_ids, density_rules_names,
                "rules is neither standard nor classic", &index))
        return false;
    r->scene.orbits.rules = (enum density_rules)index;
    return true;
}

static bool set_least(struct reader *r, const char *value) {
    uint64_t least;
    if (!ini_whole(value, &least) || least > FRAME_LIMIT_MAX)
        return fail(r, "least is not a whole number from 0 to 2147483647", value);
    r->scene.orbits.least = (uint32_t)least;
    return true;
}

static bool set_channels(struct reader *r, const char *value) {
    const char *why = NULL;
    return scene_set_channels(&r->scene, value, &why) || fail(r, why, value);
}

static bool set_random(struct reader *r, const char *value) {
    return ini_key(value, &r->scene.orbits.random) ||
           fail(r, "random is not a whole number below 2^64", value);
}

static bool set_samples(struct reader *r, const char *value) {
    return ini_key(value, &r->scene.samples) ||
           fail(r, "samples is not a whole number below 2^64", value);
}

static bool set_sampling(struct reader *r, const char *value) {
    return ini_key(value, &r->sampling) ||
           fail(r, "sampling is not a whole number below 2^64", value);
}

static bool set_curve(struct reader *r, const char *value) {
    int index;
    if (!set_id(r, value, tone_curve_ids, tone_curve_names,
                "curve is none of linear, sqrt, log and piecewise", &index))
        return false;
    r->scene.tone.curve = (enum tone_curve)index;
    return true;
}

static bool set_ramp(struct reader *r, const char *value) {
    int index;
    if (!set_named(r, value, tone_ramp_names, "ramp is none of grey, ember, ice, gold and violet",
                   &index))
        return false;
    r->scene.tone.ramp = (enum tone_ramp)index;
    return true;
}

/* A number that tone_problem has the last word on. */
static bool set_tone(struct reader *r, double *member, const char *value) {
    const char *problem = NULL;
    if (!ini_number(value, member))
        return fail(r, "not a number", value);
    problem = tone_problem(&r->scene.tone);
    return !problem || fail(r, problem, value);
}

static bool set_exposure(struct reader *r, const char *value) {
    return set_tone(r, &r->scene.tone.exposure, value);
}

static bool set_gamma(struct reader *r, const char *value) {
    return set_tone(r, &r->scene.tone.gamma, value);
}

static bool set_white(struct reader *r, const char *value) {
    return set_tone(r, &r->scene.tone.white, value);
}

static const struct field {
    const char *section, *key;
    bool (*set)(struct reader *r, const char *value);
} fields[] = {
    {"view", "re", set_re},
    {"view", "im", set_im},
    {"view", "bits", set_bits},
    {"view", "zoom", set_zoom},
    {"view", "angle", set_angle},
    {"fractal", "formula", set_formula},
    {"fractal", "iterations", set_iterations},
    {"colour", "palette", set_palette},
    {"colour", "density", set_density},
    {"colour", "offset", set_offset},
    {"colour", "smooth", set_smooth},
    {"picture", "width", set_width},
    {"picture", "height", set_height},
    {"picture", "number", set_number},
    {"picture", "arithmetic", set_arithmetic},
    {"picture", "method", set_method},
    {"picture", "samples", set_pixel_samples},
    {"picture", "kind", set_kind},
    {"orbits", "counted", set_counted},
    {"orbits", "rules", set_rules},
    {"orbits", "least", set_least},
    {"orbits", "channels", set_channels},
    {"orbits", "random", set_random},
    {"orbits", "samples", set_samples},
    {"orbits", "sampling", set_sampling},
    {"orbits", "curve", set_curve},
    {"orbits", "ramp", set_ramp},
    {"orbits", "exposure", set_exposure},
    {"orbits", "gamma", set_gamma},
    {"orbits", "white", set_white},
};

/* --- names that are not known --- */

#define FIELDS (sizeof fields / sizeof *fields)

static bool is_section(const char *name) {
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].section, name) == 0)
            return true;
    return false;
}

/* The section that has the key, NULL: none. */
static const char *section_of(const char *key) {
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].key, key) == 0)
            return fields[i].section;
    return NULL;
}

static const char *near_section(const char *name) {
    struct suggestion suggestion = {.word = name};
    for (size_t i = 0; i < FIELDS; i++)
        suggest_consider(&suggestion, fields[i].section);
    return suggestion.best;
}

static const char *near_key(const char *section, const char *key) {
    struct suggestion suggestion = {.word = key};
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].section, section) == 0)
            suggest_consider(&suggestion, fields[i].key);
    return suggestion.best;
}

/* Once for all that is in it. */
static void tell_of_section(struct reader *r, const char *section) {
    const char *near = near_section(section);
    if (strncmp(r->section, section, sizeof r->section - 1) == 0 || !may_warn(r))
        return;
    snprintf(r->section, sizeof r->section, "%s", section);
    if (near)
        log_warn("%s:%d: unknown section [%.40s]; did you mean [%s]? ignored", r->source, r->line,
                 section, near);
    else
        log_warn("%s:%d: unknown section [%.40s]; ignored", r->source, r->line, section);
}

static void tell_of_key(struct reader *r, const char *section, const char *key) {
    const char *near = near_key(section, key), *home = section_of(key);
    if (!may_warn(r))
        return;
    if (home)
        log_warn("%s:%d: '%s' belongs in [%s]; ignored", r->source, r->line, key, home);
    else if (near)
        log_warn("%s:%d: unknown key '%.40s'; did you mean '%s'? ignored", r->source, r->line, key,
                 near);
    else
        log_warn("%s:%d: unknown key '%.40s'; ignored", r->source, r->line, key);
}

bool scene_may_be_line(const char *line, size_t length) {
    char name[40];
    const bool header = length > 0 && line[0] == '[';
    size_t end = header;
    while (end < length && !strchr(header ? "]" : " \t=", line[end]))
        end++;
    if (end - header >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(end - header), line + header);
    return header ? near_section(name) != NULL
                  : memchr(line, '=', length) != NULL && section_of(name) != NULL;
}

static bool set_entry(void *user, const char *section, const char *key, const char *value,
                      int line) {
    struct reader *r = user;
    r->line = line;
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].section, section) == 0 && strcmp(fields[i].key, key) == 0) {
            r->known++;
            return fields[i].set(r, value);
        }
    if (*section && !is_section(section))
        tell_of_section(r, section);
    else
        tell_of_key(r, section, key);
    return true;
}

static bool set_centre(struct reader *r) {
    if (!r->re && !r->im)
        return true;
    const char *why;
    const char *re = r->re ? r->re : "-0.5", *im = r->im ? r->im : "0";
    if (view_set_centre(&r->scene.view, re, im, r->bits, &why))
        return true;
    /* Which of the two? With a good partner only the bad one still fails. */
    struct view view;
    view_init(&view);
    const bool re_is_bad = !view_set_centre(&view, re, "0", r->bits, &why);
    const bool im_is_bad = !re_is_bad && !view_set_centre(&view, "0", im, r->bits, &why);
    view_finish(&view);
    char what[120];
    snprintf(what, sizeof what, "%s is %s", im_is_bad ? "im" : "re", why);
    r->line = im_is_bad ? r->im_line : r->re_line;
    return fail(r, what, im_is_bad ? im : re);
}

static bool check_known(const struct reader *r) {
    if (r->known == 0)
        log_error("%s: this is not a view file: it contains no view", r->source);
    return r->known > 0;
}

/* What single entries cannot tell. */
static bool check_orbits(const struct reader *r) {
    struct density orbits = r->scene.orbits;
    if (orbits.channels == 1)
        orbits.limit[0] = r->scene.limit > 0 ? r->scene.limit : 1;
    const char *problem = density_problem(&orbits);
    if (problem)
        log_error("%s: [orbits]: %s", r->source, problem);
    return !problem;
}

/* A picture that says of which samples it was made; the first version did not say which those were. */
static void warn_of_sampling(const struct reader *r) {
    const struct scene *scene = &r->scene;
    const bool first = r->sampling == 0 && scene->width_px > 0 && scene->height_px > 0;
    if (scene->orbit_density && scene->samples > 0 &&
        (first || (r->sampling != 0 && r->sampling != DENSITY_SAMPLING)))
        log_warn("%s: another version of fathom made this picture from other samples: it is drawn "
                 "the same but for its noise",
                 r->source);
}

static void assign(struct scene *to, const struct scene *from) {
    struct view view = to->view; /* owns its numbers */
    view_assign(&view, &from->view);
    *to = *from;
    to->view = view;
}

bool scene_parse(struct scene *scene, const char *source, const char *text, size_t length) {
    require(scene && source && text, false);
    if (length > SCENE_TEXT_MAX) {
        log_error("%s: too large for a view file: more than %d bytes", source, SCENE_TEXT_MAX);
        return false;
    }
    struct reader r = {.source = source};
    scene_init(&r.scene);
    const bool ok = ini_read(source, text, length, set_entry, &r) && check_known(&r) &&
                    check_orbits(&r) && set_centre(&r);
    if (ok) {
        warn_of_sampling(&r);
        assign(scene, &r.scene);
    }
    scene_finish(&r.scene);
    free(r.re);
    free(r.im);
    return ok;
}

void scene_request(const struct scene *scene, int width_px, int height_px, const struct plan *plan,
                   struct frame_req *req) {
    view_assign(&req->view, &scene->view);
    req->width_px = width_px;
    req->height_px = height_px;
    req->formula = scene->formula;
    req->type = plan->type;
    req->arithmetic = scene->arithmetic;
    req->method = scene->method;
    req->limit = scene->limit;
    req->first_stride = plan->first_stride;
    colouring_set(&req->colouring, scene->palette, scene->frequency, scene->offset);
    req->colouring.smooth = req->colouring.smooth && !scene->banded;
}

void scene_density_request(const struct scene *scene, int width_px, int height_px,
                           struct density_req *req) {
    view_assign(&req->view, &scene->view);
    req->width_px = width_px;
    req->height_px = height_px;
    req->type = density_type(&scene->view, width_px, height_px, scene->precision);
    req->density = scene->orbits;
    if (scene->orbits.channels == 1)
        req->density.limit[0] = scene->limit > 0 ? scene->limit : 1;
    req->tone = scene->tone;
}
