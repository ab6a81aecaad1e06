/* Experiment `buddhabrot` (seed 001): a Buddhabrot on a GPU, in three of the seed's versions, as
 * published and with the device filled. Compared with fathom's, a plain loop and random
 * increments. */
#include "cpu/cpuid.h"
#include "lab/buddhabrot/buddhabrot_plain.h"
#include "lab/buddhabrot/buddhabrot_rules.h"
#include "lab/gpu/gpu_orbits.h"
#include "lab/lab.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_PX        1440
#define HEIGHT_PX       2560
#define WIDTH_QUICK_PX  144
#define HEIGHT_QUICK_PX 256
#define ZOOM            "0.76923076923076923076923077" /* 4 / 5.2 */
#define FILL_THREADS    512                            /* threads of a block, as in the seed */
#define FILL_BLOCKS     4                              /* blocks of a multiprocessor */
#define RUNNERS_MAX     16
#define POLL_MS         20

/* Fathom's pictures, all of the seed's view. */
enum picture { PICTURE_SHORT, PICTURE_LONG, PICTURE_NEBULA, PICTURES };

static const struct {
    const char *name;
    int channels;
    uint32_t limit[3];
    uint64_t samples, quick; /* number of samples on the CPU */
} pictures[PICTURES] = {
    [PICTURE_SHORT] = {"limit 20", 1, {SEED_ITERATIONS}, 1ull << 24, 1ull << 17},
    [PICTURE_LONG] = {"limit 1000", 1, {1000}, 1ull << 22, 1ull << 15},
    [PICTURE_NEBULA] = {"Nebulabrot 5000/500/50", 3, {5000, 500, 50}, 1ull << 21, 1ull << 13},
};

struct buddhabrot {
    struct lab *lab;
    int width_px, height_px;
    size_t pixels;
    uint32_t cpu_flags;
    int threads;
    struct density_req req[PICTURES]; /* in floats, with the CPU's number of samples */
    struct table *rates;              /* rows of all programs */
    struct blocks rule[SEED_RULES];   /* drawn by plain loops */
};

/* Statistics of a canvas. */
struct totals {
    double points, most, least;
};

static struct totals totals_of(const uint32_t *canvas, size_t pixels) {
    struct totals totals = {0, 0, INFINITY};
    for (size_t i = 0; i < pixels; i++) {
        totals.points += canvas[i];
        totals.most = fmax(totals.most, canvas[i]);
        totals.least = fmin(totals.least, canvas[i]);
    }
    return totals;
}

static uint32_t *make_canvas(const struct buddhabrot *b) {
    uint32_t *canvas = calloc(b->pixels, sizeof *canvas);
    if (!canvas)
        log_error("no memory for %zu counts", b->pixels);
    return canvas;
}

