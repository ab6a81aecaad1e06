/* The list of all backends, for every program that draws. It names them and includes none, as
 * render/ knows nothing above it; the target fathom_backends links what it names. */
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
