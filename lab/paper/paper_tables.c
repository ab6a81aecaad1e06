/* The paper's tables 1 to 10, about CPUs. */
#include "lab/paper/paper.h"
#include <math.h>

/* A row of times: a program, and what the paper has for it, if it has; by resolution for one
 * thread, or by threads too. */
struct line {
    enum paper_id id;
    const double *one;
    const double (*each)[PRINTED_THREADS];
};

#define LINES(array) (sizeof(array) / sizeof *(array))
#define PAPER_MS     "paper, ms (i9-12900K)"

/* What the paper prints by resolution and threads; NaN: nothing. */
static double printed(const struct paper *paper, const double (*each)[PRINTED_THREADS], int place,
                      int thread) {
    const int row = paper_printed(paper, place);
    for (int i = 0; each && row >= 0 && i < PRINTED_THREADS; i++)
        if (printed_threads[i] == paper->threads[thread])
            return each[row][i];
    return NAN;
}

static double printed_one(const struct paper *paper, const double *one, int place) {
    const int row = paper_printed(paper, place);
    return one && row >= 0 ? one[row] : NAN;
}

static void name_row(const struct paper *paper, struct table *table, enum paper_id id, int place,
                     int thread) {
    table_number(table, paper->resolutions[place]);
    table_text(table, "%s", paper_programs[id].name);
    table_number(table, paper->threads[thread]);
}

/* A row for each program with each of the first `thread_count` numbers of threads. */
static void report_lines(struct paper *paper, struct table *table, const struct line *lines,
                         size_t count, int thread_count, bool ratios) {
    for (int place = 0; place < paper->resolution_count; place++)
        for (int thread = 0; thread < thread_count; thread++)
            for (size_t i = 0; i < count; i++) {
                const double ms = paper->ms[place][lines[i].id][thread];
                name_row(paper, table, lines[i].id, place, thread);
                table_number(table,
                             ratios ? 100 * paper->ms[place][NORM_DYNAMIC][thread] / ms : ms);
                table_number(table, lines[i].one ? printed_one(paper, lines[i].one, place)
                                                 : printed(paper, lines[i].each, place, thread));
            }
    report_table(paper->lab->report, table);
}

/* Times with each of the first numbers of threads. Programs left out at a resolution are a gap. */
static void report_times(struct paper *paper, const char *id, const char *title,
                         const struct line *lines, size_t count, int thread_count) {
    static const struct table_column columns[] = {{"resolution", 0}, {"program", TABLE_TEXT},
                                                  {"threads", 0},    {"time, ms", 2},
                                                  {PAPER_MS, 0},     {NULL, 0}};
    report_lines(paper, table_create(id, title, columns), lines, count, thread_count, false);
}

/* Percentages of the time of `norm, dynamic` with as many threads. */
static void report_ratios(struct paper *paper, const char *id, const char *title,
                          const struct line *lines, size_t count, int thread_count) {
    static const struct table_column columns[] = {{"resolution", 0},
                                                  {"program", TABLE_TEXT},
                                                  {"threads", 0},
                                                  {"the reference's time, % of this", 2},
                                                  {"paper, % (i9-12900K)", 2},
                                                  {NULL, 0}};
    report_lines(paper, table_create(id, title, columns), lines, count, thread_count, true);
}

/* What the paper has for speedups and efficiencies. */
struct scaling {
    enum paper_id id;
    const double (*ms)[PRINTED_THREADS], (*speedup)[PRINTED_THREADS],
        (*efficiency)[PRINTED_THREADS];
};

