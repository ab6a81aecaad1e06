/* Whether programs count alike, and where floats and fused operations change counts. */
#include "lab/paper/paper.h"
#include "render/base/log.h"
#include "render/files/image.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define F TYPE_FLOAT
#define D TYPE_DOUBLE

#define BLACK UINT32_C(0xff000000)
#define WHITE UINT32_C(0xffffffff)

const struct paper_pair paper_pairs[PAPER_PAIRS] = {
    [PAPER_PAIR_FLOAT(COUNTS_UNFUSED)] = {"float and double, unfused", F, D, COUNTS_UNFUSED,
                                          COUNTS_UNFUSED},
    [PAPER_PAIR_FLOAT(COUNTS_FMA)] = {"float and double, listing 4, test >= 4", F, D, COUNTS_FMA,
                                      COUNTS_FMA},
    [PAPER_PAIR_FLOAT(COUNTS_CONTRACTED)] = {"float and double, listing 7 with 2.0f", F, D,
                                             COUNTS_CONTRACTED, COUNTS_CONTRACTED},
    [PAPER_PAIR_FLOAT(COUNTS_WIDE)] = {"float and double, listing 7", F, D, COUNTS_WIDE,
                                       COUNTS_CONTRACTED},
    [PAPER_PAIR_FLOAT(COUNTS_FUSED)] = {"float and double, ours fused", F, D, COUNTS_FUSED,
                                        COUNTS_FUSED},
    [PAPER_PAIR_FLOAT(COUNTS_LISTED)] = {"float and double, listing 4 without FMA", F, D,
                                         COUNTS_LISTED, COUNTS_LISTED},
    [PAPER_PAIR_FLOAT(COUNTS_LISTED_FMA)] = {"float and double, listing 4", F, D, COUNTS_LISTED_FMA,
                                             COUNTS_LISTED_FMA},
    {"listing 4, test >= 4, and unfused, double", D, D, COUNTS_FMA, COUNTS_UNFUSED},
    {"listing 7 and unfused, double", D, D, COUNTS_CONTRACTED, COUNTS_UNFUSED},
    {"ours fused and unfused, double", D, D, COUNTS_FUSED, COUNTS_UNFUSED},
    {"listing 4, test >= 4, and unfused, float", F, F, COUNTS_FMA, COUNTS_UNFUSED},
    {"listing 7 and unfused, float", F, F, COUNTS_WIDE, COUNTS_UNFUSED},
    {"ours fused and unfused, float", F, F, COUNTS_FUSED, COUNTS_UNFUSED},
};

void paper_measure_differences(struct paper_scene *scene) {
    struct paper *paper = scene->paper;
    const struct grid *grid = &scene->grids[TYPE_DOUBLE][0];
    const uint32_t *unfused = scene->counts[TYPE_DOUBLE][COUNTS_UNFUSED];
    for (int i = 0; i < PAPER_PAIRS; i++) {
        const struct paper_pair *pair = &paper_pairs[i];
        const uint32_t *a = scene->counts[pair->a_type][pair->a];
        const uint32_t *b = scene->counts[pair->b_type][pair->b];
        if (a && b)
            paper->differing[scene->place][i] = (double)grid_differing(grid, a, b);
    }
    if (unfused)
        paper->steps[scene->place] = (double)grid_steps(grid, unfused, paper->limit);
}

/* --- pictures of what differs --- */

bool paper_picture_save(struct paper *paper, const char *id, const struct grid *grid,
                        const uint32_t *a, const uint32_t *b) {
    char path[REPORT_PATH_MAX];
    if (!a || !b || !report_path(paper->lab->report, path, id, ".png"))
        return true;
    const size_t points = (size_t)grid->width_px * (size_t)grid->height_px;
    uint32_t *rgba = malloc(points * sizeof *rgba);
    if (!rgba) {
        log_error("no memory for a picture of %dx%d points", grid->width_px, grid->height_px);
        return false;
    }
    for (size_t i = 0; i < points; i++)
        rgba[i] = a[i] == b[i] ? BLACK : WHITE;
    const bool ok = image_write(path, IMAGE_PNG, rgba, grid->width_px, grid->height_px, NULL);
    free(rgba);
    if (ok)
        paper->pictures[paper->picture_count++] = id;
    return ok;
}

void paper_picture_show(const struct paper *paper, const char *id, const char *what) {
    for (int i = 0; i < paper->picture_count; i++)
        if (strcmp(paper->pictures[i], id) == 0)
            report_text(paper->lab->report, "![%s: white](%s.png)", what, id);
}

