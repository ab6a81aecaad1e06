/* Seed 001 on a GPU: its kernels as published and with the device filled, ours, and how fast random
 * pixels can be incremented. */
#include "lab/buddhabrot/buddhabrot.h"
#include "lab/buddhabrot/buddhabrot_plain.h"
#include "lab/gpu/gpu.h"
#include "lab/gpu/gpu_orbits.h"
#include "render/base/log.h"
#include "render/density/density_cells.h"
#include "render/density/density_sample.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILL_THREADS 512 /* of a block, as the seed has it */
#define FILL_BLOCKS  4   /* of a multiprocessor */
#define SEED_ROWS    7
#define OURS_ROWS    4
#define BEST_OF      3
#define OCTAVE       (1ull << 32) /* samples of one that are counted */
#define OCTAVE_QUICK (1ull << 13)
#define ALIKE        341 /* rounds of ours for comparing pictures */
#define ALIKE_QUICK  1

enum {
    ROW_RANDOM,
    ROW_SELECTIVE,
    ROW_ATOMIC,
    ROW_GRID,
    ROW_GRID_FULL,
    ROW_HALVES,
    ROW_HALVES_FULL
};

/* A program of the seed's. */
struct seed_row {
    struct buddhabrot *b;
    struct lab_gpu *gpu;
    struct gpu_orbits_job job;
    const char *name;
    double published; /* points per second, on a GTX 1050; or NaN */
    double samples, points, most, least;
    uint32_t *canvas;
    bool ran;
};

/* Ours, through the contract. */
struct ours_row {
    struct buddhabrot *b;
    struct backend *backend;
    struct density_req req;
    struct backend_report report;
    char name[80];
};

struct on_gpu {
    struct buddhabrot *b;
    struct lab_gpu *gpu;
    struct backend *backend; /* NULL: ours does not count there */
    struct seed_row seed[SEED_ROWS];
    struct ours_row ours[OURS_ROWS];
    struct racer racers[SEED_ROWS + OURS_ROWS];
    int seed_count, ours_count;
};

/* --- runs --- */

static void look_at(struct seed_row *row) {
    row->points = row->most = 0;
    row->least = INFINITY;
    for (size_t i = 0; i < (size_t)row->b->width_px * (size_t)row->b->height_px; i++) {
        const double count = row->canvas[i];
        row->points += count;
        row->most = fmax(row->most, count);
        row->least = fmin(row->least, count);
    }
}

static bool run_seed(void *user, double *ms) {
    struct seed_row *row = user;
    struct gpu_orbits_job job = row->job;
    job.canvas = row->ran ? NULL : row->canvas;
    if (!lab_gpu_orbits(row->gpu, &job, ms))
        return false;
    if (!row->ran)
        look_at(row);
    return row->ran = true;
}

static bool run_ours(void *user, double *ms) {
    struct ours_row *row = user;
    if (!ours_run(row->b, row->backend, &row->req, &row->report))
        return false;
    *ms = row->report.elapsed_ms;
    return true;
}

/* --- rows --- */

static bool add_seed(struct on_gpu *g, enum gpu_orbits program, const char *name, int blocks,
                     int threads, int each, double published) {
    struct seed_row *row = &g->seed[g->seed_count++];
    const bool cells = program == GPU_ORBITS_GRID || program == GPU_ORBITS_HALVES;
    *row = (struct seed_row){.b = g->b,
                             .gpu = g->gpu,
                             .name = name,
                             .published = published,
                             .job = {.program = program,
                                     .width_px = g->b->width_px,
                                     .height_px = g->b->height_px,
                                     .blocks = blocks,
                                     .threads = threads,
                                     .each = each}};
    row->samples = (double)blocks * threads * each * (cells ? each : 1);
    row->canvas = calloc((size_t)g->b->width_px * (size_t)g->b->height_px, sizeof *row->canvas);
    if (!row->canvas)
        log_error("no memory for a canvas");
    return row->canvas != NULL;
}

