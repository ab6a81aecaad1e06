/* Experiment `hybridizer` (seed 004): a small picture by a C# program, on all threads and on a GPU,
 * next to fathom's, and a vector sum. */
#include "cpu/cpuid.h"
#include "lab/count/count.h"
#include "lab/gpu/gpu.h"
#include "lab/hybridizer/hybridizer_loop.h"
#include "lab/lab.h"
#include "lab/report/grid.h"
#include "lab/roofline/streams.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT         32
#define SIDE_PX       2048
#define SIDE_QUICK_PX 64

/* Picture drawn by plain loops, the reference for all programs. */
struct picture {
    struct lab *lab;
    int side_px;
    struct grid grid;    /* upright: columns are real parts */
    uint32_t *counts[2]; /* counts by fathom's rule, and by the seed's */
    uint32_t *drawn;     /* output of a program */
};

/* Counts by a plain loop; `seed`: by the seed's rule, which continues while |z|^2 <= 4. */
static uint32_t plain_count(float re, float im, bool seed) {
    float zr = 0, zi = 0;
    for (uint32_t n = 1; n <= LIMIT; n++) {
        const float next = zr * zr - zi * zi + re;
        zi = 2 * zr * zi + im;
        zr = next;
        const float norm = zr * zr + zi * zi;
        if (seed ? norm > 4 : norm >= 4)
            return n;
    }
    return 0;
}

/* Returns the value that the seed stores for a point with that count. */
static uint32_t light_of(uint32_t count) {
    return count == 0 || count + 1 > LIMIT ? LIMIT : count + 1;
}

static bool draw_plainly(struct picture *p, bool seed) {
    const float *re = p->grid.re, *im = p->grid.im;
    uint32_t *counts = p->counts[seed] = grid_counts(&p->grid);
    if (!counts)
        return false;
#pragma omp parallel for schedule(dynamic)
    for (int y = 0; y < p->side_px; y++)
        for (int x = 0; x < p->side_px; x++)
            counts[(size_t)y * (size_t)p->side_px + (size_t)x] = plain_count(re[x], im[y], seed);
    return true;
}

static bool picture_init(struct picture *p, struct lab *lab) {
    const int side = lab->quick ? SIDE_QUICK_PX : SIDE_PX;
    *p = (struct picture){.lab = lab, .side_px = side};
    if (!grid_init(&p->grid, TYPE_FLOAT, side, side, -2, -2, 4.0 / side, false))
        return false;
    p->drawn = grid_counts(&p->grid);
    return p->drawn && draw_plainly(p, false) && draw_plainly(p, true);
}

static void picture_finish(struct picture *p) {
    grid_finish(&p->grid);
    free(p->counts[0]);
    free(p->counts[1]);
    free(p->drawn);
}

static double rate(const struct picture *p, double ms) {
    return (double)grid_points(&p->grid) / ms / 1e3;
}

static void describe(const struct picture *p) {
    const int side = p->side_px;
    report_text(
        p->lab->report,
        "The picture: %dx%d points of -2 .. 2 squared, in float, at most %d iterations, a number "
        "that the text does not give. Its program walks real parts along lines of memory, so its "
        "picture lies on its side; ours is upright. Its IterCount is min(%d, n + 1) with n the "
        "steps done when |z|^2 > 4 first held. Ours count when |z|^2 >= 4, which is another step "
        "in %llu pixels; each program is compared with counts by its own test.",
        side, side, LIMIT, LIMIT,
        (unsigned long long)grid_differing(&p->grid, p->counts[0], p->counts[1]));
}

/* --- programs --- */

static const struct program {
    const char *name;
    enum { LOOP, OURS, ON_GPU } kind;
    enum gpu_program which;
    unsigned shortcuts;
    bool all;    /* all threads, else one */
    double seed; /* the seed's speed in millions of pixels per second; 0: not published */
} programs[] = {
    {"the seed's loop, in C", LOOP, .seed = 9.986},
    {"the seed's Parallel.For, in OpenMP", LOOP, .all = true, .seed = 62.6},
    {"ours", .kind = OURS},
    {"ours, knowing the interior", OURS, .shortcuts = SHORTCUTS_ALL},
    {"ours", OURS, .all = true},
    {"ours, knowing the interior", OURS, .shortcuts = SHORTCUTS_ALL, .all = true},
    /* speeds on a GTX 1080 Ti */
    {"a block for every line", ON_GPU, GPU_HYBRIDIZER_LINES, .seed = 395.7},
    {"balanced blocks", ON_GPU, GPU_HYBRIDIZER_GRID, .seed = 4560},
    {"ours", ON_GPU, .which = GPU_OURS},
    {"ours, knowing the interior", ON_GPU, GPU_OURS, .shortcuts = SHORTCUTS_CARDIOID},
};
#define PROGRAMS (int)(sizeof programs / sizeof *programs)

struct runner {
    struct picture *picture;
    const struct program *program;
    int threads;
    bool checked;
    uint64_t differing;
};

