/* Density buffers: allocates device memory for orbit density and keeps it from request to
 * request. */
#include "gpu/density/density_buffers.h"
#include "gpu/device_memory.h"

#define CELLS_ALL ((size_t)CELLS_X * CELLS_Y)

static void allocate_list(const struct density_buffers *buffers, struct points_list *list,
                          size_t room, bool ends, enum device_error *error) {
    struct device_pointer *const numbers[] = {&list->cr, &list->ci, &list->zr, &list->zi};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        device_memory_allocate(buffers->device, numbers[i], room * sizeof(double), error);
    device_memory_allocate(buffers->device, &list->done, room * sizeof(uint32_t), error);
    if (!ends)
        return;
    device_memory_allocate(buffers->device, &list->end, room * sizeof(uint32_t), error);
    device_memory_allocate(buffers->device, &list->plane, room * sizeof(uint8_t), error);
}

static void free_list(const struct density_buffers *buffers, struct points_list *list) {
    struct device_pointer *const all[] = {&list->cr,   &list->ci,  &list->zr,   &list->zi,
                                          &list->done, &list->end, &list->plane};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        device_memory_free(buffers->device, all[i]);
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
    for (int i = 0; i < DENSITY_BUFFERS_LISTS; i++) {
        allocate_list(buffers, &buffers->search[i], room, false, &error);
        allocate_list(buffers, &buffers->plot[i], 2 * (size_t)room, true, &error);
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
        device_memory_free(buffers->device, all[i]);
    buffers->device->impl->free_host(buffers->device, buffers->staging);
    free_lists(buffers);
    *buffers = (struct density_buffers){.device = buffers->device};
}

/* Allocates the memory whose size does not depend on the request. */
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
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        device_memory_allocate(buffers->device, all[i].memory, all[i].bytes, &error);
    return error == DEVICE_OK
               ? buffers->device->impl->alloc_host(buffers->device, sizeof *buffers->staging,
                                                   (void **)&buffers->staging)
               : error;
}

static void allocate_counts(struct density_buffers *buffers, size_t size,
                            enum device_error *error) {
    struct paint_counts *counts = &buffers->counts;
    /* Free this first: the allocation of `fresh` may need its memory. */
    device_memory_free(buffers->device, &counts->total);
    counts->size = size;
    device_memory_allocate(buffers->device, &counts->fresh, size * sizeof(uint32_t), error);
    device_memory_allocate(buffers->device, &counts->total, size * sizeof(uint64_t), error);
}

bool density_buffers_reserve(struct density_buffers *buffers, const struct density_req *req,
                             bool rgba, enum device_error *error) {
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px,
                 counts = density_counters(req);
    *error = buffers->staging ? DEVICE_OK : allocate_fixed(buffers);
    if (*error == DEVICE_OK && counts != buffers->counts.size)
        allocate_counts(buffers, counts, error);
    if (*error == DEVICE_OK && rgba && pixels != buffers->pixels) {
        buffers->pixels = pixels;
        device_memory_allocate(buffers->device, &buffers->rgba, pixels * sizeof(uint32_t), error);
    }
    if (*error == DEVICE_OK)
        return true;
    density_buffers_finish(buffers);
    device_memory_log_shortage(buffers->device, "counting at", req->width_px, req->height_px,
                               counts * (sizeof(uint32_t) + sizeof(uint64_t)), error);
    return false;
}
