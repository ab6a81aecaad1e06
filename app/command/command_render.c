/* fathom render: one picture into files, with no window at all. */
#include "app/command/commands.h"
#include "app/options/option_table.h"
#include "app/still/bands.h"
#include "app/still/still.h"
#include "render/backends.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include <inttypes.h>
#include <stdlib.h>

#define WIDTH_DEFAULT_PX  1280
#define HEIGHT_DEFAULT_PX 720

static bool check_outputs(const struct options *options) {
    if (!options->output && !options->data && !options->smooth) {
        log_error("render needs a file to write: -o FILE, --data FILE or --smooth FILE");
        return false;
    }
    const int streams = outputs_is_stdout(options->output) + outputs_is_stdout(options->data) +
                        outputs_is_stdout(options->smooth) + options->json;
    if (streams > 1)
        log_error("only one of -o, --data, --smooth and --json can go to standard output");
    return streams <= 1;
}

static bool set_up(struct command_still *render) {
    struct scene *scene = &render->scene;
    if (!command_scene(render->options, scene))
        return false;
    if (scene->orbit_density) {
        if (render->options->last)
            log_error("the newest recent location is a density picture, which %s does not draw",
                      option_command(render->options->command)->name);
        else
            log_error("'%s' is a density picture; use 'fathom density' with it",
                      render->options->arguments[0]);
        return false;
    }
    if (scene->width_px == 0 || scene->height_px == 0) {
        scene->width_px = WIDTH_DEFAULT_PX;
        scene->height_px = HEIGHT_DEFAULT_PX;
    }
    const bool past_depth =
        still_request(scene, (unsigned)render->options->shortcuts, &render->req);
    if (past_depth)
        log_warn("this deep, %s precision cannot tell neighbouring pixels apart; the picture will "
                 "show blocks%s",
                 number_type_name(render->req.type),
                 scene->precision != PRECISION_AUTO && fractal_has_perturbed(&scene->fractal)
                     ? "; use --precision auto"
                     : "");
    return true;
}

/* The one that was named, or the best one that has the picture's number type. */
static struct backend *open_backend(const struct command_still *render,
                                    const struct backend_options *options) {
    struct backend *backend = backend_open_started(backends_all, render->options->backend, options);
    struct backend_options others = *options;
    others.device_needed = false;
    for (size_t tries = 0; backend && !render->options->backend && backends_all[tries]; tries++) {
        const struct backend_info info = backend_info(backend);
        if (info.types[render->req.route] >> render->req.type & 1)
            break;
        const char *next = backend_next_name(backends_all, info.name, &others);
        backend_close(backend);
        backend = next ? backend_open(backends_all, next, &others) : NULL;
    }
    return backend;
}

static bool start_backend(struct command_still *render) {
    const struct backend_options options = command_backend_options(render->options);
    render->backend = open_backend(render, &options);
    return render->backend != NULL;
}

static bool choose_limit(struct command_still *render) {
    if (render->options->auto_limit != 1)
        return true;
    const bool ok = still_find_limit(render->backend, &render->req);
    render->scene.limit = render->req.limit;
    return ok;
}

static bool choose_colours(struct command_still *render) {
    return (render->options->auto_density != 1 && !scene_wants_ranks(&render->scene)) ||
           still_find_colours(render->backend, &render->scene, &render->req);
}

static bool open_outputs(struct command_still *render, struct outputs *outputs) {
    struct scene *scene = &render->scene;
    char *text = still_text(scene, &render->req);
    const bool ok =
        text && outputs_open(outputs, render->options, scene->width_px, scene->height_px, text);
    free(text);
    return ok;
}

static bool draw(struct command_still *render, struct bands *bands) {
    struct outputs outputs;
    if (!open_outputs(render, &outputs))
        return false;
    *bands = (struct bands){.backend = render->backend,
                            .req = &render->req,
                            .outputs = &outputs,
                            .memory_bytes = BANDS_MEMORY_BYTES,
                            .samples = render->scene.pixel_samples};
    if (!bands_draw(bands)) {
        outputs_abandon(&outputs);
        return false;
    }
    const double start = clock_ms();
    const bool ok = outputs_commit(&outputs);
    bands->write_ms += clock_ms() - start;
    return ok;
}

static void print_json(const struct command_still *render, const struct bands *bands) {
    const struct backend_info info = backend_info(render->backend);
    const struct frame_req *req = &render->req;
    printf("{\"backend\": ");
    json_string(stdout, info.name);
    printf(", \"device\": ");
    json_string(stdout, info.device);
    printf(", \"route\": \"%s\", \"precision\": \"%s\", \"width\": %d, "
           "\"height\": %d, "
           "\"method\": \"%s\", \"limit\": %" PRIu32 ", \"iterations_total\": %" PRIu64
           ", \"iterations_skipped\": %" PRIu64 ", "
           "\"kept\": %" PRIu64 ", \"samples\": %" PRIu32
           ", \"bands\": %d, \"reference_ms\": %.3f, \"reference_length\": %" PRIu32
           ", \"reference_period\": %" PRIu32 ", \"render_ms\": %.3f, \"write_ms\": %.3f}\n",
           route_names[req->route], number_type_name(req->type), req->width_px, req->height_px,
           method_names[req->method], req->limit, bands->iterations + bands->skipped,
           bands->skipped, bands->kept, bands->samples, bands->count,
           render->decided_ms + bands->reference_ms, bands->reference_length,
           bands->reference_period, bands->render_ms, bands->write_ms);
}

bool command_still_init(struct command_still *still, const struct options *options) {
    *still = (struct command_still){.options = options};
    scene_init(&still->scene);
    frame_req_init(&still->req, WIDTH_DEFAULT_PX, HEIGHT_DEFAULT_PX);
    return set_up(still);
}

bool command_still_start(struct command_still *still) {
    return start_backend(still) && choose_limit(still) && choose_colours(still) &&
           still_decide(still->backend, &still->req, &still->decided_ms);
}

void command_still_close(struct command_still *still) {
    backend_close(still->backend);
    frame_req_finish(&still->req);
    scene_finish(&still->scene);
}

int command_render(const struct options *options) {
    if (!check_outputs(options))
        return 2;
    interrupt_catch();
    struct command_still render;
    struct bands bands;
    bool ok = command_still_init(&render, options) && command_outputs_possible(options) &&
              command_still_start(&render) && draw(&render, &bands);
    if (!ok && render.backend && interrupt_came())
        log_error("interrupted; nothing was written");
    if (ok && options->json)
        print_json(&render, &bands);
    command_still_close(&render);
    return ok ? 0 : 1;
}
