/* A reference and its tables, as the functions see them that all devices share. */
#ifndef FATHOM_CUDA_DEEP_TABLES_CUH
#define FATHOM_CUDA_DEEP_TABLES_CUH

#include "gpu/escape/tables.h"

/* Without `turns` the compiler knows that there is one step. */
static __device__ __forceinline__ struct perturbed_tables tables_of(const struct device_tables &t,
                                                                    const bool turns = false) {
    struct perturbed_tables tables = {};
#define NUMBER(type, name) tables.name = t.numbers.name;
    TABLE_NUMBER_LIST(NUMBER)
#undef NUMBER
    tables.steps = t.numbers.steps;
    if (!turns)
        tables.steps.length = 1;
    tables.index = t.index;
    tables.orbit = t.orbit;
    tables.small = t.small;
    tables.list_at = t.list_at;
    tables.list = t.list;
    tables.segment = t.segment;
    tables.orbit_low = t.orbit_low;
    tables.low = t.low;
    tables.begin = t.begin;
    tables.bar = t.bar;
    return tables;
}

#endif
