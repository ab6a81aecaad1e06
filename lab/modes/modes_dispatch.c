/* The dispatch experiments, on the CPU's threads. */
#include "lab/modes/modes_dispatch.h"
#include "lab/modes/modes_gpu.h"
#include "lab/modes/modes_rows.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>

static bool draw_mode(struct modes_row *row, bool counts, double *ms) {
    const struct modes_job job = modes_row_job(row);
    (void)counts, (void)ms;
    return row->mode(&job);
}

static bool draw_strided(struct modes_row *row, bool counts, double *ms) {
    const struct modes_job job = modes_row_job(row);
    double *times = calloc((size_t)row->dispatches, sizeof *times);
    if (!times) {
        log_error("no memory for the times of %d dispatches", row->dispatches);
        return false;
    }
    const double start = clock_ms();
    const bool ok = modes_draw_strided(&job, row->rows, times);
    *ms = clock_ms() - start;
    if (ok && !counts && row->dispatches > 1) {
        series_add(&row->shallow_ms, times[0]);
        series_add(&row->deep_ms, times[job.picture.height_px / 2 / row->rows]);
    }
    free(times);
    return ok;
}

/* --- rows --- */

static void add_seed(struct modes_rows *rows, const struct modes_row *common) {
    const int height = common->view->picture.height_px;
    const int steps = (int)common->view->picture.limit + 1;
    const struct {
        const char *name;
        int rows; /* 0: not in rows */
        modes_draw_fn *mode;
        int dispatches;
    } programs[] = {
        {"64 workers, 1 row", 1, NULL, height},
        {"64 workers, 25 rows", MODES_FEW_ROWS, NULL,
         (height + MODES_FEW_ROWS - 1) / MODES_FEW_ROWS},
        {"64 workers, all rows", height, NULL, 1},
        {"tiles", 0, modes_draw_tiles, 1},
        {"lists, each to its end", 0, modes_draw_follow, 1},
        {"lists, 32 steps masked", 0, modes_draw_masked,
         (steps + MODES_MASKED_STEPS - 1) / MODES_MASKED_STEPS},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct modes_row row = *common;
        row.drawing = programs[i].name;
        row.draw = programs[i].rows ? draw_strided : draw_mode;
        row.mode = programs[i].mode;
        row.rows = programs[i].rows;
        row.dispatches = programs[i].dispatches;
        modes_rows_add(rows, row);
    }
}

static bool add_rows(struct modes_rows *rows, struct modes_run *run, struct modes_view *view) {
    const enum mfunc_lanes lanes = mfunc_widest(run->cpu_flags);
    for (int number = 0; number < MFUNC_NUMBERS; number++) {
        const struct modes_row common = {
            .run = run,
            .view = view,
            .device = mfunc_lanes_name(lanes),
            .number = (enum mfunc_number)number,
            .threads = run->threads,
            .mfunc = mfunc_find(lanes, (enum mfunc_number)number, run->cpu_flags)};
        add_seed(rows, &common);
    }
    modes_gpu_add_dispatch(rows, run, view);
    return modes_rows_add_ours(rows, run, view, false);
}

/* --- results --- */

/* What a dispatch costs by itself; NaN: stopped. */
static double empty_dispatch_us(const struct modes_run *run, const struct modes_row *row) {
    const int dispatches = run->lab->quick ? 50 : 2000;
    const struct modes_job job = modes_row_job(row);
    const double start = clock_ms();
    return modes_draw_empty(&job, dispatches) ? (clock_ms() - start) * 1e3 / dispatches : NAN;
}

static void show_dispatches(struct report *report, const struct modes_rows *rows,
                            const struct modes_view *view) {
    static const struct table_column columns[] = {{"program", TABLE_TEXT},
                                                  {"drawing", TABLE_TEXT},
                                                  {"device", TABLE_TEXT},
                                                  {"numbers", TABLE_TEXT},
                                                  {"dispatches", 0},
                                                  {"time, ms", 2},
                                                  {"of it in kernels, ms", 3},
                                                  {"Mpixel/s", 1},
                                                  {"least of a dispatch at the top, ms", 4},
                                                  {"in the middle, ms", 4},
                                                  {"times as long", 1},
                                                  {0}};
    struct table *table = modes_rows_table("modes-dispatch", "Dispatching", view, columns);
    for (int i = 0; i < rows->count; i++) {
        const struct modes_row *row = &rows->row[i];
        const double ms = race_median(&rows->racer[i]);
        const double shallow = series_quantile(&row->shallow_ms, 0),
                     deep = series_quantile(&row->deep_ms, 0);
        modes_row_name(table, row);
        table_number(table, row->dispatches);
        table_number(table, ms);
        table_number(table, series_median(&row->kernel_ms));
        table_number(table, (double)modes_picture_pixels(&view->picture) / ms / 1e3);
        table_number(table, shallow);
        table_number(table, deep);
        table_number(table, deep / shallow);
    }
    report_table(report, table);
}

/* What dispatching costs in itself. */
static void tell_empty(const struct modes_run *run, const struct modes_rows *rows) {
    const struct modes_row *first = &rows->row[0];
    const double empty_us = empty_dispatch_us(run, first);
    report_text(
        run->lab->report,
        "A dispatch without pixels takes %.3g us: %.3g%% of the time of %s (%d dispatches).",
        empty_us, empty_us * first->dispatches / 10 / race_median(&rows->racer[0]), first->name,
        first->dispatches);
}

bool modes_dispatch(struct modes_run *run, struct modes_view *view) {
    struct report *report = run->lab->report;
    struct modes_rows *rows = calloc(1, sizeof *rows);
    if (!rows) {
        log_error("no memory for a table's rows");
        return false;
    }
    report_text(
        report,
        "The seed gave its GPU a row, then 25 rows at a time, to 64 workers, worker i doing "
        "pixels 64 j + i. Here the workers are shared out to %d threads, and a dispatch is "
        "one parallel region. Beside that, with the same mfunc: tiles of 64x64 pixels, and lists "
        "of 4096 neighbouring pixels with their states, followed to the end, or 32 steps a "
        "dispatch with a mask in place of a branch.",
        run->threads);
    bool ok = add_rows(rows, run, view) && modes_rows_compare(rows);
    if (ok) {
        ok = race(rows->racer, rows->count, false, &run->rules);
        show_dispatches(report, rows, view);
        tell_empty(run, rows);
        ok = modes_rows_check_exact(report, rows) && ok;
    }
    modes_rows_finish(rows);
    free(rows);
    return ok;
}
