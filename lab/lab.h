/* Laboratory: runs the programs that the seeds measured next to fathom's own.
 *
 * An experiment runs the program of a seed and fathom's program for the same job, compares their
 * results, and writes both into tables (table.h, report.h). A wrong result fails the experiment; a
 * slow time fails nothing. Programs that the machine cannot run are reported and left out. */
#ifndef FATHOM_LAB_LAB_H
#define FATHOM_LAB_LAB_H

#include "lab/bench/limits.h"
#include "lab/report/race.h"
#include "lab/report/report.h"
#include "render/backend.h"

/* State of a run of experiments; one thread. */
struct lab {
    const struct backend_impl *const *impls; /* fathom's backends, NULL-terminated */
    struct backend_options options;          /* threads, cpumask, device */
    bool quick;                              /* tiny jobs, only to check that results are right */
    struct race_rules rules;
    struct report *report;
    struct lab_gpu *gpu; /* call lab_device instead of reading it */
    bool gpu_missing;
    struct lab_opencl *opencl; /* call lab_opencl_device instead of reading it */
    bool opencl_missing;
};

struct experiment {
    const char *name; /* one word, as on the command line */
    const char *what; /* description, a phrase */
    /* Runs the experiment. Returns false if a result was wrong, if a required part failed, or if it
     * was stopped. */
    bool (*run)(struct lab *lab);
};

bool classic_experiment(struct lab *lab);    /* seed 000 */
bool buddhabrot_experiment(struct lab *lab); /* seed 001 */
bool modes_experiment(struct lab *lab);      /* seed 002 */
bool paper_experiment(struct lab *lab);      /* seed 003 */
bool hybridizer_experiment(struct lab *lab); /* seed 004 */
bool roofline_experiment(struct lab *lab);

/* List of the experiments; ends with an entry without a name. */
extern const struct experiment lab_experiments[];

/* Returns the GPU, opened on the first call. Returns NULL if there is none, which the report states
 * once. */
struct lab_gpu *lab_device(struct lab *lab);
/* Returns the best OpenCL device, opened on the first call. Returns NULL if there is none, which
 * the report states once. */
struct lab_opencl *lab_opencl_device(struct lab *lab);
/* Returns the number of threads that CPU programs use. */
int lab_threads(const struct lab *lab);
bool lab_stopped(const struct lab *lab);

/* Instruction set of the CPU for which fathom has programs. */
struct lab_isa {
    const char *name;     /* "avx512", "avx2", "scalar" */
    uint32_t needs;       /* flags that cpu_flags() must report */
    enum limit_unit unit; /* unit whose limits apply */
};

#define LAB_ISAS_MAX 3

/* Stores the instruction sets that --cpumask leaves, best first. Returns their number, at least
 * one. */
int lab_isas(const struct lab *lab, struct lab_isa isas[LAB_ISAS_MAX]);

#endif