/* Adds the results that the seed's author printed, and the rate reported for a later version. */
static void add_published(struct table *rates) {
    static const struct {
        const char *name;
        double points, per_pixel, most, least, s, rate;
    } rows[] = {
        {"selective sampling, GTX 1050", 5.8397e8, 158.41, 886, 0, 2.20, 266},
        {"grid sampling, GTX 1050", 2.59801e9, 704.76, 7873, 0, 2.33, 1120},
        {"finer grid, more threads, GTX 1050", 2.54575e11, 69057.85, 792006, 0, 157.91, 1610},
        {"upper half, plotted twice, GTX 1050", 1.69717e12, 460385.79, 5277235, 0, 639.79, 2650},
        {"a later version, GTX 1080 Ti", NAN, NAN, NAN, NAN, NAN, 10600},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        table_add(rates, "%s %s %s %g %g %g %g %g %g %g %g %g", rows[i].name, "the seed's", "-",
                  NAN, rows[i].points / 1e6, 1e3 * rows[i].s, NAN, rows[i].rate, NAN,
                  rows[i].per_pixel, rows[i].most, rows[i].least);
}

/* --- programs that count points --- */

struct runner {
    struct buddhabrot *b;
    const char *picture;
    char name[64], shape[24];
    struct density_req req;    /* of the plain loop and of fathom's programs */
    struct backend *backend;   /* of fathom's programs */
    struct gpu_orbits_job job; /* of the laboratory's kernels */
    uint32_t *canvas;          /* drawn by the first run */
    double samples, made;      /* `made`: number of increments */
    struct totals totals;
};

struct runners {
    struct runner runner[RUNNERS_MAX];
    struct racer racer[RUNNERS_MAX];
    int count;
};

static bool run_plain(void *user, double *ms) {
    struct runner *r = user;
    struct density_counts counts;
    bool ok = density_counts_init(&counts, &r->req);
    const double start = clock_ms();
    ok = ok && plain_run(&r->req, r->b->threads, r->b->cpu_flags, &counts);
    *ms = clock_ms() - start;
    r->samples = (double)counts.samples;
    r->made = (double)counts.points;
    density_counts_finish(&counts);
    return ok;
}

static bool draw_density(struct buddhabrot *b, struct backend *backend,
                         const struct density_req *req, struct backend_report *report) {
    if (!backend_density_submit(backend, req, NULL))
        return false;
    do {
        *report = backend_poll(backend, POLL_MS);
        if (report->state == BACKEND_BUSY && lab_stopped(b->lab))
            backend_cancel(backend);
    } while (report->state == BACKEND_BUSY && !lab_stopped(b->lab));
    return report->state == BACKEND_DONE;
}

static bool run_ours(void *user, double *ms) {
    struct runner *r = user;
    struct backend_report report;
    if (!draw_density(r->b, r->backend, &r->req, &report))
        return false;
    *ms = report.elapsed_ms;
    r->samples = (double)report.samples;
    r->made = (double)report.points;
    return true;
}

static bool run_kernel(void *user, double *ms) {
    struct runner *r = user;
    struct gpu_orbits_job job = r->job;
    const bool first = r->made == 0;
    job.canvas = first ? r->canvas : NULL;
    if (!lab_gpu_orbits(lab_device(r->b->lab), &job, ms))
        return false;
    if (first)
        r->totals = totals_of(r->canvas, r->b->pixels);
    r->made = r->totals.points / (job.program == GPU_ORBITS_FOLDED ? 2 : 1);
    return true;
}

static struct runner *add(struct runners *runners, struct buddhabrot *b,
                          bool (*run)(void *user, double *ms), const char *name,
                          const char *picture) {
    struct runner *r = &runners->runner[runners->count];
    *r = (struct runner){.b = b, .picture = picture, .shape = "-", .totals = {NAN, NAN, NAN}};
    snprintf(r->name, sizeof r->name, "%s", name);
    runners->racer[runners->count++] = (struct racer){.name = r->name, .run = run, .user = r};
    return r;
}

/* Adds fathom's program on a backend, or the plain loop if it is NULL. */
static struct runner *add_density(struct runners *runners, struct buddhabrot *b, const char *name,
                                  struct backend *backend, enum picture which) {
    struct runner *r = add(runners, b, backend ? run_ours : run_plain, name, pictures[which].name);
    density_req_init_copy(&r->req, &b->req[which]);
    r->backend = backend;
    return r;
}

static void finish(struct runners *runners) {
    race_finish(runners->racer, runners->count);
    for (int i = 0; i < runners->count; i++) {
        free(runners->runner[i].canvas);
        if (runners->racer[i].run != run_kernel) /* kernels have no request */
            density_req_finish(&runners->runner[i].req);
    }
}

/* Races all programs and adds their rows; the others are compared with the first. */
static bool race_all(struct buddhabrot *b, struct runners *runners) {
    const struct racer *first = &runners->racer[0];
    if (!race(runners->racer, runners->count, true, &b->lab->rules))
        return false;
    for (int i = 0; i < runners->count; i++) {
        const struct runner *r = &runners->runner[i];
        const double ms = race_median(&runners->racer[i]);
        const double rate = r->made / ms / 1e3;
        const double first_rate = runners->runner[0].made / race_median(first) / 1e3;
        table_add(b->rates, "%s %s %s %g %g %g %g %g %g %g %g %g", r->name, r->picture, r->shape,
                  r->samples / 1e6, r->made / 1e6, ms, r->samples / ms / 1e3, rate,
                  rate / first_rate, r->totals.points / (double)b->pixels, r->totals.most,
                  r->totals.least);
    }
    return true;
}

/* Opens a backend that counts. Returns NULL if there is none of that name, which is reported. */
static struct backend *open_backend(const struct buddhabrot *b, const char *name) {
    const char *why = "this program was built without it";
    struct backend_options options = b->lab->options;
    struct backend *backend = NULL;
    options.threads = b->threads;
    for (const struct backend_impl *const *impl = b->lab->impls; *impl; impl++)
        if (strcmp((*impl)->name, name) == 0 && (*impl)->usable(&options, &why)) {
            why = (*impl)->density ? "it could not be started" : "it does not count orbits";
            backend = (*impl)->density ? backend_open(b->lab->impls, name, &options) : NULL;
        }
    if (!backend)
        report_text(b->lab->report, "Ours on %s is missing: %s.", name, why);
    return backend;
}

/* --- exact checks of fathom's --- */

static bool counts_as(struct buddhabrot *b, struct backend *backend, const struct density_req *req,
                      const struct density_counts *right) {
    struct backend_report report;
    struct density_counts counts;
    const bool ok = density_counts_init(&counts, req) && draw_density(b, backend, req, &report) &&
                    backend_density_read(backend, &counts) && counts.points == right->points &&
                    counts.samples == right->samples &&
                    memcmp(counts.count, right->count,
                           sizeof *counts.count * (size_t)counts.planes * (size_t)counts.width *
                               (size_t)counts.height) == 0;
    density_counts_finish(&counts);
    return ok;
}

/* Checks that backends count the plain loop's histogram of a picture, in float and double. */
static bool check_counts(struct buddhabrot *b, enum picture which, struct backend *const *backends,
                         int count, const char *who) {
    struct density_counts right = {0};
    bool ok = true;
    for (int type = TYPE_NATIVE_COUNT - 1; type >= 0 && !lab_stopped(b->lab); type--) {
        struct density_req req;
        density_req_init_copy(&req, &b->req[which]);
        req.type = (enum number_type)type;
        density_counts_finish(&right);
        ok = density_counts_init(&right, &req) &&
             plain_run(&req, b->threads, b->cpu_flags, &right) && ok;
        for (int i = 0; ok && i < count; i++)
            ok = counts_as(b, backends[i], &req, &right);
        density_req_finish(&req);
    }
    ok = count == 0 ||
         report_check(b->lab->report, ok,
                      "%s: %s the plain loop's histogram, bit for bit, in float and "
                      "double (%.4g samples, %.4g points)",
                      pictures[which].name, who, (double)right.samples, (double)right.points);
    density_counts_finish(&right);
    return ok;
}

/* --- CPU --- */

static bool on_cpu(struct buddhabrot *b, enum picture which) {
    struct lab_isa isas[LAB_ISAS_MAX];
    struct runners runners = {.count = 0};
    struct backend *backends[LAB_ISAS_MAX];
    int opened = 0;
    add_density(&runners, b, "a plain loop", NULL, which);
    for (int i = lab_isas(b->lab, isas) - 1; i >= 0; i--) {
        char name[64];
        struct backend *backend = open_backend(b, isas[i].name);
        snprintf(name, sizeof name, "ours, %s", isas[i].name);
        if (backend)
            add_density(&runners, b, name, backends[opened++] = backend, which);
    }
    for (int i = 0; i < runners.count; i++)
        snprintf(runners.runner[i].shape, sizeof runners.runner[i].shape, "%d", b->threads);
    bool ok = check_counts(b, which, backends, opened, "every program on the CPU has");
    ok = race_all(b, &runners) && ok;
    finish(&runners);
    for (int i = 0; i < opened; i++)
        backend_close(backends[i]);
    return ok;
}

/* --- a GPU --- */

enum {
    ROW_RANDOM,
    ROW_OURS,
    ROW_SELECTIVE,
    ROW_ATOMIC,
    ROW_GRID,
    ROW_GRID_FULL,
    ROW_HALVES,
    ROW_HALVES_FULL,
    ROWS
};

/* Kernels of the seed; 0 blocks: as many as fill the device. */
static const struct kernel_row {
    enum gpu_orbits program;
    const char *name;
    struct {
        int blocks, threads, each;
    } full, quick;
} kernel_rows[ROWS] = {
    {GPU_ORBITS_RANDOM, "increments of random pixels", {0, FILL_THREADS, 4096}, {4, 64, 64}},
    {GPU_ORBITS_FOLDED, "ours by the seed's rules", {0, FILL_THREADS, 8192}, {4, 64, 64}},
    {GPU_ORBITS_SELECTIVE, "selective sampling", {256, 256, 10000}, {4, 64, 100}},
    {GPU_ORBITS_SELECTIVE_ATOMIC, "the same, atomic", {256, 256, 10000}, {4, 64, 100}},
    {GPU_ORBITS_GRID, "grid sampling", {16, FILL_THREADS, 512}, {2, 64, 16}},
    {GPU_ORBITS_GRID, "the same, the device full", {0, FILL_THREADS, 512}, {4, 64, 16}},
    {GPU_ORBITS_HALVES, "upper half, plotted twice", {128, FILL_THREADS, 1024}, {2, 64, 32}},
    {GPU_ORBITS_HALVES, "the same, the device full", {0, FILL_THREADS, 512}, {4, 64, 16}},
};

static bool add_kernels(struct runners *runners, struct buddhabrot *b) {
    struct lab_gpu *gpu = lab_device(b->lab);
    for (int i = 0; i < ROWS; i++) {
        const struct kernel_row *row = &kernel_rows[i];
        const bool quick = b->lab->quick;
        const int blocks = quick ? row->quick.blocks : row->full.blocks;
        if (!lab_gpu_orbits_has(row->program)) {
            report_text(b->lab->report, "The seed's kernels are missing: this program was built "
                                        "with a toolkit that lacks curand_kernel.h.");
            return true;
        }
        struct runner *r = add(runners, b, run_kernel, row->name, "the seed's");
        const int each = quick ? row->quick.each : row->full.each;
        r->job = (struct gpu_orbits_job){.program = row->program,
                                         .width_px = b->width_px,
                                         .height_px = b->height_px,
                                         .blocks = blocks ? blocks
                                                          : FILL_BLOCKS * lab_gpu_processors(gpu),
                                         .threads = quick ? row->quick.threads : row->full.threads,
                                         .each = each};
        const bool cells = row->program == GPU_ORBITS_GRID || row->program == GPU_ORBITS_HALVES;
        r->samples = row->program == GPU_ORBITS_FOLDED
                         ? 32.0 * each * each
                         : (double)r->job.blocks * r->job.threads * each * (cells ? each : 1);
        snprintf(r->shape, sizeof r->shape, "%dx%d", r->job.blocks, r->job.threads);
        r->canvas = make_canvas(b);
        if (!r->canvas)
            return false;
    }
    return true;
}

static void add_ours(struct runners *runners, struct buddhabrot *b, struct backend *backend) {
    static const struct {
        enum picture which;
        enum number_type type;
        uint64_t samples;
    } rows[] = {{PICTURE_SHORT, TYPE_FLOAT, 1ull << 36},
                {PICTURE_SHORT, TYPE_DOUBLE, 1ull << 35},
                {PICTURE_LONG, TYPE_FLOAT, 1ull << 33},
                {PICTURE_NEBULA, TYPE_FLOAT, 1ull << 33}};
    for (size_t i = 0; backend && i < sizeof rows / sizeof *rows; i++) {
        char name[64];
        snprintf(name, sizeof name, "ours, GPU, %s", number_type_name(rows[i].type));
        struct runner *r = add_density(runners, b, name, backend, rows[i].which);
        r->req.type = rows[i].type;
        r->req.samples = b->lab->quick ? r->req.samples : rows[i].samples;
    }
}

/* Adds a kernel's picture, and another one from other samples. */
static bool kernel_blocks(const struct runner *r, struct blocks *blocks) {
    struct gpu_orbits_job job = r->job;
    double ms;
    job.canvas = r->canvas;
    job.seed++;
    return blocks_add(blocks, 0, r->canvas, r->b->width_px, r->b->height_px) &&
           lab_gpu_orbits(lab_device(r->b->lab), &job, &ms) &&
           blocks_add(blocks, 1, r->canvas, r->b->width_px, r->b->height_px);
}

static bool check_kernels(struct buddhabrot *b, const struct runners *runners, int kernels) {
    static const struct {
        int row;
        const char *name;
        enum seed_rule rule;
    } rows[] = {{ROW_OURS, "ours by the seed's rules on the GPU", SEED_GRID},
                {ROW_ATOMIC, "selective sampling with atomic increments", SEED_SELECTIVE},
                {ROW_GRID, "grid sampling", SEED_GRID},
                {ROW_HALVES, "the upper half plotted twice", SEED_HALVES}};
    const struct runner *random = &runners->runner[ROW_RANDOM];
    struct blocks ours = {0};
    bool ok = report_check(b->lab->report, random->made == random->samples,
                           "all of %.0f random increments are there", random->samples);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && rows[i].row < kernels; i++) {
        struct blocks own = {0}, *blocks = rows[i].row == ROW_OURS ? &ours : &own;
        char loop[80];
        snprintf(loop, sizeof loop, "a loop by the rules of %s", seed_rules[rows[i].rule].name);
        const bool drawn = kernel_blocks(&runners->runner[rows[i].row], blocks);
        ok =
            drawn && blocks_alike(b->lab, rows[i].name, blocks, loop, &b->rule[rows[i].rule]) && ok;
        if (drawn && rows[i].row == ROW_GRID)
            ok = blocks_alike(b->lab, rows[i].name, blocks, rows[0].name, &ours) && ok;
        blocks_finish(&own);
    }
    blocks_finish(&ours);
    return ok;
}

