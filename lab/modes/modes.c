/* Experiment `modes` (seed 002): drawing modes and mfunc modes in all combinations, next to
 * fathom's backends, and the cost of dispatching. */
#include "cpu/cpuid.h"
#include "lab/bench/bench.h"
#include "lab/lab.h"
#include "lab/modes/modes_draw.h"
#include "lab/opencl/opencl.h"
#include "render/backends.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/sample.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS_MAX  5
#define BUDGET_MS    600
#define BACKENDS_MAX 8
#define PLANES       (1 + MFUNC_NUMBERS + TYPE_NATIVE_COUNT) /* number of planes of counts */

/* Values that all rows of a view share. */
struct modes_view {
    struct lab *lab;
    struct race_rules rules;
    uint32_t cpu_flags;
    int threads;
    const char *name;
    struct subject subject; /* for fathom's backends */
    struct modes_picture picture;
    size_t pixels;
    int32_t *fixed[2]; /* coordinates of the columns and rows */
    /* Counts: of a program; of plain loops, by type; and of fused plain loops, whose arithmetic
     * fathom's backends have. */
    uint32_t *count, *expected[MFUNC_NUMBERS], *fused[TYPE_NATIVE_COUNT];
    struct backend *backend[BACKENDS_MAX]; /* opened when a row needs it */
};

struct row {
    struct modes_view *view;
    char name[64];
    const char *drawing, *device; /* "parallel", "avx2" */
    enum mfunc_number number;
    int threads; /* 0: on a GPU */
    bool ours;
    unsigned shortcuts;
    /* Draws the picture. With `counts` they are in view->count afterwards, which may take longer.
     * Notes: the time in kernels; the time of a dispatch at the top and in the middle. */
    bool (*draw)(struct row *row, bool counts, double *ms);
    modes_draw_fn *mode; /* for an mfunc */
    const struct mfunc *mfunc;
    struct backend *backend; /* for fathom's rows */
    int rows, dispatches;    /* rows of a dispatch, 0: all; dispatches of the whole picture */
    /* Pixels that differ from the plain loop's in double, and in the row's own type and
     * arithmetic. */
    uint64_t unlike_double, unlike_own;
};

#define ROWS_MAX 144
struct rows {
    struct row row[ROWS_MAX];
    struct racer racer[ROWS_MAX];
    int count;
};

/* --- the picture: the backends' own coordinates, and doubles rounded to fixed point --- */

/* Returns the coordinates in fixed point, or NULL without memory, which is logged. */
static int32_t *fixed_of(const double *from, int count) {
    int32_t *fixed = memory_alloc((size_t)count * sizeof *fixed, "coordinates");
    for (int i = 0; fixed && i < count; i++)
        fixed[i] = (int32_t)lrint(ldexp(from[i], MFUNC_FIXED_BITS));
    return fixed;
}

static bool init_view(struct modes_view *v, struct lab *lab, const char *name, int width_px,
                      int height_px, uint32_t limit) {
    struct bench_setup setup = {.options = lab->options,
                                .width_px = width_px,
                                .height_px = height_px,
                                .limit = limit,
                                .stop = lab->rules.stop};
    *v = (struct modes_view){.lab = lab,
                             .rules = lab->rules,
                             .cpu_flags = cpu_flags(lab->options.cpumask),
                             .threads = lab_threads(lab),
                             .name = name,
                             .picture = {width_px, height_px, limit, {0}, {0}},
                             .pixels = (size_t)width_px * (size_t)height_px};
    struct modes_picture *picture = &v->picture;
    v->rules.repeats = lab->rules.repeats < REPEATS_MAX ? lab->rules.repeats : REPEATS_MAX;
    v->rules.budget_ms = BUDGET_MS;
    subject_init(&v->subject);
    v->count = memory_alloc(PLANES * v->pixels * sizeof *v->count, "the counts of a picture");
    if (!v->count || !subject_load(&v->subject, &setup, bench_view_find(name, strlen(name))))
        return false;
    for (int number = 0; number < MFUNC_NUMBERS; number++)
        v->expected[number] = v->count + (size_t)(1 + number) * v->pixels;
    for (int type = 0; type < TYPE_NATIVE_COUNT; type++) {
        v->fused[type] = v->count + (size_t)(1 + MFUNC_NUMBERS + type) * v->pixels;
        picture->re[type] = v->subject.re[type];
        picture->im[type] = v->subject.im[type];
    }
    picture->re[MFUNC_FIXED] = v->fixed[0] = fixed_of(v->subject.re[TYPE_DOUBLE], width_px);
    picture->im[MFUNC_FIXED] = v->fixed[1] = fixed_of(v->subject.im[TYPE_DOUBLE], height_px);
    return v->fixed[0] && v->fixed[1];
}

