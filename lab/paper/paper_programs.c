/* The paper's CPU programs and ours: what each is, and runs of all of them at one resolution. */
#include "cpu/cpuid.h"
#include "lab/count/count.h"
#include "lab/paper/paper.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define F TYPE_FLOAT
#define D TYPE_DOUBLE

const struct paper_program paper_programs[PAPER_ID_COUNT] = {
    [NORM_STATIC] = {"norm, static", SCALAR, D, COUNTS_UNFUSED, AT_EACH, PAPER_NORM, .fixed = true},
    [NORM_DYNAMIC] = {"norm, dynamic", SCALAR, D, COUNTS_UNFUSED, AT_EACH, .test = PAPER_NORM},
    [NORM_ROWS] = {"norm, dynamic by rows", SCALAR, D, COUNTS_UNFUSED, AT_EACH, PAPER_NORM,
                   .rows = true, .small = true},
    [NORM_FLOAT] = {"norm, float", SCALAR, F, COUNTS_UNFUSED, AT_ALL, .test = PAPER_NORM},
    [ABS] = {"abs", SCALAR, D, COUNTS_UNFUSED, AT_ONE, PAPER_ABS, .fixed = true, .small = true},
    [SQRT] = {"sqrt of norm", SCALAR, D, COUNTS_UNFUSED, AT_ONE, PAPER_SQRT, .fixed = true},
    [MENDED] = {"vect, mended", VECTORS, D, COUNTS_UNFUSED, AT_ALL, .test = PAPER_NORM},
    [MENDED_FMA] = {"vect + FMA, mended", VECTORS, D, COUNTS_FMA, AT_ALL, .test = PAPER_NORM},
    [MENDED_FLOAT] = {"vect, float, mended", VECTORS, F, COUNTS_UNFUSED, AT_ALL,
                      .test = PAPER_NORM},
    [MENDED_FLOAT_FMA] = {"vect + FMA, float, mended", VECTORS, F, COUNTS_FMA, AT_ALL,
                          .test = PAPER_NORM},
    [CONTRACTED] = {"listing 7's arithmetic", VECTORS, D, COUNTS_CONTRACTED, AT_ALL,
                    .test = PAPER_NORM},
    [CONTRACTED_FLOAT] = {"listing 7's arithmetic, float", VECTORS, F, COUNTS_WIDE, AT_ALL,
                          .test = PAPER_NORM},
    [CONTRACTED_TYPED_FLOAT] = {"listing 7's arithmetic, float, 2.0f", VECTORS, F,
                                COUNTS_CONTRACTED, AT_ALL, .test = PAPER_NORM},
    [VECTOR] = {"vect", VECTORS, D, COUNTS_UNFUSED, AT_ONE, .listed = true},
    [VECTOR_FMA] = {"vect + FMA", VECTORS, D, COUNTS_FMA, AT_EACH, .listed = true},
    [VECTOR_FLOAT] = {"vect, float", VECTORS, F, COUNTS_UNFUSED, AT_ONE, .listed = true},
    [VECTOR_FLOAT_FMA] = {"vect + FMA, float", VECTORS, F, COUNTS_FMA, AT_ONE, .listed = true},
    [OURS] = {"ours", COUNTED, D, COUNTS_UNFUSED, AT_EACH, .test = PAPER_NORM},
    [OURS_FUSED] = {"ours, fused", COUNTED, D, COUNTS_FUSED, AT_EACH, .test = PAPER_NORM},
    [OURS_FLOAT] = {"ours, float", COUNTED, F, COUNTS_UNFUSED, AT_EACH, .test = PAPER_NORM},
    [OURS_FLOAT_FUSED] = {"ours, float, fused", COUNTED, F, COUNTS_FUSED, AT_EACH,
                          .test = PAPER_NORM},
    [OURS_ALL] = {"ours, shortcuts", COUNTED, D, COUNTS_UNFUSED, AT_EACH,
                  .shortcuts = SHORTCUTS_ALL},
    [OURS_ALL_FUSED] = {"ours, fused, shortcuts", COUNTED, D, COUNTS_FUSED, AT_EACH,
                        .shortcuts = SHORTCUTS_ALL},
    [OURS_ALL_FLOAT] = {"ours, float, shortcuts", COUNTED, F, COUNTS_UNFUSED, AT_EACH,
                        .shortcuts = SHORTCUTS_ALL},
    [OURS_ALL_FLOAT_FUSED] = {"ours, float, fused, shortcuts", COUNTED, F, COUNTS_FUSED, AT_EACH,
                              .shortcuts = SHORTCUTS_ALL},
};

/* One racer: a program with a number of threads. */
struct runner {
    struct paper_scene *scene;
    enum paper_id id;
    int thread; /* place in the paper's `threads` */
    bool judged;
};

