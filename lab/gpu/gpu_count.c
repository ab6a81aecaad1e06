/* Pictures of counts by the programs of the list: memory, bands and times around their kernels. */
#include "lab/count/count_cuda.h"
#include "lab/gpu/gpu.h"
#include "lab/gpu/gpu_kernels.h"
#include "lab/gpu/gpu_private.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

/* A job under way. */
struct run {
    struct lab_gpu *gpu;
    const struct gpu_job *job;
    struct gpu_times *times;
    size_t number;              /* bytes of one */
    size_t width, height, rows; /* of the picture; of a band at most */
    double since;               /* what has not been accounted for */
    uint8_t *staging;           /* for arrays of a band */
};

const char *gpu_program_name(enum gpu_program program) {
    static const char *const names[GPU_PROGRAM_COUNT] = {
        [GPU_OURS] = "fathom",
        [GPU_STRIDED64] = "64 strided threads",
        [GPU_MASKED32] = "masked batches of 32 steps",
        [GPU_PIXEL] = "a thread for every pixel",
        [GPU_PAPER] = "listing 7",
        [GPU_PAPER_TYPED] = "listing 7, typed literal",
        [GPU_HYBRIDIZER_LINES] = "a block for every line",
        [GPU_HYBRIDIZER_GRID] = "balanced blocks",
        [GPU_HYBRIDIZER_ACROSS] = "balanced blocks, transposed",
    };
    return names[program];
}

static bool is_paper(enum gpu_program program) {
    return program == GPU_PAPER || program == GPU_PAPER_TYPED;
}

bool gpu_program_takes(enum gpu_program program, enum gpu_number number,
                       enum arithmetic arithmetic) {
    switch (program) {
    case GPU_STRIDED64:
    case GPU_MASKED32:
    case GPU_PIXEL:
        return true;
    case GPU_HYBRIDIZER_LINES:
    case GPU_HYBRIDIZER_GRID:
    case GPU_HYBRIDIZER_ACROSS:
        return number == GPU_FLOAT;
    case GPU_PAPER:
    case GPU_PAPER_TYPED:
        return number != GPU_FIXED && arithmetic == ARITHMETIC_FUSED;
    default:
        return program == GPU_OURS && number != GPU_FIXED;
    }
}

static bool reserve(struct run *run) {
    const size_t pixels = run->width * run->height, band = run->width * run->rows;
    struct lab_gpu *gpu = run->gpu;
    const bool strided = run->job->program == GPU_STRIDED64;
    const bool masked = run->job->program == GPU_MASKED32;
    bool ok = gpu_reserve(gpu, SLOT_RE, run->width * run->number) &&
              gpu_reserve(gpu, SLOT_IM, run->height * run->number) &&
              gpu_reserve(gpu, SLOT_RESULT, pixels * sizeof(uint32_t));
    if (strided || masked)
        ok = ok && gpu_reserve(gpu, SLOT_ZX, band * run->number) &&
             gpu_reserve(gpu, SLOT_ZY, band * run->number);
    if (masked)
        ok = ok && gpu_reserve(gpu, SLOT_STEPS, band * sizeof(uint32_t)) &&
             gpu_reserve(gpu, SLOT_LEFT, sizeof(uint32_t));
    for (int slot = SLOT_CX; ok && strided && slot <= SLOT_FY; slot++)
        ok = gpu_reserve(gpu, (enum gpu_slot)slot, band * run->number);
    if (ok && strided && !(run->staging = malloc(band * run->number))) {
        log_error("not enough memory for the arrays of a GPU experiment");
        return false;
    }
    return ok;
}

static bool upload(struct run *run) {
    const struct gpu_job *job = run->job;
    return !job->re || (gpu_worked(cudaMemcpy(run->gpu->slot[SLOT_RE], job->re,
                                              run->width * run->number, cudaMemcpyHostToDevice)) &&
                        gpu_worked(cudaMemcpy(run->gpu->slot[SLOT_IM], job->im,
                                              run->height * run->number, cudaMemcpyHostToDevice)));
}

static struct gpu_band band_of(const struct run *run, size_t row, size_t rows) {
    const struct gpu_job *job = run->job;
    return (struct gpu_band){
        .number = job->number,
        .fused = job->arithmetic == ARITHMETIC_FUSED,
        .re = run->gpu->slot[SLOT_RE],
        .im = (const uint8_t *)run->gpu->slot[SLOT_IM] + row * run->number,
        .count = (uint32_t *)run->gpu->slot[SLOT_RESULT] + row * run->width,
        .width = (uint32_t)run->width,
        .rows = (uint32_t)rows,
        .row = (uint32_t)row,
        .limit = job->limit,
        .block_x = (uint32_t)job->block_x,
        .block_y = (uint32_t)job->block_y,
        .step = job->step,
        .first_re = job->first_re,
        .first_im = job->first_im,
    };
}

static cudaError_t launch_ours(const struct run *run, const struct gpu_band *band) {
    const struct count_cuda_args args = {.re = band->re,
                                         .im = band->im,
                                         .width = band->width,
                                         .rows = band->rows,
                                         .limit = band->limit,
                                         .shortcuts = run->job->shortcuts,
                                         .count = band->count};
    return count_cuda_launch((enum number_type)run->job->number, run->job->arithmetic, &args, NULL);
}

static cudaError_t launch_strided(const struct run *run, const struct gpu_band *band) {
    void *const *slot = run->gpu->slot;
    const struct gpu_strided_arrays arrays = {.zx = slot[SLOT_ZX],
                                              .zy = slot[SLOT_ZY],
                                              .cx = slot[SLOT_CX],
                                              .cy = slot[SLOT_CY],
                                              .fx = slot[SLOT_FX],
                                              .fy = slot[SLOT_FY]};
    return gpu_strided_launch(band, &arrays);
}

