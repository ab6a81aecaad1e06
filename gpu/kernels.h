/* Kernel arguments as the host fills them, from the lists of kernels/arguments.h. */
#ifndef FATHOM_GPU_KERNELS_H
#define FATHOM_GPU_KERNELS_H

#include "gpu/escape/shades.h"
#include "gpu/kernels/arguments.h"
#include "gpu/kernels/tally.h"
#include "render/frame.h"
#include "render/statistics.h"

struct clear_args {
    CLEAR_ARGUMENTS(MEMBER, struct clear_args)
};
struct colour_args {
    COLOUR_ARGUMENTS(MEMBER, struct colour_args)
};
struct shift_args {
    SHIFT_ARGUMENTS(MEMBER, struct shift_args)
};
struct keep_args {
    KEEP_ARGUMENTS(MEMBER, struct keep_args)
};
struct export_args {
    EXPORT_ARGUMENTS(MEMBER, struct export_args)
};
struct gather_args {
    GATHER_ARGUMENTS(MEMBER, struct gather_args)
};
struct index_args {
    INDEX_ARGUMENTS(MEMBER, struct index_args)
};

/* Passes in doubles over screened points (render/number/screen.h): of the point itself, and of the
 * point next to it. */
enum screening { SCREENING_NONE, SCREENING_OWN, SCREENING_BESIDE };

struct iterate_args {
    ITERATE_AROUND_ARGUMENTS(MEMBER, struct iterate_args)
    enum screening screening; /* the kernel does not read the rest */
};

struct walk_args {
    WALK_AROUND_ARGUMENTS(MEMBER, struct walk_args)
    struct series series; /* of the traces; the kernel does not read the rest */
    enum number_type type;
    bool folded; /* around a reference: of a formula other than z^2 + c */
};

/* Device memory of a reference's traces, as struct perturbed_traces. */
struct device_traces {
    DEVICE_POINTER(const struct segment_trace) segment;
    struct series series;
    struct perturbed_trace begun;
};

#define PIXELS_PART ((size_t)1 << 22) /* pixels that one launch over pixels takes at most */

/* Sets a range to the part of `pixels` after it, the first one if it is empty. Returns false if none
 * is left. */
static inline bool pixels_next(size_t pixels, uint32_t *begin, uint32_t *size) {
    *begin += *size;
    *size = (uint32_t)(pixels - *begin < PIXELS_PART ? pixels - *begin : PIXELS_PART);
    return *size > 0;
}

#endif
