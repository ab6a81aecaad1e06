/* Statistics of a complete picture, gathered on the device: memory for them and launches. */
#ifndef FATHOM_CUDA_ESCAPE_DEVICE_STATISTICS_H
#define FATHOM_CUDA_ESCAPE_DEVICE_STATISTICS_H

#include "render/statistics.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

struct device_statistics {
    struct statistics *device; /* without `pixels` */
    struct statistics *host;   /* pinned; what was read back */
};

/* Loads the code too. Finish it in any case. */
cudaError_t device_statistics_init(struct device_statistics *memory);
void device_statistics_finish(struct device_statistics *memory);

/* All three happen in the stream's order and return at once. */
cudaError_t device_statistics_clear(const struct device_statistics *memory, cudaStream_t stream);
/* Adds `size` counts of a complete picture, as planes hold them (kernels.h). */
cudaError_t device_statistics_add(const struct device_statistics *memory, const uint32_t *count,
                                  uint32_t size, cudaStream_t stream);
cudaError_t device_statistics_read(const struct device_statistics *memory, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
