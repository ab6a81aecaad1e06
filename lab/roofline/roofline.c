/* A roofline on the CPU: ceilings and programs, measured in turns. */
#include "lab/roofline/roofline.h"
#include "lab/bench/loops.h"
#include "lab/count/count.h"
#include "lab/experiments.h"
#include "lab/hybridizer/hybridizer_loop.h"
#include "lab/report/isas.h"
#include "lab/roofline/streams.h"
#include "render/base/clock.h"
#include <math.h>
#include <stdlib.h>

#define RES            1000 /* of seed 003: 3 RES x 2 RES pixels */
#define RES_QUICK      20
#define SMALL_PX       2048
#define SMALL_QUICK_PX 64
#define ELEMENTS       ((size_t)1 << 24)
#define ELEMENTS_QUICK ((size_t)1 << 16)
#define PEAK_MS        100
#define PEAK_QUICK_MS  2
#define PEAK_WORK      1e9 /* operations that a peak's time is told for */
#define FMAS_A_STEP    3   /* as in lab/bench/limits.h */
#define MIX            (7.0 / 6)

/* Everything that a run needs; each takes what it wants. */
struct cpu_run {
    struct lab *lab;
    const struct lab_isa *isa;
    int threads;
    const struct roofline_grids *grids;
    struct streams *streams;
    enum number_type type;
    struct roofline_work *work;
};

double roofline_bytes(const struct grid *grid) {
    const double number = grid->type == TYPE_FLOAT ? sizeof(float) : sizeof(double);
    return (double)grid->width_px * grid->height_px * sizeof(uint32_t) +
           (grid->width_px + grid->height_px) * number;
}

static bool run_peak(void *user, double *ms) {
    const struct cpu_run *run = user;
    const double steps_per_s = limit_steps_per_s(run->isa->unit, run->type, run->threads,
                                                 run->lab->quick ? PEAK_QUICK_MS : PEAK_MS, NULL);
    *ms = PEAK_WORK / (steps_per_s * FMAS_A_STEP * 2) * 1e3;
    return true;
}

/* The fastest of three ways to move numbers. */
static bool run_memory(void *user, double *ms) {
    static const enum stream streams[] = {STREAM_COPY, STREAM_TRIAD, STREAM_READ};
    const struct cpu_run *run = user;
    double best = 0;
    for (int i = 0; i < 3; i++) {
        const double start = clock_ms();
        streams_run(run->streams, streams[i]);
        best = fmax(best, stream_bytes(streams[i]) / (clock_ms() - start));
    }
    *ms = stream_bytes(STREAM_ADD) / best;
    return true;
}

static bool run_add(void *user, double *ms) {
    const struct cpu_run *run = user;
    const double start = clock_ms();
    streams_run(run->streams, STREAM_ADD);
    *ms = clock_ms() - start;
    return true;
}

/* After a run, from the counts that it has left. */
static void note_work(const struct cpu_run *run, const struct grid *grid, uint32_t limit) {
    run->work->operations =
        ROOFLINE_STEP_OPERATIONS * (double)grid_steps(grid, run->grids->counts, limit);
    run->work->bytes = roofline_bytes(grid);
}

static bool draw(const struct cpu_run *run, const struct grid *grid, uint32_t limit, double *ms) {
    const struct count_job job = {.width_px = grid->width_px,
                                  .height_px = grid->height_px,
                                  .re = grid->re,
                                  .im = grid->im,
                                  .type = grid->type,
                                  .arithmetic = ARITHMETIC_FUSED,
                                  .shortcuts = SHORTCUTS_NONE,
                                  .limit = limit,
                                  .cpu_flags = run->isa->flags,
                                  .threads = run->threads,
                                  .stop = run->lab->rules.stop,
                                  .count = run->grids->counts};
    const double start = clock_ms();
    const bool ok = count_draw(&job);
    *ms = clock_ms() - start;
    note_work(run, grid, limit);
    return ok;
}

