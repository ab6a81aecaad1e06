/* Device buffers: allocates device memory for pictures, and keeps it while its size is about
 * right. */
#include "gpu/escape/device_buffers.h"
#include "gpu/device_memory.h"
#include "render/grid/coords.h"
#include <stdlib.h>

#define BAND_MAX ((size_t)1 << 25) /* pixels per band; a larger picture is drawn as several bands */
#define WASTE    4                 /* memory for more than this multiple of the pixels is freed */

static void allocate_planes(const struct device_buffers *buffers, struct planes *planes,
                            enum device_error *error) {
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (buffers->set >> p & 1 && !planes->plane[p].word)
            device_memory_allocate(buffers->device, &planes->plane[p],
                                   buffers->pixels * SAMPLE_PLANE_BYTES, error);
}

/* Allocates states large enough for all number types, so that a change of type allocates
 * nothing. */
static void allocate_states(const struct device_buffers *buffers, struct device_pointer *states,
                            enum device_error *error) {
    if (!states->word)
        device_memory_allocate(buffers->device, states, buffers->band * FRAME_STATE_MAX, error);
}

void device_buffers_finish(struct device_buffers *buffers) {
    for (int p = 0; p < SAMPLE_PLANES; p++) {
        device_memory_free(buffers->device, &buffers->now.plane[p]);
        device_memory_free(buffers->device, &buffers->spare.plane[p]);
    }
    struct device_pointer *const all[] = {
        &buffers->states,        &buffers->spare_states, &buffers->lists[0],
        &buffers->lists[1],      &buffers->rgba,         &buffers->coords,
        &buffers->double_coords, &buffers->lines,        &buffers->table};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        device_memory_free(buffers->device, all[i]);
    device_buffers_assign(buffers, NULL);
    device_tables_finish(&buffers->deep);
    device_tables_finish(&buffers->screen);
    *buffers = (struct device_buffers){.device = buffers->device};
}

static size_t band_of(size_t pixels) {
    return pixels < BAND_MAX ? pixels : BAND_MAX;
}

static void allocate(struct device_buffers *buffers, unsigned set, size_t pixels,
                     enum device_error *error) {
    buffers->pixels = pixels;
    buffers->set = set;
    buffers->band = band_of(pixels);
    allocate_planes(buffers, &buffers->now, error);
    allocate_states(buffers, &buffers->states, error);
    for (int i = 0; i < 2; i++)
        device_memory_allocate(buffers->device, &buffers->lists[i],
                               buffers->band * sizeof(uint32_t), error);
    device_memory_allocate(buffers->device, &buffers->table, SHADES_TABLE_SIZE * sizeof(uint32_t),
                           error);
}

static void allocate_coords(struct device_buffers *buffers, size_t entries,
                            enum device_error *error) {
    if (entries <= buffers->entries)
        return;
    buffers->entries = entries;
    device_memory_allocate(buffers->device, &buffers->coords, entries * sizeof(struct coords_wide),
                           error);
    device_memory_allocate(buffers->device, &buffers->double_coords,
                           entries * sizeof(struct coords_double), error);
    device_memory_allocate(buffers->device, &buffers->lines, entries * sizeof(int32_t), error);
}

static size_t needed_bytes(size_t pixels, unsigned set, bool rgba) {
    const size_t planes = (size_t)__builtin_popcount(set) + rgba;
    return pixels * planes * SAMPLE_PLANE_BYTES + band_of(pixels) * (2 * 4 + FRAME_STATE_MAX);
}

bool device_buffers_reserve(struct device_buffers *buffers, const struct frame_req *req, bool rgba,
                            enum device_error *error) {
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    *error = DEVICE_OK;
    if (pixels > buffers->pixels || pixels < buffers->pixels / WASTE) {
        device_buffers_finish(buffers);
        /* The number of lines of a picture in motion varies slightly. */
        allocate(buffers, req->planes, req->lines ? pixels + pixels / 4 : pixels, error);
    }
    buffers->set |= req->planes;
    allocate_planes(buffers, &buffers->now, error);
    if (rgba && !buffers->rgba.word)
        device_memory_allocate(buffers->device, &buffers->rgba, buffers->pixels * sizeof(uint32_t),
                               error);
    allocate_coords(buffers, (size_t)req->width_px + (size_t)req->height_px, error);
    if (*error == DEVICE_OK)
        return true;
    device_buffers_finish(buffers);
    device_memory_log_shortage(buffers->device, "a picture of", req->width_px, req->height_px,
                               needed_bytes(pixels, req->planes, rgba), error);
    return false;
}

bool device_buffers_reserve_spare(struct device_buffers *buffers) {
    enum device_error error = DEVICE_OK;
    allocate_planes(buffers, &buffers->spare, &error);
    allocate_states(buffers, &buffers->spare_states, &error);
    return error == DEVICE_OK;
}

void device_buffers_assign(struct device_buffers *buffers, struct frame_req *req) {
    if (buffers->req) {
        frame_req_finish(buffers->req);
        free(buffers->req);
    }
    buffers->req = req;
}
