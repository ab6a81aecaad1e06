/* fathom render: draws pictures into files, without a window. */
#include "app/command/commands.h"
#include "app/command/recolour.h"
#include "app/command/render_jobs.h"
#include "app/command/verdict.h"
#include "app/options/choices.h"
#include "app/options/option_table.h"
#include "app/still/bands.h"
#include "app/still/posters.h"
#include "app/still/shared_blocks.h"
#include "app/still/still.h"
#include "app/work/devices.h"
#include "app/work/work_list.h"
#include "render/backends.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/grid/exponential.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_DEFAULT_PX  1280
#define HEIGHT_DEFAULT_PX 720
#define WHY_SIZE          300 /* size of an error message about one of several views */

static bool check_outputs(const struct options *options) {
    if (!options->output && !options->data && !options->smooth) {
        log_error("render needs a file to write: -o FILE, --data FILE or --smooth FILE");
        return false;
    }
    const int streams = outputs_is_stdout(options->output) + outputs_is_stdout(options->data) +
                        outputs_is_stdout(options->smooth) + options->json;
    if (streams > 1)
        log_error("only one of -o, --data, --smooth and --json can go to standard output");
    const bool shared = options->join || options->part || options->devices;
    if (streams == 1 && shared)
        log_error(
            "--join, --part and --devices share files, and leave nothing for standard output");
    if (streams > 1 || (streams == 1 && shared) || !posters_check(options))
        return false;
    const bool png = options->output && !outputs_is_poster(options) && !outputs_is_exr(options) &&
                     outputs_image_format(options, options->output) == IMAGE_PNG;
    const bool bits_fit = options->depth == 0 || (outputs_is_deep(options) && png);
    if (!bits_fit)
        log_error("a picture has --bits 8, or 16 if it is a PNG");
    return bits_fit;
}

static bool set_up(struct command_still *render) {
    struct scene *scene = &render->scene;
    if (!command_scene(render->options, scene))
        return false;
    if (scene->orbit_density) {
        if (render->options->last)
            log_error("the most recent location is a Buddhabrot, which %s does not draw",
                      option_command(render->options->command)->name);
        else
            log_error("'%s' is a Buddhabrot; use 'fathom density'", render->options->arguments[0]);
        return false;
    }
    if (scene->width_px == 0 || scene->height_px == 0) {
        scene->width_px = WIDTH_DEFAULT_PX;
        scene->height_px = HEIGHT_DEFAULT_PX;
    }
    if (render->options->projection == PROJECTION_EXPONENTIAL && render->options->width_px == 0)
        scene->width_px = exponential_width(scene->height_px);
    const struct plan plan =
        still_request(scene, (unsigned)render->options->shortcuts, &render->req);
    if (plan.lacks)
        log_warn("%s", plan.lacks);
    render->recoloured = recolour_is_meant(render->options);
    if (render->recoloured)
        return true;
    render->req.projection = (enum projection)render->options->projection;
    if (outputs_is_exr(render->options))
        render->req.planes = exr_planes(&render->req) |
                             (render->options->planes == PLANES_ALL ? exr_all(&render->req) : 0);
    if (plan.past_depth)
        log_warn("at this depth %s precision cannot separate neighbouring pixels; the picture will "
                 "show blocks%s",
                 number_type_name(render->req.type),
                 scene->precision != PRECISION_AUTO && fractal_has_perturbed(&scene->fractal)
                     ? "; use --precision auto"
                     : "");
    return true;
}

/* Opens the named backend, or else the best backend that supports the picture's route and number
 * type. */
static struct backend *open_backend(const struct options *given, const struct frame_req *req) {
    const struct backend_options options = command_backend_options(given);
    struct backend *backend = backend_open_started(backends_all, given->backend, &options);
    struct backend_options others = options;
    others.device_needed = false;
    for (size_t tries = 0; backend && !given->backend && backends_all[tries]; tries++) {
        const struct backend_info info = backend_info(backend);
        if (info.types[req->route] >> req->type & 1)
            break;
        const char *next = backend_next_name(backends_all, info.name, &others);
        backend_close(backend);
        backend = next ? backend_open(backends_all, next, &others) : NULL;
    }
    return backend;
}

bool command_backend_start(const struct options *options, const struct frame_req *req,
                           struct backend **backend) {
    if (*backend && (backend_is_lost(*backend) ||
                     !(backend_info(*backend).types[req->route] >> req->type & 1))) {
        backend_close(*backend);
        *backend = NULL;
    }
    if (!*backend)
        *backend = open_backend(options, req);
    return *backend;
}

