/* Path control: recording, playing, and movies of paths. */
#define _GNU_SOURCE /* asprintf */
#include "app/window/path/path_control.h"
#include "app/explore/undo/steps.h"
#include "app/window/loop.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/locate/home.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOVIE_MS   200.0 /* interval between checks of a movie */
#define REASON_MAX 160
#define INSTEAD    "\"fathom movie SCREENSHOT --vary samples=1e6..1e9 -o FILE\" animates it"

/* Forgets the path, and the movie that could go on. */
static void clear_path(struct path_control *control) {
    path_finish(&control->path);
    free(control->file);
    control->file = NULL;
    control->planned = control->zoom = false;
    if (control->job.process == 0)
        movie_job_forget(&control->job, false);
}

/* Joins the stops as the window shows them. Returns false on failure, which is logged. */
static bool join_stops(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    const struct explorer *explorer = loop->explorer;
    const struct tour_options options = {.aspect = (double)explorer->width_px / explorer->height_px,
                                         .speed = TOUR_SPEED,
                                         .ease_s = TOUR_EASE_S};
    const bool ok = tour_init(&control->tour, &control->path, &options);
    control->seconds = control->tour.seconds;
    return ok;
}

/* Takes ownership of a path and of its file's name. */
static void set_path(struct loop *loop, const struct path *path, char *file) {
    struct path_control *control = &loop->path_control;
    clear_path(control);
    control->path = *path;
    control->file = file;
    join_stops(loop);
    tour_finish(&control->tour);
}

/* Saves a path that has no file under a free name, with a message. Returns false if that failed. */
static bool save_path(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    char why[REASON_MAX], *name, *file = NULL;
    if (control->file)
        return true;
    log_listen(why, sizeof why);
    name = movie_job_name(loop->folder);
    if (!name || asprintf(&file, "%s" PATH_ENDING, name) < 0)
        file = NULL;
    const bool saved = file && path_save(&control->path, file);
    log_listen(NULL, 0);
    free(name);
    if (saved) {
        control->file = file;
        messages_post(loop->messages, "saved %s", file);
        return true;
    }
    free(file);
    messages_post(loop->messages, "the path was not saved: %s", why);
    loop->failed = loop->failed || loop->script;
    return false;
}

/* --- recording --- */

static double recorded_s(const struct path_control *control) {
    return (clock_ms() - control->started_ms) / 1000;
}

static void take_sample(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    struct history_state shown;
    steps_remember(loop->explorer, &shown);
    explorer_screen_view(loop->explorer, &shown.scene.view);
    record_add(&control->recorder, &shown, recorded_s(control));
    scene_finish(&shown.scene);
}

static void end_recording(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    struct path path;
    control->recording = false;
    if (!record_finish(&control->recorder, &path)) {
        messages_post(loop->messages, "nothing was recorded: nothing has moved");
        return;
    }
    set_path(loop, &path, NULL);
    save_path(loop);
}

void path_control_record(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    if (control->recording) {
        take_sample(loop);
        end_recording(loop);
    } else if (loop->explorer->scene.orbit_density) {
        messages_post(loop->messages, "no path in Buddhabrot view (D switches back); " INSTEAD);
    } else {
        path_control_stop(loop);
        control->recorder = (struct path_recorder){.aspect = (double)loop->explorer->width_px /
                                                             loop->explorer->height_px};
        control->started_ms = clock_ms();
        control->recording = true;
        take_sample(loop);
        messages_post(loop->messages, "recording a path: Ctrl+R ends it");
    }
    loop->redraw = true;
}

/* Records the present screen. Ends with the escape-time view, or without room for more stops. */
static void record(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    const bool possible = !loop->explorer->scene.orbit_density;
    if (possible)
        take_sample(loop);
    if (possible && !control->recorder.full)
        return;
    if (possible)
        messages_post(loop->messages, "a path has at most %d stops", RECORD_STOPS_MAX);
    end_recording(loop);
}

/* --- playing --- */

static void view_after(const void *user, double ms, struct view *view) {
    const struct path_control *control = user;
    tour_view(&control->tour, control->second + ms / 1000, view);
}

bool path_control_stop(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    if (!control->playing)
        return false;
    control->playing = false;
    course_leave(loop->explorer);
    tour_finish(&control->tour);
    loop->redraw = true;
    return true;
}

/* Makes a scene the look of a shot in the window: automatic numbers, and how pictures are drawn,
 * remain the window's. */
