/* Seed 002: drawing modes by mfunc modes, all combinations, beside fathom's methods. */
#include "cpu/cpuid.h"
#include "lab/bench/loops.h"
#include "lab/experiments.h"
#include "lab/modes/modes_dispatch.h"
#include "lab/modes/modes_gpu.h"
#include "lab/modes/modes_rows.h"
#include "render/backends.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS_MAX 5
#define BUDGET_MS   600

/* --- results --- */

static void add_line(struct table *table, const struct modes_row *row, const struct racer *racer,
                     const struct racer *seed) {
    const double ms = race_median(racer);
    modes_row_name(table, row);
    if (row->threads > 0)
        table_number(table, row->threads);
    else
        table_gap(table);
    table_number(table, ms);
    table_number(table, series_median(&row->kernel_ms));
    table_number(table, (double)modes_picture_pixels(&row->view->picture) / ms / 1e3);
    table_number(table, seed ? race_ratio(racer, seed) : NAN);
    table_number(table, (double)row->unlike_double);
    table_number(table, (double)row->unlike_own);
}

static const struct racer *fastest_of_seed(const struct modes_rows *rows) {
    const struct racer *best = NULL;
    for (int i = 0; i < rows->count; i++)
        if (!rows->row[i].ours && rows->racer[i].ms.count > 0 &&
            (!best || race_median(&rows->racer[i]) < race_median(best)))
            best = &rows->racer[i];
    return best;
}

static void show_table(struct report *report, const struct modes_rows *rows,
                       const struct modes_view *view) {
    static const struct table_column columns[] = {{"program", TABLE_TEXT},
                                                  {"drawing", TABLE_TEXT},
                                                  {"device", TABLE_TEXT},
                                                  {"numbers", TABLE_TEXT},
                                                  {"threads", 0},
                                                  {"time, ms", 2},
                                                  {"of it in kernels, ms", 3},
                                                  {"Mpixel/s", 1},
                                                  {"times the seed's best", 2},
                                                  {"pixels unlike double", 0},
                                                  {"unlike its own type", 0},
                                                  {0}};
    const struct racer *seed = fastest_of_seed(rows);
    char id[32];
    snprintf(id, sizeof id, "modes-%s", view->name);
    struct table *table = modes_rows_table(id, "Drawing modes by mfunc modes", view, columns);
    for (int i = 0; i < rows->count; i++)
        add_line(table, &rows->row[i], &rows->racer[i], seed);
    report_table(report, table);
}

/* --- checks --- */

/* The plain loops that rows are compared with are the seed's own on one lane; in double they are
 * themselves compared with a loop written apart. */
static bool make_expected(const struct modes_run *run, struct modes_view *view) {
    for (int number = 0; number < MFUNC_NUMBERS; number++) {
        const struct modes_job job = {
            .picture = view->picture,
            .number = (enum mfunc_number)number,
            .mfunc = mfunc_find(MFUNC_SCALAR, (enum mfunc_number)number, run->cpu_flags),
            .threads = run->threads,
            .stop = run->rules.stop,
            .count = view->expected[number]};
        if (!modes_draw_parallel(&job))
            return false;
    }
    const struct loop_job loop = {.width_px = view->picture.width_px,
                                  .height_px = view->picture.height_px,
                                  .re = view->picture.re[MFUNC_DOUBLE],
                                  .im = view->picture.im[MFUNC_DOUBLE],
                                  .limit = view->picture.limit,
                                  .threads = run->threads,
                                  .stop = run->rules.stop,
                                  .count = view->count};
    loop_plain_double(&loop);
    if (loop.stop())
        return false;
    uint64_t differing = 0;
    for (size_t i = 0; i < modes_picture_pixels(&view->picture); i++) {
        const uint32_t count = view->expected[MFUNC_DOUBLE][i];
        differing += (count ? count : loop.limit) != view->count[i];
    }
    return report_check(run->lab->report, differing == 0,
                        "the seed's mfunc in double, less the one step by which it notices late, "
                        "has the counts of a plain loop written apart");
}

/* --- the experiment --- */

