/* Measures contenders in turns, and makes rows of the medians. */
#include "lab/bench/measure.h"
#include "cpu/cpuid.h"
#include "lab/bench/contender.h"
#include "lab/bench/series.h"
#include "render/base/log.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMITS (LIMIT_UNITS * TYPE_COUNT)

/* A contender's measurements on the current view, by repetition. */
struct lane {
    struct contender contender;
    bool open; /* false: it cannot be measured */
    int repeats;
    double ms[BENCH_REPEATS_MAX], elapsed_ms[BENCH_REPEATS_MAX], cpu_ms[BENCH_REPEATS_MAX];
    double iterations, skipped, differing;
};

struct run {
    const struct bench_setup *setup;
    struct devices devices;
    struct series limits[LIMITS], clock; /* of the whole run */
    struct bench_result *result;
};

/* One view being measured. */
struct heat {
    const struct bench_view *view;
    struct subject subject;
    struct lane lanes[CONTENDERS_MAX];
    int count;
    uint32_t *reference[TYPE_COUNT];          /* counts of the first backend; NULL before */
    bool limited[LIMITS];                     /* which limits a contender is held against */
    double limits[LIMITS][BENCH_REPEATS_MAX]; /* steps per second */
};

/* Around a reference steps are others than those that a limit counts. */
static bool has_limit(const struct run *run, const struct heat *heat,
                      const struct contender *contender) {
    const uint32_t flags = cpu_flags(run->setup->options.cpumask);
    return contender->unit != LIMIT_NONE && (contender->unit != LIMIT_SCALAR || flags & CPU_FMA) &&
           !(heat->view->flags & BENCH_DEEP);
}

static size_t limit_index(const struct contender *contender) {
    return (size_t)contender->unit * TYPE_COUNT + contender->type;
}

static double median(const double *values, int count) {
    struct series series = {.values = (double *)values, .count = (size_t)count};
    return series_median(&series);
}

/* --- measuring --- */

/* Counts pixels unlike the reference's; the first backend is the reference. A baseline is compared
 * only where its arithmetic is the backends'. */
