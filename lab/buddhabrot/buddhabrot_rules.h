/* What seed 001's programs count, each as its listing has it, by the plainest loop over random c.
 */
#ifndef FATHOM_LAB_BUDDHABROT_BUDDHABROT_RULES_H
#define FATHOM_LAB_BUDDHABROT_BUDDHABROT_RULES_H

#include <stdbool.h>
#include <stdint.h>

#define SEED_ITERATIONS 20

enum seed_rule { SEED_SELECTIVE, SEED_GRID, SEED_HALVES, SEED_RULES };

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

/* Plots so many orbits into a canvas as the seed's; returns the points. `random`: the generator's
 * key. */
uint64_t seed_rule_plot(enum seed_rule rule, int width_px, int height_px, uint64_t samples,
                        uint64_t random, int threads, uint32_t *canvas);

#endif
