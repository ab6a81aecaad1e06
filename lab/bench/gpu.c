/* Device memory, launches and events around the measured kernels. */
#include "lab/bench/gpu.h"
#include "cuda/cuda_device.h"
#include "lab/bench/gpu_kernels.h"
#include "render/base/log.h"
#include <stdlib.h>

#define PEAK_MS         5
#define PEAK_ROUNDS_MAX (1u << 24)
#define BLOCKS_PER_SM   16

struct gpu {
    int blocks; /* that fill the device */
    cudaEvent_t start, stop;
    void *sink;
    void *re, *im; /* for the largest picture so far */
    uint32_t *count;
};

static bool worked(cudaError_t error) {
    if (error != cudaSuccess)
        log_error("the GPU baselines cannot go on: %s", cudaGetErrorString(error));
    return error == cudaSuccess;
}

bool gpu_usable(const char *wanted) {
    const char *why;
    return cuda_device_choose(wanted, &why) >= 0;
}

struct gpu *gpu_create(const char *wanted) {
    const char *why = "";
    const int device = cuda_device_choose(wanted, &why);
    struct gpu *gpu = calloc(1, sizeof *gpu);
    int processors = 0;
    if (device < 0 || !gpu) {
        log_error("no GPU baselines: %s", gpu ? why : "not enough memory");
        free(gpu);
        return NULL;
    }
    if (!worked(cudaSetDevice(device)) ||
        !worked(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device)) ||
        !worked(cudaEventCreate(&gpu->start)) || !worked(cudaEventCreate(&gpu->stop)) ||
        !worked(cudaMalloc(&gpu->sink, sizeof(double)))) {
        gpu_destroy(gpu);
        return NULL;
    }
    gpu->blocks = processors * BLOCKS_PER_SM;
    return gpu;
}

static void free_picture(struct gpu *gpu) {
    cudaFree(gpu->re);
    cudaFree(gpu->im);
    cudaFree(gpu->count);
    gpu->re = gpu->im = NULL;
    gpu->count = NULL;
}

void gpu_destroy(struct gpu *gpu) {
    if (!gpu)
        return;
    free_picture(gpu);
    cudaFree(gpu->sink);
    if (gpu->start)
        cudaEventDestroy(gpu->start);
    if (gpu->stop)
        cudaEventDestroy(gpu->stop);
    free(gpu);
}

/* The milliseconds between the events, once the second has happened. */
static bool elapsed(struct gpu *gpu, double *ms) {
    float passed = 0;
    const bool ok = worked(cudaEventRecord(gpu->stop, NULL)) &&
                    worked(cudaEventSynchronize(gpu->stop)) &&
                    worked(cudaEventElapsedTime(&passed, gpu->start, gpu->stop));
    *ms = (double)passed;
    return ok;
}

static bool upload(struct gpu *gpu, size_t number, const struct loop_job *job) {
    const size_t width = (size_t)job->width_px, height = (size_t)job->height_px;
    return worked(cudaMalloc(&gpu->re, width * number)) &&
           worked(cudaMalloc(&gpu->im, height * number)) &&
           worked(cudaMalloc((void **)&gpu->count, width * height * sizeof *gpu->count)) &&
           worked(cudaMemcpy(gpu->re, job->re, width * number, cudaMemcpyHostToDevice)) &&
           worked(cudaMemcpy(gpu->im, job->im, height * number, cudaMemcpyHostToDevice));
}

bool gpu_loop(struct gpu *gpu, enum number_type type, const struct loop_job *job,
              double *kernel_ms) {
    bool ok = upload(gpu, type == TYPE_FLOAT ? sizeof(float) : sizeof(double), job);
    const struct gpu_loop_args args = {.re = gpu->re,
                                       .im = gpu->im,
                                       .count = gpu->count,
                                       .width = (uint32_t)job->width_px,
                                       .height = (uint32_t)job->height_px,
                                       .limit = job->limit};
    ok = ok && worked(cudaEventRecord(gpu->start, NULL)) && worked(gpu_loop_launch(type, &args)) &&
         elapsed(gpu, kernel_ms);
    if (ok && job->count)
        ok = worked(cudaMemcpy(job->count, gpu->count,
                               (size_t)args.width * args.height * sizeof *gpu->count,
                               cudaMemcpyDeviceToHost));
    free_picture(gpu);
    return ok;
}

/* Twice the rounds until the time is long enough to be measured. */
bool gpu_peak(struct gpu *gpu, enum number_type type, double *per_s) {
    double ms = 0;
    uint32_t rounds = 16;
    for (; ms < PEAK_MS && rounds < PEAK_ROUNDS_MAX; rounds *= 2) {
        if (!worked(cudaEventRecord(gpu->start, NULL)) ||
            !worked(gpu_peak_launch(type, gpu->blocks, rounds, gpu->sink)) || !elapsed(gpu, &ms))
            return false;
        *per_s = (double)rounds * GPU_PEAK_ROUND * GPU_PEAK_THREADS * gpu->blocks / ms * 1e3;
    }
    return true;
}
