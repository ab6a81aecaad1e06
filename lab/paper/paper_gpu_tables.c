/* The paper's tables 11 to 14 and figures 14 to 16, about GPUs. */
#include "lab/paper/paper_gpu.h"
#include <math.h>

static double printed(const struct paper *paper, const double *numbers, int place) {
    const int row = paper_printed(paper, place);
    return numbers && row >= 0 ? numbers[row] : NAN;
}

static void check_counts(struct paper *paper) {
    const struct paper_gpu *gpu = paper->gpu;
    double wrong = 0;
    int pictures = 0;
    for (int place = 0; place < paper->resolution_count; place++)
        for (int id = 0; id < PAPER_GPU_COUNT; id++)
            if (!isnan(gpu->strays[place][id]) && !paper_gpu_programs[id].free) {
                wrong += gpu->strays[place][id];
                pictures++;
            }
    report_check(
        paper->lab->report, wrong == 0 && pictures > 0,
        "%d pictures by GPU programs, listing 7 with one arithmetic or the other and ours, "
        "have the counts of the CPU's programs with the same type and rounding, in every "
        "point",
        pictures);
    report_check(paper->lab->report, gpu->shapes_agree,
                 "no count of listing 7 changes with the shape of its blocks");
}

static void report_counts(struct paper *paper) {
    static const struct table_column columns[] = {{"resolution", 0},
                                                  {"program on the GPU", TABLE_TEXT},
                                                  {"the CPU's nearest arithmetic", TABLE_TEXT},
                                                  {"points that differ", 0},
                                                  {NULL, 0}};
    static const char *const names[COUNTS_LISTED] = {"unfused", "listing 4's", "listing 7's",
                                                     "listing 7's with a double 2.0", "ours fused"};
    struct table *table =
        table_create("paper-gpu-counts", "Counts of the GPU and of the CPU", columns);
    for (int place = 0; place < paper->resolution_count; place++)
        for (int id = 0; id < PAPER_GPU_COUNT; id++) {
            if (isnan(paper->gpu->strays[place][id]))
                continue;
            table_number(table, paper->resolutions[place]);
            table_text(table, "%s", paper_gpu_programs[id].name);
            table_text(table, "%s", names[paper->gpu->nearest[place][id]]);
            table_number(table, paper->gpu->strays[place][id]);
        }
    report_table(paper->lab->report, table);
    report_text(
        paper->lab->report,
        "What nvcc fuses in listing 7 is its own choice, so that its counts need not be any of "
        "the CPU's; with every operation written out, they are.");
}

static void report_types(struct paper *paper) {
    static const struct table_column columns[] = {{"resolution", 0},       {"program", TABLE_TEXT},
                                                  {"kernel, ms", 3},       {"program, ms", 2},
                                                  {"paper, ms (T400)", 0}, {NULL, 0}};
    struct table *table = table_create(
        "paper-11", "Table 11: float and double, blocks of 16x16, memory allocated each time",
        columns);
    for (int place = 0; place < paper->resolution_count; place++)
        for (int id = 0; id < PAPER_GPU_COUNT; id++) {
            const struct paper_gpu_times *times = &paper->gpu->times[place][id];
            table_number(table, paper->resolutions[place]);
            table_text(table, "%s", paper_gpu_programs[id].name);
            table_number(table, times->kernel_ms);
            table_number(table, times->total_ms);
            table_number(table, printed(paper,
                                        id == GPU_LISTED         ? printed_11_double
                                        : id == GPU_LISTED_FLOAT ? printed_11_float
                                                                 : NULL,
                                        place));
        }
    report_table(paper->lab->report, table);
}

static void report_points(struct paper *paper) {
    static const struct table_column columns[] = {
        {"resolution", 0},          {"program", TABLE_TEXT},
        {"points that differ", 0},  {"% of RES^2", 2},
        {"% of all points", 3},     {"paper, points", 0},
        {"paper, % (of RES^2)", 2}, {NULL, 0}};
    struct table *table = table_create(
        "paper-12", "Table 12: points whose counts differ between float and double", columns);
    for (int place = 0; place < paper->resolution_count; place++)
        for (int i = 0; i < PAPER_GPU_PAIRS; i++) {
            const double differing = paper->gpu->differing[place][i];
            table_number(table, paper->resolutions[place]);
            table_text(table, "%s", paper_gpu_programs[paper_gpu_pairs[i].a].name);
            table_number(table, differing);
            table_number(table, 600 * differing / paper_points(paper, place));
            table_number(table, 100 * differing / paper_points(paper, place));
            table_number(table, printed(paper, i == 0 ? printed_12_points : NULL, place));
            table_number(table, printed(paper, i == 0 ? printed_12_percent : NULL, place));
        }
    report_table(paper->lab->report, table);
    report_text(
        paper->lab->report,
        "In listing 7 the literal 2.0 makes the float program multiply doubles, so that 2 zr "
        "zi is rounded before ci is added; with 2.0f they are fused as in the double program.");
    paper_picture_show(paper, "paper-difference-gpu", "Figure 14: points whose counts differ");
    paper_picture_show(paper, "paper-difference-gpu-ours", "Figure 14, ours fused");
}

