/* Experiment `roofline`: the speed of programs under the ceilings of arithmetic and memory, for the
 * CPU and the GPU. Ceilings and programs are measured in turns. GPU times are those of kernels
 * alone, without copies. */
#include "cpu/cpuid.h"
#include "lab/bench/limits.h"
#include "lab/count/count.h"
#include "lab/gpu/gpu.h"
#include "lab/hybridizer/hybridizer_loop.h"
#include "lab/lab.h"
#include "lab/paper/paper_loops.h"
#include "lab/report/grid.h"
#include "lab/roofline/streams.h"
#include "render/base/clock.h"
#include <math.h>
#include <stdlib.h>

/* Operations of a step, however it is computed: three products of z's parts, a product with 2, and
 * three sums. Escape tests do not count. */
#define STEP_OPERATIONS 7
#define RES             1000 /* resolution of seed 003: 3 RES x 2 RES pixels */
#define RES_QUICK       20
#define PAPER_LIMIT     1000
#define SMALL_PX        2048 /* side of seed 004's picture */
#define SMALL_QUICK_PX  64
#define SMALL_LIMIT     32
#define ELEMENTS        ((size_t)1 << 24)
#define ELEMENTS_GPU    ((size_t)1 << 27)
#define ELEMENTS_QUICK  ((size_t)1 << 16)
#define PEAK_MS         100
#define PEAK_QUICK_MS   2
#define PEAK_WORK       1e9 /* operations whose time represents a peak */
#define PROGRAMS_MAX    10

/* Programs of a roofline; its ceilings come first. */
enum roof { ROOF_FLOAT, ROOF_DOUBLE, ROOF_MEMORY, ROOF_COUNT, OURS_FLOAT = ROOF_COUNT, OURS };

/* Machine and its pictures: seed 003's region by number type, and seed 004's in floats. */
struct machine {
    struct lab *lab;
    struct lab_isa isa; /* best instruction set of the CPU */
    int threads;
    struct lab_gpu *gpu; /* NULL: the CPU */
    struct grid paper[TYPE_NATIVE_COUNT], small;
    uint32_t *counts; /* output of the programs, with room for the largest picture */
    struct streams streams;
    size_t elements; /* length of the vectors */
};

struct program {
    const char *name;
    bool (*run)(void *user, double *ms);
    enum number_type type;
    bool small;               /* draws seed 004's picture */
    enum gpu_program picture; /* on the GPU */
};

struct runner {
    struct machine *machine;
    const struct program *program;
    const struct grid *grid;
    uint32_t limit;
    double operations, bytes; /* of a run; NaN: not a measure of it */
    bool noted;
};

static bool run_peak(void *user, double *ms) {
    const struct runner *runner = user;
    const struct machine *m = runner->machine;
    const int fmas_a_step = m->gpu ? 4 : 3; /* as in lab/bench/limits.h */
    const double steps_per_s =
        limit_steps_per_s(m->gpu ? LIMIT_GPU : m->isa.unit, runner->program->type, m->threads,
                          m->lab->quick ? PEAK_QUICK_MS : PEAK_MS, m->gpu);
    *ms = PEAK_WORK / (steps_per_s * fmas_a_step * 2) * 1e3;
    return !isnan(*ms);
}

/* Times the transfers of a vector sum. */
static bool move(const struct runner *runner, enum stream stream, enum gpu_add kernel, double *ms) {
    struct machine *m = runner->machine;
    double gb_per_s;
    if (m->gpu) {
        if (!lab_gpu_add(m->gpu, kernel, m->elements, &gb_per_s))
            return false;
        *ms = runner->bytes / gb_per_s / 1e6;
        return true;
    }
    const double start = clock_ms();
    streams_run(&m->streams, stream);
    *ms = (clock_ms() - start) * stream_bytes(STREAM_ADD) / stream_bytes(stream);
    return true;
}

static bool run_memory(void *user, double *ms) {
    return move(user, STREAM_COPY, GPU_COPY_KERNEL, ms);
}

