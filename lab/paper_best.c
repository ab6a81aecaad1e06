/* Comparing the fastest rows. */
#include "lab/paper_best.h"
#include <math.h>

void paper_best_take(struct paper_best *best, int place, bool ours, double ms, const char *name,
                     int threads) {
    if (isnan(ms) || (best->rows[place][ours].ms > 0 && best->rows[place][ours].ms <= ms))
        return;
    best->rows[place][ours].ms = ms;
    best->rows[place][ours].name = name;
    best->rows[place][ours].threads = threads;
}

static void describe(char text[static 100], const char *name, int threads, double ms) {
    if (threads > 0)
        snprintf(text, 100, "%s, %d thread%s, %.2f ms", name, threads, threads > 1 ? "s" : "", ms);
    else
        snprintf(text, 100, "%s, %.2f ms", name, ms);
}

void paper_best_say(const struct paper *paper, const struct paper_best *best) {
    double least = INFINITY, most = 0;
    int last = -1;
    for (int place = 0; place < paper->resolution_count; place++)
        if (best->rows[place][0].ms > 0 && best->rows[place][1].ms > 0) {
            const double ratio = best->rows[place][0].ms / best->rows[place][1].ms;
            least = fmin(least, ratio);
            most = fmax(most, ratio);
            last = place;
        }
    if (last < 0)
        return;
    char theirs[100], ours[100], range[60];
    describe(theirs, best->rows[last][0].name, best->rows[last][0].threads, best->rows[last][0].ms);
    describe(ours, best->rows[last][1].name, best->rows[last][1].threads, best->rows[last][1].ms);
    if (most > least)
        snprintf(range, sizeof range, "%.2f to %.2f", least, most);
    else
        snprintf(range, sizeof range, "%.2f", least);
    report_text(
        paper->lab->report,
        "Our best row is %s times as fast as the best of the paper's programs here (at RES %d: "
        "%s; theirs: %s).",
        range, paper->resolutions[last], ours, theirs);
}
