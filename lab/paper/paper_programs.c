/* Programs of the paper (seed 003) and fathom's, and their race at one resolution. */
#include "cpu/cpuid.h"
#include "lab/paper/paper.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <assert.h>
#include <math.h>
#include <string.h>

#define F TYPE_FLOAT
#define D TYPE_DOUBLE

/* clang-format off */
/* Listing 7 with a given block shape. */
#define BLOCK(x, y)                                                                                \
    {"listing 7, blocks", ON_GPU, D, COUNTS_GPU, .gpu = GPU_PAPER, .block_x = x, .block_y = y},
#define BLOCKS(x) BLOCK(x, 1) BLOCK(x, 2) BLOCK(x, 4) BLOCK(x, 8) BLOCK(x, 16)
/* clang-format on */

/* List of programs. The first program of each kind of counts is the reference for the others of
 * that kind. */
const struct paper_program paper_programs[] = {
    {"norm, static", SCALAR, D, COUNTS_UNFUSED, AT_EACH, .fixed = true},
    {"norm, dynamic", SCALAR, D, COUNTS_UNFUSED, .threads = AT_EACH},
    {"norm, float", SCALAR, F, COUNTS_UNFUSED, .threads = AT_ALL},
    {"abs", SCALAR, D, COUNTS_ABS, AT_ONE, .abs = true, .fixed = true, .small = true},
    {"vect, mended", VECTORS, D, COUNTS_UNFUSED, .threads = AT_ALL},
    {"vect, float, mended", VECTORS, F, COUNTS_UNFUSED, .threads = AT_ALL},
    {"listing 7's arithmetic", VECTORS, D, COUNTS_CONTRACTED, .threads = AT_ALL},
    {"listing 7's arithmetic, float", VECTORS, F, COUNTS_WIDE, .threads = AT_ALL},
    {"listing 7's arithmetic, float, 2.0f", VECTORS, F, COUNTS_CONTRACTED, .threads = AT_ALL},
    {"vect", VECTORS, D, COUNTS_LISTED, .threads = AT_ONE},
    {"vect + FMA", VECTORS, D, COUNTS_LISTED_FMA, .threads = AT_EACH},
    {"vect, float", VECTORS, F, COUNTS_LISTED, .threads = AT_ONE},
    {"vect + FMA, float", VECTORS, F, COUNTS_LISTED_FMA, .threads = AT_ONE},
    {"ours", COUNTED, D, COUNTS_UNFUSED, .threads = AT_EACH},
    {"ours, float", COUNTED, F, COUNTS_UNFUSED, .threads = AT_EACH},
    {"ours, shortcuts", COUNTED, D, COUNTS_UNFUSED, AT_EACH, .shortcuts = SHORTCUTS_ALL},
    {"ours, float, shortcuts", COUNTED, F, COUNTS_UNFUSED, AT_EACH, .shortcuts = SHORTCUTS_ALL},
    /* clang-format off */
    BLOCKS(1) BLOCKS(2) BLOCKS(4) BLOCKS(8) BLOCKS(16)
    /* clang-format on */
    {"listing 7", ON_GPU, D, COUNTS_GPU, .gpu = GPU_PAPER},
    {"listing 7, float", ON_GPU, F, COUNTS_GPU, .gpu = GPU_PAPER},
    {"listing 7, float, 2.0f", ON_GPU, F, COUNTS_GPU_TYPED, .gpu = GPU_PAPER_TYPED},
    {"ours", ON_GPU, D, COUNTS_UNFUSED, .gpu = GPU_OURS},
    {"ours, float", ON_GPU, F, COUNTS_UNFUSED, .gpu = GPU_OURS},
    {"ours, shortcuts", ON_GPU, D, COUNTS_UNFUSED, .gpu = GPU_OURS, .shortcuts = SHORTCUTS_ALL},
    {"ours, float, shortcuts", ON_GPU, F, COUNTS_UNFUSED, .gpu = GPU_OURS,
     .shortcuts = SHORTCUTS_ALL},
};
const int paper_program_count = sizeof paper_programs / sizeof *paper_programs;
static_assert(sizeof paper_programs / sizeof *paper_programs <= PAPER_PROGRAMS, "room for all");

/* Racer: a program with a number of threads. */
struct runner {
    struct paper_scene *scene;
    int id, thread; /* indices in paper_programs and in the paper's `threads` */
    bool judged;
};

static bool run_ours(const struct paper_scene *scene, const struct paper_program *program,
                     int threads) {
    const struct grid *grid = &scene->grids[program->type][0];
    return count_draw(&(struct count_job){
        GRID_POINTS(grid),
        .type = program->type,
        .shortcuts = program->shortcuts,
        .limit = scene->paper->limit,
        .cpu_flags = scene->paper->flags,
        .threads = threads,
        .stop = scene->paper->rules.stop,
        .count = scene->scratch,
    });
}