static void init_look(struct scene *scene, const struct explorer *explorer, const struct shot *shot,
                      const struct path_stop *stop) {
    const struct scene *now = &explorer->scene;
    const uint32_t limit = shot->from->scene.limit > shot->to->scene.limit ? shot->from->scene.limit
                                                                           : shot->to->scene.limit;
    scene_init_copy(scene, &stop->scene);
    scene->limit = explorer->auto_limit.on ? now->limit : limit;
    if (explorer->auto_frequency.on) {
        scene->frequency = now->frequency;
        scene->offset = now->offset;
        scene->ranks = now->ranks;
    }
    scene->tuned = false;
    scene->width_px = now->width_px;
    scene->height_px = now->height_px;
    scene->precision = now->precision;
    scene->method = now->method;
    scene->exact = now->exact;
    scene->pixel_samples = now->pixel_samples;
}

/* Gives the screen the look of the last stop. */
static void follow_look(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    const struct shot *shot = tour_shot(&control->tour, control->second);
    const struct path_stop *stop = control->second < control->tour.seconds ? shot->from : shot->to;
    const bool first = !control->stop;
    struct scene scene;
    if (stop == control->stop)
        return;
    control->stop = stop;
    init_look(&scene, loop->explorer, shot, stop);
    struct history_state look = {.scene = scene}, now = {.scene = loop->explorer->scene};
    look.scene.view = now.scene.view;
    if (first)
        explorer_set_scene(loop->explorer, &scene);
    else if (!history_equal(&look, &now))
        explorer_update(loop->explorer, &scene, false);
    else
        scene_finish(&scene);
}

void path_control_play(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    if (path_control_stop(loop)) {
        messages_post(loop->messages, "playing ended");
        return;
    }
    if (control->recording)
        path_control_record(loop);
    if (control->path.count == 0)
        messages_post(loop->messages, "no path yet: Ctrl+R records one");
    if (control->path.count == 0 || !join_stops(loop))
        return;
    control->playing = true;
    control->second = 0;
    control->stop = NULL;
    follow_look(loop);
    control->course = (struct course){view_after, control};
    course_follow(loop->explorer, &control->course);
    messages_post(loop->messages, "playing the path: move to take over");
    loop->redraw = true;
}

bool path_control_open(struct loop *loop, const char *file) {
    struct path_control *control = &loop->path_control;
    char why[REASON_MAX];
    struct path path = {0};
    log_listen(why, sizeof why);
    bool ok = path_load(&path, file);
    log_listen(NULL, 0);
    if (!ok && trap_image_has_pending())
        return false;
    if (!ok)
        messages_post(loop->messages, "%s", why);
    for (size_t i = 0; i < path.count && ok; i++)
        if (path.stops[i].scene.orbit_density) {
            messages_post(loop->messages, "a path of Buddhabrots cannot be played");
            ok = false;
        }
    char *copy = ok ? strdup(file) : NULL;
    if (!copy) {
        path_finish(&path);
        return false;
    }
    path_control_stop(loop);
    if (control->recording)
        path_control_record(loop);
    set_path(loop, &path, copy);
    path_control_play(loop);
    return true;
}

void path_control_advance(struct loop *loop, double ms) {
    struct path_control *control = &loop->path_control;
    if (!control->playing || !loop->explorer->motion.course)
        return;
    control->second += ms / 1000;
    follow_look(loop);
    if (control->second >= control->tour.seconds)
        path_control_stop(loop);
}

/* --- movies --- */

static bool is_gpu(const struct loop *loop) {
    const char *name = active_backend_info(loop->active).name;
    return strcmp(name, "cuda") == 0 || strcmp(name, "opencl") == 0;
}

/* Makes the path a zoom from home to the target. */
static bool set_zoom(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    const struct explorer *explorer = loop->explorer;
    struct path path = {0};
    const bool ok = path_add(&path, &explorer->scene) && path_add(&path, &explorer->scene);
    if (ok)
        home_view(&path.stops[0].scene.view, &explorer->scene.fractal, explorer->width_px,
                  explorer->height_px);
    set_path(loop, &path, NULL);
    control->zoom = ok;
    return ok;
}

