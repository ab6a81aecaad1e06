/* Statistics of a complete picture, gathered on the device: memory for them and launches. */
#ifndef FATHOM_GPU_ESCAPE_DEVICE_STATISTICS_H
#define FATHOM_GPU_ESCAPE_DEVICE_STATISTICS_H

#include "gpu/device.h"
#include "render/statistics.h"

/* Adds `size` counts of a complete picture, as planes hold them (kernels.h). */
struct gather_args {
    DEVICE_POINTER(const uint32_t) count;
    DEVICE_POINTER(struct statistics) sum; /* without `pixels` */
    uint32_t size;
};

struct device_statistics {
    struct device *device;
    struct device_pointer sum;
    struct statistics *host; /* pinned; what was read back */
};

/* Finish it in any case. */
enum device_error device_statistics_init(struct device_statistics *memory, struct device *device);
void device_statistics_finish(struct device_statistics *memory);

/* All three happen in the queue's order and return at once. */
enum device_error device_statistics_clear(const struct device_statistics *memory,
                                          struct device_queue *queue);
enum device_error device_statistics_add(const struct device_statistics *memory,
                                        struct device_pointer count, uint32_t size,
                                        struct device_queue *queue);
enum device_error device_statistics_read(const struct device_statistics *memory,
                                         struct device_queue *queue);

#endif
