/* The arguments of the kernels that walk along orbits once more, with their derivatives. */
#ifndef FATHOM_GPU_ESCAPE_SLOPE_H
#define FATHOM_GPU_ESCAPE_SLOPE_H

#include "gpu/kernels.h"

/* Slopes fill SAMPLE_SLOPE of those pixels of the task that have escaped, and no distance yet; traces, before that, those of
 * SAMPLE_TRACE that are there; insides SAMPLE_INSIDE of those that have not escaped, and whose `last` is 0. */
struct slope_args {
    struct walk_task task;
    enum number_type type;
    bool folded; /* of perturbed ones: not z^2 + c */
    DEVICE_POINTER(const void) coords;
    struct planes planes;
    DEVICE_POINTER(const uint32_t) abort;
    struct device_tables tables; /* of perturbed ones, */
    struct device_traces traces; /* where those are wanted */
};

#endif
