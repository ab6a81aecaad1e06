/* `fathom bench kernels`: lanes, which are backends in their settings and baselines, draw a view in
 * turns with measurements of the machine's limits. Medians become rows. */
#include "cpu/cpuid.h"
#include "lab/bench/bench.h"
#include "lab/gpu/gpu.h"
#include "lab/paper/paper_loops.h"
#include "lab/report/race.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include "render/sample.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BILLION     1e9 /* steps or cycles whose time represents a limit or the clock in a race */
#define LANES_MAX   48
#define DEVICES_MAX 16

/* Reference that a lane is compared with; ratios are the reference's time over the lane's. */
enum bench_ratio {
    RATIO_PLAIN, /* the plain loop, double */
    RATIO_LOOP,  /* the loop of one vector, or the GPU's baseline, in the same type */
    RATIO_AVX2,  /* the avx2 backend in the same setting */
    RATIO_CUDA,  /* the cuda backend in the same setting */
    RATIO_BARE,  /* the same backend without shortcuts */
    RATIO_ONE,   /* the same backend on one thread */
    RATIO_COUNT
};

struct run {
    const struct bench_setup *setup;
    struct device_open { /* opened when first needed, and kept for the whole run */
        const struct backend_impl *impl;
        int threads;
        struct backend *backend;
    } open[DEVICES_MAX];
    int open_count;
    struct lab_gpu *gpu; /* NULL: not opened yet */
    /* Over the whole run: [ms] for BILLION steps or cycles. */
    struct series limits[LIMIT_UNITS][TYPE_COUNT], clock;
    struct bench_result *result;
};

/* Backend in its settings, or a baseline, on the current view. */
struct lane {
    struct heat *heat;
    const char *name;                /* name of the backend, or "plain", "avx2-loop", "cuda-loop" */
    const struct backend_impl *impl; /* NULL: a baseline */
    struct backend *backend;
    loop_fn *loop; /* CPU baseline; both NULL: the GPU's baseline */
    enum limit_unit unit;
    enum number_type type;
    unsigned shortcuts;
    int threads; /* 0: on the GPU */
    bool drawn;
    struct racer *racer;
    double iterations, skipped, differing;
};

/* View that is being measured. */
struct heat {
    struct run *run;
    const struct bench_view *view;
    struct subject subject;
    struct lane lanes[LANES_MAX];
    int count;
    bool cpu, gpu;                   /* a backend runs on it; for GPUs: on one that CUDA supports */
    bool failed;                     /* a device could not be opened */
    uint32_t *reference[TYPE_COUNT]; /* counts of the first backend; NULL until they are known */
    struct racer *limits[LIMIT_UNITS][TYPE_COUNT]; /* NULL: no lane is compared with it */
    /* The clock's racer is the first. */
    struct racer racers[1 + LIMIT_UNITS * TYPE_COUNT + LANES_MAX];
    int racer_count;
};

/* --- choosing lanes --- */

/* Returns the opened backend, or NULL if it could not be opened, which is logged. */
static struct backend *open_backend(struct run *run, const struct backend_impl *impl, int threads) {
    struct backend_options options = run->setup->options;
    for (int i = 0; i < run->open_count; i++)
        if (run->open[i].impl == impl && run->open[i].threads == threads)
            return run->open[i].backend;
    options.threads = threads;
    struct backend *backend = run->open_count < DEVICES_MAX
                                  ? backend_open(run->setup->impls, impl->name, &options)
                                  : NULL;
    if (backend)
        run->open[run->open_count++] = (struct device_open){impl, threads, backend};
    return backend;
}

/* Adds a lane and opens its device. Leaves out backends that are not exact. */
static void add(struct heat *heat, struct lane lane) {
    struct run *run = heat->run;
    if (lane.unit == LIMIT_GPU && !run->gpu)
        run->gpu = lab_gpu_create(run->setup->options.device);
    if (lane.impl)
        lane.backend = open_backend(run, lane.impl, lane.threads);
    if ((lane.unit == LIMIT_GPU && !run->gpu) || (lane.impl && !lane.backend))
        heat->failed = true;
    else if (heat->count < LANES_MAX &&
             (!lane.impl || backend_info(lane.backend).caps & BACKEND_CAP_EXACT))
        heat->lanes[heat->count++] = lane;
}

