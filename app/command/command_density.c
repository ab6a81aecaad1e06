/* fathom density: counts orbits into files, without a window. Runs can be interrupted and
 * continued. */
#include "app/command/commands.h"
#include "app/still/outputs.h"
#include "app/work/work_list.h"
#include "render/backends.h"
#include "render/base/clock.h"
#include "render/base/file_claim.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/progress.h"
#include "render/density/density_cells.h"
#include "render/files/density_file.h"
#include "render/files/image.h"
#include "render/files/npy.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define WIDTH_DEFAULT_PX  1280
#define HEIGHT_DEFAULT_PX 720
#define SECONDS_DEFAULT   10.0
/* [bytes] memory of a backend for each stored pixel of each plane: a total of 64 bits and a counter
 * of 32 */
#define BACKEND_BYTES 12
#define SAVE_EVERY_MS 60000.0
#define SAVE_PART     10 /* saving takes at most 1 / SAVE_PART of the time */
#define POLL_MS       50.0
/* [ms] time from the request to end until a warning explains the delay */
#define ENDING_MS 2000.0
#define IMPLS_MAX 32

struct run {
    const struct options *options;
    struct scene scene;
    struct density_req req;
    struct density_counts counts; /* first the counts to continue from, then the results */
    bool continued;               /* the run was saved before */
    struct backend *backend;
    struct work_part part;
    uint64_t first, goal; /* range of the samples; UINT64_MAX: no limit */
    double left_ms;       /* counting time left; INFINITY: no limit */
    double save_each_ms;  /* interval between saves; INFINITY: only at the end */
    bool started, progress_shown, save_told;
    struct file_claim claim;                /* lock on the file of --resume */
    uint64_t samples_before, points_before; /* totals of the saved run that this run continues */
    double counted_ms, device_ms, write_ms; /* spent in this run */
};

/* --- the request --- */

static bool check_outputs(const struct options *options) {
    const char *const o = options->output, *const d = options->data, *const r = options->resume;
    if (outputs_is_stdout(r)) {
        log_error("--resume needs a file, not standard output");
        return false;
    }
    if (options->part && (!r || o || d)) {
        log_error("--part saves its orbits for --merge: give --resume FILE, and neither -o nor "
                  "--data");
        return false;
    }
    const int streams = outputs_is_stdout(o) + outputs_is_stdout(d) + options->json;
    if (streams > 1)
        log_error("only one of -o, --data and --json can go to standard output");
    return streams <= 1;
}

static void request(struct scene *scene, struct density_req *req) {
    if (scene->width_px == 0 || scene->height_px == 0) {
        scene->width_px = WIDTH_DEFAULT_PX;
        scene->height_px = HEIGHT_DEFAULT_PX;
    }
    scene_density_request(scene, scene->width_px, scene->height_px, req);
}

const char *command_density_difference(const struct density_req *a, const struct density_req *b) {
    return a->width_px != b->width_px || a->height_px != b->height_px ? "size"
           : !view_equal(&a->view, &b->view)                          ? "view"
           : a->type != b->type                                       ? "precision"
           : !density_equal(&a->density, &b->density)                 ? "choice of orbits"
                                                                      : NULL;
}

/* Checks that the requested picture equals the saved run, except its tone. `wanted` is an
 * initialised scene. */
static bool runs_agree(struct run *run, struct scene *wanted) {
    const struct options *options = run->options;
    struct density_req req;
    if (options->argument_count == 0) {
        scene_assign(wanted, &run->scene);
    } else if (!command_load_scene(wanted, options->arguments[0])) {
        return false;
    }
    if (!command_scene_override(options, wanted))
        return false;
    density_req_init(&req, 1, 1);
    request(wanted, &req);
    request(&run->scene, &run->req);
    const char *what = command_density_difference(&run->req, &req);
    density_req_finish(&req);
    if (what)
        log_error("'%s' is a run with another %s; continue it without that, or start a new one",
                  options->resume, what);
    run->scene.tone = wanted->tone;
    return !what;
}

/* Loads the saved run and checks the request against it. Sets *samples to the goal of the requested
 * view, or 0 if there is none. */
static bool continue_run(struct run *run, uint64_t *samples) {
    struct scene wanted;
    if (!density_file_read(run->options->resume, &run->scene, &run->counts))
        return false;
    run->continued = true;
    scene_init(&wanted);
    const bool ok = runs_agree(run, &wanted);
    *samples = run->options->argument_count > 0 ? wanted.samples : 0;
    scene_finish(&wanted);
    return ok;
}