static void finish_view(struct modes_view *v) {
    for (int i = 0; i < BACKENDS_MAX; i++)
        backend_close(v->backend[i]);
    free(v->fixed[0]);
    free(v->fixed[1]);
    free(v->count);
    subject_finish(&v->subject);
}

/* --- rows --- */

/* Drawing modes of the seed: with mfuncs on the CPU and, where it was published, with OpenCL. */
static const struct program {
    const char *drawing;
    modes_draw_fn *mode; /* on the CPU */
    bool threads;
    bool opencl;
    int rows; /* rows of a dispatch; 0: all */
} programs[] = {
    {"simple", modes_draw_parallel, false, false, 0},
    {"parallel", modes_draw_parallel, true, false, 0},
    {"64 workers, 1 row", modes_draw_strided, true, true, 1},
    {"64 workers, 25 rows", modes_draw_strided, true, true, 25},
    {"64 workers, all rows", modes_draw_strided, true, true, 0},
    {"each pixel to its end", modes_draw_follow, true, false, 0},
    {"32 steps masked", modes_draw_masked, true, false, 0},
};
#define PROGRAMS (sizeof programs / sizeof *programs)

/* Adds a row of the seed that draws all in one dispatch on a GPU; the caller changes other members.
 * Without room it logs a warning and reuses the last row. */
static struct row *add(struct rows *rows, struct modes_view *view, const char *drawing,
                       const char *device, int number,
                       bool (*draw)(struct row *row, bool counts, double *ms)) {
    if (rows->count == ROWS_MAX)
        log_warn("more than %d rows: %s on %s is left out", ROWS_MAX, drawing, device);
    struct row *row = &rows->row[rows->count < ROWS_MAX ? rows->count++ : rows->count - 1];
    *row = (struct row){.view = view,
                        .drawing = drawing,
                        .device = device,
                        .number = (enum mfunc_number)number,
                        .draw = draw,
                        .dispatches = 1};
    return row;
}

/* --- the seed's modes, on the CPU --- */

static bool draw_mfunc(struct row *row, bool counts, double *ms) {
    const struct modes_view *view = row->view;
    const int height = view->picture.height_px;
    double *times = calloc((size_t)height, sizeof *times);
    const struct modes_job job = {.picture = view->picture,
                                  .number = row->number,
                                  .mfunc = row->mfunc,
                                  .threads = row->threads,
                                  .rows = row->rows,
                                  .stop = view->rules.stop,
                                  .count = view->count,
                                  .dispatch_ms = times};
    const double start = clock_ms();
    const bool ok = times && row->mode(&job);
    *ms = clock_ms() - start;
    if (ok && !counts && row->rows > 0 && row->mode == modes_draw_strided) {
        ms[2] = times[0];
        ms[3] = times[height / 2 / row->rows];
    }
    free(times);
    return ok;
}

static int dispatches_of(const struct program *p, const struct modes_picture *picture) {
    return p->rows > 0                    ? (picture->height_px + p->rows - 1) / p->rows
           : p->mode == modes_draw_masked ? ((int)picture->limit + 32) / 32
                                          : 1;
}

