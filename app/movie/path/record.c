/* Recorder: adds stops where the ways between them would leave the recorded views. */
#include "app/movie/path/record.h"
#include "app/explore/similarity.h"
#include "app/movie/path/tour.h"
#include <math.h>

#define HEIGHT_PX   1000       /* of the frames in which displacements are measured */
#define ASPECT_MOST (16.0 / 9) /* a wider screen's edges may be outside the frames of movies */
#define STILL       1e-3       /* [frame heights] smaller displacements are none */
#define JUMP        3.0        /* [frame heights] a longer way since the last view is a jump */
#define LEAST_S     0.001

/* Returns the largest distance by which a point of the frame of `b` is elsewhere in that of `a`. */
static double displacement(const struct path_recorder *recorder, const struct view *a,
                           const struct view *b) {
    const int width_px = (int)(HEIGHT_PX * recorder->aspect);
    const struct similarity way = similarity_between(a, HEIGHT_PX, b, HEIGHT_PX);
    return similarity_displacement(way, width_px, HEIGHT_PX) / HEIGHT_PX;
}

/* Returns true if a leg that zooms leads from one view to another. */
static bool is_zoom(const struct view *from, const struct view *to) {
    struct leg leg;
    const bool out = mpfr_greater_p(from->zoom, to->zoom);
    const bool is = leg_init(&leg, out ? to : from, out ? from : to, 0);
    if (is)
        leg_finish(&leg);
    return is;
}

/* --- ways --- */

/* Lets the camera turn the short way to a stop. */
static void turn_shortly(struct path_stop *stop) {
    const double turn = stop->scene.view.angle - (stop - 1)->scene.view.angle;
    stop->turns = -round(turn / (2 * M_PI));
}

static bool add_stop(struct path *path, const struct scene *look, const struct view *view,
                     double seconds) {
    struct path_stop *stop = path_add(path, look);
    if (!stop)
        return false;
    view_assign(&stop->scene.view, view);
    stop->seconds = seconds;
    if (path->count > 1)
        turn_shortly(stop);
    return true;
}

static bool join(const struct path_recorder *recorder, const struct path *way, struct tour *tour) {
    return tour_init(
        tour, way,
        &(struct tour_options){.aspect = fmin(recorder->aspect, ASPECT_MOST), .speed = TOUR_SPEED});
}

/* Makes the way from the last stop to a sample. Pairs with path_finish in any case. */
static bool make_way(const struct path_recorder *recorder, const struct record_sample *to,
                     struct path *way) {
    const struct scene *look = &recorder->latest.scene;
    const struct record_sample *from = &recorder->samples[0];
    *way = (struct path){0};
    if (!add_stop(way, look, &from->view, 0) ||
        !add_stop(way, look, &to->view, fmax(to->second - from->second, LEAST_S)))
        return false;
    if (!is_zoom(&from->view, &to->view))
        mpfr_set(way->stops[1].scene.view.zoom, from->view.zoom, MPFR_RNDN);
    return true;
}

/* Returns true if the way to a sample follows the samples before it. */
static bool fits(const struct path_recorder *recorder, const struct record_sample *to) {
    struct path way;
    struct tour tour = {0};
    struct view view;
    bool fit = make_way(recorder, to, &way) && join(recorder, &way, &tour);
    view_init(&view);
    for (size_t i = 1; i < recorder->count && fit; i++) {
        const struct record_sample *sample = &recorder->samples[i];
        tour_view(&tour, sample->second - recorder->samples[0].second, &view);
        fit = displacement(recorder, &sample->view, &view) <= RECORD_TOLERANCE;
    }
    view_finish(&view);
    tour_finish(&tour);
    path_finish(&way);
    return fit;
}

/* --- stops --- */

static void put_sample(struct record_sample *sample, const struct view *view, double second) {
    view_assign(&sample->view, view);
    sample->second = second;
}

/* Adds the stops of the way to the last sample, which the next way leaves. */
static void stop_at_last(struct path_recorder *recorder) {
    const struct record_sample *last = &recorder->samples[recorder->count - 1];
    struct path way = {0};
    bool ok = recorder->count > 1 && make_way(recorder, last, &way);
    ok = ok && add_stop(&recorder->path, &way.stops[1].scene, &way.stops[1].scene.view,
                        way.stops[1].seconds);
    /* The next way begins where this one ends, at a depth that may differ a little. */
    if (ok)
        put_sample(&recorder->samples[0], &way.stops[1].scene.view, last->second);
    path_finish(&way);
    recorder->full |= (recorder->count > 1 && !ok) || recorder->path.count + 2 > RECORD_STOPS_MAX;
    recorder->count = 1;
}

