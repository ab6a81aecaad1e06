/* Tasks: the numbers that describe a launch, without pointers. They are structs of types with fixed
 * sizes, with the same layout on the host and in all kernel languages. No struct needs padding at
 * its end, which Mesa's OpenCL omits. */
#ifndef FATHOM_GPU_ESCAPE_TASKS_H
#define FATHOM_GPU_ESCAPE_TASKS_H

#include "gpu/escape/lattice.h"
#include "render/formula/recipe.h"
#include "render/grid/grid_map.h"
#include "render/light/colour_sample.h"

/* Positions in the table of colours: the colours, light_table, knots, an image. */
#define SHADES_KNOTS      (COLOUR_TABLE_SIZE + LAYER_TABLE_SIZE)
#define SHADES_IMAGE      (SHADES_KNOTS + COLOUR_KNOTS)
#define SHADES_TABLE_SIZE (SHADES_IMAGE + COLOUR_IMAGE_SIZE)

/* Colouring. Iteration kernels support the linear mapping, counts and no layers. A separate kernel
 * colours pictures for which needs_colour_kernel is true. */
struct shades {
    uint64_t frequency, offset;
    uint32_t interior, mapping; /* RGBA; enum colour_mapping */
    uint32_t by, inside;        /* enum colour_by, colour_inside */
    uint32_t image_scale, smooth;
    struct layers layers;
    uint32_t pad;
};

/* Iterates pixels: the entries [begin, begin + size) of a list, or those rows of tiles of the
 * lattice. */
struct iterate_task {
    struct recipe recipe;
    struct shades shades;
    struct lattice lattice;
    uint32_t begin, size;
    uint32_t listed;    /* the pixels are those of a list */
    uint32_t run;       /* number of adjacent tiles that a warp draws one after another, from 1 */
    uint32_t layout;    /* of the coordinates (render/grid/coords_point.h) */
    uint32_t fresh;     /* no pixel has a sample from before this request */
    uint32_t uncleared; /* the planes were not cleared; a cancelled block clears its pixels */
    uint32_t width, height;
    uint32_t first; /* pixel of the first state */
    /* maximum steps of the launch (STEPS_MAX in launch_budget.c), and of an orbit */
    uint32_t steps, limit;
    uint32_t cardioid, cycle; /* shortcuts to use */
    uint32_t serial;          /* a warp that finds this number in `abort` returns */
    /* 1: in doubles for a picture in wide numbers: states lie twice as far apart, and orbits that
     * reach the limit stay missing; otherwise 0 */
    uint32_t screened;
};

/* Colours the pixels [begin, begin + size). Pixels without a sample that is final for `limit`
 * become transparent black. */
struct colour_task {
    struct shades shades;
    uint32_t begin, size, limit, pad;
};

/* Fills the pixels [begin, begin + size) with the samples at the positions that `map` gives; other
 * pixels become missing. Without states, interior samples that are not final for `limit` are
 * dropped. */
struct shift_task {
    struct grid_map map;
    uint32_t width, height, limit;
    uint32_t state_words; /* [8 bytes] size of a state; 0: no states */
    uint32_t begin, size;
};

/* Sets *from to the previous pixel of pixel `to`. Returns false if there is none. */
INLINE bool shift_from(const struct shift_task *task, uint32_t to, uint32_t *from) {
    const uint32_t y = to / task->width, x = to - y * task->width;
    bool column, row;
    const int from_x = grid_map_from(task->map.dx, task->map.scale_log2, (int)x, &column);
    const int from_y = grid_map_from(task->map.dy, task->map.scale_log2, (int)y, &row);
    *from = (uint32_t)from_y * task->width + (uint32_t)from_x;
    return column && row && from_x >= 0 && (uint32_t)from_x < task->width && from_y >= 0 &&
           (uint32_t)from_y < task->height;
}

/* Fills pixels like shift_task, with the samples on the lines given by tables, if their counts are
 * usable. Usable interior samples become final for `limit`. */
struct keep_task {
    uint32_t width, from_width;
    /* Usable counts: of orbits that escaped within `most` steps, or did not within `least`. */
    uint32_t least, most;
    uint32_t limit;
    float unit; /* factor for distances, from sharing_unit */
    uint32_t begin, size;
};

INLINE bool keep_from(const struct keep_task *task, const GLOBAL int32_t *lines, uint32_t to,
                      uint32_t *from) {
    const uint32_t y = to / task->width, x = to - y * task->width;
    const int32_t from_x = lines[x], from_y = lines[task->width + y];
    *from = (uint32_t)from_y * task->from_width + (uint32_t)from_x;
    return from_x >= 0 && from_y >= 0;
}

/* Returns the new count of a sample. */
INLINE uint32_t keep_count(const struct keep_task *task, uint32_t count) {
    const uint32_t steps = count & SAMPLE_COUNT_MASK;
    if (!(count & SAMPLE_INTERIOR))
        return steps <= task->most ? count : SAMPLE_MISSING;
    if (steps < task->least)
        return SAMPLE_MISSING;
    return steps < task->limit ? SAMPLE_INTERIOR | task->limit : count;
}

/* Second pass along the orbits of the pixels [begin, begin + size). Of direct orbits only those that
 * escape after `least` to `most` steps, and interior ones if `least` is 0. Perturbed orbits use
 * doubles in this pass, whatever the number type of the counts. */
struct walk_task {
    struct recipe recipe;
    host_double unit; /* step of a pixel, for direct orbits */
    uint32_t layout, width;
    uint32_t planes; /* set of the existing planes */
    uint32_t limit;  /* maximum number of steps of perturbed orbits */
    uint32_t serial, begin, size, least, most, pad; /* serial as in struct iterate_task */
};

#endif
