/* GPU backend: implements the backend contract (render/backend.h) on the interface of
 * gpu/device.h. */
#ifndef FATHOM_GPU_GPU_BACKEND_H
#define FATHOM_GPU_GPU_BACKEND_H

#include "gpu/device.h"
#include "render/backend.h"

/* Creates a handle on the device with that ordinal, which a thread starts. Returns NULL on failure;
 * the reason is logged. A negative ordinal fails because of `why`. */
void *gpu_backend_create(const struct device_impl *impl, int ordinal, const char *why,
                         const struct backend_options *options);

/* The other entries of the contract. */
void *gpu_backend_another(void *gpu, enum backend_priority priority);
void gpu_backend_destroy(void *gpu);
void gpu_backend_info(void *gpu, struct backend_info *info);
bool gpu_backend_submit(void *gpu, const struct frame_req *req, const struct target *target);
bool gpu_backend_recolour(void *gpu, uint64_t from, uint64_t generation, const struct look *look);
void gpu_backend_poll(void *gpu, double budget_ms, struct backend_report *report);
void gpu_backend_cancel(void *gpu);
void gpu_backend_statistics(void *gpu, struct statistics *out);
extern const struct backend_density gpu_backend_density;
extern const struct backend_resampler gpu_backend_resampler;

#define GPU_BACKEND_ENTRIES                                                                        \
    .another = gpu_backend_another, .destroy = gpu_backend_destroy, .info = gpu_backend_info,      \
    .submit = gpu_backend_submit, .recolour = gpu_backend_recolour, .poll = gpu_backend_poll,      \
    .cancel = gpu_backend_cancel, .statistics = gpu_backend_statistics,                            \
    .density = &gpu_backend_density, .resampler = &gpu_backend_resampler

#endif
