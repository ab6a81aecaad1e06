/* Seed 002: drawing modes by mfunc modes, all combinations, beside fathom's methods. */
#include "bench/loops.h"
#include "cpu/cpuid.h"
#include "lab/experiments.h"
#include "lab/modes_rows.h"
#include "render/log.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS_MAX   5
#define BUDGET_MS     600
#define GUESSED_WRONG 0.01 /* the share of pixels that guessing may get wrong */

/* --- results --- */

/* The fastest of a kind; NULL: none was timed. */
struct question {
    bool ours;
    int number;      /* -1: any */
    bool same_steps; /* no shortcuts, no guesses */
    int gpu;         /* -1: wherever; else 0 or 1 */
};

static const struct racer *fastest(const struct modes_rows *rows, struct question q) {
    const struct racer *best = NULL;
    for (int i = 0; i < rows->count; i++) {
        const struct modes_row *row = &rows->row[i];
        if (row->ours != q.ours || (q.number >= 0 && (int)row->number != q.number) ||
            (q.same_steps && (row->shortcuts || row->guesses)) ||
            (q.gpu >= 0 && (row->threads == 0) != q.gpu) || rows->racer[i].ms.count == 0)
            continue;
        if (!best || race_median(&rows->racer[i]) < race_median(best))
            best = &rows->racer[i];
    }
    return best;
}

static void tell_ratio(struct report *report, const char *of, const struct racer *ours,
                       const struct racer *seed) {
    if (ours && seed)
        report_text(report,
                    "%s: our best (%s, %.3g ms) is %.3g times as fast as the best of the seed's "
                    "(%s, %.3g ms).",
                    of, ours->name, race_median(ours), race_ratio(ours, seed), seed->name,
                    race_median(seed));
}

static void tell_best(struct report *report, const struct modes_rows *rows) {
    const struct racer *ours = fastest(rows, (struct question){true, -1, false, -1});
    const struct racer *seed = fastest(rows, (struct question){false, -1, false, -1});
    if (!ours || !seed)
        return;
    report_text(report, "The best row is %s.",
                race_median(ours) < race_median(seed) ? "ours" : "the seed's");
    tell_ratio(report, "Of all", ours, seed);
    for (int gpu = 0; gpu < 2; gpu++)
        for (int type = 0; type < TYPE_COUNT; type++) {
            char of[120];
            snprintf(of, sizeof of, "In %s on the %s, every step done and nothing guessed",
                     number_type_name((enum number_type)type), gpu ? "GPU" : "CPU");
            tell_ratio(report, of, fastest(rows, (struct question){true, type, true, gpu}),
                       fastest(rows, (struct question){false, type, true, gpu}));
        }
}

static void add_line(struct table *table, const struct modes_row *row, const struct racer *racer,
                     const struct racer *seed) {
    const double ms = race_median(racer);
    table_text(table, row->ours ? "ours" : "seed");
    table_text(table, "%s%s", row->drawing, row->shortcuts ? ", shortcuts" : "");
    table_text(table, "%s", row->device);
    table_text(table, "%s", mfunc_number_name(row->number));
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
    const struct racer *seed = fastest(rows, (struct question){false, -1, false, -1});
    char id[32], title[160];
    snprintf(id, sizeof id, "modes-%s", view->name);
    snprintf(title, sizeof title, "Drawing modes by mfunc modes: %s, %dx%d, limit %u", view->name,
             view->picture.width_px, view->picture.height_px, view->picture.limit);
    struct table *table = table_create(id, title, columns);
    for (int i = 0; i < rows->count; i++)
        add_line(table, &rows->row[i], &rows->racer[i], seed);
    report_table(report, table);
}

static bool plotted(const struct modes_row *row) {
    const char *widest = mfunc_lanes_name(mfunc_widest(row->run->cpu_flags));
    const bool scalar = strcmp(row->device, "scalar") == 0;
    return row->threads == 0 || strcmp(row->device, widest) == 0 || (scalar && !row->ours);
}

