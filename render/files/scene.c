/* Scenes: initialisation, reading from text and files of any kind, writing, and requests. */
#include "render/files/scene.h"
#include "render/base/atomic_file.h"
#include "render/base/ini.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/base/suggest.h"
#include "render/files/density_file.h"
#include "render/files/exr/exr.h"
#include "render/files/image.h"
#include "render/files/location.h"
#include "render/files/npy.h"
#include "render/files/poster/poster.h"
#include "render/light/ranks.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARNINGS_MAX 20 /* most warnings about one text */

void scene_init(struct scene *scene) {
    memset(scene, 0, sizeof *scene);
    view_init(&scene->view);
    fractal_init(&scene->fractal);
    for (int id = 0; id < SETTING_COUNT; id++)
        setting_reset((enum setting_id)id, scene);
}

void scene_init_copy(struct scene *scene, const struct scene *from) {
    *scene = *from;
    view_init_copy(&scene->view, &from->view);
    fractal_init_copy(&scene->fractal, &from->fractal);
    palette_ref(scene->palette);
    trap_image_ref(scene->image);
}

void scene_assign(struct scene *scene, const struct scene *from) {
    struct view view = scene->view; /* own their numbers */
    struct fractal fractal = scene->fractal;
    view_assign(&view, &from->view);
    fractal_assign(&fractal, &from->fractal);
    palette_replace(&scene->palette, palette_ref(from->palette));
    trap_image_replace(&scene->image, trap_image_ref(from->image));
    *scene = *from;
    scene->view = view;
    scene->fractal = fractal;
}

void scene_finish(struct scene *scene) {
    view_finish(&scene->view);
    fractal_finish(&scene->fractal);
    palette_unref(scene->palette);
    trap_image_unref(scene->image);
    scene->palette = NULL;
    scene->image = NULL;
}

/* --- reading --- */

/* State of reading a text. The centre is set at the end, because its three entries depend on each
 * other. */
struct reader {
    struct scene scene;
    const char *source;
    int line;
    int known; /* number of known entries */
    int warnings;
    char section[32];      /* unknown section of the last warning */
    char *re, *im, *image; /* values in the text; NULL: not given */
    int re_line, im_line, image_line;
    long bits;
    struct palette_text *palette;            /* entries of [palette]; NULL: no such section */
    char palette_name[PALETTE_NAME_MAX + 1]; /* palette's id in [colour] */
    int palette_line;
};

static bool fail(const struct reader *r, const char *key, const struct setting_problem *problem,
                 const char *value) {
    log_error("%s:%d: %s %s%s '%.40s%s'", r->source, r->line, key, problem->why, problem->joint,
              value, strlen(value) > 40 ? "..." : "");
    return false;
}

/* Returns true if another warning may be given: of many wrong lines, the first are enough to
 * report. */
static bool may_warn(struct reader *r) {
    r->warnings++;
    if (r->warnings == WARNINGS_MAX + 1)
        log_warn("%s:%d: too many problems; the rest are not reported", r->source, r->line);
    return r->warnings <= WARNINGS_MAX;
}

static bool keep_text(struct reader *r, char **text, int *line, const char *value) {
    free(*text);
    *line = r->line;
    *text = strdup(value);
    if (!*text)
        log_error("%s:%d: not enough memory for this", r->source, r->line);
    return *text;
}

/* Stores the palette's name, because [palette] may follow below. */
static bool name_palette(struct reader *r, const char *value) {
    snprintf(r->palette_name, sizeof r->palette_name, "%s", value);
    r->palette_line = r->line;
    return true;
}

/* Sets the named palette. If there is no such palette, warns and keeps the default. */
static bool set_named_palette(struct reader *r) {
    const struct palette *palette = palette_get(r->palette_name);
    if (!palette && !palette_ready())
        return false;
    r->line = r->palette_line;
    if (palette)
        palette_replace(&r->scene.palette, palette);
    else if (may_warn(r))
        log_warn("%s:%d: there is no palette '%.40s'; the default is used", r->source, r->line,
                 r->palette_name);
    return true;
}

static bool set_own_palette(struct reader *r) {
    const char *id = r->palette_name[0] ? r->palette_name : "palette";
    if (!palette_text_end(r->palette))
        return false;
    const struct palette *palette = palette_make(id, &r->palette->named);
    if (palette)
        palette_replace(&r->scene.palette, palette);
    return palette;
}

