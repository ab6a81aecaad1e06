/* The arguments of passes over samples that are there already. */
#ifndef FATHOM_GPU_ESCAPE_PIXELS_H
#define FATHOM_GPU_ESCAPE_PIXELS_H

#include "gpu/kernels.h"
#include "render/statistics.h"

#define PIXELS_PART ((size_t)1 << 22) /* the most that one launch should take */

/* The part of `pixels` that the launch after the one of `size` from `begin` on takes; at first both
 * are 0. False: none is left. */
static inline bool pixels_next(size_t pixels, size_t *begin, uint32_t *size) {
    *begin += *size;
    *size = (uint32_t)(pixels - *begin < PIXELS_PART ? pixels - *begin : PIXELS_PART);
    return *size > 0;
}

/* Takes samples and colours away from the pixels [begin, begin + size), `begin` a multiple of
 * PIXELS_PART. */
struct clear_args {
    DEVICE_POINTER(uint32_t) count;
    DEVICE_POINTER(uint32_t) rgba;
    size_t begin;
    uint32_t size;
};

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

/* Fills the pixels [begin, begin + size) of `to` with samples of `from`, which lie where `map` says;
 * others have none. Without states also interior samples that are not final for `limit` are left
 * out. */
struct shift_args {
    struct planes from, to;    /* the same planes if nothing moves */
    struct states from_states; /* without memory there are none */
    struct states to_states;
    uint32_t state_size;
    uint32_t width, height;
    uint32_t limit;
    struct grid_map map;
    size_t begin;
    uint32_t size;
};

/* The pixel of `from` that pixel `to` is; false: it has none. */
INLINE bool shift_from(const struct shift_args *args, uint32_t to, uint32_t *from) {
    const uint32_t y = to / args->width, x = to - y * args->width;
    bool column, row;
    const int from_x = grid_map_from(args->map.dx, args->map.scale_log2, (int)x, &column);
    const int from_y = grid_map_from(args->map.dy, args->map.scale_log2, (int)y, &row);
    *from = (uint32_t)from_y * args->width + (uint32_t)from_x;
    return column && row && from_x >= 0 && (uint32_t)from_x < args->width && from_y >= 0 &&
           (uint32_t)from_y < args->height;
}

/* Fills the pixels [begin, begin + size) of `to` with samples of `from` on the lines that the tables
 * name, where their counts serve; others have none. Interior samples that serve are final for
 * `limit` from then on. */
struct keep_args {
    struct planes from, to;
    /* For each column of `to`, then for each row, its number in `from`; -1: it is not there. */
    DEVICE_POINTER(const int32_t) lines;
    uint32_t width, from_width;
    /* Which counts serve: of orbits that escaped within `most` steps, or did not within `least`. */
    uint32_t least, most;
    uint32_t limit;
    size_t begin;
    uint32_t size;
};

/* The pixel of `from` that pixel `to` is; false: it has none. */
INLINE bool keep_from(const struct keep_args *args, const int32_t *lines, uint32_t to,
                      uint32_t *from) {
    const uint32_t y = to / args->width, x = to - y * args->width;
    const int32_t from_x = lines[x], from_y = lines[args->width + y];
    *from = (uint32_t)from_y * args->from_width + (uint32_t)from_x;
    return from_x >= 0 && from_y >= 0;
}

/* What becomes of a count. */
INLINE uint32_t keep_count(const struct keep_args *args, uint32_t count) {
    const uint32_t steps = count & SAMPLE_COUNT_MASK;
    if (!(count & SAMPLE_INTERIOR))
        return steps <= args->most ? count : SAMPLE_MISSING;
    if (steps < args->least)
        return SAMPLE_MISSING;
    return steps < args->limit ? SAMPLE_INTERIOR | args->limit : count;
}

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
