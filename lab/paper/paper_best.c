/* Comparing the fastest rows. */
#include "lab/paper/paper_best.h"
#include <math.h>

enum paper_side paper_side(bool ours, unsigned shortcuts) {
    if (!ours)
        return PAPER_THEIRS;
    return shortcuts ? PAPER_OURS_ALL : PAPER_OURS;
}

static void take(struct paper_best_row *best, const struct paper_best_row *row) {
    if (best->ms == 0 || row->ms < best->ms)
        *best = *row;
}

void paper_best_take(struct paper_best *best, int place, enum paper_side side, double ms,
                     const char *name, int threads) {
    const struct paper_best_row row = {ms, name, threads};
    if (isnan(ms))
        return;
    take(&best->rows[place][side], &row);
    if (side == PAPER_OURS)
        take(&best->rows[place][PAPER_OURS_ALL], &row);
}

static void describe(char text[static 100], const struct paper_best_row *row) {
    if (row->threads > 0)
        snprintf(text, 100, "%s, %d thread%s, %.2f ms", row->name, row->threads,
                 row->threads > 1 ? "s" : "", row->ms);
    else
        snprintf(text, 100, "%s, %.2f ms", row->name, row->ms);
}

static void say(const struct paper *paper, const struct paper_best *best, enum paper_side side,
                const char *of) {
    double least = INFINITY, most = 0;
    int last = -1;
    for (int place = 0; place < paper->resolution_count; place++)
        if (best->rows[place][PAPER_THEIRS].ms > 0 && best->rows[place][side].ms > 0) {
            const double ratio = best->rows[place][PAPER_THEIRS].ms / best->rows[place][side].ms;
            least = fmin(least, ratio);
            most = fmax(most, ratio);
            last = place;
        }
    if (last < 0)
        return;
    char theirs[100], ours[100], range[60];
    describe(theirs, &best->rows[last][PAPER_THEIRS]);
    describe(ours, &best->rows[last][side]);
    if (most > least)
        snprintf(range, sizeof range, "%.2f to %.2f", least, most);
    else
        snprintf(range, sizeof range, "%.2f", least);
    report_text(
        paper->lab->report,
        "%s, our best row is %s times as fast as the best of the paper's programs here (at RES %d: "
        "%s; theirs: %s).",
        of, range, paper->resolutions[last], ours, theirs);
}

void paper_best_say(const struct paper *paper, const struct paper_best *best) {
    say(paper, best, PAPER_OURS, "With every step done, as in theirs");
    say(paper, best, PAPER_OURS_ALL, "Of all, with shortcuts or without");
}
