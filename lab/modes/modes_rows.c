/* Lists of rows, and how each kind is drawn. */
#include "lab/modes/modes_rows.h"
#include "cpu/cpuid.h"
#include "lab/count/count.h"
#include "render/backends.h"
#include "render/base/log.h"
#include "render/sample.h"
#include <inttypes.h>
#include <string.h>

#define GUESSED_WRONG 0.01 /* the share of pixels that guessing may get wrong */

void modes_rows_add(struct modes_rows *rows, struct modes_row row) {
    if (rows->count == MODES_ROWS_MAX) {
        log_warn("more than %d modes: %s on %s is left out", MODES_ROWS_MAX, row.drawing,
                 row.device);
        return;
    }
    struct modes_row *added = &rows->row[rows->count++];
    *added = row;
    snprintf(added->name, sizeof added->name, "%s %s %s%s", row.drawing, row.device,
             mfunc_number_name(row.number), row.shortcuts ? " with shortcuts" : "");
}

void modes_rows_finish(struct modes_rows *rows) {
    race_finish(rows->racer, rows->count);
    for (int i = 0; i < rows->count; i++) {
        series_finish(&rows->row[i].kernel_ms);
        series_finish(&rows->row[i].shallow_ms);
        series_finish(&rows->row[i].deep_ms);
    }
}

/* --- the seed's --- */

struct modes_job modes_row_job(const struct modes_row *row) {
    return (struct modes_job){.picture = row->view->picture,
                              .number = row->number,
                              .mfunc = row->mfunc,
                              .threads = row->threads,
                              .stop = row->run->rules.stop,
                              .count = row->view->count};
}

static bool draw_seed(struct modes_row *row, bool counts, double *ms) {
    const struct modes_job job = modes_row_job(row);
    (void)counts, (void)ms;
    return row->mode(&job);
}

void modes_rows_add_seed(struct modes_rows *rows, struct modes_run *run, struct modes_view *view) {
    static const struct {
        const char *name;
        modes_draw_fn *draw;
        bool threads, guesses;
    } modes[] = {{"simple", modes_draw_simple, false, false},
                 {"parallel", modes_draw_parallel, true, false},
                 {"trace", modes_draw_trace, false, true},
                 {"iterative", modes_draw_iterative, false, false}};
    for (size_t mode = 0; mode < sizeof modes / sizeof *modes; mode++)
        for (int lanes = 0; lanes < MFUNC_LANES; lanes++)
            for (int number = 0; number < MFUNC_NUMBERS; number++) {
                const struct mfunc *mfunc =
                    mfunc_find((enum mfunc_lanes)lanes, (enum mfunc_number)number, run->cpu_flags);
                if (mfunc)
                    modes_rows_add(rows, (struct modes_row){
                                             .run = run,
                                             .view = view,
                                             .drawing = modes[mode].name,
                                             .device = mfunc_lanes_name((enum mfunc_lanes)lanes),
                                             .number = (enum mfunc_number)number,
                                             .threads = modes[mode].threads ? run->threads : 1,
                                             .guesses = modes[mode].guesses,
                                             .draw = draw_seed,
                                             .mode = modes[mode].draw,
                                             .mfunc = mfunc});
            }
}

/* --- fathom's --- */

/* From samples to what the laboratory calls counts. */
static void convert_samples(struct modes_view *view) {
    const uint32_t *count = view->subject.count;
    for (size_t i = 0; i < modes_picture_pixels(&view->picture); i++)
        view->count[i] = count[i] & SAMPLE_INTERIOR ? 0 : count[i];
}

static bool draw_ours(struct modes_row *row, bool counts, double *ms) {
    struct subject *subject = &row->view->subject;
    struct drawing drawing;
    subject->req.method = row->method;
    if (!contender_draw(&row->contender, &row->run->devices, subject, counts, &drawing))
        return false;
    *ms = drawing.elapsed_ms;
    if (counts)
        convert_samples(row->view);
    else if (row->threads == 0)
        series_add(&row->kernel_ms, drawing.ms);
    return true;
}

static void add_backend(struct modes_rows *rows, const struct modes_row *common, bool all_methods) {
    const unsigned methods = backend_info(devices_backend(&common->run->devices,
                                                          common->contender.impl, common->threads))
                                 .methods;
    for (int method = 0; method < METHOD_COUNT; method++)
        for (int type = 0; type < TYPE_NATIVE_COUNT; type++) {
            struct modes_row row = *common;
            if (!(methods >> method & 1) || (!all_methods && method != METHOD_TILES))
                continue;
            row.drawing = method_ids[method];
            row.guesses = !method_exact((enum method)method);
            row.number = (enum mfunc_number)type;
            row.method = (enum method)method;
            row.contender.type = (enum number_type)type;
            modes_rows_add(rows, row);
            if (method != METHOD_TILES)
                continue;
            row.shortcuts = row.contender.shortcuts = SHORTCUTS_ALL;
            modes_rows_add(rows, row);
        }
}

/* Counts alone, on as wide vectors as `flags` allow. */
static bool draw_counts(struct modes_row *row, bool counts, double *ms) {
    const struct modes_picture *picture = &row->view->picture;
    const struct count_job job = {.width_px = picture->width_px,
                                  .height_px = picture->height_px,
                                  .re = picture->re[row->number],
                                  .im = picture->im[row->number],
                                  .type = (enum number_type)row->number,
                                  .arithmetic = row->run->setup.arithmetic,
                                  .shortcuts = row->shortcuts,
                                  .limit = picture->limit,
                                  .cpu_flags = row->cpu_flags,
                                  .threads = row->threads,
                                  .stop = row->run->rules.stop,
                                  .count = row->view->count};
    (void)counts, (void)ms;
    return count_draw(&job);
}

