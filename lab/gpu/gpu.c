/* GPU of the laboratory: its memory and events, and running its programs. */
#include "lab/gpu/gpu.h"
#include "cuda/cuda_device.h"
#include "lab/gpu/gpu_kernels.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <stdlib.h>

#define ADD_RUNS        9
#define PEAK_MS         5
#define PEAK_ROUNDS_MAX (1u << 24)
#define PEAK_BLOCKS     16 /* for every multiprocessor */

/* Buffers in device memory, kept between jobs unless a job requests fresh ones. */
enum gpu_slot {
    SLOT_RE,
    SLOT_IM,
    SLOT_RESULT,
    SLOT_TABLE,
    SLOT_A, /* for sums */
    SLOT_B,
    SLOT_SMALL,
    SLOT_Z, /* for seed 001 */
    SLOT_DISTANCES,
    SLOT_STEPS,
    SLOT_GENERATORS,
    SLOT_COUNT
};

struct lab_gpu {
    struct cudaDeviceProp properties;
    int device;
    cudaEvent_t start, stop;
    void *pinned; /* NULL until it is requested */
    void *slot[SLOT_COUNT];
    size_t slot_bytes[SLOT_COUNT];
};

static bool worked(cudaError_t error) {
    if (error != cudaSuccess)
        log_error("the GPU failed: %s; try another backend", cudaGetErrorString(error));
    return error == cudaSuccess;
}

/* Makes a slot hold at least `bytes` bytes; its contents may be lost. */
static bool reserve(struct lab_gpu *gpu, enum gpu_slot slot, size_t bytes) {
    if (gpu->slot_bytes[slot] >= bytes)
        return true;
    cudaFree(gpu->slot[slot]);
    gpu->slot[slot] = NULL;
    gpu->slot_bytes[slot] = 0;
    if (!worked(cudaMalloc(&gpu->slot[slot], bytes)))
        return false;
    gpu->slot_bytes[slot] = bytes;
    return true;
}

static void release(struct lab_gpu *gpu) {
    for (int i = 0; i < SLOT_COUNT; i++) {
        cudaFree(gpu->slot[i]);
        gpu->slot[i] = NULL;
        gpu->slot_bytes[i] = 0;
    }
}

static bool upload(const struct lab_gpu *gpu, enum gpu_slot slot, const void *from, size_t bytes) {
    return worked(cudaMemcpy(gpu->slot[slot], from, bytes, cudaMemcpyHostToDevice));
}

static bool begin(const struct lab_gpu *gpu) {
    return worked(cudaEventRecord(gpu->start, NULL));
}

/* Waits for the device and stores the milliseconds since `begin`. */
static bool elapsed(const struct lab_gpu *gpu, double *ms) {
    float passed = 0;
    const bool ok = worked(cudaEventRecord(gpu->stop, NULL)) &&
                    worked(cudaEventSynchronize(gpu->stop)) &&
                    worked(cudaEventElapsedTime(&passed, gpu->start, gpu->stop));
    *ms = (double)passed;
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
    if (!worked(cudaSetDevice(device)) || !worked(cudaFree(NULL)) ||
        !worked(cudaGetDeviceProperties(&gpu->properties, device)) ||
        !worked(cudaEventCreate(&gpu->start)) || !worked(cudaEventCreate(&gpu->stop))) {
        lab_gpu_destroy(gpu);
        return NULL;
    }
    return gpu;
}

