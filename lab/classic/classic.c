/* Seed 000: a renderer for coursework and its CUDA port. What it measured: its functions, the whole
 * program by size, and the kernels, here with ours beside them. */
#include "lab/classic/classic.h"
#include "lab/experiments.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET_MS 30000 /* of a program at one size: ten runs up to 8192x8192 */

/* What is kept of all sizes. */
struct classic_tables {
    struct table *compute, *functions, *arithmetic, *gpu;
};

/* --- what races --- */

static bool run_plain(void *user, double *ms) {
    struct classic_size *size = user;
    const double start = clock_ms();
    plain_classic_calculate(&size->plain);
    const double calculated = clock_ms();
    plain_classic_map(&size->plain);
    const double mapped = clock_ms();
    rewind(size->file);
    if (!plain_classic_dump(&size->plain, size->file)) {
        log_error("cannot write a temporary file of %dx%d pixels", size->side, size->side);
        return false;
    }
    series_add(&size->spent[CALCULATE], calculated - start);
    series_add(&size->spent[MAP], mapped - calculated);
    series_add(&size->spent[DUMP], clock_ms() - mapped);
    *ms = mapped - start;
    return true;
}

static bool draw(struct classic_program *program, bool (*take)(void *, int, int, const uint8_t *)) {
    const struct classic_job job = {.classic = &program->size->classic,
                                    .arithmetic =
                                        program->fused ? ARITHMETIC_FUSED : ARITHMETIC_UNFUSED,
                                    .shortcuts = program->shortcuts,
                                    .mirror = program->mirror,
                                    .stop = program->size->lab->rules.stop,
                                    .take = take,
                                    .user = program};
    return classic_draw(program->device, &job, &program->times);
}

static bool draw_only(void *user, double *ms) {
    struct classic_program *program = user;
    const bool ok = draw(program, NULL);
    *ms = program->times.draw;
    series_add(&program->kernel_ms, program->times.kernel);
    return ok;
}

static bool write_rows(void *user, int first, int rows, const uint8_t *rgb) {
    const struct classic_size *size = ((struct classic_program *)user)->size;
    const size_t row = 3 * (size_t)size->side, bytes = row * (size_t)rows;
    if (fseeko(size->file, (off_t)(row * (size_t)first), SEEK_SET) == 0 &&
        fwrite(rgb, 1, bytes, size->file) == bytes)
        return true;
    log_error("cannot write a temporary file of %dx%d pixels", size->side, size->side);
    return false;
}

static bool draw_and_write(void *user, double *ms) {
    struct classic_program *program = user;
    (void)ms;
    const bool ok = draw(program, write_rows) && fflush(program->size->file) == 0;
    series_add(&program->size->drawn, program->times.draw);
    return ok;
}

static bool compare_rows(void *user, int first, int rows, const uint8_t *rgb) {
    struct classic_program *program = user;
    const struct plain_classic *plain = &program->size->plain;
    const size_t width = (size_t)plain->width;
    for (int f = first; f < first + rows; f++, rgb += 3 * width) {
        const struct plain_rgb *row = plain->row_ptrs[plain->height - 1 - f];
        if (memcmp(row, rgb, 3 * width) == 0)
            continue;
        for (size_t x = 0; x < width; x++)
            program->differing += memcmp(&row[x], rgb + 3 * x, 3) != 0;
    }
    return true;
}

/* --- a size --- */

static void add_program(struct classic_size *size, const char *backend, int threads,
                        unsigned shortcuts, bool mirror, bool fused) {
    if (size->count == CLASSIC_PROGRAMS_MAX)
        return;
    struct classic_program *program = &size->programs[size->count++];
    *program = (struct classic_program){.backend = backend,
                                        .options = size->lab->options,
                                        .shortcuts = shortcuts,
                                        .mirror = mirror,
                                        .fused = fused,
                                        .size = size};
    program->options.threads = threads;
}

/* Every backend, the best one first; the simpler ones only in their best setting. */
static void add_programs(struct classic_size *size) {
    const struct lab *lab = size->lab;
    const int threads = lab_threads(lab);
    bool best_cpu = true;
    for (const struct backend_impl *const *impl = lab->impls; *impl; impl++) {
        const char *why, *name = (*impl)->name;
        const bool gpu = strcmp(name, "cuda") == 0;
        if (!(*impl)->automatic || !(*impl)->usable(&lab->options, &why))
            continue;
        add_program(size, name, gpu ? 0 : threads, SHORTCUTS_ALL, true, false);
        if (!gpu && !best_cpu)
            continue;
        add_program(size, name, gpu ? 0 : threads, SHORTCUTS_ALL, false, false);
        add_program(size, name, gpu ? 0 : threads, SHORTCUTS_NONE, false, false);
        add_program(size, name, gpu ? 0 : threads, SHORTCUTS_NONE, false, true);
        if (!gpu && threads > 1)
            add_program(size, name, 1, SHORTCUTS_ALL, true, false);
        best_cpu = best_cpu && gpu;
    }
}

