/* Experiment `classic` (seed 000): a renderer for coursework and its CUDA port. Measures its
 * functions, the whole program by size, and the kernels, next to fathom's. */
#include "lab/classic/classic_draw.h"
#include "lab/classic/plain_classic.h"
#include "lab/gpu/gpu.h"
#include "lab/lab.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET_MS    30000 /* [ms] of a program at one size: ten runs up to 8192x8192 */
#define PROGRAMS_MAX 24

/* Program that draws the picture: fathom on a backend, or a version of the seed's CUDA program. */
struct program {
    struct size *size;
    const char *name;
    int threads; /* 0: on a GPU */
    unsigned shortcuts;
    bool mirror;
    struct classic_device *device; /* NULL: the seed's program */
    enum gpu_classic version;
    char block[24];
    uint64_t differing; /* pixels that differ from the plain program's */
};

/* Racers: the plain program, fathom's with writing, then all programs without writing. */
enum { RACER_PLAIN, RACER_WHOLE, RACER_FIRST };

/* Picture of one size, and its programs. */
struct size {
    struct lab *lab;
    struct race_rules rules;
    int side;
    struct plain_classic plain;
    struct classic_picture classic;
    FILE *file;   /* output of dumps */
    uint8_t *rgb; /* output of the seed's CUDA programs; NULL: there is no GPU */
    struct program programs[PROGRAMS_MAX];
    struct racer racers[RACER_FIRST + PROGRAMS_MAX];
    int count; /* number of programs */
};

/* --- racers --- */

static bool run_plain(void *user, double *ms) {
    struct size *size = user;
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
    ms[0] = mapped - start;
    ms[1] = calculated - start;
    ms[2] = mapped - calculated;
    ms[3] = clock_ms() - mapped;
    return true;
}

static bool draw(struct program *program, struct classic_times *times,
                 bool (*take)(void *, int, int, const uint8_t *)) {
    const struct classic_job job = {.classic = &program->size->classic,
                                    .shortcuts = program->shortcuts,
                                    .mirror = program->mirror,
                                    .stop = program->size->lab->rules.stop,
                                    .take = take,
                                    .user = program};
    return classic_draw(program->device, &job, times);
}

static bool run_ours(void *user, double *ms) {
    struct program *program = user;
    struct classic_times times;
    const bool ok = draw(program, &times, NULL);
    ms[0] = times.draw;
    ms[1] = times.kernel;
    return ok;
}

static bool run_port(void *user, double *ms) {
    struct program *program = user;
    struct gpu_times times;
    if (!lab_gpu_classic(lab_device(program->size->lab), program->version, program->size->side,
                         program->size->rgb, &times))
        return false;
    ms[0] = times.total_ms;
    ms[1] = times.kernel_ms;
    snprintf(program->block, sizeof program->block, "%dx%d", times.block_x, times.block_y);
    return true;
}

static bool write_rows(void *user, int first, int rows, const uint8_t *rgb) {
    const struct size *size = ((struct program *)user)->size;
    const size_t row = 3 * (size_t)size->side, bytes = row * (size_t)rows;
    if (fseeko(size->file, (off_t)(row * (size_t)first), SEEK_SET) == 0 &&
        fwrite(rgb, 1, bytes, size->file) == bytes)
        return true;
    log_error("cannot write a temporary file of %dx%d pixels", size->side, size->side);
    return false;
}

static bool draw_and_write(void *user, double *ms) {
    struct program *program = user;
    struct classic_times times;
    const bool ok = draw(program, &times, write_rows) && fflush(program->size->file) == 0;
    ms[1] = times.draw;
    return ok;
}

