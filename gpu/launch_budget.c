/* Launch budget: adapts the size of launches to their measured duration. */
#include "gpu/launch_budget.h"
#include <math.h>

#define WORK_FIRST  0x1p22
#define WORK_MIN    0x1p16
#define WORK_MAX    0x1p36
#define TARGET_MS   1.4
#define LONG_MS     1.8
#define GROWTH      4.0
#define STEPS_MAX   16384u /* a single thread of a slow device does these in about 1 ms */
#define STEPS_BLOCK 16u
#define PIXELS_UNIT 256u
#define PIXELS_MAX  (1u << 24)

void launch_budget_init(struct launch_budget *budget) {
    budget->work = WORK_FIRST;
}

/* The executed steps are a lower bound of the device's speed without escapes, for which the next
 * launch must be prepared. */
void launch_budget_learn(struct launch_budget *budget, double work, double executed, double ms) {
    const double time = fmax(ms, 1e-3);
    double next = budget->work;
    if (time > LONG_MS)
        next = fmin(next, work * (TARGET_MS / time));
    else
        next = fmax(next, fmin(executed * (TARGET_MS / time), GROWTH * next));
    budget->work = fmin(fmax(next, WORK_MIN), WORK_MAX);
}

uint32_t launch_budget_steps(const struct launch_budget *budget, uint32_t wanted,
                             uint32_t threads) {
    const double room = fmin(budget->work / fmax(threads, 1), STEPS_MAX);
    if (wanted <= room)
        return wanted;
    const uint32_t blocks = (uint32_t)room / STEPS_BLOCK;
    const uint32_t steps = (blocks > 0 ? blocks : 1) * STEPS_BLOCK;
    return steps < wanted ? steps : wanted;
}

uint32_t launch_budget_pixels(const struct launch_budget *budget, uint32_t steps) {
    const double pixels = budget->work / fmax(steps, STEPS_BLOCK);
    const uint32_t units = (uint32_t)fmin(pixels, PIXELS_MAX) / PIXELS_UNIT;
    return (units > 0 ? units : 1) * PIXELS_UNIT;
}
