/* List of backends for OpenCL tests: OpenCL's and those of the CPU. */
#include "opencl/opencl_backend.h"

extern const struct backend_impl backend_avx512, backend_avx2, backend_scalar;
extern const struct backend_impl *const opencl_backends[];

const struct backend_impl *const opencl_backends[] = {&backend_opencl, &backend_avx512,
                                                      &backend_avx2, &backend_scalar, NULL};