static bool alike_but_for_type(const struct modes_row *a, const struct modes_row *b) {
    return a->ours == b->ours && a->shortcuts == b->shortcuts &&
           strcmp(a->drawing, b->drawing) == 0 && strcmp(a->device, b->device) == 0;
}

static int find_alike(const struct modes_rows *rows, const struct modes_row *row, int number) {
    for (int i = 0; i < rows->count; i++)
        if (alike_but_for_type(&rows->row[i], row) &&
            (number < 0 || (int)rows->row[i].number == number))
            return i;
    return -1;
}

static void add_bars(struct plot *plot, const struct modes_rows *rows, int number) {
    for (int i = 0; i < rows->count; i++) {
        const struct modes_row *row = &rows->row[i];
        char name[MODES_NAME_MAX + 16];
        if (!plotted(row) || find_alike(rows, row, -1) != i)
            continue;
        const int k = find_alike(rows, row, number);
        snprintf(name, sizeof name, "%s: %s %s%s", row->ours ? "ours" : "seed", row->drawing,
                 row->device, row->shortcuts ? ", shortcuts" : "");
        plot_bar(plot, name, k >= 0 ? race_median(&rows->racer[k]) : NAN);
    }
}

/* Times of the widest vectors, and of the seed's scalar modes; a series for every type. */
static void show_plot(struct report *report, const struct modes_rows *rows,
                      const struct modes_view *view) {
    char id[32], title[160];
    snprintf(id, sizeof id, "modes-%s", view->name);
    snprintf(title, sizeof title, "Modes of seed 002 and of fathom: %s, %dx%d, limit %u",
             view->name, view->picture.width_px, view->picture.height_px, view->picture.limit);
    struct plot *plot = plot_create(id, title, PLOT_BARS, "", "time, ms");
    plot_log_y(plot);
    for (int number = 0; number < MFUNC_NUMBERS; number++) {
        plot_series(plot, mfunc_number_name((enum mfunc_number)number));
        add_bars(plot, rows, number);
    }
    report_plot(report, plot);
}

/* --- checks --- */

static bool check_exact(struct report *report, const struct modes_rows *rows) {
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

static bool check_guesses(struct report *report, const struct modes_rows *rows) {
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
    if (!make_expected(run, view) || !modes_rows_add_seed(rows, run, view) ||
        !modes_rows_add_ours(rows, run, view) || !modes_rows_compare(rows))
        return false;
    const bool timed = race(rows->racer, rows->count, false, &run->rules);
    show_table(report, rows, view);
    tell_best(report, rows);
    show_plot(report, rows, view);
    const bool exact = check_exact(report, rows);
    return check_guesses(report, rows) && exact && timed;
}

static bool try_view(struct modes_run *run, const char *name, int width_px, int height_px,
                     uint32_t limit) {
    const struct bench_view *bench = bench_view_find(name, strlen(name));
    struct modes_rows *rows = calloc(1, sizeof *rows);
    struct modes_view view;
    run->setup.width_px = width_px;
    run->setup.height_px = height_px;
    run->setup.limit = limit;
    if (!rows)
        log_error("no memory for a table's rows");
    bool ok = modes_view_init(&view, &run->setup, bench) && rows && run_view(run, &view, rows);
    if (rows)
        modes_rows_finish(rows);
    free(rows);
    modes_view_finish(&view);
    return ok;
}

static struct modes_run run_of(struct lab *lab) {
    struct modes_run run = {.lab = lab,
                            .setup = {.impls = lab->impls,
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
}

bool modes_experiment(struct lab *lab) {
    struct modes_run run = run_of(lab);
    devices_init(&run.devices, &run.setup);
    introduce(&run);
    bool ok = true;
    if (lab->quick) {
        ok = try_view(&run, "whole-set", 96, 64, 200) && ok;
        ok = !lab_stopped(lab) && try_view(&run, "escape-dense", 96, 64, 200) && ok;
    } else {
        ok = try_view(&run, "whole-set", 1200, 800, 1000) && ok;
        ok = !lab_stopped(lab) && try_view(&run, "escape-dense", 600, 400, 1000) && ok;
    }
    devices_finish(&run.devices);
    return ok;
}
