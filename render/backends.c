/* Lists of backends for every program that draws. Their headers are not included, because render/
 * may not depend on folders above it; the target fathom_backends links the backends. */
#include "render/backends.h"

extern const struct backend_impl backend_opencl, backend_avx512, backend_avx2, backend_scalar;
#ifdef FATHOM_CUDA
extern const struct backend_impl backend_cuda;
#define GPUS &backend_cuda, &backend_opencl
#else
#define GPUS &backend_opencl
#endif
#define CPUS &backend_avx512, &backend_avx2, &backend_scalar

const struct backend_impl *const backends_all[] = {GPUS, CPUS, &backend_null, NULL};
const struct backend_impl *const backends_drawing[] = {GPUS, CPUS, NULL};
const struct backend_impl *const backends_cpu[] = {CPUS, NULL};
