/* Tables of the paper, fourteen of them, and some of the laboratory's own, as data. */
#include "lab/paper/paper.h"
#include "render/base/embedded.h"
#include "render/base/log.h"
#include "render/files/image.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define F     TYPE_FLOAT
#define D     TYPE_DOUBLE
#define BLACK UINT32_C(0xff000000)
#define WHITE UINT32_C(0xffffffff)

/* Values printed in the paper: lines of a table, a row, a column and a value
 * (docs/lab/paper.csv). */
extern const struct embedded_file embedded_lab_paper[];

const struct paper_pair paper_pairs[] = {
    {"paper-05", "vect", F, COUNTS_LISTED, D, COUNTS_LISTED, "paper-difference-unfused",
     "Figure 6, unfused"},
    {"paper-05", "vect + FMA", F, COUNTS_LISTED_FMA, D, COUNTS_LISTED_FMA, "paper-difference-fma",
     "Figure 6, FMA"},
    {"paper-05", "ours", F, COUNTS_UNFUSED, D, .b = COUNTS_UNFUSED},
    {"paper-12", "listing 7, float", F, COUNTS_WIDE, D, .b = COUNTS_CONTRACTED},
    {"paper-12", "listing 7, float, 2.0f", F, COUNTS_CONTRACTED, D, .b = COUNTS_CONTRACTED},
    {"paper-12", "listing 7, float", F, COUNTS_GPU, D, COUNTS_GPU, "paper-difference-gpu",
     "Figure 14, on the GPU"},
    {"paper-12", "listing 7, float, 2.0f", F, COUNTS_GPU_TYPED, D, .b = COUNTS_GPU},
};
const int paper_pair_count = sizeof paper_pairs / sizeof *paper_pairs;
static_assert(sizeof paper_pairs / sizeof *paper_pairs <= PAPER_PAIRS, "room for all");

/* Columns in the format of table_of. Columns that begin with "paper, " are printed in the paper. */
#define TIMES "resolution:0|program|threads:0|time, ms:2|paper, ms (i9-12900K):0"
#define SCALING                                                                                    \
    "resolution:0|program|threads:0|time, ms:2|speedup:2|efficiency:2|paper, ms (i9-12900K):0|"    \
    "paper, speedup:2|paper, efficiency:2"
#define RATIOS                                                                                     \
    "resolution:0|program|threads:0|the reference's time, % of this:2|paper, % (i9-12900K):2"
#define PAIRS                                                                                      \
    "resolution:0|program|counted on|points that differ:0|% of RES^2:2|% of all points:3|"         \
    "paper, points:0|paper, % of RES^2:2"

static const struct outline {
    const char *id, *title;
    enum { ONE_THREAD, EACH, GPU, OF_PAIRS } kind;
    const char *programs; /* names separated by bars */
    const char *columns;
    const char *note; /* NULL: none */
} outlines[] = {
    {"paper-01", "Table 1: the reference and the norm test, one thread", ONE_THREAD,
     "abs|norm, static|ours|ours, shortcuts", TIMES, NULL},
    {"paper-02", "Table 2: static and dynamic schedules", EACH,
     "norm, static|norm, dynamic|ours|ours, shortcuts", TIMES,
     "A dash: left out above RES 1000 to save minutes (\"abs\" only), or not in the paper."},
    {"paper-03", "Table 3: time, speedup and efficiency", EACH,
     "norm, dynamic|ours|ours, shortcuts", SCALING, NULL},
    {"paper-04", "Table 4: float and double, one thread", ONE_THREAD,
     "vect + FMA, float|vect + FMA|vect, float|vect|ours, float|ours|ours, float, shortcuts|"
     "ours, shortcuts",
     TIMES, NULL},
    {"paper-05", "Table 5: points whose counts differ between float and double", OF_PAIRS, NULL,
     PAIRS, "The paper's percentages divide by RES^2, but its images have 6 RES^2 points."},
    {"paper-06", "Table 6: with and without FMA against the reference, one thread", ONE_THREAD,
     "vect|vect + FMA|ours|ours, shortcuts", RATIOS, NULL},
    {"paper-07", "Table 7: vectors, one thread", ONE_THREAD,
     "norm, dynamic|vect|vect + FMA|ours|ours, shortcuts", TIMES, NULL},
    {"paper-08", "Table 8: without and with vectors, by threads", EACH,
     "norm, dynamic|vect + FMA|ours|ours, shortcuts", TIMES, NULL},
    {"paper-09", "Table 9: the reference's time in % of others', by threads", EACH,
     "vect + FMA|ours|ours, shortcuts", RATIOS, NULL},
    {"paper-10", "Table 10: vectors and threads", EACH, "vect + FMA|ours|ours, shortcuts", SCALING,
     NULL},
    {"paper-12", "Table 12: points whose counts differ between float and double, listing 7",
     OF_PAIRS, NULL, PAIRS,
     "On the CPU: with what a compiler may fuse of the listing. Its literal 2.0 makes the float "
     "program multiply doubles, so that 2 zr zi is rounded before ci is added; with 2.0f they are "
     "fused as in the double program."},
    {"paper-11", "Table 11: float and double, blocks of 16x16, memory allocated each time", GPU,
     "listing 7|listing 7, float|listing 7, float, 2.0f|ours|ours, float|ours, shortcuts|ours, "
     "float, "
     "shortcuts",
     "resolution:0|program|kernel, ms:3|program, ms:2|paper, ms (T400):0", NULL},
    {"paper-13", "Table 13: shapes of blocks, doubles", GPU,
     "listing 7, blocks|ours|ours, shortcuts",
     "resolution:0|program|threads x:0|threads y:0|kernel, ms:3|paper, ms (T400):0", NULL},
    {"paper-14", "Table 14: where the time goes, doubles", GPU, "listing 7|ours|ours, shortcuts",
     "resolution:0|program|program, ms:2|kernel, ms:3|copy, ms:2|allocation, ms:2|paper, program "
     "(T400):0|paper, kernel (T400):0|paper, cudaMemcpy (T400):1|paper, cudaMalloc (T400):0",
     "The program is what is done for one picture: allocation, coordinates to the device, the "
     "kernel, counts back to ordinary memory, release. The paper's includes the start of CUDA."},
};