static double compare_counts(struct heat *heat, const struct contender *contender) {
    const size_t pixels = (size_t)heat->subject.req.width_px * (size_t)heat->subject.req.height_px;
    uint32_t **reference = &heat->reference[contender->type];
    size_t differing = 0;
    const bool comparable = contender->impl || (contender->loop == loop_plain_double &&
                                                heat->subject.req.arithmetic == ARITHMETIC_UNFUSED);
    if (!comparable || (!*reference && !contender->impl))
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

/* Draws once for what does not change between repetitions. */
static bool warm_up(struct run *run, struct heat *heat) {
    for (int i = 0; i < heat->count; i++) {
        struct lane *lane = &heat->lanes[i];
        struct drawing drawing;
        if (!lane->open)
            continue;
        if (!contender_draw(&lane->contender, &run->devices, &heat->subject, true, &drawing))
            return false;
        lane->iterations = (double)drawing.iterations;
        lane->skipped = (double)drawing.skipped;
        lane->differing = compare_counts(heat, &lane->contender);
    }
    return true;
}

static void measure_limits(struct run *run, struct heat *heat, int repetition) {
    const int threads = run->result->threads;
    for (int unit = 0; unit < LIMIT_UNITS; unit++)
        for (int type = 0; type < TYPE_COUNT; type++) {
            const int i = unit * TYPE_COUNT + type;
            if (!heat->limited[i])
                continue;
            heat->limits[i][repetition] =
                limit_steps_per_s((enum limit_unit)unit, (enum number_type)type, threads,
                                  run->setup->limit_ms, run->devices.gpu);
            series_add(&run->limits[i], heat->limits[i][repetition]);
        }
    series_add(&run->clock, limit_clock_hz(threads, run->setup->limit_ms));
}

static bool repeat(struct run *run, struct heat *heat, int repetition) {
    measure_limits(run, heat, repetition);
    for (int i = 0; i < heat->count; i++) {
        struct lane *lane = &heat->lanes[i];
        struct drawing drawing;
        if (!lane->open)
            continue;
        if (!contender_draw(&lane->contender, &run->devices, &heat->subject, false, &drawing))
            return false;
        lane->ms[repetition] = drawing.ms;
        lane->elapsed_ms[repetition] = drawing.elapsed_ms;
        lane->cpu_ms[repetition] = drawing.cpu_ms;
        lane->repeats = repetition + 1;
    }
    return !run->setup->stop();
}

static bool measure_heat(struct run *run, struct heat *heat) {
    const int repeats = run->setup->repeats;
    for (int repetition = 0; repetition <= repeats; repetition++) {
        if (run->setup->progress)
            run->setup->progress(heat->view->name, repetition, repeats);
        if (!(repetition == 0 ? warm_up(run, heat) : repeat(run, heat, repetition - 1)))
            return false;
    }
    return true;
}

/* --- rows --- */

static bool same_setting(const struct contender *a, const struct contender *b) {
    return a->type == b->type && a->shortcuts == b->shortcuts && a->threads == b->threads;
}

static bool is_reference(enum bench_ratio ratio, const struct contender *own,
                         const struct contender *other) {
    struct contender twin = *own;
    switch (ratio) {
    case RATIO_PLAIN:
        return own->threads > 0 && other->loop == loop_plain_double;
    case RATIO_LOOP:
        return other->type == own->type && !other->impl && other->loop != loop_plain_double &&
               (own->unit >= LIMIT_GPU) == (other->unit >= LIMIT_GPU);
    case RATIO_AVX2:
        return other->impl && other->unit == LIMIT_AVX2 && same_setting(own, other);
    case RATIO_CUDA:
        return other->impl && strcmp(other->name, "cuda") == 0 && same_setting(own, other);
    case RATIO_BARE:
        twin.shortcuts = SHORTCUTS_NONE;
        return own->shortcuts && own->impl == other->impl && same_setting(&twin, other);
    case RATIO_ONE:
        twin.threads = 1;
        return own->threads > 1 && own->impl && own->impl == other->impl &&
               same_setting(&twin, other);
    case RATIO_COUNT:
        break;
    }
    return false;
}

static double ratio(const struct heat *heat, const struct lane *own, enum bench_ratio which) {
    double ratios[BENCH_REPEATS_MAX];
    for (int i = 0; i < heat->count; i++) {
        const struct lane *other = &heat->lanes[i];
        if (!other->repeats || !is_reference(which, &own->contender, &other->contender))
            continue;
        const int repeats = own->repeats < other->repeats ? own->repeats : other->repeats;
        for (int k = 0; k < repeats; k++)
            ratios[k] = other->ms[k] / own->ms[k];
        return median(ratios, repeats);
    }
    return NAN;
}

/* Limits are the whole machine's: of a contender on fewer threads, in proportion. */
static void set_fraction(struct bench_row *row, const struct run *run, const struct heat *heat,
                         const struct lane *lane) {
    const struct contender *c = &lane->contender;
    const double part = c->threads > 0 ? (double)c->threads / run->result->threads : 1;
    const double *limits = heat->limits[limit_index(c)];
    double fractions[BENCH_REPEATS_MAX];
    if (!has_limit(run, heat, c))
        return;
    for (int k = 0; k < lane->repeats; k++)
        fractions[k] = lane->iterations / lane->ms[k] * 1e3 / (part * limits[k]);
    row->limit_per_s = part * median(limits, lane->repeats);
    row->fraction = median(fractions, lane->repeats);
}

static void describe(struct bench_row *row, const struct heat *heat, const struct contender *c) {
    static const char *const shortcuts[] = {"none", "cardioid", "cycle", "all"};
    const struct frame_req *req = &heat->subject.req;
    const bool plain = c->loop == loop_plain_double;
    row->view = heat->view->name;
    row->name = c->name;
    row->kind = c->impl ? "backend" : "baseline";
    row->type = number_type_name(c->type);
    row->arithmetic = c->impl ? arithmetic_names[req->arithmetic] : plain ? "unfused" : "own";
    row->method = c->impl ? method_ids[req->method] : "rows";
    row->shortcuts = shortcuts[c->shortcuts];
    row->width_px = req->width_px;
    row->height_px = req->height_px;
    row->limit = req->limit;
    row->threads = c->threads;
}

static void make_row(struct bench_row *row, const struct run *run, const struct heat *heat,
                     const struct lane *lane) {
    const struct contender *c = &lane->contender;
    struct series ms = {.values = (double *)lane->ms, .count = (size_t)lane->repeats};
    *row = (struct bench_row){.spread = NAN, .cycles = NAN, .limit_per_s = NAN, .fraction = NAN};
    describe(row, heat, c);
    row->repeats = lane->repeats;
    row->ms = series_median(&ms);
    if (lane->repeats > 1)
        row->spread = (series_quantile(&ms, 0.9) - series_quantile(&ms, 0.1)) / row->ms;
    row->elapsed_ms = median(lane->elapsed_ms, lane->repeats);
    row->cpu_ms = median(lane->cpu_ms, lane->repeats);
    row->iterations = lane->iterations;
    row->skipped = lane->skipped;
    row->differing = lane->differing;
    row->per_s = row->iterations / row->ms * 1e3;
    if (row->per_s <= 0)
        row->per_s = NAN; /* nothing to do: no speed */
    if (c->threads > 0)
        row->cycles =
            series_median(&run->clock) * c->threads * limit_lanes(c->unit, c->type) / row->per_s;
    if (heat->subject.req.arithmetic == ARITHMETIC_FUSED || !c->impl)
        set_fraction(row, run, heat, lane);
    for (int i = 0; i < RATIO_COUNT; i++)
        row->ratios[i] = ratio(heat, lane, (enum bench_ratio)i);
}

static bool make_rows(struct run *run, const struct heat *heat) {
    struct bench_result *result = run->result;
    struct bench_row *rows =
        realloc(result->rows, (result->count + (size_t)heat->count) * sizeof *rows);
    if (!rows) {
        log_error("no memory for results");
        return false;
    }
    result->rows = rows;
    for (int i = 0; i < heat->count; i++)
        if (heat->lanes[i].repeats > 0)
            make_row(&rows[result->count++], run, heat, &heat->lanes[i]);
    return true;
}

/* --- the run --- */

static bool open_lanes(struct run *run, struct heat *heat) {
    struct contender list[CONTENDERS_MAX];
    heat->count = contenders_choose(run->setup, heat->view, list);
    bool ok = true;
    for (int i = 0; i < heat->count; i++) {
        struct lane *lane = &heat->lanes[i];
        lane->contender = list[i];
        const bool opened = contender_open(&list[i], &run->devices, &lane->open);
        lane->open = lane->open && opened;
        ok = ok && opened;
        if (lane->open && has_limit(run, heat, &list[i]))
            heat->limited[limit_index(&list[i])] = true;
    }
    return ok;
}

static void finish_heat(struct heat *heat) {
    subject_finish(&heat->subject);
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
    heat->view = view;
    subject_init(&heat->subject);
    bool ok = open_lanes(run, heat);
    if (heat->count > 0) {
        ok = subject_load(&heat->subject, run->setup, view) && measure_heat(run, heat) && ok;
        ok = make_rows(run, heat) && ok;
    }
    finish_heat(heat);
    return ok;
}

static void set_machine(struct run *run) {
    struct bench_result *result = run->result;
    for (size_t i = 0; i < LIMITS; i++) {
        if (run->limits[i].count > 0)
            result->limits[result->limit_count++] = (struct bench_limit){
                (enum limit_unit)(i / TYPE_COUNT), (enum number_type)(i % TYPE_COUNT),
                series_median(&run->limits[i])};
        series_finish(&run->limits[i]);
    }
    result->clock_hz = series_median(&run->clock);
    series_finish(&run->clock);
    for (int i = 0; i < run->devices.count; i++)
        if (run->devices.open[i].threads == 0 && !result->gpu[0])
            snprintf(result->gpu, sizeof result->gpu, "%s",
                     backend_info(run->devices.open[i].backend).device);
}

bool bench_measure(const struct bench_setup *setup, struct bench_result *result) {
    struct run run = {.setup = setup, .result = result};
    *result = (struct bench_result){.threads = setup_threads(setup), .complete = true};
    devices_init(&run.devices, setup);
    for (const struct bench_view *view = bench_views; view->name; view++) {
        if (!setup_lists(setup->views, view->name))
            continue;
        if (setup->stop() || !run_view(&run, view))
            result->complete = false;
        if (setup->stop())
            break;
    }
    set_machine(&run);
    devices_finish(&run.devices);
    if (result->count == 0 && result->complete)
        log_error("nothing to measure: none of these backends works here and draws these views");
    return result->count > 0;
}

void bench_result_finish(struct bench_result *result) {
    free(result->rows);
    *result = (struct bench_result){0};
}