/* Returns the unit of the CPU backend of that name, or for a GPU LIMIT_GPU if CUDA supports it. */
static enum limit_unit unit_of(const struct backend_impl *impl, const struct bench_setup *setup) {
    const struct backend_impl *const *impls;
    const char *why = "";
    for (int unit = 0; unit < LIMIT_GPU; unit++)
        if (strcmp(impl->name, limit_unit_name((enum limit_unit)unit)) == 0)
            return (enum limit_unit)unit;
    for (impls = setup->impls; *impls; impls++)
        if (strcmp((*impls)->name, "cuda") == 0 && (*impls)->usable(&setup->options, &why))
            return LIMIT_GPU;
    return LIMIT_NONE;
}

static bool wanted(const struct heat *heat, const struct backend_impl *impl, enum limit_unit unit) {
    const struct bench_setup *setup = heat->run->setup;
    const unsigned flags = heat->view->flags;
    const char *why = "";
    if (!(setup->backends ? bench_lists(setup->backends, impl->name) : impl->automatic) ||
        !(flags & (unit < LIMIT_GPU ? BENCH_CPU : BENCH_GPU)))
        return false;
    if (unit == LIMIT_SCALAR && !(flags & BENCH_SCALAR) && !setup->backends)
        return false;
    return impl->usable(&setup->options, &why);
}

/* Returns true if the backends draw this view in a type. Wide numbers are drawn only if the view
 * shows them or only they are requested; perturbed views only in doubles. */
static bool draws_in(const struct heat *heat, enum number_type type) {
    const struct bench_setup *setup = heat->run->setup;
    if (!(setup->types >> type & 1))
        return false;
    if (heat->view->flags & BENCH_DEEP)
        return type == TYPE_DOUBLE;
    return type != TYPE_WIDE || heat->view->flags & BENCH_WIDE || setup->types == 1u << type;
}

/* Adds a backend in all its settings. */
static void add_backend(struct heat *heat, const struct backend_impl *impl) {
    const struct bench_setup *setup = heat->run->setup;
    const enum limit_unit unit = unit_of(impl, setup);
    const unsigned flags = heat->view->flags;
    const bool gpu = unit >= LIMIT_GPU;
    const int threads = gpu ? 0 : bench_threads(&setup->options);
    const unsigned other = setup->shortcuts ? SHORTCUTS_NONE : SHORTCUTS_ALL;
    if (!wanted(heat, impl, unit))
        return;
    heat->cpu = heat->cpu || !gpu;
    heat->gpu = heat->gpu || unit == LIMIT_GPU;
    for (int type = 0; type < TYPE_COUNT; type++) {
        struct lane lane = {.heat = heat,
                            .name = impl->name,
                            .impl = impl,
                            .unit = unit,
                            .type = (enum number_type)type,
                            .shortcuts = setup->shortcuts,
                            .threads = threads};
        if (!draws_in(heat, lane.type))
            continue;
        add(heat, lane);
        if (flags & BENCH_SCALING && threads > 1 && unit != LIMIT_SCALAR) {
            lane.threads = 1;
            add(heat, lane);
            lane.threads = threads;
        }
        if (flags & BENCH_SHORTCUTS) {
            lane.shortcuts = other;
            add(heat, lane);
        }
    }
}

static void add_baselines(struct heat *heat) {
    static loop_fn *const loops[TYPE_NATIVE_COUNT] = {loop_vector_float, loop_vector_double};
    const struct bench_setup *setup = heat->run->setup;
    const int threads = bench_threads(&setup->options);
    const bool cpu = heat->cpu && heat->view->flags & BENCH_SCALAR;
    const bool avx2 = cpu_flags(setup->options.cpumask) & CPU_AVX2;
    if (cpu)
        add(heat, (struct lane){.heat = heat,
                                .name = "plain",
                                .loop = loop_plain_double,
                                .unit = LIMIT_SCALAR,
                                .type = TYPE_DOUBLE,
                                .threads = threads});
    for (int type = 0; type < TYPE_NATIVE_COUNT; type++) {
        if (!(setup->types >> type & 1))
            continue;
        if (cpu && avx2)
            add(heat, (struct lane){.heat = heat,
                                    .name = "avx2-loop",
                                    .loop = loops[type],
                                    .unit = LIMIT_AVX2,
                                    .type = (enum number_type)type,
                                    .threads = threads});
        if (heat->gpu)
            add(heat, (struct lane){.heat = heat,
                                    .name = "cuda-loop",
                                    .unit = LIMIT_GPU,
                                    .type = (enum number_type)type});
    }
}

