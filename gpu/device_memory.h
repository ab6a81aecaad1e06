/* Device memory: allocation with a shared error variable, and the message for a lack of memory. */
#ifndef FATHOM_GPU_DEVICE_MEMORY_H
#define FATHOM_GPU_DEVICE_MEMORY_H

#include "gpu/device.h"

/* Replaces the memory by `bytes` bytes of new memory. Has no effect if *error is already set. */
void device_memory_allocate(struct device *device, struct device_pointer *memory, size_t bytes,
                            enum device_error *error);
void device_memory_free(struct device *device, struct device_pointer *memory);
/* If *error is DEVICE_NO_MEMORY, logs the lack of memory and resets *error. `what` precedes the
 * picture's size in the message. */
void device_memory_log_shortage(struct device *device, const char *what, int width_px,
                                int height_px, size_t bytes, enum device_error *error);

#endif
