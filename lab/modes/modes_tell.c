/* Computed sentences. */
#include "lab/modes/modes_tell.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define GUESSED_WRONG 0.01 /* the share of pixels that guessing may get wrong */

const struct racer *modes_fastest(const struct modes_rows *rows, struct modes_question q) {
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

void modes_tell_best(struct report *report, const struct modes_rows *rows) {
    const struct racer *ours = modes_fastest(rows, (struct modes_question){true, -1, false, -1});
    const struct racer *seed = modes_fastest(rows, (struct modes_question){false, -1, false, -1});
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
            tell_ratio(report, of,
                       modes_fastest(rows, (struct modes_question){true, type, true, gpu}),
                       modes_fastest(rows, (struct modes_question){false, type, true, gpu}));
        }
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

void modes_plot(struct report *report, const struct modes_rows *rows, const char *id,
                const char *title) {
    struct plot *plot = plot_create(id, title, PLOT_BARS, "", "time, ms");
    plot_log_y(plot);
    for (int number = 0; number < MFUNC_NUMBERS; number++) {
        plot_series(plot, mfunc_number_name((enum mfunc_number)number));
        add_bars(plot, rows, number);
    }
    report_plot(report, plot);
}

bool modes_check_exact(struct report *report, const struct modes_rows *rows) {
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

bool modes_check_guesses(struct report *report, const struct modes_rows *rows) {
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