static bool choose_limit(struct command_still *render) {
    if (render->options->auto_limit != 1)
        return true;
    const bool ok = still_find_limit(render->backend, &render->req);
    render->scene.limit = render->req.limit;
    return ok;
}

static bool choose_colours(struct command_still *render) {
    return (render->options->auto_frequency != 1 && !scene_wants_ranks(&render->scene)) ||
           still_find_colours(render->backend, &render->scene, &render->req);
}

static bool open_outputs(struct command_still *render, struct outputs *outputs) {
    struct scene *scene = &render->scene;
    char *text = still_text(scene, &render->req);
    const bool ok = text && outputs_open(outputs, render->options, &render->req, text);
    free(text);
    return ok;
}

/* Draws and checks the picture, and writes its files. *verify and its duration are set if the
 * options say so. */
static bool draw(struct command_still *render, struct bands *bands, struct verify **verify,
                 double *verify_ms) {
    struct outputs outputs;
    char verdict[VERDICT_SIZE];
    if (!open_outputs(render, &outputs))
        return false;
    if (render->options->verify)
        *verify = verdict_begin(&render->req, render->exact, render->options, &outputs);
    *bands = (struct bands){.backend = render->backend,
                            .req = &render->req,
                            .outputs = &outputs,
                            .memory_bytes = BANDS_MEMORY_BYTES,
                            .exact = render->exact,
                            .samples = render->scene.pixel_samples};
    if ((render->options->verify && !*verify) || !bands_draw(bands) ||
        (*verify && !verdict_find(*verify, render->options, verify_ms))) {
        outputs_abandon(&outputs);
        return false;
    }
    if (*verify)
        verdict_text(*verify, &render->req, verdict);
    if (*verify && outputs.image)
        image_writer_set_note(outputs.image, verdict);
    if (*verify && !render->options->json)
        fputs(verdict, stderr);
    const double start = clock_ms();
    const bool ok = outputs_commit(&outputs);
    bands->write_ms += clock_ms() - start;
    return ok;
}

bool command_still_init(struct command_still *still, const struct options *options) {
    *still = (struct command_still){.options = options};
    scene_init(&still->scene);
    frame_req_init(&still->req, WIDTH_DEFAULT_PX, HEIGHT_DEFAULT_PX);
    return set_up(still);
}

static bool prepare_exact(struct command_still *still) {
    const struct options *options = still->options;
    if (still->scene.exact)
        still->exact = exact_samples_create(&still->req, still->scene.pixel_samples,
                                            command_backend_options(options).engine,
                                            verdict_threads(options), false);
    return !still->scene.exact || still->exact;
}

bool command_still_start(struct command_still *still) {
    return command_backend_start(still->options, &still->req, &still->backend) &&
           choose_limit(still) && choose_colours(still) &&
           still_decide(still->backend, &still->req, &still->decided_ms) && prepare_exact(still);
}

void command_still_close(struct command_still *still) {
    exact_samples_destroy(still->exact);
    backend_close(still->backend);
    frame_req_finish(&still->req);
    scene_finish(&still->scene);
}

/* --- several pictures --- */

/* The pictures of a run, and the result of each. */
struct run {
    struct render_jobs jobs;
    struct command_still *stills;
    char (*why)[WHY_SIZE]; /* errors; "" if the picture is drawn or still to be drawn */
    const struct options *options;
    bool several;                /* the result is a list */
    size_t failed, drawn, wrong; /* numbers of pictures; `wrong` ones are drawn */
    struct work_part part;
    size_t by_others; /* number of pictures that other processes have drawn */
};

/* Prints the members of a picture's JSON object. */
static void print_members(const struct command_still *render, const struct bands *bands) {
    const struct frame_req *req = &render->req;
    if (render->recoloured) {
        printf("\"recoloured\": true, \"width\": %d, \"height\": %d, \"limit\": %" PRIu32,
               req->width_px, req->height_px, req->limit);
        return;
    }
    const struct backend_info info = backend_info(render->backend);
    printf("\"backend\": ");
    json_string(stdout, info.name);
    printf(", \"device\": ");
    json_string(stdout, info.device);
    printf(", \"route\": \"%s\", \"precision\": \"%s\", \"width\": %d, "
           "\"height\": %d, "
           "\"method\": \"%s\", \"limit\": %" PRIu32 ", \"iterations_total\": %" PRIu64
           ", \"iterations_skipped\": %" PRIu64 ", "
           "\"kept\": %" PRIu64 ", \"samples\": %" PRIu32
           ", \"bands\": %d, \"reference_ms\": %.3f, \"reference_length\": %" PRIu32
           ", \"reference_period\": %" PRIu32 ", \"render_ms\": %.3f, \"write_ms\": %.3f",
           route_names[req->route], number_type_name(req->type), req->width_px, req->height_px,
           method_names[req->method], req->limit, bands->iterations + bands->skipped,
           bands->skipped, bands->kept, bands->samples, bands->count,
           render->decided_ms + bands->reference_ms, bands->reference_length,
           bands->reference_period, bands->render_ms, bands->write_ms);
    if (!render->exact)
        return;
    const struct exact_samples_result *result = exact_samples_result(render->exact);
    printf(", \"exact\": {\"points\": %" PRIu64 ", \"changed\": %" PRIu64
           ", \"bits\": %ld, \"exact_ms\": %.3f}",
           result->points, result->changed, result->bits, result->ms);
}