static bool run_theirs(const struct paper_scene *scene, const struct paper_program *program,
                       int threads) {
    const struct grid *grid = &scene->grids[program->type][0];
    const struct paper_job job = {.width_px = grid->width_px,
                                  .height_px = grid->height_px,
                                  .step = scene->step,
                                  .limit = scene->paper->limit,
                                  .threads = threads,
                                  .dynamic = !program->fixed,
                                  .stop = scene->paper->rules.stop,
                                  .count = scene->scratch};
    const bool is_float = program->type == TYPE_FLOAT, listed = program->counts >= COUNTS_LISTED;
    if (program->kind == SCALAR)
        return (is_float ? paper_scalar_float : paper_scalar_double)(&job, program->abs);
    return (is_float ? paper_vector_float : paper_vector_double)(
        &job,
        listed ? (enum paper_rounding)(program->counts - COUNTS_LISTED)
               : (enum paper_rounding)program->counts,
        listed);
}
static_assert(COUNTS_LISTED_FMA - COUNTS_LISTED == PAPER_FMA, "listings in the order of roundings");

static bool run_on_gpu(const struct paper_scene *scene, const struct paper_program *program,
                       double *ms) {
    const struct grid *grid = &scene->grids[program->type][program->gpu != GPU_OURS];
    struct gpu_times times;
    const struct gpu_job job = {.program = program->gpu,
                                .type = program->type,
                                GRID_POINTS(grid),
                                .limit = scene->paper->limit,
                                .shortcuts = program->shortcuts,
                                .block_x = program->block_x,
                                .block_y = program->block_y,
                                .fresh = true,
                                .count = scene->scratch};
    if (!lab_gpu_count(scene->paper->gpu, &job, &times))
        return false;
    ms[0] = times.total_ms;
    ms[1] = times.kernel_ms;
    ms[2] = times.copy_ms;
    ms[3] = times.alloc_ms;
    return true;
}

/* Compares the output of a run with the counts of its kind, or keeps it as the reference. */
static bool judge(struct paper_scene *scene, const struct paper_program *program) {
    const struct grid *grid = &scene->grids[program->type][0];
    const int gpu = program->kind == ON_GPU;
    uint32_t **counts = &scene->counts[program->type][program->counts];
    if (!*counts) {
        *counts = grid_counts(grid);
        if (*counts)
            memcpy(*counts, scene->scratch, grid_points(grid) * sizeof **counts);
        return *counts;
    }
    scene->paper->judged[gpu]++;
    scene->paper->strays[gpu] += (double)grid_differing(grid, *counts, scene->scratch);
    return true;
}

static bool run(void *user, double *ms) {
    struct runner *runner = user;
    struct paper_scene *scene = runner->scene;
    const struct paper_program *program = &paper_programs[runner->id];
    const int threads = scene->paper->threads[runner->thread];
    bool ok;
    if (!runner->judged) /* so that a pixel that is left out shows */
        memset(scene->scratch, 0xff, grid_points(&scene->grids[0][0]) * sizeof *scene->scratch);
    const double start = clock_ms();
    if (program->kind == ON_GPU) {
        ok = run_on_gpu(scene, program, ms);
    } else {
        ok = (program->kind == COUNTED ? run_ours : run_theirs)(scene, program, threads);
        *ms = clock_ms() - start;
    }
    if (ok && !runner->judged)
        ok = judge(scene, program);
    runner->judged = true;
    return ok;
}

static bool runs_here(const struct paper *paper, const struct paper_program *program, int place) {
    return (program->kind != VECTORS || paper->flags & CPU_AVX2) &&
           (!program->small || paper->resolutions[place] <= 1000);
}

static bool runs_with(const struct paper *paper, const struct paper_program *program, int thread) {
    return program->threads == AT_EACH ||
           thread == (program->threads == AT_ONE ? 0 : paper->thread_count - 1);
}

bool paper_race(struct paper_scene *scene, bool gpu) {
    struct paper *paper = scene->paper;
    struct runner runners[PAPER_PROGRAMS * PAPER_THREADS];
    struct racer racers[PAPER_PROGRAMS * PAPER_THREADS];
    int count = 0;
    for (int id = 0; id < paper_program_count; id++)
        for (int thread = 0; thread < paper->thread_count; thread++) {
            const struct paper_program *program = &paper_programs[id];
            if ((program->kind == ON_GPU) != gpu || !runs_here(paper, program, scene->place) ||
                !runs_with(paper, program, thread))
                continue;
            runners[count] = (struct runner){.scene = scene, .id = id, .thread = thread};
            racers[count] =
                (struct racer){.name = program->name, .run = run, .user = &runners[count]};
            count++;
        }
    const bool ok = race(racers, count, gpu, &paper->rules);
    for (int i = 0; i < count; i++)
        paper->times[scene->place][runners[i].id][runners[i].thread] = (struct paper_times){
            race_median(&racers[i]), series_median(&racers[i].notes[0]),
            series_median(&racers[i].notes[1]), series_median(&racers[i].notes[2])};
    race_finish(racers, count);
    return ok;
}
