/* The laboratory's device: memory, events, and the experiments that are not pictures of counts. */
#include "lab/gpu/gpu.h"
#include "cuda/cuda_device.h"
#include "lab/gpu/gpu_kernels.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

#define ADD_RUNS          9
#define LAUNCH_BYTES      ((size_t)256 << 20)
#define LAUNCH_BYTES_SLOW ((size_t)16 << 20)
#define PEAK_MS           5
#define PEAK_ROUNDS_MAX   (1u << 24)
#define PEAK_BLOCKS       16 /* for every multiprocessor */

bool gpu_worked(cudaError_t error) {
    if (error != cudaSuccess)
        log_error("the GPU failed: %s; try another backend", cudaGetErrorString(error));
    return error == cudaSuccess;
}

bool gpu_reserve(void *device, enum gpu_slot slot, size_t bytes) {
    struct lab_gpu *gpu = device;
    if (gpu->slot_bytes[slot] >= bytes)
        return true;
    cudaFree(gpu->slot[slot]);
    gpu->slot[slot] = NULL;
    gpu->slot_bytes[slot] = 0;
    if (!gpu_worked(cudaMalloc(&gpu->slot[slot], bytes)))
        return false;
    gpu->slot_bytes[slot] = bytes;
    return true;
}

void gpu_release(void *device) {
    struct lab_gpu *gpu = device;
    for (int i = 0; i < SLOT_COUNT; i++) {
        cudaFree(gpu->slot[i]);
        gpu->slot[i] = NULL;
        gpu->slot_bytes[i] = 0;
    }
}

static bool upload(void *device, enum gpu_slot slot, const void *from, size_t bytes) {
    const struct lab_gpu *gpu = device;
    return gpu_worked(cudaMemcpy(gpu->slot[slot], from, bytes, cudaMemcpyHostToDevice));
}

static bool download(void *device, void *to, enum gpu_slot slot, size_t bytes) {
    const struct lab_gpu *gpu = device;
    return gpu_worked(cudaMemcpy(to, gpu->slot[slot], bytes, cudaMemcpyDeviceToHost));
}

bool gpu_elapsed(struct lab_gpu *gpu, double *ms) {
    float passed = 0;
    const bool ok = gpu_worked(cudaEventRecord(gpu->stop, NULL)) &&
                    gpu_worked(cudaEventSynchronize(gpu->stop)) &&
                    gpu_worked(cudaEventElapsedTime(&passed, gpu->start, gpu->stop));
    *ms += (double)passed;
    return ok;
}

struct lab_gpu *lab_gpu_create(const char *wanted) {
    const char *why = "";
    const int device = cuda_device_choose(wanted, &why);
    struct lab_gpu *gpu = calloc(1, sizeof *gpu);
    if (device < 0 || !gpu) {
        log_error("the GPU cannot be used: %s", gpu ? why : "not enough memory");
        free(gpu);
        return NULL;
    }
    gpu->device = device;
    if (!gpu_worked(cudaSetDevice(device)) || !gpu_worked(cudaFree(NULL)) ||
        !gpu_worked(cudaGetDeviceProperties(&gpu->properties, device)) ||
        !gpu_worked(gpu_ours_load()) || !gpu_worked(cudaEventCreate(&gpu->start)) ||
        !gpu_worked(cudaEventCreate(&gpu->stop))) {
        lab_gpu_destroy(gpu);
        return NULL;
    }
    return gpu;
}

void lab_gpu_destroy(struct lab_gpu *gpu) {
    if (!gpu)
        return;
    gpu_release(gpu);
    cudaFreeHost(gpu->pinned);
    if (gpu->start)
        cudaEventDestroy(gpu->start);
    if (gpu->stop)
        cudaEventDestroy(gpu->stop);
    free(gpu);
}

const char *lab_gpu_name(const struct lab_gpu *gpu) {
    return gpu->properties.name;
}

int lab_gpu_processors(const struct lab_gpu *gpu) {
    return gpu->properties.multiProcessorCount;
}

/* Twice the rounds until the time is long enough to be measured. */
bool lab_gpu_peak(struct lab_gpu *gpu, enum number_type type, double *per_s) {
    const int blocks = lab_gpu_processors(gpu) * PEAK_BLOCKS;
    double ms = 0;
    if (!gpu_reserve(gpu, SLOT_LEFT, sizeof(double)))
        return false;
    for (uint32_t rounds = 16; ms < PEAK_MS && rounds < PEAK_ROUNDS_MAX; rounds *= 2) {
        ms = 0;
        if (!gpu_worked(cudaEventRecord(gpu->start, NULL)) ||
            !gpu_worked(gpu_peak_launch(type, blocks, rounds, gpu->slot[SLOT_LEFT])) ||
            !gpu_elapsed(gpu, &ms))
            return false;
        *per_s = (double)rounds * GPU_PEAK_ROUND * GPU_PEAK_THREADS * blocks / ms * 1e3;
    }
    return true;
}

bool lab_gpu_copy(struct lab_gpu *gpu, size_t first, size_t bytes, void *to) {
    return gpu_worked(cudaMemcpy(to, (const uint8_t *)gpu->slot[SLOT_RESULT] + first, bytes,
                                 cudaMemcpyDeviceToHost));
}