/* Prints what is known of a picture. `bands` is NULL if it is not drawn, `verify` if it is not
 * verified. */
static void print_result(struct run *run, size_t i, const struct bands *bands,
                         const struct verify *verify, double verify_ms) {
    const bool several = run->several;
    if (!run->options->json || (!several && !bands))
        return;
    fputs(several && i == 0 ? "{\"pictures\": [{" : "{", stdout);
    if (several && run->jobs.each[i].argument_count > 0)
        json_member_text(stdout, "view", run->jobs.each[i].arguments[0], ", ");
    if (several && run->jobs.each[i].output)
        json_member_text(stdout, "output", run->jobs.each[i].output, ", ");
    if (bands)
        print_members(&run->stills[i], bands);
    else
        json_member_text(stdout, "error", run->why[i], "");
    if (verify && bands) {
        fputs(", \"verified\": {", stdout);
        verdict_json(verify, run->options, verify_ms);
        putchar('}');
    }
    fputs(!several ? "}\n" : i + 1 < run->jobs.count ? "},\n" : "}]}\n", stdout);
}

static bool open_run(struct run *run) {
    const size_t count = run->jobs.count;
    run->stills = calloc(count, sizeof *run->stills);
    run->why = calloc(count, sizeof *run->why);
    if (run->stills && run->why)
        return true;
    log_error("not enough memory for so many views");
    return false;
}

/* Checks that no output of any picture replaces the image that a view reads. */
static bool apart_from_scenes(const struct run *run) {
    bool ok = true;
    for (size_t i = 0; ok && i < run->jobs.count; i++)
        ok = *run->why[i] ||
             file_uses_check_scene(run->jobs.each, run->jobs.count, &run->stills[i].scene);
    return ok;
}

/* Reads all views first, so that all files that will be read are known. A view that cannot be drawn
 * does not prevent the others. */
static void read_views(struct run *run) {
    for (size_t i = 0; i < run->jobs.count; i++) {
        char why[WHY_SIZE] = "";
        const struct options *options = &run->jobs.each[i];
        log_listen(why, sizeof why);
        if (!command_still_init(&run->stills[i], options) || !command_outputs_possible(options))
            snprintf(run->why[i], WHY_SIZE, "%s", *why ? why : "it cannot be read");
        log_listen(NULL, 0);
    }
}

static void draw_view(struct run *run, size_t i, struct backend **backend) {
    struct command_still *still = &run->stills[i];
    const struct options *options = &run->jobs.each[i];
    struct bands bands = {.count = 0};
    struct verify *verify = NULL;
    double verify_ms = 0;
    char why[WHY_SIZE] = "";
    bool ok = !*run->why[i];
    still->backend = *backend;
    log_listen(why, sizeof why);
    if (ok && !(ok = still->recoloured
                         ? recolour_draw(options, &still->scene, &still->req)
                         : command_still_start(still) && draw(still, &bands, &verify, &verify_ms)))
        snprintf(run->why[i], WHY_SIZE, "%s", *why ? why : "interrupted");
    log_listen(NULL, 0);
    run->failed += !ok;
    run->drawn += ok;
    run->wrong += ok && verify && !verdict_is_right(verify);
    print_result(run, i, ok ? &bands : NULL, verify, verify_ms);
    verify_destroy(verify);
    *backend = still->backend;
    still->backend = NULL;
}

