/* Allocates device memory for orbit density, and keeps it from request to request. */
#include "gpu/density/density_buffers.h"
#include "render/base/log.h"

#define CELLS_ALL ((size_t)CELLS_X * CELLS_Y)

/* An array, in place of what is there. */
static enum device_error get(const struct density_buffers *buffers, struct device_pointer *memory,
                             size_t bytes) {
    buffers->device->impl->free(buffers->device, *memory);
    memory->word = 0;
    return buffers->device->impl->alloc(buffers->device, bytes, memory);
}

static void put(const struct density_buffers *buffers, struct device_pointer *memory) {
    buffers->device->impl->free(buffers->device, *memory);
    memory->word = 0;
}

static enum device_error allocate_list(const struct density_buffers *buffers,
                                       struct points_list *list, size_t room, bool ends) {
    struct device_pointer *const numbers[] = {&list->cr, &list->ci, &list->zr, &list->zi};
    enum device_error error = DEVICE_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && error == DEVICE_OK; i++)
        error = get(buffers, numbers[i], room * sizeof(double));
    if (error == DEVICE_OK)
        error = get(buffers, &list->done, room * sizeof(uint32_t));
    if (error == DEVICE_OK && ends)
        error = get(buffers, &list->end, room * sizeof(uint32_t));
    if (error == DEVICE_OK && ends)
        error = get(buffers, &list->plane, room * sizeof(uint8_t));
    return error;
}

static void free_list(const struct density_buffers *buffers, struct points_list *list) {
    struct device_pointer *const all[] = {&list->cr,   &list->ci,  &list->zr,   &list->zi,
                                          &list->done, &list->end, &list->plane};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        put(buffers, all[i]);
}

static void free_lists(struct density_buffers *buffers) {
    for (int i = 0; i < DENSITY_BUFFERS_LISTS; i++) {
        free_list(buffers, &buffers->search[i]);
        free_list(buffers, &buffers->plot[i]);
    }
    buffers->room = 0;
}

enum device_error density_buffers_reserve_lists(struct density_buffers *buffers, uint32_t room) {
    enum device_error error = DEVICE_OK;
    if (room <= buffers->room)
        return DEVICE_OK;
    free_lists(buffers);
    for (int i = 0; i < DENSITY_BUFFERS_LISTS && error == DEVICE_OK; i++) {
        error = allocate_list(buffers, &buffers->search[i], room, false);
        if (error == DEVICE_OK)
            error = allocate_list(buffers, &buffers->plot[i], 2 * (size_t)room, true);
    }
    buffers->room = error == DEVICE_OK ? room : 0;
    return error;
}

void density_buffers_finish(struct density_buffers *buffers) {
    struct device_pointer *const all[] = {
        &buffers->counts.fresh, &buffers->counts.total, &buffers->rgba,    &buffers->order,
        &buffers->bounds,       &buffers->pairs,        &buffers->numbers, &buffers->result,
        &buffers->state,        &buffers->levels,       &buffers->map};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        put(buffers, all[i]);
    buffers->device->impl->free_host(buffers->device, buffers->news);
    free_lists(buffers);
    *buffers = (struct density_buffers){.device = buffers->device};
}

/* What does not depend on the request. */
static enum device_error allocate_fixed(struct density_buffers *buffers) {
    const struct {
        struct device_pointer *memory;
        size_t bytes;
    } all[] = {
        {&buffers->order, CELLS_ALL * sizeof(uint32_t)},
        {&buffers->bounds, CELLS_ALL * 2 * sizeof(uint32_t)},
        {&buffers->pairs, CELLS_ALL / 2 * sizeof(struct points_pair)},
        {&buffers->numbers, CELLS_ALL / 2 * sizeof(uint32_t)},
        {&buffers->result, sizeof(struct cell_bounds)},
        {&buffers->state, sizeof(struct points_state)},
        {&buffers->levels, TONE_CHANNELS_MAX * sizeof(struct tone_levels)},
        {&buffers->map, sizeof(struct tone_map)},
    };
    enum device_error error = DEVICE_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && error == DEVICE_OK; i++)
        error = get(buffers, all[i].memory, all[i].bytes);
    return error == DEVICE_OK ? buffers->device->impl->alloc_host(
                                    buffers->device, sizeof *buffers->news, (void **)&buffers->news)
                              : error;
}

static enum device_error allocate_counts(struct density_buffers *buffers, size_t size) {
    put(buffers, &buffers->counts.total); /* before the first is got, which may need its room */
    buffers->counts.size = size;
    const enum device_error error = get(buffers, &buffers->counts.fresh, size * sizeof(uint32_t));
    return error == DEVICE_OK ? get(buffers, &buffers->counts.total, size * sizeof(uint64_t))
                              : error;
}

static enum device_error allocate_rgba(struct density_buffers *buffers, size_t pixels) {
    buffers->pixels = pixels;
    return get(buffers, &buffers->rgba, pixels * sizeof(uint32_t));
}

static void log_no_memory(struct device *device, const struct density_req *req, size_t counts) {
    const size_t bytes = counts * (sizeof(uint32_t) + sizeof(uint64_t));
    const size_t available = device->impl->bytes_free(device);
    log_error("counting at %dx%d needs %.0f MiB on the GPU, where %.0f are free; try a smaller "
              "--size, or another --backend",
              req->width_px, req->height_px, (double)bytes / 1048576, (double)available / 1048576);
}

bool density_buffers_reserve(struct density_buffers *buffers, const struct density_req *req,
                             bool rgba, enum device_error *error) {
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px,
                 counts = density_counters(req);
    *error = buffers->news ? DEVICE_OK : allocate_fixed(buffers);
    if (*error == DEVICE_OK && counts != buffers->counts.size)
        *error = allocate_counts(buffers, counts);
    if (*error == DEVICE_OK && rgba && pixels != buffers->pixels)
        *error = allocate_rgba(buffers, pixels);
    if (*error == DEVICE_OK)
        return true;
    density_buffers_finish(buffers);
    if (*error == DEVICE_NO_MEMORY) {
        log_no_memory(buffers->device, req, counts);
        *error = DEVICE_OK;
    }
    return false;
}