static bool run_add(void *user, double *ms) {
    return move(user, STREAM_ADD, GPU_ADD_OURS, ms);
}

/* Computes the work of a picture from the counts that the first, untimed run has left. Bytes:
 * coordinates read once and counts written once. Seed 004 counts differently, but its counts
 * represent the same number of steps. */
static void note_work(struct runner *runner) {
    const struct grid *grid = runner->grid;
    const double number = grid->type == TYPE_FLOAT ? sizeof(float) : sizeof(double);
    if (runner->noted)
        return;
    runner->operations =
        STEP_OPERATIONS * (double)grid_steps(grid, runner->machine->counts, runner->limit);
    runner->bytes =
        (double)grid_points(grid) * sizeof(uint32_t) + (grid->width_px + grid->height_px) * number;
    runner->noted = true;
}

static bool run_on_gpu(void *user, double *ms) {
    struct runner *runner = user;
    struct gpu_times times;
    const struct gpu_job job = {GRID_POINTS(runner->grid), .program = runner->program->picture,
                                .type = runner->program->type, .limit = runner->limit,
                                .count = runner->machine->counts};
    if (!lab_gpu_count(runner->machine->gpu, &job, &times))
        return false;
    *ms = times.kernel_ms;
    note_work(runner);
    return true;
}

static bool run_ours(void *user, double *ms) {
    struct runner *runner = user;
    const struct machine *m = runner->machine;
    (void)ms;
    const bool ok = count_draw(
        &(struct count_job){GRID_POINTS(runner->grid), .type = runner->grid->type,
                            .limit = runner->limit, .cpu_flags = cpu_flags(m->lab->options.cpumask),
                            .threads = m->threads, .stop = m->lab->rules.stop, .count = m->counts});
    note_work(runner);
    return ok;
}

static bool run_plain(void *user, double *ms) {
    struct runner *runner = user;
    const struct machine *m = runner->machine;
    (void)ms;
    loop_plain_double(&(struct loop_job){GRID_POINTS(runner->grid), .limit = runner->limit,
                                         .threads = m->threads, .stop = m->lab->rules.stop,
                                         .count = m->counts});
    note_work(runner);
    return true;
}

static bool run_hybridizer(void *user, double *ms) {
    struct runner *runner = user;
    const struct machine *m = runner->machine;
    (void)ms;
    hybridizer_run(runner->grid->width_px, SMALL_LIMIT, m->threads, (int32_t *)m->counts);
    note_work(runner);
    return true;
}

static const struct program cpu_programs[] = {
    {"multiply-adds, float", run_peak, .type = TYPE_FLOAT},
    {"multiply-adds, double", run_peak, .type = TYPE_DOUBLE},
    {"memory, a copy", run_memory, .type = TYPE_DOUBLE},
    {"seed 003, ours, float", run_ours, .type = TYPE_FLOAT},
    {"seed 003, ours, double", run_ours, .type = TYPE_DOUBLE},
    {"seed 003, a plain loop, double", run_plain, .type = TYPE_DOUBLE},
    {"seed 004, ours, float", run_ours, TYPE_FLOAT, .small = true},
    {"seed 004, its loop, float", run_hybridizer, TYPE_FLOAT, .small = true},
    {"sum of vectors, double", run_add, .type = TYPE_DOUBLE},
};
static const struct program gpu_programs[] = {
    {"multiply-adds, float", run_peak, .type = TYPE_FLOAT},
    {"multiply-adds, double", run_peak, .type = TYPE_DOUBLE},
    {"memory, a copy", run_memory, .type = TYPE_DOUBLE},
    {"seed 003, ours, float", run_on_gpu, TYPE_FLOAT, false, GPU_OURS},
    {"seed 003, ours, double", run_on_gpu, TYPE_DOUBLE, false, GPU_OURS},
    {"seed 003, its kernel, float", run_on_gpu, TYPE_FLOAT, false, GPU_PAPER_TYPED},
    {"seed 003, its kernel, double", run_on_gpu, TYPE_DOUBLE, false, GPU_PAPER_TYPED},
    {"seed 004, ours, float", run_on_gpu, TYPE_FLOAT, true, GPU_OURS},
    {"seed 004, its balanced kernel, float", run_on_gpu, TYPE_FLOAT, true, GPU_HYBRIDIZER_GRID},
    {"sum of vectors, double", run_add, .type = TYPE_DOUBLE},
};

