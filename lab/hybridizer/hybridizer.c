/* Seed 004: a small picture by C#, by all threads and by a GPU, beside ours; and how evenly its
 * work can be dealt out. */
#include "lab/hybridizer/hybridizer.h"
#include "lab/count/count.h"
#include "lab/experiments.h"
#include "lab/hybridizer/hybridizer_loop.h"
#include "lab/report/isas.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_PX       2048
#define SIDE_QUICK_PX 64
#define SEED_SERIAL   9.986 /* its millions of pixels per second */
#define SEED_PARALLEL 62.6

/* Counts by the plainest loop. */
static uint32_t plain_count(float re, float im, bool fused) {
    float zr = 0, zi = 0;
    for (uint32_t n = 1; n <= HYBRIDIZER_LIMIT; n++) {
        const float t = fused ? fmaf(zr, zr, re) : zr * zr - zi * zi;
        const float next = fused ? fmaf(-zi, zi, t) : t + re;
        zi = fused ? fmaf(zr + zr, zi, im) : 2 * zr * zi + im;
        zr = next;
        if (!((fused ? fmaf(zr, zr, zi * zi) : zr * zr + zi * zi) < 4))
            return n;
    }
    return 0;
}

/* The same until |z|^2 > 4; `fused`: as nvcc fuses IterCount. */
static uint32_t above_count(float re, float im, bool fused) {
    float zr = 0, zi = 0;
    for (uint32_t n = 1; n <= HYBRIDIZER_LIMIT; n++) {
        const float next = (fused ? fmaf(zr, zr, -(zi * zi)) : zr * zr - zi * zi) + re;
        zi = fused ? fmaf(2 * zr, zi, im) : 2 * zr * zi + im;
        zr = next;
        if (zr * zr + zi * zi > 4)
            return n;
    }
    return 0;
}

static void draw_plainly(const struct grid *grid, bool fused, bool above, uint32_t *counts) {
    const float *re = grid->re, *im = grid->im;
    const int width = grid->width_px, height = grid->height_px;
#pragma omp parallel for schedule(dynamic)
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            counts[(size_t)y * (size_t)width + (size_t)x] =
                above ? above_count(re[x], im[y], fused) : plain_count(re[x], im[y], fused);
}

static bool job_init(struct hybridizer_job *job, struct lab *lab) {
    const int side = lab->quick ? SIDE_QUICK_PX : SIDE_PX;
    *job = (struct hybridizer_job){.side_px = side};
    if (!grid_init(&job->grid, TYPE_FLOAT, side, side, -2, -2, 4.0 / side, false))
        return false;
    for (enum arithmetic a = 0; a < ARITHMETIC_COUNT; a++) {
        job->counts[a] = grid_counts(&job->grid);
        job->above[a] = job->counts[a] ? grid_counts(&job->grid) : NULL;
        if (!job->above[a])
            return false;
        draw_plainly(&job->grid, a == ARITHMETIC_FUSED, false, job->counts[a]);
        draw_plainly(&job->grid, a == ARITHMETIC_FUSED, true, job->above[a]);
    }
    job->light = (int32_t *)grid_counts(&job->grid);
    job->mine = job->light ? (int32_t *)grid_counts(&job->grid) : NULL;
    if (!job->mine)
        return false;
    hybridizer_run(HYBRIDIZER_SERIAL, side, HYBRIDIZER_LIMIT, 1, job->light);
    return true;
}

static void job_finish(struct hybridizer_job *job) {
    grid_finish(&job->grid);
    for (enum arithmetic a = 0; a < ARITHMETIC_COUNT; a++) {
        free(job->counts[a]);
        free(job->above[a]);
    }
    free(job->light);
    free(job->mine);
}

static size_t pixel(const struct hybridizer_job *job, int x, int y) {
    return (size_t)y * (size_t)job->side_px + (size_t)x;
}

/* Pixels whose IterCount would be another one if it tested >= 4, and the last of them. */
static uint64_t test_matters(const struct hybridizer_job *job, float *re, float *im) {
    const float *columns = job->grid.re, *rows = job->grid.im;
    uint64_t differing = 0;
    for (int y = 0; y < job->side_px; y++)
        for (int x = 0; x < job->side_px; x++) {
            const int32_t light =
                hybridizer_light(job->counts[ARITHMETIC_UNFUSED][pixel(job, x, y)]);
            if (light == job->light[pixel(job, y, x)])
                continue;
            *re = columns[x];
            *im = rows[y];
            differing++;
        }
    return differing;
}

/* Whether IterCount is what counts by the test > 4 say, everywhere. */
static bool conversion_holds(const struct hybridizer_job *job) {
    uint64_t wrong = 0;
    for (int y = 0; y < job->side_px; y++)
        for (int x = 0; x < job->side_px; x++)
            wrong += hybridizer_light(job->above[ARITHMETIC_UNFUSED][pixel(job, x, y)]) !=
                     job->light[pixel(job, y, x)];
    return wrong == 0;
}

/* The work of the picture in units of so many lines and columns of pixels. */
struct balance {
    uint64_t units;
    double slowest, mean; /* steps */
    double lockstep;      /* steps that threads side by side make, over those that are needed */
};

