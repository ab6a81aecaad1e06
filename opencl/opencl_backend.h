/* The OpenCL backend. */
#ifndef FATHOM_OPENCL_OPENCL_BACKEND_H
#define FATHOM_OPENCL_OPENCL_BACKEND_H

#include "render/backend.h"

extern const struct backend_impl backend_opencl;

/* Whether OpenCL's drivers tell of any device, which a process of its own asks them once. False: *why. */
bool opencl_answers(const char **why);
/* Calls `line` with a line of text for each device, or one that says why there is none. Tries them: some hundred
 * milliseconds each. */
void opencl_describe(void (*line)(void *user, const char *text), void *user);

#endif
