/* Drawing of a thumbnail: a small anti-aliased picture, sample after sample, with the iteration
 * limit that its view needs. */
#include "app/gallery/thumbnail_draw.h"
#include "app/explore/auto_limit.h"
#include "app/still/still.h"
#include "render/accumulate.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/density/density_cells.h"
#include <math.h>

#define SAMPLES           16
#define ITERATIONS_PER_MS 1e5 /* assumed speed of one thread of low priority */
#define SEARCHES_MAX      12  /* maximum number of attempts to find the iteration limit */
#define DENSITY_ROUGHLY   (UINT64_C(1) << 18) /* samples of a rough orbit density */
#define DENSITY_WELL      (UINT64_C(1) << 24) /* samples of a good one, if density_ms allows */
#define POLL_MS           20.0                /* [ms] interval between two polls of the backend */

/* Progress of one computation by the backend: the work that go_on has received so far. */
struct charged {
    const struct thumbnail_drawing *drawing;
    uint64_t steps;
    double made_ms;
};

/* Passes the work since the last report to go_on. The thread that makes a reference has ordinary
 * priority, so its work is the time that passes. A worker of low priority may not run for a long
 * time, so its work is the number of its steps. */
static bool report_work(void *user, const struct backend_report *report) {
    struct charged *charged = user;
    const struct thumbnail_drawing *drawing = charged->drawing;
    const double made_ms = report->reference.made_ms;
    double work = (double)(report->iterations - charged->steps) / THUMBNAIL_STEPS_PER_MS;
    if (report->reference.making)
        work += fmax(made_ms - charged->made_ms, 0);
    charged->steps = report->iterations;
    charged->made_ms = made_ms;
    return drawing->go_on(drawing->user, work);
}

/* Fills a request that is initialised. */
static void make_request(const struct thumbnail_drawing *drawing, const struct scene *scene,
                         struct frame_req *req) {
    const struct backend_info info = backend_info(drawing->backend);
    struct plan plan = plan_frame(&(struct plan_input){.view = &scene->view,
                                                       .width_px = drawing->width_px,
                                                       .height_px = drawing->height_px,
                                                       .limit = scene->limit,
                                                       .fractal = &scene->fractal,
                                                       .precision = scene->precision,
                                                       .types = info.types,
                                                       .moving = true,
                                                       .slopes = scene_has_slopes(scene)});
    plan.first_stride = 1;
    scene_request(scene, drawing->width_px, drawing->height_px, &plan, req);
    req->method = METHOD_TILES;
    req->shortcuts = SHORTCUTS_ALL;
}

static bool draw_once(const struct thumbnail_drawing *drawing, const struct frame_req *req,
                      uint32_t *rgba) {
    const struct target target = {.rgba = rgba};
    struct charged charged = {drawing, 0, 0};
    struct backend_report report;
    return backend_draw(drawing->backend, req, &target, report_work, &charged, &report);
}

/* --- orbit density --- */

/* Counts until the requested number of samples is reached or the time is up. */
static bool count_samples(const struct thumbnail_drawing *drawing, const struct density_req *req,
                          uint32_t *rgba) {
    const struct target target = {.rgba = rgba};
    const double until = clock_ms() + drawing->density_ms;
    struct charged charged = {drawing, 0, 0};
    if (!backend_has_density(drawing->backend) ||
        !backend_density_submit(drawing->backend, req, &target))
        return false;
    for (bool ended = false;;) {
        const struct backend_report report = backend_poll(drawing->backend, POLL_MS);
        if (report.state != BACKEND_BUSY)
            return report.state == BACKEND_DONE;
        if (!report_work(&charged, &report)) {
            backend_cancel(drawing->backend);
            return false;
        }
        if (!ended && clock_ms() > until)
            ended = backend_density_set_samples(drawing->backend, 0);
    }
}

static bool draw_density(const struct thumbnail_drawing *drawing, const struct scene *scene,
                         uint64_t samples, uint32_t *rgba) {
    struct density_req req;
    density_req_init(&req, drawing->width_px, drawing->height_px);
    scene_density_request(scene, drawing->width_px, drawing->height_px, &req);
    req.samples = samples;
    req.generation = 1;
    req.cells = density_cells_create(&req.density);
    const char *problem = req.cells ? density_req_problem(&req) : "not enough memory";
    const bool ok = !problem && count_samples(drawing, &req, rgba);
    if (problem)
        log_info("a thumbnail of an orbit density is not drawn: %s", problem);
    density_req_finish(&req);
    return ok;
}

/* --- escape time --- */

/* Draws the picture again and again, each time with the limit that the picture before needs. */
static bool search_limit(const struct thumbnail_drawing *drawing, struct frame_req *req,
                         uint32_t *rgba) {
    struct auto_limit automatic = {.on = true};
    const double depth = auto_limit_depth(&req->view);
    struct statistics statistics;
    uint32_t limit = req->limit;
    for (int i = 0; i < SEARCHES_MAX; i++) {
        req->limit = limit;
        if (!draw_once(drawing, req, rgba))
            return false;
        if (!backend_statistics(drawing->backend, &statistics))
            break;
        limit = auto_limit_judge(&automatic, &statistics, limit, depth, ITERATIONS_PER_MS, false);
        if (limit <= req->limit)
            break;
    }
    return true;
}

/* Adapts the colours to the picture, which was drawn once. Returns false if drawing was given up or
 * memory ran out. */
static bool adapt_colours(const struct thumbnail_drawing *drawing, struct scene *scene,
                          struct frame_req *req, uint32_t *rgba) {
    if (!drawing->adapts && !scene_wants_ranks(scene))
        return true;
    return still_find_colours(drawing->backend, scene, req) && draw_once(drawing, req, rgba);
}

bool thumbnail_draw_roughly(const struct thumbnail_drawing *drawing, struct scene *scene,
                            uint32_t *rgba) {
    if (scene->orbit_density)
        return draw_density(drawing, scene, DENSITY_ROUGHLY, rgba);
    struct frame_req req;
    frame_req_init(&req, drawing->width_px, drawing->height_px);
    make_request(drawing, scene, &req);
    req.reuse = true;
    const bool ok = search_limit(drawing, &req, rgba) && adapt_colours(drawing, scene, &req, rgba);
    scene->limit = req.limit;
    frame_req_finish(&req);
    return ok;
}

static bool draw_samples(const struct thumbnail_drawing *drawing, struct frame_req *req,
                         struct accumulator *sums, uint32_t *rgba) {
    accumulator_set_samples(sums, SAMPLES);
    for (uint32_t sample = 0; sample < SAMPLES; sample++) {
        accumulate_offset(sample, &req->offset_x, &req->offset_y);
        if (!draw_once(drawing, req, rgba))
            return false;
        accumulator_add(sums, sample, 0, req->height_px, rgba, false, false);
    }
    accumulator_mean(sums, 0, req->height_px, rgba);
    return true;
}

bool thumbnail_draw(const struct thumbnail_drawing *drawing, struct scene *scene, uint32_t *rgba) {
    if (scene->orbit_density)
        return draw_density(drawing, scene, DENSITY_WELL, rgba);
    struct frame_req req;
    struct accumulator sums = {0};
    frame_req_init(&req, drawing->width_px, drawing->height_px);
    make_request(drawing, scene, &req);
    const bool ok =
        accumulator_init(&sums, drawing->width_px, drawing->height_px) &&
        (!scene_wants_ranks(scene) || still_find_colours(drawing->backend, scene, &req)) &&
        draw_samples(drawing, &req, &sums, rgba);
    accumulator_finish(&sums);
    frame_req_finish(&req);
    return ok;
}
