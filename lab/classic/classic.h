/* What the files of seed 000's experiment share: one size of its picture, and what draws it. */
#ifndef FATHOM_LAB_CLASSIC_CLASSIC_H
#define FATHOM_LAB_CLASSIC_CLASSIC_H

#include "lab/classic/classic_draw.h"
#include "lab/classic/plain_classic.h"
#include "lab/gpu/gpu.h"
#include "lab/lab.h"

#define CLASSIC_PROGRAMS_MAX 16

/* A way of ours to draw the picture. */
struct classic_program {
    const char *backend;
    struct backend_options options;
    unsigned shortcuts;
    bool mirror, fused;
    struct classic_size *size;
    struct classic_device *device;
    struct classic_times times;
    struct series kernel_ms;
    uint64_t differing; /* pixels unlike the plain program's */
};

/* The plain program, ours with writing, then all of ours without. */
enum { RACER_PLAIN, RACER_WHOLE, RACER_OURS };

enum { CALCULATE, MAP, DUMP, FUNCTIONS };

/* One size of the picture, in the making. */
struct classic_size {
    struct lab *lab;
    struct race_rules rules;
    int side;
    struct plain_classic plain;
    struct classic_picture classic;
    FILE *file;                     /* where dumps go */
    struct series spent[FUNCTIONS]; /* ms, in each of the plain program's functions */
    struct series drawn;            /* ms, by ours that also writes */
    struct classic_program programs[CLASSIC_PROGRAMS_MAX];
    struct racer racers[RACER_OURS + CLASSIC_PROGRAMS_MAX];
    int count; /* of programs */
};

/* Of what a racer notes in every run, warm-up included, the mean over those that were timed; NaN
 * when it notes nothing. */
double classic_noted_mean(const struct series *noted, const struct racer *racer);

/* The table of the CUDA port, and its rows for one size that was raced, ours included. False:
 * something failed (logged), or a picture is wrong. */
struct table *classic_ports_table(void);
bool classic_add_ports(struct table *table, struct classic_size *size, struct lab_gpu *gpu);

#endif
