/* A roofline on the GPU: kernels alone, without copies. */
#include "lab/gpu/gpu.h"
#include "lab/roofline/roofline.h"
#include <math.h>

#define ELEMENTS       ((size_t)1 << 27)
#define ELEMENTS_QUICK ((size_t)1 << 16)
#define PEAK_WORK      1e12
#define MIX            (7.0 / 8) /* four instructions, all of which take a turn */

/* A ceiling, a sum or a picture. */
struct gpu_run {
    struct lab_gpu *gpu;
    const struct grid *grid;
    struct gpu_job job;
    size_t elements;
    enum number_type type;
    struct roofline_work *work;
};

static bool run_peak(void *user, double *ms) {
    const struct gpu_run *run = user;
    double per_s;
    if (!lab_gpu_peak(run->gpu, run->type, &per_s))
        return false;
    *ms = PEAK_WORK / (2 * per_s) * 1e3;
    return true;
}

static bool run_move(const struct gpu_run *run, enum gpu_add which, double *ms) {
    double gb_per_s;
    if (!lab_gpu_add(run->gpu, which, run->elements, &gb_per_s))
        return false;
    *ms = run->work->bytes / gb_per_s / 1e6;
    return true;
}

static bool run_memory(void *user, double *ms) {
    double engine = 0, kernel = 0;
    if (!run_move(user, GPU_COPY_ENGINE, &engine) || !run_move(user, GPU_COPY_KERNEL, &kernel))
        return false;
    *ms = fmin(engine, kernel);
    return true;
}

static bool run_add(void *user, double *ms) {
    return run_move(user, GPU_ADD_OURS, ms);
}

/* The seed's small picture is not counted as ours are, but makes as many steps as it says. */
static bool run_picture(void *user, double *ms) {
    const struct gpu_run *run = user;
    struct gpu_times times;
    if (!lab_gpu_count(run->gpu, &run->job, &times))
        return false;
    *ms = times.kernel_ms;
    run->work->operations =
        ROOFLINE_STEP_OPERATIONS * (double)grid_steps(run->grid, run->job.count, run->job.limit);
    run->work->bytes = roofline_bytes(run->grid);
    return true;
}

static const struct {
    const char *name;
    bool (*run)(void *user, double *ms);
    enum number_type type;
    enum gpu_program program; /* of a picture */
    bool small;
} programs[] = {
    {"multiply-adds, float", run_peak, TYPE_FLOAT, GPU_OURS, false},
    {"multiply-adds, double", run_peak, TYPE_DOUBLE, GPU_OURS, false},
    {"memory, the faster of two copies", run_memory, TYPE_DOUBLE, GPU_OURS, false},
    {"seed 003, ours, float", run_picture, TYPE_FLOAT, GPU_OURS, false},
    {"seed 003, ours, double", run_picture, TYPE_DOUBLE, GPU_OURS, false},
    {"seed 003, its kernel, float", run_picture, TYPE_FLOAT, GPU_PAPER_TYPED, false},
    {"seed 003, its kernel, double", run_picture, TYPE_DOUBLE, GPU_PAPER_TYPED, false},
    {"seed 004, ours, float", run_picture, TYPE_FLOAT, GPU_OURS, true},
    {"seed 004, its balanced kernel, float", run_picture, TYPE_FLOAT, GPU_HYBRIDIZER_GRID, true},
    {"sum of vectors, double", run_add, TYPE_DOUBLE, GPU_OURS, false},
};
#define PROGRAMS (sizeof programs / sizeof *programs)

static struct gpu_job job_of(size_t program, const struct roofline_grids *grids) {
    const struct grid *grid =
        programs[program].small ? &grids->small : &grids->paper[programs[program].type];
    return (struct gpu_job){
        .program = programs[program].program,
        .number = (enum gpu_number)programs[program].type,
        .arithmetic = ARITHMETIC_FUSED,
        .width_px = grid->width_px,
        .height_px = grid->height_px,
        .re = grid->re,
        .im = grid->im,
        .limit = programs[program].small ? ROOFLINE_SMALL_LIMIT : ROOFLINE_PAPER_LIMIT,
        .shortcuts = SHORTCUTS_NONE,
        .count = grids->counts,
    };
}

static void prepare(struct gpu_run *runs, struct roofline_work *work, struct racer *racers,
                    struct lab_gpu *gpu, const struct roofline_grids *grids, size_t elements) {
    for (size_t i = 0; i < PROGRAMS; i++) {
        const bool picture = programs[i].run == run_picture;
        runs[i] = (struct gpu_run){.gpu = gpu,
                                   .grid = programs[i].small ? &grids->small
                                                             : &grids->paper[programs[i].type],
                                   .job = job_of(i, grids),
                                   .elements = elements,
                                   .type = programs[i].type,
                                   .work = &work[i]};
        work[i] = (struct roofline_work){
            .operations = i < ROOF_MEMORY ? PEAK_WORK : (double)elements,
            .bytes = i < ROOF_MEMORY ? NAN : 24 * (double)elements,
            .roof = programs[i].type == TYPE_FLOAT ? ROOF_FLOAT : ROOF_DOUBLE,
            .mix = picture ? MIX : NAN};
        racers[i] =
            (struct racer){.name = programs[i].name, .run = programs[i].run, .user = &runs[i]};
    }
    work[ROOF_MEMORY].operations = NAN;
}

bool roofline_on_gpu(struct lab *lab, const struct roofline_grids *grids) {
    struct gpu_run runs[PROGRAMS];
    struct roofline_work work[PROGRAMS];
    struct racer racers[PROGRAMS];
    struct lab_gpu *gpu = lab_device(lab);
    if (!gpu)
        return true;
    prepare(runs, work, racers, gpu, grids, lab->quick ? ELEMENTS_QUICK : ELEMENTS);
    const bool ok = race(racers, PROGRAMS, true, &lab->rules);
    if (ok)
        roofline_report(lab, "gpu", lab_gpu_name(gpu), racers, work, PROGRAMS);
    race_finish(racers, PROGRAMS);
    return ok;
}