static bool run_view(struct modes_run *run, struct modes_view *view, struct modes_rows *rows) {
    struct report *report = run->lab->report;
    if (!make_expected(run, view))
        return false;
    modes_rows_add_seed(rows, run, view);
    modes_gpu_add(rows, run, view);
    if (!modes_rows_add_ours(rows, run, view, true) || !modes_rows_compare(rows))
        return false;
    const bool timed = race(rows->racer, rows->count, false, &run->rules);
    show_table(report, rows, view);
    const bool exact = modes_rows_check_exact(report, rows);
    return modes_rows_check_guesses(report, rows) && exact && timed;
}

static bool try_view(struct modes_run *run, const char *name, int width_px, int height_px,
                     uint32_t limit, bool dispatch) {
    const struct bench_view *bench = bench_view_find(name, strlen(name));
    struct modes_rows *rows = calloc(1, sizeof *rows);
    struct modes_view view;
    run->setup.width_px = width_px;
    run->setup.height_px = height_px;
    run->setup.limit = limit;
    if (!rows)
        log_error("no memory for a table's rows");
    bool ok = modes_view_init(&view, &run->setup, bench) && rows && run_view(run, &view, rows);
    if (dispatch && !lab_stopped(run->lab) && view.count)
        ok = modes_dispatch(run, &view) && ok;
    if (rows)
        modes_rows_finish(rows);
    free(rows);
    modes_view_finish(&view);
    return ok;
}

static struct modes_run run_of(struct lab *lab) {
    struct modes_run run = {.lab = lab,
                            .setup = {.impls = backends_single,
                                      .options = lab->options,
                                      .types = 1u << TYPE_FLOAT | 1u << TYPE_DOUBLE,
                                      .arithmetic = ARITHMETIC_UNFUSED,
                                      .method = METHOD_TILES,
                                      .shortcuts = SHORTCUTS_NONE,
                                      .stop = lab->rules.stop},
                            .rules = lab->rules,
                            .cpu_flags = cpu_flags(lab->options.cpumask),
                            .threads = lab_threads(lab)};
    run.rules.repeats = lab->rules.repeats < REPEATS_MAX ? lab->rules.repeats : REPEATS_MAX;
    run.rules.budget_ms = BUDGET_MS;
    return run;
}

static void introduce(const struct modes_run *run) {
    struct report *report = run->lab->report;
    report_text(report,
                "The seed's mfunc tests the squares of the step before and returns i steps, or 0; "
                "our count n is the number of steps done when |z|^2 >= 4 first held, so i = n + 1, "
                "and a limit of N is N + 1 of its steps. Its products and sums are rounded each, "
                "and so are ours here (unfused). Fixed is int32 with %d fraction bits.",
                MFUNC_FIXED_BITS);
    report_text(report,
                "The seed names its drawing modes; what is run here: simple, row by row on one "
                "thread; parallel, T = %d threads that each take every T-th pixel; trace, on one "
                "thread, from "
                "the picture's edges and every 32nd row and column along the borders between "
                "counts, filling what they enclose; iterative, on one thread, all pixels 32 steps, "
                "then the unfinished ones up to twice as many, and again. Ours colours its "
                "pictures with a smooth count as well; its methods are on %d threads.",
                run->threads, run->threads);
    const bool gpu = lab_device(run->lab), opencl = lab_opencl_device(run->lab);
    if (gpu || opencl)
        report_text(
            report,
            "On the GPU (CUDA) and by OpenCL simple is what the seed had (SIMPLE_OPENCL): 64 "
            "threads in all, 25 rows a launch, by OpenCL with its own kernel, whose depths have 16 "
            "bits; parallel is a thread for every pixel; iterative 32 masked steps of all pixels a "
            "launch. There is no trace. Times are with the coordinates' way there and the counts' "
            "way back; of ours, with the picture's.");
}

bool modes_experiment(struct lab *lab) {
    struct modes_run run = run_of(lab);
    devices_init(&run.devices, &run.setup);
    introduce(&run);
    bool ok = true;
    if (lab->quick) {
        ok = try_view(&run, "whole-set", 96, 64, 200, true) && ok;
        ok = !lab_stopped(lab) && try_view(&run, "escape-dense", 96, 64, 200, false) && ok;
    } else {
        ok = try_view(&run, "whole-set", 1200, 800, 1000, true) && ok;
        ok = !lab_stopped(lab) && try_view(&run, "escape-dense", 600, 400, 1000, false) && ok;
    }
    devices_finish(&run.devices);
    return ok;
}