static bool load(struct run *run, uint64_t *samples) {
    const char *resume = run->options->resume;
    if (resume && !file_claim_open(&run->claim, resume))
        return false;
    if (resume && access(resume, F_OK) == 0)
        return continue_run(run, samples);
    if (!command_scene(run->options, &run->scene))
        return false;
    *samples = run->scene.samples;
    return true;
}

static void set_end(struct run *run, uint64_t view_samples) {
    const struct options *options = run->options;
    uint64_t samples = options->samples;
    double seconds = options->seconds;
    if (samples == 0 && isnan(seconds))
        samples = view_samples;
    if (samples == 0 && isnan(seconds))
        seconds = SECONDS_DEFAULT;
    const bool told = samples > 0 && samples <= UINT64_MAX - DENSITY_CHUNK;
    run->goal = told ? (samples + DENSITY_CHUNK - 1) / DENSITY_CHUNK * DENSITY_CHUNK : UINT64_MAX;
    run->left_ms = isnan(seconds) ? INFINITY : 1000 * seconds;
    run->save_each_ms = options->resume ? SAVE_EVERY_MS : INFINITY;
}

/* Restricts the run to its part of the samples. */
static bool set_part(struct run *run) {
    const struct work_part *part = &run->part;
    if (part->of > 0 && run->goal == UINT64_MAX) {
        log_error("--part divides a number of orbits: give the number of all by --samples");
        return false;
    }
    if (part->of > 0) {
        work_part_range(part, run->goal / DENSITY_CHUNK, &run->first, &run->goal);
        run->first *= DENSITY_CHUNK;
        run->goal *= DENSITY_CHUNK;
    }
    if (!run->continued || run->counts.first == run->first)
        return true;
    log_error("'%s' is another part of a run: continue it with its own --part and --samples",
              run->options->resume);
    return false;
}

/* Warns if no orbit can count. A picture without points is allowed, and black. */
static void warn_if_nothing_counts(const struct density *density) {
    const struct density_rule rule = density_rule(density);
    if (!rule.bounded && rule.least > rule.limit)
        log_warn("nothing will be counted: orbits are followed for %" PRIu32
                 " steps, and only those of %" PRIu32
                 " or more count; see --min-length, --iterations",
                 rule.limit, rule.least);
}

static bool set_up(struct run *run) {
    struct scene *scene = &run->scene;
    uint64_t samples = 0;
    if (!load(run, &samples))
        return false;
    set_end(run, samples);
    if (!set_part(run))
        return false;
    request(scene, &run->req);
    scene->precision = plan_precision(ROUTE_DIRECT, run->req.type);
    run->req.cells = density_cells_create(&run->req.density);
    const char *problem = run->req.cells ? density_req_problem(&run->req) : NULL;
    if (problem)
        log_error("cannot count this: %s", problem);
    else
        warn_if_nothing_counts(&run->req.density);
    return run->req.cells && !problem;
}

static bool allocate(struct run *run) {
    const uint64_t stored = density_counters(&run->req);
    const uint64_t pixels = (uint64_t)run->req.width_px * (uint64_t)run->req.height_px;
    char what[64];
    snprintf(what, sizeof what, "counts of %dx%d pixels", run->req.width_px, run->req.height_px);
    /* 0 if density_file_read has allocated the counts */
    const uint64_t own = run->continued ? 0 : sizeof *run->counts.count;
    if (!memory_fits(stored * (own + BACKEND_BYTES) + (run->options->output ? 4 * pixels : 0),
                     what) ||
        (!run->continued && !density_counts_init(&run->counts, &run->req)))
        return false;
    if (!run->continued)
        run->counts.samples = run->counts.first = run->first;
    return true;
}

/* --- counting --- */

struct backend *command_density_backend(const struct options *of) {
    const struct backend_impl *able[IMPLS_MAX + 1] = {NULL};
    const char *name = of->backend;
    const struct backend_options options = command_backend_options(of);
    size_t count = 0;
    for (size_t i = 0; backends_all[i] && count < IMPLS_MAX; i++)
        if (name || backends_all[i]->density)
            able[count++] = backends_all[i];
    return backend_open_started(able, name, &options);
}

static bool open_backend(struct run *run) {
    run->backend = command_density_backend(run->options);
    return run->backend;
}

/* Shows the progress on one line of a terminal, from one second on. Shows nothing if standard error
 * is no terminal. */