static bool set_palette(struct reader *r) {
    if (r->palette)
        return set_own_palette(r);
    return !r->palette_name[0] || set_named_palette(r);
}

/* Sets the image that was named last; if it cannot be read, warns and keeps the ball. Returns false
 * if another thread still has to read the image, or at an interrupt. */
static bool set_image(struct reader *r) {
    struct setting_problem problem;
    if (!r->image || setting_parse(SETTING_IMAGE, &r->scene, r->image, &problem))
        return true;
    r->line = r->image_line;
    if (problem.unanswered) {
        if (interrupt_requested())
            log_error("%s:%d: the image '%.400s' %s", r->source, r->line, r->image, problem.why);
        return false;
    }
    if (may_warn(r))
        log_warn("%s:%d: the image '%.400s' %s; the ball is used", r->source, r->line, r->image,
                 problem.why);
    return true;
}

/* Sets an entry of [palette]. */
static bool set_in_palette(struct reader *r, const char *key, const char *value) {
    if (!r->palette) {
        r->palette = malloc(sizeof *r->palette);
        if (!r->palette) {
            log_error("%s:%d: not enough memory for the palette", r->source, r->line);
            return false;
        }
        palette_text_begin(r->palette, r->source, "Palette");
    }
    return palette_text_set(r->palette, key, value, r->line);
}

static bool set(struct reader *r, enum setting_id id, const char *value) {
    char clamped[SETTING_CLAMPED_SIZE];
    struct setting_problem problem;
    const char *key = setting_table[id].key;
    if (id == SETTING_RE)
        return keep_text(r, &r->re, &r->re_line, value);
    if (id == SETTING_IM)
        return keep_text(r, &r->im, &r->im_line, value);
    if (id == SETTING_PALETTE)
        return name_palette(r, value);
    if (id == SETTING_IMAGE)
        return keep_text(r, &r->image, &r->image_line, value);
    if (setting_clamps(id, value, clamped)) {
        if (may_warn(r))
            log_warn("%s:%d: %s is clamped to %s", r->source, r->line, key, clamped);
        value = clamped;
    }
    if (!setting_parse(id, &r->scene, value, &problem))
        return fail(r, key, &problem, value);
    r->scene.tuned |= id == SETTING_FREQUENCY || id == SETTING_MAPPING;
    if (id == SETTING_BITS)
        r->bits = view_bits(&r->scene.view);
    return true;
}

/* --- unknown names --- */

/* Returns the section that has the key, or NULL. */
static const char *section_of(const char *key) {
    for (int i = 0; i < SETTING_COUNT; i++)
        if (setting_has_key((enum setting_id)i, key))
            return setting_table[i].section;
    return NULL;
}

static const char *near_section(const char *name) {
    struct suggestion suggestion = {.word = name};
    for (int i = 0; i < SETTING_COUNT; i++)
        suggest_consider(&suggestion, setting_table[i].section);
    return suggestion.best;
}

static const char *near_key(const char *section, const char *key) {
    struct suggestion suggestion = {.word = key};
    for (int i = 0; i < SETTING_COUNT; i++)
        if (strcmp(setting_table[i].section, section) == 0)
            suggest_consider(&suggestion, setting_table[i].key);
    return suggestion.best;
}

/* Warns about an unknown section, once for all its entries. */
static void tell_of_section(struct reader *r, const char *section, const char *near) {
    if (strncmp(r->section, section, sizeof r->section - 1) == 0 || !may_warn(r))
        return;
    snprintf(r->section, sizeof r->section, "%s", section);
    log_warn("%s:%d: unknown section [%.40s]; %s%s%signored", r->source, r->line, section,
             near ? "did you mean [" : "", near ? near : "", near ? "]? " : "");
}

