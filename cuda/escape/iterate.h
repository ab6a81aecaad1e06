/* The iteration kernels, a translation unit for each of FORMULA_KERNELS. */
#ifndef FATHOM_CUDA_ESCAPE_ITERATE_H
#define FATHOM_CUDA_ESCAPE_ITERATE_H

#include "gpu/kernels.h"

#define ITERATE_THREADS 128 /* of a block */
#define ITERATE_TILES   (ITERATE_THREADS / LATTICE_TILE_POINTS)

typedef void iterate_kernel(struct iterate_args);

/* `list`: over a list of pixels, else over a lattice's tiles; `cycle`: orbits that return are
 * found. */
#define ITERATE_KERNEL(name)                                                                       \
    iterate_kernel *iterate_kernel_##name(enum number_type type, bool cycle, bool list);
FORMULA_KERNELS(ITERATE_KERNEL)
#undef ITERATE_KERNEL
/* Of all maps, in native types. */
iterate_kernel *map_kernel(enum number_type type, bool list);
/* The perturbed route's, for a pass of the request. */
iterate_kernel *perturbed_kernel(const struct frame_req *req, enum screening screening, bool cycle,
                                 bool list);

#endif
