/* Allocation of device memory. */
#include "gpu/escape/device_buffers.h"
#include "render/base/log.h"
#include "render/coords.h"
#include <stdlib.h>

#define BAND_MAX ((size_t)1 << 25) /* larger pictures are drawn one band after another */
#define WASTE    4                 /* memory for this many times the pixels is given back */

static void free_planes(struct planes *planes) {
    cudaFree(planes->count);
    cudaFree(planes->fraction);
    *planes = (struct planes){0};
}

static cudaError_t allocate_planes(struct planes *planes, size_t pixels) {
    cudaError_t error = cudaMalloc((void **)&planes->count, pixels * sizeof *planes->count);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&planes->fraction, pixels * sizeof *planes->fraction);
    if (error != cudaSuccess)
        free_planes(planes);
    return error;
}

static void free_states(struct states *states) {
    cudaFree(states->zr);
    cudaFree(states->zi);
    *states = (struct states){0};
}

/* With room for doubles, so that a change of number type allocates nothing. */
static cudaError_t allocate_states(struct states *states, size_t pixels) {
    cudaError_t error = cudaMalloc(&states->zr, pixels * sizeof(double));
    if (error == cudaSuccess)
        error = cudaMalloc(&states->zi, pixels * sizeof(double));
    if (error != cudaSuccess)
        free_states(states);
    return error;
}

void device_buffers_finish(struct device_buffers *buffers) {
    free_planes(&buffers->now);
    free_planes(&buffers->spare);
    free_states(&buffers->states);
    free_states(&buffers->spare_states);
    cudaFree(buffers->lists[0]);
    cudaFree(buffers->lists[1]);
    cudaFree(buffers->rgba);
    cudaFree(buffers->coords);
    cudaFree(buffers->table);
    device_buffers_assign(buffers, NULL);
    *buffers = (struct device_buffers){0};
}

static size_t band_of(size_t pixels) {
    return pixels < BAND_MAX ? pixels : BAND_MAX;
}

static cudaError_t allocate(struct device_buffers *buffers, size_t pixels) {
    buffers->pixels = pixels;
    buffers->band = band_of(pixels);
    cudaError_t error = allocate_planes(&buffers->now, pixels);
    if (error == cudaSuccess)
        error = allocate_states(&buffers->states, buffers->band);
    for (int i = 0; i < 2 && error == cudaSuccess; i++)
        error = cudaMalloc((void **)&buffers->lists[i], buffers->band * sizeof *buffers->lists[i]);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&buffers->table, COLOUR_TABLE_SIZE * sizeof *buffers->table);
    return error;
}

static cudaError_t allocate_coords(struct device_buffers *buffers, size_t entries) {
    if (entries <= buffers->entries)
        return cudaSuccess;
    cudaFree(buffers->coords);
    buffers->coords = NULL;
    buffers->entries = entries;
    return cudaMalloc(&buffers->coords, entries * sizeof(struct coords_double));
}

static double needed_mib(size_t pixels, bool rgba) {
    const size_t bytes =
        pixels * (8 + (rgba ? 4 : 0)) + band_of(pixels) * (2 * 4 + 2 * sizeof(double));
    return (double)bytes / 1048576;
}

static void log_no_memory(const struct frame_req *req, bool rgba) {
    size_t available = 0, total = 0;
    cudaGetLastError();
    cudaMemGetInfo(&available, &total);
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    log_error("a picture of %dx%d needs %.0f MiB on the GPU, where %.0f are free; try a smaller "
              "--size, or another --backend",
              req->width_px, req->height_px, needed_mib(pixels, rgba), (double)available / 1048576);
}

bool device_buffers_reserve(struct device_buffers *buffers, const struct frame_req *req, bool rgba,
                            cudaError_t *error) {
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    *error = cudaSuccess;
    if (pixels > buffers->pixels || pixels < buffers->pixels / WASTE) {
        device_buffers_finish(buffers);
        *error = allocate(buffers, pixels);
    }
    if (*error == cudaSuccess && rgba && !buffers->rgba)
        *error = cudaMalloc((void **)&buffers->rgba, buffers->pixels * sizeof *buffers->rgba);
    if (*error == cudaSuccess)
        *error = allocate_coords(buffers, (size_t)req->width_px + (size_t)req->height_px);
    if (*error == cudaSuccess)
        return true;
    device_buffers_finish(buffers);
    if (*error == cudaErrorMemoryAllocation) {
        log_no_memory(req, rgba);
        *error = cudaSuccess;
    }
    return false;
}

bool device_buffers_reserve_spare(struct device_buffers *buffers) {
    bool ok =
        buffers->spare.count || allocate_planes(&buffers->spare, buffers->pixels) == cudaSuccess;
    ok = ok && (buffers->spare_states.zr ||
                allocate_states(&buffers->spare_states, buffers->band) == cudaSuccess);
    if (!ok)
        cudaGetLastError();
    return ok;
}

void device_buffers_assign(struct device_buffers *buffers, struct frame_req *req) {
    if (buffers->req) {
        frame_req_finish(buffers->req);
        free(buffers->req);
    }
    buffers->req = req;
}
