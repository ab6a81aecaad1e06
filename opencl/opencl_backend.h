/* The OpenCL backend. */
#ifndef FATHOM_OPENCL_OPENCL_BACKEND_H
#define FATHOM_OPENCL_OPENCL_BACKEND_H

#include "render/backend.h"

extern const struct backend_impl backend_opencl;

/* Drivers that have not been asked yet are asked in another process, as if none had answered well before: for callers that
 * fork later. */
void opencl_doubt(void);
/* Whether OpenCL's drivers tell of any device, as they are asked once. False: *why. */
bool opencl_answers(const char **why);
/* Calls `line` with a line of text for each device, or one that says why there is none. Tries them: some hundred
 * milliseconds each. */
void opencl_describe(void (*line)(void *user, const char *text), void *user);

#endif