static void show_progress(struct run *run, const struct backend_report *report, double now_ms) {
    const double ms = run->counted_ms + now_ms;
    const bool counting = report->points > run->points_before;
    const double samples =
        report->samples > run->samples_before ? (double)(report->samples - run->samples_before) : 0;
    double done = -1; /* -1: the run has no end */
    if (!progress_due(ms))
        return;
    if (run->goal != UINT64_MAX)
        done = samples / (double)(run->goal - run->samples_before);
    if (isfinite(run->left_ms))
        done = fmax(done, ms / (run->counted_ms + run->left_ms));
    done = fmin(done, 1);
    fprintf(stderr, "\rfathom: ");
    if (done >= 0)
        fprintf(stderr, "%5.1f %%, ", 100 * done);
    else
        fprintf(stderr, "%.0f s, ", ms / 1000);
    fprintf(stderr, "%.3e samples, %.3e points/s", samples > 0 ? (double)report->samples : 0,
            counting ? (double)(report->points - run->points_before) * 1000 / ms : 0);
    if (done > 0.01)
        fprintf(stderr, ", about %.0f s left", ms * (1 - done) / done / 1000);
    fputs("\033[K", stderr);
    run->progress_shown = true;
}

static void tell_waiting(const struct run *run) {
    if (run->progress_shown)
        progress_hide();
    log_warn("waiting for long orbits to end; interrupt %s to drop what was not saved",
             interrupt_requested() ? "again" : "twice");
}

/* Waits until the counting ends; ends it at an interrupt, or after `limit_ms`. The limit counts
 * from when the device is ready. Returns false if the device is lost, or at a second interrupt. */
static bool wait_done(struct run *run, double limit_ms, double *took_ms,
                      struct backend_report *report) {
    double start = clock_ms(), tell_ms = INFINITY;
    for (bool ending = false;;) {
        run->started = run->started || backend_info(run->backend).ready;
        if (!run->started)
            start = clock_ms();
        *took_ms = clock_ms() - start;
        *report = backend_poll(run->backend,
                               fmax(0, fmin(POLL_MS, ending ? POLL_MS : limit_ms - *took_ms)));
        if (report->state != BACKEND_BUSY)
            break;
        *took_ms = clock_ms() - start;
        show_progress(run, report, *took_ms);
        if (interrupt_repeated())
            return false;
        if (!ending && (interrupt_requested() || *took_ms >= limit_ms)) {
            ending = true;
            tell_ms = *took_ms + ENDING_MS;
            backend_density_set_samples(run->backend, 0);
        }
        if (*took_ms >= tell_ms) {
            tell_ms = INFINITY;
            tell_waiting(run);
        }
    }
    *took_ms = clock_ms() - start;
    return report->state == BACKEND_DONE;
}

/* Counts for at most `limit_ms` and reads the counts. Returns false if no new counts were read. */
static bool count_part(struct run *run, double limit_ms) {
    struct backend_report report = {0};
    double took_ms = 0;
    const bool done = wait_done(run, limit_ms, &took_ms, &report) &&
                      backend_density_read(run->backend, &run->counts);
    if (run->progress_shown)
        progress_hide();
    if (!done && interrupt_repeated())
        log_error("interrupted again; nothing more was saved");
    else if (!done)
        log_error("counting failed; what was not saved is lost");
    run->counted_ms += took_ms;
    run->device_ms = report.device_ms;
    run->left_ms -= took_ms;
    return done;
}

static void tell_saving(void *user) {
    struct run *run = user;
    if (!run->save_told && interrupt_repeated())
        log_warn("saving the counts to '%s'; the program ends when that is done",
                 run->options->resume);
    run->save_told = interrupt_repeated();
}

/* Saves the run. A signal does not stop a save that has begun. */
static bool save(struct run *run, bool last) {
    const double start = clock_ms();
    const struct density_saving how = {&run->claim, !last, tell_saving, run};
    interrupt_hold(true);
    const bool ok = density_file_write(run->options->resume, &run->scene, &run->counts, &how);
    interrupt_hold(false);
    const double took_ms = clock_ms() - start;
    run->write_ms += took_ms;
    run->save_each_ms = fmax(SAVE_EVERY_MS, SAVE_PART * took_ms);
    return ok;
}

