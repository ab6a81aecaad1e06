/* Escape-time kernels' interface: a list of points in, their samples out. kernels.h declares the
 * kernels. */
#ifndef FATHOM_CPU_ESCAPE_TILE_H
#define FATHOM_CPU_ESCAPE_TILE_H

#include "render/frame.h"
#include "render/planes.h"
#include <stdatomic.h>
#include <string.h>

struct perturbed_tables;
struct perturbed_traces;
struct tile_screen;
struct tile_screening;

#define TILE_POINTS_MAX 4096 /* maximum number of points in one list */
#define TILE_SPARE      128  /* extra entries of a list: kernels read and write whole vectors */

/* Distance in a list of wide numbers, in doubles, from each high part to its low part. */
#define TILE_LOW (TILE_POINTS_MAX + TILE_SPARE)

/* Numbers of a list, in the kernel's type. */
union tile_numbers {
    float f32[TILE_POINTS_MAX];
    double f64[TILE_POINTS_MAX];
    double wide[2][TILE_LOW]; /* high and low parts */
};

/* Writes the states (frame_req_state_size) of `size` orbits at (zr, zi), lists of the type. */
void tile_states_pack(enum number_type type, const void *zr, const void *zi, size_t size,
                      void *states);

/* Scratch memory for one kernel call: 18 numbers, of which 10 may be wide, and 3 words for each
 * point. About 1 MB. */
struct tile_scratch {
    _Alignas(64) unsigned char bytes[(28 * 8 + 3 * 4) * (TILE_POINTS_MAX + TILE_SPARE)];
};

struct tile_points {
    /* c of the points, or a Julia set's starts: numbers of the kernel's type; see TILE_LOW. */
    const void *cr, *ci;
    size_t size;                 /* at most TILE_POINTS_MAX */
    const struct recipe *recipe; /* in the kernel's type; perturbed kernels have their own */
    unsigned shortcuts;          /* set of enum shortcuts */
    uint32_t limit;
    /* Steps that every orbit has already done, and the states they led to; NULL: orbits start.
     * Around a reference the states have the steps, and `done` may be 0. */
    uint32_t done;
    const void *states;
    /* Reference orbit of perturbed points, whose cr and ci are relative to its point; and traces of
     * its segments, or of the screen's. */
    const struct perturbed_tables *perturbed;
    const struct perturbed_traces *traces;
    const atomic_bool *stop; /* read every few thousand steps */
    struct tile_scratch *scratch;
    const struct tile_screen *screen; /* of screened points, and their scratch memory */
    struct tile_screening *screening;
};

/* Samples of a kernel call, and the work that was done for them. */
struct tile_samples {
    /* Arrays of `size` samples. Interior ones get the limit, or SAMPLE_NEVER if `never` is set. */
    struct sample_planes planes;
    bool never;
    /* Numbers of the points that neither escaped nor are proved interior, and their states at the
     * limit: room for `size` each, or NULL. */
    uint16_t *undecided;
    void *states;
    size_t undecided_size;
    uint8_t *screen;  /* enum screen of each point, of kernels that screen */
    uint64_t skipped; /* steps up to the limit that shortcuts or segments saved */
    uint64_t escaped; /* number of points that escaped */
    uint64_t steps;   /* sum of the counts of the points that escaped */
};

/* Sets all samples to interior ones, and the sums to 0. */
INLINE void tile_samples_begin(const struct tile_points *p, struct tile_samples *samples) {
    const uint32_t inside = samples->never ? SAMPLE_NEVER : p->limit | SAMPLE_INTERIOR;
    samples->skipped = samples->escaped = samples->steps = samples->undecided_size = 0;
    for (size_t i = 0; i < p->size; i++) {
        samples->planes.count[i] = inside;
        samples->planes.fraction[i] = 0;
    }
    if (samples->planes.norm2)
        memset(samples->planes.norm2, 0, p->size * sizeof *samples->planes.norm2);
    if (samples->screen)
        memset(samples->screen, 0, p->size); /* SCREEN_CLEAR */
}

/* Returns the steps of all points together, executed or skipped. */
INLINE uint64_t tile_samples_steps(const struct tile_points *points,
                                   const struct tile_samples *samples) {
    return samples->steps + (points->size - samples->escaped) * points->limit -
           points->size * points->done;
}

/* Sets `skipped` for a kernel that counts the steps it executes. */
INLINE void tile_samples_skip(const struct tile_points *points, struct tile_samples *samples,
                              uint64_t executed) {
    const uint64_t steps = tile_samples_steps(points, samples);
    samples->skipped = steps > executed ? steps - executed : 0;
}

/* Iterates the points. Returns false if it was stopped; the samples are then undefined. */
typedef bool tile_fn(const struct tile_points *points, struct tile_samples *samples);

/* Colours samples as colour_of and layers_over do, from the planes that are not NULL; missing
 * samples, and those not final for the limit, become transparent black. */
typedef void colour_fn(const struct colouring *colouring, uint32_t limit,
                       const struct sample_planes *planes, size_t size, uint32_t *rgba);
colour_fn *colour_choose(uint32_t flags);

/* Returns the fastest kernel for a processor with these flags (cpuid.h). */
tile_fn *tile_choose(uint32_t flags, const struct recipe *recipe, enum route route,
                     enum number_type type);
tile_fn *tile_choose_screen(uint32_t flags, const struct recipe *recipe);
/* Perturbed kernel in doubles; uses wide numbers where rounding matters (screen.h). */
tile_fn tile_screened;

#endif
