/* The one place that knows every backend. */
#include "app/backends.h"
#include "cpu/cpu.h"
#ifdef FATHOM_CUDA
#include "cuda/cuda_backend.h"
#endif

const struct backend_impl *const backends_all[] = {
#ifdef FATHOM_CUDA
    &backend_cuda,
#endif
    &backend_avx512, &backend_avx2, &backend_scalar, &backend_null, NULL,
};

const struct backend_impl *const backends_cpu[] = {&backend_avx512, &backend_avx2, &backend_scalar,
                                                   NULL};
