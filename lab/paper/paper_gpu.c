/* Running listing 7 and ours on a GPU, all compared with the CPU's counts. */
#include "lab/paper/paper_gpu.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>

#define F GPU_FLOAT
#define D GPU_DOUBLE

const struct paper_gpu_program paper_gpu_programs[PAPER_GPU_COUNT] = {
    [GPU_LISTED] = {"listing 7", GPU_PAPER, D, ARITHMETIC_FUSED, 0, COUNTS_CONTRACTED, true},
    [GPU_LISTED_FLOAT] = {"listing 7, float", GPU_PAPER, F, ARITHMETIC_FUSED, 0, COUNTS_WIDE, true},
    [GPU_TYPED_FLOAT] = {"listing 7, float, 2.0f", GPU_PAPER_TYPED, F, ARITHMETIC_FUSED, 0,
                         COUNTS_CONTRACTED, true},
    [GPU_PIXEL_UNFUSED] = {"listing 7, unfused", GPU_PIXEL, D, ARITHMETIC_UNFUSED, 0,
                           COUNTS_UNFUSED, false},
    [GPU_PIXEL_FLOAT_UNFUSED] = {"listing 7, float, unfused", GPU_PIXEL, F, ARITHMETIC_UNFUSED, 0,
                                 COUNTS_UNFUSED, false},
    [GPU_OURS_UNFUSED] = {"ours", GPU_OURS, D, ARITHMETIC_UNFUSED, 0, COUNTS_UNFUSED, false},
    [GPU_OURS_FLOAT_UNFUSED] = {"ours, float", GPU_OURS, F, ARITHMETIC_UNFUSED, 0, COUNTS_UNFUSED,
                                false},
    [GPU_OURS_FUSED] = {"ours, fused", GPU_OURS, D, ARITHMETIC_FUSED, 0, COUNTS_FUSED, false},
    [GPU_OURS_FLOAT_FUSED] = {"ours, float, fused", GPU_OURS, F, ARITHMETIC_FUSED, 0, COUNTS_FUSED,
                              false},
    [GPU_OURS_ALL] = {"ours, fused, shortcuts", GPU_OURS, D, ARITHMETIC_FUSED, SHORTCUTS_ALL,
                      COUNTS_FUSED, false},
    [GPU_OURS_FLOAT_ALL] = {"ours, float, fused, shortcuts", GPU_OURS, F, ARITHMETIC_FUSED,
                            SHORTCUTS_ALL, COUNTS_FUSED, false},
};

struct paper_gpu *paper_gpu_create(struct paper *paper) {
    struct lab_gpu *device = lab_device(paper->lab);
    struct paper_gpu *gpu = device ? calloc(1, sizeof *gpu) : NULL;
    if (device && !gpu)
        log_error("no memory for a GPU's measurements");
    if (!gpu)
        return NULL;
    gpu->device = device;
    gpu->shapes_agree = true;
    for (int place = 0; place < PRINTED_RESOLUTIONS; place++) {
        for (int id = 0; id < PAPER_GPU_COUNT; id++) {
            gpu->times[place][id] = (struct paper_gpu_times){NAN, NAN, NAN, NAN};
            gpu->strays[place][id] = NAN;
        }
        for (int i = 0; i < PRINTED_SIDES * PRINTED_SIDES; i++)
            gpu->shapes_ms[place][i / PRINTED_SIDES][i % PRINTED_SIDES] = NAN;
        for (int i = 0; i < PAPER_GPU_PAIRS; i++)
            gpu->differing[place][i] = NAN;
    }
    return gpu;
}

void paper_gpu_destroy(struct paper_gpu *gpu) {
    free(gpu);
}

/* A program, or listing 7 with a shape of its blocks. */
struct runner {
    struct paper_scene *scene;
    const struct paper_gpu_program *program;
    int block_x, block_y; /* 0: no matter */
    bool fresh;
    uint32_t *count; /* NULL: stays on the device */
    struct series total, kernel, copy, alloc;
};

static bool run(void *user, double *ms) {
    struct runner *runner = user;
    const struct paper_gpu_program *program = runner->program;
    const struct paper *paper = runner->scene->paper;
    const struct grid *grid =
        paper_grid(runner->scene, (enum number_type)program->number, program->counts);
    struct gpu_times times;
    const struct gpu_job job = {.program = program->program,
                                .number = program->number,
                                .arithmetic = program->arithmetic,
                                .width_px = grid->width_px,
                                .height_px = grid->height_px,
                                .re = grid->re,
                                .im = grid->im,
                                .limit = paper->limit,
                                .shortcuts = program->shortcuts,
                                .block_x = runner->block_x,
                                .block_y = runner->block_y,
                                .fresh = runner->fresh,
                                .count = runner->count};
    if (!lab_gpu_count(paper->gpu->device, &job, &times))
        return false;
    series_add(&runner->total, times.total_ms);
    series_add(&runner->kernel, times.kernel_ms);
    series_add(&runner->copy, times.copy_ms);
    series_add(&runner->alloc, times.alloc_ms);
    *ms = times.total_ms;
    return true;
}

static void runner_finish(struct runner *runner) {
    series_finish(&runner->total);
    series_finish(&runner->kernel);
    series_finish(&runner->copy);
    series_finish(&runner->alloc);
}

/* --- the programs --- */

