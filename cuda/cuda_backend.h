/* The CUDA backend. */
#ifndef FATHOM_CUDA_CUDA_BACKEND_H
#define FATHOM_CUDA_CUDA_BACKEND_H

#ifdef __cplusplus
extern "C" {
#endif

#include "render/backend.h"

extern const struct backend_impl backend_cuda;

/* One line about driver, runtime and devices each, for `fathom info`: calls `line` for every one.
 * `line` gets lines also when there is no driver. */
void cuda_describe(void (*line)(void *user, const char *text), void *user);

#ifdef __cplusplus
}
#endif

#endif