static bool open_size(struct classic_size *size, struct lab *lab, int side) {
    *size = (struct classic_size){.lab = lab, .rules = lab->rules, .side = side};
    size->rules.budget_ms = BUDGET_MS;
    add_programs(size);
    size->file = tmpfile();
    if (!size->file) {
        log_error("cannot make a temporary file");
        return false;
    }
    if (!classic_picture_init(&size->classic, side, side))
        return false;
    if (!plain_classic_alloc(&size->plain, side, side)) {
        log_error("no memory for the plain program's picture of %dx%d pixels", side, side);
        return false;
    }
    for (int i = 0; i < size->count; i++) {
        struct classic_program *program = &size->programs[i];
        program->device =
            classic_device_create(lab->impls, program->backend, &program->options, &size->classic);
        if (!program->device)
            return false;
        size->racers[RACER_OURS + i] =
            (struct racer){.name = program->backend, .run = draw_only, .user = program};
    }
    size->racers[RACER_PLAIN] = (struct racer){.name = "plain", .run = run_plain, .user = size};
    size->racers[RACER_WHOLE] =
        (struct racer){.name = "whole", .run = draw_and_write, .user = &size->programs[0]};
    return true;
}

static void close_size(struct classic_size *size) {
    race_finish(size->racers, RACER_OURS + size->count);
    for (int i = 0; i < FUNCTIONS; i++)
        series_finish(&size->spent[i]);
    series_finish(&size->drawn);
    for (int i = 0; i < size->count; i++) {
        classic_device_destroy(size->programs[i].device);
        series_finish(&size->programs[i].kernel_ms);
    }
    plain_classic_free(&size->plain);
    classic_picture_finish(&size->classic);
    if (size->file)
        fclose(size->file);
}

/* Draws all once more and compares the pictures. */
static bool check_programs(struct classic_size *size) {
    uint64_t differing = 0;
    for (int i = 0; i < size->count; i++) {
        struct classic_program *program = &size->programs[i];
        if (!draw(program, compare_rows))
            return false;
        differing += program->fused ? 0 : program->differing;
    }
    return report_check(
        size->lab->report, differing == 0,
        "at %dx%d all %d ways to draw it give every byte of the plain program's, but "
        "those with fused arithmetic",
        size->side, size->side, size->count);
}

/* --- tables --- */

double classic_noted_mean(const struct series *noted, const struct racer *racer) {
    const size_t runs = racer->ms.count;
    double sum = 0;
    if (runs == 0 || noted->count < runs) /* it notes nothing */
        return NAN;
    for (size_t i = noted->count - runs; i < noted->count; i++)
        sum += noted->values[i];
    return sum / (double)runs;
}

/* The plain program's row, then those of ours. */
static void add_computing(struct classic_tables *t, const struct classic_size *size) {
    const double pixels = (double)size->side * size->side;
    for (int i = -1; i < size->count; i++) {
        const struct classic_program *ours = i < 0 ? NULL : &size->programs[i];
        const struct racer *racer =
            ours ? &size->racers[RACER_OURS + i] : &size->racers[RACER_PLAIN];
        const int threads = ours ? ours->options.threads : 1;
        if (ours && ours->fused)
            continue;
        table_number(t->compute, size->side);
        table_text(t->compute, "%s", ours ? ours->backend : "plain");
        table_number(t->compute, threads > 0 ? threads : NAN);
        table_text(t->compute, !ours ? "cardioid" : ours->shortcuts ? "all" : "none");
        table_text(t->compute, ours && ours->mirror ? "half" : "all");
        table_number(t->compute, race_mean(racer));
        table_number(t->compute, ours ? classic_noted_mean(&ours->kernel_ms, racer) : NAN);
        table_number(t->compute, pixels / race_mean(racer) / 1e3);
        table_number(t->compute, race_ratio(racer, &size->racers[RACER_PLAIN]));
        table_number(t->compute, (double)racer->ms.count);
    }
}

static void add_functions(struct classic_tables *t, const struct classic_size *size) {
    const struct racer *whole = &size->racers[RACER_WHOLE];
    const double ours = race_mean(whole), drawn = classic_noted_mean(&size->drawn, whole);
    double plain = 0;
    table_number(t->functions, size->side);
    for (int i = 0; i < FUNCTIONS; i++) {
        const double ms = classic_noted_mean(&size->spent[i], &size->racers[RACER_PLAIN]);
        table_number(t->functions, ms);
        plain += ms;
    }
    table_number(t->functions, plain);
    table_number(t->functions, drawn);
    table_number(t->functions, ours - drawn);
    table_number(t->functions, ours);
    table_number(t->functions, plain / ours);
    table_number(t->functions, (double)whole->ms.count);
}

