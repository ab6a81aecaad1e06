/* Seed 000's CUDA programs, beside ours on the same GPU. */
#include "cpu/cpuid.h"
#include "lab/classic/classic.h"
#include "lab/count/count.h"
#include "lab/report/grid.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct table *classic_ports_table(void) {
    static const struct table_column ports[] = {{"side, px", 0},
                                                {"program", TABLE_TEXT},
                                                {"threads of a block", TABLE_TEXT},
                                                {"arithmetic", TABLE_TEXT},
                                                {"kernels, ms", 3},
                                                {"whole, ms", 2},
                                                {"Mpixel/s, kernels", 1},
                                                {"kernels, times ours", 2},
                                                {"of the unfused limit, %", 1},
                                                {0}};
    return table_create("classic-gpu", "The CUDA port and ours", ports);
}

/* One of them. */
struct port {
    struct lab_gpu *gpu;
    enum gpu_classic which;
    enum arithmetic arithmetic;
    int side;
    uint8_t *rgb;
    struct series kernel_ms;
    int block_x, block_y;
};

static bool run_port(void *user, double *ms) {
    struct port *port = user;
    struct gpu_times times;
    const bool ok = lab_gpu_classic(port->gpu, port->which, port->arithmetic, port->side, true,
                                    port->rgb, &times);
    *ms = times.total_ms;
    series_add(&port->kernel_ms, times.kernel_ms);
    port->block_x = times.block_x;
    port->block_y = times.block_y;
    return ok;
}

/* What its last run has left. */
static bool check_port(const struct classic_size *size, const struct port *port) {
    uint64_t differing = 0;
    for (int f = 0; f < size->side; f++)
        differing += memcmp(port->rgb + 3 * (size_t)f * (size_t)size->side,
                            size->plain.row_ptrs[size->side - 1 - f], 3 * (size_t)size->side) != 0;
    return report_check(size->lab->report, differing == 0,
                        "at %dx%d the seed's %s CUDA program gives the plain program's bytes",
                        size->side, size->side,
                        port->which == GPU_CLASSIC_FIRST    ? "first"
                        : port->which == GPU_CLASSIC_SECOND ? "second"
                                                            : "second (in our blocks)");
}

/* A row of the GPU's table. */
struct port_row {
    const char *name, *blocks;
    enum arithmetic arithmetic;
    double kernel_ms, total_ms;
    double share; /* of the unfused limit */
};

static void add_row(struct table *table, int side, const struct port_row *row, double ours_ms) {
    table_number(table, side);
    table_text(table, "%s", row->name);
    table_text(table, "%s", row->blocks);
    table_text(table, "%s", arithmetic_names[row->arithmetic]);
    table_number(table, row->kernel_ms);
    table_number(table, row->total_ms);
    table_number(table, (double)side * side / row->kernel_ms / 1e3);
    table_number(table, row->kernel_ms / ours_ms);
    table_number(table, 100 * row->share);
}

/* Steps per millisecond at the device's peak, where each is six instructions. */
static double limit_per_ms(struct lab_gpu *gpu) {
    double per_s;
    return lab_gpu_peak(gpu, TYPE_DOUBLE, &per_s) ? per_s / 6e3 : NAN;
}

/* Steps that the picture takes without shortcuts. */
static double needed_steps(const struct classic_size *size) {
    const struct grid grid = {.type = TYPE_DOUBLE, .width_px = size->side, .height_px = size->side};
    uint32_t *counts = grid_counts(&grid);
    const struct count_job job = {.width_px = size->side,
                                  .height_px = size->side,
                                  .re = size->classic.re,
                                  .im = size->classic.im,
                                  .type = TYPE_DOUBLE,
                                  .arithmetic = ARITHMETIC_UNFUSED,
                                  .shortcuts = SHORTCUTS_ALL,
                                  .limit = CLASSIC_LIMIT,
                                  .cpu_flags = cpu_flags(size->lab->options.cpumask),
                                  .threads = lab_threads(size->lab),
                                  .stop = size->lab->rules.stop,
                                  .count = counts};
    const double steps =
        counts && count_draw(&job) ? (double)grid_steps(&grid, counts, CLASSIC_LIMIT) : NAN;
    free(counts);
    return steps;
}

/* On a GPU the first three programs are ours: half the rows, every row, and without shortcuts. */
static void add_our_ports(struct table *table, const struct classic_size *size, struct lab_gpu *gpu,
                          double ours_ms) {
    static const char *const names[] = {"ours, half the rows", "ours, every row",
                                        "ours, every row, without shortcuts"};
    for (int i = 2; i >= 0; i--) {
        const struct racer *racer = &size->racers[RACER_OURS + i];
        struct port_row row = {.name = names[i],
                               .blocks = "32x4, some times over",
                               .arithmetic = ARITHMETIC_UNFUSED,
                               .kernel_ms = classic_noted_mean(&size->programs[i].kernel_ms, racer),
                               .total_ms = race_mean(racer),
                               .share = NAN};
        if (i == 2)
            row.share = needed_steps(size) / row.kernel_ms / limit_per_ms(gpu);
        add_row(table, size->side, &row, ours_ms);
    }
}

/* Runs it often, and compares what its last run has left. */
static bool measure_port(struct port *port, struct classic_size *size, struct table *table,
                         double ours_ms) {
    static const char *const names[] = {"the seed's first", "the seed's second",
                                        "the seed's second in our blocks"};
    char blocks[24];
    struct racer racer = {.name = names[port->which], .run = run_port, .user = port};
    bool ok = race(&racer, 1, true, &size->rules);
    if (ok) {
        const struct port_row row = {.name = racer.name,
                                     .blocks = blocks,
                                     .arithmetic = port->arithmetic,
                                     .kernel_ms = classic_noted_mean(&port->kernel_ms, &racer),
                                     .total_ms = race_mean(&racer),
                                     .share = NAN};
        snprintf(blocks, sizeof blocks, "%dx%d", port->block_x, port->block_y);
        add_row(table, size->side, &row, ours_ms);
        ok = port->arithmetic == ARITHMETIC_FUSED || check_port(size, port);
    }
    race_finish(&racer, 1);
    series_finish(&port->kernel_ms);
    return ok;
}

bool classic_add_ports(struct table *table, struct classic_size *size, struct lab_gpu *gpu) {
    const double ours_ms =
        classic_noted_mean(&size->programs[0].kernel_ms, &size->racers[RACER_OURS]);
    uint8_t *rgb = malloc(3 * (size_t)size->side * (size_t)size->side);
    bool ok = rgb;
    if (!rgb)
        log_error("no memory for a picture of %dx%d pixels", size->side, size->side);
    for (int k = 0; rgb && k < GPU_CLASSIC_COUNT * ARITHMETIC_COUNT; k++) {
        struct port port = {.gpu = gpu,
                            .which = (enum gpu_classic)(k / ARITHMETIC_COUNT),
                            .arithmetic = (enum arithmetic)(k % ARITHMETIC_COUNT),
                            .side = size->side,
                            .rgb = rgb};
        ok = measure_port(&port, size, table, ours_ms) && ok;
    }
    free(rgb);
    add_our_ports(table, size, gpu, ours_ms);
    return ok;
}
