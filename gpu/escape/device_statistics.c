/* Memory for a picture's statistics on the device, and the launches that gather them there. */
#include "gpu/escape/device_statistics.h"

enum device_error device_statistics_init(struct device_statistics *memory, struct device *device) {
    memory->device = device;
    const enum device_error error = device->impl->alloc(device, sizeof *memory->host, &memory->sum);
    return error == DEVICE_OK
               ? device->impl->alloc_host(device, sizeof *memory->host, (void **)&memory->host)
               : error;
}

void device_statistics_finish(struct device_statistics *memory) {
    struct device *device = memory->device;
    if (!device)
        return;
    device->impl->free(device, memory->sum);
    device->impl->free_host(device, memory->host);
    *memory = (struct device_statistics){0};
}

enum device_error device_statistics_clear(const struct device_statistics *memory,
                                          struct device_queue *queue) {
    const struct device_impl *impl = memory->device->impl;
    const struct device_pointer least =
        device_pointer_at(memory->sum, offsetof(struct statistics, least));
    const enum device_error error = impl->fill(queue, memory->sum, 0, sizeof *memory->host);
    return error == DEVICE_OK ? impl->fill(queue, least, 0xff, sizeof memory->host->least) : error;
}

enum device_error device_statistics_add(const struct device_statistics *memory,
                                        struct device_pointer count, uint32_t size,
                                        struct device_queue *queue) {
    const struct gather_args args = {.count = count, .sum = memory->sum, .size = size};
    return memory->device->impl->kernels->gather(&args, queue);
}

enum device_error device_statistics_read(const struct device_statistics *memory,
                                         struct device_queue *queue) {
    return memory->device->impl->download(queue, memory->host, memory->sum, sizeof *memory->host);
}
