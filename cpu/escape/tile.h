/* The iteration kernel's interface: a list of points in, their samples out. One function per
 * (ISA, number type), all compiled from tile_tmpl.c. */
#ifndef FATHOM_CPU_ESCAPE_TILE_H
#define FATHOM_CPU_ESCAPE_TILE_H

#include "render/frame.h"
#include <stdatomic.h>
#include <stddef.h>

#define TILE_POINTS_MAX 4096 /* in one list */

#define TILE_SPARE 128 /* room that lists have besides, for whole vectors */

/* Memory for one call at a time, whatever type and instruction set: 14 numbers and 3 words for each
 * point, about 0.5 MB. */
struct tile_scratch {
    _Alignas(64) unsigned char bytes[(14 * 8 + 3 * 4) * (TILE_POINTS_MAX + TILE_SPARE)];
};

struct tile_points {
    const void *cr, *ci; /* `size` numbers of the kernel's type */
    size_t size;         /* up to TILE_POINTS_MAX */
    enum formula formula;
    enum arithmetic arithmetic;
    unsigned shortcuts; /* enum shortcuts */
    uint32_t limit;
    /* All orbits have done this many steps and are at (zr, zi), which are NULL when `done` is 0. */
    uint32_t done;
    const void *zr, *zi;
    const atomic_bool *stop; /* read every few thousand steps */
    struct tile_scratch *scratch;
};

/* Where samples go, and what was done for them. */
struct tile_samples {
    uint32_t *count; /* `size` of each; sample.h says what they are */
    float *fraction;
    /* Points that neither escaped nor are known to be interior: their numbers in the list, and z at
     * the limit, of the kernel's type; room for `size`. All NULL: not wanted. */
    uint16_t *undecided;
    void *zr, *zi;
    size_t undecided_size;
    uint64_t skipped; /* steps up to the limit that shortcuts saved */
};

/* False: stopped; the samples are then undefined. */
typedef bool tile_fn(const struct tile_points *points, struct tile_samples *samples);

/* The best one for a processor with these flags (cpuid.h). */
tile_fn *tile_choose(uint32_t flags, enum number_type type);

tile_fn tile_base_float, tile_base_double;
tile_fn tile_fma_float, tile_fma_double;
tile_fn tile_avx2_float, tile_avx2_double;
tile_fn tile_avx512_float, tile_avx512_double;

#endif
