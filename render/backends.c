/* The list of all backends, for every program that draws. It names them and includes none, as
 * render/ knows nothing above it; the target fathom_backends links what it names. */
#include "render/backends.h"

extern const struct backend_impl backend_avx512, backend_avx2, backend_scalar;
#ifdef FATHOM_CUDA
extern const struct backend_impl backend_cuda;
#endif

const struct backend_impl *const backends_all[] = {
#ifdef FATHOM_CUDA
    &backend_cuda,
#endif
    &backend_avx512, &backend_avx2, &backend_scalar, &backend_null, NULL,
};

const struct backend_impl *const backends_cpu[] = {&backend_avx512, &backend_avx2, &backend_scalar,
                                                   NULL};
