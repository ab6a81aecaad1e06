/* CUDA backend. */
#ifndef FATHOM_CUDA_CUDA_BACKEND_H
#define FATHOM_CUDA_CUDA_BACKEND_H

#include "render/backend.h"

extern const struct backend_impl backend_cuda;

/* Describes the runtime and driver versions and each device for `fathom info`: calls `line` for
 * each line of text, also if there is no driver. */
void cuda_describe(void (*line)(void *user, const char *text), void *user);

#endif