void lab_gpu_destroy(struct lab_gpu *gpu) {
    if (!gpu)
        return;
    release(gpu);
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

/* Doubles the rounds until the time is long enough to be measured. */
bool lab_gpu_peak(struct lab_gpu *gpu, enum number_type type, double *per_s) {
    const int blocks = lab_gpu_processors(gpu) * PEAK_BLOCKS;
    double ms = 0;
    if (!reserve(gpu, SLOT_SMALL, sizeof(double)))
        return false;
    for (uint32_t rounds = 16; ms < PEAK_MS && rounds < PEAK_ROUNDS_MAX; rounds *= 2) {
        if (!begin(gpu) || !worked(gpu_peak_launch(type, blocks, rounds, gpu->slot[SLOT_SMALL])) ||
            !elapsed(gpu, &ms))
            return false;
        *per_s = (double)rounds * GPU_PEAK_ROUND * GPU_PEAK_THREADS * blocks / ms * 1e3;
    }
    return true;
}

bool lab_gpu_copy(struct lab_gpu *gpu, size_t bytes, void *to) {
    return worked(cudaMemcpy(to, gpu->slot[SLOT_RESULT], bytes, cudaMemcpyDeviceToHost));
}

void *lab_gpu_pinned(struct lab_gpu *gpu, size_t bytes) {
    return gpu->pinned || worked(cudaMallocHost(&gpu->pinned, bytes)) ? gpu->pinned : NULL;
}

/* --- counts --- */

static cudaError_t launch(const struct lab_gpu *gpu, const struct gpu_job *job) {
    struct gpu_job own = *job;
    own.re = gpu->slot[SLOT_RE];
    own.im = gpu->slot[SLOT_IM];
    own.count = gpu->slot[SLOT_RESULT];
    own.table = job->table ? gpu->slot[SLOT_TABLE] : NULL;
    if (job->program == GPU_OURS)
        return gpu_ours_launch(&own);
    if (job->program == GPU_PAPER || job->program == GPU_PAPER_TYPED)
        return gpu_paper_launch(&own);
    return gpu_hybridizer_launch(&own);
}

bool lab_gpu_count(struct lab_gpu *gpu, const struct gpu_job *job, struct gpu_times *times) {
    const size_t number = job->type == TYPE_DOUBLE ? sizeof(double) : sizeof(float);
    const size_t columns = (size_t)job->width_px * number, rows = (size_t)job->height_px * number;
    const size_t pixels = (size_t)job->width_px * (size_t)job->height_px;
    const size_t table = job->table ? GPU_TABLE_SIZE * sizeof *job->table : 0;
    const double start = clock_ms();
    *times = (struct gpu_times){0};
    if (job->fresh)
        release(gpu);
    if (!reserve(gpu, SLOT_RE, columns) || !reserve(gpu, SLOT_IM, rows) ||
        !reserve(gpu, SLOT_RESULT, pixels * (table ? 3 : sizeof *job->count)) ||
        !reserve(gpu, SLOT_TABLE, table))
        return false;
    times->alloc_ms = clock_ms() - start;
    if (!upload(gpu, SLOT_RE, job->re, columns) || !upload(gpu, SLOT_IM, job->im, rows) ||
        (table && !upload(gpu, SLOT_TABLE, job->table, table)) || !begin(gpu) ||
        !worked(launch(gpu, job)) || !elapsed(gpu, &times->kernel_ms))
        return false;
    const double drawn = clock_ms();
    if (job->count && !lab_gpu_copy(gpu, pixels * sizeof *job->count, job->count))
        return false;
    times->copy_ms = clock_ms() - drawn;
    if (job->fresh)
        release(gpu);
    times->total_ms = clock_ms() - start;
    return true;
}

/* --- seed 000 --- */

bool lab_gpu_classic(struct lab_gpu *gpu, enum gpu_classic which, int side_px, uint8_t *rgb,
                     struct gpu_times *times) {
    const size_t bytes = 3 * (size_t)side_px * (size_t)side_px;
    const double start = clock_ms();
    int block[2];
    *times = (struct gpu_times){0};
    release(gpu);
    if (!reserve(gpu, SLOT_RESULT, bytes) ||
        (which != GPU_CLASSIC_FIRST && !worked(cudaMemset(gpu->slot[SLOT_RESULT], 0, bytes))) ||
        !begin(gpu) || !worked(gpu_classic_launch(which, side_px, gpu->slot[SLOT_RESULT], block)) ||
        !elapsed(gpu, &times->kernel_ms) || !lab_gpu_copy(gpu, bytes, rgb))
        return false;
    release(gpu);
    times->block_x = block[0];
    times->block_y = block[1];
    times->total_ms = clock_ms() - start;
    return true;
}

/* --- sums of vectors --- */

static bool add_once(struct lab_gpu *gpu, enum gpu_add which, size_t elements, double *ms) {
    double *a = gpu->slot[SLOT_A];
    const double *b = gpu->slot[SLOT_B];
    if (!begin(gpu))
        return false;
    if (which == GPU_COPY_ENGINE
            ? !worked(cudaMemcpyAsync(a, b, elements * sizeof *a, cudaMemcpyDeviceToDevice, NULL))
            : !worked(gpu_add_launch(which, lab_gpu_processors(gpu), a, b, elements)))
        return false;
    return elapsed(gpu, ms);
}

static bool add_right(struct lab_gpu *gpu, size_t elements, int runs, bool copied) {
    unsigned long long wrong = 0;
    if (!worked(cudaMemset(gpu->slot[SLOT_SMALL], 0, sizeof wrong)) ||
        !worked(gpu_add_check(gpu->slot[SLOT_A], elements, runs, copied, gpu->slot[SLOT_SMALL])) ||
        !worked(cudaMemcpy(&wrong, gpu->slot[SLOT_SMALL], sizeof wrong, cudaMemcpyDeviceToHost)))
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
    bool ok = reserve(gpu, SLOT_A, elements * sizeof(double)) &&
              reserve(gpu, SLOT_B, elements * sizeof(double)) &&
              reserve(gpu, SLOT_SMALL, sizeof(unsigned long long)) &&
              worked(gpu_add_fill(gpu->slot[SLOT_A], gpu->slot[SLOT_B], elements)) &&
              add_once(gpu, which, elements, &warm_up_ms);
    for (int i = 0; ok && i < ADD_RUNS; i++)
        ok = add_once(gpu, which, elements, &ms[i]);
    ok = ok && add_right(gpu, elements, ADD_RUNS + 1, copied);
    release(gpu);
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

static bool reserve_orbits(struct lab_gpu *gpu, const struct gpu_orbits_job *job,
                           struct gpu_orbits_memory *memory) {
    const size_t threads = (size_t)job->blocks * (size_t)job->threads;
    const bool state = keeps_state(job->program);
    const bool generators = state || job->program == GPU_ORBITS_GENERATORS;
    const size_t pixels = (size_t)job->width_px * (size_t)job->height_px;
    const bool ok =
        reserve(gpu, SLOT_RESULT, pixels * sizeof(uint32_t)) &&
        (!state || (reserve(gpu, SLOT_Z, threads * 4 * sizeof(float)) &&
                    reserve(gpu, SLOT_DISTANCES, threads * sizeof(float)) &&
                    reserve(gpu, SLOT_STEPS, threads * sizeof(uint32_t)))) &&
        (!generators || reserve(gpu, SLOT_GENERATORS, threads * gpu_orbits_generator_bytes()));
    *memory = (struct gpu_orbits_memory){.canvas = gpu->slot[SLOT_RESULT],
                                         .z = gpu->slot[SLOT_Z],
                                         .dists = gpu->slot[SLOT_DISTANCES],
                                         .counts = gpu->slot[SLOT_STEPS],
                                         .generators = gpu->slot[SLOT_GENERATORS]};
    return ok && worked(cudaMemset(memory->canvas, 0, pixels * sizeof(uint32_t)));
}

bool lab_gpu_orbits(struct lab_gpu *gpu, const struct gpu_orbits_job *job, double *ms) {
    struct gpu_orbits_memory memory;
    *ms = 0;
    if (!lab_gpu_orbits_has(job->program)) {
        log_error("this program was built without curand_kernel.h, which seed 001 needs");
        return false;
    }
    if (!reserve_orbits(gpu, job, &memory))
        return false;
    if (keeps_state(job->program)) {
        struct gpu_orbits_job generators = *job;
        generators.program = GPU_ORBITS_GENERATORS;
        if (!worked(gpu_orbits_launch(&generators, &memory)))
            return false;
    }
    if (!begin(gpu) || !worked(gpu_orbits_launch(job, &memory)) || !elapsed(gpu, ms))
        return false;
    const size_t bytes = (size_t)job->width_px * (size_t)job->height_px * sizeof(uint32_t);
    return !job->canvas || lab_gpu_copy(gpu, bytes, job->canvas);
}
