/* Seed 003: Fontana, Siri and Zucca, "Mandelbrot optimisation" (2024). The programs of the paper
 * and ours, and the measurements that its tables are made of. */
#ifndef FATHOM_LAB_PAPER_PAPER_H
#define FATHOM_LAB_PAPER_PAPER_H

#include "lab/count/count.h"
#include "lab/gpu/gpu.h"
#include "lab/lab.h"
#include "lab/paper/paper_loops.h"
#include "lab/report/grid.h"

#define PAPER_RESOLUTIONS 4
#define PAPER_THREADS     8
#define PAPER_PROGRAMS    100 /* at most */
#define PAPER_PAIRS       32  /* at most */

/* Counts that must be the same: by number type, by the rounding of steps and by the test. */
enum paper_counts {
    COUNTS_UNFUSED = PAPER_UNFUSED,
    COUNTS_FMA = PAPER_FMA,
    COUNTS_CONTRACTED = PAPER_CONTRACTED,
    COUNTS_WIDE = PAPER_CONTRACTED_WIDE,
    COUNTS_LISTED = PAPER_ROUNDING_COUNT, /* listing 4's test instead of |z|^2 >= 4, unfused */
    COUNTS_LISTED_FMA,                    /* the same with FMA */
    COUNTS_ABS,                           /* listing 1's test */
    COUNTS_GPU,                           /* listing 7 as nvcc fuses it */
    COUNTS_GPU_TYPED,                     /* the same with a literal of the number type */
    COUNTS_COUNT
};

struct paper_program {
    const char *name;
    enum { SCALAR, VECTORS, COUNTED, ON_GPU } kind; /* COUNTED: ours, lab/count/count.h */
    enum number_type type;
    enum paper_counts counts;
    enum { AT_ONE, AT_ALL, AT_EACH } threads; /* the first, the last, all */
    bool abs;                                 /* SCALAR: listing 1's test */
    bool fixed;           /* OpenMP's static schedule instead of the dynamic one */
    bool small;           /* left out above RES 1000, where it would take minutes */
    unsigned shortcuts;   /* ours */
    enum gpu_program gpu; /* ON_GPU */
    int block_x, block_y; /* ON_GPU; 0: the usual ones */
};

extern const struct paper_program paper_programs[];
extern const int paper_program_count;

/* Two kinds of counts whose points that differ are counted: a row of the table `table`. */
struct paper_pair {
    const char *table, *name;
    enum number_type a_type;
    enum paper_counts a;
    enum number_type b_type;
    enum paper_counts b;
    const char *picture, *caption; /* of the points at the first resolution; NULL: none */
};

extern const struct paper_pair paper_pairs[];
extern const int paper_pair_count;

/* Medians of one program; NaN: not measured. */
struct paper_times {
    double total_ms, kernel_ms, copy_ms, alloc_ms; /* all but the first: ON_GPU */
};

struct paper {
    struct lab *lab;
    struct race_rules rules;
    uint32_t limit, flags; /* flags of the processor */
    struct lab_gpu *gpu;   /* NULL: none */
    int resolution_count, resolutions[PAPER_RESOLUTIONS];
    int thread_count, threads[PAPER_THREADS];
    /* By place in `resolutions`, and in `threads`. */
    struct paper_times times[PAPER_RESOLUTIONS][PAPER_PROGRAMS][PAPER_THREADS];
    double differing[PAPER_RESOLUTIONS][PAPER_PAIRS]; /* points; NaN: not counted */
    double strays[2]; /* points that differ from the first program of their kind: CPU, GPU */
    int judged[2];    /* pictures that were compared */
};

/* One resolution's job: the image is 3 * resolution by 2 * resolution points. */
struct paper_scene {
    struct paper *paper;
    int place; /* in `resolutions` */
    double step;
    struct grid grids[TYPE_NATIVE_COUNT][2]; /* by type, and whether coordinates are fused */
    uint32_t *counts[TYPE_NATIVE_COUNT][COUNTS_COUNT]; /* NULL: not counted yet */
    uint32_t *scratch;                                 /* what runs write to */
};

/* Runs the programs of the CPU or of the GPU in turns. False: stopped or failed (logged). */
bool paper_race(struct paper_scene *scene, bool gpu);
/* Compares the counts of all pairs. False: a picture could not be written (logged). */
bool paper_compare(struct paper_scene *scene);
void paper_report(struct paper *paper);

#endif
