/* Registering and mapping OpenGL buffers. */
#include "cuda/interop.h"
#include "render/base/log.h"
#include <cuda_gl_interop.h>

#define DEVICES_MAX 64

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

bool interop_init(struct interop *interop, int ordinal) {
    *interop = (struct interop){0};
    if (!drives_context(ordinal))
        return false;
    const bool ok =
        cudaStreamCreateWithFlags(&interop->stream, cudaStreamNonBlocking) == cudaSuccess &&
        cudaEventCreateWithFlags(&interop->mapped_event, cudaEventDisableTiming) == cudaSuccess;
    if (!ok) {
        cudaGetLastError();
        interop_finish(interop);
    }
    return ok;
}

static void unregister(struct interop *interop) {
    if (interop->resource)
        cudaGraphicsUnregisterResource(interop->resource);
    interop->resource = NULL;
    interop->buffer = 0;
}

void interop_finish(struct interop *interop) {
    interop_unmap(interop);
    unregister(interop);
    if (interop->mapped_event)
        cudaEventDestroy(interop->mapped_event);
    if (interop->stream)
        cudaStreamDestroy(interop->stream);
    *interop = (struct interop){0};
}

static cudaError_t use_buffer(struct interop *interop, uint32_t buffer, size_t bytes) {
    if (interop->resource && interop->buffer == buffer && interop->bytes == bytes)
        return cudaSuccess;
    unregister(interop);
    interop->buffer = buffer;
    interop->bytes = bytes;
    return cudaGraphicsGLRegisterBuffer(&interop->resource, buffer,
                                        cudaGraphicsRegisterFlagsWriteDiscard);
}

static cudaError_t map(struct interop *interop, size_t bytes, uint32_t **rgba) {
    size_t size = 0;
    cudaError_t error = cudaGraphicsMapResources(1, &interop->resource, interop->stream);
    if (error != cudaSuccess)
        return error;
    interop->mapped = true;
    error = cudaGraphicsResourceGetMappedPointer((void **)rgba, &size, interop->resource);
    if (error == cudaSuccess && size < bytes)
        error = cudaErrorInvalidValue;
    return error == cudaSuccess ? cudaEventRecord(interop->mapped_event, interop->stream) : error;
}

bool interop_map(struct interop *interop, uint32_t buffer, size_t bytes, uint32_t **rgba) {
    cudaError_t error = use_buffer(interop, buffer, bytes);
    if (error == cudaSuccess)
        error = map(interop, bytes, rgba);
    if (error == cudaSuccess)
        return true;
    cudaGetLastError();
    interop_unmap(interop);
    unregister(interop);
    log_error("CUDA cannot draw to an OpenGL buffer of %zu bytes: %s; use another --backend", bytes,
              cudaGetErrorString(error));
    return false;
}

void interop_unmap(struct interop *interop) {
    if (interop->mapped)
        cudaGraphicsUnmapResources(1, &interop->resource, interop->stream);
    interop->mapped = false;
}
