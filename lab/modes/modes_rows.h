/* What is compared on one view: the seed's combinations of modes, and fathom's methods. */
#ifndef FATHOM_LAB_MODES_MODES_ROWS_H
#define FATHOM_LAB_MODES_MODES_ROWS_H

#include "lab/bench/contender.h"
#include "lab/lab.h"
#include "lab/modes/modes_draw.h"

#define MODES_ROWS_MAX 144
#define MODES_NAME_MAX 64
#define MODES_FEW_ROWS 25 /* that the seed gave its GPU at a time */

/* What all rows share. */
struct modes_run {
    struct lab *lab;
    struct bench_setup setup; /* unfused, no shortcuts */
    struct devices devices;   /* fathom's backends */
    struct race_rules rules;
    uint32_t cpu_flags;
    int threads;
};

struct modes_row {
    struct modes_run *run;
    struct modes_view *view;
    char name[MODES_NAME_MAX];
    const char *drawing, *device; /* "parallel", "avx2" */
    enum mfunc_number number;
    int threads; /* 0: on the GPU */
    bool ours, guesses;
    unsigned shortcuts; /* enum shortcuts */
    /* With `counts`, they are in view->count afterwards; that may take longer. */
    bool (*draw)(struct modes_row *row, bool counts, double *ms);
    struct series kernel_ms; /* within the time; of the GPU */
    /* Of the seed's. */
    modes_draw_fn *mode;
    const struct mfunc *mfunc;
    /* Of fathom's. */
    struct contender contender;
    enum method method;
    uint32_t cpu_flags; /* for counts alone */
    int program;        /* on a GPU, of lab/gpu/gpu.h */
    bool opencl;        /* that is done by lab/opencl/opencl.h */
    /* Of dispatching. */
    int rows;                          /* a dispatch; 0: all */
    int dispatches;                    /* of the whole picture */
    struct series shallow_ms, deep_ms; /* one dispatch, at the top and in the middle */
    /* Results: pixels unlike the loop's in double, and in the row's own type. */
    uint64_t unlike_double, unlike_own;
};

struct modes_rows {
    struct modes_row row[MODES_ROWS_MAX];
    struct racer racer[MODES_ROWS_MAX];
    int count;
};

/* The job of a row that draws with an mfunc. */
struct modes_job modes_row_job(const struct modes_row *row);

/* Adds a copy, named; what does not fit is left out with a warning. */
void modes_rows_add(struct modes_rows *rows, struct modes_row row);
/* Those of the seed on the CPU. */
void modes_rows_add_seed(struct modes_rows *rows, struct modes_run *run, struct modes_view *view);
/* Fathom's, but for counts alone on the GPU. False: a backend did not open, logged. */
bool modes_rows_add_ours(struct modes_rows *rows, struct modes_run *run, struct modes_view *view,
                         bool all_methods);
void modes_rows_finish(struct modes_rows *rows);

/* Draws each once and compares, and makes it a racer. False: one failed, or stopped. */
bool modes_rows_compare(struct modes_rows *rows);

/* Those that guess nothing have the right counts, and those that guess nearly. */
bool modes_rows_check_exact(struct report *report, const struct modes_rows *rows);
bool modes_rows_check_guesses(struct report *report, const struct modes_rows *rows);

/* An empty table of a view, its title beginning with `what`. */
struct table *modes_rows_table(const char *id, const char *what, const struct modes_view *view,
                               const struct table_column *columns);
/* Begins a line: the program, the drawing, the device, and the numbers. */
void modes_row_name(struct table *table, const struct modes_row *row);

#endif
