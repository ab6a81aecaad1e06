/* The laboratory's device: memory, events, and the experiments that are not pictures of counts. */
#include "lab/gpu/gpu.h"
#include "cuda/cuda_device.h"
#include "lab/bench/gpu.h"
#include "lab/count/count_cuda.h"
#include "lab/gpu/gpu_kernels.h"
#include "lab/gpu/gpu_private.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <stdlib.h>

#define ADD_RUNS 9

bool gpu_worked(cudaError_t error) {
    if (error != cudaSuccess)
        log_error("the GPU experiments cannot go on: %s", cudaGetErrorString(error));
    return error == cudaSuccess;
}

bool gpu_reserve(struct lab_gpu *gpu, enum gpu_slot slot, size_t bytes) {
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

void gpu_release(struct lab_gpu *gpu) {
    for (int i = 0; i < SLOT_COUNT; i++) {
        cudaFree(gpu->slot[i]);
        gpu->slot[i] = NULL;
        gpu->slot_bytes[i] = 0;
    }
}

bool gpu_elapsed(struct lab_gpu *gpu, double *ms) {
    float passed = 0;
    const bool ok = gpu_worked(cudaEventRecord(gpu->stop, NULL)) &&
                    gpu_worked(cudaEventSynchronize(gpu->stop)) &&
                    gpu_worked(cudaEventElapsedTime(&passed, gpu->start, gpu->stop));
    *ms += (double)passed;
    return ok;
}

void gpu_lap(double *since, double *ms) {
    const double now = clock_ms();
    *ms += now - *since;
    *since = now;
}

struct lab_gpu *lab_gpu_create(const char *wanted) {
    const char *why = "";
    const int device = cuda_device_choose(wanted, &why);
    struct lab_gpu *gpu = calloc(1, sizeof *gpu);
    if (device < 0 || !gpu) {
        log_error("no GPU experiments: %s", gpu ? why : "not enough memory");
        free(gpu);
        return NULL;
    }
    gpu->device = device;
    gpu->wanted = wanted;
    if (!gpu_worked(cudaSetDevice(device)) || !gpu_worked(cudaFree(NULL)) ||
        !gpu_worked(cudaGetDeviceProperties(&gpu->properties, device)) ||
        !gpu_worked(count_cuda_load()) || !gpu_worked(cudaEventCreate(&gpu->start)) ||
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
    gpu_destroy(gpu->bench);
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

bool lab_gpu_peak(struct lab_gpu *gpu, enum number_type type, double *per_s) {
    if (!gpu->bench)
        gpu->bench = gpu_create(gpu->wanted);
    return gpu->bench && gpu_peak(gpu->bench, type, per_s);
}

static bool draw_classic(struct lab_gpu *gpu, enum gpu_classic which, enum arithmetic arithmetic,
                         int side_px, struct gpu_times *times) {
    const bool fused = arithmetic == ARITHMETIC_FUSED;
    int block[2];
    if (!gpu_worked(cudaEventRecord(gpu->start, NULL)) ||
        !gpu_worked((fused ? gpu_classic_launch_fused : gpu_classic_launch_unfused)(
            which, side_px, gpu->slot[SLOT_RESULT], block)) ||
        !gpu_elapsed(gpu, &times->kernel_ms))
        return false;
    times->launches = 1;
    times->block_x = block[0];
    times->block_y = block[1];
    return true;
}

bool lab_gpu_classic(struct lab_gpu *gpu, enum gpu_classic which, enum arithmetic arithmetic,
                     int side_px, bool fresh, uint8_t *rgb, struct gpu_times *times) {
    const size_t bytes = 3 * (size_t)side_px * (size_t)side_px;
    const double begin = clock_ms();
    double since = begin;
    *times = (struct gpu_times){0};
    if (fresh)
        gpu_release(gpu);
    if (!gpu_reserve(gpu, SLOT_RESULT, bytes) ||
        (which != GPU_CLASSIC_FIRST && !gpu_worked(cudaMemset(gpu->slot[SLOT_RESULT], 0, bytes))) ||
        !gpu_worked(cudaDeviceSynchronize()))
        return false;
    gpu_lap(&since, &times->alloc_ms);
    if (!draw_classic(gpu, which, arithmetic, side_px, times))
        return false;
    since = clock_ms();
    if (rgb && !gpu_worked(cudaMemcpy(rgb, gpu->slot[SLOT_RESULT], bytes, cudaMemcpyDeviceToHost)))
        return false;
    gpu_lap(&since, &times->copy_ms);
    if (fresh)
        gpu_release(gpu);
    gpu_lap(&since, &times->free_ms);
    times->total_ms = since - begin;
    return true;
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
