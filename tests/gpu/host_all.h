/* The device in host memory and the processor, drawing together. */
#ifndef FATHOM_TESTS_GPU_HOST_ALL_H
#define FATHOM_TESTS_GPU_HOST_ALL_H

#include "render/backend.h"

/* Those of host_backends, and "all" of them, which splits pictures from 40,000 pixels on. */
extern const struct backend_impl *const host_all_backends[];

#endif