static bool count(struct run *run) {
    run->samples_before = run->counts.samples;
    run->points_before = run->counts.points;
    if (run->req.cells->count == 0 && run->goal == UINT64_MAX)
        run->goal = run->counts.samples; /* no orbit can ever count */
    if (run->counts.samples >= run->goal || run->left_ms <= 0)
        return true;
    run->req.samples = run->goal;
    run->req.start = run->counts.samples > 0 ? &run->counts : NULL;
    bool ok = open_backend(run) && backend_density_submit(run->backend, &run->req, NULL);
    while (ok) {
        ok = count_part(run, fmin(run->left_ms, run->save_each_ms));
        if (!ok || interrupt_requested() || run->counts.samples >= run->goal || run->left_ms <= 0)
            break;
        save(run, false); /* a failed save is logged; later ones may succeed */
        if (run->claim.lost)
            break;
        ok = backend_density_set_samples(run->backend, run->goal);
    }
    return ok;
}

/* --- results --- */

struct rows {
    const struct run *run;
    struct density_place place;
};

static bool fill_row(void *user, int y, uint64_t *values) {
    const struct rows *rows = user;
    const struct density_req *req = &rows->run->req;
    for (int x = 0; x < req->width_px; x++)
        for (int channel = 0; channel < req->density.channels; channel++)
            *values++ = density_shown(req, &rows->place, &rows->run->counts, channel, x, y);
    return true;
}

static bool write_data(const struct run *run) {
    struct rows rows = {run, density_place(&run->req)};
    return npy_write_rows(outputs_path(run->options->data), run->req.width_px, run->req.height_px,
                          run->req.density.channels, fill_row, &rows);
}

/* Writes the picture. Its text contains the samples and the number type, so that counting again
 * gives the same bytes. */
static bool write_picture(struct run *run, const struct tone_levels *levels) {
    const int width = run->req.width_px, height = run->req.height_px;
    const char *path = outputs_path(run->options->output);
    uint32_t *rgba = memory_alloc(4 * (uint64_t)width * (uint64_t)height, "a picture");
    run->scene.samples = run->counts.samples;
    char *text = rgba ? scene_text(&run->scene) : NULL;
    if (rgba && !text)
        log_error("cannot write '%s': not enough memory", path);
    bool ok = text != NULL;
    if (ok) {
        struct tone_map map;
        tone_map_init(&map, &run->req.tone, run->req.density.channels, levels);
        density_paint(&run->req, &run->counts, &map, rgba);
        ok = image_write_exclusive(path, outputs_image_format(run->options, path),
                                   run->options->quality, rgba, width, height, text, NULL);
    }
    free(text);
    free(rgba);
    return ok;
}

/* Writes all requested files, even if writing one of them fails. */
static bool write_results(struct run *run, const struct tone_levels *levels) {
    const struct options *options = run->options;
    bool ok = !options->resume || (!run->claim.lost && save(run, true));
    const double start = clock_ms();
    ok = (!options->data || write_data(run)) && ok;
    ok = (!options->output || write_picture(run, levels)) && ok;
    run->write_ms += clock_ms() - start;
    return ok;
}

/* --- the report, which begins with the statistics of lab's buddhabrot (seed 001) --- */

static double per_second(uint64_t now, uint64_t before, double ms) {
    return ms > 0 ? (double)(now - before) * 1000 / ms : 0;
}

/* Returns true if every point is shown with its mirror image, which was not counted. */
static bool is_folded(const struct run *run) {
    return density_place(&run->req).fold != DENSITY_FOLD_NONE;
}

static double points_shown(const struct run *run) {
    return (double)run->counts.points * (is_folded(run) ? 2 : 1);
}

static double points_per_pixel(const struct run *run) {
    return points_shown(run) / ((double)run->req.width_px * (double)run->req.height_px);
}

/* Prints the largest or the smallest count shown in each channel. */
static void print_levels(FILE *file, const struct run *run, const struct tone_levels *levels,
                         bool most, const char *separator) {
    for (int i = 0; i < run->req.density.channels; i++)
        fprintf(file, "%s%" PRIu64, i > 0 ? separator : "",
                most ? levels[i].most : levels[i].least);
}

static void print_text(FILE *file, const struct run *run, const struct tone_levels *levels) {
    const uint64_t samples = run->counts.samples, points = run->counts.points;
    const double ms = run->counted_ms;
    fprintf(file, "points plotted     %.5e, ", points_shown(run));
    fprintf(file, "%" PRIu64 " counted%s\n", points,
            is_folded(run) ? " and their mirror images" : ", conjugate ones included");
    fprintf(file, "points per pixel   %.2f\nlargest            ", points_per_pixel(run));
    print_levels(file, run, levels, true, " / ");
    fputs("\nsmallest           ", file);
    print_levels(file, run, levels, false, " / ");
    fprintf(file, "\ntotal time         %.2f s\n", ms / 1000);
    fprintf(file, "points per second  %.3e counted\n", per_second(points, run->points_before, ms));
    fprintf(file, "samples            %" PRIu64 "\n", samples - run->counts.first);
    fprintf(file, "samples per second %.3e\n", per_second(samples, run->samples_before, ms));
    if (run->samples_before > run->first)
        fprintf(file, "before this run    %" PRIu64 " samples, %" PRIu64 " points\n",
                run->samples_before - run->first, run->points_before);
    if (run->backend)
        fprintf(file, "backend            %s (%s), %s\n", backend_info(run->backend).name,
                backend_info(run->backend).device, number_type_name(run->req.type));
}

