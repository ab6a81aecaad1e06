/* Allocates and frees device memory, so that callers only list sizes. */
#include "gpu/device_memory.h"
#include "render/base/log.h"

void device_memory_allocate(struct device *device, struct device_pointer *memory, size_t bytes,
                            enum device_error *error) {
    if (*error != DEVICE_OK)
        return;
    device_memory_free(device, memory);
    *error = device->impl->alloc(device, bytes, memory);
}

void device_memory_free(struct device *device, struct device_pointer *memory) {
    device->impl->free(device, *memory);
    memory->word = 0;
}

void device_memory_log_shortage(struct device *device, const char *what, int width_px,
                                int height_px, size_t bytes, enum device_error *error) {
    if (*error != DEVICE_NO_MEMORY)
        return;
    log_error("%s %dx%d needs %.0f MiB on the GPU, where %.0f are free; try a smaller --size, or "
              "another --backend",
              what, width_px, height_px, (double)bytes / 1048576,
              (double)device->impl->bytes_free(device) / 1048576);
    *error = DEVICE_OK;
}
