/* Device memory and events around the counting kernels. */
#include "lab/classic/classic_cuda.h"
#include "cuda/cuda_device.h"
#include "lab/count/count_cuda.h"
#include "render/base/log.h"
#include <stdlib.h>

/* Of a launch: long ones suit devices that are made for doubles, on others the display waits. */
#define LAUNCH_BYTES      ((size_t)256 << 20)
#define LAUNCH_BYTES_SLOW ((size_t)16 << 20)

struct classic_cuda {
    struct cudaDeviceProp properties;
    int width_px, rows_px_most;
    double *re, *im; /* these four on the device */
    uint32_t *table;
    uint8_t *rgb;
    uint8_t *band; /* page-locked; NULL until asked for */
    cudaEvent_t start, stop;
};

static bool worked(cudaError_t error) {
    if (error != cudaSuccess)
        log_error("the GPU failed: %s; try another backend", cudaGetErrorString(error));
    return error == cudaSuccess;
}

static size_t bytes_of(const struct classic_cuda *classic, int rows) {
    return 3 * (size_t)classic->width_px * (size_t)rows;
}

static int choose_rows(const struct classic_cuda *classic, int device, int height_px) {
    int ratio = 2;
    cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
    const size_t bytes = ratio > 2 ? LAUNCH_BYTES_SLOW : LAUNCH_BYTES;
    const size_t rows = bytes / bytes_of(classic, 1);
    return rows < 1 ? 1 : rows < (size_t)height_px ? (int)rows : height_px;
}

bool classic_cuda_usable(const char *wanted, const char **why) {
    return cuda_device_choose(wanted, why) >= 0;
}

static bool start(struct classic_cuda *c, int device) {
    return worked(cudaSetDevice(device)) && worked(cudaFree(NULL)) &&
           worked(cudaGetDeviceProperties(&c->properties, device)) && worked(count_cuda_load()) &&
           worked(cudaMalloc((void **)&c->re, (size_t)c->width_px * sizeof *c->re)) &&
           worked(cudaMalloc((void **)&c->im, (size_t)c->rows_px_most * sizeof *c->im)) &&
           worked(cudaMalloc((void **)&c->table, COUNT_CUDA_TABLE_SIZE * sizeof *c->table)) &&
           worked(cudaMalloc((void **)&c->rgb, bytes_of(c, c->rows_px_most))) &&
           worked(cudaEventCreate(&c->start)) && worked(cudaEventCreate(&c->stop));
}

struct classic_cuda *classic_cuda_create(const char *wanted, int width_px, int height_px) {
    const char *why = "";
    const int device = cuda_device_choose(wanted, &why);
    struct classic_cuda *classic = calloc(1, sizeof *classic);
    if (device < 0 || !classic) {
        log_error("the GPU cannot draw this picture: %s", classic ? why : "not enough memory");
        free(classic);
        return NULL;
    }
    classic->width_px = width_px;
    classic->rows_px_most = choose_rows(classic, device, height_px);
    if (!start(classic, device)) {
        classic_cuda_destroy(classic);
        return NULL;
    }
    return classic;
}

void classic_cuda_destroy(struct classic_cuda *classic) {
    if (!classic)
        return;
    cudaFree(classic->re);
    cudaFree(classic->im);
    cudaFree(classic->table);
    cudaFree(classic->rgb);
    cudaFreeHost(classic->band);
    if (classic->start)
        cudaEventDestroy(classic->start);
    if (classic->stop)
        cudaEventDestroy(classic->stop);
    free(classic);
}

const char *classic_cuda_name(const struct classic_cuda *classic) {
    return classic->properties.name;
}

int classic_cuda_rows(const struct classic_cuda *classic) {
    return classic->rows_px_most;
}

uint8_t *classic_cuda_band(struct classic_cuda *classic, int rows) {
    if (!classic->band && !worked(cudaMallocHost((void **)&classic->band, bytes_of(classic, rows))))
        return NULL;
    return classic->band;
}

static bool upload(void *to, const void *from, size_t bytes) {
    return worked(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, NULL));
}

bool classic_cuda_draw(struct classic_cuda *classic, const struct classic_cuda_job *job,
                       double *kernel_ms) {
    const size_t width = (size_t)classic->width_px, height = (size_t)job->rows;
    const struct count_cuda_args args = {.re = classic->re,
                                         .im = classic->im,
                                         .width = (uint32_t)width,
                                         .rows = (uint32_t)height,
                                         .limit = job->limit,
                                         .shortcuts = job->shortcuts,
                                         .rgb = classic->rgb,
                                         .table = classic->table};
    float ms = 0;
    if (!upload(classic->re, job->re, width * sizeof *job->re) ||
        !upload(classic->im, job->im, height * sizeof *job->im) ||
        !upload(classic->table, job->table, COUNT_CUDA_TABLE_SIZE * sizeof *job->table) ||
        !worked(cudaEventRecord(classic->start, NULL)) ||
        !worked(count_cuda_launch(TYPE_DOUBLE, job->arithmetic, &args, NULL)) ||
        !worked(cudaEventRecord(classic->stop, NULL)) ||
        !worked(cudaEventSynchronize(classic->stop)) ||
        !worked(cudaEventElapsedTime(&ms, classic->start, classic->stop)))
        return false;
    *kernel_ms = (double)ms;
    return true;
}

bool classic_cuda_copy(struct classic_cuda *classic, int first, int rows, uint8_t *rgb) {
    return worked(cudaMemcpy(rgb, classic->rgb + bytes_of(classic, first), bytes_of(classic, rows),
                             cudaMemcpyDeviceToHost));
}