static bool run_paper(void *user, double *ms) {
    const struct cpu_run *run = user;
    return draw(run, &run->grids->paper[run->type], ROOFLINE_PAPER_LIMIT, ms);
}

static bool run_small(void *user, double *ms) {
    const struct cpu_run *run = user;
    return draw(run, &run->grids->small, ROOFLINE_SMALL_LIMIT, ms);
}

static bool run_plain(void *user, double *ms) {
    const struct cpu_run *run = user;
    const struct grid *grid = &run->grids->paper[TYPE_DOUBLE];
    const struct loop_job job = {.width_px = grid->width_px,
                                 .height_px = grid->height_px,
                                 .re = grid->re,
                                 .im = grid->im,
                                 .limit = ROOFLINE_PAPER_LIMIT,
                                 .threads = run->threads,
                                 .stop = run->lab->rules.stop,
                                 .count = run->grids->counts};
    const double start = clock_ms();
    loop_plain_double(&job);
    *ms = clock_ms() - start;
    note_work(run, grid, ROOFLINE_PAPER_LIMIT);
    return true;
}

static bool run_hybridizer(void *user, double *ms) {
    const struct cpu_run *run = user;
    const struct grid *grid = &run->grids->small;
    const double start = clock_ms();
    hybridizer_run(HYBRIDIZER_DYNAMIC, grid->width_px, ROOFLINE_SMALL_LIMIT, run->threads,
                   (int32_t *)run->grids->counts);
    *ms = clock_ms() - start;
    note_work(run, grid, ROOFLINE_SMALL_LIMIT);
    return true;
}

static bool grids_init(struct roofline_grids *grids, const struct lab *lab) {
    const int res = lab->quick ? RES_QUICK : RES;
    const int side = lab->quick ? SMALL_QUICK_PX : SMALL_PX;
    *grids = (struct roofline_grids){0};
    for (enum number_type type = 0; type < TYPE_NATIVE_COUNT; type++)
        if (!grid_init(&grids->paper[type], type, 3 * res, 2 * res, -2, -1, 1.0 / res, false))
            return false;
    if (!grid_init(&grids->small, TYPE_FLOAT, side, side, -2, -2, 4.0 / side, false))
        return false;
    const bool paper_larger = 6 * res * res > side * side;
    grids->counts = grid_counts(paper_larger ? &grids->paper[TYPE_FLOAT] : &grids->small);
    return grids->counts != NULL;
}

static void grids_finish(struct roofline_grids *grids) {
    for (enum number_type type = 0; type < TYPE_NATIVE_COUNT; type++)
        grid_finish(&grids->paper[type]);
    grid_finish(&grids->small);
    free(grids->counts);
}

static void describe(struct lab *lab, const struct roofline_grids *grids) {
    const struct grid *paper = &grids->paper[TYPE_DOUBLE], *small = &grids->small;
    report_text(
        lab->report,
        "Seed 003 shows a roofline of its reference by Intel Advisor; here is one of our own. An "
        "operation is an addition or a multiplication of the program's number type; a step of an "
        "orbit is %d of them however it is made (three fused multiply-adds, which are two each, "
        "and "
        "an addition), and tests for escape do not count. Steps are summed from the counts, "
        "without "
        "shortcuts. Bytes are what must be moved: counts written once, coordinates read once.",
        ROOFLINE_STEP_OPERATIONS);
    report_text(
        lab->report,
        "Programs: seed 003's picture, %dx%d and %d iterations; seed 004's, %dx%d and %d "
        "iterations; its sum of vectors. The ceiling of arithmetic is that of fused "
        "multiply-adds. A step's single addition runs beside them on a CPU, which allows it "
        "7/6 of that ceiling; on a GPU it takes a turn like a multiply-add, which leaves 7/8.",
        paper->width_px, paper->height_px, ROOFLINE_PAPER_LIMIT, small->width_px, small->height_px,
        ROOFLINE_SMALL_LIMIT);
}

