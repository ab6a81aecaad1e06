/* How much work one launch may hold, so that it takes about a millisecond and none outlives two.
 * Pure arithmetic on measurements. */
#ifndef FATHOM_GPU_LAUNCH_BUDGET_H
#define FATHOM_GPU_LAUNCH_BUDGET_H

#include <stdint.h>

struct launch_budget {
    double work; /* pixel-steps that a launch may hold */
};

/* The first launches are small whatever the device. */
void launch_budget_init(struct launch_budget *budget);

/* A launch of `work` pixel-steps took `ms`; `executed` of them were really done, because orbits
 * escaped early. */
void launch_budget_learn(struct launch_budget *budget, double work, double executed, double ms);

/* How many steps to do at once, at most `wanted`, so that `threads` pixels fit into one launch.
 * Less than `wanted` only by whole blocks of steps. */
uint32_t launch_budget_steps(const struct launch_budget *budget, uint32_t wanted, uint32_t threads);

/* How many pixels one launch may take `steps` further; a multiple of 256. */
uint32_t launch_budget_pixels(const struct launch_budget *budget, uint32_t steps);

#endif
