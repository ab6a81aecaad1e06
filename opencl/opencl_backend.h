/* The OpenCL backend. */
#ifndef FATHOM_OPENCL_OPENCL_BACKEND_H
#define FATHOM_OPENCL_OPENCL_BACKEND_H

#include "render/backend.h"

extern const struct backend_impl backend_opencl;

/* One line about each device, and whether it can be used, for `fathom info`: calls `line` for every one, also when
 * there is none. Tries each device, which takes up to some seconds. */
void opencl_describe(void (*line)(void *user, const char *text), void *user);

#endif
