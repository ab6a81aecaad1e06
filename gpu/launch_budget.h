/* Launch budget: the amount of work in one launch, so that a launch takes about 1 ms and no more
 * than 2 ms. Pure arithmetic on measurements. */
#ifndef FATHOM_GPU_LAUNCH_BUDGET_H
#define FATHOM_GPU_LAUNCH_BUDGET_H

#include <stdint.h>

struct launch_budget {
    double work; /* [pixel-steps] maximum work of a launch */
};

/* Initialises a budget; the first launches are small on every device. */
void launch_budget_init(struct launch_budget *budget);

/* Learns from a launch of `work` pixel-steps that took `ms` ms. `executed` pixel-steps were
 * actually done, because orbits escaped early. */
void launch_budget_learn(struct launch_budget *budget, double work, double executed, double ms);

/* Returns the number of steps, at most `wanted`, with which `threads` pixels fit into one launch. A
 * smaller number than `wanted` is a multiple of 16. */
uint32_t launch_budget_steps(const struct launch_budget *budget, uint32_t wanted, uint32_t threads);

/* Returns the number of pixels that one launch can iterate by `steps` steps, a multiple of 256. */
uint32_t launch_budget_pixels(const struct launch_budget *budget, uint32_t steps);

#endif
