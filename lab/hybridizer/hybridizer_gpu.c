/* Seed 004 on a GPU: a block per line, blocks in a balanced grid, and ours. */
#include "lab/gpu/gpu.h"
#include "lab/hybridizer/hybridizer.h"
#include <math.h>
#include <string.h>

#define SEED_LINES 395.7 /* millions of pixels per second on a GTX 1080 Ti, the kernel's */
#define SEED_GRID  4560.0
#define ROWS_MAX   10

struct row {
    struct hybridizer_job *job;
    struct lab_gpu *gpu;
    struct gpu_job what;
    char name[80];
    double seed; /* or NaN */
    struct series total_ms;
    bool ours, checked;
    uint64_t differing;
};

static uint64_t differing(const struct row *row) {
    const struct hybridizer_job *job = row->job;
    const enum arithmetic arithmetic = row->what.arithmetic;
    const uint32_t *counts = job->counts[arithmetic], *above = job->above[arithmetic];
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)job->side_px * (size_t)job->side_px; i++)
        sum += row->ours ? (uint32_t)job->mine[i] != counts[i]
                         : job->mine[i] != hybridizer_light(above[i]);
    return sum;
}

static bool run(void *user, double *ms) {
    struct row *row = user;
    struct gpu_times times;
    if (!row->checked)
        memset(row->job->mine, 0xff,
               sizeof(int32_t) * (size_t)row->job->side_px * (size_t)row->job->side_px);
    if (!lab_gpu_count(row->gpu, &row->what, &times))
        return false;
    *ms = times.kernel_ms;
    if (row->checked)
        series_add(&row->total_ms, times.total_ms);
    else
        row->differing = differing(row);
    row->checked = true;
    return true;
}

static int add_all(struct row *rows, struct lab_gpu *gpu, struct hybridizer_job *job) {
    static const struct {
        enum gpu_program program;
        unsigned shortcuts;
        double seed; /* its number; NaN: none */
    } kinds[] = {{GPU_HYBRIDIZER_LINES, 0, SEED_LINES},
                 {GPU_HYBRIDIZER_GRID, 0, SEED_GRID},
                 {GPU_HYBRIDIZER_ACROSS, 0, NAN},
                 {GPU_OURS, SHORTCUTS_NONE, NAN},
                 {GPU_OURS, SHORTCUTS_CARDIOID, NAN}};
    int count = 0;
    for (enum arithmetic a = 0; a < ARITHMETIC_COUNT; a++)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            const bool ours = kinds[i].program == GPU_OURS;
            const bool its = a == ARITHMETIC_FUSED; /* nvcc fuses unless told not to */
            struct row *row = &rows[count++];
            *row = (struct row){
                .job = job,
                .gpu = gpu,
                .seed = its ? kinds[i].seed : NAN,
                .ours = ours,
                .what = {.program = kinds[i].program,
                         .number = GPU_FLOAT,
                         .arithmetic = a,
                         .width_px = job->side_px,
                         .height_px = job->side_px,
                         .re = job->grid.re,
                         .im = job->grid.im,
                         .limit = HYBRIDIZER_LIMIT,
                         .shortcuts = kinds[i].shortcuts,
                         .count = (uint32_t *)job->mine},
            };
            snprintf(row->name, sizeof row->name, "%s, %s%s",
                     ours ? "ours" : gpu_program_name(kinds[i].program), arithmetic_names[a],
                     kinds[i].shortcuts ? ", knowing the interior" : "");
        }
    return count;
}

static void print_rows(struct lab *lab, const struct racer *racers, int count) {
    struct table *table = table_create("hybridizer-gpu", "The picture on the GPU",
                                       (struct table_column[]){
                                           {"program", TABLE_TEXT},
                                           {"kernel, ms", 4},
                                           {"million pixels/s", 0},
                                           {"with the copy, ms", 3},
                                           {"million pixels/s, with the copy", 0},
                                           {"times as fast as a block per line", 2},
                                           {"the seed's million pixels/s, on its machine", 1},
                                           {0},
                                       });
    for (int i = 0; i < count; i++) {
        const struct row *row = racers[i].user;
        const double ms = race_median(&racers[i]), total = series_median(&row->total_ms);
        table_text(table, "%s", row->name);
        table_number(table, ms);
        table_number(table, hybridizer_rate(row->job, ms));
        table_number(table, total);
        table_number(table, hybridizer_rate(row->job, total));
        table_number(table, race_ratio(&racers[i], &racers[0]));
        table_number(table, row->seed);
        table_end_row(table);
    }
    report_table(lab->report, table);
}

bool hybridizer_on_gpu(struct lab *lab, struct hybridizer_job *job) {
    struct row rows[ROWS_MAX];
    struct racer racers[ROWS_MAX];
    struct lab_gpu *gpu = lab_device(lab);
    if (!gpu)
        return true;
    const int count = add_all(rows, gpu, job);
    report_text(
        lab->report,
        "On the GPU all pictures are upright, so a block's line has one imaginary part; "
        "'across' is the balanced grid with neighbouring threads in different lines of memory "
        "(indices transposed). Fused is what "
        "nvcc makes of the text unless told not to.");
    for (int i = 0; i < count; i++)
        racers[i] = (struct racer){.name = rows[i].name, .run = run, .user = &rows[i]};
    bool ok = race(racers, count, true, &lab->rules);
    print_rows(lab, racers, count);
    uint64_t wrong = 0;
    for (int i = 0; i < count; i++) {
        wrong += rows[i].checked ? rows[i].differing : 0;
        series_finish(&rows[i].total_ms);
    }
    ok = report_check(lab->report, wrong == 0,
                      "all programs on the GPU give the counts of a plain loop on the CPU with the "
                      "same arithmetic and the same test") &&
         ok;
    race_finish(racers, count);
    return ok;
}