static void add_counts(struct modes_rows *rows, struct modes_run *run, struct modes_view *view) {
    static const uint32_t hidden[MFUNC_LANES] = {CPU_AVX2 | CPU_AVX512, CPU_AVX512, 0};
    static const unsigned shortcuts[] = {SHORTCUTS_NONE, SHORTCUTS_ALL};
    for (int lanes = mfunc_widest(run->cpu_flags); lanes >= 0; lanes--)
        for (int type = 0; type < TYPE_NATIVE_COUNT; type++)
            for (int i = 0; i < 2; i++)
                modes_rows_add(
                    rows, (struct modes_row){.run = run,
                                             .view = view,
                                             .drawing = "counts alone",
                                             .device = mfunc_lanes_name((enum mfunc_lanes)lanes),
                                             .number = (enum mfunc_number)type,
                                             .threads = run->threads,
                                             .ours = true,
                                             .shortcuts = shortcuts[i],
                                             .dispatches = 1,
                                             .draw = draw_counts,
                                             .cpu_flags = run->cpu_flags & ~hidden[lanes]});
}

static bool on_processor(const struct backend_impl *impl) {
    const struct backend_impl *const *cpu = backends_cpu;
    while (*cpu && *cpu != impl)
        cpu++;
    return *cpu;
}

bool modes_rows_add_ours(struct modes_rows *rows, struct modes_run *run, struct modes_view *view,
                         bool all_methods) {
    for (const struct backend_impl *const *impl = run->setup.impls; *impl; impl++) {
        const char *why = "";
        if (!(*impl)->usable(&run->setup.options, &why) ||
            (why[0] && !run->setup.options.device)) /* for tests, unless it is named */
            continue;
        const bool gpu = !on_processor(*impl);
        const struct modes_row common = {
            .run = run,
            .view = view,
            .device = (*impl)->name,
            .threads = gpu ? 0 : run->threads,
            .ours = true,
            .dispatches = 1,
            .draw = draw_ours,
            .contender = {.name = (*impl)->name,
                          .impl = *impl,
                          .unit = gpu ? LIMIT_GPU : LIMIT_SCALAR, /* only for whose clock counts */
                          .threads = gpu ? 0 : run->threads}};
        if (!devices_backend(&run->devices, *impl, common.threads))
            return false;
        add_backend(rows, &common, all_methods);
    }
    add_counts(rows, run, view);
    return true;
}

/* --- all --- */

static bool race_row(void *user, double *ms) {
    struct modes_row *row = user;
    return row->draw(row, false, ms);
}

bool modes_rows_compare(struct modes_rows *rows) {
    for (int i = 0; i < rows->count; i++) {
        struct modes_row *row = &rows->row[i];
        struct modes_view *view = row->view;
        double ms;
        if (row->run->rules.stop())
            return false;
        if (row->run->rules.progress)
            row->run->rules.progress(row->name, -1, 0);
        memset(view->count, 0xff, modes_picture_pixels(&view->picture) * sizeof *view->count);
        if (!row->draw(row, true, &ms))
            return false;
        row->unlike_double =
            modes_picture_differing(&view->picture, view->count, view->expected[MFUNC_DOUBLE]);
        row->unlike_own =
            modes_picture_differing(&view->picture, view->count, view->expected[row->number]);
        rows->racer[i] = (struct racer){.name = row->name, .run = race_row, .user = row};
    }
    return true;
}

/* --- what must hold --- */

bool modes_rows_check_exact(struct report *report, const struct modes_rows *rows) {
    const struct modes_row *wrong = NULL;
    int exact = 0;
    for (int i = 0; i < rows->count; i++) {
        exact += !rows->row[i].guesses;
        if (!rows->row[i].guesses && rows->row[i].unlike_own > 0)
            wrong = &rows->row[i];
    }
    return report_check(report, !wrong,
                        "the %d rows that guess nothing have the counts of the plain loop in "
                        "their own type, bit for bit%s%s",
                        exact, wrong ? "; one that has not: " : "", wrong ? wrong->name : "");
}

bool modes_rows_check_guesses(struct report *report, const struct modes_rows *rows) {
    uint64_t pixels = 0, worst = 0;
    int guessing = 0;
    for (int i = 0; i < rows->count; i++) {
        const struct modes_row *row = &rows->row[i];
        pixels = modes_picture_pixels(&row->view->picture);
        guessing += row->guesses;
        if (row->guesses && row->unlike_own > worst)
            worst = row->unlike_own;
    }
    return report_check(report, (double)worst < GUESSED_WRONG * (double)pixels,
                        "the %d rows that guess have less than %g%% of their pixels wrong; the "
                        "worst has %" PRIu64 " of %" PRIu64,
                        guessing, 100 * GUESSED_WRONG, worst, pixels);
}

/* --- in tables --- */

struct table *modes_rows_table(const char *id, const char *what, const struct modes_view *view,
                               const struct table_column *columns) {
    char title[160];
    snprintf(title, sizeof title, "%s: %s, %dx%d, limit %u", what, view->name,
             view->picture.width_px, view->picture.height_px, view->picture.limit);
    return table_create(id, title, columns);
}

void modes_row_name(struct table *table, const struct modes_row *row) {
    table_text(table, row->ours ? "ours" : "seed");
    table_text(table, "%s%s", row->drawing, row->shortcuts ? ", shortcuts" : "");
    table_text(table, "%s", row->device);
    table_text(table, "%s", mfunc_number_name(row->number));
}
