/* Kernel arguments as the host fills them, made from the lists of kernels/arguments.h. */
#ifndef FATHOM_GPU_KERNEL_ARGS_H
#define FATHOM_GPU_KERNEL_ARGS_H

#include "gpu/kernels/arguments.h"
#include "gpu/kernels/tally.h"
#include "render/frame.h"
#include "render/statistics.h"

ARGUMENT_STRUCT(index_args, INDEX_ARGUMENTS)

ARGUMENT_STRUCT(resample_args, RESAMPLE_ARGUMENTS)

struct iterate_args {
    ITERATE_AROUND_ARGUMENTS(MEMBER, struct iterate_args)
    bool screened; /* host only: a pass in doubles (render/number/screen.h, doubles_limit) */
};

struct walk_args {
    WALK_AROUND_ARGUMENTS(MEMBER, struct walk_args)
    enum number_type type; /* host only, like the members below */
    bool around, folded;   /* around a reference; the formula is not z^2 + c then */
};

/* Device memory of a reference's traces, like struct perturbed_traces. */
struct device_traces {
    DEVICE_POINTER(const struct segment_trace) segment;
    struct series series;
    struct perturbed_trace begun;
};

#define LAUNCH_PIXELS_MAX ((size_t)1 << 22) /* maximum number of pixels in one launch over pixels */

/* Moves a range to the next part of `pixels`; an empty range becomes the first part. Returns false
 * if no part is left. */
static inline bool pixels_next(size_t pixels, uint32_t *begin, uint32_t *size) {
    *begin += *size;
    *size = (uint32_t)(pixels - *begin < LAUNCH_PIXELS_MAX ? pixels - *begin : LAUNCH_PIXELS_MAX);
    return *size > 0;
}

#endif
