/* fathom bench motion, bench dive: plays each scenario in the real window, records it, and judges
 * the frames afterwards. */
#include "app/bench/motion_report.h"
#include "app/command/commands.h"
#include "render/backends.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <GL/glew.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT        2000
#define DIVE_SECONDS 60.0

/* Default location: it has detail at every zoom of the scenarios. */
static const char *const centre_re = "-0.743643887037158704752191506114774";
static const char *const centre_im = "0.131825904205311970493132056385139";
static const double start_zoom = 200;

static bool is_wanted(const struct options *options, const char *name) {
    const size_t length = strlen(name);
    const char *list = options->scenarios;
    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
        if (strcspn(list, ",") == length && strncmp(list, name, length) == 0)
            return true;
    return !options->scenarios;
}

static bool is_scenario(const char *name, size_t length) {
    for (const struct scenario *s = scenarios; s->name; s++)
        if (strlen(s->name) == length && strncmp(s->name, name, length) == 0)
            return true;
    return false;
}

static bool check_names(const struct options *options) {
    const char *list = options->scenarios;
    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL) {
        if (is_scenario(list, strcspn(list, ",")))
            continue;
        log_error("--scenario: there is no '%.*s'; there are pan, zoom, hold, out, rotation, dive "
                  "and autopilot",
                  (int)strcspn(list, ","), list);
        return false;
    }
    return true;
}

/* Returns the view's name, or NULL for the default location. */
static const char *view_name(const struct options *options) {
    return options_measure_dive(options) ? options->arguments[1] : options->views;
}

/* Returns the way from the whole set to the view, in e-folds of the zoom. */
static double zoom_distance(const struct view *view) {
    return log(2) * (2 - view_step_log2(view, 1));
}

/* Loads the starting point into an initialised scene. Returns false on failure; the reason is
 * logged. */
static bool load(struct scene *scene, const struct options *options) {
    const char *why, *name = view_name(options);
    scene->limit = LIMIT;
    mpfr_set_d(scene->view.zoom, start_zoom, MPFR_RNDN);
    const bool ok = palette_ready() &&
                    (name ? command_load_scene(scene, name)
                          : view_set_centre(&scene->view, centre_re, centre_im, 0, &why)) &&
                    command_scene_override(options, scene);
    if (ok && scene->orbit_density)
        log_error("bench %s measures escape time, but '%s' is a Buddhabrot", options->arguments[0],
                  name);
    const bool shallow = ok && options_measure_dive(options) && zoom_distance(&scene->view) < 1;
    if (shallow)
        log_error("'%s' is no deeper than the whole set, so there is nowhere to dive", name);
    return ok && !shallow && !scene->orbit_density;
}

/* Returns the options of the window, with everything switched off that would cover the picture. */
static struct options window_options(const struct options *options, const struct scene *scene) {
    struct options window = *options;
    memset(window.texts, 0, sizeof window.texts);
    window.auto_limit = window.auto_frequency = window.remember = 0;
    window.numbers = HUD_NONE;
    window.json = false; /* would print the explorer's own statistics */
    window.samples = 1;
    if (window.width_px == 0) {
        window.width_px = scene->width_px > 0 ? scene->width_px : 1280;
        window.height_px = scene->width_px > 0 ? scene->height_px : 720;
    }
    return window;
}

struct motion_run {
    const struct options *options; /* options of the window */
    const struct scene *scene;     /* starting point of the scenarios */
    struct explore_parts *parts;
    struct motion_setup setup;
    bool dive, any;
};

static bool record(const struct motion_run *run, const struct scenario *scenario, double seconds,
                   struct recorder *recorder) {
    struct options options = *run->options;
    struct scene scene;
    char *text = scenario_script(scenario, seconds);
    struct script *script = text ? script_of_text(scenario->name, text) : NULL;
    if (!script)
        return false;
    options.zoom_speed = scenario->speed;
    scene_init_copy(&scene, run->scene);
    scene.pixel_samples = 1;
    if (scenario->zoom > 0)
        mpfr_set_d(scene.view.zoom, scenario->zoom, MPFR_RNDN);
    return explore_scripted(run->parts, &options, &scene, script, &recorder->watch) == 0;
}

/* Returns the width of a band of zooms, in decades: 1, 2 or 5 times a power of ten, and at most
 * RECORDER_BANDS bands. */
static double band_decades(double decades) {
    const double least = decades / RECORDER_BANDS, power = pow(10, floor(log10(least)));
    return power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
}

static bool measure(struct motion_run *run, const struct scenario *scenario,
                    struct backend *backend) {
    struct recorder recorder;
    struct judgement judgement;
    const double seconds = isnan(run->options->seconds) ? scenario->seconds : run->options->seconds;
    bool ok = recorder_init(&recorder, 1e3 / run->setup.hz, seconds, run->options->painting == 0);
    if (run->dive)
        recorder.band_decades = band_decades(zoom_distance(&run->scene->view) / log(10));
    ok = ok && record(run, scenario, seconds, &recorder) && !recorder.failed &&
         judge_frames(&judgement, &recorder, backend);
    if (ok)
        motion_report_row(&run->setup, scenario, &recorder, &judgement, !run->any);
    run->any = true;
    recorder_finish(&recorder);
    return ok;
}

static bool measure_all(struct motion_run *run, const struct options *asked) {
    struct backend_options options = command_backend_options(asked);
    struct backend *backend = backend_open_started(backends_all, asked->backend, &options);
    bool ok = backend != NULL;
    if (ok) {
        const struct backend_info info = backend_info(backend);
        run->setup.backend = info.name;
        run->setup.device = info.device;
        motion_report_begin(&run->setup);
        const double seconds = isnan(asked->seconds) ? DIVE_SECONDS : fmax(asked->seconds, 0.1);
        const struct scenario dive = scenario_dive(zoom_distance(&run->scene->view), seconds);
        for (const struct scenario *s = scenarios; ok && !run->dive && s->name; s++)
            ok = !is_wanted(asked, s->name) || measure(run, s, backend);
        ok = ok && (!run->dive || measure(run, &dive, backend));
        motion_report_end(&run->setup);
    }
    backend_close(backend);
    return ok;
}

int command_motion(const struct options *options) {
    struct scene scene;
    if (!check_names(options))
        return 2;
    scene_init(&scene);
    bool ok = load(&scene, options);
    const struct options window = window_options(options, &scene);
    struct motion_run run = {
        .options = &window, .scene = &scene, .dive = options_measure_dive(options)};
    interrupt_catch();
    run.parts = ok ? explore_open(&window) : NULL;
    ok = run.parts != NULL;
    if (ok) {
        run.setup = (struct motion_setup){
            .view = view_name(options) ? view_name(options) : "seahorses",
            .gl = (const char *)glGetString(GL_RENDERER),
            .width_px = window.width_px,
            .height_px = window.height_px,
            .hz = options->hz > 0 ? options->hz
                                  : round(1e6 / window_frame_ms(explore_window(run.parts))) / 1e3,
            .limit = scene.limit,
            .painting = options->painting != 0,
            .json = options->json,
        };
        ok = measure_all(&run, options);
    }
    explore_close(run.parts);
    scene_finish(&scene);
    return ok ? 0 : 1;
}
