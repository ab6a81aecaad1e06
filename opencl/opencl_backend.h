/* OpenCL backend. */
#ifndef FATHOM_OPENCL_OPENCL_BACKEND_H
#define FATHOM_OPENCL_OPENCL_BACKEND_H

#include "render/backend.h"

extern const struct backend_impl backend_opencl;

/* Makes the next query of drivers use a child process, even if they answered last time. For callers
 * that fork later. */
void opencl_forget_answers(void);
/* Returns true if the drivers list any device; they are asked only once. Otherwise sets *why. */
bool opencl_has_devices(const char **why);
/* Calls `line` with a line of text for each device, or with the reason why there is none. Tries the
 * devices, which takes some hundred milliseconds each. */
void opencl_describe(void (*line)(void *user, const char *text), void *user);

#endif
