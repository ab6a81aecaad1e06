/* The laboratory: the programs that the seeds measured, run here beside ours.
 *
 * An experiment runs what a seed describes and what fathom has for the same job, compares their
 * results, and writes both into tables (table.h, report.h). What is wrong with a result fails the
 * experiment; what is wrong with a time fails nothing. What a machine lacks is said and left out.
 */
#ifndef FATHOM_LAB_LAB_H
#define FATHOM_LAB_LAB_H

#include "lab/bench/limits.h"
#include "lab/report/race.h"
#include "lab/report/report.h"
#include "render/backend.h"

/* One run of experiments; all on one thread. */
struct lab {
    const struct backend_impl *const *impls; /* fathom's backends, NULL-terminated */
    struct backend_options options;          /* threads, cpumask, device */
    bool quick;                              /* tiny jobs: to see that results are right */
    struct race_rules rules;
    struct report *report;
    struct lab_gpu *gpu; /* ask lab_device for it */
    bool gpu_missing;
    struct lab_opencl *opencl; /* ask lab_opencl_device for it */
    bool opencl_missing;
};

struct experiment {
    const char *name; /* one word, as on the command line */
    const char *what; /* a phrase */
    /* False: a result was wrong, something failed that need not be missing, or it was stopped. */
    bool (*run)(struct lab *lab);
};

bool classic_experiment(struct lab *lab);    /* seed 000 */
bool buddhabrot_experiment(struct lab *lab); /* seed 001 */
bool modes_experiment(struct lab *lab);      /* seed 002 */
bool paper_experiment(struct lab *lab);      /* seed 003 */
bool hybridizer_experiment(struct lab *lab); /* seed 004 */
bool roofline_experiment(struct lab *lab);

/* Ends with an entry without a name. */
extern const struct experiment lab_experiments[];

/* The GPU, opened when it is first asked for. NULL: none; the report says so, once. */
struct lab_gpu *lab_device(struct lab *lab);
/* Likewise OpenCL's best device. */
struct lab_opencl *lab_opencl_device(struct lab *lab);
/* Threads that the CPU's programs work with. */
int lab_threads(const struct lab *lab);
bool lab_stopped(const struct lab *lab);

/* The instruction sets that this machine has for our programs on the CPU. */
struct lab_isa {
    const char *name;     /* "avx512", "avx2", "scalar" */
    uint32_t needs;       /* of cpu_flags() */
    enum limit_unit unit; /* its limits */
};

#define LAB_ISAS_MAX 3

/* Fills in what --cpumask leaves, best first; returns how many, at least one. */
int lab_isas(const struct lab *lab, struct lab_isa isas[LAB_ISAS_MAX]);

#endif