/* Row of a program with a number of threads, or of a pair. */
struct row {
    const struct paper *paper;
    const struct outline *outline;
    /* Indices of the resolution, of the program or pair, and of the number of threads. */
    int place, id, thread;
};

static const char *name_of(const struct row *row) {
    return row->outline->kind == OF_PAIRS ? paper_pairs[row->id].name
                                          : paper_programs[row->id].name;
}

/* Returns true if the first column of a text of columns has that name. */
static bool is(const char *column, const char *name) {
    return strcspn(column, ":|") == strlen(name) && strncmp(column, name, strlen(name)) == 0;
}

static double printed(const char *table, const char *key, const char *column) {
    char line[200];
    snprintf(line, sizeof line, "\n%s,\"%s\",%.*s,", table, key, (int)strcspn(column, ":|"),
             column);
    const char *found = strstr(embedded_lab_paper[0].data, line);
    return found ? strtod(found + strlen(line), NULL) : NAN;
}

/* Returns a column's value for a program. The reference of ratios is program 1. */
static double of_program(const struct row *row, const char *column) {
    const struct paper_times(*programs)[PAPER_THREADS] = row->paper->times[row->place];
    const struct paper_times *own = &programs[row->id][row->thread];
    const double speedup = programs[row->id][0].total_ms / own->total_ms;
    return is(column, "kernel, ms")       ? own->kernel_ms
           : is(column, "copy, ms")       ? own->copy_ms
           : is(column, "allocation, ms") ? own->alloc_ms
           : is(column, "threads x")      ? paper_programs[row->id].block_x
           : is(column, "threads y")      ? paper_programs[row->id].block_y
           : is(column, "threads")        ? row->paper->threads[row->thread]
           : is(column, "speedup")        ? speedup
           : is(column, "efficiency")     ? speedup / row->paper->threads[row->thread]
           : is(column, "the reference's time, % of this")
               ? 100 * programs[1][row->thread].total_ms / own->total_ms
               : own->total_ms;
}

static double of_pair(const struct row *row, const char *column) {
    const double res = row->paper->resolutions[row->place];
    const double points = row->paper->differing[row->place][row->id];
    return is(column, "% of RES^2")        ? 100 * points / (res * res)
           : is(column, "% of all points") ? 100 * points / (6 * res * res)
                                           : points;
}

static double value_of(const struct row *row, const char *key, const char *column) {
    if (strncmp(column, "paper, ", 7) == 0)
        return printed(row->outline->id, key, column + 7);
    if (is(column, "resolution"))
        return row->paper->resolutions[row->place];
    return row->outline->kind == OF_PAIRS ? of_pair(row, column) : of_program(row, column);
}

/* Adds a row. Its key in the paper's file is its name with the numbers around it. */
static void add_row(struct table *table, const struct row *row) {
    char key[120] = "";
    for (const char *column = row->outline->columns; *column;) {
        char *end = key + strlen(key);
        const size_t room = sizeof key - strlen(key);
        if (is(column, "program")) {
            table_text(table, "%s", name_of(row));
            snprintf(end, room, "; %s", name_of(row));
        } else if (is(column, "counted on")) {
            table_text(table, paper_pairs[row->id].a >= COUNTS_GPU ? "GPU" : "CPU");
        } else {
            const double value = value_of(row, key, column);
            const bool block = strncmp(column, "threads ", 8) == 0;
            table_number(table, block && value == 0 ? NAN : value);
            if (is(column, "resolution") || is(column, "threads") || block)
                snprintf(end, room, *key ? "; %g" : "%g", value);
        }
        column += strcspn(column, "|");
        column += *column == '|';
    }
}