static void choose_lanes(struct heat *heat) {
    for (const struct backend_impl *const *impl = heat->run->setup->impls; *impl; impl++)
        add_backend(heat, *impl);
    if (!(heat->view->flags & BENCH_DEEP))
        add_baselines(heat);
}

/* --- drawing --- */

static double processor_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Draws the subject and waits. With `counts` the counts are in subject->count afterwards, which
 * takes longer. ms[0] is the device's time if it is reported, ms[1] the time from submit to done.
 * Returns false if it failed (logged) or was stopped. */
static bool draw_backend(struct lane *lane, bool counts, double ms[2]) {
    struct backend_report report;
    if (!subject_draw(&lane->heat->subject, lane->backend, lane->type, lane->shortcuts, counts,
                      lane->heat->run->setup->stop, &report))
        return false;
    ms[0] = report.device_ms > 0 ? report.device_ms : report.elapsed_ms;
    ms[1] = report.elapsed_ms;
    lane->iterations = (double)report.iterations;
    lane->skipped = (double)report.skipped;
    return true;
}

/* Draws with the GPU baseline: seed 003's kernel, with its literal 2.0 in the number type. */
static bool draw_gpu_loop(const struct lane *lane, bool counts, double *ms) {
    const struct subject *subject = &lane->heat->subject;
    struct gpu_times times;
    const struct gpu_job job = {.program = GPU_PAPER_TYPED,
                                .type = lane->type,
                                .width_px = subject->req.width_px,
                                .height_px = subject->req.height_px,
                                .re = subject->re[lane->type],
                                .im = subject->im[lane->type],
                                .limit = subject->req.limit,
                                .count = counts ? subject->count : NULL};
    if (!lab_gpu_count(lane->heat->run->gpu, &job, &times))
        return false;
    *ms = times.kernel_ms;
    return true;
}

/* Returns the steps of all pixels. The GPU's baseline stores 0 for points that do not escape. */
static double sum_counts(const struct subject *subject) {
    const size_t pixels = (size_t)subject->req.width_px * (size_t)subject->req.height_px;
    uint64_t sum = 0;
    for (size_t i = 0; i < pixels; i++)
        sum += subject->count[i] ? subject->count[i] : subject->req.limit;
    return (double)sum;
}

static bool draw_baseline(struct lane *lane, bool counts, double ms[2]) {
    const struct subject *subject = &lane->heat->subject;
    const struct loop_job job = {.width_px = subject->req.width_px,
                                 .height_px = subject->req.height_px,
                                 .re = subject->re[lane->type],
                                 .im = subject->im[lane->type],
                                 .limit = subject->req.limit,
                                 .threads = lane->threads,
                                 .stop = lane->heat->run->setup->stop,
                                 .count = subject->count};
    const double start = clock_ms();
    if (lane->loop) {
        lane->loop(&job);
        *ms = clock_ms() - start;
    } else if (!draw_gpu_loop(lane, counts, ms)) {
        return false;
    }
    ms[1] = ms[0];
    return !job.stop();
}

/* --- measuring --- */

/* Returns true if a limit applies to the lane. Steps of perturbed orbits are not those that limits
 * count. */
static bool has_limit(const struct lane *lane) {
    const uint32_t flags = cpu_flags(lane->heat->run->setup->options.cpumask);
    return lane->unit != LIMIT_NONE && (lane->unit != LIMIT_SCALAR || flags & CPU_FMA) &&
           !(lane->heat->view->flags & BENCH_DEEP);
}

static bool run_clock(void *user, double *ms) {
    const struct run *run = user;
    *ms = 1e3 * BILLION / limit_clock_hz(run->result->threads, run->setup->limit_ms);
    return true;
}

