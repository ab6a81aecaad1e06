/* Recolouring: reads an EXR picture's samples chunk by chunk, colours them as a backend does, and
 * writes the picture, so that memory stays bounded. */
#include "app/command/recolour.h"
#include "app/explore/auto_frequency.h"
#include "app/still/outputs.h"
#include "app/still/still.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/progress.h"
#include "render/files/location.h"
#include "render/light/light.h"
#include "render/parallel.h"
#include <stdlib.h>
#include <string.h>

#define WHY_SIZE 300
#define PIXELS   8192 /* number of pixels that a thread colours at a time */

bool recolour_is_meant(const struct options *options) {
    return options->command == COMMAND_RENDER && options->argument_count > 0 &&
           exr_is_file(options->arguments[0]);
}

/* --- the scene --- */

/* Returns an option that demands other samples than the file has, or NULL. */
static const char *demands_samples(const struct options *options) {
    static const char *const others[] = {"size", "samples", "projection", "exact", "verify"};
    static const char *const sections[] = {"view", "fractal", "orbits"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (options_given(options, others[i]))
            return others[i];
    for (int id = 0; id < SETTING_COUNT; id++)
        for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
            if (setting_table[id].option && options_given(options, setting_table[id].option) &&
                strcmp(setting_table[id].section, sections[i]) == 0)
                return setting_table[id].option;
    return NULL;
}

static bool can_recolour(const struct options *options) {
    const char *path = options->arguments[0], *option = demands_samples(options);
    if (option)
        log_error("--%s needs new samples, but render colours those of '%s'; 'fathom %s' opens its "
                  "view",
                  option, path, path);
    const bool fits =
        !outputs_is_exr(options) && !outputs_is_poster(options) && !outputs_is_deep(options);
    if (!option && !fits)
        log_error(
            "cannot write '%s': an EXR picture is recoloured as PPM, PNG, JPEG or WebP, with 8 "
            "bits a colour",
            options->output);
    return !option && fits;
}

/* Parses the file's text. Another program's location may be one that fathom lacks. */
static bool parse_text(const struct exr_facts *facts, const char *path, struct scene *scene) {
    char why[WHY_SIZE];
    if (facts->own)
        return scene_parse(scene, path, facts->text, strlen(facts->text));
    if (!facts->text)
        return true;
    const struct log_listener before = log_listen_instead_of_warnings(why, sizeof why);
    const bool ok = scene_parse_any(scene, path, facts->text, strlen(facts->text));
    log_listen_restore(before);
    if (!ok)
        log_warn("only the samples of the picture are used: %s", why);
    return true;
}

bool recolour_load(const struct options *options, struct scene *scene) {
    const char *path = options->arguments[0];
    struct exr_reader *reader = can_recolour(options) ? exr_reader_open(path) : NULL;
    const bool ok = reader && parse_text(exr_reader_facts(reader), path, scene);
    if (ok) {
        const struct exr_facts *facts = exr_reader_facts(reader);
        scene->width_px = facts->width_px;
        scene->height_px = facts->height_px;
        scene->limit = facts->limit > 0 ? facts->limit : scene->limit;
        scene->pixel_samples = 1;
    }
    exr_reader_close(reader);
    return ok;
}

/* --- planes --- */

/* Returns the planes that colours are made from. */
static unsigned planes_read(const struct colouring *colouring) {
    unsigned planes = SAMPLE_PLANE_BIT(count) | 1u << by_plane(colouring->by);
    planes |= colouring->smooth ? SAMPLE_PLANE_BIT(fraction) : 0;
    planes |= colouring->inside != INSIDE_ONE ? 1u << inside_plane(colouring->inside) : 0;
    planes |= layers_any(&colouring->layers) ? SAMPLE_PLANE_BIT(distance) : 0;
    for (int i = 0; i < LAYERS_MAX; i++)
        if (colouring->layers.layer[i].kind != LAYER_NONE)
            planes |= 1u << layer_plane(colouring->layers.layer[i].kind);
    return planes;
}

/* Checks that the file has the planes of the request that its colours need. */
static bool has_planes(const struct frame_req *req, const struct exr_facts *facts,
                       const char *path) {
    const unsigned needed = planes_read(&req->colouring) & (req->planes | SAMPLE_BASIC);
    const unsigned missing = needed & ~facts->planes;
    if (missing)
        log_error("'%s' has no channel %s, which these colours need; choose others, or draw the "
                  "picture again with them",
                  path, exr_channel_of((enum sample_plane)__builtin_ctz(missing)));
    return !missing;
}

/* --- colours that depend on the picture --- */

/* Statistics of a picture, and every so many counts of it. */
struct survey {
    struct statistics statistics;
    int width, height; /* size of the small picture */
    uint32_t *count;
};

/* Adds the counts of `rows` rows from row y on. */
static void look(struct survey *survey, const struct exr_facts *facts, const uint32_t *count, int y,
                 int rows) {
    const size_t width = (size_t)facts->width_px;
    statistics_add(&survey->statistics, count, width, (size_t)rows, width);
    for (int v = 0; v < survey->height; v++) {
        const int row = (2 * v + 1) * facts->height_px / (2 * survey->height);
        if (row < y || row >= y + rows)
            continue;
        for (int u = 0; u < survey->width; u++)
            survey->count[v * survey->width + u] =
                count[(size_t)(row - y) * width +
                      (size_t)((2 * u + 1) * facts->width_px / (2 * survey->width))];
    }
}

/* Reads all counts. Returns false on failure, which is logged, or after an interrupt. */
static bool survey_counts(struct survey *survey, struct exr_reader *reader) {
    const struct exr_facts *facts = exr_reader_facts(reader);
    struct sample_planes planes;
    int y = 0, rows;
    statistics_init(&survey->statistics);
    auto_frequency_size(facts->width_px, facts->height_px, &survey->width, &survey->height);
    survey->count =
        memory_alloc((uint64_t)survey->width * (uint64_t)survey->height * 4, "a small picture");
    if (!survey->count || !exr_reader_begin(reader, SAMPLE_PLANE_BIT(count), 0))
        return false;
    for (; (rows = exr_reader_rows(reader, &planes)) > 0 && !interrupt_requested(); y += rows)
        look(survey, facts, planes.count, y, rows);
    return rows == 0;
}

/* Chooses ranks, or the frequency, from the file's counts if the options or the view demand it. */
static bool choose_colours(const struct options *options, struct scene *scene,
                           struct frame_req *req, struct exr_reader *reader) {
    struct survey survey = {.count = NULL};
    if (options->auto_frequency != 1 && !scene_wants_ranks(scene))
        return true;
    const bool ok = survey_counts(&survey, reader);
    const size_t width = (size_t)survey.width, samples = width * (size_t)survey.height;
    const struct glimpse glimpse = {survey.count, samples, width};
    if (ok && scene->mapping == MAPPING_HISTOGRAM)
        scene_set_ranks(scene, &survey.statistics);
    else if (ok)
        still_set_frequency(scene, auto_frequency_choose(&glimpse, scene->by, scene->mapping));
    scene_colouring(scene, &req->colouring);
    free(survey.count);
    return ok;
}

/* --- pixels --- */

/* Rows that several threads colour. */
struct rows {
    const struct colouring *colouring;
    const struct sample_planes *planes;
    uint32_t *rgba;
};

static void colour_pixels(void *user, uint32_t begin, uint32_t end) {
    const struct rows *rows = user;
    for (uint32_t i = begin; i < end; i++)
        rows->rgba[i] =
            light_sample(rows->colouring, rows->colouring->table, rows->planes->plane, i);
}

/* Colours and writes all rows. */
static bool write_rows(struct exr_reader *reader, const struct frame_req *req,
                       struct outputs *outputs) {
    const double start_ms = clock_ms();
    struct sample_planes planes;
    uint32_t *rgba = NULL;
    bool ok = true, shown = false;
    int y = 0, rows;
    while (ok && (rows = exr_reader_rows(reader, &planes)) > 0) {
        const uint32_t pixels = (uint32_t)rows * (uint32_t)req->width_px;
        if (y == 0) /* no later chunk has more rows */
            rgba = memory_alloc(4 * (uint64_t)pixels, "rows of a picture");
        if (rgba)
            parallel_for(pixels, PIXELS, colour_pixels,
                         &(struct rows){&req->colouring, &planes, rgba});
        ok = rgba && !interrupt_requested() && outputs_samples(outputs, &planes, rows) &&
             outputs_pixels(outputs, rgba, rows);
        y += rows;
        shown |= progress_show(NULL, (double)y / req->height_px, clock_ms() - start_ms);
    }
    if (shown)
        progress_hide();
    free(rgba);
    return ok && rows == 0;
}

/* Writes the files. A view of fathom remains part of the picture; other locations show nearly the
 * same only, and do not. */
static bool write_files(const struct options *options, const struct scene *scene,
                        const struct frame_req *req, struct exr_reader *reader) {
    struct outputs outputs;
    const bool own = exr_reader_facts(reader)->own;
    char *text = own ? scene_text(scene) : NULL;
    if (own && !text)
        log_error("cannot write a picture: not enough memory");
    bool ok = (text || !own) && outputs_open(&outputs, options, req, text);
    free(text);
    if (!ok)
        return false;
    ok = write_rows(reader, req, &outputs);
    if (ok)
        return outputs_commit(&outputs);
    outputs_abandon(&outputs);
    return false;
}

bool recolour_draw(const struct options *options, struct scene *scene, struct frame_req *req) {
    const char *path = options->arguments[0];
    struct exr_reader *reader = exr_reader_open(path);
    const struct exr_facts *facts = reader ? exr_reader_facts(reader) : NULL;
    const bool ok =
        facts && has_planes(req, facts, path) && choose_colours(options, scene, req, reader) &&
        exr_reader_begin(
            reader, (planes_read(&req->colouring) | SAMPLE_PLANE_BIT(distance)) & facts->planes,
            scene->view.angle) &&
        write_files(options, scene, req, reader);
    exr_reader_close(reader);
    return ok;
}
