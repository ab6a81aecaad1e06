/* The list of all backends, for every program that draws. It names them and includes none, as
 * render/ knows nothing above it; the target fathom_backends links what it names. */
#include "render/backends.h"
#include "render/all/backend_all.h"

extern const struct backend_impl backend_opencl, backend_avx512, backend_avx2, backend_scalar;
#ifdef FATHOM_CUDA
extern const struct backend_impl backend_cuda;
#endif

const struct backend_impl *const backends_cpu[] = {&backend_avx512, &backend_avx2, &backend_scalar,
                                                   NULL};
static const struct backend_impl *const gpus[] = {
#ifdef FATHOM_CUDA
    &backend_cuda,
#endif
    &backend_opencl, NULL};

static const struct backend_impl *const *const devices[] = {gpus, backends_cpu, NULL};

/* Below a quarter of a million pixels there is more to give out than to gain. */
BACKEND_ALL(backend_all_devices, "all", devices, 1 << 18);

const struct backend_impl *const backends_single[] = {
#ifdef FATHOM_CUDA
    &backend_cuda,
#endif
    &backend_opencl, &backend_avx512, &backend_avx2, &backend_scalar, NULL,
};

const struct backend_impl *const backends_all[] = {
#ifdef FATHOM_CUDA
    &backend_cuda,
#endif
    &backend_opencl,      &backend_avx512, &backend_avx2, &backend_scalar,
    &backend_all_devices, &backend_null,   NULL,
};
