/* fathom movie: makes a film of a zoom, without a window. */
#define _GNU_SOURCE /* asprintf */
#include "app/command/commands.h"
#include "app/movie/movie.h"
#include "app/still/outputs.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include "render/locate/home.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_DEFAULT_PX  1280
#define HEIGHT_DEFAULT_PX 720
#define SAMPLES_DEFAULT   4
#define FPS_DEFAULT       30
#define SPEED_DEFAULT     1.5 /* [octaves/s] */
#define EASE_DEFAULT      1.0 /* [s] */
#define SEGMENT_S         6

struct command_movie {
    const struct options *options;
    struct scene scene, start; /* of the view; `start` has the view at the other end */
    struct movie movie;
    char *work;
    double started_ms;
    bool progress_shown;
};

/* --- the views --- */

/* Sets the size of the frames. A view's own size is reduced to even numbers, which most videos
 * need. */
static void set_size(struct command_movie *command) {
    struct scene *scene = &command->scene;
    if (scene->width_px == 0 || scene->height_px == 0) {
        scene->width_px = WIDTH_DEFAULT_PX;
        scene->height_px = HEIGHT_DEFAULT_PX;
    }
    if (command->options->width_px == 0 && scene->width_px > 1 && scene->height_px > 1) {
        scene->width_px &= ~1;
        scene->height_px &= ~1;
    }
}

/* Sets the view at the other end: that of --from, or the formula's home. */
static bool set_start(struct command_movie *command) {
    const struct scene *scene = &command->scene;
    if (command->options->from)
        return command_load_scene(&command->start, command->options->from);
    home_view(&command->start.view, &scene->fractal, scene->width_px, scene->height_px);
    return true;
}

static bool set_up(struct command_movie *command) {
    const struct options *options = command->options;
    struct scene *scene = &command->scene;
    const char *why;
    if (!command_scene(options, scene))
        return false;
    if (scene->orbit_density) {
        log_error("a Buddhabrot has no depth to zoom into; 'fathom density' draws it");
        return false;
    }
    set_size(command);
    if (!set_start(command))
        return false;
    const bool outwards = mpfr_cmp(command->start.view.zoom, scene->view.zoom) > 0;
    const struct view *shallow = outwards ? &scene->view : &command->start.view;
    const struct view *deep = outwards ? &command->start.view : &scene->view;
    struct leg *leg = &command->movie.leg;
    const bool ok = leg_init(leg, shallow, deep, (double)scene->width_px / scene->height_px,
                             options->turns, &why);
    if (!ok)
        log_error("cannot zoom from '%s' to this view: %s", options->from ? options->from : "home",
                  why);
    view_assign(&scene->view, deep);
    const bool back = outwards != options->reverse;
    command->movie.timeline.from = back ? leg->to : leg->from;
    command->movie.timeline.to = back ? leg->from : leg->to;
    return ok;
}

/* Sets the number of frames from --seconds or --speed. */
static bool set_time(struct command_movie *command) {
    const struct options *options = command->options;
    struct timeline *timeline = &command->movie.timeline;
    const int fps = options->fps > 0 ? options->fps : FPS_DEFAULT;
    const double ease = options->ease >= 0 ? options->ease : EASE_DEFAULT;
    const double speed = options->speed > 0 ? options->speed : SPEED_DEFAULT;
    const double octaves = fabs(timeline->to - timeline->from);
    if (options->seconds > 0 && options->speed > 0) {
        log_error("give the duration or the speed: --seconds or --speed");
        return false;
    }
    timeline->frames = options->seconds > 0 ? (uint32_t)fmax(round(options->seconds * fps), 2)
                                            : timeline_frames(octaves, speed, ease, fps);
    timeline->ease = fmin(ease * fps / timeline->frames, 0.5);
    command->movie.film.fps = fps;
    command->movie.film.segment_frames = (uint32_t)(SEGMENT_S * fps);
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
    const struct ring_source *source = &movie->source;
    const struct rings *rings = &movie->rings;
    printf("{\"frames\": %" PRIu32 ", \"frames_made\": %" PRIu32 ", \"fps\": %d, \"width\": %d, "
           "\"height\": %d, \"samples\": %" PRIu32 ", \"octaves\": %.3f, \"rings\": %d, "
           "\"rings_drawn\": %d, \"ring_samples\": %" PRIu64 ", \"last_ring_samples\": %" PRIu64
           ", \"samples_drawn\": %" PRIu64 ", \"iterations_total\": %" PRIu64 ", "
           "\"work_bytes\": %" PRIu64 ", \"rings_ms\": %.3f, \"resample_ms\": %.3f, "
           "\"film_ms\": %.3f}\n",
           movie->timeline.frames, movie->frames_made, movie->film.fps, rings->width_px,
           rings->height_px, movie->samples, movie->leg.to - movie->leg.from, rings->count,
           source->drawn, rings_samples(rings, rings->count > 2 ? 1 : 0),
           rings_samples(rings, rings->count - 1), source->samples, source->iterations,
           movie_work_bytes(movie), source->draw_ms, movie->resample_ms, movie->film_ms);
}

static void set_movie(struct command_movie *command) {
    const struct options *options = command->options;
    struct movie *movie = &command->movie;
    movie->scene = &command->scene;
    movie->samples = options->samples > 0 ? (uint32_t)options->samples : SAMPLES_DEFAULT;
    movie->work = command->work;
    movie->keep_work = options->keep_work;
    movie->suit_colours = options->auto_frequency != 0;
    movie->own_colours = command->scene.tuned || options_given(options, "frequency");
    movie->step = step;
    movie->user = command;
    movie->source.shortcuts = (unsigned)options->shortcuts;
    movie->source.open = open_backend;
    movie->source.user = command;
    movie->film.path = options->output;
    movie->film.codec = options->codec >= 0 ? (enum film_codec)options->codec : FILM_AUTO;
    movie->film.chroma = options->chroma == 1 ? 444 : 420;
    movie->film.bits = options->depth == 1 ? 10 : 8;
    movie->film.quality = options_given(options, "quality") ? options->quality : -1;
    movie->film.encoder = options->encoder;
}

static bool check_outputs(const struct options *options) {
    if (!options->output)
        log_error("movie needs a file to write: -o FILE");
    else if (options->json && outputs_is_stdout(options->output))
        log_error("only one of -o and --json can go to standard output");
    else
        return true;
    return false;
}

int command_movie(const struct options *options) {
    struct command_movie command = {.options = options, .started_ms = clock_ms()};
    if (!check_outputs(options))
        return 2;
    interrupt_catch();
    scene_init(&command.scene);
    scene_init(&command.start);
    bool ok = set_up(&command);
    const bool leg = ok;
    ok = ok && set_time(&command) && set_work(&command);
    if (ok) {
        set_movie(&command);
        ok = movie_make(&command.movie);
    }
    if (command.progress_shown)
        progress_hide();
    if (!ok && leg && interrupt_requested())
        log_error("interrupted; the same command goes on from here ('%s')", command.work);
    if (ok && options->json)
        print_json(&command);
    ring_source_finish(&command.movie.source);
    if (leg)
        leg_finish(&command.movie.leg);
    scene_finish(&command.start);
    scene_finish(&command.scene);
    free(command.work);
    return ok ? 0 : 1;
}