static const struct {
    const char *name;
    bool (*run)(void *user, double *ms);
    enum number_type type;
    bool steps;
} programs[] = {
    {"multiply-adds, float", run_peak, TYPE_FLOAT, false},
    {"multiply-adds, double", run_peak, TYPE_DOUBLE, false},
    {"memory, the fastest of copy, triad, reading", run_memory, TYPE_DOUBLE, false},
    {"seed 003, ours, float", run_paper, TYPE_FLOAT, true},
    {"seed 003, ours, double", run_paper, TYPE_DOUBLE, true},
    {"seed 003, a plain loop, double", run_plain, TYPE_DOUBLE, true},
    {"seed 004, ours, float", run_small, TYPE_FLOAT, true},
    {"seed 004, its loop, float", run_hybridizer, TYPE_FLOAT, true},
    {"sum of vectors, double", run_add, TYPE_DOUBLE, false},
};
#define PROGRAMS      (sizeof programs / sizeof *programs)
#define PROGRAM_OURS  (ROOF_COUNT + 1) /* double */
#define PROGRAM_PLAIN (ROOF_COUNT + 2)

/* Numbers differ by their last bits, so sums of steps do by little. */
static bool check_steps(struct lab *lab, const struct roofline_work *work) {
    const double ours = work[PROGRAM_OURS].operations, plain = work[PROGRAM_PLAIN].operations;
    return report_check(
        lab->report, fabs(ours - plain) < 0.01 * plain,
        "ours and the plain loop make the same number of steps to within a hundredth");
}

static bool on_cpu(struct lab *lab, const struct roofline_grids *grids, struct streams *streams) {
    struct racer racers[PROGRAMS] = {{0}};
    struct roofline_work work[PROGRAMS];
    struct cpu_run runs[PROGRAMS];
    struct lab_isa isas[LAB_ISAS_MAX];
    char device[120];
    lab_isas(lab, isas);
    for (size_t i = 0; i < PROGRAMS; i++) {
        const bool steps = programs[i].steps;
        runs[i] = (struct cpu_run){lab,     &isas[0],         lab_threads(lab), grids,
                                   streams, programs[i].type, &work[i]};
        work[i] = (struct roofline_work){
            .operations = i < ROOF_MEMORY ? PEAK_WORK : (double)streams->count,
            .bytes = i < ROOF_MEMORY ? NAN : stream_bytes(STREAM_ADD) * (double)streams->count,
            .roof = programs[i].type == TYPE_FLOAT ? ROOF_FLOAT : ROOF_DOUBLE,
            .mix = steps ? MIX : NAN};
        racers[i] =
            (struct racer){.name = programs[i].name, .run = programs[i].run, .user = &runs[i]};
    }
    work[ROOF_MEMORY].operations = NAN;
    bool ok = race(racers, PROGRAMS, true, &lab->rules);
    snprintf(device, sizeof device, "CPU, %s, %d threads", isas[0].name, lab_threads(lab));
    if (!lab_stopped(lab)) {
        roofline_report(lab, "cpu", device, racers, work, PROGRAMS);
        ok = check_steps(lab, work) && ok;
        ok = report_check(lab->report, streams_right(streams, STREAM_ADD), "all sums are right") &&
             ok;
    }
    race_finish(racers, PROGRAMS);
    return ok;
}

bool roofline_experiment(struct lab *lab) {
    struct roofline_grids grids;
    struct streams streams = {0};
    bool ok =
        grids_init(&grids, lab) &&
        streams_init(&streams, lab->quick ? ELEMENTS_QUICK : ELEMENTS, lab_threads(lab), true);
    if (ok) {
        describe(lab, &grids);
        ok = on_cpu(lab, &grids, &streams);
        ok = !lab_stopped(lab) && roofline_on_gpu(lab, &grids) && ok;
    }
    streams_finish(&streams);
    grids_finish(&grids);
    return ok;
}
