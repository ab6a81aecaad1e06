/* Arguments of the resampling kernel (see arguments.h, which includes this file). The light of each
 * ring is a pointer, in the order of the rings. */
#ifndef FATHOM_GPU_KERNELS_RESAMPLE_ARGUMENTS_H
#define FATHOM_GPU_KERNELS_RESAMPLE_ARGUMENTS_H

#include "gpu/movie/resample_task.h"

#define RESAMPLE_RINGS 64 /* maximum number of rings of a frame; 65536 pixels show 55 */

struct resample_lights {
    DEVICE_POINTER(const uint16_t) ring[RESAMPLE_RINGS];
};

#define MEMBER_LIGHTS(S, name) struct resample_lights name;

#ifdef __OPENCL_C_VERSION__
#define LIGHTS_8(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define LIGHTS_LIST(X)                                                                             \
    LIGHTS_8(X, 0)                                                                                 \
    LIGHTS_8(X, 1)                                                                                 \
    LIGHTS_8(X, 2) LIGHTS_8(X, 3) LIGHTS_8(X, 4) LIGHTS_8(X, 5) LIGHTS_8(X, 6) LIGHTS_8(X, 7)
#define PARAMETER_LIGHT(n)        , const GLOBAL uint16_t *light_##n
#define PARAMETER_LIGHTS(S, name) LIGHTS_LIST(PARAMETER_LIGHT)
#define INITIAL_LIGHT(n)          light_##n,
#define INITIAL_LIGHTS(S, name)                                                                    \
    , {                                                                                            \
        { LIGHTS_LIST(INITIAL_LIGHT) }                                                             \
    }
#endif

#define RESAMPLE_ARGUMENTS(KIND, S)                                                                \
    KIND##_FIRST(S, struct resample_task, task)                                                    \
        KIND##_MEMORY(S, const struct resample_place, places) /* the words of the frame follow */  \
        KIND##_MEMORY(S, const uint16_t, curve)               /* value of each light */            \
        KIND##_MEMORY(S, uint8_t, values) KIND##_LIGHTS(S, lights)

#endif
