/* Allocation of device memory for counting. */
#include "gpu/density/density_buffers.h"
#include "render/base/log.h"

#define CELLS_ALL ((size_t)CELLS_X * CELLS_Y)

static cudaError_t allocate_list(struct points_list *list, size_t room, bool ends) {
    void **const numbers[] = {&list->cr, &list->ci, &list->zr, &list->zi};
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && error == cudaSuccess; i++)
        error = cudaMalloc(numbers[i], room * sizeof(double));
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&list->done, room * sizeof *list->done);
    if (error == cudaSuccess && ends)
        error = cudaMalloc((void **)&list->end, room * sizeof *list->end);
    if (error == cudaSuccess && ends)
        error = cudaMalloc((void **)&list->plane, room * sizeof *list->plane);
    return error;
}

static void free_list(struct points_list *list) {
    cudaFree(list->cr);
    cudaFree(list->ci);
    cudaFree(list->zr);
    cudaFree(list->zi);
    cudaFree(list->done);
    cudaFree(list->end);
    cudaFree(list->plane);
    *list = (struct points_list){0};
}

static void free_lists(struct density_buffers *buffers) {
    for (int i = 0; i < DENSITY_BUFFERS_LISTS; i++) {
        free_list(&buffers->search[i]);
        free_list(&buffers->plot[i]);
    }
    buffers->room = 0;
}

cudaError_t density_buffers_reserve_lists(struct density_buffers *buffers, uint32_t room) {
    cudaError_t error = cudaSuccess;
    if (room <= buffers->room)
        return cudaSuccess;
    free_lists(buffers);
    for (int i = 0; i < DENSITY_BUFFERS_LISTS && error == cudaSuccess; i++) {
        error = allocate_list(&buffers->search[i], room, false);
        if (error == cudaSuccess)
            error = allocate_list(&buffers->plot[i], 2 * (size_t)room, true);
    }
    buffers->room = error == cudaSuccess ? room : 0;
    return error;
}

void density_buffers_finish(struct density_buffers *buffers) {
    void *const memory[] = {buffers->counts.fresh, buffers->counts.total, buffers->rgba,
                            buffers->order,        buffers->plans,        buffers->pairs,
                            buffers->numbers,      buffers->result,       buffers->state,
                            buffers->levels,       buffers->map};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        cudaFree(memory[i]);
    cudaFreeHost(buffers->news);
    free_lists(buffers);
    *buffers = (struct density_buffers){0};
}

/* What does not depend on the request. */
static cudaError_t allocate_fixed(struct density_buffers *buffers) {
    const struct {
        void **memory;
        size_t bytes;
    } all[] = {
        {(void **)&buffers->order, CELLS_ALL * sizeof *buffers->order},
        {&buffers->plans, CELLS_ALL * 2 * sizeof(uint32_t)},
        {(void **)&buffers->pairs, CELLS_ALL / 2 * sizeof *buffers->pairs},
        {(void **)&buffers->numbers, CELLS_ALL / 2 * sizeof *buffers->numbers},
        {(void **)&buffers->result, sizeof *buffers->result},
        {(void **)&buffers->state, sizeof *buffers->state},
        {(void **)&buffers->levels, TONE_CHANNELS_MAX * sizeof *buffers->levels},
        {(void **)&buffers->map, sizeof *buffers->map},
    };
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < sizeof all / sizeof *all && error == cudaSuccess; i++)
        error = cudaMalloc(all[i].memory, all[i].bytes);
    return error == cudaSuccess ? cudaMallocHost((void **)&buffers->news, sizeof *buffers->news)
                                : error;
}

static cudaError_t allocate_counts(struct density_buffers *buffers, size_t size) {
    cudaFree(buffers->counts.fresh);
    cudaFree(buffers->counts.total);
    buffers->counts = (struct paint_counts){.size = size};
    const cudaError_t error = cudaMalloc((void **)&buffers->counts.fresh, size * sizeof(uint32_t));
    return error == cudaSuccess
               ? cudaMalloc((void **)&buffers->counts.total, size * sizeof(uint64_t))
               : error;
}

static cudaError_t allocate_rgba(struct density_buffers *buffers, size_t pixels) {
    cudaFree(buffers->rgba);
    buffers->rgba = NULL;
    buffers->pixels = pixels;
    return cudaMalloc((void **)&buffers->rgba, pixels * sizeof *buffers->rgba);
}

static void log_no_memory(const struct density_req *req, size_t counts) {
    const size_t bytes = counts * (sizeof(uint32_t) + sizeof(uint64_t));
    size_t available = 0, total = 0;
    cudaGetLastError();
    cudaMemGetInfo(&available, &total);
    log_error("counting at %dx%d needs %.0f MiB on the GPU, where %.0f are free; try a smaller "
              "--size, or another --backend",
              req->width_px, req->height_px, (double)bytes / 1048576, (double)available / 1048576);
}

bool density_buffers_reserve(struct density_buffers *buffers, const struct density_req *req,
                             bool rgba, cudaError_t *error) {
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px,
                 counts = density_counters(req);
    *error = buffers->news ? cudaSuccess : allocate_fixed(buffers);
    if (*error == cudaSuccess && counts != buffers->counts.size)
        *error = allocate_counts(buffers, counts);
    if (*error == cudaSuccess && rgba && pixels != buffers->pixels)
        *error = allocate_rgba(buffers, pixels);
    if (*error == cudaSuccess)
        return true;
    density_buffers_finish(buffers);
    if (*error == cudaErrorMemoryAllocation) {
        log_no_memory(req, counts);
        *error = cudaSuccess;
    }
    return false;
}