/* Measures a limit. `user`: a lane that is compared with it. */
static bool run_limit(void *user, double *ms) {
    const struct lane *lane = user;
    const struct run *run = lane->heat->run;
    *ms = 1e3 * BILLION /
          limit_steps_per_s(lane->unit, lane->type, run->result->threads, run->setup->limit_ms,
                            run->gpu);
    return !isnan(*ms);
}

/* Returns the number of pixels that differ from the reference, the first backend. Baselines round
 * differently and are not compared. */
static double compare_counts(const struct lane *lane) {
    struct heat *heat = lane->heat;
    const size_t pixels = (size_t)heat->subject.req.width_px * (size_t)heat->subject.req.height_px;
    uint32_t **reference = &heat->reference[lane->type];
    size_t differing = 0;
    if (!lane->impl)
        return NAN;
    if (!*reference) {
        *reference = malloc(pixels * sizeof **reference);
        if (!*reference)
            return NAN;
        memcpy(*reference, heat->subject.count, pixels * sizeof **reference);
    }
    for (size_t i = 0; i < pixels; i++)
        differing += ((heat->subject.count[i] ^ (*reference)[i]) & SAMPLE_COUNT_MASK) != 0;
    return (double)differing;
}

/* Draws once. The first, untimed call also finds the values that do not change between repetitions.
 * Notes: the time from submit to done, and the CPU time. */
static bool run_lane(void *user, double *ms) {
    struct lane *lane = user;
    const bool first = !lane->drawn;
    const double start = processor_ms();
    if (!(lane->impl ? draw_backend : draw_baseline)(lane, first, ms))
        return false;
    ms[2] = processor_ms() - start;
    lane->drawn = true;
    if (first) {
        lane->differing = compare_counts(lane);
        if (!lane->impl)
            lane->iterations = sum_counts(&lane->heat->subject);
    }
    return true;
}

static struct racer *add_racer(struct heat *heat, bool (*run)(void *user, double *ms), void *user) {
    struct racer *racer = &heat->racers[heat->racer_count++];
    *racer = (struct racer){.name = heat->view->name, .run = run, .user = user};
    return racer;
}

static void add_racers(struct heat *heat) {
    add_racer(heat, run_clock, heat->run);
    for (int i = 0; i < heat->count; i++) {
        struct lane *lane = &heat->lanes[i];
        struct racer **limit = has_limit(lane) ? &heat->limits[lane->unit][lane->type] : NULL;
        if (limit && !*limit)
            *limit = add_racer(heat, run_limit, lane);
    }
    for (int i = 0; i < heat->count; i++)
        heat->lanes[i].racer = add_racer(heat, run_lane, &heat->lanes[i]);
}

static void add_series(struct series *all, const struct racer *racer) {
    for (size_t i = 0; racer && i < racer->ms.count; i++)
        series_add(all, racer->ms.values[i]);
}

static bool measure_heat(struct heat *heat) {
    struct run *run = heat->run;
    const struct race_rules rules = {.repeats = run->setup->repeats,
                                     .budget_ms = INFINITY,
                                     .stop = run->setup->stop,
                                     .progress = bench_progress};
    const bool ok = race(heat->racers, heat->racer_count, true, &rules);
    add_series(&run->clock, &heat->racers[0]);
    for (int unit = 0; unit < LIMIT_UNITS; unit++)
        for (int type = 0; type < TYPE_COUNT; type++)
            add_series(&run->limits[unit][type], heat->limits[unit][type]);
    return ok && !run->setup->stop();
}

/* --- rows --- */

static bool is_reference(enum bench_ratio ratio, const struct lane *own, const struct lane *other) {
    const bool type = own->type == other->type, shortcuts = own->shortcuts == other->shortcuts;
    const bool threads = own->threads == other->threads, same = own->impl == other->impl;
    switch (ratio) {
    case RATIO_PLAIN:
        return own->threads > 0 && other->loop == loop_plain_double;
    case RATIO_LOOP:
        return type && !other->impl && other->loop != loop_plain_double &&
               (own->unit >= LIMIT_GPU) == (other->unit >= LIMIT_GPU);
    case RATIO_AVX2:
        return other->impl && other->unit == LIMIT_AVX2 && type && shortcuts && threads;
    case RATIO_CUDA:
        return other->impl && strcmp(other->name, "cuda") == 0 && type && shortcuts && threads;
    case RATIO_BARE:
        return own->shortcuts && !other->shortcuts && same && type && threads;
    case RATIO_ONE:
        return own->threads > 1 && other->threads == 1 && own->impl && same && type && shortcuts;
    case RATIO_COUNT:
        break;
    }
    return false;
}