bool paper_save_pictures(struct paper_scene *scene) {
    static const struct {
        const char *id;
        enum paper_counts counts;
    } pictures[] = {{"paper-difference-unfused", COUNTS_LISTED},
                    {"paper-difference-fma", COUNTS_LISTED_FMA},
                    {"paper-difference-fused", COUNTS_FUSED}};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof pictures / sizeof *pictures; i++)
        ok = paper_picture_save(scene->paper, pictures[i].id, &scene->grids[TYPE_DOUBLE][0],
                                scene->counts[TYPE_FLOAT][pictures[i].counts],
                                scene->counts[TYPE_DOUBLE][pictures[i].counts]);
    return ok;
}

/* --- tables --- */

/* Whether its test, and not only its rounding, makes its counts. */
static bool has_own_test(const struct paper_program *program) {
    return program->listed || (program->kind == SCALAR && program->test == PAPER_ABS);
}

static void check_programs(struct paper *paper) {
    double wrong = 0;
    int programs = 0;
    for (int place = 0; place < paper->resolution_count; place++)
        for (int id = 0; id < PAPER_ID_COUNT; id++) {
            const double strays = paper->strays[place][id];
            if (isnan(strays) || has_own_test(&paper_programs[id]))
                continue;
            programs++;
            wrong += strays;
        }
    if (programs == 0) /* stopped before one was through */
        return;
    report_check(
        paper->lab->report, wrong == 0,
        "%d pictures by programs that test |z|^2 >= 4, theirs and ours, have the counts of "
        "the first program with the same type and rounding, in every point",
        programs);
    report_check(paper->lab->report, paper->steady,
                 "no count changes with the number of threads or the schedule");
}

/* Where a test of its own changes counts. */
static void report_strays(struct paper *paper) {
    static const struct table_column columns[] = {{"resolution", 0},
                                                  {"program", TABLE_TEXT},
                                                  {"points with another count", 0},
                                                  {"points", 0},
                                                  {NULL, 0}};
    static const enum paper_id ids[] = {ABS, VECTOR, VECTOR_FMA, VECTOR_FLOAT, VECTOR_FLOAT_FMA};
    struct table *table = table_create("paper-tests", "Tests other than |z|^2 >= 4", columns);
    for (int place = 0; place < paper->resolution_count; place++)
        for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
            if (isnan(paper->strays[place][ids[i]]))
                continue;
            table_number(table, paper->resolutions[place]);
            table_text(table, "%s", paper_programs[ids[i]].name);
            table_number(table, paper->strays[place][ids[i]]);
            table_number(table, paper_points(paper, place));
        }
    report_table(paper->lab->report, table);
    report_text(
        paper->lab->report,
        "Listings 1 (abs(z) >= 2), 3 and 7 (|z|^2 >= 4) count a point on the circle of "
        "radius 2 as gone, listing 4 (|z|^2 > 4) does not: such points of the grid are c = -2, "
        "which > never counts when its coordinates are exact, and those like "
        "-1.92 + 0.56i, which it counts a step later. Ours test >= 4 everywhere.");
}

/* The paper's number for a pair; NaN: it has none. */
static double printed_points(const struct paper *paper, int pair, int place) {
    const int row = paper_printed(paper, place);
    if (row < 0)
        return NAN;
    return pair == PAPER_PAIR_FLOAT(COUNTS_LISTED_FMA) ? printed_5_points[row]
           : pair == PAPER_PAIR_FLOAT(COUNTS_WIDE)     ? printed_12_points[row]
                                                       : NAN;
}

static void report_pairs(struct paper *paper) {
    static const struct table_column columns[] = {{"resolution", 0},
                                                  {"between", TABLE_TEXT},
                                                  {"points that differ", 0},
                                                  {"% of all points", 3},
                                                  {"% of RES^2", 2},
                                                  {"paper, points", 0},
                                                  {NULL, 0}};
    struct table *table =
        table_create("paper-differences", "Points whose counts differ, by arithmetic", columns);
    for (int place = 0; place < paper->resolution_count; place++)
        for (int i = 0; i < PAPER_PAIRS; i++) {
            const double differing = paper->differing[place][i];
            if (isnan(differing))
                continue;
            table_number(table, paper->resolutions[place]);
            table_text(table, "%s", paper_pairs[i].name);
            table_number(table, differing);
            table_number(table, 100 * differing / paper_points(paper, place));
            table_number(table, 600 * differing / paper_points(paper, place));
            table_number(table, printed_points(paper, i, place));
        }
    report_table(paper->lab->report, table);
    report_text(
        paper->lab->report,
        "The paper's numbers are those of its tables 5 and 12. Listing 7, for GPUs, is here "
        "computed by the CPU with what a compiler may fuse of it; its literal 2.0 makes the "
        "float program multiply doubles, so that 2 zr zi is rounded before ci is added.");
}

void paper_report_differences(struct paper *paper) {
    check_programs(paper);
    report_strays(paper);
    report_pairs(paper);
}
