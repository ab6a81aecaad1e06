/* The arguments of the kernels that walk along orbits once more, with their derivatives. */
#ifndef FATHOM_GPU_ESCAPE_SLOPE_H
#define FATHOM_GPU_ESCAPE_SLOPE_H

#include "gpu/kernels.h"

/* Slopes fill SAMPLE_SLOPE of those of the pixels [begin, begin + size) that have escaped, and no distance yet;
 * traces, before that, those of SAMPLE_TRACE that are there; insides SAMPLE_INSIDE of those that have not escaped,
 * and whose `last` is 0. Perturbed orbits walk in doubles, whatever the type of their counts. */
struct slope_args {
    DEVICE_POINTER(const void) coords; /* as in struct coords */
    bool aligned, fused;               /* see struct iterate_args */
    bool folded;                       /* of perturbed ones: not z^2 + c */
    enum number_type type;
    uint32_t width;
    struct planes planes;
    struct recipe recipe;
    double unit;                          /* a pixel's step, of direct orbits */
    struct device_tables tables;          /* of perturbed ones, */
    struct device_traces traces;          /* where those are wanted, */
    uint32_t limit;                       /* which they do not go beyond */
    DEVICE_POINTER(const uint32_t) abort; /* warps that find `serial` there do nothing */
    uint32_t serial;
    size_t begin;
    uint32_t size;
};

#endif