static double ratio(const struct lane *own, enum bench_ratio which) {
    const struct heat *heat = own->heat;
    for (int i = 0; i < heat->count; i++) {
        if (is_reference(which, own, &heat->lanes[i]))
            return race_ratio(own->racer, heat->lanes[i].racer);
    }
    return NAN;
}

/* Finds the steps per second that the machine could reach, and the lane's share of them. Limits
 * apply to the whole machine, and are scaled down for a lane on fewer threads. */
static void find_limit(const struct lane *lane, double *per_s, double *share) {
    const int all = lane->heat->run->result->threads;
    const double part = lane->threads > 0 ? (double)lane->threads / all : 1;
    *per_s = *share = NAN;
    if (!has_limit(lane))
        return;
    const struct racer *limit = lane->heat->limits[lane->unit][lane->type];
    *per_s = part * 1e3 * BILLION / race_median(limit);
    *share = race_ratio(lane->racer, limit) * lane->iterations / BILLION / part;
}

/* Adds a row to `all`, with every field, for programs, and one to `shown`, for people. */
static void add_rows(const struct lane *lane, struct table *all, struct table *shown) {
    static const char *const shortcuts[] = {"none", "cardioid", "cycle", "all"};
    const struct frame_req *req = &lane->heat->subject.req;
    const struct series *times = &lane->racer->ms;
    const double ms = series_median(times), steps = lane->iterations, skipped = lane->skipped;
    const double spread = (series_quantile(times, 0.9) - series_quantile(times, 0.1)) / ms;
    const double elapsed = series_median(&lane->racer->notes[0]);
    const double cpu = series_median(&lane->racer->notes[1]);
    const double per_s = steps > 0 ? steps / ms * 1e3 : NAN; /* no steps: no speed */
    const double cycles = 1e3 * BILLION / series_median(&lane->heat->run->clock) * lane->threads *
                          limit_lanes(lane->unit, lane->type) / per_s;
    double r[RATIO_COUNT], limit, share;
    for (int i = 0; i < RATIO_COUNT; i++)
        r[i] = ratio(lane, (enum bench_ratio)i);
    find_limit(lane, &limit, &share);
    table_add(all,
              "%s %s %s %s %s %d %d %g %d %d %g %g %g %g %g %g %g %g %g %g %g %g %g %g %g %g %g",
              lane->heat->view->name, lane->name, lane->impl ? "backend" : "baseline",
              number_type_name(lane->type), shortcuts[lane->shortcuts], req->width_px,
              req->height_px, (double)req->limit, lane->threads, (int)times->count, ms,
              times->count > 1 ? spread : NAN, elapsed, cpu, steps, skipped, per_s,
              lane->threads > 0 ? cycles : NAN, limit, share, r[RATIO_PLAIN], r[RATIO_LOOP],
              r[RATIO_AVX2], r[RATIO_CUDA], r[RATIO_BARE], r[RATIO_ONE], lane->differing);
    table_add(shown, "%s %s %s %g %g %g %g %g %g %g %g %g %g %g %g %g %g %g", lane->name,
              number_type_name(lane->type), shortcuts[lane->shortcuts],
              lane->threads > 0 ? lane->threads : NAN, ms, times->count > 1 ? 100 * spread : NAN,
              elapsed, cpu, per_s / BILLION, 100 * skipped / (steps + skipped), r[RATIO_PLAIN],
              r[RATIO_LOOP], r[RATIO_AVX2], r[RATIO_CUDA], r[RATIO_BARE], r[RATIO_ONE],
              lane->threads > 0 ? cycles : NAN, share);
}