/* Computes the cost of a movie and posts it as a message. */
static void plan_movie(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    struct movie_plan *plan = &control->plan;
    char why[REASON_MAX];
    log_listen(why, sizeof why);
    control->planned = movie_job_plan(&control->path, is_gpu(loop), plan);
    log_listen(NULL, 0);
    if (control->planned)
        messages_post(loop->messages,
                      "a movie of %.0f s, %d x %d, needs about %.1f GB of disk space while it is "
                      "made; once more starts it",
                      plan->seconds, plan->width_px, plan->height_px, plan->bytes / 1e9);
    else
        messages_post(loop->messages, "no movie: %s", why);
}

void path_control_movie(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    const struct scene *scene = &loop->explorer->scene;
    if (control->recording)
        path_control_record(loop);
    loop->redraw = true;
    if (control->job.process > 0) {
        movie_job_cancel(&control->job);
        return;
    }
    const bool moved =
        control->zoom && !view_equal(&control->path.stops[1].scene.view, &scene->view);
    if (control->path.count > 0 && control->planned && !moved) {
        if (save_path(loop))
            movie_job_start(&control->job, control->file, active_backend_info(loop->active).name,
                            &control->plan);
    } else if (scene->orbit_density && (control->path.count == 0 || moved)) {
        messages_post(loop->messages, "no movie in Buddhabrot view (D switches back); " INSTEAD);
    } else if ((control->path.count > 0 && !moved) || set_zoom(loop)) {
        plan_movie(loop);
    }
}

static void follow_movie(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    const enum movie_job_state state = movie_job_update(&control->job);
    loop->redraw |= state != MOVIE_JOB_SAME && (loop->panel.open || state != MOVIE_JOB_NEWS);
    if (state == MOVIE_JOB_ENDED && control->path.count == 0) /* forgotten meanwhile */
        movie_job_forget(&control->job, true);
    if (state != MOVIE_JOB_MADE)
        return;
    if (control->zoom) {
        remove(control->file);
        clear_path(control);
    }
    control->planned = false;
}

/* --- turns of the loop --- */

void path_control_follow(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    if (control->playing && !loop->explorer->motion.course && path_control_stop(loop))
        messages_post(loop->messages, "playing ended: you have control (Ctrl+P: again)");
    if (control->recording)
        record(loop);
    follow_movie(loop);
}

bool path_control_busy(const struct loop *loop) {
    return loop->path_control.playing || loop->path_control.job.process > 0;
}

double path_control_due_ms(const struct loop *loop, double pace_ms) {
    const struct path_control *control = &loop->path_control;
    if (control->playing)
        return pace_ms;
    if (control->recording)
        return clock_ms() + 1000 * RECORD_INTERVAL_S;
    return control->job.process > 0 ? clock_ms() + MOVIE_MS : INFINITY;
}

void path_control_finish(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    path_control_stop(loop);
    if (control->recording)
        path_control_record(loop);
    clear_path(control);
    movie_job_finish(&control->job);
}

/* --- the panel --- */

/* Forgets the path, and removes the files of its unfinished movie. */
static void forget(struct path_control *control) {
    if (control->job.process == 0) {
        movie_job_forget(&control->job, true);
        if (control->zoom && control->file)
            remove(control->file);
    }
    clear_path(control);
}

void path_control_follow_edit(struct loop *loop, int item, int index) {
    if (item == PANEL_MOVIE)
        path_control_movie(loop);
    else if (item == PANEL_PATH_DOING && index == 0)
        path_control_record(loop);
    else if (item == PANEL_PATH_DOING && index == 1)
        path_control_play(loop);
    else if (item == PANEL_PATH_DOING) {
        path_control_stop(loop);
        forget(&loop->path_control);
    }
}

const struct panel_movie *path_control_shown(struct loop *loop) {
    struct path_control *control = &loop->path_control;
    struct panel_movie *shown = &control->shown;
    const struct path *path = &control->path;
    const bool making = control->job.process > 0;
    *shown = (struct panel_movie){.recording = control->recording,
                                  .playing = control->playing,
                                  .known = path->count > 0,
                                  .making = making,
                                  .planned = control->planned,
                                  .done = control->job.done};
    if (control->recording)
        snprintf(shown->path, sizeof shown->path, "recording: %.1f s, stops: %zu",
                 recorded_s(control), control->recorder.path.count);
    else if (path->count > 0)
        snprintf(shown->path, sizeof shown->path, "%.1f s, stops: %zu", control->seconds,
                 path->count);
    else
        snprintf(shown->path, sizeof shown->path, "none: from home to here");
    if (making)
        movie_job_progress(&control->job, shown->progress, sizeof shown->progress);
    return shown;
}