static bool add_seeds(struct on_gpu *g) {
    const bool quick = g->b->lab->quick;
    const int full = quick ? 4 : FILL_BLOCKS * lab_gpu_processors(g->gpu);
    const int threads = quick ? 64 : FILL_THREADS, each = quick ? 16 : 512;
    bool ok = add_seed(g, GPU_ORBITS_RANDOM, "increments of random pixels", full, threads,
                       quick ? 64 : 4096, NAN);
    if (!lab_gpu_orbits_has(GPU_ORBITS_GRID)) {
        report_text(g->b->lab->report, "The seed's kernels are missing: this program was built "
                                       "with a toolkit that lacks curand_kernel.h.");
        return ok;
    }
    ok = add_seed(g, GPU_ORBITS_SELECTIVE, "selective sampling, z in global memory",
                  quick ? 4 : 256, quick ? 64 : 256, quick ? 100 : 10000, 2.66e8) &&
         ok;
    ok = add_seed(g, GPU_ORBITS_SELECTIVE_ATOMIC, "the same with atomic increments",
                  quick ? 4 : 256, quick ? 64 : 256, quick ? 100 : 10000, NAN) &&
         ok;
    ok = add_seed(g, GPU_ORBITS_GRID, "grid sampling", quick ? 2 : 16, threads, each, 1.12e9) && ok;
    ok = add_seed(g, GPU_ORBITS_GRID, "the same, the device full", full, threads, each, NAN) && ok;
    ok = add_seed(g, GPU_ORBITS_HALVES, "upper half, plotted twice", quick ? 2 : 128, threads,
                  2 * each, 2.65e9) &&
         ok;
    return add_seed(g, GPU_ORBITS_HALVES, "the same, the device full", full, threads, each, NAN) &&
           ok;
}

static void add_ours(struct on_gpu *g, enum picture which, enum number_type type,
                     uint64_t samples) {
    struct ours_row *row = &g->ours[g->ours_count++];
    *row = (struct ours_row){.b = g->b, .backend = g->backend};
    density_req_init_copy(&row->req, &g->b->picture[which].req);
    row->req.type = type;
    row->req.samples = g->b->lab->quick ? row->req.samples : samples;
    snprintf(row->name, sizeof row->name, "ours, %s; %s", number_type_name(type),
             g->b->picture[which].name);
}

static bool prepare(struct on_gpu *g, struct buddhabrot *b, struct lab_gpu *gpu) {
    const char *why;
    *g = (struct on_gpu){.b = b, .gpu = gpu};
    g->backend = ours_open(b, "cuda", b->threads, &why);
    if (g->backend) {
        add_ours(g, PICTURE_SEED, TYPE_FLOAT, 1ull << 36);
        add_ours(g, PICTURE_SEED, TYPE_DOUBLE, 1ull << 35);
        add_ours(g, PICTURE_OURS, TYPE_FLOAT, 1ull << 33);
        add_ours(g, PICTURE_NEBULA, TYPE_FLOAT, 1ull << 33);
    } else
        report_text(b->lab->report, "Ours on the GPU is missing: %s.", why);
    const bool ok = add_seeds(g);
    for (int i = 0; i < g->seed_count; i++)
        g->racers[i] =
            (struct racer){.name = g->seed[i].name, .run = run_seed, .user = &g->seed[i]};
    for (int i = 0; i < g->ours_count; i++)
        g->racers[g->seed_count + i] =
            (struct racer){.name = g->ours[i].name, .run = run_ours, .user = &g->ours[i]};
    return ok;
}

static void finish(struct on_gpu *g) {
    race_finish(g->racers, g->seed_count + g->ours_count);
    for (int i = 0; i < g->seed_count; i++)
        free(g->seed[i].canvas);
    for (int i = 0; i < g->ours_count; i++)
        density_req_finish(&g->ours[i].req);
    backend_close(g->backend);
}

/* --- tables --- */

static double rate(const struct racer *racer, double points) {
    return points / race_median(racer) / 1e6;
}

static void table_row(const struct on_gpu *g, struct table *table, int i, const char *shape,
                      double samples, double points, double published) {
    const double random = rate(&g->racers[ROW_RANDOM], g->seed[ROW_RANDOM].points);
    table_text(table, "%s", g->racers[i].name);
    table_text(table, "%s", shape);
    table_number(table, samples / 1e6);
    table_number(table, points / 1e6);
    table_number(table, race_median(&g->racers[i]));
    table_number(table, rate(&g->racers[i], samples));
    table_number(table, rate(&g->racers[i], points));
    table_number(table, rate(&g->racers[i], points) / random);
    table_number(table, published / 1e9);
    table_end_row(table);
}