static void add_arithmetic(struct classic_tables *t, const struct classic_size *size) {
    for (int i = 0; i < size->count; i++) {
        const struct classic_program *fused = &size->programs[i], *unfused = NULL;
        for (int k = 0; fused->fused && k < size->count; k++)
            if (!size->programs[k].fused && !size->programs[k].mirror &&
                !size->programs[k].shortcuts && size->programs[k].backend == fused->backend)
                unfused = &size->programs[k];
        if (!unfused)
            continue;
        const double slow = race_mean(&size->racers[RACER_OURS + (unfused - size->programs)]);
        const double fast = race_mean(&size->racers[RACER_OURS + i]);
        table_number(t->arithmetic, size->side);
        table_text(t->arithmetic, "%s", fused->backend);
        table_number(t->arithmetic, slow);
        table_number(t->arithmetic, fast);
        table_number(t->arithmetic, slow / fast);
        table_number(t->arithmetic, (double)fused->differing);
        table_number(t->arithmetic, 100.0 * (double)fused->differing / size->side / size->side);
    }
}

/* --- the experiment --- */

static void create_tables(struct classic_tables *t, bool gpu) {
    static const struct table_column compute[] = {{"side, px", 0},
                                                  {"program", TABLE_TEXT},
                                                  {"threads", 0},
                                                  {"shortcuts", TABLE_TEXT},
                                                  {"rows drawn", TABLE_TEXT},
                                                  {"compute, ms", 2},
                                                  {"kernels, ms", 3},
                                                  {"Mpixel/s", 1},
                                                  {"times the plain program", 1},
                                                  {"runs", 0},
                                                  {0}};
    static const struct table_column functions[] = {{"side, px", 0},
                                                    {"calculate, ms", 2},
                                                    {"map, ms", 2},
                                                    {"dump, ms", 2},
                                                    {"plain, ms", 2},
                                                    {"draw, ms", 2},
                                                    {"write, ms", 2},
                                                    {"ours, ms", 2},
                                                    {"times the plain program", 1},
                                                    {"runs", 0},
                                                    {0}};
    static const struct table_column arithmetic[] = {
        {"side, px", 0},           {"backend", TABLE_TEXT},   {"unfused, ms", 2}, {"fused, ms", 2},
        {"unfused over fused", 2}, {"pixels that differ", 0}, {"%", 4},           {0}};
    *t = (struct classic_tables){
        .compute = table_create("classic-compute", "Computing seed 000's picture", compute),
        .functions = table_create("classic-functions",
                                  "Its functions, and ours on the best backend", functions),
        .arithmetic = table_create("classic-arithmetic", "Ours, fused against unfused", arithmetic),
        .gpu = gpu ? classic_ports_table() : NULL};
}

static bool run_size(struct lab *lab, struct classic_tables *t, int side) {
    struct lab_gpu *gpu = t->gpu ? lab_device(lab) : NULL;
    struct classic_size *size = calloc(1, sizeof *size);
    if (!size) {
        log_error("no memory for an experiment");
        return false;
    }
    bool ok = open_size(size, lab, side);
    if (!ok)
        report_text(lab->report,
                    "%dx%d is left out: there is not enough memory, or no room for "
                    "temporary files.",
                    side, side);
    else
        ok = race(size->racers, RACER_OURS + size->count, !lab->quick, &size->rules);
    if (ok) {
        ok = check_programs(size);
        add_computing(t, size);
        add_functions(t, size);
        add_arithmetic(t, size);
        if (gpu)
            ok = classic_add_ports(t->gpu, size, gpu) && ok;
    }
    close_size(size);
    free(size);
    return ok;
}

bool classic_experiment(struct lab *lab) {
    static const int sides[] = {512, 1024, 2048, 4096, 8192, 16384}, tiny[] = {64, 100};
    const size_t count = lab->quick ? 2 : sizeof sides / sizeof *sides;
    struct classic_tables tables;
    bool ok = true;
    create_tables(&tables, lab_device(lab) != NULL);
    report_text(
        lab->report,
        "Centre -0.6 + 0i, 4 / width a pixel, 255 steps, double, unfused. Times are means; "
        "ratios are medians of runs in turn. The plain program works on one thread and skips "
        "the main cardioid, as its text has it. Rows drawn: with \"half\", rows whose "
        "conjugates are drawn are copies.");
    for (size_t i = 0; i < count && !lab_stopped(lab); i++)
        ok = run_size(lab, &tables, lab->quick ? tiny[i] : sides[i]) && ok;
    report_table(lab->report, tables.compute);
    report_table(lab->report, tables.functions);
    report_table(lab->report, tables.arithmetic);
    if (tables.gpu) {
        report_table(lab->report, tables.gpu);
        report_text(
            lab->report,
            "The unfused limit: the measured rate of double-precision instructions over the "
            "six that a step needs. Whole: with the way to the host's memory. The seed's programs "
            "allocate and "
            "free theirs every time, as they were published; ours keeps it, page-locked.");
    }
    return ok && !lab_stopped(lab);
}
