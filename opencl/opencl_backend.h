/* The OpenCL backend. */
#ifndef FATHOM_OPENCL_OPENCL_BACKEND_H
#define FATHOM_OPENCL_OPENCL_BACKEND_H

#include "render/backend.h"

extern const struct backend_impl backend_opencl;

#endif