static void rates_table(const struct on_gpu *g) {
    char shape[40];
    struct table *table = table_create("buddhabrot-gpu", "On the GPU",
                                       (struct table_column[]){
                                           {"program", TABLE_TEXT},
                                           {"blocks x threads", TABLE_TEXT},
                                           {"million samples", 0},
                                           {"million points made", 0},
                                           {"ms", 2},
                                           {"billion samples/s", 3},
                                           {"billion points/s", 3},
                                           {"over random increments", 2},
                                           {"the seed's, on a GTX 1050", 3},
                                           {0},
                                       });
    for (int i = 0; i < g->seed_count; i++) {
        const struct seed_row *row = &g->seed[i];
        snprintf(shape, sizeof shape, "%dx%d", row->job.blocks, row->job.threads);
        table_row(g, table, i, shape, i == ROW_RANDOM ? NAN : row->samples, row->points,
                  row->published);
    }
    for (int i = 0; i < g->ours_count; i++)
        table_row(g, table, g->seed_count + i, "-", (double)g->ours[i].report.samples,
                  (double)g->ours[i].report.points, NAN);
    report_table(g->b->lab->report, table);
}

static void statistics(const struct on_gpu *g) {
    for (int i = 1; i < g->seed_count; i++) {
        const struct seed_row *row = &g->seed[i];
        char name[96];
        snprintf(name, sizeof name, "here: %s, %dx%d", row->name, row->job.blocks,
                 row->job.threads);
        statistics_row(g->b, name, row->points, row->most, row->least, race_median(&g->racers[i]),
                       row->points);
    }
}

static void tell(const struct on_gpu *g) {
    struct report *report = g->b->lab->report;
    if (g->seed_count > ROW_ATOMIC) {
        const double meant = g->seed[ROW_ATOMIC].points, kept = g->seed[ROW_SELECTIVE].points;
        report_text(
            report,
            "Selective sampling meant to plot %.0f points and lost %.0f of them, %.3f%%: two "
            "threads that increment a pixel at once count one. Its generators are made "
            "before its time is taken, here as there; those of grid sampling in the kernel.",
            meant, meant - kept, 100 * (meant - kept) / meant);
    }
}

/* What making the generators takes of grid sampling's time. */
static bool tell_generators(const struct on_gpu *g) {
    if (g->seed_count <= ROW_GRID)
        return true;
    struct gpu_orbits_job job = g->seed[ROW_GRID].job;
    double ms, best = INFINITY;
    job.program = GPU_ORBITS_GENERATORS;
    for (int i = 0; i < BEST_OF; i++) {
        if (!lab_gpu_orbits(g->gpu, &job, &ms))
            return false;
        best = fmin(best, ms);
    }
    report_text(g->b->lab->report,
                "Making the generators of %dx%d threads takes %.3f ms of its %.2f ms.", job.blocks,
                job.threads, best, race_median(&g->racers[ROW_GRID]));
    return true;
}

/* --- checks --- */

/* A program's picture from other samples. */
static bool second_canvas(const struct seed_row *row, struct blocks *blocks) {
    struct gpu_orbits_job job = row->job;
    double ms;
    job.canvas = row->canvas;
    job.seed++;
    return lab_gpu_orbits(row->gpu, &job, &ms) &&
           blocks_of_canvas(blocks, row->canvas, row->b->width_px, row->b->height_px);
}

static bool seed_blocks(const struct seed_row *row, struct blocks blocks[2]) {
    return blocks_of_canvas(&blocks[0], row->canvas, row->b->width_px, row->b->height_px) &&
           second_canvas(row, &blocks[1]);
}

/* Ours by the seed's rules from many samples. */
static bool ours_blocks(const struct on_gpu *g, struct blocks blocks[2]) {
    bool ok = true;
    for (uint64_t i = 0; ok && i < 2; i++) {
        struct density_counts counts = {0};
        struct density_req req;
        ok = req_init_key(&req, &g->b->picture[PICTURE_SEED].req, i);
        req.samples = ok ? whole_rounds(&req, g->b->lab->quick ? ALIKE_QUICK : ALIKE) : 0;
        ok = ok && density_counts_init(&counts, &req) &&
             ours_count(g->b, g->backend, &req, &counts) &&
             blocks_of_counts(&blocks[i], &req, &counts);
        density_counts_finish(&counts);
        density_req_finish(&req);
    }
    return ok;
}

static bool check_seed(const struct on_gpu *g, int row, const char *name, enum seed_rule rule,
                       const struct blocks *ours) {
    struct blocks blocks[2] = {{0}, {0}};
    char loop[80];
    snprintf(loop, sizeof loop, "a loop by the rules of %s", seed_rules[rule].name);
    bool ok = seed_blocks(&g->seed[row], blocks) &&
              buddhabrot_alike(g->b, name, blocks, loop, g->b->rule[rule]);
    if (ok && ours)
        ok = buddhabrot_alike(g->b, name, blocks, "ours by the seed's rules on the GPU", ours);
    blocks_finish(&blocks[0]);
    blocks_finish(&blocks[1]);
    return ok;
}