/* Draws a view unless somebody else does or has. Returns false if it is to be looked at again. */
static bool share_view(struct run *run, struct work_list *list, size_t i,
                       struct backend **backend) {
    const struct options *job = &run->jobs.each[i];
    const char *piece = job->output ? job->output : job->data ? job->data : job->smooth;
    const bool there = render_jobs_has(&run->jobs, i);
    const enum work_state state = there ? WORK_OURS : work_list_claim(list, piece);
    if (state == WORK_TAKEN)
        return false;
    if (state == WORK_FAILED && !*run->why[i])
        strcpy(run->why[i], "it cannot be claimed");
    if (there || render_jobs_has(&run->jobs, i))
        run->by_others++;
    else
        draw_view(run, i, backend);
    work_list_release(list, piece);
    return true;
}

/* Draws the views that no other process draws, and waits for the others. */
static void share_views(struct run *run, struct backend **backend) {
    struct work_list list;
    bool *over = calloc(run->jobs.count, sizeof *over), left = over != NULL, any;
    work_list_init(&list);
    for (double pause = 0; left && !interrupt_requested();
         pause = any ? 0 : work_list_pause(pause)) {
        left = any = false;
        for (size_t i = 0; i < run->jobs.count && !interrupt_requested(); i++) {
            const bool now = !over[i] && share_view(run, &list, i, backend);
            over[i] = over[i] || now;
            any |= now;
            left |= !over[i];
        }
    }
    run->failed = run->jobs.count - run->drawn - run->by_others;
    work_list_finish(&list);
    free(over);
}

static void draw_views(struct run *run) {
    struct backend *backend = NULL;
    const bool share = run->options->join && !outputs_is_poster(run->options);
    if (share)
        share_views(run, &backend);
    for (size_t i = 0; i < run->jobs.count && !share; i++) {
        if (interrupt_requested() && !*run->why[i])
            strcpy(run->why[i], "interrupted");
        draw_view(run, i, &backend);
    }
    const bool begun = backend || run->stills[0].recoloured;
    if (run->failed > 0 && begun && interrupt_requested() && run->jobs.count == 1)
        log_error(outputs_is_poster(run->options) ? "interrupted; the same command goes on with it"
                                                  : "interrupted; nothing was written");
    else if (run->failed > 0 && run->jobs.count > 1)
        log_error("%s%zu of %zu pictures were not drawn",
                  interrupt_requested() ? "interrupted; " : "", run->failed, run->jobs.count);
    backend_close(backend);
}

static void close_run(struct run *run) {
    for (size_t i = 0; run->stills && i < run->jobs.count; i++)
        command_still_close(&run->stills[i]);
    free(run->stills);
    free(run->why);
    render_jobs_finish(&run->jobs);
}

/* Makes the jobs: the views of the command line, or the octaves of one that have no files yet.
 * Returns the exit status, 0 for success. */
static int make_jobs(struct run *run) {
    const struct options *options = run->options;
    const bool octaves = render_jobs_are_octaves(options);
    if (!octaves && !render_jobs_make(&run->jobs, options))
        return 2;
    if (octaves && !render_jobs_make_octaves(&run->jobs, options))
        return 1;
    run->several = octaves || run->jobs.count > 1;
    if (!file_uses_check(run->jobs.each, run->jobs.count))
        return 2;
    /* Processes share the blocks of all posters, and parts divide those of a single one. */
    const bool poster = outputs_is_poster(options);
    if ((!octaves && !options->join && !options->part) || (poster && options->join) ||
        (poster && options->part && !run->several))
        return 0;
    for (size_t i = 0; i < run->jobs.count; i++)
        run->jobs.each[i].part = NULL;
    size_t done;
    const size_t all = render_jobs_drop(&run->jobs, &run->part, &done);
    if (done > 0)
        log_warn("%zu of %zu files exist and are kept", done, all);
    return 0;
}

/* Returns true for a single poster of which there are no shared blocks. */
static bool is_new_poster(const struct options *options) {
    return outputs_is_poster(options) && !strchr(options->output, '%') &&
           !shared_blocks_are_begun(options->output);
}

int command_render(const struct options *options) {
    struct run run = {.options = options};
    if (!check_outputs(options) || !work_part_parse(options->part, &run.part))
        return 2;
    if (options->devices)
        return devices_run(options, !is_new_poster(options));
    int status = make_jobs(&run);
    interrupt_catch();
    if (status == 0 && run.jobs.count > 0 && open_run(&run)) {
        read_views(&run);
        if (apart_from_scenes(&run))
            draw_views(&run);
        status = run.drawn + run.by_others == run.jobs.count && run.wrong == 0 ? 0 : 1;
    } else if (status == 0 && run.jobs.count > 0) {
        status = 1;
    } else if (status == 0 && options->json) {
        puts("{\"pictures\": []}");
    }
    close_run(&run);
    return status;
}
