/* What the files of the paper's experiment share: its programs and ours, and what was measured. */
#ifndef FATHOM_LAB_PAPER_PAPER_H
#define FATHOM_LAB_PAPER_PAPER_H

#include "lab/lab.h"
#include "lab/paper/paper_isas.h"
#include "lab/paper/paper_numbers.h"
#include "lab/paper/paper_programs.h"
#include "lab/report/grid.h"

#define PAPER_THREADS_MAX  8
#define PAPER_PICTURES_MAX 5

/* Pairs of counts whose points that differ are counted. */
struct paper_pair {
    const char *name;
    enum number_type a_type, b_type;
    enum paper_counts a, b;
};

#define PAPER_PAIRS 13
extern const struct paper_pair paper_pairs[PAPER_PAIRS];
#define PAPER_PAIR_FLOAT(counts) (counts) /* place of the pair of its floats and doubles */

struct paper_gpu; /* paper_gpu.h */

struct paper {
    struct lab *lab;
    struct race_rules rules;
    uint32_t limit, flags; /* flags of the processor */
    int resolution_count, resolutions[PRINTED_RESOLUTIONS];
    int thread_count, threads[PAPER_THREADS_MAX];
    /* By place in `resolutions`, and in `threads`. NaN: not measured. */
    double ms[PRINTED_RESOLUTIONS][PAPER_ID_COUNT][PAPER_THREADS_MAX];
    double steps[PRINTED_RESOLUTIONS]; /* of one picture, unfused doubles */
    double differing[PRINTED_RESOLUTIONS][PAPER_PAIRS];
    /* Points whose count is not that of the program's kind. */
    double strays[PRINTED_RESOLUTIONS][PAPER_ID_COUNT];
    bool steady;                              /* the same with any number of threads */
    const char *pictures[PAPER_PICTURES_MAX]; /* those saved */
    int picture_count;
    struct paper_isas isas;
    struct paper_gpu *gpu;
};

/* One resolution's job: the image is 3 * resolution by 2 * resolution. */
struct paper_scene {
    struct paper *paper;
    int place; /* in `resolutions` */
    double step;
    struct grid grids[TYPE_NATIVE_COUNT][2]; /* by type, and whether coordinates are fused */
    uint32_t *counts[TYPE_NATIVE_COUNT][COUNTS_COUNT]; /* NULL: not counted yet */
    uint32_t *scratch;                                 /* what runs write to */
};

const struct grid *paper_grid(const struct paper_scene *scene, enum number_type type,
                              enum paper_counts counts);

/* A way of ours to count. */
struct paper_ours {
    enum number_type type;
    enum paper_counts counts; /* COUNTS_UNFUSED or COUNTS_FUSED */
    unsigned shortcuts;
    uint32_t cpu_flags;
    int threads;
};
/* Counts into the scene's scratch. False: stopped, or logged why. */
bool paper_count(const struct paper_scene *scene, const struct paper_ours *ours);

/* Each measures what it says of the scene. False: stopped, or something failed (logged). */
bool paper_measure_programs(struct paper_scene *scene);
bool paper_measure_gpu(struct paper_scene *scene);
void paper_measure_differences(struct paper_scene *scene);

/* Points of one picture. */
double paper_points(const struct paper *paper, int place);
/* The place of a resolution in what the paper prints; -1: it is not there. */
int paper_printed(const struct paper *paper, int place);

void paper_report_cpu(struct paper *paper);         /* tables 1 to 10 */
void paper_report_differences(struct paper *paper); /* of counts */
void paper_report_gpu(struct paper *paper);         /* tables 11 to 14 */
/* Points whose counts differ, white on black, as ID.png in the report's folder, if it has one and
 * there are both counts. `id` is kept. False: it could not be written (logged). */
bool paper_picture_save(struct paper *paper, const char *id, const struct grid *grid,
                        const uint32_t *a, const uint32_t *b);
/* Nothing where none was saved. */
void paper_picture_show(const struct paper *paper, const char *id, const char *what);
bool paper_save_pictures(struct paper_scene *scene); /* those of CPU programs */

#endif
