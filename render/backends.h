/* Lists of the backends in this build, best first. */
#ifndef FATHOM_RENDER_BACKENDS_H
#define FATHOM_RENDER_BACKENDS_H

#include "render/backend.h"

/* NULL-terminated: cuda (if compiled in), opencl, avx512, avx2, scalar, null. */
extern const struct backend_impl *const backends_all[];
/* All backends except null, which draws nothing. */
extern const struct backend_impl *const backends_drawing[];
/* Backends that draw on the processor. */
extern const struct backend_impl *const backends_cpu[];

#endif
