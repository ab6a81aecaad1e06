/* The iteration kernel's interface: a list of points in, their samples out. One function per
 * (ISA, number type), all compiled from tile_tmpl.c. */
#ifndef FATHOM_CPU_TILE_H
#define FATHOM_CPU_TILE_H

#include "render/frame.h"
#include <stdatomic.h>

/* The output lists have room for a multiple of this many points. */
#define TILE_PADDING 96

struct tile_points {
    const void *cr, *ci; /* `size` numbers of the kernel's type */
    size_t size;
    enum formula formula;
    enum arithmetic arithmetic;
    uint32_t limit;
    uint32_t *count;         /* out, with padding; sample.h says what they are */
    float *fraction;         /* out, with padding */
    const atomic_bool *stop; /* read every few thousand steps */
};

/* False: stopped; the samples are then undefined. */
typedef bool tile_fn(const struct tile_points *points);

tile_fn tile_base_float, tile_base_double;
tile_fn tile_fma_float, tile_fma_double;
tile_fn tile_avx2_float, tile_avx2_double;
tile_fn tile_avx512_float, tile_avx512_double;

#endif
