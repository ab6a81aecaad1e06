/* Passes over samples that are there already, as the host sees them. All pointers are to device
 * memory. A launch returns at once. */
#ifndef FATHOM_GPU_ESCAPE_PIXELS_H
#define FATHOM_GPU_ESCAPE_PIXELS_H

#include "gpu/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PIXELS_PART ((size_t)1 << 22) /* the most that one launch should take */

/* How many of `pixels` the launch from `begin` on takes. */
static inline uint32_t pixels_part(size_t pixels, size_t begin) {
    return (uint32_t)(pixels - begin < PIXELS_PART ? pixels - begin : PIXELS_PART);
}

/* Colours the pixels [begin, begin + size): transparent black where there is no sample that is
 * final for `limit`. Counts those that are if tally is not NULL. */
struct colour_args {
    struct planes planes;
    uint32_t *rgba; /* may be NULL */
    struct shades shades;
    struct tally *tally;
    uint32_t limit;
    size_t begin;
    uint32_t size;
};
cudaError_t pixels_colour(const struct colour_args *args, cudaStream_t stream);

/* Fills the pixels [begin, begin + size) of `to`: pixel (x, y) is pixel (x + dx, y + dy) of `from`,
 * or without a sample where that lies outside. Without states also interior samples that are not
 * final for `limit` are left out. */
struct shift_args {
    struct planes from, to;    /* the same planes if dx = dy = 0 */
    struct states from_states; /* with zr NULL there are none */
    struct states to_states;
    bool wide; /* states are of doubles */
    uint32_t width, height;
    uint32_t limit;
    int dx, dy;
    size_t begin;
    uint32_t size;
};
cudaError_t pixels_shift(const struct shift_args *args, cudaStream_t stream);

/* Writes the counts of [begin, begin + size) as sample.h says, for a picture complete up to
 * `limit`. */
struct export_args {
    const uint32_t *from;
    uint32_t *to; /* may be `from` */
    uint32_t limit;
    size_t begin;
    uint32_t size;
};
cudaError_t pixels_export(const struct export_args *args, cudaStream_t stream);
/* Loads the code. */
cudaError_t pixels_load(void);

#ifdef __cplusplus
}
#endif

#endif
