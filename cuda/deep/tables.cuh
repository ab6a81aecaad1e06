/* A reference and its tables, as the functions see them that all devices share. */
#ifndef FATHOM_CUDA_DEEP_TABLES_CUH
#define FATHOM_CUDA_DEEP_TABLES_CUH

#include "gpu/escape/tables.h"
#include "render/deep/perturbed.h"

/* Without `turns` the compiler knows that there is one step. */
static __device__ __forceinline__ struct perturbed_tables tables_of(const struct device_tables &t,
                                                                    const bool turns = false) {
    struct perturbed_tables tables = {};
    tables.index = t.index;
    tables.orbit = t.orbit;
    tables.small = t.small;
    tables.list_at = t.list_at;
    tables.list = t.list;
    tables.segment = t.segment;
    tables.re = t.re;
    tables.im = t.im;
    tables.from_re = t.from_re;
    tables.from_im = t.from_im;
    tables.julia = t.julia;
    tables.inside = t.inside;
    tables.smalls = t.smalls;
    tables.last = t.last;
    tables.c_log2 = t.c_log2;
    tables.c_most_log2 = t.c_most_log2;
    tables.step = t.step;
    tables.step_log2 = t.step_log2;
    tables.unit = t.unit;
    tables.unit_log2 = t.unit_log2;
    tables.series = t.series;
    tables.orbit_low = t.orbit_low;
    tables.low = t.low;
    tables.steps = t.steps;
    if (!turns)
        tables.steps.length = 1;
    tables.begin = t.begin;
    tables.bar = t.bar;
    tables.re_low = t.re_low;
    tables.im_low = t.im_low;
    return tables;
}

#endif
