/* What seed 001's programs count, each as its listing has it, by the plainest loop over random c; and
 * whether two programs that take different samples draw the same picture. */
#ifndef FATHOM_LAB_BUDDHABROT_BUDDHABROT_RULES_H
#define FATHOM_LAB_BUDDHABROT_BUDDHABROT_RULES_H

#include "lab/lab.h"

#define SEED_ITERATIONS 20

enum seed_rule {
    SEED_SELECTIVE,
    SEED_GRID,
    SEED_HALVES,
    SEED_OURS, /* what the grid's counts are, by ours' way: the upper half, every orbit once */
    SEED_RULES
};

/* c is uniform in the box. An orbit goes on from z = c for SEED_ITERATIONS steps or until |z|^2 >=
 * 25; with |z|^2 > counted then, its points are plotted, the last one too. */
struct seed_rule_facts {
    const char *name;
    float re_min, re_max, im_min, im_max;
    bool first; /* z = c is a point */
    float counted;
    bool both; /* the conjugate orbit is plotted as well */
};
extern const struct seed_rule_facts seed_rules[SEED_RULES];

#define BLOCKS_SIDE_PX 16

/* The share that each block of a picture has of all its points, in two pictures from independent
 * samples, which tell how much chance there is in them. */
struct blocks {
    size_t count;
    double *share[2];
};

/* Fills in picture 0 or 1. Pairs with blocks_finish. Returns false if there is no memory, logged. */
bool blocks_add(struct blocks *blocks, int which, const uint32_t *canvas, int width_px,
                int height_px);
void blocks_finish(struct blocks *blocks);

/* Checks that two programs of the same rules draw the same picture. */
bool blocks_alike(struct lab *lab, const char *first, const struct blocks *first_blocks,
                  const char *second, const struct blocks *second_blocks);

/* Plots by all rules and says how their pictures differ. Returns false if a check fails, or for no
 * memory, logged. */
bool rules_count(struct lab *lab, int width_px, int height_px, struct blocks rules[SEED_RULES]);

#endif