/* Adds a program in every number type, on vectors of one width. */
static void add_mfuncs(struct rows *rows, struct modes_view *view, const struct program *p,
                       const struct mfunc_isa *isa) {
    for (int number = 0; number < MFUNC_NUMBERS; number++) {
        if (p->mode == modes_draw_masked && !isa->mfunc[number].masked)
            continue;
        struct row *row = add(rows, view, p->drawing, isa->name, number, draw_mfunc);
        row->threads = p->threads ? view->threads : 1;
        row->mode = p->mode;
        row->mfunc = &isa->mfunc[number];
        row->rows = p->rows;
        row->dispatches = dispatches_of(p, &view->picture);
    }
}

/* --- by OpenCL --- */

static bool run_program(const struct row *row, int y0, int height, struct opencl_times *times) {
    const struct modes_view *view = row->view;
    const struct modes_picture *picture = &view->picture;
    const size_t number = mfunc_number_size(row->number);
    const struct opencl_job job = {.number = row->number,
                                   .width_px = picture->width_px,
                                   .height_px = height,
                                   .re = picture->re[row->number],
                                   .im =
                                       (const char *)picture->im[row->number] + (size_t)y0 * number,
                                   .limit = picture->limit,
                                   .rows_per_launch = row->rows,
                                   .count = view->count};
    return lab_opencl_count(lab_opencl_device(view->lab), &job, times);
}

/* Times a single dispatch, with the upload of the coordinates and the download of the counts, as
 * the seed does it. */
static bool time_dispatch(const struct row *row, int y0, double *ms) {
    const int left = row->view->picture.height_px - y0;
    struct opencl_times times;
    if (!run_program(row, y0, row->rows < left ? row->rows : left, &times))
        return false;
    *ms = times.total_ms;
    return true;
}

static bool draw_program(struct row *row, bool counts, double *ms) {
    const int height = row->view->picture.height_px;
    struct opencl_times times;
    if (!run_program(row, 0, height, &times))
        return false;
    *ms = times.total_ms;
    row->dispatches = times.launches;
    if (counts)
        return true;
    ms[1] = times.kernel_ms;
    return row->rows == 0 || times.launches == 1 ||
           (time_dispatch(row, 0, &ms[2]) &&
            time_dispatch(row, height / 2 / row->rows * row->rows, &ms[3]));
}

static void add_opencl(struct rows *rows, struct modes_view *view, const struct program *p) {
    for (int number = 0; number < MFUNC_NUMBERS; number++) {
        struct row *row = add(rows, view, p->drawing, "OpenCL", number, draw_program);
        row->rows = p->rows;
    }
}

/* --- fathom's --- */

static bool draw_backend(struct row *row, bool counts, double *ms) {
    struct modes_view *view = row->view;
    struct backend_report report;
    if (!subject_draw(&view->subject, row->backend, (enum number_type)row->number, row->shortcuts,
                      counts, view->rules.stop, &report))
        return false;
    *ms = report.elapsed_ms;
    for (size_t i = 0; counts && i < view->pixels; i++)
        view->count[i] = view->subject.count[i] & SAMPLE_INTERIOR ? 0 : view->subject.count[i];
    if (!counts && row->threads == 0)
        ms[1] = report.device_ms > 0 ? report.device_ms : report.elapsed_ms;
    return true;
}

static bool on_gpu(const struct backend_impl *impl) {
    return strcmp(impl->name, "cuda") == 0 || strcmp(impl->name, "opencl") == 0;
}

static bool add_backends(struct rows *rows, struct modes_view *view) {
    struct backend_options options = view->lab->options;
    struct backend **backend = view->backend;
    options.threads = view->threads;
    for (const struct backend_impl *const *impl = backends_drawing; *impl; impl++) {
        const char *why = "";
        if (!(*impl)->usable(&options, &why) || (why[0] && !options.device) ||
            /* a usable backend with a reason is for tests only. */
            backend == view->backend + BACKENDS_MAX)
            continue;
        if (!*backend)
            *backend = backend_open(backends_drawing, (*impl)->name, &options);
        if (!*backend)
            return false;
        for (int k = 0; k < 2 * TYPE_NATIVE_COUNT; k++) {
            struct row *row = add(rows, view, "tiles", (*impl)->name, k / 2, draw_backend);
            row->threads = on_gpu(*impl) ? 0 : view->threads;
            row->ours = true;
            row->shortcuts = k % 2 ? SHORTCUTS_ALL : SHORTCUTS_NONE;
            row->backend = *backend;
        }
        backend++;
    }
    return true;
}

