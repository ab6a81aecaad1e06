/* The OpenGL buffer that kernels write to. All on the owner's thread, with the context current. */
#ifndef FATHOM_CUDA_INTEROP_H
#define FATHOM_CUDA_INTEROP_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interop {
    cudaStream_t stream;
    cudaEvent_t mapped_event;
    struct cudaGraphicsResource *resource; /* of `buffer`, kept for the next picture */
    uint32_t buffer;
    size_t bytes;
    bool mapped;
};

/* Whether the current GL context runs on this device; then it can be used. */
bool interop_init(struct interop *interop, int ordinal);
/* Also for a zeroed one. */
void interop_finish(struct interop *interop);

/* Maps a buffer of at least that size; it must not be mapped already. Work that waits for
 * mapped_event may write to *rgba. False: logged why. */
bool interop_map(struct interop *interop, uint32_t buffer, size_t bytes, uint32_t **rgba);
/* Gives it back to OpenGL; nothing that writes to it is in flight. Not mapped: does nothing. */
void interop_unmap(struct interop *interop);

#endif
