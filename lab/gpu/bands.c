/* The GPU programs: their names, the numbers that they take, and memory, bands and times around their
 * kernels. */
#include "lab/gpu/bands.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bool doubles, fixed, unfused;
} programs[GPU_PROGRAM_COUNT] = {
    [GPU_OURS] = {"fathom", true, false, true},
    [GPU_STRIDED64] = {"64 strided threads", true, true, true},
    [GPU_MASKED32] = {"masked batches of 32 steps", true, true, true},
    [GPU_PIXEL] = {"a thread for every pixel", true, true, true},
    [GPU_PAPER] = {"listing 7", true, false, false},
    [GPU_PAPER_TYPED] = {"listing 7, typed literal", true, false, false},
    [GPU_HYBRIDIZER_LINES] = {"a block for every line", false, false, true},
    [GPU_HYBRIDIZER_GRID] = {"balanced blocks", false, false, true},
    [GPU_HYBRIDIZER_ACROSS] = {"balanced blocks, transposed", false, false, true},
};

const char *gpu_program_name(enum gpu_program program) {
    return programs[program].name;
}

bool gpu_program_takes(enum gpu_program program, enum gpu_number number,
                       enum lab_arithmetic arithmetic) {
    return (number == GPU_FLOAT || (number == GPU_DOUBLE && programs[program].doubles) ||
            (number == GPU_FIXED && programs[program].fixed)) &&
           (arithmetic == LAB_FUSED || programs[program].unfused);
}

const char *gpu_add_name(enum gpu_add which) {
    static const char *const names[GPU_ADD_COUNT] = {
        [GPU_ADD_ELEMENT] = "a thread for every element",
        [GPU_ADD_SEED] = "16 blocks of 128 threads a multiprocessor",
        [GPU_ADD_OURS] = "ours",
        [GPU_COPY_ENGINE] = "copy by the driver",
        [GPU_COPY_KERNEL] = "copy by a kernel",
    };
    return names[which];
}

/* --- a job under way --- */

struct run {
    void *device;
    const struct gpu_functions *its;
    const struct gpu_job *job;
    struct gpu_times *times;
    size_t number;              /* bytes of one */
    size_t width, height, rows; /* of the picture; of a band at most */
    double since;               /* what has not been accounted for */
    uint8_t *staging;           /* for arrays of a band */
};

/* Adds the time since *since to *ms, and sets *since to now. */
static void lap(double *since, double *ms) {
    const double now = clock_ms();
    *ms += now - *since;
    *since = now;
}

static bool reserve(struct run *run) {
    const enum gpu_program program = run->job->program;
    const bool strided = program == GPU_STRIDED64, masked = program == GPU_MASKED32;
    const size_t band = run->width * run->rows, pixels = run->width * run->height;
    const size_t arrays = strided ? band * run->number : 0;
    const size_t bytes[SLOT_COUNT] = {
        [SLOT_RE] = run->width * run->number,
        [SLOT_IM] = run->height * run->number,
        [SLOT_RESULT] = pixels * (run->job->table ? 3 : sizeof(uint32_t)),
        [SLOT_ZX] = masked ? band * run->number : arrays,
        [SLOT_ZY] = masked ? band * run->number : arrays,
        [SLOT_CX] = arrays,
        [SLOT_CY] = arrays,
        [SLOT_FX] = arrays,
        [SLOT_FY] = arrays,
        [SLOT_STEPS] = masked            ? band * sizeof(uint32_t)
                       : run->job->table ? GPU_TABLE_SIZE * sizeof(uint32_t)
                                         : 0,
        [SLOT_LEFT] = masked ? sizeof(uint32_t) : 0,
    };
    for (int slot = 0; slot < SLOT_COUNT; slot++)
        if (!run->its->reserve(run->device, (enum gpu_slot)slot, bytes[slot]))
            return false;
    if (strided && !(run->staging = malloc(arrays))) {
        log_error("not enough memory for the arrays of a GPU experiment");
        return false;
    }
    return true;
}

static bool upload(struct run *run) {
    const struct gpu_job *job = run->job;
    bool (*up)(void *, enum gpu_slot, const void *, size_t) = run->its->upload;
    return up(run->device, SLOT_RE, job->re, run->width * run->number) &&
           up(run->device, SLOT_IM, job->im, run->height * run->number) &&
           (!job->table ||
            up(run->device, SLOT_STEPS, job->table, GPU_TABLE_SIZE * sizeof *job->table));
}

static bool launch(struct run *run, size_t row, size_t rows, bool first) {
    run->times->launches++;
    return run->its->launch(run->device, run->job, row, rows, first, &run->times->kernel_ms);
}