/* IterCount's own loop count is the work. */
static struct balance balance_of(const struct hybridizer_job *job, int lines, int columns) {
    struct balance balance = {0};
    double all = 0, together = 0;
    for (int i0 = 0; i0 < job->side_px; i0 += lines)
        for (int j0 = 0; j0 < job->side_px; j0 += columns) {
            double sum = 0;
            int32_t most = 0;
            for (int i = i0; i < i0 + lines && i < job->side_px; i++)
                for (int j = j0; j < j0 + columns && j < job->side_px; j++) {
                    const int32_t light = job->light[pixel(job, j, i)];
                    sum += light;
                    most = light > most ? light : most;
                }
            balance.units++;
            balance.slowest = fmax(balance.slowest, sum);
            all += sum;
            together += (double)most * lines * columns;
        }
    balance.mean = all / (double)balance.units;
    balance.lockstep = together / all;
    return balance;
}

static void describe(const struct hybridizer_job *job, struct lab *lab) {
    float re = 0, im = 0;
    const uint64_t differing = test_matters(job, &re, &im);
    report_text(
        lab->report,
        "The picture: %dx%d points of -2 .. 2 squared, in float, at most %d iterations. The "
        "text gives no limit; with this one its 420 ms for 2048x2048 points (9.986 million "
        "per second) are %.1f ns for an iteration. Its program walks real parts along lines "
        "of memory, so its picture lies on its side; ours is upright.",
        job->side_px, job->side_px, HYBRIDIZER_LIMIT,
        1e3 / SEED_SERIAL / (balance_of(job, 1, job->side_px).mean / job->side_px));
    report_check(lab->report, conversion_holds(job),
                 "its IterCount is min(%d, n + 1) with n the steps done when |z|^2 > 4 first held, "
                 "as it tests z before the step",
                 HYBRIDIZER_LIMIT);
    report_text(
        lab->report,
        "Our counts are taken when |z|^2 >= 4; with that test %llu of its %d pixels would be "
        "others, where an orbit meets the circle |z| = 2 (c = %g%+gi). Below, each program "
        "is compared with counts by its own test.",
        (unsigned long long)differing, job->side_px * job->side_px, re, im);
}

static void balance_table(const struct hybridizer_job *job, struct lab *lab) {
    static const struct {
        const char *name;
        int lines, columns; /* of memory; 0: the side */
        bool warp;
    } shapes[] = {{"a line of its memory: one real part", 1, 0, false},
                  {"a line of the upright picture", 0, 1, false},
                  {"a block of 16x16", 16, 16, false},
                  {"32 threads in a line (its first kernel)", 1, 32, true},
                  {"32 threads as 2x16 (its second)", 2, 16, true},
                  {"32 threads as 4x8", 4, 8, true}};
    struct table *table = table_create("hybridizer-balance", "How even the work is, in iterations",
                                       (struct table_column[]){{"unit", TABLE_TEXT},
                                                               {"units", 0},
                                                               {"mean", 0},
                                                               {"slowest", 0},
                                                               {"slowest / mean", 2},
                                                               {"slowest, share of all, %", 4},
                                                               {"made in lockstep / needed", 2},
                                                               {0}});
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int columns = shapes[i].columns ? shapes[i].columns : job->side_px;
        const int lines = shapes[i].lines ? shapes[i].lines : job->side_px;
        const struct balance b = balance_of(job, lines, columns);
        table_text(table, "%s", shapes[i].name);
        table_number(table, (double)b.units);
        table_number(table, b.mean);
        table_number(table, b.slowest);
        table_number(table, b.slowest / b.mean);
        table_number(table, 100 * b.slowest / b.mean / (double)b.units);
        table_number(table, shapes[i].warp ? b.lockstep : NAN);
        table_end_row(table);
    }
    report_table(lab->report, table);
    report_text(lab->report, "What waits for the last line or block waits for the slowest. Threads "
                             "that run in lockstep wait for the longest of them, as the last "
                             "column shows.");
}

/* One program on the CPU. */
struct runner {
    struct hybridizer_job *job;
    bool ours;
    enum hybridizer_loop loop;
    struct count_job count; /* ours */
    int threads;
    double seed; /* its number, or NaN */
    char name[80];
    bool checked;
    uint64_t differing;
};

static uint64_t differing(const struct runner *runner) {
    const struct hybridizer_job *job = runner->job;
    if (runner->ours)
        return grid_differing(&job->grid, (const uint32_t *)job->mine,
                              job->counts[ARITHMETIC_UNFUSED]);
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)job->side_px * (size_t)job->side_px; i++)
        sum += job->mine[i] != job->light[i];
    return sum;
}

static bool run(void *user, double *ms) {
    struct runner *runner = user;
    struct hybridizer_job *job = runner->job;
    if (!runner->checked)
        memset(job->mine, 0xff, sizeof *job->mine * pixel(job, 0, job->side_px));
    const double start = clock_ms();
    bool ok = true;
    if (runner->ours)
        ok = count_draw(&runner->count);
    else
        hybridizer_run(runner->loop, job->side_px, HYBRIDIZER_LIMIT, runner->threads, job->mine);
    *ms = clock_ms() - start;
    if (ok && !runner->checked)
        runner->differing = differing(runner);
    runner->checked = true;
    return ok;
}