/* --- tables, from which plots.gp draws --- */

static const struct runner *runner_of(const struct racer *racer) {
    return racer->user;
}

static double operations_per_s(const struct racer *racer) {
    return runner_of(racer)->operations / race_median(racer) * 1e3;
}

static double bytes_per_s(const struct racer *racer) {
    return runner_of(racer)->bytes / race_median(racer) * 1e3;
}

/* Returns the operations per byte at which the memory's ceiling meets a compute ceiling. */
static double ridge(const struct racer *racers, enum roof roof) {
    return operations_per_s(&racers[roof]) / bytes_per_s(&racers[ROOF_MEMORY]);
}

static void roofs_table(const struct machine *m, const struct racer *racers) {
    struct table *table =
        table_of(m->gpu ? "roofline-gpu-roofs" : "roofline-cpu-roofs", "The ceilings",
                 "ceiling|billion operations/s:1|GB/s:1|meets memory's at operations/byte:2");
    for (int i = 0; i < ROOF_COUNT; i++)
        table_add(table, "%s %g %g %g", racers[i].name, operations_per_s(&racers[i]) / 1e9,
                  bytes_per_s(&racers[i]) / 1e9,
                  i == ROOF_MEMORY ? NAN : ridge(racers, (enum roof)i));
    report_table(m->lab->report, table);
}

static void add_program(struct table *table, const struct racer *racers, const struct racer *own) {
    const struct runner *runner = runner_of(own);
    const enum roof type = runner->program->type == TYPE_FLOAT ? ROOF_FLOAT : ROOF_DOUBLE;
    const double intensity = runner->operations / runner->bytes;
    const bool memory = intensity < ridge(racers, type);
    const struct runner *roof = runner_of(&racers[memory ? ROOF_MEMORY : type]);
    /* share of the ceiling above it, from the rounds in which both ran */
    const double share =
        100 * race_ratio(own, &racers[memory ? ROOF_MEMORY : type]) *
        (memory ? runner->bytes / roof->bytes : runner->operations / roof->operations);
    table_add(table, "%s %g %g %g %g %g %s %g", own->name, runner->operations / 1e6,
              runner->bytes / 1e6, intensity, race_median(own), operations_per_s(own) / 1e9,
              memory ? "memory" : "arithmetic", share);
}

static void programs_table(const struct machine *m, const struct racer *racers, int count) {
    struct table *table =
        table_of(m->gpu ? "roofline-gpu" : "roofline-cpu", "Programs under them",
                 "program|million operations:1|MB:3|operations/byte:2|time, ms:3|billion "
                 "operations/s:2|bound by|of that ceiling, %:1");
    for (int i = ROOF_COUNT; i < count; i++)
        add_program(table, racers, &racers[i]);
    report_table(m->lab->report, table);
}

/* --- the experiment --- */

/* Checks the CPU's results. Programs round differently, so sums of steps differ slightly. */
static bool check_cpu(const struct machine *m, const struct racer *racers) {
    const double ours = runner_of(&racers[OURS])->operations;
    const double plain = runner_of(&racers[OURS + 1])->operations;
    const bool same =
        report_check(m->lab->report, fabs(ours - plain) < 0.01 * plain,
                     "ours and the plain loop make the same number of steps to within a hundredth");
    return report_check(m->lab->report, streams_right(&m->streams),
                        "all sums and copies are right") &&
           same;
}

