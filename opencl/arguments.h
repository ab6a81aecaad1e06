/* The arguments of the OpenCL kernels but for what lies in device memory, as host and kernels read them: numbers of a
 * fixed size, and structs of such. */
#ifndef FATHOM_OPENCL_ARGUMENTS_H
#define FATHOM_OPENCL_ARGUMENTS_H

#include "gpu/escape/lattice.h"
#include "render/deep/tables/series.h"
#include "render/formula/recipe.h"
#include "render/formula/step_list.h"
#include "render/grid/coords_point.h"
#include "render/light/layer_grey.h"

/* As struct shades. */
struct opencl_shades {
    uint64_t frequency, offset;
    uint32_t interior, mapping, by, inside, image_scale, smooth;
    struct layers layers;
};

/* As struct iterate_args. */
struct opencl_iterate {
    struct recipe recipe;
    struct opencl_shades shades;
    struct lattice lattice;
    uint32_t aligned, fresh, blank, width, height;
    uint32_t first; /* the pixel of the first state */
    uint32_t begin, size, run, steps, limit, cardioid, serial;
    uint32_t listed; /* whether there is a list to go on with */
};

/* As struct clear_args, colour_args, export_args and gather_args. */
struct opencl_pixels {
    struct opencl_shades shades;
    uint32_t begin, size, limit, counts; /* whether there is a tally */
};

/* As struct shift_args and keep_args. */
struct opencl_move {
    struct grid_map map;
    uint32_t width, height, from_width, limit, least, most;
    uint32_t state_words; /* of eight bytes; 0: there are no states */
    uint32_t begin, size;
};

/* As struct slope_args. */
struct opencl_walk {
    struct recipe recipe;
    double unit;
    uint32_t aligned, fused, width, serial, begin, size, limit;
};

/* As struct device_tables. */
struct opencl_tables {
    struct series series;
    struct step_list steps;
    double re, im, from_re, from_im, inside, re_low, im_low, step, step_log2, unit, unit_log2;
    uint32_t smalls, last, julia;
    int32_t c_log2, c_most_log2;
};

/* Words of struct tally, two of each number, the lower first. */
#define OPENCL_TALLY_STEPS   0
#define OPENCL_TALLY_SKIPPED 2
#define OPENCL_TALLY_DONE    4
#define OPENCL_TALLY_LISTED  8
#define OPENCL_TALLY_WORDS   10
#define OPENCL_TALLY_SHARES  64

#define OPENCL_THREADS 128 /* of a group */
#define OPENCL_TILES   (OPENCL_THREADS / LATTICE_TILE_POINTS)

#endif
