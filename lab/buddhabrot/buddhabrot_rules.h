/* Counting rules of seed 001's programs, each as its listing gives it, in a plain loop over random
 * c. Also tests whether two programs that take different samples draw the same picture. */
#ifndef FATHOM_LAB_BUDDHABROT_BUDDHABROT_RULES_H
#define FATHOM_LAB_BUDDHABROT_BUDDHABROT_RULES_H

#include "lab/lab.h"

#define SEED_ITERATIONS 20

enum seed_rule {
    SEED_SELECTIVE,
    SEED_GRID,
    SEED_HALVES,
    SEED_OURS, /* counts of the grid in fathom's way: the upper half, every orbit once */
    SEED_RULES
};

/* Rule of a program. c is uniform in the box. An orbit runs from z = c for SEED_ITERATIONS steps or
 * until |z|^2 >= 25. If |z|^2 > counted then, its points are plotted, including the last. */
struct seed_rule_facts {
    const char *name;
    float re_min, re_max, im_min, im_max;
    bool first; /* z = c is a point */
    float counted;
    bool both; /* the conjugate orbit is plotted as well */
};
extern const struct seed_rule_facts seed_rules[SEED_RULES];

#define BLOCKS_SIDE_PX 16

/* Share of all points in each block of a picture, for two pictures from independent samples. Their
 * difference measures the noise. */
struct blocks {
    size_t count;
    double *share[2];
};

/* Stores picture 0 or 1. Pairs with blocks_finish. Returns false without memory, which is
 * logged. */
bool blocks_add(struct blocks *blocks, int which, const uint32_t *canvas, int width_px,
                int height_px);
void blocks_finish(struct blocks *blocks);

/* Checks that two programs of the same rules draw the same picture. */
bool blocks_alike(struct lab *lab, const char *first, const struct blocks *first_blocks,
                  const char *second, const struct blocks *second_blocks);

/* Plots by all rules and reports how their pictures differ. Returns false if a check fails, or
 * without memory, which is logged. */
bool rules_count(struct lab *lab, int width_px, int height_px, struct blocks rules[SEED_RULES]);

#endif
