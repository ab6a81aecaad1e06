/* fathom movie: makes a film of a zoom or of a path, without a window. */
#define _GNU_SOURCE /* asprintf */
#include "app/command/commands.h"
#include "app/movie/movie.h"
#include "app/movie/path/vary.h"
#include "app/still/outputs.h"
#include "app/work/devices.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include "render/locate/home.h"
#include "render/style/style.h"
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define WIDTH_DEFAULT_PX  1280
#define HEIGHT_DEFAULT_PX 720
#define SAMPLES_DEFAULT   4
#define FPS_DEFAULT       30
#define ORBITS_DEFAULT    16 /* samples of orbit density for each pixel */
#define SEGMENT_S         6

struct command_movie {
    const struct options *options;
    struct path path;
    struct movie movie;
    char *work;
    struct work_list list;
    double started_ms;
    bool progress_shown;
};

/* --- the path --- */

/* Sets the size of the frames. A view's own size is reduced to even numbers, which most videos
 * need. */
static void set_size(struct command_movie *command) {
    const struct scene *scene = &command->path.stops[command->path.count - 1].scene;
    struct movie *movie = &command->movie;
    const bool given = scene->width_px > 0 && scene->height_px > 0;
    movie->width_px = given ? scene->width_px : WIDTH_DEFAULT_PX;
    movie->height_px = given ? scene->height_px : HEIGHT_DEFAULT_PX;
    if (command->options->width_px == 0 && movie->width_px > 1 && movie->height_px > 1) {
        movie->width_px &= ~1;
        movie->height_px &= ~1;
    }
}

/* Adds the first stop, which differs from the last one by its view: that of --from, or the
 * formula's home unless other settings vary. */
static bool add_start(struct command_movie *command, const struct scene *last) {
    const struct options *options = command->options;
    struct scene scene, from;
    scene_init_copy(&scene, last);
    scene_init(&from);
    const bool ok = !options->from || command_load_scene(&from, options->from);
    if (options->from)
        view_assign(&scene.view, &from.view);
    else if (!options->vary)
        home_view(&scene.view, &scene.fractal, scene.width_px ? scene.width_px : WIDTH_DEFAULT_PX,
                  scene.width_px ? scene.height_px : HEIGHT_DEFAULT_PX);
    const bool added = ok && path_add(&command->path, &scene);
    scene_finish(&from);
    scene_finish(&scene);
    return added;
}

/* Makes a path of two stops. */
static bool set_two_stops(struct command_movie *command) {
    struct scene scene;
    struct path_stop *stop = NULL;
    scene_init(&scene);
    if (command_scene(command->options, &scene) && add_start(command, &scene))
        stop = path_add(&command->path, &scene);
    if (stop && !command->options->vary && view_equal(&stop[-1].scene.view, &scene.view)) {
        log_error(
            "the movie begins and ends at the same view; --from chooses another beginning, and "
            "--vary changes a setting");
        stop = NULL;
    }
    if (stop)
        stop->turns = command->options->turns;
    scene_finish(&scene);
    return stop;
}

/* Reads a path file; the options apply to every stop. */
static bool read_path(struct command_movie *command, const char *file) {
    const struct options *options = command->options;
    if (options->from || options->turns != 0 || options->vary) {
        log_error("a path has its own stops: --from, --turns and --vary do not apply");
        return false;
    }
    bool ok = palette_ready() && path_load(&command->path, file);
    for (size_t i = 0; ok && i < command->path.count; i++) {
        struct scene *scene = &command->path.stops[i].scene;
        ok = (!options->style || style_apply(scene, options->style)) &&
             command_scene_override(options, scene);
    }
    return ok;
}

/* Sets the samples of orbit density. */
static void set_samples(struct command_movie *command) {
    const struct options *options = command->options;
    const uint64_t pixels = (uint64_t)command->movie.width_px * (uint64_t)command->movie.height_px;
    for (size_t i = 0; i < command->path.count; i++) {
        struct scene *scene = &command->path.stops[i].scene;
        if (scene->samples == 0)
            scene->samples = options->samples > 0 ? options->samples : ORBITS_DEFAULT * pixels;
    }
}

static bool set_path(struct command_movie *command) {
    const struct options *options = command->options;
    const char *file = options->argument_count > 0 ? options->arguments[0] : NULL;
    if (!(file && path_has_ending(file) ? read_path(command, file) : set_two_stops(command)))
        return false;
    if (options->vary && !vary_path(&command->path, options->vary))
        return false;
    if (options->reverse)
        path_reverse(&command->path);
    set_size(command);
    if (options->loop && !path_return(&command->path))
        return false;
    set_samples(command);
    return true;
}

/* Sets the times from --seconds or --speed. */
static bool set_time(struct command_movie *command) {
    const struct options *options = command->options;
    struct movie *movie = &command->movie;
    if (options->seconds > 0 && options->speed > 0) {
        log_error("give the duration or the speed: --seconds or --speed");
        return false;
    }
    movie->film.fps = options->fps > 0 ? options->fps : FPS_DEFAULT;
    movie->film.segment_frames = (uint32_t)(SEGMENT_S * movie->film.fps);
    movie->tour_options =
        (struct tour_options){.ease_s = options->ease >= 0 ? options->ease : TOUR_EASE_S,
                              .speed = options->speed > 0 ? options->speed : TOUR_SPEED,
                              .seconds = fmax(options->seconds, 0)};
    return true;
}

/* --- the movie --- */

static bool step(void *user, double done) {
    struct command_movie *command = user;
    if (progress_show(NULL, done, clock_ms() - command->started_ms))
        command->progress_shown = true;
    return !interrupt_requested();
}