static void print_json(const struct run *run, const struct tone_levels *levels) {
    const struct density_req *req = &run->req;
    const struct density *density = &req->density;
    const uint64_t samples = run->counts.samples, points = run->counts.points;
    /* Both names stay empty if nothing was left to count. */
    struct backend_info info = {.name = "", .device = ""};
    if (run->backend)
        info = backend_info(run->backend);
    putchar('{');
    json_member_text(stdout, "backend", info.name, ", ");
    json_member_text(stdout, "device", info.device, ", ");
    printf("\"precision\": \"%s\", \"width\": %d, \"height\": %d, \"counted\": \"%s\", "
           "\"least\": %" PRIu32 ", \"limits\": [",
           number_type_name(req->type), req->width_px, req->height_px,
           density_orbits_names[density->orbits], density_least(density));
    for (int i = 0; i < density->channels; i++)
        printf("%s%" PRIu32, i > 0 ? ", " : "", density->limit[i]);
    printf("], \"random\": %" PRIu64 ", \"samples\": %" PRIu64 ", \"points\": %" PRIu64
           ", \"samples_before\": %" PRIu64 ", \"points_before\": %" PRIu64
           ", \"mirrored\": %s, \"interrupted\": %s, ",
           density->random, samples - run->first, points, run->samples_before - run->first,
           run->points_before, is_folded(run) ? "true" : "false",
           interrupt_requested() ? "true" : "false");
    json_member_number(stdout, "points_per_pixel", points_per_pixel(run), ", ");
    printf("\"largest\": [");
    print_levels(stdout, run, levels, true, ", ");
    printf("], \"smallest\": [");
    print_levels(stdout, run, levels, false, ", ");
    printf("], ");
    json_member_number(stdout, "count_ms", run->counted_ms, ", ");
    json_member_number(stdout, "device_ms", run->device_ms, ", ");
    json_member_number(stdout, "write_ms", run->write_ms, ", ");
    json_member_number(stdout, "points_per_second",
                       per_second(points, run->points_before, run->counted_ms), ", ");
    json_member_number(stdout, "samples_per_second",
                       per_second(samples, run->samples_before, run->counted_ms), "}\n");
}

static void report(const struct run *run, const struct tone_levels *levels) {
    const struct options *options = run->options;
    const bool taken = outputs_is_stdout(options->output) || outputs_is_stdout(options->data);
    if (options->json)
        print_json(run, levels);
    else
        print_text(taken ? stderr : stdout, run, levels);
}

static void tell_interrupt(const struct run *run, bool written) {
    const struct options *options = run->options;
    if (!written)
        return;
    if (!options->output && !options->data && !options->resume)
        log_warn("interrupted after %" PRIu64 " samples", run->counts.samples);
    else
        log_warn("interrupted; the result of %" PRIu64 " samples was written%s",
                 run->counts.samples, options->resume ? "; --resume continues from there" : "");
}

static bool finish_run(struct run *run) {
    struct tone_levels levels[TONE_CHANNELS_MAX];
    density_levels(&run->req, &run->counts, levels);
    const bool written = write_results(run, levels);
    report(run, levels);
    if (interrupt_requested())
        tell_interrupt(run, written);
    return written && !interrupt_requested();
}

int command_density(const struct options *options) {
    struct run run = {.options = options, .claim.fd = -1};
    if (options->merge)
        return command_density_merge(options);
    if (!check_outputs(options) || !work_part_parse(options->part, &run.part))
        return 2;
    interrupt_catch();
    scene_init(&run.scene);
    density_req_init(&run.req, WIDTH_DEFAULT_PX, HEIGHT_DEFAULT_PX);
    const bool ok = set_up(&run) && command_outputs_possible(options) && allocate(&run) &&
                    count(&run) && finish_run(&run);
    file_claim_close(&run.claim);
    backend_close(run.backend);
    density_counts_finish(&run.counts);
    density_req_finish(&run.req);
    scene_finish(&run.scene);
    return ok ? 0 : 1;
}
