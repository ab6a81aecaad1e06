/* The arguments of passes over samples that are there already. */
#ifndef FATHOM_GPU_ESCAPE_PIXELS_H
#define FATHOM_GPU_ESCAPE_PIXELS_H

#include "gpu/kernels.h"
#include "render/statistics.h"

#define PIXELS_PART ((size_t)1 << 22) /* the most that one launch should take */

/* The part of `pixels` that the launch after the one of `size` from `begin` on takes; at first both
 * are 0. False: none is left. */
static inline bool pixels_next(size_t pixels, uint32_t *begin, uint32_t *size) {
    *begin += *size;
    *size = (uint32_t)(pixels - *begin < PIXELS_PART ? pixels - *begin : PIXELS_PART);
    return *size > 0;
}

/* Takes samples and colours away from the pixels [begin, begin + size), `begin` a multiple of
 * PIXELS_PART. */
struct clear_args {
    DEVICE_POINTER(uint32_t) count;
    DEVICE_POINTER(uint32_t) rgba;
    uint32_t begin, size;
};

/* Counts the samples that are final where there is a tally. */
struct colour_args {
    struct colour_task task;
    struct planes planes;
    DEVICE_POINTER(uint32_t) rgba;        /* none: only counted */
    DEVICE_POINTER(const uint32_t) table; /* of colours */
    DEVICE_POINTER(struct tally) tally;
};

struct shift_args {
    struct shift_task task;
    struct planes from, to; /* the same planes if nothing moves */
    DEVICE_POINTER(void) from_states;
    DEVICE_POINTER(void) to_states;
};

struct keep_args {
    struct keep_task task;
    struct planes from, to;
    /* For each column of `to`, then for each row, its number in `from`; -1: it is not there. */
    DEVICE_POINTER(const int32_t) lines;
};

/* Writes the counts of [begin, begin + size) as sample.h says, for a picture complete up to
 * `limit`. */
struct export_args {
    DEVICE_POINTER(const uint32_t) from;
    DEVICE_POINTER(uint32_t) to; /* may be `from` */
    uint32_t begin, size, limit;
};

/* Adds `size` counts of a complete picture to its statistics. */
struct gather_args {
    DEVICE_POINTER(const uint32_t) count;
    DEVICE_POINTER(struct statistics) sum; /* without `pixels` */
    uint32_t size;
};

#endif
