/* fathom render: one picture into files, with no window at all. */
#include "app/backends.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/outputs.h"
#include "app/progress.h"
#include "render/clock.h"
#include "render/image.h"
#include "render/log.h"
#include "render/memory.h"
#include "render/npy.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_DEFAULT_PX  1280
#define HEIGHT_DEFAULT_PX 720
/* A backend keeps a count, a fraction and a pixel of its own for every pixel. */
#define BACKEND_BYTES_PER_PIXEL 12
#define DEEPEN_BYTES_PER_PIXEL  24 /* of orbits that go on */

struct render {
    const struct options *options;
    struct scene scene;
    struct plan plan;
    struct frame_req req;
    struct target target;
    struct backend *backend;
    struct backend_report report;
    bool progress_shown;
    double write_ms;
};

static bool check_outputs(const struct options *options) {
    if (!options->output && !options->data && !options->smooth) {
        log_error("render needs a file to write: -o FILE, --data FILE or --smooth FILE");
        return false;
    }
    const int streams = command_is_stdout(options->output) + command_is_stdout(options->data) +
                        command_is_stdout(options->smooth) + options->json;
    if (streams > 1)
        log_error("only one of -o, --data, --smooth and --json can go to standard output");
    return streams <= 1;
}

static bool set_up(struct render *render) {
    struct scene *scene = &render->scene;
    if (!command_scene(render->options, scene))
        return false;
    if (scene->counting) {
        log_error("'%s' is a density picture; use 'fathom density' with it",
                  render->options->arguments[0]);
        return false;
    }
    if (scene->width_px == 0 || scene->height_px == 0) {
        scene->width_px = WIDTH_DEFAULT_PX;
        scene->height_px = HEIGHT_DEFAULT_PX;
    }
    render->plan = plan_frame(&(struct plan_input){.view = &scene->view,
                                                   .width_px = scene->width_px,
                                                   .height_px = scene->height_px,
                                                   .limit = scene->limit,
                                                   .precision = scene->precision});
    render->plan.first_stride = 1; /* nobody watches it being drawn */
    if (render->plan.past_depth)
        log_warn("this deep, %s numbers cannot tell neighbouring pixels apart; the picture will "
                 "show blocks, because deeper zooms are not supported yet",
                 number_type_name(render->plan.type));
    scene_request(scene, scene->width_px, scene->height_px, &render->plan, &render->req);
    render->req.shortcuts = (unsigned)render->options->shortcuts;
    render->req.reuse = false;
    return true;
}

static bool allocate(struct render *render) {
    const struct options *options = render->options;
    const uint64_t pixels = (uint64_t)render->req.width_px * (uint64_t)render->req.height_px;
    const bool planes = options->data || options->smooth;
    char what[64];
    snprintf(what, sizeof what, "a picture of %dx%d", render->req.width_px, render->req.height_px);
    const unsigned backend = BACKEND_BYTES_PER_PIXEL +
                             (render->req.method == METHOD_DEEPEN ? DEEPEN_BYTES_PER_PIXEL : 0);
    if (!memory_fits(pixels * (4 + (planes ? 8 : 0) + backend), what))
        return false;
    struct target *target = &render->target;
    target->rgba = memory_alloc(4 * pixels, what);
    if (!target->rgba || !planes)
        return target->rgba != NULL;
    target->count = memory_alloc(4 * pixels, what);
    target->fraction = target->count ? memory_alloc(4 * pixels, what) : NULL;
    return target->fraction != NULL;
}

/* --- drawing --- */

static void show_progress(struct render *render, const struct backend_report *report) {
    if (!progress_due(report->elapsed_ms))
        return;
    const double left_ms = report->progress > 0.01
                               ? report->elapsed_ms * (1 - report->progress) / report->progress
                               : 0;
    fprintf(stderr, "\rfathom: %5.1f %%", 100 * report->progress);
    if (left_ms > 0)
        fprintf(stderr, ", about %.0f s left", left_ms / 1000);
    fputs("\033[K", stderr);
    render->progress_shown = true;
}

