/* The list of backends for tests of what draws on several devices at a time. */
#include "tests/gpu/host_all.h"
#include "render/all/backend_all.h"
#include "tests/gpu/host_device.h"

extern const struct backend_impl backend_avx512, backend_avx2, backend_scalar;
static const struct backend_impl *const host[] = {&backend_host, NULL};
static const struct backend_impl *const cpu[] = {&backend_avx512, &backend_avx2, &backend_scalar,
                                                 NULL};
static const struct backend_impl *const *const devices[] = {host, cpu, NULL};
BACKEND_ALL(backend_host_all, "all", devices, 40000);

const struct backend_impl *const host_all_backends[] = {
    &backend_host, &backend_avx512, &backend_avx2, &backend_scalar, &backend_host_all, NULL};