static void report_scaling(struct paper *paper, const char *id, const char *title,
                           const struct scaling *lines, size_t count) {
    static const struct table_column columns[] = {
        {"resolution", 0}, {"program", TABLE_TEXT}, {"threads", 0},
        {"time, ms", 2},   {"speedup", 2},          {"efficiency", 2},
        {PAPER_MS, 0},     {"paper, speedup", 2},   {"paper, efficiency", 2},
        {NULL, 0}};
    struct table *table = table_create(id, title, columns);
    for (int place = 0; place < paper->resolution_count; place++)
        for (size_t i = 0; i < count; i++)
            for (int thread = 0; thread < paper->thread_count; thread++) {
                const double *ms = paper->ms[place][lines[i].id];
                const double speedup = ms[0] / ms[thread];
                name_row(paper, table, lines[i].id, place, thread);
                table_number(table, ms[thread]);
                table_number(table, speedup);
                table_number(table, speedup / paper->threads[thread]);
                table_number(table, printed(paper, lines[i].ms, place, thread));
                table_number(table, printed(paper, lines[i].speedup, place, thread));
                table_number(table, printed(paper, lines[i].efficiency, place, thread));
            }
    report_table(paper->lab->report, table);
}

static void report_points(struct paper *paper) {
    static const struct table_column columns[] = {
        {"resolution", 0},          {"arithmetic", TABLE_TEXT},
        {"points that differ", 0},  {"% of RES^2", 2},
        {"% of all points", 3},     {"paper, points", 0},
        {"paper, % (of RES^2)", 2}, {NULL, 0}};
    static const struct {
        const char *name;
        enum paper_counts counts;
        const double *points, *percent;
    } rows[] = {{"vect", COUNTS_LISTED, NULL, NULL},
                {"vect + FMA", COUNTS_LISTED_FMA, printed_5_points, printed_5_percent},
                {"ours", COUNTS_UNFUSED, NULL, NULL},
                {"ours, fused", COUNTS_FUSED, NULL, NULL}};
    struct report *report = paper->lab->report;
    struct table *table = table_create(
        "paper-05", "Table 5: points whose counts differ between float and double", columns);
    for (int place = 0; place < paper->resolution_count; place++)
        for (size_t i = 0; i < LINES(rows); i++) {
            const double differing = paper->differing[place][PAPER_PAIR_FLOAT(rows[i].counts)];
            table_number(table, paper->resolutions[place]);
            table_text(table, "%s", rows[i].name);
            table_number(table, differing);
            table_number(table, 600 * differing / paper_points(paper, place));
            table_number(table, 100 * differing / paper_points(paper, place));
            table_number(table, printed_one(paper, rows[i].points, place));
            table_number(table, printed_one(paper, rows[i].percent, place));
        }
    report_table(report, table);
    report_text(report,
                "The paper's percentages divide by RES^2, but its images have 6 RES^2 points.");
}

/* The paper's count of points, and pictures of them. */
static void compare_points(struct paper *paper) {
    for (int place = 0; place < paper->resolution_count; place++) {
        const double theirs = printed_one(paper, printed_5_points, place);
        const double here = paper->differing[place][PAPER_PAIR_FLOAT(COUNTS_LISTED_FMA)];
        if (!isnan(theirs) && !isnan(here))
            report_check(
                paper->lab->report, here == theirs,
                "at RES %d listing 4 with FMA has the paper's %.0f points, so that its limit, "
                "coordinates and rounding are those used here",
                paper->resolutions[place], theirs);
    }
    paper_picture_show(paper, "paper-difference-unfused",
                       "Figure 6, unfused: points whose counts differ");
    paper_picture_show(paper, "paper-difference-fma", "Figure 6, FMA: points whose counts differ");
    paper_picture_show(paper, "paper-difference-fused",
                       "Figure 6, ours fused: points whose counts differ");
}

static void report_types(struct paper *paper) {
    static const struct line types[] = {{VECTOR_FLOAT_FMA, .one = printed_4_float},
                                        {VECTOR_FMA, .one = printed_4_double},
                                        {VECTOR_FLOAT, NULL, NULL},
                                        {VECTOR, NULL, NULL},
                                        {OURS_FLOAT, NULL, NULL},
                                        {OURS, NULL, NULL},
                                        {OURS_FLOAT_FUSED, NULL, NULL},
                                        {OURS_FUSED, NULL, NULL},
                                        {OURS_ALL_FLOAT, NULL, NULL},
                                        {OURS_ALL, NULL, NULL}};
    report_times(paper, "paper-04", "Table 4: float and double, one thread", types, LINES(types),
                 1);
    report_points(paper);
    compare_points(paper);
}

