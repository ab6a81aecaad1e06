/* Experiment `paper` (seed 003): Fontana, Siri and Zucca, "Mandelbrot optimisation" (2024). The
 * programs of the paper and fathom's, and the measurements of its tables. */
#ifndef FATHOM_LAB_PAPER_PAPER_H
#define FATHOM_LAB_PAPER_PAPER_H

#include "lab/count/count.h"
#include "lab/gpu/gpu.h"
#include "lab/lab.h"
#include "lab/paper/paper_loops.h"
#include "lab/report/grid.h"

#define PAPER_RESOLUTIONS 4
#define PAPER_THREADS     8
#define PAPER_PROGRAMS    100 /* maximum */
#define PAPER_PAIRS       32  /* maximum */

/* Kinds of counts that must be the same within a number type: by the rounding of steps and by the
 * test. */
enum paper_counts {
    COUNTS_UNFUSED = PAPER_UNFUSED,
    COUNTS_FMA = PAPER_FMA,
    COUNTS_CONTRACTED = PAPER_CONTRACTED,
    COUNTS_WIDE = PAPER_CONTRACTED_WIDE,
    COUNTS_LISTED = PAPER_ROUNDING_COUNT, /* listing 4's test instead of |z|^2 >= 4, unfused */
    COUNTS_LISTED_FMA,                    /* the same test with FMA */
    COUNTS_ABS,                           /* listing 1's test */
    COUNTS_GPU,                           /* listing 7 as nvcc fuses it */
    COUNTS_GPU_TYPED,                     /* the same with a literal of the number type */
    COUNTS_COUNT
};

struct paper_program {
    const char *name;
    enum { SCALAR, VECTORS, COUNTED, ON_GPU } kind; /* COUNTED: fathom's, lab/count/count.h */
    enum number_type type;
    enum paper_counts counts;
    enum { AT_ONE, AT_ALL, AT_EACH } threads; /* numbers of threads: the first, the last, all */
    bool abs;                                 /* SCALAR: listing 1's test */
    bool fixed;                               /* OpenMP's static schedule, else the dynamic one */
    bool small;           /* left out above RES 1000, where it would take minutes */
    unsigned shortcuts;   /* for COUNTED */
    enum gpu_program gpu; /* for ON_GPU */
    int block_x, block_y; /* for ON_GPU; 0: the default */
};

extern const struct paper_program paper_programs[];
extern const int paper_program_count;

/* Pair of kinds of counts that are compared: a row of the table `table`. */
struct paper_pair {
    const char *table, *name;
    enum number_type a_type;
    enum paper_counts a;
    enum number_type b_type;
    enum paper_counts b;
    /* Picture of the differing points at the first resolution; NULL: none. */
    const char *picture, *caption;
};

extern const struct paper_pair paper_pairs[];
extern const int paper_pair_count;

/* Medians of a program; NaN: not measured. */
struct paper_times {
    double total_ms, kernel_ms, copy_ms, alloc_ms; /* [ms]; all but total_ms for ON_GPU only */
};

struct paper {
    struct lab *lab;
    struct race_rules rules;
    uint32_t limit, flags; /* processor's flags */
    struct lab_gpu *gpu;   /* NULL: none */
    int resolution_count, resolutions[PAPER_RESOLUTIONS];
    int thread_count, threads[PAPER_THREADS];
    /* Indices: place in `resolutions`, program, place in `threads`. */
    struct paper_times times[PAPER_RESOLUTIONS][PAPER_PROGRAMS][PAPER_THREADS];
    double differing[PAPER_RESOLUTIONS][PAPER_PAIRS]; /* differing points; NaN: not counted */
    double strays[2]; /* points that differ from the first program of their kind: CPU, GPU */
    int judged[2];    /* compared pictures: CPU, GPU */
};

/* Job at one resolution: the image has 3 * resolution by 2 * resolution points. */
struct paper_scene {
    struct paper *paper;
    int place; /* index in `resolutions` */
    double step;
    struct grid grids[TYPE_NATIVE_COUNT][2]; /* by type, and by whether coordinates are fused */
    uint32_t *counts[TYPE_NATIVE_COUNT][COUNTS_COUNT]; /* NULL: not counted yet */
    uint32_t *scratch;                                 /* output of the runs */
};

/* Runs the programs of the CPU or of the GPU in turns. Returns false if it was stopped or failed
 * (logged). */
bool paper_race(struct paper_scene *scene, bool gpu);
/* Compares the counts of all pairs. Returns false if a picture could not be written (logged). */
bool paper_compare(struct paper_scene *scene);
void paper_report(struct paper *paper);

#endif
