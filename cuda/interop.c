/* Maps OpenGL buffers for kernels, so that pixels get to the screen without a copy. */
#include "cuda/interop.h"
#include "gpu/gl/gl_buffers.h"
#include "render/base/log.h"
#include <cuda_gl_interop.h>
#include <stdlib.h>

#define DEVICES_MAX 64

/* Of a device; NULL: it takes no GL buffers. */
struct interop {
    cudaStream_t stream;
    cudaEvent_t mapped_event;
    struct gl_buffers registered;
    bool mapped; /* the first */
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

static void unregister(void *user, void *resource) {
    (void)user;
    cudaGraphicsUnregisterResource(resource);
}

static struct cudaGraphicsResource *first_of(const struct interop *interop) {
    return interop->registered.known[0].resource;
}

static void unmap(struct interop *interop) {
    struct cudaGraphicsResource *first = first_of(interop);
    if (interop->mapped)
        cudaGraphicsUnmapResources(1, &first, interop->stream);
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
        gl_buffers_forget(&interop->registered, i);
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
    if (interop)
        interop->registered.forget = unregister;
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

static cudaError_t use_buffer(struct interop *interop, uint32_t buffer, size_t bytes) {
    struct cudaGraphicsResource *resource = NULL;
    if (gl_buffers_use(&interop->registered, buffer, bytes))
        return cudaSuccess;
    const cudaError_t error =
        cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard);
    interop->registered.known[0] = (struct gl_buffer){resource, buffer, bytes};
    return error;
}

static cudaError_t map(struct interop *interop, size_t bytes, struct device_pointer *rgba) {
    struct cudaGraphicsResource *first = first_of(interop);
    size_t *has = &interop->registered.known[0].bytes;
    void *memory = NULL;
    cudaError_t error = cudaGraphicsMapResources(1, &first, interop->stream);
    if (error != cudaSuccess)
        return error;
    interop->mapped = true;
    error = cudaGraphicsResourceGetMappedPointer(&memory, has, first);
    rgba->word = (uintptr_t)memory;
    if (error == cudaSuccess && *has < bytes)
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
    gl_buffers_forget(&interop->registered, 0);
    log_error("CUDA cannot draw to an OpenGL buffer of %zu bytes: %s; use another --backend", bytes,
              cudaGetErrorString(error));
    return false;
}
