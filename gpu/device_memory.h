/* Device memory that has an owner, and what is said when there is not enough. */
#ifndef FATHOM_GPU_DEVICE_MEMORY_H
#define FATHOM_GPU_DEVICE_MEMORY_H

#include "gpu/device.h"

/* Memory in place of what is there; nothing happens where *error is set already. */
void device_memory_get(struct device *device, struct device_pointer *memory, size_t bytes,
                       enum device_error *error);
void device_memory_put(struct device *device, struct device_pointer *memory);
/* Logs that memory is what is lacking, if it is, and resets *error then. `what` precedes the size
 * of the picture. */
void device_memory_explain(struct device *device, const char *what, int width_px, int height_px,
                           size_t bytes, enum device_error *error);

#endif