static void tell_of_key(struct reader *r, const char *section, const char *key) {
    const char *near = near_key(section, key), *home = section_of(key);
    if (!may_warn(r))
        return;
    if (home)
        log_warn("%s:%d: '%s' belongs in [%s]; ignored", r->source, r->line, key, home);
    else
        log_warn("%s:%d: unknown key '%.40s'; %s%s%signored", r->source, r->line, key,
                 near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
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
    const enum setting_id id = setting_find(section, key);
    const char *instead = setting_replacement(section, key, value);
    r->line = line;
    if (strcmp(section, "palette") == 0)
        return set_in_palette(r, key, value);
    if (instead) {
        r->known++;
        r->scene.counted_otherwise |= *instead && strcmp(section, "orbits") == 0;
        if (*instead && may_warn(r))
            log_warn("%s:%d: %s '%s' is no longer supported; %s", r->source, line, key, value,
                     instead);
        return true;
    }
    if (id < SETTING_COUNT) {
        r->known++;
        return set(r, id, value);
    }
    const char *near = near_section(section);
    if (*section && (!near || strcmp(near, section) != 0))
        tell_of_section(r, section, near);
    else
        tell_of_key(r, section, key);
    return true;
}

static bool set_centre(struct reader *r) {
    const char *why;
    if (!r->re && !r->im) {
        setting_reset(SETTING_BITS, &r->scene);
        return true;
    }
    const char *re = r->re ? r->re : "-0.5", *im = r->im ? r->im : "0";
    if (view_set_centre(&r->scene.view, re, im, r->bits, &why))
        return true;
    /* Finds the wrong part: with a valid partner, only the wrong part still fails. */
    struct view view;
    view_init(&view);
    const bool re_is_bad = !view_set_centre(&view, re, "0", r->bits, &why);
    const bool im_is_bad = !re_is_bad && !view_set_centre(&view, "0", im, r->bits, &why);
    view_finish(&view);
    struct setting_problem problem = {.joint = ":"};
    snprintf(problem.why, sizeof problem.why, "is %s", why);
    r->line = im_is_bad ? r->im_line : r->re_line;
    return fail(r, im_is_bad ? "im" : "re", &problem, im_is_bad ? im : re);
}

const char *scene_problem(const struct scene *scene) {
    if (scene->orbit_density)
        return fractal_is_mandelbrot(&scene->fractal)
                   ? NULL
                   : "the Buddhabrot exists only for the Mandelbrot set";
    return fractal_type_problem(&scene->fractal,
                                scene->precision == PRECISION_WIDE ? TYPE_WIDE : TYPE_DOUBLE);
}

/* Checks conditions that involve several entries. */
static bool check_whole(const struct reader *r) {
    struct density orbits = r->scene.orbits;
    if (orbits.channels == 1)
        orbits.limit[0] = r->scene.limit > 0 ? r->scene.limit : 1;
    const char *in_orbits = density_problem(&orbits), *problem = scene_problem(&r->scene);
    if (r->known == 0)
        log_error("%s: this is not a view file: it contains no view", r->source);
    else if (in_orbits)
        log_error("%s: [orbits]: %s", r->source, in_orbits);
    else if (problem)
        log_error("%s: formula = %s: %s", r->source, formula_names[r->scene.fractal.formula],
                  problem);
    return r->known > 0 && !in_orbits && !problem;
}

/* Warns if a density picture was made of other samples than this version's. The first version did
 * not store `sampling`. */
static void check_sampling(struct reader *r) {
    struct scene *scene = &r->scene;
    const bool first = scene->sampling == 0 && scene->width_px > 0 && scene->height_px > 0;
    if (scene->orbit_density && scene->samples > 0 &&
        (first || (scene->sampling != 0 && scene->sampling != DENSITY_SAMPLING)))
        log_warn("%s: this picture was made by another version of fathom; its noise will differ",
                 r->source);
    scene->sampling = DENSITY_SAMPLING;
}

bool scene_parse(struct scene *scene, const char *source, const char *text, size_t length) {
    require(scene && source && text, false);
    if (length > SCENE_TEXT_MAX) {
        log_error("%s: too large for a view file: more than %d bytes", source, SCENE_TEXT_MAX);
        return false;
    }
    struct reader r = {.source = source};
    scene_init(&r.scene);
    r.scene.sampling = 0; /* 0: not given */
    const bool ok = ini_read(source, text, length, set_entry, &r) && check_whole(&r) &&
                    set_palette(&r) && set_centre(&r) && set_image(&r);
    if (ok) {
        check_sampling(&r);
        scene_assign(scene, &r.scene);
    }
    scene_finish(&r.scene);
    free(r.palette);
    free(r.re);
    free(r.im);
    free(r.image);
    return ok;
}

/* --- files --- */

/* Returns true if a picture's text contains a view, which may be another program's. */
static bool has_view(const char *text) {
    const enum location_kind kind = location_kind(text, strlen(text));
    return strstr(text, "[view]") || kind == LOCATION_KALLES || kind == LOCATION_FRAKTALER;
}

/* Returns the text of a picture that begins so; NULL if it contains no view, which is logged. */
static char *text_of_picture(FILE *file, const char *path, const char *start, size_t length) {
    char *text = exr_begins(start, length)      ? exr_text(path)
                 : poster_begins(start, length) ? poster_text(path)
                                                : image_comment(file, path);
    if (!text || has_view(text))
        return text;
    log_error("'%s': this picture carries no view; only fathom's own screenshots do", path);
    free(text);
    return NULL;
}

bool scene_is_picture_alone(const char *path) {
    const char *why;
    char heard[8];
    bool absent, more;
    size_t length;
    FILE *file = file_open_silently(path, &absent, &why);
    if (!file)
        return false;
    const struct log_listener before = log_listen_instead(heard, sizeof heard);
    char *text = file_read_start(file, path, SCENE_TEXT_MAX, &length, &more);
    const bool picture = text && image_begins(text, length);
    free(text);
    text = picture ? image_comment(file, path) : NULL;
    log_listen_restore(before);
    const bool alone = text && !has_view(text);
    free(text);
    fclose(file);
    return alone;
}

bool scene_load(struct scene *scene, const char *path) {
    FILE *file = file_open(path);
    if (!file)
        return false;
    size_t length;
    bool more = false;
    char *text = file_read_start(file, path, SCENE_TEXT_MAX, &length, &more);
    const bool picture = text && (image_begins(text, length) || exr_begins(text, length) ||
                                  poster_begins(text, length));
    const bool run = text && !picture && npy_begins(text, length);
    if (picture || run) {
        char *start = text;
        text = picture ? text_of_picture(file, path, start, length) : density_file_text(file, path);
        free(start);
        length = text ? strlen(text) : 0;
    } else if (more) {
        log_error("'%s': too large for a view file: more than %d bytes", path, SCENE_TEXT_MAX);
        free(text);
        text = NULL;
    }
    const bool ok = text && (run ? scene_parse : scene_parse_any)(scene, path, text, length);
    fclose(file);
    free(text);
    return ok;
}

/* --- to text --- */

static bool is_written(enum setting_id id, const struct scene *scene, const char *text) {
    const struct setting *setting = &setting_table[id];
    if (setting->use == SETTING_OF_DENSITY && !scene->orbit_density)
        return false;
    if (id == SETTING_PIXEL_SAMPLES && scene->orbit_density)
        return false;
    if (id == SETTING_SAMPLING)
        return scene->samples > 0;
    if (id == SETTING_CHANNELS)
        return scene->orbits.channels > 1;
    return setting->saved == SETTING_SAVED ||
           strcmp(text, setting->initial ? setting->initial : "0") != 0;
}

/* Writes a palette that is not built in, since other programs and other installations may lack
 * it. */
static bool write_palette(FILE *file, const struct palette *palette) {
    if (palette_find_builtin(palette->id) == palette)
        return true;
    char *text = palette_file_text(palette);
    if (text)
        fprintf(file, "\n%s", text);
    free(text);
    return text;
}

static bool write_all(FILE *file, const struct scene *scene) {
    const char *section = NULL;
    for (int id = 0; id < SETTING_COUNT; id++) {
        const struct setting *setting = &setting_table[id];
        char *text = setting_text((enum setting_id)id, scene);
        if (!text)
            return false;
        if (is_written((enum setting_id)id, scene, text)) {
            if (!section || strcmp(section, setting->section) != 0)
                fprintf(file, "%s[%s]\n", section ? "\n" : "", setting->section);
            section = setting->section;
            fprintf(file, "%s = %s\n", setting->key, text);
        }
        free(text);
    }
    return scene->orbit_density || write_palette(file, scene->palette);
}

/* Writes a scene with both coordinates in the same precision, because `bits` applies to both. */
static bool write_scene(FILE *file, const struct scene *scene) {
    struct scene even;
    const long bits = view_bits(&scene->view);
    scene_init_copy(&even, scene);
    mpfr_prec_round(even.view.re, bits, MPFR_RNDN);
    mpfr_prec_round(even.view.im, bits, MPFR_RNDN);
    const bool ok = write_all(file, &even);
    scene_finish(&even);
    return ok;
}

char *scene_text(const struct scene *scene) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    const bool ok = write_scene(file, scene);
    if (fclose(file) == 0 && ok)
        return text;
    free(text);
    return NULL;
}

