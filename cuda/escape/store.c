/* Allocation of device memory. */
#include "cuda/escape/store.h"
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

void store_finish(struct store *store) {
    free_planes(&store->now);
    free_planes(&store->spare);
    free_states(&store->states);
    free_states(&store->spare_states);
    cudaFree(store->lists[0]);
    cudaFree(store->lists[1]);
    cudaFree(store->rgba);
    cudaFree(store->coords);
    cudaFree(store->table);
    store_assign(store, NULL);
    *store = (struct store){0};
}

static size_t band_of(size_t pixels) {
    return pixels < BAND_MAX ? pixels : BAND_MAX;
}

static cudaError_t allocate(struct store *store, size_t pixels) {
    store->pixels = pixels;
    store->band = band_of(pixels);
    cudaError_t error = allocate_planes(&store->now, pixels);
    if (error == cudaSuccess)
        error = allocate_states(&store->states, store->band);
    for (int i = 0; i < 2 && error == cudaSuccess; i++)
        error = cudaMalloc((void **)&store->lists[i], store->band * sizeof *store->lists[i]);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&store->table, COLOUR_TABLE_SIZE * sizeof *store->table);
    return error;
}

static cudaError_t allocate_coords(struct store *store, size_t entries) {
    if (entries <= store->entries)
        return cudaSuccess;
    cudaFree(store->coords);
    store->coords = NULL;
    store->entries = entries;
    return cudaMalloc(&store->coords, entries * sizeof(struct coords_double));
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

bool store_reserve(struct store *store, const struct frame_req *req, bool rgba,
                   cudaError_t *error) {
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    *error = cudaSuccess;
    if (pixels > store->pixels || pixels < store->pixels / WASTE) {
        store_finish(store);
        *error = allocate(store, pixels);
    }
    if (*error == cudaSuccess && rgba && !store->rgba)
        *error = cudaMalloc((void **)&store->rgba, store->pixels * sizeof *store->rgba);
    if (*error == cudaSuccess)
        *error = allocate_coords(store, (size_t)req->width_px + (size_t)req->height_px);
    if (*error == cudaSuccess)
        return true;
    store_finish(store);
    if (*error == cudaErrorMemoryAllocation) {
        log_no_memory(req, rgba);
        *error = cudaSuccess;
    }
    return false;
}

bool store_reserve_spare(struct store *store) {
    bool ok = store->spare.count || allocate_planes(&store->spare, store->pixels) == cudaSuccess;
    ok = ok && (store->spare_states.zr ||
                allocate_states(&store->spare_states, store->band) == cudaSuccess);
    if (!ok)
        cudaGetLastError();
    return ok;
}

void store_assign(struct store *store, struct frame_req *req) {
    if (store->req) {
        frame_req_finish(store->req);
        free(store->req);
    }
    store->req = req;
}
