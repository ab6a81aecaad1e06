/* The arguments of the kernel that walks along orbits once more, with their derivatives. */
#ifndef FATHOM_GPU_ESCAPE_SLOPE_H
#define FATHOM_GPU_ESCAPE_SLOPE_H

#include "gpu/kernels.h"

/* Fills SAMPLE_SLOPE of those of the pixels [begin, begin + size) that have escaped, and no distance yet. */
struct slope_args {
    DEVICE_POINTER(const void) coords; /* as in struct coords */
    bool aligned, fused;               /* see struct iterate_args */
    enum number_type type;
    uint32_t width;
    struct planes planes;
    struct recipe recipe;
    double unit;                          /* a pixel's step */
    DEVICE_POINTER(const uint32_t) abort; /* warps that find `serial` there do nothing */
    uint32_t serial;
    size_t begin;
    uint32_t size;
};

#endif
