/* The measuring itself. The contenders of a view and the limits take turns within each repetition,
 * so that a clock or a neighbour that drifts hits them alike; ratios and fractions are medians of
 * what each repetition gave. */
#ifndef FATHOM_LAB_BENCH_MEASURE_H
#define FATHOM_LAB_BENCH_MEASURE_H

#include "lab/bench/limits.h"
#include "lab/bench/setup.h"
#include "render/files/bench_views.h"

/* What a contender's time is compared with: the reference's over its own. */
enum bench_ratio {
    RATIO_PLAIN, /* the plain loop, double */
    RATIO_LOOP,  /* the loop of one vector, or the GPU's baseline, of the same type */
    RATIO_AVX2,  /* the avx2 backend in the same setting */
    RATIO_CUDA,  /* the cuda backend, likewise */
    RATIO_BARE,  /* itself without shortcuts */
    RATIO_ONE,   /* itself on one thread */
    RATIO_COUNT
};

/* One contender on one view. Numbers are NaN where they mean nothing or were not measured. */
struct bench_row {
    const char *view, *name; /* name: of the backend, or "plain", "avx2-loop", "cuda-loop" */
    const char *kind;        /* "backend" or "baseline" */
    const char *type, *arithmetic, *method, *shortcuts;
    double width_px, height_px, limit, threads; /* threads: 0 on the GPU */
    double repeats;                             /* that were completed, without the warm-up */
    double ms;          /* median; of the device alone where it tells, else from submit to done */
    double spread;      /* the 90th percentile less the 10th, over the median */
    double elapsed_ms;  /* median from submit to done, in host memory; a baseline's is its ms */
    double cpu_ms;      /* median, of all threads of this program; less than ms * threads where they
                         * waited, or where other programs had the processor */
    double iterations;  /* steps executed; counted for backends, the sum of counts for baselines */
    double skipped;     /* steps that shortcuts and guesses made unnecessary */
    double per_s;       /* steps executed per second */
    double cycles;      /* of one thread per vector step */
    double limit_per_s; /* steps per second that the machine could make (limits.h), median */
    double fraction;    /* per_s of that; NaN for unfused arithmetic, which costs other steps */
    double ratios[RATIO_COUNT];
    double differing; /* pixels whose count is not that of the view's first backend in this type */
};

struct bench_limit {
    enum limit_unit unit;
    enum number_type type;
    double per_s; /* steps; the median of the run */
};

struct bench_result {
    struct bench_row *rows;
    size_t count;
    struct bench_limit limits[LIMIT_UNITS * TYPE_COUNT];
    size_t limit_count;
    double clock_hz; /* median */
    int threads;
    char gpu[128]; /* the first one's name; "": none */
    bool complete; /* nothing failed, and it was not stopped */
};

/* Measures, on the calling thread and OpenMP's, for minutes. False: there are no rows; logged why,
 * unless it was stopped. The result is to be finished in any case. */
bool bench_measure(const struct bench_setup *setup, struct bench_result *result);
void bench_result_finish(struct bench_result *result);

#endif