static void tell_lost(struct buddhabrot *b, const struct runners *runners) {
    const double meant = runners->runner[ROW_ATOMIC].made,
                 kept = runners->runner[ROW_SELECTIVE].made;
    report_text(b->lab->report,
                "Selective sampling meant to plot %.0f points and lost %.0f of them, %.3f%%: two "
                "threads that increment a pixel at once count one. Its generators are made "
                "before its time is taken, here as there; those of grid sampling in the kernel.",
                meant, meant - kept, 100 * (meant - kept) / meant);
}

static bool on_gpu(struct buddhabrot *b) {
    struct runners runners = {.count = 0};
    if (!lab_device(b->lab))
        return true;
    struct backend *backend = open_backend(b, "cuda");
    bool ok = add_kernels(&runners, b);
    const int kernels = runners.count;
    add_ours(&runners, b, backend);
    ok = ok && race_all(b, &runners);
    if (ok && kernels > ROW_ATOMIC)
        tell_lost(b, &runners);
    ok = ok && check_kernels(b, &runners, kernels);
    for (enum picture which = 0; backend && which < PICTURES; which++)
        ok = check_counts(b, which, &backend, 1, "the GPU has") && ok;
    finish(&runners);
    backend_close(backend);
    return ok;
}

/* --- the experiment --- */