bool paper_count(const struct paper_scene *scene, const struct paper_ours *ours) {
    const struct paper *paper = scene->paper;
    const struct grid *grid = paper_grid(scene, ours->type, ours->counts);
    return count_draw(&(struct count_job){
        .width_px = grid->width_px,
        .height_px = grid->height_px,
        .re = grid->re,
        .im = grid->im,
        .type = ours->type,
        .arithmetic = ours->counts == COUNTS_FUSED ? ARITHMETIC_FUSED : ARITHMETIC_UNFUSED,
        .shortcuts = ours->shortcuts,
        .limit = paper->limit,
        .cpu_flags = ours->cpu_flags,
        .threads = ours->threads,
        .stop = paper->rules.stop,
        .count = scene->scratch,
    });
}

static bool run_ours(const struct paper_scene *scene, const struct paper_program *program,
                     int threads) {
    return paper_count(scene, &(struct paper_ours){.type = program->type,
                                                   .counts = program->counts,
                                                   .shortcuts = program->shortcuts,
                                                   .cpu_flags = scene->paper->flags,
                                                   .threads = threads});
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
                                  .chunk = program->rows ? grid->width_px : 0,
                                  .stop = scene->paper->rules.stop,
                                  .count = scene->scratch};
    const bool is_float = program->type == TYPE_FLOAT;
    if (program->kind == SCALAR)
        return (is_float ? paper_scalar_float : paper_scalar_double)(&job, program->test);
    return (is_float ? paper_vector_float : paper_vector_double)(
        &job, (enum paper_rounding)program->counts, program->listed);
}

/* Keeps what a run has left, unless there are such counts. False: no memory, logged. */
static bool keep(struct paper_scene *scene, enum number_type type, enum paper_counts kind) {
    uint32_t **counts = &scene->counts[type][kind];
    if (*counts)
        return true;
    *counts = grid_counts(&scene->grids[type][0]);
    if (*counts)
        memcpy(*counts, scene->scratch,
               (size_t)paper_points(scene->paper, scene->place) * sizeof **counts);
    return *counts;
}

/* The kind of a program's own counts. */
static enum paper_counts own_counts(const struct paper_program *program) {
    if (!program->listed)
        return program->counts;
    return program->counts == COUNTS_UNFUSED ? COUNTS_LISTED : COUNTS_LISTED_FMA;
}

/* Compares what a run has left with the counts of |z|^2 >= 4 and its rounding. */
static bool judge(struct runner *runner) {
    struct paper_scene *scene = runner->scene;
    struct paper *paper = scene->paper;
    const struct paper_program *program = &paper_programs[runner->id];
    const struct grid *grid = &scene->grids[program->type][0];
    double *known = &paper->strays[scene->place][runner->id];
    if (!keep(scene, program->type, own_counts(program)))
        return false;
    const uint32_t *counts = scene->counts[program->type][program->counts];
    if (!counts)
        return true;
    const double differing = (double)grid_differing(grid, counts, scene->scratch);
    if (!isnan(*known) && *known != differing)
        paper->steady = false;
    *known = differing;
    return true;
}

static bool run(void *user, double *ms) {
    struct runner *runner = user;
    const struct paper_scene *scene = runner->scene;
    const struct paper_program *program = &paper_programs[runner->id];
    const int threads = scene->paper->threads[runner->thread];
    if (!runner->judged) /* what a run leaves out is seen */
        memset(scene->scratch, 0xff,
               (size_t)paper_points(scene->paper, scene->place) * sizeof *scene->scratch);
    const double start = clock_ms();
    if (!(program->kind == COUNTED ? run_ours : run_theirs)(scene, program, threads))
        return false;
    *ms = clock_ms() - start;
    if (!runner->judged && !judge(runner))
        return false;
    runner->judged = true;
    return true;
}

static bool runs_here(const struct paper *paper, const struct paper_program *program, int place) {
    if (program->kind == VECTORS && !(paper->flags & CPU_AVX2))
        return false;
    if (program->counts == COUNTS_FUSED && !(paper->flags & CPU_FMA))
        return false;
    return !program->small || paper->resolutions[place] <= 1000;
}

static bool runs_with(const struct paper *paper, const struct paper_program *program, int thread) {
    switch (program->threads) {
    case AT_ONE:
        return thread == 0;
    case AT_ALL:
        return thread == paper->thread_count - 1;
    case AT_EACH:
        break;
    }
    return true;
}

bool paper_measure_programs(struct paper_scene *scene) {
    struct paper *paper = scene->paper;
    struct runner runners[PAPER_ID_COUNT * PAPER_THREADS_MAX];
    struct racer racers[PAPER_ID_COUNT * PAPER_THREADS_MAX];
    int count = 0;
    for (int id = 0; id < PAPER_ID_COUNT; id++)
        for (int thread = 0; thread < paper->thread_count; thread++) {
            const struct paper_program *program = &paper_programs[id];
            if (!runs_here(paper, program, scene->place) || !runs_with(paper, program, thread))
                continue;
            runners[count] =
                (struct runner){.scene = scene, .id = (enum paper_id)id, .thread = thread};
            racers[count] =
                (struct racer){.name = program->name, .run = run, .user = &runners[count]};
            count++;
        }
    const bool ok = race(racers, count, false, &paper->rules);
    for (int i = 0; i < count; i++)
        paper->ms[scene->place][runners[i].id][runners[i].thread] = race_median(&racers[i]);
    race_finish(racers, count);
    return ok;
}
