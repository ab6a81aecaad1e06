/* The paper's GPU program, listing 7, and ours: what each is, and what was measured. */
#ifndef FATHOM_LAB_PAPER_PAPER_GPU_H
#define FATHOM_LAB_PAPER_PAPER_GPU_H

#include "lab/gpu/gpu.h"
#include "lab/paper/paper.h"

enum paper_gpu_id {
    GPU_LISTED,
    GPU_LISTED_FLOAT,
    GPU_TYPED_FLOAT,
    GPU_PIXEL_UNFUSED,
    GPU_PIXEL_FLOAT_UNFUSED,
    GPU_OURS_UNFUSED,
    GPU_OURS_FLOAT_UNFUSED,
    GPU_OURS_FUSED,
    GPU_OURS_FLOAT_FUSED,
    GPU_OURS_ALL,
    GPU_OURS_FLOAT_ALL,
    PAPER_GPU_COUNT
};

struct paper_gpu_program {
    const char *name;
    enum gpu_program program;
    enum gpu_number number;
    enum arithmetic arithmetic;
    unsigned shortcuts;
    enum paper_counts counts; /* how it rounds; listing 7: one guess, nvcc fuses what it likes */
    bool free;                /* that is a guess */
};

extern const struct paper_gpu_program paper_gpu_programs[PAPER_GPU_COUNT];

/* Floats and doubles of the same program. */
#define PAPER_GPU_PAIRS 4
static const struct {
    enum paper_gpu_id a, b;
} paper_gpu_pairs[PAPER_GPU_PAIRS] = {{GPU_LISTED_FLOAT, GPU_LISTED},
                                      {GPU_TYPED_FLOAT, GPU_LISTED},
                                      {GPU_OURS_FLOAT_UNFUSED, GPU_OURS_UNFUSED},
                                      {GPU_OURS_FLOAT_FUSED, GPU_OURS_FUSED}};

struct paper_gpu_times {
    double total_ms, kernel_ms, copy_ms, alloc_ms;
};

/* By place in the paper's `resolutions`. NaN: not measured. */
struct paper_gpu {
    struct lab_gpu *device;
    struct paper_gpu_times times[PRINTED_RESOLUTIONS][PAPER_GPU_COUNT]; /* memory fresh each time */
    double shapes_ms[PRINTED_RESOLUTIONS][PRINTED_SIDES][PRINTED_SIDES]; /* kernel, by x and y */
    /* The CPU's counts that are nearest, those of its own rounding if that is known, and in how
     * many points they differ. */
    enum paper_counts nearest[PRINTED_RESOLUTIONS][PAPER_GPU_COUNT];
    double strays[PRINTED_RESOLUTIONS][PAPER_GPU_COUNT];
    double differing[PRINTED_RESOLUTIONS][PAPER_GPU_PAIRS];
    bool shapes_agree;
};

/* NULL: no GPU, and the report says so, or no memory (logged). */
struct paper_gpu *paper_gpu_create(struct paper *paper);
void paper_gpu_destroy(struct paper_gpu *gpu); /* NULL is allowed */

#endif