/* The launch of a program that needs one for a band. */
static cudaError_t launch(const struct run *run, const struct gpu_band *band) {
    switch (run->job->program) {
    case GPU_STRIDED64:
        return launch_strided(run, band);
    case GPU_PIXEL:
        return gpu_pixel_launch(band);
    case GPU_PAPER:
    case GPU_PAPER_TYPED:
        return gpu_paper_launch(band, run->job->program == GPU_PAPER_TYPED);
    case GPU_HYBRIDIZER_LINES:
    case GPU_HYBRIDIZER_GRID:
    case GPU_HYBRIDIZER_ACROSS:
        return gpu_hybridizer_launch(run->job->program, band);
    default:
        return launch_ours(run, band);
    }
}

static bool launch_timed(struct run *run, const struct gpu_band *band) {
    run->times->launches++;
    return gpu_worked(cudaEventRecord(run->gpu->start, NULL)) && gpu_worked(launch(run, band)) &&
           gpu_elapsed(run->gpu, &run->times->kernel_ms);
}

/* Batch after batch until no pixel is left. */
static bool run_masked(struct run *run, const struct gpu_band *band) {
    struct lab_gpu *gpu = run->gpu;
    struct gpu_masked_state state = {.zr = gpu->slot[SLOT_ZX],
                                     .zi = gpu->slot[SLOT_ZY],
                                     .steps = gpu->slot[SLOT_STEPS],
                                     .left = gpu->slot[SLOT_LEFT],
                                     .first = true};
    uint32_t left = 1;
    for (; left; state.first = false) {
        run->times->launches++;
        if (!gpu_worked(cudaMemset(state.left, 0, sizeof left)) ||
            !gpu_worked(cudaEventRecord(gpu->start, NULL)) ||
            !gpu_worked(gpu_masked_launch(band, &state)) ||
            !gpu_elapsed(gpu, &run->times->kernel_ms) ||
            !gpu_worked(cudaMemcpy(&left, state.left, sizeof left, cudaMemcpyDeviceToHost)))
            return false;
    }
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
    return gpu_worked(
        cudaMemcpy(run->gpu->slot[slot], run->staging, rows * row_bytes, cudaMemcpyHostToDevice));
}

/* Its inputs go there and its points come back with every launch. */
static bool run_strided(struct run *run, const struct gpu_band *band) {
    const size_t bytes = (size_t)band->rows * run->width * run->number;
    const uint8_t *im = (const uint8_t *)run->job->im + band->row * run->number;
    run->since = clock_ms();
    if (!marshal(run, SLOT_ZX, NULL, false, band->rows) ||
        !marshal(run, SLOT_ZY, NULL, false, band->rows) ||
        !marshal(run, SLOT_CX, run->job->re, false, band->rows) ||
        !marshal(run, SLOT_CY, im, true, band->rows))
        return false;
    gpu_lap(&run->since, &run->times->upload_ms);
    if (!launch_timed(run, band))
        return false;
    run->since = clock_ms();
    if (!gpu_worked(
            cudaMemcpy(run->staging, run->gpu->slot[SLOT_FX], bytes, cudaMemcpyDeviceToHost)) ||
        !gpu_worked(
            cudaMemcpy(run->staging, run->gpu->slot[SLOT_FY], bytes, cudaMemcpyDeviceToHost)))
        return false;
    gpu_lap(&run->since, &run->times->copy_ms);
    return true;
}

static bool run_bands(struct run *run) {
    for (size_t row = 0; row < run->height; row += run->rows) {
        const size_t left = run->height - row;
        const struct gpu_band band = band_of(run, row, left < run->rows ? left : run->rows);
        bool ok;
        if (run->job->program == GPU_MASKED32)
            ok = run_masked(run, &band);
        else if (run->job->program == GPU_STRIDED64)
            ok = run_strided(run, &band);
        else
            ok = launch_timed(run, &band);
        if (!ok)
            return false;
    }
    return true;
}

static bool run_all(struct run *run) {
    const struct gpu_job *job = run->job;
    struct gpu_times *times = run->times;
    if (!reserve(run))
        return false;
    gpu_lap(&run->since, &times->alloc_ms);
    if (job->program != GPU_STRIDED64 && !upload(run))
        return false;
    gpu_lap(&run->since, &times->upload_ms);
    if (!run_bands(run))
        return false;
    run->since = clock_ms();
    if (job->count && !gpu_worked(cudaMemcpy(job->count, run->gpu->slot[SLOT_RESULT],
                                             run->width * run->height * sizeof *job->count,
                                             cudaMemcpyDeviceToHost)))
        return false;
    gpu_lap(&run->since, &times->copy_ms);
    if (job->fresh)
        gpu_release(run->gpu);
    gpu_lap(&run->since, &times->free_ms);
    return true;
}

bool lab_gpu_count(struct lab_gpu *gpu, const struct gpu_job *job, struct gpu_times *times) {
    const double begin = clock_ms();
    struct run run = {.gpu = gpu,
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
    if (!job->re && !(is_paper(job->program) && job->step != 0)) {
        log_error("a GPU experiment needs coordinates");
        return false;
    }
    if (job->fresh)
        gpu_release(gpu);
    if (run.rows > run.height)
        run.rows = run.height;
    run.since = clock_ms();
    const bool ok = run_all(&run);
    free(run.staging);
    times->total_ms = clock_ms() - begin;
    return ok;
}