static bool init(struct buddhabrot *b, struct lab *lab) {
    *b = (struct buddhabrot){.lab = lab,
                             .width_px = lab->quick ? WIDTH_QUICK_PX : WIDTH_PX,
                             .height_px = lab->quick ? HEIGHT_QUICK_PX : HEIGHT_PX,
                             .cpu_flags = cpu_flags(lab->options.cpumask),
                             .threads = lab_threads(lab)};
    bool ok = true;
    b->pixels = (size_t)b->width_px * (size_t)b->height_px;
    for (int i = 0; i < PICTURES; i++) {
        struct density_req *req = &b->req[i];
        const char *why;
        density_req_init(req, b->width_px, b->height_px);
        req->type = TYPE_FLOAT;
        req->density.channels = pictures[i].channels;
        memcpy(req->density.limit, pictures[i].limit,
               (size_t)pictures[i].channels * sizeof *req->density.limit);
        req->samples = lab->quick ? pictures[i].quick : pictures[i].samples;
        req->cells = density_cells_create(&req->density);
        ok = req->cells && view_set_zoom(&req->view, ZOOM, &why) &&
             view_set_centre(&req->view, "-0.6", "0", 0, &why) &&
             view_set_angle_degrees(&req->view, 90, &why) && ok;
    }
    b->rates = table_of("buddhabrot-rates", "How fast points are counted",
                        "program|picture|threads|million samples:1|million points made:1|ms:2|"
                        "million samples/s:1|million points/s:1|"
                        "times the plain loop, or random increments:2|points a pixel:2|"
                        "maximum frequency:0|minimum frequency:0");
    add_published(b->rates);
    return ok;
}

