/* What a launch is to do, apart from where in device memory: numbers of a fixed size, and structs of such, as hosts and the
 * kernels of all languages have them. None needs to be padded at its end, which Mesa's OpenCL does not do. */
#ifndef FATHOM_GPU_ESCAPE_TASKS_H
#define FATHOM_GPU_ESCAPE_TASKS_H

#include "gpu/escape/lattice.h"
#include "render/formula/recipe.h"
#include "render/grid/coords_point.h"
#include "render/light/colour_sample.h"

/* Where they are in the table of colours: those, then light_table's, then knots, then an image. */
#define SHADES_KNOTS      (COLOUR_TABLE_SIZE + LAYER_TABLE_SIZE)
#define SHADES_IMAGE      (SHADES_KNOTS + COLOUR_KNOTS)
#define SHADES_TABLE_SIZE (SHADES_IMAGE + COLOUR_IMAGE_SIZE)

/* A colouring. Kernels that iterate know the linear mapping, counts and no layers: what has others, shades_apart, is
 * coloured by a kernel of its own. */
struct shades {
    uint64_t frequency, offset;
    uint32_t interior, mapping; /* RGBA; enum colour_mapping */
    uint32_t by, inside;        /* enum colour_by, colour_inside */
    uint32_t image_scale, smooth;
    struct layers layers;
    uint32_t pad;
};

/* Takes pixels further: the entries [begin, begin + size) of a list, or the lattice's rows of tiles of these numbers. */
struct iterate_task {
    struct recipe recipe;
    struct shades shades;
    struct lattice lattice;
    uint32_t begin, size;
    uint32_t listed;  /* whether there is a list */
    uint32_t run;     /* neighbouring tiles that a warp does one after another, from 1 */
    uint32_t aligned; /* columns have re only, rows im only, and neither low parts */
    uint32_t fresh;   /* no pixel has a sample from before this request */
    uint32_t blank;   /* the planes were not cleared: blocks that do nothing clear their part */
    uint32_t width, height;
    uint32_t first;           /* the pixel of the first state */
    uint32_t steps, limit;    /* how many at most now (STEPS_MOST in launch_budget.c), and in all */
    uint32_t cardioid, cycle; /* which shortcuts are taken */
    uint32_t serial;          /* warps that find it in `abort` do nothing */
    uint32_t pad;
};

/* Colours the pixels [begin, begin + size): transparent black where there is no sample that is final for `limit`. */
struct colour_task {
    struct shades shades;
    uint32_t begin, size, limit, pad;
};

/* Fills the pixels [begin, begin + size) with the samples that lie where `map` says; others have none. Without states also
 * interior samples that are not final for `limit` are left out. */
struct shift_task {
    struct grid_map map;
    uint32_t width, height, limit;
    uint32_t state_words; /* of eight bytes; 0: there are no states */
    uint32_t begin, size;
};

/* The pixel that pixel `to` was; false: it was none. */
INLINE bool shift_from(const struct shift_task *task, uint32_t to, uint32_t *from) {
    const uint32_t y = to / task->width, x = to - y * task->width;
    bool column, row;
    const int from_x = grid_map_from(task->map.dx, task->map.scale_log2, (int)x, &column);
    const int from_y = grid_map_from(task->map.dy, task->map.scale_log2, (int)y, &row);
    *from = (uint32_t)from_y * task->width + (uint32_t)from_x;
    return column && row && from_x >= 0 && (uint32_t)from_x < task->width && from_y >= 0 &&
           (uint32_t)from_y < task->height;
}

/* The same with the samples on the lines that tables name, where their counts serve; interior samples that serve are
 * final for `limit` from then on. */
struct keep_task {
    uint32_t width, from_width;
    /* Which counts serve: of orbits that escaped within `most` steps, or did not within `least`. */
    uint32_t least, most;
    uint32_t limit;
    float unit; /* what distances are multiplied by: sharing_unit's */
    uint32_t begin, size;
};

INLINE bool keep_from(const struct keep_task *task, const GLOBAL int32_t *lines, uint32_t to,
                      uint32_t *from) {
    const uint32_t y = to / task->width, x = to - y * task->width;
    const int32_t from_x = lines[x], from_y = lines[task->width + y];
    *from = (uint32_t)from_y * task->from_width + (uint32_t)from_x;
    return from_x >= 0 && from_y >= 0;
}

/* What becomes of a count. */
INLINE uint32_t keep_count(const struct keep_task *task, uint32_t count) {
    const uint32_t steps = count & SAMPLE_COUNT_MASK;
    if (!(count & SAMPLE_INTERIOR))
        return steps <= task->most ? count : SAMPLE_MISSING;
    if (steps < task->least)
        return SAMPLE_MISSING;
    return steps < task->limit ? SAMPLE_INTERIOR | task->limit : count;
}

/* Walks once more along the orbits of the pixels [begin, begin + size). Perturbed orbits walk in doubles, whatever the type
 * of their counts. */
struct walk_task {
    struct recipe recipe;
    host_double unit; /* a pixel's step, of direct orbits */
    uint32_t aligned, width;
    uint32_t planes; /* that there are, a set */
    uint32_t limit;  /* which perturbed ones do not go beyond */
    uint32_t serial; /* as in struct iterate_task */
    uint32_t begin, size, pad;
};

#endif