static bool measure(struct machine *m, const char *device, const struct program *programs,
                    int count) {
    struct racer racers[PROGRAMS_MAX] = {{0}};
    struct runner runners[PROGRAMS_MAX];
    for (int i = 0; i < count; i++) {
        const struct program *program = &programs[i];
        runners[i] =
            (struct runner){.machine = m,
                            .program = program,
                            .grid = program->small ? &m->small : &m->paper[program->type],
                            .limit = program->small ? SMALL_LIMIT : PAPER_LIMIT,
                            .operations = i < ROOF_MEMORY ? PEAK_WORK : (double)m->elements,
                            .bytes = i < ROOF_MEMORY ? NAN : 24 * (double)m->elements};
        racers[i] = (struct racer){.name = program->name, .run = program->run, .user = &runners[i]};
    }
    runners[ROOF_MEMORY].operations = NAN;
    bool ok = race(racers, count, true, &m->lab->rules);
    if (!lab_stopped(m->lab)) {
        report_text(m->lab->report, "On the %s:", device);
        roofs_table(m, racers);
        programs_table(m, racers, count);
        ok = (m->gpu || check_cpu(m, racers)) && ok;
    }
    race_finish(racers, count);
    return ok;
}

static bool machine_init(struct machine *m, struct lab *lab) {
    const int res = lab->quick ? RES_QUICK : RES, side = lab->quick ? SMALL_QUICK_PX : SMALL_PX;
    struct lab_isa isas[LAB_ISAS_MAX];
    lab_isas(lab, isas);
    *m = (struct machine){.lab = lab,
                          .isa = isas[0],
                          .threads = lab_threads(lab),
                          .elements = lab->quick ? ELEMENTS_QUICK : ELEMENTS};
    for (enum number_type type = 0; type < TYPE_NATIVE_COUNT; type++)
        if (!grid_init(&m->paper[type], type, 3 * res, 2 * res, -2, -1, 1.0 / res, false))
            return false;
    if (!grid_init(&m->small, TYPE_FLOAT, side, side, -2, -2, 4.0 / side, false))
        return false;
    m->counts = grid_counts(6 * res * res > side * side ? &m->paper[TYPE_FLOAT] : &m->small);
    return m->counts && streams_init(&m->streams, m->elements, m->threads);
}

static void machine_finish(struct machine *m) {
    for (enum number_type type = 0; type < TYPE_NATIVE_COUNT; type++)
        grid_finish(&m->paper[type]);
    grid_finish(&m->small);
    free(m->counts);
    streams_finish(&m->streams);
}

static void describe(const struct machine *m) {
    report_text(
        m->lab->report,
        "Seed 003's picture, %dx%d and %d iterations; seed 004's, %dx%d and %d iterations; its sum "
        "of vectors. An operation is an addition or a multiplication of the program's number type. "
        "A step of an orbit is %d of them however it is made, and tests for escape do not count; "
        "steps "
        "are summed from the counts, without shortcuts. Bytes are what must be moved: counts "
        "written once, coordinates read once. The ceiling of arithmetic is that of fused "
        "multiply-adds, two operations each. Programs that round every product and sum can make "
        "use of half of it.",
        m->paper[0].width_px, m->paper[0].height_px, PAPER_LIMIT, m->small.width_px,
        m->small.height_px, SMALL_LIMIT, STEP_OPERATIONS);
}

bool roofline_experiment(struct lab *lab) {
    struct machine m;
    char device[120];
    bool ok = machine_init(&m, lab);
    if (ok) {
        describe(&m);
        snprintf(device, sizeof device, "CPU, %s, %d threads", m.isa.name, m.threads);
        ok = measure(&m, device, cpu_programs, sizeof cpu_programs / sizeof *cpu_programs);
    }
    if (m.counts && !lab_stopped(lab) && (m.gpu = lab_device(lab))) {
        m.elements = lab->quick ? ELEMENTS_QUICK : ELEMENTS_GPU;
        ok = measure(&m, lab_gpu_name(m.gpu), gpu_programs,
                     sizeof gpu_programs / sizeof *gpu_programs) &&
             ok;
    }
    machine_finish(&m);
    return ok;
}
