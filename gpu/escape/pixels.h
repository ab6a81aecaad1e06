/* The arguments of passes over samples that are there already. */
#ifndef FATHOM_GPU_ESCAPE_PIXELS_H
#define FATHOM_GPU_ESCAPE_PIXELS_H

#include "gpu/kernels.h"
#include "render/statistics.h"

#define PIXELS_PART ((size_t)1 << 22) /* the most that one launch should take */

/* How many of `pixels` the launch from `begin` on takes. */
static inline uint32_t pixels_part(size_t pixels, size_t begin) {
    return (uint32_t)(pixels - begin < PIXELS_PART ? pixels - begin : PIXELS_PART);
}

/* Colours the pixels [begin, begin + size): transparent black where there is no sample that is
 * final for `limit`. Counts those that are where there is a tally. */
struct colour_args {
    struct planes planes;
    DEVICE_POINTER(uint32_t) rgba; /* none: only counted */
    struct shades shades;
    DEVICE_POINTER(struct tally) tally;
    uint32_t limit;
    size_t begin;
    uint32_t size;
};

/* Fills the pixels [begin, begin + size) of `to`: pixel (x, y) is pixel (x + dx, y + dy) of `from`,
 * or without a sample where that lies outside. Without states also interior samples that are not
 * final for `limit` are left out. */
struct shift_args {
    struct planes from, to;    /* the same planes if dx = dy = 0 */
    struct states from_states; /* without memory there are none */
    struct states to_states;
    uint32_t state_size;
    uint32_t width, height;
    uint32_t limit;
    int dx, dy;
    size_t begin;
    uint32_t size;
};

/* Writes the counts of [begin, begin + size) as sample.h says, for a picture complete up to
 * `limit`. */
struct export_args {
    DEVICE_POINTER(const uint32_t) from;
    DEVICE_POINTER(uint32_t) to; /* may be `from` */
    uint32_t limit;
    size_t begin;
    uint32_t size;
};

/* Adds `size` counts of a complete picture to its statistics. */
struct gather_args {
    DEVICE_POINTER(const uint32_t) count;
    DEVICE_POINTER(struct statistics) sum; /* without `pixels` */
    uint32_t size;
};

#endif
