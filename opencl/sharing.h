/* OpenGL's buffers as memory of a device, by cl_khr_gl_sharing: a context for that, and the gl_ functions of
 * gpu/device.h, which says what they do. */
#ifndef FATHOM_OPENCL_SHARING_H
#define FATHOM_OPENCL_SHARING_H

#include "opencl/opencl_device.h"

/* A context of the device that can share; NULL: it, or OpenGL's context, is not one for that. */
cl_context sharing_context(struct opencl *own, const struct gl_context *gl);

/* True only if OpenGL sees what the device writes, which is tried. */
bool sharing_open(struct device *device);
void sharing_close(struct device *device);
bool sharing_map(struct device *device, uint32_t buffer, size_t bytes, struct device_pointer *rgba,
                 struct device_event **mapped);
void sharing_unmap(struct device *device);

#endif