/* Adds a row for each program of that name with each number of threads. */
static void add_programs(struct table *table, struct row row, const char *wanted, size_t length) {
    const int threads = row.outline->kind == EACH ? row.paper->thread_count : 1;
    for (row.id = 0; row.id < paper_program_count; row.id++) {
        const struct paper_program *program = &paper_programs[row.id];
        if ((program->kind == ON_GPU) == (row.outline->kind == GPU) &&
            strlen(program->name) == length && strncmp(program->name, wanted, length) == 0)
            for (row.thread = 0; row.thread < threads; row.thread++)
                add_row(table, &row);
    }
}

static void add_pairs(struct table *table, struct row row) {
    for (row.id = 0; row.id < paper_pair_count; row.id++)
        if (strcmp(paper_pairs[row.id].table, row.outline->id) == 0 &&
            !isnan(of_pair(&row, "points that differ")))
            add_row(table, &row);
}

static void report_outline(const struct paper *paper, const struct outline *outline) {
    struct table *table = table_of(outline->id, outline->title, outline->columns);
    struct row row = {.paper = paper, .outline = outline};
    for (row.place = 0; row.place < paper->resolution_count; row.place++) {
        for (const char *name = outline->programs; name && *name;
             name += name[strcspn(name, "|")] == '|') {
            const size_t length = strcspn(name, "|");
            add_programs(table, row, name, length);
            name += length;
        }
        if (outline->kind == OF_PAIRS)
            add_pairs(table, row);
    }
    report_table(paper->lab->report, table);
    if (outline->note)
        report_text(paper->lab->report, "%s", outline->note);
}

/* --- points that differ --- */

static bool save_picture(const struct paper *paper, const struct paper_pair *pair,
                         const struct grid *grid, const uint32_t *a, const uint32_t *b) {
    char path[REPORT_PATH_MAX];
    if (!report_path(paper->lab->report, path, pair->picture, ".png"))
        return true;
    uint32_t *rgba = grid_counts(grid);
    for (size_t i = 0; rgba && i < grid_points(grid); i++)
        rgba[i] = a[i] == b[i] ? BLACK : WHITE;
    const bool ok =
        rgba && image_write(path, IMAGE_PNG, rgba, grid->width_px, grid->height_px, NULL);
    free(rgba);
    return ok;
}

bool paper_compare(struct paper_scene *scene) {
    const struct grid *grid = &scene->grids[TYPE_DOUBLE][0];
    bool ok = true;
    for (int i = 0; i < paper_pair_count; i++) {
        const struct paper_pair *pair = &paper_pairs[i];
        const uint32_t *a = scene->counts[pair->a_type][pair->a];
        const uint32_t *b = scene->counts[pair->b_type][pair->b];
        if (!a || !b)
            continue;
        scene->paper->differing[scene->place][i] = (double)grid_differing(grid, a, b);
        if (pair->picture && scene->place == 0)
            ok = save_picture(scene->paper, pair, grid, a, b) && ok;
    }
    return ok;
}

static void show_pictures(const struct paper *paper) {
    char path[REPORT_PATH_MAX];
    for (int i = 0; i < paper_pair_count; i++)
        if (paper_pairs[i].picture && !isnan(paper->differing[0][i]) &&
            report_path(paper->lab->report, path, paper_pairs[i].picture, ".png"))
            report_text(paper->lab->report, "![%s: points whose counts differ: white](%s.png)",
                        paper_pairs[i].caption, paper_pairs[i].picture);
}

static void check(const struct paper *paper) {
    struct report *report = paper->lab->report;
    static const char *const sides[] = {"the CPU", "the GPU"};
    for (int side = 0; side < 2; side++)
        if (paper->judged[side] > 0)
            report_check(report, paper->strays[side] == 0,
                         "%d pictures by programs on %s, theirs and ours, have the counts of the "
                         "first program with the same type, rounding and test, in every point, "
                         "with any threads, schedule, shortcuts and blocks",
                         paper->judged[side], sides[side]);
    for (int place = 0; place < paper->resolution_count; place++) {
        char key[40];
        snprintf(key, sizeof key, "%d; vect + FMA", paper->resolutions[place]);
        const double theirs = printed("paper-05", key, "points"), here = paper->differing[place][1];
        if (!paper->lab->quick && !isnan(here))
            report_check(report, here == theirs,
                         "at RES %d listing 4 with FMA has the paper's %.0f points, so that its "
                         "limit, coordinates and rounding are those used here",
                         paper->resolutions[place], theirs);
    }
}

void paper_report(struct paper *paper) {
    check(paper);
    for (size_t i = 0; i < sizeof outlines / sizeof *outlines; i++)
        if (paper->gpu || outlines[i].kind != GPU)
            report_outline(paper, &outlines[i]);
    show_pictures(paper);
}
