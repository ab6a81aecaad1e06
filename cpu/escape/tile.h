/* The iteration kernels' interface: a list of points in, their samples out. One function per
 * (formula, ISA, number type), compiled from tile_tmpl.c, and one per (ISA, number type) for all maps, from
 * map_tmpl.c. */
#ifndef FATHOM_CPU_ESCAPE_TILE_H
#define FATHOM_CPU_ESCAPE_TILE_H

#include "render/frame.h"
#include "render/planes.h"
#include <stdatomic.h>
#include <stddef.h>

struct perturbed_tables;
struct perturbed_traces;
struct tile_screen;
struct tile_screening;

#define TILE_POINTS_MAX 4096 /* in one list */

#define TILE_SPARE 128 /* room that lists have besides, for whole vectors */

/* Lists of wide numbers hold the high parts, and so many doubles after each its low part. */
#define TILE_LOW (TILE_POINTS_MAX + TILE_SPARE)

/* The numbers of a list. */
union tile_numbers {
    float f32[TILE_POINTS_MAX];
    double f64[TILE_POINTS_MAX];
    double wide[2][TILE_LOW]; /* high and low parts */
};

/* Makes the states (see frame_req_state_size) of orbits that are at (zr, zi), lists of the type. */
void tile_states_pack(enum number_type type, const void *zr, const void *zi, size_t size,
                      void *states);

/* Memory for one call at a time, whatever type and instruction set: 18 numbers, of which 10 may be
 * wide, and 3 words for each point, about 1 MB. */
struct tile_scratch {
    _Alignas(64) unsigned char bytes[(28 * 8 + 3 * 4) * (TILE_POINTS_MAX + TILE_SPARE)];
};

struct tile_points {
    /* c of the points, or of a Julia set where they start: `size` numbers of the kernel's type; see TILE_LOW. */
    const void *cr, *ci;
    size_t size;                 /* up to TILE_POINTS_MAX */
    const struct recipe *recipe; /* of the kernel's type; perturbed kernels have their own */
    unsigned shortcuts;          /* enum shortcuts */
    uint32_t limit;
    /* All orbits have done this many steps and have these states. NULL: they start. */
    uint32_t done;
    const void *states;
    const struct perturbed_tables
        *perturbed;                        /* what perturbed points go by; their c is from there */
    const struct perturbed_traces *traces; /* likewise, and by the screen where they are screened */
    const atomic_bool *stop;               /* read every few thousand steps */
    struct tile_scratch *scratch;
    const struct tile_screen *screen; /* of those that are screened, and the memory for that */
    struct tile_screening *screening;
};

/* Where samples go, and what was done for them. */
struct tile_samples {
    /* `size` of each. Interior ones have the limit, or when they are to be `never`, SAMPLE_NEVER. */
    struct sample_planes planes;
    bool never;
    /* Points that neither escaped nor are known to be interior: their numbers in the list, and
     * their states at the limit; room for `size`. Both NULL: not wanted. */
    uint16_t *undecided;
    void *states;
    size_t undecided_size;
    uint64_t skipped; /* steps up to the limit that shortcuts saved, or segments */
    uint64_t escaped; /* points that escaped, ... */
    uint64_t steps;   /* ... and the sum of their counts */
};

/* Steps of all points together, executed or not. */
INLINE uint64_t tile_samples_steps(const struct tile_points *points,
                                   const struct tile_samples *samples) {
    return samples->steps + (points->size - samples->escaped) * points->limit -
           points->size * points->done;
}

/* Of a kernel that knows how many steps it has executed: all others were skipped. */
INLINE void tile_samples_skip(const struct tile_points *points, struct tile_samples *samples,
                              uint64_t executed) {
    const uint64_t steps = tile_samples_steps(points, samples);
    samples->skipped = steps > executed ? steps - executed : 0;
}

/* False: stopped; the samples are then undefined. */
typedef bool tile_fn(const struct tile_points *points, struct tile_samples *samples);

/* Colours samples as colour_of and layers_over do, by the planes that there are; transparent black where one is
 * missing or not final for the limit. */
typedef void colour_fn(const struct colouring *colouring, uint32_t limit,
                       const struct sample_planes *planes, size_t size, uint32_t *rgba);
colour_fn *colour_choose(uint32_t flags);
colour_fn colour_base, colour_avx2, colour_avx512;

/* The best one for a processor with these flags (cpuid.h). */
tile_fn *tile_choose(uint32_t flags, const struct recipe *recipe, enum route route,
                     enum number_type type);

#define TILE_FNS(name)                                                                             \
    tile_fn tile_##name##_base_float, tile_##name##_base_double, tile_##name##_base_wide;          \
    tile_fn tile_##name##_fma_float, tile_##name##_fma_double, tile_##name##_fma_wide;             \
    tile_fn tile_##name##_avx2_float, tile_##name##_avx2_double, tile_##name##_avx2_wide;          \
    tile_fn tile_##name##_avx512_float, tile_##name##_avx512_double, tile_##name##_avx512_wide;
FORMULA_KERNELS(TILE_FNS)
#undef TILE_FNS
tile_fn map_base_float, map_fma_float, map_avx2_float, map_avx512_float; /* of maps (map.h) */
tile_fn map_base_double, map_fma_double, map_avx2_double, map_avx512_double;
tile_fn perturbed_base, perturbed_fma, perturbed_avx2, perturbed_avx512;
tile_fn perturbed_folded_base, perturbed_folded_fma, perturbed_folded_avx2, perturbed_folded_avx512;
tile_fn wide_base, wide_fma, wide_avx2, wide_avx512; /* perturbed, in wide numbers */
tile_fn tile_screened; /* the latter where doubles do not do (screen.h) */

#endif
