/* The backends that this build has, best first. */
#ifndef FATHOM_RENDER_BACKENDS_H
#define FATHOM_RENDER_BACKENDS_H

#include "render/backend.h"

/* NULL-terminated: cuda (when compiled in), opencl, avx512, avx2, scalar, all of those, null. */
extern const struct backend_impl *const backends_all[];
/* Those that draw on one device, and do draw: what is measured. */
extern const struct backend_impl *const backends_single[];
/* Those that draw on the processor. */
extern const struct backend_impl *const backends_cpu[];

#endif