static bool draw_step(void *user, const struct backend_report *report) {
    show_progress(user, report);
    return !interrupt_came();
}

/* The one that was named, or the best one that has the scene's method, which may come from a file. */
static struct backend *open_backend(const struct render *render,
                                    const struct backend_options *options) {
    struct backend *backend = backend_open(backends_all, render->options->backend, options);
    for (size_t tries = 0; backend && !render->options->backend && backends_all[tries]; tries++) {
        const struct backend_info info = backend_info(backend);
        if (info.methods >> render->req.method & 1)
            break;
        const char *next = backend_next_name(backends_all, info.name, options);
        backend_close(backend);
        backend = next ? backend_open(backends_all, next, options) : NULL;
    }
    return backend;
}

static bool draw(struct render *render) {
    const struct backend_options backend_options = command_backend_options(render->options);
    render->backend = open_backend(render, &backend_options);
    if (!render->backend)
        return false;
    const bool ok = backend_draw(render->backend, &render->req, &render->target, draw_step, render,
                                 &render->report);
    if (render->progress_shown)
        progress_hide();
    if (interrupt_came())
        log_error("interrupted; nothing was written");
    return ok && !interrupt_came();
}

/* --- results --- */

/* The picture carries the number type that drew it, so that drawing it again gives its bytes. */
static bool write_results(struct render *render) {
    struct scene *scene = &render->scene;
    const int width = render->req.width_px, height = render->req.height_px;
    const double start = clock_ms();
    scene->precision = render->req.type == TYPE_FLOAT ? PRECISION_FLOAT : PRECISION_DOUBLE;
    char *text = scene_text(scene);
    struct outputs outputs;
    bool ok = text && outputs_open(&outputs, render->options, width, height, text);
    if (ok && outputs_rows(&outputs, render->target.rgba, &render->target, height))
        ok = outputs_commit(&outputs);
    else if (ok)
        outputs_abandon(&outputs), ok = false;
    free(text);
    render->write_ms = clock_ms() - start;
    return ok;
}

static void print_json(const struct render *render) {
    const struct backend_info info = backend_info(render->backend);
    const struct frame_req *req = &render->req;
    const struct backend_report *report = &render->report;
    printf("{\"backend\": ");
    json_string(stdout, info.name);
    printf(", \"device\": ");
    json_string(stdout, info.device);
    printf(", \"precision\": \"%s\", \"arithmetic\": \"%s\", \"width\": %d, \"height\": %d, "
           "\"method\": \"%s\", \"limit\": %" PRIu32 ", \"iterations_total\": %" PRIu64
           ", \"iterations_skipped\": %" PRIu64 ", "
           "\"kept\": %" PRIu64 ", \"reference_ms\": 0, \"render_ms\": %.3f, \"write_ms\": %.3f}\n",
           number_type_name(req->type), arithmetic_name(req->arithmetic), req->width_px,
           req->height_px, method_name(req->method), req->limit,
           report->iterations + report->skipped, report->skipped, report->kept, report->elapsed_ms,
           render->write_ms);
}

static void finish(struct render *render) {
    backend_close(render->backend);
    free(render->target.rgba);
    free(render->target.count);
    free(render->target.fraction);
    frame_req_finish(&render->req);
    scene_finish(&render->scene);
}

int command_render(const struct options *options) {
    if (!check_outputs(options))
        return 2;
    interrupt_catch();
    struct render render = {.options = options};
    scene_init(&render.scene);
    frame_req_init(&render.req, WIDTH_DEFAULT_PX, HEIGHT_DEFAULT_PX);
    const bool ok = set_up(&render) && command_outputs_possible(options) && allocate(&render) &&
                    draw(&render) && write_results(&render);
    if (ok && options->json)
        print_json(&render);
    finish(&render);
    return ok ? 0 : 1;
}
