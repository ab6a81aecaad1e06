/* Command line to request: loads the scene and chooses the backend options and the outputs, for
 * every command that draws. */
#include "app/assets.h"
#include "app/command/commands.h"
#include "app/command/recolour.h"
#include "app/explore/recent.h"
#include "app/still/outputs.h"
#include "cpu/cpu.h"
#include "cpu/cpuid.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/files/coordinates.h"
#include "render/files/location.h"
#include "render/style/style.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns true if an option applies only to density pictures. */
static bool wants_density(const struct options *options) {
    for (int id = 0; id < SETTING_COUNT; id++)
        if (options->texts[id] && setting_table[id].use == SETTING_OF_DENSITY)
            return true;
    return false;
}

static void take_number(mpfr_t number, mpfr_srcptr from) {
    mpfr_set_prec(number, mpfr_get_prec(from));
    mpfr_set(number, from, MPFR_RNDN);
}

/* Sets the parts of the centre that the command line gives. Both are read at the same precision, so
 * the zoom must be set. */
static void override_centre(const struct options *options, struct view *view) {
    const char *why, *re = options->texts[SETTING_RE], *im = options->texts[SETTING_IM];
    struct view told;
    view_init_copy(&told, view);
    view_set_centre(&told, re ? re : "0", im ? im : "0", 0, &why);
    if (re)
        take_number(view->re, told.re);
    if (im)
        take_number(view->im, told.im);
    view_finish(&told);
}

/* Returns false if only posters have the scene's size and the options name none; the reason is
 * logged. */
static bool size_fits(const struct options *options, const struct scene *scene) {
    const bool large = scene->width_px > FRAME_SIZE_MAX || scene->height_px > FRAME_SIZE_MAX;
    if (large && !outputs_is_poster(options))
        log_error(
            "%dx%d pixels: more than %d in a direction are for 'fathom render' into a .tif or "
            ".dzi; give --size",
            scene->width_px, scene->height_px, FRAME_SIZE_MAX);
    return !large || outputs_is_poster(options);
}

bool command_scene_override(const struct options *options, struct scene *scene) {
    if (scene->width_px == 0) {
        scene->width_px = options->spare_width_px;
        scene->height_px = options->spare_height_px;
    }
    if (options->width_px > 0) {
        scene->width_px = options->width_px;
        scene->height_px = options->height_px;
    }
    if (!size_fits(options, scene))
        return false;
    scene->fractal.julia |= options->texts[SETTING_JULIA_RE] || options->texts[SETTING_JULIA_IM];
    for (int id = 0; id < SETTING_COUNT; id++)
        if (id != SETTING_RE && id != SETTING_IM)
            options_store_setting(options, (enum setting_id)id, scene);
    override_centre(options, &scene->view);
    const char *const *texts = options->texts;
    if (texts[SETTING_LAYER] && !texts[SETTING_LAYER_MODE] && !texts[SETTING_LAYER_STRENGTH])
        style_suit_layer(scene);
    if (options->samples > 0 && options->command != COMMAND_DENSITY)
        scene->pixel_samples = (uint32_t)options->samples;
    scene->exact |= options->exact;
    scene->orbit_density |= options->command == COMMAND_DENSITY || wants_density(options);
    const char *problem = density_problem(&scene->orbits);
    if (problem)
        log_error("cannot count these orbits: %s", problem);
    if (problem)
        return false;
    if (options->texts[SETTING_THEN] && fractal_is_map(&scene->fractal)) {
        log_error("--then does not apply to %s, which has one step",
                  formula_names[scene->fractal.formula]);
        return false;
    }
    problem = scene_problem(scene);
    if (problem)
        log_error("%s: %s", formula_names[scene->fractal.formula], problem);
    if (problem)
        return false;
    const bool ambiguous =
        scene->orbit_density && options->texts[SETTING_LIMIT] && scene->orbits.channels > 1;
    if (ambiguous)
        log_error("three channels have their own limits: give --channels, not --iterations");
    return !ambiguous;
}

/* Loads a scene from a word that names neither a file nor an example: coordinates, or part of an
 * example's name. Returns false on failure; the reason is logged. */
static bool load_unlisted(struct scene *scene, const char *word) {
    if (coordinates_are(word))
        return scene_parse_any(scene, "the location", word, strlen(word));
    char *names, *similar = NULL;
    const int count = assets_match_view(word, &names);
    char *path = count == 1 ? assets_view_path(names) : NULL;
    bool ok = false;
    if (count > 1)
        log_error("'%s' may be one of several views: %s", word, names);
    else if (count == 0 && (similar = assets_similar_view(word)))
        log_error("there is no file '%s'; did you mean '%s'?", word, similar);
    else if (count == 0 && !strpbrk(word, "./"))
        log_error("there is no file and no example '%s'; 'fathom list views' names the examples",
                  word);
    else
        ok = scene_load(scene, path ? path : word);
    free(similar);
    free(names);
    free(path);
    return ok;
}

bool command_load_scene(struct scene *scene, const char *name) {
    if (access(name, F_OK) == 0)
        return scene_load(scene, name);
    char *path = assets_view_path(name);
    const bool ok = path ? scene_load(scene, path) : load_unlisted(scene, name);
    free(path);
    return ok;
}

/* Loads the most recent location, if there is one. Returns false if the scene cannot be shown; the
 * reason is logged. */
static bool load_last(struct scene *scene) {
    struct recent *recent = recent_load();
    bool ok = recent != NULL;
    if (ok && recent_count(recent) > 0) {
        const char *text = recent_text(recent, 0);
        ok = scene_parse(scene, "the newest recent location", text, strlen(text));
    } else if (ok) {
        log_warn("no recent location yet; starting at home");
    }
    recent_destroy(recent);
    return ok;
}

bool command_scene(const struct options *options, struct scene *scene) {
    if (!palette_ready() || (options->last && !load_last(scene)))
        return false;
    if (options->argument_count > 0 &&
        !(recolour_is_meant(options) ? recolour_load(options, scene)
                                     : command_load_scene(scene, options->arguments[0])))
        return false;
    if (options->style && !style_apply(scene, options->style))
        return false;
    return command_scene_override(options, scene) && file_uses_check_scene(options, 1, scene);
}

struct backend_options command_backend_options(const struct options *options) {
    return (struct backend_options){
        .threads = options->threads,
        .cpumask = options->cpumask,
        .device = options->device,
        .device_needed = options_given(options, "device"),
        .inexact = options->inexact,
        .engine = orbit_fastest(cpu_flags(options->cpumask)),
    };
}

bool command_picture_name_fits(const struct options *options, const char *path) {
    if (outputs_is_poster(options))
        return true;
    const bool exr = options->command == COMMAND_RENDER && outputs_is_exr(options);
    const char *missing = exr    ? exr_missing()
                          : path ? image_format_missing(outputs_image_format(options, path))
                                 : NULL;
    if (missing)
        log_error("cannot write '%s': %s", path, missing);
    else if (!exr && path && options->format < 0 && image_format_unknown(path))
        log_error("cannot write '%s': pictures are PPM, PNG, JPEG or WebP, so let its name end in "
                  ".ppm, .png, .jpg or .webp",
                  path);
    else
        return true;
    return false;
}

bool command_outputs_possible(const struct options *options) {
    if (!command_picture_name_fits(options, options->output))
        return false;
    const char *const outputs[] = {options->output, options->data, options->smooth,
                                   options->resume};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (outputs[i] && !atomic_file_possible(outputs_path(outputs[i])))
            return false;
    return true;
}