static bool add_rows(struct rows *rows, struct modes_view *view) {
    const bool opencl = lab_opencl_device(view->lab);
    for (size_t i = 0; i < PROGRAMS; i++)
        for (int isa = 0; isa < MFUNC_ISAS; isa++)
            if (!(mfunc_isas[isa].needs & ~view->cpu_flags))
                add_mfuncs(rows, view, &programs[i], &mfunc_isas[isa]);
    for (size_t i = 0; i < PROGRAMS; i++)
        if (opencl && programs[i].opencl)
            add_opencl(rows, view, &programs[i]);
    return add_backends(rows, view);
}

/* --- plain loops that rows are compared with --- */

static bool make_expected(const struct modes_view *view) {
    for (int number = 0; number < MFUNC_NUMBERS; number++)
        modes_count_plainly(&view->picture, (enum mfunc_number)number, false, view->threads,
                            view->rules.stop, view->expected[number]);
    for (int type = 0; type < TYPE_NATIVE_COUNT; type++)
        modes_count_plainly(&view->picture, (enum mfunc_number)type, true, view->threads,
                            view->rules.stop, view->fused[type]);
    return !view->rules.stop();
}

static uint64_t unlike(const struct modes_view *view, const uint32_t *expected) {
    uint64_t differing = 0;
    for (size_t i = 0; i < view->pixels; i++)
        differing += view->count[i] != expected[i];
    return differing;
}

static bool race_row(void *user, double *ms) {
    struct row *row = user;
    return row->draw(row, false, ms);
}

/* Draws each row once, compares it, and makes it a racer. */
static bool compare(struct rows *rows, struct modes_view *view) {
    for (int i = 0; i < rows->count; i++) {
        struct row *row = &rows->row[i];
        double ms[1 + RACE_NOTES];
        snprintf(row->name, sizeof row->name, "%s %s %s%s", row->drawing, row->device,
                 mfunc_number_name(row->number), row->shortcuts ? " with shortcuts" : "");
        if (view->rules.stop())
            return false;
        if (view->rules.progress)
            view->rules.progress(row->name, -1, 0);
        memset(view->count, 0xff, view->pixels * sizeof *view->count);
        if (!row->draw(row, true, ms))
            return false;
        row->unlike_double = unlike(view, view->expected[MFUNC_DOUBLE]);
        row->unlike_own = unlike(view, (row->ours ? view->fused : view->expected)[row->number]);
        rows->racer[i] = (struct racer){.name = row->name, .run = race_row, .user = row};
    }
    return true;
}

static bool check(const struct rows *rows, const struct modes_view *view) {
    const struct row *wrong = NULL;
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].unlike_own > 0)
            wrong = &rows->row[i];
    return report_check(view->lab->report, !wrong,
                        "the %d rows have the counts of the plain loop in their own type and "
                        "arithmetic, bit for bit%s%s",
                        rows->count, wrong ? "; one that has not: " : "", wrong ? wrong->name : "");
}

/* --- tables --- */