static bool draw_ours(const struct runner *runner) {
    const struct picture *p = runner->picture;
    return count_draw(&(struct count_job){
        GRID_POINTS(&p->grid), .type = TYPE_FLOAT, .shortcuts = runner->program->shortcuts,
        .limit = LIMIT, .cpu_flags = cpu_flags(p->lab->options.cpumask), .threads = runner->threads,
        .stop = p->lab->rules.stop, .count = p->drawn});
}

/* Draws on the GPU. ms[1]: time including the copy. */
static bool draw_on_gpu(const struct runner *runner, double ms[2]) {
    const struct picture *p = runner->picture;
    struct gpu_times times;
    const struct gpu_job job = {
        GRID_POINTS(&p->grid), .program = runner->program->which,       .type = TYPE_FLOAT,
        .limit = LIMIT,        .shortcuts = runner->program->shortcuts, .count = p->drawn};
    if (!lab_gpu_count(p->lab->gpu, &job, &times))
        return false;
    ms[0] = times.kernel_ms;
    ms[1] = times.total_ms;
    return true;
}

/* Returns the number of differing pixels. The seed's programs store IterCount's values, and its
 * loops draw pictures with rows and columns swapped. */
static uint64_t differing(const struct runner *runner) {
    const struct picture *p = runner->picture;
    const struct program *program = runner->program;
    const bool seed =
        program->kind == LOOP || (program->kind == ON_GPU && program->which != GPU_OURS);
    const uint32_t *counts = p->counts[seed];
    const size_t side = (size_t)p->side_px;
    uint64_t sum = 0;
    for (size_t i = 0; i < side * side; i++) {
        const size_t at = program->kind == LOOP ? i % side * side + i / side : i;
        sum += p->drawn[at] != (seed ? light_of(counts[i]) : counts[i]);
    }
    return sum;
}

static bool run(void *user, double *ms) {
    struct runner *runner = user;
    const struct picture *p = runner->picture;
    bool ok = true;
    if (!runner->checked)
        memset(p->drawn, 0xff, grid_points(&p->grid) * sizeof *p->drawn);
    if (runner->program->kind == LOOP)
        hybridizer_run(p->side_px, LIMIT, runner->threads, (int32_t *)p->drawn);
    else
        ok = runner->program->kind == OURS ? draw_ours(runner) : draw_on_gpu(runner, ms);
    if (ok && !runner->checked)
        runner->differing = differing(runner);
    runner->checked = true;
    return ok;
}

static int choose(struct runner runners[PROGRAMS], struct picture *p, bool gpu) {
    const int all = lab_threads(p->lab);
    int count = 0;
    for (int i = 0; i < PROGRAMS; i++)
        if ((programs[i].kind == ON_GPU) == gpu)
            runners[count++] = (struct runner){
                .picture = p, .program = &programs[i], .threads = programs[i].all ? all : 1};
    return count;
}

static bool measure(struct picture *p, bool gpu) {
    struct runner runners[PROGRAMS];
    struct racer racers[PROGRAMS] = {{0}};
    struct report *report = p->lab->report;
    const int count = choose(runners, p, gpu);
    uint64_t wrong = 0;
    for (int i = 0; i < count; i++)
        racers[i] =
            (struct racer){.name = runners[i].program->name, .run = run, .user = &runners[i]};
    const bool ran = race(racers, count, true, &p->lab->rules);
    struct table *table = table_of(gpu ? "hybridizer-gpu" : "hybridizer-cpu", "The picture",
                                   "program|threads:0|time, ms:4|million pixels/s:1|with the copy, "
                                   "ms:3|million pixels/s, with the copy:0|times as fast as the "
                                   "first:2|the seed's million pixels/s, on its machine:3");
    for (int i = 0; i < count; i++) {
        const double ms = race_median(&racers[i]), total = series_median(&racers[i].notes[0]);
        const double seed = runners[i].program->seed;
        table_add(table, "%s %g %g %g %g %g %g %g", racers[i].name, gpu ? NAN : runners[i].threads,
                  ms, rate(p, ms), total, rate(p, total), race_ratio(&racers[i], racers),
                  seed > 0 ? seed : NAN);
        wrong += runners[i].checked ? runners[i].differing : 0;
    }
    race_finish(racers, count);
    report_table(report, table);
    return report_check(report, wrong == 0,
                        "all programs on the %s give the counts of a plain loop on the CPU with "
                        "the same arithmetic and the same test",
                        gpu ? "GPU" : "CPU") &&
           ran;
}

bool hybridizer_experiment(struct lab *lab) {
    struct picture p;
    bool ok = picture_init(&p, lab);
    if (ok) {
        describe(&p);
        ok = measure(&p, false);
        if (!lab_stopped(lab) && lab_device(lab)) {
            report_text(lab->report,
                        "On the GPU all pictures are upright, so a block's line has one imaginary "
                        "part. nvcc is told not to fuse products and sums.");
            ok = measure(&p, true) && ok;
        }
    }
    picture_finish(&p);
    ok = ok && !lab_stopped(lab) && vector_add(lab, false);
    return ok && !lab_stopped(lab) && (!lab->gpu || vector_add(lab, true));
}