/* Ends a rest: a long one, or one that ends a way, is held at a stop. */
static void end_rest(struct path_recorder *recorder) {
    const struct record_sample *last = &recorder->samples[recorder->count - 1];
    const struct record_sample rested = {last->view, recorder->until_s};
    const double rest_s = rested.second - last->second;
    if (rest_s <= 0)
        return;
    if (rest_s <= RECORD_REST_S && recorder->count > 1 && recorder->count < RECORD_SAMPLES_MAX &&
        fits(recorder, &rested)) {
        put_sample(&recorder->samples[recorder->count++], &last->view, rested.second);
        return;
    }
    stop_at_last(recorder);
    recorder->path.stops[recorder->path.count - 1].hold += rest_s;
    recorder->samples[0].second = rested.second;
}

static void take_jump(struct path_recorder *recorder, const struct scene *shown, double second) {
    stop_at_last(recorder);
    recorder->full |= !add_stop(&recorder->path, shown, &shown->view, 0);
    put_sample(&recorder->samples[0], &shown->view, second);
}

static void take_view(struct path_recorder *recorder, const struct scene *shown, double second) {
    const double longest = JUMP * fmax((second - recorder->until_s) / RECORD_INTERVAL_S, 1);
    const struct view *last = &recorder->samples[recorder->count - 1].view;
    end_rest(recorder);
    if (!(displacement(recorder, last, &shown->view) < longest &&
          displacement(recorder, &shown->view, last) < longest)) {
        take_jump(recorder, shown, second);
        return;
    }
    const struct record_sample now = {shown->view, second};
    if (recorder->count == RECORD_SAMPLES_MAX || !fits(recorder, &now))
        stop_at_last(recorder);
    put_sample(&recorder->samples[recorder->count++], &shown->view, second);
}

/* Adds a stop with another look. */
static void take_look(struct path_recorder *recorder, const struct history_state *shown,
                      double second) {
    end_rest(recorder);
    stop_at_last(recorder);
    scene_assign(&recorder->latest.scene, &shown->scene);
    const double from_s = recorder->samples[0].second;
    const double faded_s = fmax(second, from_s + RECORD_INTERVAL_S);
    take_view(recorder, &shown->scene, faded_s);
    stop_at_last(recorder);
    recorder->samples[0].second = second;
}

/* --- recording --- */

static void begin(struct path_recorder *recorder, const struct history_state *shown,
                  double second) {
    for (int i = 0; i < RECORD_SAMPLES_MAX; i++)
        view_init(&recorder->samples[i].view);
    recorder->latest = *shown;
    scene_init_copy(&recorder->latest.scene, &shown->scene);
    recorder->full = !add_stop(&recorder->path, &shown->scene, &shown->scene.view, 0);
    put_sample(&recorder->samples[0], &shown->scene.view, second);
    recorder->count = 1;
    recorder->first_s = recorder->until_s = second;
}

/* Returns true if only the view, and what follows it automatically, differs from the latest. */
static bool same_look(const struct path_recorder *recorder, const struct history_state *shown) {
    struct history_state before = recorder->latest;
    before.scene.view = shown->scene.view;
    return history_equal(&before, shown);
}

void record_add(struct path_recorder *recorder, const struct history_state *shown, double second) {
    if (recorder->count == 0)
        begin(recorder, shown, second);
    const bool same = same_look(recorder, shown);
    const double due_s = same ? recorder->until_s : recorder->look_s;
    if (recorder->full || second < due_s + RECORD_INTERVAL_S)
        return;
    const struct record_sample *last = &recorder->samples[recorder->count - 1];
    if (!same)
        take_look(recorder, shown, second);
    else if (displacement(recorder, &last->view, &shown->scene.view) >= STILL)
        take_view(recorder, &shown->scene, second);
    if (!same)
        recorder->look_s = second;
    recorder->until_s = second;
    scene_finish(&recorder->latest.scene);
    recorder->latest = *shown;
    scene_init_copy(&recorder->latest.scene, &shown->scene);
}

double record_seconds(const struct path_recorder *recorder) {
    return recorder->until_s - recorder->first_s;
}

bool record_finish(struct path_recorder *recorder, struct path *path) {
    if (recorder->count == 0)
        return false;
    recorder->full = false;
    end_rest(recorder);
    stop_at_last(recorder);
    for (int i = 0; i < RECORD_SAMPLES_MAX; i++)
        view_finish(&recorder->samples[i].view);
    scene_finish(&recorder->latest.scene);
    *path = recorder->path;
    *recorder = (struct path_recorder){.aspect = recorder->aspect};
    if (path->count < 2)
        path_finish(path);
    return path->count > 0;
}
