/* Surveys: draws small pictures of the explorer's view on a handle of their own, and maps them to
 * the screen. */
#include "app/window/survey.h"
#include "render/base/clock.h"
#include "render/base/memory.h"
#include "render/locate/home.h"
#include <math.h>
#include <stdlib.h>

#define EVERY_MS 100.0  /* minimum interval between surveys */
#define RETRY_MS 5000.0 /* interval after a failure */
#define FADING   0.8    /* weight of earlier surveys' speed */

/* Returns the handle of surveys. Its priority is higher than that of the main picture, which costs
 * a thousand times as much and would otherwise starve surveys during motion. NULL: the main picture
 * has the only handle. */
static struct backend *survey_backend(struct active_backend *active) {
    struct backend *handle = active_backend_low_priority(active, BACKEND_FIRST);
    return handle == active_backend_get(active) ? NULL : handle;
}

void survey_stop(struct survey *survey, struct active_backend *active) {
    struct backend *backend = survey->busy ? survey_backend(active) : NULL;
    if (backend)
        backend_cancel(backend);
    survey->busy = false;
}

static void release(struct survey *survey) {
    if (survey->room == 0)
        return;
    frame_req_finish(&survey->req);
    free(survey->target.rgba);
    sample_planes_finish(&survey->target.planes);
    survey->target = (struct target){0};
    survey->room = 0;
}

void survey_finish(struct survey *survey, struct active_backend *active) {
    survey_stop(survey, active);
    release(survey);
}

/* Allocates the target once for all sizes. */
static bool allocate(struct survey *survey) {
    static const char what[] = "small pictures";
    const size_t samples = AUTO_FREQUENCY_SIDE * AUTO_FREQUENCY_SIDE;
    if (survey->room > 0)
        return true;
    frame_req_init(&survey->req, 1, 1);
    survey->room = samples;
    survey->target.rgba = memory_alloc(4 * samples, what);
    if (survey->target.rgba &&
        sample_planes_init(&survey->target.planes, SAMPLE_BASIC, samples, what))
        return true;
    release(survey);
    return false;
}

static void request(struct survey *survey, const struct explorer *explorer) {
    int width, height;
    auto_frequency_size(explorer->width_px, explorer->height_px, &width, &height);
    const struct plan plan =
        explorer_plan(explorer, false); /* the same depth limit as the main picture */
    struct frame_req *req = &survey->req;
    scene_request(&explorer->scene, width, height, &plan, req);
    req->method = METHOD_TILES;
    req->first_stride = 1;
    req->focus_x_px = width / 2;
    req->focus_y_px = height / 2;
    req->shortcuts = explorer->shortcuts;
    req->reuse = false;
    req->generation = ++survey->count;
}

static void submit(struct survey *survey, struct active_backend *active,
                   const struct explorer *explorer) {
    struct backend *backend = survey_backend(active);
    survey->next_ms = clock_ms() + RETRY_MS;
    survey->done = false;
    survey->failed = true;
    if (!backend || !allocate(survey))
        return;
    request(survey, explorer);
    survey->busy = backend_submit(backend, &survey->req, &survey->target);
    survey->failed = !survey->busy;
    if (survey->busy)
        survey->next_ms = clock_ms() + EVERY_MS;
}

/* Returns the e-folds of the screen's zoom from home. */
static double depth_of(const struct explorer *explorer) {
    struct view home;
    view_init(&home);
    home_view(&home, &explorer->scene.fractal, explorer->width_px, explorer->height_px);
    const double steps = view_step_log2(&home, 1) - view_step_log2(&explorer->scene.view, 1);
    view_finish(&home);
    return steps * log(2) + log(cabs(explorer->camera.factor));
}

/* Estimates the time of a whole picture from the survey's iterations; 0: unknown. Uses the higher
 * of two speeds, because the last whole picture may have been drawn on a busy machine, and a survey
 * may use only few of its parts. */
static double expected_ms(struct survey *survey, const struct explorer *explorer,
                          const struct backend_report *report) {
    const struct frame_req *req = &survey->req;
    const double ms = report->device_ms > 0 ? report->device_ms : report->elapsed_ms;
    survey->steps = FADING * survey->steps + (double)(report->iterations + report->skipped);
    survey->took_ms = FADING * survey->took_ms + ms;
    const double own = survey->took_ms > 0 ? survey->steps / survey->took_ms : 0;
    const double speed = fmax(explorer->speed.per_ms[req->route][req->type], own);
    const double larger =
        (double)explorer->width_px * explorer->height_px / ((double)req->width_px * req->height_px);
    return speed > 0 ? (double)(report->iterations + report->skipped) * larger / speed : 0;
}

static void fill_field(struct survey *survey, const struct explorer *explorer,
                       const struct backend_report *report, struct autopilot_field *field) {
    const struct frame_req *req = &survey->req;
    const int height = explorer->height_px;
    const struct similarity in_target =
        similarity_between(&explorer->scene.view, height, &req->view, req->height_px);
    const struct similarity in_heights = {1.0 / height, 0};
    *field = (struct autopilot_field){
        .counts = survey->target.planes.count,
        .width = req->width_px,
        .height = req->height_px,
        .place = similarity_compose(in_heights, similarity_compose(explorer->camera, in_target)),
        .aspect = (double)explorer->width_px / height,
        .depth = depth_of(explorer),
        .room = explorer_room(explorer),
        .cost_ms = expected_ms(survey, explorer, report),
    };
}

bool survey_is_current(const struct survey *survey, const struct explorer *explorer) {
    const struct scene *scene = &explorer->scene;
    return survey->done && view_equal(&survey->req.view, &scene->view) &&
           survey->req.limit == scene->limit &&
           fractal_equal(&survey->req.fractal, &scene->fractal);
}

struct glimpse survey_glimpse(const struct survey *survey) {
    const size_t width = (size_t)survey->req.width_px, height = (size_t)survey->req.height_px;
    return (struct glimpse){survey->target.planes.count, width * height, width};
}

/* Polls the survey for at most `patience_ms`. Returns true if it is done or has failed. */
static bool wait_until_over(struct backend *backend, double patience_ms,
                            struct backend_report *report) {
    const double until = clock_ms() + patience_ms;
    do
        *report = backend_poll(backend, fmax(until - clock_ms(), 0));
    while (report->state == BACKEND_BUSY && clock_ms() < until);
    return report->state != BACKEND_BUSY;
}

bool survey_poll(struct survey *survey, struct active_backend *active,
                 const struct explorer *explorer, double patience_ms,
                 struct autopilot_field *field) {
    bool news = false;
    if (survey->busy) {
        struct backend *backend = survey_backend(active);
        struct backend_report report = {.state = BACKEND_IDLE};
        survey->busy = backend && !wait_until_over(backend, patience_ms, &report);
        survey->done = report.state == BACKEND_DONE;
        survey->failed = !survey->busy && !survey->done;
        news = report.state == BACKEND_DONE &&
               fractal_equal(&survey->req.fractal, &explorer->scene.fractal);
        if (news)
            fill_field(survey, explorer, &report, field);
    }
    /* The target of a new survey stays valid until the next call. */
    if (!survey->busy && !news && (patience_ms > 0 || clock_ms() >= survey->next_ms))
        submit(survey, active, explorer);
    return news;
}
