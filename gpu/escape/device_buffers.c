/* Allocates device memory for pictures, and keeps it as long as its size is about right. */
#include "gpu/escape/device_buffers.h"
#include "render/base/log.h"
#include "render/coords.h"
#include <stdlib.h>

#define BAND_MAX ((size_t)1 << 25) /* larger pictures are drawn one band after another */
#define WASTE    4                 /* memory for this many times the pixels is given back */

static enum device_error get(const struct device_buffers *buffers, struct device_pointer *memory,
                             size_t bytes) {
    return buffers->device->impl->alloc(buffers->device, bytes, memory);
}

static void put(const struct device_buffers *buffers, struct device_pointer *memory) {
    buffers->device->impl->free(buffers->device, *memory);
    memory->word = 0;
}

/* Two arrays, both or none of them. */
static enum device_error get_pair(const struct device_buffers *buffers, struct device_pointer *a,
                                  struct device_pointer *b, size_t bytes) {
    enum device_error error = get(buffers, a, bytes);
    if (error == DEVICE_OK)
        error = get(buffers, b, bytes);
    if (error != DEVICE_OK)
        put(buffers, a);
    return error;
}

static enum device_error allocate_planes(const struct device_buffers *buffers,
                                         struct planes *planes) {
    enum device_error error = DEVICE_OK;
    for (int p = 0; p < SAMPLE_PLANES && error == DEVICE_OK; p++)
        if (buffers->set >> p & 1 && !planes->plane[p].word)
            error = get(buffers, &planes->plane[p], buffers->pixels * SAMPLE_PLANE_BYTES);
    return error;
}

/* With room for all types, so that a change of number type allocates nothing. */
static enum device_error allocate_states(const struct device_buffers *buffers,
                                         struct states *states) {
    return get(buffers, &states->memory, buffers->band * FRAME_STATE_MAX);
}

void device_buffers_finish(struct device_buffers *buffers) {
    for (int p = 0; p < SAMPLE_PLANES; p++) {
        put(buffers, &buffers->now.plane[p]);
        put(buffers, &buffers->spare.plane[p]);
    }
    struct device_pointer *const all[] = {&buffers->states.memory, &buffers->spare_states.memory,
                                          &buffers->lists[0],      &buffers->lists[1],
                                          &buffers->rgba,          &buffers->coords,
                                          &buffers->table};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        put(buffers, all[i]);
    device_buffers_assign(buffers, NULL);
    *buffers = (struct device_buffers){.device = buffers->device};
}

static size_t band_of(size_t pixels) {
    return pixels < BAND_MAX ? pixels : BAND_MAX;
}

static enum device_error allocate(struct device_buffers *buffers, unsigned set, size_t pixels) {
    buffers->pixels = pixels;
    buffers->set = set;
    buffers->band = band_of(pixels);
    enum device_error error = allocate_planes(buffers, &buffers->now);
    if (error == DEVICE_OK)
        error = allocate_states(buffers, &buffers->states);
    if (error == DEVICE_OK)
        error = get_pair(buffers, &buffers->lists[0], &buffers->lists[1],
                         buffers->band * sizeof(uint32_t));
    return error == DEVICE_OK ? get(buffers, &buffers->table, COLOUR_TABLE_SIZE * sizeof(uint32_t))
                              : error;
}

static enum device_error allocate_coords(struct device_buffers *buffers, size_t entries) {
    if (entries <= buffers->entries)
        return DEVICE_OK;
    put(buffers, &buffers->coords);
    buffers->entries = entries;
    return get(buffers, &buffers->coords, entries * sizeof(struct coords_double));
}

static double needed_mib(size_t pixels, unsigned set, bool rgba) {
    const size_t planes = (size_t)__builtin_popcount(set) + rgba;
    const size_t bytes =
        pixels * planes * SAMPLE_PLANE_BYTES + band_of(pixels) * (2 * 4 + FRAME_STATE_MAX);
    return (double)bytes / 1048576;
}

static void log_no_memory(struct device *device, const struct frame_req *req, bool rgba) {
    const size_t available = device->impl->bytes_free(device);
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    log_error("a picture of %dx%d needs %.0f MiB on the GPU, where %.0f are free; try a smaller "
              "--size, or another --backend",
              req->width_px, req->height_px, needed_mib(pixels, req->planes, rgba),
              (double)available / 1048576);
}

bool device_buffers_reserve(struct device_buffers *buffers, const struct frame_req *req, bool rgba,
                            enum device_error *error) {
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    *error = DEVICE_OK;
    if (pixels > buffers->pixels || pixels < buffers->pixels / WASTE ||
        req->planes & ~buffers->set) {
        device_buffers_finish(buffers);
        *error = allocate(buffers, req->planes, pixels);
    }
    if (*error == DEVICE_OK && rgba && !buffers->rgba.word)
        *error = get(buffers, &buffers->rgba, buffers->pixels * sizeof(uint32_t));
    if (*error == DEVICE_OK)
        *error = allocate_coords(buffers, (size_t)req->width_px + (size_t)req->height_px);
    if (*error == DEVICE_OK)
        return true;
    device_buffers_finish(buffers);
    if (*error == DEVICE_NO_MEMORY) {
        log_no_memory(buffers->device, req, rgba);
        *error = DEVICE_OK;
    }
    return false;
}

bool device_buffers_reserve_spare(struct device_buffers *buffers) {
    return allocate_planes(buffers, &buffers->spare) == DEVICE_OK &&
           (buffers->spare_states.memory.word ||
            allocate_states(buffers, &buffers->spare_states) == DEVICE_OK);
}

void device_buffers_assign(struct device_buffers *buffers, struct frame_req *req) {
    if (buffers->req) {
        frame_req_finish(buffers->req);
        free(buffers->req);
    }
    buffers->req = req;
}
