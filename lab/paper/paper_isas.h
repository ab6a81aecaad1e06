/* Ours on each of the processor's instruction sets. */
#ifndef FATHOM_LAB_PAPER_PAPER_ISAS_H
#define FATHOM_LAB_PAPER_PAPER_ISAS_H

#include "render/frame.h"

struct paper;
struct paper_scene;

#define PAPER_ISAS 4

/* NaN: not measured. */
struct paper_isas {
    int resolution; /* 0: nothing was measured */
    /* By instruction set, type, arithmetic, with shortcuts, with all threads. */
    double ms[PAPER_ISAS][TYPE_NATIVE_COUNT][ARITHMETIC_COUNT][2][2];
    double strays; /* points, of all pictures, that differ from the counts of the programs */
};

void paper_isas_init(struct paper_isas *isas);
/* False: stopped, or something failed (logged). */
bool paper_measure_isas(struct paper_scene *scene);
void paper_report_isas(struct paper *paper);

#endif