/* --- requests --- */

bool scene_has_layers(const struct scene *scene) {
    return scene->layers[0].kind != LAYER_NONE || scene->layers[1].kind != LAYER_NONE;
}

static unsigned traces_of(const struct scene *scene) {
    unsigned planes = 1u << by_plane(scene->by);
    for (int i = 0; i < LAYERS_MAX; i++)
        if (scene->layers[i].kind != LAYER_NONE)
            planes |= 1u << layer_plane(scene->layers[i].kind);
    return planes & SAMPLE_TRACE;
}

bool scene_has_inside(const struct scene *scene) {
    return scene->inside != INSIDE_ONE;
}

bool scene_has_slopes(const struct scene *scene) {
    return scene_has_layers(scene) || (scene->by != BY_COUNT && scene->by != BY_ANGLE) ||
           (scene->by == BY_ANGLE && !fractal_is_map(&scene->fractal));
}

/* Sets the layers and the light. The light is fixed to the screen, however the plane is rotated. */
static void set_layers(const struct scene *scene, struct layers *layers) {
    const double degree = M_PI / 180, height = scene->light_height * degree;
    const double angle = scene->light_angle * degree + scene->view.angle;
    const double flat = cos(height) / (cos(height) + sin(height));
    for (int i = 0; i < LAYERS_MAX; i++)
        layers->layer[i] =
            (struct layer){scene->layers[i].kind, scene->layers[i].mode,
                           (uint32_t)lround(scene->layers[i].strength * LAYER_STRENGTHS)};
    layers->light_x = (int32_t)lround(flat * cos(angle) * 32767);
    layers->light_y = (int32_t)lround(flat * sin(angle) * 32767);
    layers->light_z = (int32_t)lround((1 - flat) * 65535);
}

