/* Statistics of a complete picture, gathered on the device: memory for them and launches. */
#ifndef FATHOM_CUDA_ESCAPE_GATHER_H
#define FATHOM_CUDA_ESCAPE_GATHER_H

#include "render/statistics.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gather {
    struct statistics *device; /* without `pixels` */
    struct statistics *host;   /* pinned; what was read back */
};

/* Loads the code too. Finish it in any case. */
cudaError_t gather_init(struct gather *memory);
void gather_finish(struct gather *memory);

/* All three happen in the stream's order and return at once. */
cudaError_t gather_clear(const struct gather *memory, cudaStream_t stream);
/* Adds `size` counts of a complete picture, as planes hold them (kernels.h). */
cudaError_t gather_add(const struct gather *memory, const uint32_t *count, uint32_t size,
                       cudaStream_t stream);
cudaError_t gather_read(const struct gather *memory, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
