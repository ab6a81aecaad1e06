/* Number types that orbits are computed in. */
#ifndef FATHOM_RENDER_NUMBER_NUMBER_TYPE_H
#define FATHOM_RENDER_NUMBER_NUMBER_TYPE_H

#include <stddef.h>

/* Types of processors come first; orbit density has only these. Routes do not have kernels for all
 * types (struct backend_info). */
enum number_type {
    TYPE_FLOAT,
    TYPE_DOUBLE,
    TYPE_NATIVE_COUNT,
    TYPE_WIDE = TYPE_NATIVE_COUNT, /* sums of two doubles (wide.h) */
    TYPE_COUNT
};

const char *number_type_name(enum number_type type); /* Returns "float", "double" or "wide". */
/* Returns the bits of a mantissa; for wide numbers, those of any c that is not small (wide.h). */
int number_type_bits(enum number_type type);
size_t number_type_size(enum number_type type); /* Returns the size in bytes. */

#endif