/* Batch after batch until no pixel is left. */
static bool run_masked(struct run *run, size_t row, size_t rows) {
    static const uint32_t zero;
    uint32_t left = 1;
    for (bool first = true; left; first = false)
        if (!run->its->upload(run->device, SLOT_LEFT, &zero, sizeof zero) ||
            !launch(run, row, rows, first) ||
            !run->its->download(run->device, &left, SLOT_LEFT, sizeof left))
            return false;
    return true;
}

/* One of the arrays that seed 002's kernel reads: `number` bytes for every pixel, from a table by
 * column or by row, or zeros. */
static bool marshal(struct run *run, enum gpu_slot slot, const uint8_t *table, bool by_row,
                    size_t rows) {
    const size_t number = run->number, row_bytes = run->width * number;
    for (size_t y = 0; y < rows; y++) {
        uint8_t *row = run->staging + y * row_bytes;
        if (!table)
            memset(row, 0, row_bytes);
        else if (!by_row)
            memcpy(row, table, row_bytes);
        else
            for (size_t x = 0; x < run->width; x++)
                memcpy(row + x * number, table + y * number, number);
    }
    return run->its->upload(run->device, slot, run->staging, rows * row_bytes);
}

/* Its inputs go there and its points come back with every launch. */
static bool run_strided(struct run *run, size_t row, size_t rows) {
    const size_t pixels = rows * run->width;
    const uint8_t *im = (const uint8_t *)run->job->im + row * run->number;
    bool (*down)(void *, void *, enum gpu_slot, size_t) = run->its->download;
    if (!marshal(run, SLOT_ZX, NULL, false, rows) || !marshal(run, SLOT_ZY, NULL, false, rows) ||
        !marshal(run, SLOT_CX, run->job->re, false, rows) || !marshal(run, SLOT_CY, im, true, rows))
        return false;
    if (!launch(run, row, rows, true))
        return false;
    run->since = clock_ms();
    if (!down(run->device, run->staging, SLOT_FX, pixels * run->number) ||
        !down(run->device, run->staging, SLOT_FY, pixels * run->number))
        return false;
    if (run->its->depths) {
        const uint16_t *depth = (const uint16_t *)run->staging;
        if (!down(run->device, run->staging, SLOT_RESULT, pixels * sizeof *depth))
            return false;
        for (size_t i = 0; i < pixels && run->job->count; i++)
            run->job->count[row * run->width + i] = depth[i] > 0 ? depth[i] - 1u : 0;
    }
    lap(&run->since, &run->times->copy_ms);
    return true;
}

static bool run_bands(struct run *run) {
    for (size_t row = 0; row < run->height; row += run->rows) {
        const size_t left = run->height - row, rows = left < run->rows ? left : run->rows;
        if (!(run->job->program == GPU_MASKED32    ? run_masked(run, row, rows)
              : run->job->program == GPU_STRIDED64 ? run_strided(run, row, rows)
                                                   : launch(run, row, rows, true)))
            return false;
    }
    return true;
}

static bool run_all(struct run *run) {
    const struct gpu_job *job = run->job;
    struct gpu_times *times = run->times;
    const bool strided = job->program == GPU_STRIDED64;
    if (!reserve(run))
        return false;
    lap(&run->since, &times->alloc_ms);
    if (!strided && !upload(run))
        return false;
    if (!run_bands(run))
        return false;
    run->since = clock_ms();
    if (job->count && !(strided && run->its->depths) &&
        !run->its->download(run->device, job->count, SLOT_RESULT,
                            run->width * run->height * sizeof *job->count))
        return false;
    lap(&run->since, &times->copy_ms);
    if (job->fresh)
        run->its->release(run->device);
    return true;
}

bool gpu_run(void *device, const struct gpu_functions *functions, const struct gpu_job *job,
             struct gpu_times *times) {
    const double begin = clock_ms();
    struct run run = {.device = device,
                      .its = functions,
                      .job = job,
                      .times = times,
                      .number = job->number == GPU_DOUBLE ? sizeof(double) : sizeof(float),
                      .width = (size_t)job->width_px,
                      .height = (size_t)job->height_px,
                      .rows =
                          (size_t)(job->rows_per_launch ? job->rows_per_launch : job->height_px)};
    *times = (struct gpu_times){0};
    if (!gpu_program_takes(job->program, job->number, job->arithmetic)) {
        log_error("there is no GPU program '%s' for these numbers", gpu_program_name(job->program));
        return false;
    }
    if (job->fresh)
        functions->release(device);
    if (run.rows > run.height)
        run.rows = run.height;
    run.since = clock_ms();
    const bool ok = run_all(&run);
    free(run.staging);
    times->total_ms = clock_ms() - begin;
    return ok;
}
