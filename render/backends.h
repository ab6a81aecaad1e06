/* The backends that this build has, best first. */
#ifndef FATHOM_RENDER_BACKENDS_H
#define FATHOM_RENDER_BACKENDS_H

#include "render/backend.h"

/* NULL-terminated: cuda (when compiled in), opencl, avx512, avx2, scalar, null. */
extern const struct backend_impl *const backends_all[];
/* All of them but null, which draws nothing. */
extern const struct backend_impl *const backends_drawing[];
/* Those that draw on the processor. */
extern const struct backend_impl *const backends_cpu[];

#endif