void *lab_gpu_pinned(struct lab_gpu *gpu, size_t bytes) {
    return gpu->pinned || gpu_worked(cudaMallocHost(&gpu->pinned, bytes)) ? gpu->pinned : NULL;
}

size_t lab_gpu_launch_bytes(const struct lab_gpu *gpu) {
    int ratio = 2;
    cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, gpu->device);
    return ratio > 2 ? LAUNCH_BYTES_SLOW : LAUNCH_BYTES;
}

/* --- counts --- */

static struct gpu_band band_of(void *const slot[SLOT_COUNT], const struct gpu_job *job, size_t row,
                               size_t rows, bool first) {
    const size_t width = (size_t)job->width_px;
    const size_t number = job->number == GPU_DOUBLE ? sizeof(double) : sizeof(float);
    struct gpu_band band = {
        .number = job->number,
        .fused = job->arithmetic == LAB_FUSED,
        .re = slot[SLOT_RE],
        .im = (const uint8_t *)slot[SLOT_IM] + row * number,
        .count = (uint32_t *)slot[SLOT_RESULT] + row * width,
        .width = (uint32_t)width,
        .rows = (uint32_t)rows,
        .limit = job->limit,
        .block_x = (uint32_t)job->block_x,
        .block_y = (uint32_t)job->block_y,
        .shortcuts = job->shortcuts,
        .table = job->table ? slot[SLOT_STEPS] : NULL,
        .rgb = job->table ? (uint8_t *)slot[SLOT_RESULT] + 3 * row * width : NULL,
        .first = first,
    };
    memcpy(band.slot, slot, sizeof band.slot);
    return band;
}

static cudaError_t start(enum gpu_program program, const struct gpu_band *band) {
    switch (program) {
    case GPU_STRIDED64:
    case GPU_MASKED32:
    case GPU_PIXEL:
        return gpu_modes_launch(program, band);
    case GPU_PAPER:
    case GPU_PAPER_TYPED:
        return gpu_paper_launch(band, program == GPU_PAPER_TYPED);
    case GPU_HYBRIDIZER_LINES:
    case GPU_HYBRIDIZER_GRID:
    case GPU_HYBRIDIZER_ACROSS:
        return gpu_hybridizer_launch(program, band);
    default:
        return gpu_ours_launch(band);
    }
}

static bool launch_band(void *device, const struct gpu_job *job, size_t row, size_t rows,
                        bool first, double *ms) {
    struct lab_gpu *gpu = device;
    const struct gpu_band band = band_of(gpu->slot, job, row, rows, first);
    return gpu_worked(cudaEventRecord(gpu->start, NULL)) &&
           gpu_worked(start(job->program, &band)) && gpu_elapsed(gpu, ms);
}

bool lab_gpu_count(struct lab_gpu *gpu, const struct gpu_job *job, struct gpu_times *times) {
    static const struct gpu_functions functions = {gpu_reserve, gpu_release, upload,
                                                   download,    launch_band, .depths = false};
    return gpu_run(gpu, &functions, job, times);
}

/* --- seed 000 --- */

bool lab_gpu_classic(struct lab_gpu *gpu, enum gpu_classic which, enum lab_arithmetic arithmetic,
                     int side_px, uint8_t *rgb, struct gpu_times *times) {
    const size_t bytes = 3 * (size_t)side_px * (size_t)side_px;
    const double begin = clock_ms();
    gpu_classic_fn *const version =
        arithmetic == LAB_FUSED ? gpu_classic_launch_fused : gpu_classic_launch_unfused;
    int block[2];
    *times = (struct gpu_times){.launches = 1};
    gpu_release(gpu);
    if (!gpu_reserve(gpu, SLOT_RESULT, bytes) ||
        (which != GPU_CLASSIC_FIRST && !gpu_worked(cudaMemset(gpu->slot[SLOT_RESULT], 0, bytes))) ||
        !gpu_worked(cudaEventRecord(gpu->start, NULL)) ||
        !gpu_worked(version(which, side_px, gpu->slot[SLOT_RESULT], block)) ||
        !gpu_elapsed(gpu, &times->kernel_ms) || !lab_gpu_copy(gpu, 0, bytes, rgb))
        return false;
    gpu_release(gpu);
    times->block_x = block[0];
    times->block_y = block[1];
    times->total_ms = clock_ms() - begin;
    return true;
}

/* --- sums of vectors --- */

static bool add_once(struct lab_gpu *gpu, enum gpu_add which, size_t elements, double *ms) {
    double *a = gpu->slot[SLOT_ZX];
    const double *b = gpu->slot[SLOT_ZY];
    *ms = 0;
    if (!gpu_worked(cudaEventRecord(gpu->start, NULL)))
        return false;
    if (which == GPU_COPY_ENGINE
            ? !gpu_worked(
                  cudaMemcpyAsync(a, b, elements * sizeof *a, cudaMemcpyDeviceToDevice, NULL))
            : !gpu_worked(gpu_add_launch(which, lab_gpu_processors(gpu), a, b, elements)))
        return false;
    return gpu_elapsed(gpu, ms);
}

