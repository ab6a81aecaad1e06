/* OpenGL interoperation: implements the gl_ functions of gpu/device.h. */
#ifndef FATHOM_CUDA_INTEROP_H
#define FATHOM_CUDA_INTEROP_H

#include "gpu/device.h"

bool interop_open(struct device *device);
void interop_close(struct device *device);
bool interop_map(struct device *device, uint32_t buffer, size_t bytes, struct device_pointer *rgba,
                 struct device_event **mapped);
void interop_unmap(struct device *device);

#endif
