/* OpenGL interoperation: maps OpenGL buffers for kernels, so that pixels reach the screen without a
 * copy. */
#include "cuda/interop.h"
#include "render/base/log.h"
#include <cuda_gl_interop.h>
#include <stdlib.h>

#define DEVICES_MAX 64

/* GL buffer that stays registered for later pictures. */
struct registered {
    struct cudaGraphicsResource *resource; /* NULL: none */
    uint32_t buffer;
    size_t bytes; /* minimum size */
};

/* State of a device that supports GL buffers; NULL for other devices. */
struct interop {
    cudaStream_t stream;
    cudaEvent_t mapped_event;
    struct registered registered[2]; /* latest first; pictures in motion alternate between two */
    bool mapped;                     /* the first one is mapped */
};

static bool drives_context(int ordinal) {
    int devices[DEVICES_MAX];
    unsigned count = 0;
    if (cudaGLGetDevices(&count, devices, DEVICES_MAX, cudaGLDeviceListAll) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    for (unsigned i = 0; i < count && i < DEVICES_MAX; i++)
        if (devices[i] == ordinal)
            return true;
    return false;
}

static void unregister(struct registered *registered) {
    if (registered->resource)
        cudaGraphicsUnregisterResource(registered->resource);
    *registered = (struct registered){0};
}

static void unmap(struct interop *interop) {
    if (interop->mapped)
        cudaGraphicsUnmapResources(1, &interop->registered[0].resource, interop->stream);
    interop->mapped = false;
}

void interop_unmap(struct device *device) {
    unmap(device->gl);
}

void interop_close(struct device *device) {
    struct interop *interop = device->gl;
    if (!interop)
        return;
    unmap(interop);
    for (int i = 0; i < 2; i++)
        unregister(&interop->registered[i]);
    if (interop->mapped_event)
        cudaEventDestroy(interop->mapped_event);
    if (interop->stream)
        cudaStreamDestroy(interop->stream);
    free(interop);
    device->gl = NULL;
}

bool interop_open(struct device *device) {
    if (!drives_context(device->ordinal))
        return false;
    struct interop *interop = device->gl = calloc(1, sizeof *interop);
    const bool ok =
        interop &&
        cudaStreamCreateWithFlags(&interop->stream, cudaStreamNonBlocking) == cudaSuccess &&
        cudaEventCreateWithFlags(&interop->mapped_event, cudaEventDisableTiming) == cudaSuccess;
    if (!ok) {
        cudaGetLastError();
        interop_close(device);
    }
    return ok;
}

static bool serves(const struct registered *registered, uint32_t buffer, size_t bytes) {
    return registered->resource && registered->buffer == buffer && registered->bytes >= bytes;
}

/* Makes the buffer the first one and registers it if necessary. The previous first one becomes the
 * second. */
static cudaError_t use_buffer(struct interop *interop, uint32_t buffer, size_t bytes) {
    struct registered *first = &interop->registered[0], *second = &interop->registered[1];
    if (serves(first, buffer, bytes))
        return cudaSuccess;
    if (first->resource && first->buffer != buffer) {
        const struct registered last = *first;
        *first = *second;
        *second = last;
    }
    if (serves(first, buffer, bytes))
        return cudaSuccess;
    unregister(first);
    if (second->buffer == buffer) /* a deleted buffer's name was reused */
        unregister(second);
    *first = (struct registered){.buffer = buffer, .bytes = bytes};
    return cudaGraphicsGLRegisterBuffer(&first->resource, buffer,
                                        cudaGraphicsRegisterFlagsWriteDiscard);
}

static cudaError_t map(struct interop *interop, size_t bytes, struct device_pointer *rgba) {
    struct registered *first = &interop->registered[0];
    void *memory = NULL;
    cudaError_t error = cudaGraphicsMapResources(1, &first->resource, interop->stream);
    if (error != cudaSuccess)
        return error;
    interop->mapped = true;
    error = cudaGraphicsResourceGetMappedPointer(&memory, &first->bytes, first->resource);
    rgba->word = (uintptr_t)memory;
    if (error == cudaSuccess && first->bytes < bytes)
        error = cudaErrorInvalidValue;
    return error == cudaSuccess ? cudaEventRecord(interop->mapped_event, interop->stream) : error;
}

bool interop_map(struct device *device, uint32_t buffer, size_t bytes, struct device_pointer *rgba,
                 struct device_event **mapped) {
    struct interop *interop = device->gl;
    cudaError_t error = use_buffer(interop, buffer, bytes);
    if (error == cudaSuccess)
        error = map(interop, bytes, rgba);
    *mapped = (struct device_event *)interop->mapped_event;
    if (error == cudaSuccess)
        return true;
    cudaGetLastError();
    unmap(interop);
    unregister(&interop->registered[0]);
    log_error("CUDA cannot draw to an OpenGL buffer of %zu bytes: %s; use another --backend", bytes,
              cudaGetErrorString(error));
    return false;
}