#define RUNNERS_MAX (3 + LAB_ISAS_MAX * 4)

static void add_seed(struct runner *runners, int *count, struct hybridizer_job *job,
                     enum hybridizer_loop loop, int threads, double seed, const char *name) {
    struct runner *runner = &runners[(*count)++];
    *runner = (struct runner){.job = job, .loop = loop, .threads = threads, .seed = seed};
    snprintf(runner->name, sizeof runner->name, "%s", name);
}

static void add_ours(struct runner *runners, int *count, struct hybridizer_job *job,
                     const struct lab *lab, const struct lab_isa *isa, int threads,
                     unsigned shortcuts) {
    struct runner *runner = &runners[(*count)++];
    *runner = (struct runner){
        .job = job,
        .ours = true,
        .threads = threads,
        .seed = NAN,
        .count = {.width_px = job->side_px,
                  .height_px = job->side_px,
                  .re = job->grid.re,
                  .im = job->grid.im,
                  .type = TYPE_FLOAT,
                  .arithmetic = ARITHMETIC_UNFUSED,
                  .shortcuts = shortcuts,
                  .limit = HYBRIDIZER_LIMIT,
                  .cpu_flags = isa->flags,
                  .threads = threads,
                  .stop = lab->rules.stop,
                  .count = (uint32_t *)job->mine},
    };
    snprintf(runner->name, sizeof runner->name, "ours, %s%s", isa->name,
             shortcuts ? ", knowing the interior" : "");
}

static int add_all(struct runner *runners, struct hybridizer_job *job, struct lab *lab) {
    struct lab_isa isas[LAB_ISAS_MAX];
    const int all = lab_threads(lab), isa_count = lab_isas(lab, isas);
    int count = 0;
    add_seed(runners, &count, job, HYBRIDIZER_SERIAL, 1, SEED_SERIAL, "the seed's loop, in C");
    add_seed(runners, &count, job, HYBRIDIZER_DYNAMIC, all, SEED_PARALLEL,
             "the seed's Parallel.For, in OpenMP");
    add_seed(runners, &count, job, HYBRIDIZER_STATIC, all, NAN, "the same, schedule(static)");
    for (int i = isa_count - 1; i >= 0; i--)
        for (int j = 0; j < (all > 1 ? 4 : 2); j++)
            add_ours(runners, &count, job, lab, &isas[i], j < 2 ? 1 : all,
                     j % 2 ? SHORTCUTS_ALL : SHORTCUTS_NONE);
    return count;
}

static bool check_rows(struct lab *lab, const struct runner *runners, int count) {
    uint64_t wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += runners[i].checked ? runners[i].differing : 0;
    return report_check(lab->report, wrong == 0,
                        "all programs on the CPU give the counts of a plain loop with the same "
                        "arithmetic, unfused, and the same test");
}

static void print_rows(struct lab *lab, const struct racer *racers, int count) {
    struct table *table = table_create("hybridizer-cpu", "The picture on the CPU",
                                       (struct table_column[]){
                                           {"program", TABLE_TEXT},
                                           {"threads", 0},
                                           {"time, ms", 3},
                                           {"million pixels/s", 1},
                                           {"times as fast as its loop", 2},
                                           {"the seed's million pixels/s, on its machine", 3},
                                           {0},
                                       });
    for (int i = 0; i < count; i++) {
        const struct runner *runner = racers[i].user;
        const double ms = race_median(&racers[i]);
        table_text(table, "%s", runner->name);
        table_number(table, runner->threads);
        table_number(table, ms);
        table_number(table, hybridizer_rate(runner->job, ms));
        table_number(table, race_ratio(&racers[i], &racers[0]));
        table_number(table, runner->seed);
        table_end_row(table);
    }
    report_table(lab->report, table);
}

static bool on_cpu(struct lab *lab, struct hybridizer_job *job) {
    struct runner runners[RUNNERS_MAX];
    struct racer racers[RUNNERS_MAX];
    const int count = add_all(runners, job, lab);
    for (int i = 0; i < count; i++)
        racers[i] = (struct racer){.name = runners[i].name, .run = run, .user = &runners[i]};
    const bool ran = race(racers, count, true, &lab->rules);
    print_rows(lab, racers, count);
    const bool right = check_rows(lab, runners, count);
    race_finish(racers, count);
    return ran && right;
}

bool hybridizer_experiment(struct lab *lab) {
    struct hybridizer_job job;
    bool ok = job_init(&job, lab);
    if (ok) {
        describe(&job, lab);
        ok = on_cpu(lab, &job);
        balance_table(&job, lab);
        ok = !lab_stopped(lab) && hybridizer_on_gpu(lab, &job) && ok;
    }
    job_finish(&job);
    ok = ok && !lab_stopped(lab) && vector_add_on_cpu(lab);
    return ok && !lab_stopped(lab) && vector_add_on_gpu(lab);
}
