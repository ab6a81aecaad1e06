/* Allocation of device memory for counting. */
#include "cuda/density/ledger.h"
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

static void free_lists(struct ledger *ledger) {
    for (int i = 0; i < LEDGER_LISTS; i++) {
        free_list(&ledger->search[i]);
        free_list(&ledger->plot[i]);
    }
    ledger->room = 0;
}

cudaError_t ledger_reserve_lists(struct ledger *ledger, uint32_t room) {
    cudaError_t error = cudaSuccess;
    if (room <= ledger->room)
        return cudaSuccess;
    free_lists(ledger);
    for (int i = 0; i < LEDGER_LISTS && error == cudaSuccess; i++) {
        error = allocate_list(&ledger->search[i], room, false);
        if (error == cudaSuccess)
            error = allocate_list(&ledger->plot[i], 2 * (size_t)room, true);
    }
    ledger->room = error == cudaSuccess ? room : 0;
    return error;
}

void ledger_finish(struct ledger *ledger) {
    void *const memory[] = {ledger->counts.fresh, ledger->counts.total, ledger->rgba,
                            ledger->order,        ledger->plans,        ledger->pairs,
                            ledger->numbers,      ledger->result,       ledger->state,
                            ledger->levels,       ledger->map};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        cudaFree(memory[i]);
    cudaFreeHost(ledger->news);
    free_lists(ledger);
    *ledger = (struct ledger){0};
}

/* What does not depend on the request. */
static cudaError_t allocate_fixed(struct ledger *ledger) {
    const struct {
        void **memory;
        size_t bytes;
    } all[] = {
        {(void **)&ledger->order, CELLS_ALL * sizeof *ledger->order},
        {&ledger->plans, CELLS_ALL * 2 * sizeof(uint32_t)},
        {(void **)&ledger->pairs, CELLS_ALL / 2 * sizeof *ledger->pairs},
        {(void **)&ledger->numbers, CELLS_ALL / 2 * sizeof *ledger->numbers},
        {(void **)&ledger->result, sizeof *ledger->result},
        {(void **)&ledger->state, sizeof *ledger->state},
        {(void **)&ledger->levels, TONE_CHANNELS_MAX * sizeof *ledger->levels},
        {(void **)&ledger->map, sizeof *ledger->map},
    };
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < sizeof all / sizeof *all && error == cudaSuccess; i++)
        error = cudaMalloc(all[i].memory, all[i].bytes);
    return error == cudaSuccess ? cudaMallocHost((void **)&ledger->news, sizeof *ledger->news)
                                : error;
}

static cudaError_t allocate_counts(struct ledger *ledger, size_t size) {
    cudaFree(ledger->counts.fresh);
    cudaFree(ledger->counts.total);
    ledger->counts = (struct paint_counts){.size = size};
    const cudaError_t error = cudaMalloc((void **)&ledger->counts.fresh, size * sizeof(uint32_t));
    return error == cudaSuccess
               ? cudaMalloc((void **)&ledger->counts.total, size * sizeof(uint64_t))
               : error;
}

static cudaError_t allocate_rgba(struct ledger *ledger, size_t pixels) {
    cudaFree(ledger->rgba);
    ledger->rgba = NULL;
    ledger->pixels = pixels;
    return cudaMalloc((void **)&ledger->rgba, pixels * sizeof *ledger->rgba);
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

bool ledger_reserve(struct ledger *ledger, const struct density_req *req, bool rgba,
                    cudaError_t *error) {
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px,
                 counts = density_counters(req);
    *error = ledger->news ? cudaSuccess : allocate_fixed(ledger);
    if (*error == cudaSuccess && counts != ledger->counts.size)
        *error = allocate_counts(ledger, counts);
    if (*error == cudaSuccess && rgba && pixels != ledger->pixels)
        *error = allocate_rgba(ledger, pixels);
    if (*error == cudaSuccess)
        return true;
    ledger_finish(ledger);
    if (*error == cudaErrorMemoryAllocation) {
        log_no_memory(req, counts);
        *error = cudaSuccess;
    }
    return false;
}