static void add_shape(const struct paper *paper, struct table *table, int place, int x, int y) {
    const int row = paper_printed(paper, place);
    table_number(table, paper->resolutions[place]);
    table_text(table, "listing 7");
    table_number(table, printed_sides[x]);
    table_number(table, printed_sides[y]);
    table_number(table, paper->gpu->shapes_ms[place][x][y]);
    table_number(table, row >= 0 ? printed_13_ms[row][x][y] : NAN);
}

static void report_shapes(struct paper *paper) {
    static const struct table_column columns[] = {
        {"resolution", 0}, {"program", TABLE_TEXT}, {"threads x", 0}, {"threads y", 0},
        {"kernel, ms", 3}, {"paper, ms (T400)", 0}, {NULL, 0}};
    static const enum paper_gpu_id ours[] = {GPU_OURS_UNFUSED, GPU_OURS_FUSED, GPU_OURS_ALL};
    struct table *table = table_create("paper-13", "Table 13: shapes of blocks, doubles", columns);
    for (int place = 0; place < paper->resolution_count; place++) {
        for (int i = 0; i < PRINTED_SIDES * PRINTED_SIDES; i++)
            add_shape(paper, table, place, i / PRINTED_SIDES, i % PRINTED_SIDES);
        for (int i = 0; i < 3; i++) {
            const double ms = paper->gpu->times[place][ours[i]].kernel_ms;
            table_number(table, paper->resolutions[place]);
            table_text(table, "%s", paper_gpu_programs[ours[i]].name);
            table_gap(table);
            table_gap(table);
            table_number(table, ms);
            table_end_row(table);
        }
    }
    report_table(paper->lab->report, table);
}

static void report_parts(struct paper *paper) {
    static const struct table_column columns[] = {{"resolution", 0},
                                                  {"program", TABLE_TEXT},
                                                  {"program, ms", 2},
                                                  {"kernel, ms", 3},
                                                  {"copy, ms", 2},
                                                  {"allocation, ms", 2},
                                                  {"paper, program (T400)", 0},
                                                  {"paper, kernel (T400)", 0},
                                                  {"paper, cudaMemcpy (T400)", 1},
                                                  {"paper, cudaMalloc (T400)", 0},
                                                  {NULL, 0}};
    static const enum paper_gpu_id ids[] = {GPU_LISTED, GPU_OURS_UNFUSED, GPU_OURS_FUSED,
                                            GPU_OURS_ALL};
    struct table *table =
        table_create("paper-14", "Table 14: where the time goes, doubles", columns);
    for (int place = 0; place < paper->resolution_count; place++)
        for (int i = 0; i < 4; i++) {
            const struct paper_gpu_times *times = &paper->gpu->times[place][ids[i]];
            const bool theirs = ids[i] == GPU_LISTED;
            table_number(table, paper->resolutions[place]);
            table_text(table, "%s", paper_gpu_programs[ids[i]].name);
            table_number(table, times->total_ms);
            table_number(table, times->kernel_ms);
            table_number(table, times->copy_ms);
            table_number(table, times->alloc_ms);
            table_number(table, printed(paper, theirs ? printed_14_program : NULL, place));
            table_number(table, printed(paper, theirs ? printed_14_kernel : NULL, place));
            table_number(table, printed(paper, theirs ? printed_14_copy : NULL, place));
            table_number(table, printed(paper, theirs ? printed_14_alloc : NULL, place));
        }
    report_table(paper->lab->report, table);
    report_text(
        paper->lab->report,
        "The program is what is done for one picture: allocation, coordinates to the device, the "
        "kernel, counts back to ordinary memory, release. The paper's includes the start of "
        "CUDA.");
}

void paper_report_gpu(struct paper *paper) {
    if (!paper->gpu)
        return;
    report_text(paper->lab->report, "The GPU here is %s.", lab_gpu_name(paper->gpu->device));
    check_counts(paper);
    report_counts(paper);
    report_types(paper);
    report_points(paper);
    report_shapes(paper);
    report_parts(paper);
}
