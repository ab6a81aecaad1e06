/* A reference and its tables, as the functions see them that all devices share. The build says TURNS: whether several steps
 * take turns; else one formula's look up nothing. */
#include "gpu/escape/table_numbers.h"

#define TABLES_ARGUMENTS                                                                           \
    const struct table_numbers numbers, const GLOBAL struct perturbed_index *index_of,             \
        const GLOBAL double *orbit_of, const GLOBAL struct perturbed_small *small_of,              \
        const GLOBAL uint *list_at, const GLOBAL struct segment_list *list_of,                     \
        const GLOBAL struct segment *segment_of, const GLOBAL double *orbit_low,                   \
        const GLOBAL struct segment_low *low_of, const GLOBAL uint *begin_of,                      \
        const GLOBAL struct segment_bar *bar_of

/* Declares `name` of the arguments, and constant, so that compilers copy nothing of it. */
#define TABLES_NUMBER(type, name) .name = numbers.name,
#define TABLES(name)                                                                               \
    const struct perturbed_tables name = {                                                         \
        TABLE_NUMBER_LIST(TABLES_NUMBER)                                                           \
        .steps = {TURNS ? numbers.steps.length : 1, numbers.steps.powers, numbers.steps.folds},    \
        .index = index_of, .orbit = orbit_of, .small = small_of, .list_at = list_at,               \
        .list = list_of, .segment = segment_of, .orbit_low = orbit_low, .low = low_of,             \
        .begin = begin_of, .bar = bar_of};