static bool compare_rows(void *user, int first, int rows, const uint8_t *rgb) {
    struct program *program = user;
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

static struct program *add(struct size *size, struct program program,
                           bool (*run)(void *user, double *ms)) {
    if (size->count == PROGRAMS_MAX)
        return NULL;
    struct program *added = &size->programs[size->count];
    *added = program;
    added->size = size;
    size->racers[RACER_FIRST + size->count++] =
        (struct racer){.name = program.name, .run = run, .user = added};
    return added;
}

static bool add_ours(struct size *size, const char *backend, int threads, unsigned shortcuts,
                     bool mirror) {
    struct backend_options options = size->lab->options;
    options.threads = threads;
    struct classic_device *device =
        classic_device_create(size->lab->impls, backend, &options, &size->classic);
    return device && add(size,
                         (struct program){.name = backend,
                                          .threads = threads,
                                          .shortcuts = shortcuts,
                                          .mirror = mirror,
                                          .device = device,
                                          .block = "-"},
                         run_ours);
}

/* Adds every backend, the best first; adds simpler ones in their best setting only. */
static bool add_backends(struct size *size) {
    const struct lab *lab = size->lab;
    bool best_cpu = true, ok = true;
    for (const struct backend_impl *const *impl = lab->impls; *impl; impl++) {
        const char *why, *name = (*impl)->name;
        const bool gpu = strcmp(name, "cuda") == 0;
        const int threads = gpu ? 0 : lab_threads(lab);
        if (!(*impl)->automatic || !(*impl)->usable(&lab->options, &why))
            continue;
        ok = ok && add_ours(size, name, threads, SHORTCUTS_ALL, true);
        if (!gpu && !best_cpu)
            continue;
        ok = ok && add_ours(size, name, threads, SHORTCUTS_ALL, false) &&
             add_ours(size, name, threads, SHORTCUTS_NONE, false);
        if (threads > 1)
            ok = ok && add_ours(size, name, 1, SHORTCUTS_ALL, true);
        best_cpu = best_cpu && gpu;
    }
    return ok;
}

/* Adds the seed's CUDA programs. */
static bool add_ports(struct size *size) {
    static const char *const names[] = {"the seed's first CUDA program", "the seed's second"};
    if (!lab_device(size->lab))
        return true;
    size->rgb = malloc(3 * (size_t)size->side * (size_t)size->side);
    for (int k = 0; size->rgb && k < GPU_CLASSIC_COUNT; k++)
        add(size,
            (struct program){
                .name = names[k], .version = (enum gpu_classic)k, .shortcuts = SHORTCUTS_CARDIOID},
            run_port);
    return size->rgb;
}

static bool open_size(struct size *size, struct lab *lab, int side) {
    *size = (struct size){.lab = lab, .rules = lab->rules, .side = side, .file = tmpfile()};
    size->rules.budget_ms = BUDGET_MS;
    size->racers[RACER_PLAIN] = (struct racer){.name = "plain", .run = run_plain, .user = size};
    size->racers[RACER_WHOLE] =
        (struct racer){.name = "whole", .run = draw_and_write, .user = &size->programs[0]};
    if (size->file && plain_classic_alloc(&size->plain, side, side) &&
        classic_picture_init(&size->classic, side, side) && add_backends(size) && add_ports(size))
        return true;
    log_error("no memory or no temporary file for pictures of %dx%d pixels", side, side);
    return false;
}

static void close_size(struct size *size) {
    race_finish(size->racers, RACER_FIRST + size->count);
    for (int i = 0; i < size->count; i++)
        classic_device_destroy(size->programs[i].device);
    plain_classic_free(&size->plain);
    classic_picture_finish(&size->classic);
    free(size->rgb);
    if (size->file)
        fclose(size->file);
}

/* Draws with all programs once more and compares the pictures. */
static bool check_programs(struct size *size) {
    uint64_t differing = 0;
    for (int i = 0; i < size->count; i++) {
        struct program *program = &size->programs[i];
        struct classic_times times;
        double ms[1 + RACE_NOTES];
        if (!(program->device
                  ? draw(program, &times, compare_rows)
                  : run_port(program, ms) && compare_rows(program, 0, size->side, size->rgb)))
            return false;
        differing += program->differing;
    }
    return report_check(size->lab->report, differing == 0,
                        "at %dx%d all %d ways to draw it give every byte of the plain program's",
                        size->side, size->side, size->count);
}

/* --- tables --- */

/* Adds the plain program's row, then the rows of all others. */
static void add_computing(struct table *table, const struct size *size) {
    static const struct program plain = {
        .name = "plain", .threads = 1, .shortcuts = SHORTCUTS_CARDIOID, .block = "-"};
    for (int i = -1; i < size->count; i++) {
        const struct program *p = i < 0 ? &plain : &size->programs[i];
        const struct racer *racer = &size->racers[i < 0 ? RACER_PLAIN : RACER_FIRST + i];
        const double ms = race_median(racer);
        table_add(table, "%d %s %g %s %s %s %g %g %g %g %g %g", size->side, p->name,
                  p->threads > 0 ? p->threads : NAN, p->block,
                  p->shortcuts == SHORTCUTS_CARDIOID ? "cardioid"
                  : p->shortcuts                     ? "all"
                                                     : "none",
                  p->mirror ? "half" : "all", ms, i < 0 ? NAN : series_median(&racer->notes[0]),
                  (double)size->side * size->side / ms / 1e3,
                  race_ratio(racer, &size->racers[RACER_PLAIN]), (double)p->differing,
                  (double)racer->ms.count);
    }
}

static void add_functions(struct table *table, const struct size *size) {
    const struct racer *whole = &size->racers[RACER_WHOLE];
    const double ours = race_median(whole), drawn = series_median(&whole->notes[0]);
    double ms[RACE_NOTES], plain = 0; /* functions of the plain program */
    for (int i = 0; i < RACE_NOTES; i++)
        plain += ms[i] = series_median(&size->racers[RACER_PLAIN].notes[i]);
    table_add(table, "%d %g %g %g %g %g %g %g %g %g", size->side, ms[0], ms[1], ms[2], plain, drawn,
              ours - drawn, ours, plain / ours, (double)whole->ms.count);
}

/* --- the experiment --- */

static bool run_size(struct lab *lab, struct table *compute, struct table *functions, int side) {
    struct size *size = calloc(1, sizeof *size);
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
        ok = race(size->racers, RACER_FIRST + size->count, !lab->quick, &size->rules);
    if (ok) {
        ok = check_programs(size);
        add_computing(compute, size);
        add_functions(functions, size);
    }
    close_size(size);
    free(size);
    return ok;
}

bool classic_experiment(struct lab *lab) {
    static const int sides[] = {512, 1024, 2048, 4096, 8192, 16384}, tiny[] = {64, 100};
    struct table *compute = table_of(
        "classic-compute", "Computing seed 000's picture",
        "side, px:0|program|threads:0|threads of a block|shortcuts|rows drawn|"
        "compute, ms:2|kernels, ms:3|Mpixel/s:1|times the plain program:1|pixels unlike its:0|"
        "runs:0");
    struct table *functions = table_of(
        "classic-functions", "Its functions, and ours on the best backend",
        "side, px:0|calculate, ms:2|map, ms:2|dump, ms:2|plain, ms:2|draw, ms:2|write, ms:2|"
        "ours, ms:2|times the plain program:1|runs:0");
    const size_t count = lab->quick ? 2 : sizeof sides / sizeof *sides;
    bool ok = true;
    report_text(
        lab->report,
        "Centre -0.6 + 0i, 4 / width a pixel, 255 steps, double. Times are medians, and "
        "ratios those of runs in turn. The plain program works on one thread and skips the main "
        "cardioid, as its text has it. Rows drawn: with \"half\", rows whose conjugates are drawn "
        "are copies. On a GPU times are with the way to the host's memory; the seed's programs "
        "allocate and free theirs every time, as they were published; ours keeps it, page-locked.");
    for (size_t i = 0; i < count && !lab_stopped(lab); i++)
        ok = run_size(lab, compute, functions, lab->quick ? tiny[i] : sides[i]) && ok;
    report_table(lab->report, compute);
    report_table(lab->report, functions);
    return ok && !lab_stopped(lab);
}
