/* The kernels as the host sees them: their arguments and how to launch them. All pointers are to
 * device memory. A launch returns at once; the picture's size is given in pixels. */
#ifndef FATHOM_CUDA_KERNELS_H
#define FATHOM_CUDA_KERNELS_H

#include "cuda/lattice.h"
#include "render/frame.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What kernels count; 64 bits each, added to atomically. */
struct tally {
    unsigned long long listed; /* low half: pixels written to the list; high half: finished ones */
    unsigned long long steps;  /* executed up to escape or limit */
    unsigned long long done;   /* samples that pixels_colour found */
};

#define TALLY_LISTED(listed)   ((uint32_t)(listed))
#define TALLY_FINISHED(listed) ((uint32_t)((listed) >> 32))

struct planes {
    uint32_t *count;
    float *fraction;
};

/* Pixels that have neither escaped nor reached the limit, and where their orbits are; all have done
 * the same number of steps. zr and zi hold numbers of the request's type. */
struct orbit_list {
    uint32_t *pixel;
    void *zr, *zi;
};

struct iterate_args {
    const void *coords; /* as in struct coords */
    uint32_t width, height;
    struct planes planes;
    uint32_t *rgba; /* NULL: samples only */
    const struct colouring *colouring;

    /* From `from`, or with from.pixel NULL from the start: the lattice's pixels that have no
     * sample, beginning at its tile number first_tile. Unfinished ones go to `to`. */
    struct orbit_list from, to;
    struct lattice lattice;
    uint32_t first_tile;
    uint32_t begin, size; /* the part of the list, or of the lattice's points, to work on */

    uint32_t done, steps; /* steps that all of them have done, and will do now */
    uint32_t last;        /* not 0: done + steps is the limit */

    struct tally *tally;
    const uint32_t *abort; /* blocks that find `serial` there do nothing */
    uint32_t serial;
};

cudaError_t iterate_launch(const struct frame_req *req, const struct iterate_args *args,
                           cudaStream_t stream);
/* Loads the code, which the runtime would otherwise leave to the first launch. */
cudaError_t iterate_load(void);
/* The lowest compute capability that there is code for: 10 * major + minor. */
int iterate_lowest_capability(void);

/* Colours the pixels [begin, begin + size): transparent black where there is no sample. Counts the
 * samples if tally is not NULL. */
struct colour_args {
    struct planes planes;
    uint32_t *rgba; /* may be NULL */
    const struct colouring *colouring;
    struct tally *tally;
    size_t begin;
    uint32_t size;
};
cudaError_t pixels_colour(const struct colour_args *args, cudaStream_t stream);

/* Fills the pixels [begin, begin + size) of `to`: pixel (x, y) is pixel (x + dx, y + dy) of `from`,
 * or without a sample where that lies outside. */
struct shift_args {
    struct planes from, to;
    uint32_t width, height;
    int dx, dy;
    size_t begin;
    uint32_t size;
};
cudaError_t pixels_shift(const struct shift_args *args, cudaStream_t stream);
cudaError_t pixels_load(void);

#ifdef __cplusplus
}
#endif

#endif