static bool open_backend(void *user, const struct frame_req *req, struct backend **backend) {
    const struct command_movie *command = user;
    return command_backend_start(command->options, req, backend);
}

static struct backend *open_density(void *user) {
    const struct command_movie *command = user;
    return command_density_backend(command->options);
}

static bool set_work(struct command_movie *command) {
    const char *output = command->options->output;
    if (command->options->work)
        command->work = strdup(command->options->work);
    else if (outputs_is_stdout(output))
        command->work = strdup("fathom-movie.work");
    else if (asprintf(&command->work, "%s.work", output) < 0)
        command->work = NULL;
    if (!command->work)
        log_error("not enough memory for a file name");
    return command->work;
}

static void print_json(const struct command_movie *command) {
    const struct movie *movie = &command->movie;
    const struct ring_drawing *drawing = &movie->drawing;
    const struct shot_size size = movie_size(movie);
    double octaves = 0;
    for (size_t i = 0; i < movie->tour.count; i++)
        octaves += movie->tour.shots[i].leg.to - movie->tour.shots[i].leg.from;
    printf("{\"frames\": %" PRIu32 ", \"frames_made\": %" PRIu32 ", \"fps\": %d, \"width\": %d, "
           "\"height\": %d, \"samples\": %" PRIu32 ", \"seconds\": %.3f, \"shots\": %zu, "
           "\"octaves\": %.3f, \"rings\": %d, \"rings_drawn\": %d, \"last_ring_samples\": %" PRIu64
           ", \"samples_drawn\": %" PRIu64 ", \"iterations_total\": %" PRIu64 ", "
           "\"work_bytes\": %" PRIu64
           ", \"rings_ms\": %.3f, \"deciding_ms\": %.3f, \"resample_ms\": %.3f, "
           "\"film_ms\": %.3f}\n",
           movie->frames, movie->frames_made, movie->film.fps, movie->width_px, movie->height_px,
           movie->samples, movie->tour.seconds, movie->tour.count, octaves, size.rings,
           drawing->drawn, size.last_samples, drawing->samples, drawing->iterations, size.bytes,
           drawing->draw_ms, drawing->decide_ms, movie->resample_ms, movie->film_ms);
}

/* Returns true if the deepest view has colours of its own. */
static bool has_own_colours(const struct path *path) {
    const struct scene *deepest = &path->stops[0].scene;
    for (size_t i = 1; i < path->count; i++)
        if (mpfr_cmp(path->stops[i].scene.view.zoom, deepest->view.zoom) > 0)
            deepest = &path->stops[i].scene;
    return deepest->tuned;
}

static void set_movie(struct command_movie *command) {
    const struct options *options = command->options;
    struct movie *movie = &command->movie;
    movie->path = &command->path;
    movie->samples = options->samples > 0 && !command->path.stops[0].scene.orbit_density
                         ? (uint32_t)options->samples
                         : SAMPLES_DEFAULT;
    movie->work = command->work;
    movie->keep_work = options->keep_work;
    movie->list = options->join ? &command->list : NULL;
    movie->suit_colours = options->auto_frequency != 0;
    movie->own_colours = has_own_colours(&command->path) || options_given(options, "frequency");
    movie->step = step;
    movie->user = command;
    movie->drawing.shortcuts = (unsigned)options->shortcuts;
    movie->drawing.open = open_backend;
    movie->drawing.user = command;
    movie->orbits.open = open_density;
    movie->orbits.user = command;
    movie->film.path = options->output;
    movie->film.codec = options->codec >= 0 ? (enum film_codec)options->codec : FILM_AUTO;
    movie->film.chroma = options->chroma == 1 ? 444 : 420;
    movie->film.bits = options->depth == 2 ? 16 : options->depth == 1 ? 10 : 8;
    movie->film.quality = options_given(options, "quality") ? options->quality : -1;
    movie->film.encoder = options->encoder;
}

static bool check_outputs(const struct options *options) {
    if (!options->output)
        log_error("movie needs a file to write: -o FILE");
    else if (options->json && outputs_is_stdout(options->output))
        log_error("only one of -o and --json can go to standard output");
    else if ((options->join || options->part || options->devices) &&
             outputs_is_stdout(options->output))
        log_error("Y4M on standard output cannot be shared: make a video or numbered pictures");
    else if (options->join && options->part)
        log_error("give --join or --part, not both");
    else
        return true;
    return false;
}

/* Lets a movie stop when the window or the command ends that reads its progress, and at once if
 * that has ended. */
static void stop_with_reader(void) {
    const char *reader = getenv(PROGRESS_LINES);
    if (!reader)
        return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != atoi(reader))
        raise(SIGTERM);
}

int command_movie(const struct options *options) {
    struct command_movie command = {.options = options, .started_ms = clock_ms()};
    if (!check_outputs(options) || !work_part_parse(options->part, &command.movie.part))
        return 2;
    if (options->devices)
        return devices_run(options, true);
    interrupt_catch();
    stop_with_reader();
    work_list_init(&command.list);
    const bool ready = set_path(&command) && set_time(&command) && set_work(&command);
    if (ready)
        set_movie(&command);
    const bool ok = ready && movie_make(&command.movie);
    if (command.progress_shown)
        progress_hide();
    if (!ok && ready && interrupt_requested())
        log_error("interrupted; the same command goes on from here ('%s')", command.work);
    if (ok && options->json)
        print_json(&command);
    movie_finish(&command.movie);
    work_list_finish(&command.list);
    path_finish(&command.path);
    free(command.work);
    return ok ? 0 : 1;
}