static bool check_seeds(const struct on_gpu *g) {
    struct blocks ours[2] = {{0}, {0}};
    bool ok =
        report_check(g->b->lab->report, g->seed[ROW_RANDOM].points == g->seed[ROW_RANDOM].samples,
                     "all of %.0f random increments are there", g->seed[ROW_RANDOM].samples);
    if (g->seed_count > ROW_HALVES) {
        ok = (!g->backend || ours_blocks(g, ours)) && ok;
        ok = check_seed(g, ROW_ATOMIC, "selective sampling with atomic increments", SEED_SELECTIVE,
                        NULL) &&
             ok;
        ok = check_seed(g, ROW_GRID, "grid sampling", SEED_GRID, g->backend ? ours : NULL) && ok;
        ok = check_seed(g, ROW_HALVES, "the upper half plotted twice", SEED_HALVES, NULL) && ok;
    }
    blocks_finish(&ours[0]);
    blocks_finish(&ours[1]);
    return ok;
}

/* Ours on the GPU against the plain loop on the CPU. */
static bool equals_plain(const struct on_gpu *g, enum picture which, enum number_type type) {
    struct density_counts counts, right;
    struct density_req req;
    density_req_init_copy(&req, &g->b->picture[which].req);
    req.type = type;
    const struct plain_job job = {.req = &req,
                                  .samples = req.samples,
                                  .threads = g->b->threads,
                                  .cpu_flags = g->b->cpu_flags};
    const bool ok = density_counts_init(&right, &req) && plain_run(&job, &right) &&
                    density_counts_init(&counts, &req) &&
                    ours_count(g->b, g->backend, &req, &counts) && counts_equal(&counts, &right);
    density_counts_finish(&counts);
    density_counts_finish(&right);
    density_req_finish(&req);
    return ok;
}

static bool check_ours(const struct on_gpu *g) {
    bool ok = true;
    for (int i = 0; g->backend && i < PICTURE_COUNT * TYPE_NATIVE_COUNT && !lab_stopped(g->b->lab);
         i++) {
        const enum number_type type = (enum number_type)(i % TYPE_NATIVE_COUNT);
        const enum picture which = (enum picture)(i / TYPE_NATIVE_COUNT);
        ok = report_check(g->b->lab->report, equals_plain(g, which, type),
                          "%s, %s: the GPU has the plain loop's histogram, bit for bit",
                          g->b->picture[which].name, number_type_name(type)) &&
             ok;
    }
    return ok;
}

/* --- octaves --- */

static bool octave(const struct on_gpu *g, uint32_t number, double *best) {
    struct octave_job job;
    const bool quick = g->b->lab->quick;
    bool ok =
        octave_init(&job, &g->b->picture[PICTURE_SEED].req, number, quick ? OCTAVE_QUICK : OCTAVE);
    *best = 0;
    for (int i = 0; ok && i < (quick ? 1 : BEST_OF) && !lab_stopped(g->b->lab); i++)
        ok = octave_ours(g->b, g->backend, &job, true, best);
    octave_finish(&job);
    return ok;
}

static bool octaves(const struct on_gpu *g) {
    const double random = 1e3 * rate(&g->racers[ROW_RANDOM], g->seed[ROW_RANDOM].points);
    for (uint32_t i = 0; g->backend && i <= SAMPLE_OCTAVES; i++) {
        double best;
        if (!octave(g, i, &best))
            return false;
        buddhabrot_add_octave(g->b, i, "ours, GPU, its kernels", best / 1e6);
        buddhabrot_add_octave(g->b, i, "random increments, GPU", random);
    }
    return true;
}

bool buddhabrot_on_gpu(struct buddhabrot *b) {
    struct on_gpu g;
    struct lab_gpu *gpu = lab_device(b->lab);
    if (!gpu)
        return true;
    bool ok =
        prepare(&g, b, gpu) && race(g.racers, g.seed_count + g.ours_count, true, &b->lab->rules);
    if (ok) {
        rates_table(&g);
        statistics(&g);
        tell(&g);
        ok = tell_generators(&g) && octaves(&g);
        ok = check_seeds(&g) && ok;
        ok = check_ours(&g) && ok;
    }
    finish(&g);
    return ok;
}