void scene_colouring(const struct scene *scene, struct colouring *colouring) {
    colouring_set(colouring, scene->palette, scene->frequency, scene->offset);
    colouring->smooth = colouring->smooth && !scene->banded;
    colouring->mapping = scene->mapping;
    colouring->ranks = scene->ranks;
    colouring->by = scene->by;
    colouring->inside = scene->inside;
    colouring->image = scene->image->rgba;
    colouring->image_scale = (uint32_t)lround(COLOUR_IMAGE_SIDE / scene->image_size);
    set_layers(scene, &colouring->layers);
}

bool scene_wants_ranks(const struct scene *scene) {
    return scene->mapping == MAPPING_HISTOGRAM && ranks_are_initial(&scene->ranks);
}

/* Sets the ranks from statistics. A smooth value exceeds its count by up to `more` + 1. For powers
 * the orbit continues from |z|^2 = 4 to 2^16, and a logarithm to the base of the power counts those
 * steps. For maps the fraction is that of the last step. */
bool scene_set_ranks(struct scene *scene, const struct statistics *statistics) {
    const bool map = fractal_is_map(&scene->fractal);
    const double more = map ? -1 : 3 / log2(scene->fractal.power) - 1;
    return ranks_set(&scene->ranks, statistics,
                     scene->palette->smooth && !scene->banded ? more : 0);
}

/* Returns the planes that colours and layers need besides counts. Maps have no slopes: at most the
 * angle of the orbit's end. */
static unsigned planes_wanted(const struct scene *scene, bool direct) {
    if (!fractal_has_slopes(&scene->fractal))
        return scene->by == BY_ANGLE ? SAMPLE_PLANE_BIT(angle) : 0;
    return (scene_has_slopes(scene) ? SAMPLE_SLOPE : 0) | traces_of(scene) |
           (direct && scene_has_inside(scene) ? SAMPLE_INSIDE : 0);
}

void scene_request(const struct scene *scene, int width_px, int height_px, const struct plan *plan,
                   struct frame_req *req) {
    view_assign(&req->view, &scene->view);
    req->width_px = width_px;
    req->height_px = height_px;
    fractal_assign(&req->fractal, &scene->fractal);
    req->route = plan->route;
    req->type = plan->type;
    req->widen = plan->widen;
    req->method = scene->method;
    req->limit = scene->limit;
    req->first_stride = plan->first_stride;
    scene_colouring(scene, &req->colouring);
    req->planes &= ~(unsigned)(SAMPLE_SLOPE | SAMPLE_TRACE | SAMPLE_INSIDE);
    req->planes |= planes_wanted(scene, plan->route == ROUTE_DIRECT);
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