static void report_vectors(struct paper *paper) {
    static const struct line ratios[] = {{VECTOR, .one = printed_6_vector},
                                         {VECTOR_FMA, .one = printed_6_vector_fma},
                                         {OURS, NULL, NULL},
                                         {OURS_FUSED, NULL, NULL},
                                         {OURS_ALL, NULL, NULL},
                                         {OURS_ALL_FUSED, NULL, NULL}};
    static const struct line times[] = {{NORM_DYNAMIC, .one = printed_7_norm},
                                        {VECTOR, .one = printed_7_vector},
                                        {VECTOR_FMA, .one = printed_7_vector_fma},
                                        {OURS, NULL, NULL},
                                        {OURS_FUSED, NULL, NULL},
                                        {OURS_ALL, NULL, NULL},
                                        {OURS_ALL_FUSED, NULL, NULL}};
    report_ratios(paper, "paper-06",
                  "Table 6: with and without FMA against the reference, one thread", ratios,
                  LINES(ratios), 1);
    report_times(paper, "paper-07", "Table 7: vectors, one thread", times, LINES(times), 1);
}

static void report_vectors_and_threads(struct paper *paper) {
    static const struct line times[] = {{NORM_DYNAMIC, .each = printed_3_ms},
                                        {VECTOR_FMA, .each = printed_8_vector},
                                        {OURS, NULL, NULL},
                                        {OURS_FUSED, NULL, NULL},
                                        {OURS_ALL_FUSED, NULL, NULL}};
    static const struct line ratios[] = {{VECTOR_FMA, .each = printed_9_percent},
                                         {OURS_FUSED, NULL, NULL},
                                         {OURS_ALL_FUSED, NULL, NULL}};
    static const struct scaling scaling[] = {
        {VECTOR_FMA, printed_10_ms, printed_10_speedup, printed_10_efficiency},
        {OURS_FUSED, NULL, NULL, NULL},
        {OURS_ALL_FUSED, NULL, NULL, NULL}};
    report_times(paper, "paper-08", "Table 8: without and with vectors, by threads", times,
                 LINES(times), paper->thread_count);
    report_ratios(paper, "paper-09", "Table 9: the reference's time in % of others', by threads",
                  ratios, LINES(ratios), paper->thread_count);
    report_scaling(paper, "paper-10", "Table 10: vectors and threads", scaling, LINES(scaling));
}

void paper_report_cpu(struct paper *paper) {
    static const struct line tests[] = {{ABS, .one = printed_1_abs},
                                        {SQRT, NULL, NULL},
                                        {NORM_STATIC, .one = printed_1_norm},
                                        {OURS, NULL, NULL},
                                        {OURS_ALL, NULL, NULL}};
    static const struct line schedules[] = {{NORM_STATIC, .each = printed_2_static},
                                            {NORM_DYNAMIC, .each = printed_3_ms},
                                            {NORM_ROWS, NULL, NULL},
                                            {OURS, NULL, NULL},
                                            {OURS_ALL, NULL, NULL}};
    static const struct scaling scaling[] = {
        {NORM_DYNAMIC, printed_3_ms, printed_3_speedup, printed_3_efficiency},
        {OURS, NULL, NULL, NULL},
        {OURS_ALL, NULL, NULL, NULL}};
    report_times(paper, "paper-01", "Table 1: the reference and the norm test, one thread", tests,
                 LINES(tests), 1);
    report_times(paper, "paper-02", "Table 2: static and dynamic schedules", schedules,
                 LINES(schedules), paper->thread_count);
    report_text(paper->lab->report, "A dash: left out above RES 1000 to save minutes (\"abs\" and "
                                    "\"dynamic by rows\" only), or not in the paper.");
    report_scaling(paper, "paper-03", "Table 3: time, speedup and efficiency", scaling,
                   LINES(scaling));
    report_types(paper);
    report_vectors(paper);
    report_vectors_and_threads(paper);
}