/* Which of the CPU's counts a program's are, or are nearest to. */
static void compare_program(const struct paper_scene *scene, int id, const uint32_t *counts) {
    const struct paper_gpu_program *program = &paper_gpu_programs[id];
    struct paper_gpu *gpu = scene->paper->gpu;
    double *strays = &gpu->strays[scene->place][id];
    for (int kind = 0; kind < COUNTS_LISTED; kind++) {
        const uint32_t *cpu = scene->counts[program->number][kind];
        if (!cpu || (!program->free && kind != (int)program->counts))
            continue;
        const double differing = (double)grid_differing(&scene->grids[TYPE_DOUBLE][0], cpu, counts);
        if (isnan(*strays) || differing < *strays) {
            *strays = differing;
            gpu->nearest[scene->place][id] = (enum paper_counts)kind;
        }
    }
}

/* With the CPU, and floats with doubles. False: a picture could not be written (logged). */
static bool compare(struct paper_scene *scene, uint32_t *const counts[PAPER_GPU_COUNT]) {
    struct paper_gpu *gpu = scene->paper->gpu;
    const struct grid *grid = &scene->grids[TYPE_DOUBLE][0];
    for (int id = 0; id < PAPER_GPU_COUNT; id++)
        compare_program(scene, id, counts[id]);
    for (int i = 0; i < PAPER_GPU_PAIRS; i++)
        gpu->differing[scene->place][i] = (double)grid_differing(grid, counts[paper_gpu_pairs[i].a],
                                                                 counts[paper_gpu_pairs[i].b]);
    return scene->place > 0 ||
           (paper_picture_save(scene->paper, "paper-difference-gpu", grid, counts[GPU_LISTED_FLOAT],
                               counts[GPU_LISTED]) &&
            paper_picture_save(scene->paper, "paper-difference-gpu-ours", grid,
                               counts[GPU_OURS_FLOAT_FUSED], counts[GPU_OURS_FUSED]));
}

static bool measure_programs(struct paper_scene *scene, uint32_t *const counts[PAPER_GPU_COUNT]) {
    struct paper *paper = scene->paper;
    struct runner runners[PAPER_GPU_COUNT] = {0};
    struct racer racers[PAPER_GPU_COUNT] = {0};
    for (int id = 0; id < PAPER_GPU_COUNT; id++) {
        runners[id] = (struct runner){
            .scene = scene, .program = &paper_gpu_programs[id], .fresh = true, .count = counts[id]};
        racers[id].name = paper_gpu_programs[id].name;
        racers[id].run = run;
        racers[id].user = &runners[id];
    }
    const bool ok = race(racers, PAPER_GPU_COUNT, true, &paper->rules);
    for (int id = 0; id < PAPER_GPU_COUNT; id++) {
        paper->gpu->times[scene->place][id] = (struct paper_gpu_times){
            series_median(&runners[id].total), series_median(&runners[id].kernel),
            series_median(&runners[id].copy), series_median(&runners[id].alloc)};
        runner_finish(&runners[id]);
    }
    race_finish(racers, PAPER_GPU_COUNT);
    return ok && compare(scene, counts);
}

/* --- the shapes of blocks --- */

#define SHAPES (PRINTED_SIDES * PRINTED_SIDES)

/* One run of each, to see that it counts the same. */
static bool check_shapes(struct paper_scene *scene, struct runner runners[SHAPES],
                         const uint32_t *counts) {
    const struct grid *grid = &scene->grids[TYPE_DOUBLE][0];
    bool ok = true;
    for (int i = 0; ok && i < SHAPES; i++) {
        double ms;
        runners[i].count = scene->scratch;
        ok = !lab_stopped(scene->paper->lab) && run(&runners[i], &ms);
        if (ok && grid_differing(grid, scene->scratch, counts))
            scene->paper->gpu->shapes_agree = false;
        runners[i].count = NULL;
        runner_finish(&runners[i]);
    }
    return ok;
}

static bool measure_shapes(struct paper_scene *scene, const uint32_t *counts) {
    struct paper *paper = scene->paper;
    struct runner runners[SHAPES] = {0};
    struct racer racers[SHAPES] = {0};
    for (int i = 0; i < SHAPES; i++) {
        runners[i].scene = scene;
        runners[i].program = &paper_gpu_programs[GPU_LISTED];
        runners[i].block_x = printed_sides[i / PRINTED_SIDES];
        runners[i].block_y = printed_sides[i % PRINTED_SIDES];
        racers[i].name = "blocks of listing 7";
        racers[i].run = run;
        racers[i].user = &runners[i];
    }
    const bool ok =
        check_shapes(scene, runners, counts) && race(racers, SHAPES, false, &paper->rules);
    for (int i = 0; i < SHAPES; i++) {
        paper->gpu->shapes_ms[scene->place][i / PRINTED_SIDES][i % PRINTED_SIDES] =
            series_median(&runners[i].kernel);
        runner_finish(&runners[i]);
    }
    race_finish(racers, SHAPES);
    return ok;
}

bool paper_measure_gpu(struct paper_scene *scene) {
    uint32_t *counts[PAPER_GPU_COUNT] = {0};
    bool ok = true;
    if (!scene->paper->gpu)
        return true;
    for (int id = 0; ok && id < PAPER_GPU_COUNT; id++)
        ok = (counts[id] = grid_counts(&scene->grids[TYPE_DOUBLE][0]));
    ok = ok && measure_programs(scene, counts) && measure_shapes(scene, counts[GPU_LISTED]);
    for (int id = 0; id < PAPER_GPU_COUNT; id++)
        free(counts[id]);
    return ok;
}