bool buddhabrot_experiment(struct lab *lab) {
    struct buddhabrot b;
    bool ok = init(&b, lab);
    report_text(
        lab->report,
        "The picture: %dx%d pixels, real parts from -3.2 to 2.0 downwards, imaginary parts "
        "from -1.5 to 1.5 across, in float (ours has square pixels, and 39/40 of the width). A "
        "point is an increment of a pixel; points of an orbit that are outside of the picture "
        "are "
        "none. Ours folds this picture about the real axis: it counts orbits of the upper "
        "half, in "
        "half of the pixels, and a pixel and its mirror image show the same count. Points that "
        "are "
        "mirror images only are not counted as made.",
        b.width_px, b.height_px);
    ok = ok && rules_count(lab, b.width_px, b.height_px, b.rule);
    for (enum picture which = 0; which < PICTURES; which++)
        ok = !lab_stopped(lab) && on_cpu(&b, which) && ok;
    ok = !lab_stopped(lab) && on_gpu(&b) && ok;
    report_table(lab->report, b.rates);
    for (int i = 0; i < PICTURES; i++)
        density_req_finish(&b.req[i]);
    for (enum seed_rule rule = 0; rule < SEED_RULES; rule++)
        blocks_finish(&b.rule[rule]);
    return ok;
}