static void make_rows(const struct heat *heat) {
    const struct run *run = heat->run;
    const struct bench_view *view = heat->view;
    const struct frame_req *req = &heat->subject.req;
    char title[100];
    snprintf(title, sizeof title, "%dx%d, %u iterations, %d repetitions", req->width_px,
             req->height_px, req->limit, run->setup->repeats);
    struct table *shown =
        table_of("", title,
                 "backend|type|shortcuts|threads:0|ms:3|spread, %:1|whole:3|cpu:3|"
                 "Gstep/s:3|skips, %:1|/plain:2|/loop:2|/avx2:2|/cuda:2|/none:2|"
                 "/1thr:2|cycles:2|limit:3");
    bool any = false;
    for (int i = 0; i < heat->count; i++)
        if (heat->lanes[i].racer->ms.count > 0) {
            add_rows(&heat->lanes[i], run->result->rows, shown);
            any = true;
        }
    run->result->measured = run->result->measured || any;
    if (any && run->setup->shown) {
        progress_hide();
        fprintf(run->setup->shown, "%s: %s\nat %s %s%si, %g wide\n\n", view->name, view->what,
                view->re, view->im[0] == '-' ? "" : "+", view->im, view->width);
        table_markdown(shown, run->setup->shown);
    }
    table_destroy(shown);
}

/* --- the run --- */

static void finish_heat(struct heat *heat) {
    subject_finish(&heat->subject);
    race_finish(heat->racers, heat->racer_count);
    for (int type = 0; type < TYPE_COUNT; type++)
        free(heat->reference[type]);
    free(heat);
}

static bool run_view(struct run *run, const struct bench_view *view) {
    struct heat *heat = calloc(1, sizeof *heat);
    if (!heat) {
        log_error("no memory for measurements");
        return false;
    }
    heat->run = run;
    heat->view = view;
    subject_init(&heat->subject);
    choose_lanes(heat);
    add_racers(heat);
    bool ok = !heat->failed;
    if (heat->count > 0) {
        ok = subject_load(&heat->subject, run->setup, view) && measure_heat(heat) && ok;
        make_rows(heat);
    }
    finish_heat(heat);
    return ok;
}

static double finish_rate(struct series *ms) {
    const double rate = 1e3 * BILLION / series_median(ms);
    series_finish(ms);
    return rate;
}

/* Stores the results of the run and closes its devices. */
static void finish_run(struct run *run) {
    struct bench_result *result = run->result;
    for (enum limit_unit unit = 0; unit < LIMIT_UNITS; unit++)
        for (enum number_type type = 0; type < TYPE_COUNT; type++) {
            const double rate = finish_rate(&run->limits[unit][type]);
            if (!isnan(rate))
                table_add(result->limits, "%s %s %g", limit_unit_name(unit), number_type_name(type),
                          rate);
        }
    result->clock_hz = finish_rate(&run->clock);
    for (int i = 0; i < run->open_count; i++) {
        if (run->open[i].threads == 0 && !result->gpu[0])
            snprintf(result->gpu, sizeof result->gpu, "%s",
                     backend_info(run->open[i].backend).device);
        backend_close(run->open[i].backend);
    }
    lab_gpu_destroy(run->gpu);
}

bool bench_measure(const struct bench_setup *setup, struct bench_result *result) {
    struct run run = {.setup = setup, .result = result};
    *result = (struct bench_result){
        .rows = table_of("", "",
                         "view|name|kind|type|shortcuts|width:0|height:0|limit:0|threads:0|"
                         "repeats:0|ms:3|spread:3|elapsed_ms:3|cpu_ms:3|iterations:0|"
                         "iterations_skipped:0|iterations_per_s:0|cycles_per_vector_step:3|"
                         "limit_per_s:0|limit_fraction:3|over_plain:3|over_loop:3|"
                         "over_avx2:3|over_cuda:3|over_no_shortcuts:3|over_one_thread:3|"
                         "pixels_differing:0"),
        .limits = table_of("", "Limits", "unit|type|steps_per_s:0"),
        .threads = bench_threads(&setup->options),
        .complete = true};
    for (const struct bench_view *view = bench_views; view->name; view++) {
        if (!bench_lists(setup->views, view->name))
            continue;
        if (setup->stop() || !run_view(&run, view))
            result->complete = false;
        if (setup->stop())
            break;
    }
    finish_run(&run);
    if (!result->measured && result->complete)
        log_error("nothing to measure: none of these backends works here and draws these views");
    return result->measured;
}

void bench_result_finish(struct bench_result *result) {
    table_destroy(result->rows);
    table_destroy(result->limits);
    *result = (struct bench_result){0};
}
