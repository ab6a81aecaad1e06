/* The instruction sets that this machine has for our programs on the CPU. */
#ifndef FATHOM_LAB_REPORT_ISAS_H
#define FATHOM_LAB_REPORT_ISAS_H

#include "lab/bench/limits.h"
#include "lab/lab.h"

struct lab_isa {
    const char *name;     /* "avx512", "avx2", "scalar" */
    uint32_t flags;       /* for struct count_job */
    enum limit_unit unit; /* its limits */
};

#define LAB_ISAS_MAX 3

/* Fills in what --cpumask leaves, best first; returns how many, at least one. */
int lab_isas(const struct lab *lab, struct lab_isa isas[LAB_ISAS_MAX]);

#endif