static void show(const struct rows *rows, const struct modes_view *view) {
    const struct racer *seed = NULL; /* fastest of the seed's programs */
    char id[32], title[160];
    snprintf(id, sizeof id, "modes-%s", view->name);
    snprintf(title, sizeof title, "Ways to draw: %s, %dx%d, limit %u", view->name,
             view->picture.width_px, view->picture.height_px, view->picture.limit);
    struct table *table =
        table_of(id, title,
                 "program|drawing|device|numbers|threads:0|dispatches:0|time, ms:2|"
                 "of it in kernels, ms:3|Mpixel/s:1|times the seed's best:2|pixels unlike double:0|"
                 "unlike its own type:0|least of a dispatch at the top, ms:4|in the middle, ms:4|"
                 "times as long:1");
    for (int i = 0; i < rows->count; i++)
        if (!rows->row[i].ours && (!seed || race_median(&rows->racer[i]) < race_median(seed)))
            seed = &rows->racer[i];
    for (int i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        const double ms = race_median(&rows->racer[i]);
        const struct series *notes = rows->racer[i].notes;
        const double shallow = series_quantile(&notes[1], 0), deep = series_quantile(&notes[2], 0);
        table_text(table, row->ours ? "ours" : "seed");
        table_text(table, "%s%s", row->drawing, row->shortcuts ? ", shortcuts" : "");
        table_add(table, "%s %s %g %d %g %g %g %g %g %g %g %g %g", row->device,
                  mfunc_number_name(row->number), row->threads > 0 ? row->threads : NAN,
                  row->dispatches, ms, series_median(&notes[0]), (double)view->pixels / ms / 1e3,
                  seed ? race_ratio(&rows->racer[i], seed) : NAN, (double)row->unlike_double,
                  (double)row->unlike_own, shallow, deep, deep / shallow);
    }
    report_table(view->lab->report, table);
}

/* --- the experiment --- */

static bool run_rows(struct modes_view *view) {
    struct rows *rows = calloc(1, sizeof *rows);
    if (!rows) {
        log_error("no memory for a table's rows");
        return false;
    }
    bool ok = add_rows(rows, view) && compare(rows, view);
    if (ok) {
        ok = race(rows->racer, rows->count, false, &view->rules);
        show(rows, view);
        ok = check(rows, view) && ok;
    }
    race_finish(rows->racer, rows->count);
    free(rows);
    return ok;
}

static bool run_view(struct lab *lab, const char *name, int width_px, int height_px,
                     uint32_t limit) {
    struct modes_view view;
    const bool ok = init_view(&view, lab, name, width_px, height_px, limit) &&
                    make_expected(&view) && run_rows(&view);
    finish_view(&view);
    return ok;
}

static void introduce(struct lab *lab) {
    report_text(lab->report,
                "The seed's mfunc tests the squares of the step before and returns i steps, or 0; "
                "our count n is the number of steps done when |z|^2 >= 4 first held, so i = n + 1, "
                "and a limit of N is N + 1 of its steps. Its products and sums are rounded each. "
                "Our backends, which also colour, fuse them. "
                "Fixed is int32 with %d fraction bits.",
                MFUNC_FIXED_BITS);
    report_text(
        lab->report,
        "Simple is row by row on one thread; parallel, T = %d threads that each take every "
        "T-th pixel. The seed gave its GPU a row, then 25 rows at a time, to 64 workers, "
        "worker i doing pixels 64 j + i; on processors the workers are shared out to the "
        "threads, and a dispatch is one parallel region. Each pixel to its end, or 32 steps "
        "a dispatch with a mask in place of a branch, is by lists of 4096 neighbouring pixels.",
        lab_threads(lab));
    if (lab_opencl_device(lab))
        report_text(lab->report,
                    "By OpenCL, 64 workers are the seed's own kernel, whose depths have 16 bits. "
                    "Times are with the coordinates' way there and the counts' way back; of ours, "
                    "with the picture's.");
}

bool modes_experiment(struct lab *lab) {
    const bool quick = lab->quick;
    introduce(lab);
    const bool ok = quick ? run_view(lab, "whole-set", 96, 64, 200)
                          : run_view(lab, "whole-set", 1200, 800, 1000);
    return !lab_stopped(lab) &&
           (quick ? run_view(lab, "escape-dense", 96, 64, 200)
                  : run_view(lab, "escape-dense", 600, 400, 1000)) &&
           ok;
}