static bool add_right(struct lab_gpu *gpu, size_t elements, int runs, bool copied) {
    unsigned long long wrong = 0;
    if (!gpu_worked(cudaMemset(gpu->slot[SLOT_LEFT], 0, sizeof wrong)) ||
        !gpu_worked(
            gpu_add_check(gpu->slot[SLOT_ZX], elements, runs, copied, gpu->slot[SLOT_LEFT])) ||
        !gpu_worked(cudaMemcpy(&wrong, gpu->slot[SLOT_LEFT], sizeof wrong, cudaMemcpyDeviceToHost)))
        return false;
    if (wrong > 0)
        log_error("%llu of %zu sums on the GPU are wrong", wrong, elements);
    return wrong == 0;
}

static int compare_ms(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool lab_gpu_add(struct lab_gpu *gpu, enum gpu_add which, size_t elements, double *gb_per_s) {
    const bool copied = which == GPU_COPY_ENGINE || which == GPU_COPY_KERNEL;
    double ms[ADD_RUNS], warm_up_ms;
    bool ok = gpu_reserve(gpu, SLOT_ZX, elements * sizeof(double)) &&
              gpu_reserve(gpu, SLOT_ZY, elements * sizeof(double)) &&
              gpu_reserve(gpu, SLOT_LEFT, sizeof(unsigned long long)) &&
              gpu_worked(gpu_add_fill(gpu->slot[SLOT_ZX], gpu->slot[SLOT_ZY], elements)) &&
              add_once(gpu, which, elements, &warm_up_ms);
    for (int i = 0; ok && i < ADD_RUNS; i++)
        ok = add_once(gpu, which, elements, &ms[i]);
    ok = ok && add_right(gpu, elements, ADD_RUNS + 1, copied);
    gpu_release(gpu);
    if (!ok)
        return false;
    qsort(ms, ADD_RUNS, sizeof ms[0], compare_ms);
    *gb_per_s = (copied ? 16.0 : 24.0) * (double)elements / ms[ADD_RUNS / 2] / 1e6;
    return true;
}

/* --- seed 001 --- */

bool lab_gpu_orbits_has(enum gpu_orbits program) {
    return program == GPU_ORBITS_RANDOM || program == GPU_ORBITS_FOLDED ||
           gpu_orbits_generator_bytes() > 0;
}

static bool keeps_state(enum gpu_orbits program) {
    return program == GPU_ORBITS_SELECTIVE || program == GPU_ORBITS_SELECTIVE_ATOMIC;
}

static bool reserve(struct lab_gpu *gpu, const struct gpu_orbits_job *job,
                    struct gpu_orbits_memory *memory) {
    const size_t threads = (size_t)job->blocks * (size_t)job->threads;
    const bool state = keeps_state(job->program);
    const bool generators = state || job->program == GPU_ORBITS_GENERATORS;
    const size_t pixels = (size_t)job->width_px * (size_t)job->height_px;
    const bool ok =
        gpu_reserve(gpu, SLOT_RESULT, pixels * sizeof(uint32_t)) &&
        (!state || (gpu_reserve(gpu, SLOT_ZX, threads * 4 * sizeof(float)) &&
                    gpu_reserve(gpu, SLOT_ZY, threads * sizeof(float)) &&
                    gpu_reserve(gpu, SLOT_STEPS, threads * sizeof(uint32_t)))) &&
        (!generators || gpu_reserve(gpu, SLOT_CX, threads * gpu_orbits_generator_bytes()));
    *memory = (struct gpu_orbits_memory){.canvas = gpu->slot[SLOT_RESULT],
                                         .z = gpu->slot[SLOT_ZX],
                                         .dists = gpu->slot[SLOT_ZY],
                                         .counts = gpu->slot[SLOT_STEPS],
                                         .generators = gpu->slot[SLOT_CX]};
    return ok && gpu_worked(cudaMemset(memory->canvas, 0, pixels * sizeof(uint32_t)));
}

bool lab_gpu_orbits(struct lab_gpu *gpu, const struct gpu_orbits_job *job, double *ms) {
    struct gpu_orbits_memory memory;
    *ms = 0;
    if (!lab_gpu_orbits_has(job->program)) {
        log_error("this program was built without curand_kernel.h, which seed 001 needs");
        return false;
    }
    if (!reserve(gpu, job, &memory))
        return false;
    if (keeps_state(job->program)) {
        struct gpu_orbits_job generators = *job;
        generators.program = GPU_ORBITS_GENERATORS;
        if (!gpu_worked(gpu_orbits_launch(&generators, &memory)))
            return false;
    }
    if (!gpu_worked(cudaEventRecord(gpu->start, NULL)) ||
        !gpu_worked(gpu_orbits_launch(job, &memory)) || !gpu_elapsed(gpu, ms))
        return false;
    const size_t bytes = (size_t)job->width_px * (size_t)job->height_px * sizeof(uint32_t);
    return !job->canvas ||
           gpu_worked(cudaMemcpy(job->canvas, memory.canvas, bytes, cudaMemcpyDeviceToHost));
}
