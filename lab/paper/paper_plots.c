/* Lines and bars of what was measured. */
#include "lab/paper/paper_plots.h"

enum measure { TIME, SPEEDUP, EFFICIENCY, RATIO };

static const struct {
    const char *title, *label;
    bool logarithmic;
} measures[] = {
    [TIME] = {"time, ms by threads", "time, ms", true},
    [SPEEDUP] = {"speedup by threads", "speedup", false},
    [EFFICIENCY] = {"efficiency by threads", "efficiency", false},
    [RATIO] = {"the reference's time in % of others'", "time of the reference, %", true},
};

static double measured(const struct paper *paper, enum measure measure, int place, enum paper_id id,
                       int thread) {
    const double *ms = paper->ms[place][id];
    switch (measure) {
    case TIME:
        return ms[thread];
    case SPEEDUP:
        return ms[0] / ms[thread];
    case EFFICIENCY:
        return ms[0] / ms[thread] / paper->threads[thread];
    case RATIO:
        break;
    }
    return 100 * paper->ms[place][NORM_DYNAMIC][thread] / ms[thread];
}

static void plot_measure(struct paper *paper, int figure, enum measure measure,
                         enum paper_id theirs, enum paper_id ours) {
    const enum paper_id ids[] = {theirs, ours};
    char id[32], text[100];
    snprintf(id, sizeof id, "paper-figure-%02d", figure);
    snprintf(text, sizeof text, "Figure %d: %s", figure, measures[measure].title);
    struct plot *plot = plot_create(id, text, PLOT_LINES, "threads", measures[measure].label);
    if (measures[measure].logarithmic)
        plot_log_y(plot);
    for (int i = 0; i < 2; i++)
        for (int place = 0; place < paper->resolution_count; place++) {
            snprintf(text, sizeof text, "%s, RES %d", paper_programs[ids[i]].name,
                     paper->resolutions[place]);
            plot_series(plot, text);
            for (int thread = 0; thread < paper->thread_count; thread++)
                plot_point(plot, paper->threads[thread],
                           measured(paper, measure, place, ids[i], thread));
        }
    report_plot(paper->lab->report, plot);
}

void paper_plot_scaling(struct paper *paper, int first, enum paper_id theirs, enum paper_id ours) {
    plot_measure(paper, first, TIME, theirs, ours);
    plot_measure(paper, first + 1, SPEEDUP, theirs, ours);
    plot_measure(paper, first + 2, EFFICIENCY, theirs, ours);
}

/* Bars by resolution, a series for each program: its time with one thread, or the reference's in % of
 * it. */
static void plot_bars(struct paper *paper, int figure, const char *what, bool ratio,
                      const enum paper_id *ids, size_t count) {
    char id[32], text[100];
    snprintf(id, sizeof id, "paper-figure-%02d", figure);
    snprintf(text, sizeof text, "Figure %d: %s", figure, what);
    struct plot *plot =
        plot_create(id, text, PLOT_BARS, "resolution", ratio ? "reference's time, %" : "time, ms");
    plot_log_y(plot);
    for (size_t i = 0; i < count; i++) {
        plot_series(plot, paper_programs[ids[i]].name);
        for (int place = 0; place < paper->resolution_count; place++) {
            const double ms = paper->ms[place][ids[i]][0];
            snprintf(text, sizeof text, "RES %d", paper->resolutions[place]);
            plot_bar(plot, text, ratio ? 100 * paper->ms[place][NORM_DYNAMIC][0] / ms : ms);
        }
    }
    report_plot(paper->lab->report, plot);
}

void paper_plot_types(struct paper *paper) {
    static const enum paper_id ids[] = {VECTOR_FLOAT_FMA, VECTOR_FMA, OURS_FLOAT_FUSED, OURS_FUSED};
    plot_bars(paper, 5, "float and double, one thread", false, ids, 4);
}

void paper_plot_ratio_bars(struct paper *paper) {
    static const enum paper_id ids[] = {VECTOR, VECTOR_FMA, OURS, OURS_FUSED};
    plot_bars(paper, 7, "against the reference, one thread", true, ids, 4);
}

void paper_plot_time_bars(struct paper *paper) {
    static const enum paper_id ids[] = {NORM_DYNAMIC, VECTOR,     VECTOR_FMA,
                                        OURS,         OURS_FUSED, OURS_ALL_FUSED};
    plot_bars(paper, 8, "programs with one thread", false, ids, 6);
}

void paper_plot_time_lines(struct paper *paper) {
    static const enum paper_id ids[] = {NORM_DYNAMIC, VECTOR_FMA, OURS, OURS_FUSED, OURS_ALL_FUSED};
    const int place = paper->resolution_count - 1;
    char title[100];
    snprintf(title, sizeof title, "Figure 9: time without and with vectors by threads, RES %d",
             paper->resolutions[place]);
    struct plot *plot = plot_create("paper-figure-09", title, PLOT_LINES, "threads", "time, ms");
    plot_log_y(plot);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        plot_series(plot, paper_programs[ids[i]].name);
        for (int thread = 0; thread < paper->thread_count; thread++)
            plot_point(plot, paper->threads[thread], paper->ms[place][ids[i]][thread]);
    }
    report_plot(paper->lab->report, plot);
}

void paper_plot_ratio_lines(struct paper *paper) {
    plot_measure(paper, 10, RATIO, VECTOR_FMA, OURS_FUSED);
}
