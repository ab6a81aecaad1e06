/* Tables of a reference: makes the struct that the shared functions read from a kernel's arguments.
 * TURNS is 1 if several formulas take turns; if it is 0, the compiler knows that the same step
 * repeats. */
#ifndef FATHOM_GPU_KERNELS_TABLES_H
#define FATHOM_GPU_KERNELS_TABLES_H

#include "gpu/kernels/arguments.h"

#define TABLES_NUMBER(type, name) tables.name = numbers->name;
#define TABLES_MEMORY(type, name) tables.name = t->name;
INLINE struct perturbed_tables tables_of(const struct device_tables *t) {
    const struct table_numbers *numbers = VALUE_OF(t->numbers);
    struct perturbed_tables tables;
    TABLE_NUMBER_LIST(TABLES_NUMBER)
    TABLE_MEMORY_LIST(TABLES_MEMORY)
    tables.steps.length = TURNS ? numbers->steps.length : 1;
    tables.steps.powers = numbers->steps.powers;
    tables.steps.folds = numbers->steps.folds;
    tables.usable = 0;
    tables.c = tables.c_low = 0;
    tables.c_bar = 0;
    ASSUME(tables.index != 0);
    return tables;
}
#undef TABLES_NUMBER
#undef TABLES_MEMORY

#endif
