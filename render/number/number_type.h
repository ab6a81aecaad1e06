/* What orbits are computed in: kinds of numbers. */
#ifndef FATHOM_RENDER_NUMBER_NUMBER_TYPE_H
#define FATHOM_RENDER_NUMBER_NUMBER_TYPE_H

#include <stddef.h>

/* First the numbers that processors themselves have, the only ones of orbit density. Not every route
 * has kernels for each (struct backend_info). */
enum number_type {
    TYPE_FLOAT,
    TYPE_DOUBLE,
    TYPE_NATIVE_COUNT,
    TYPE_WIDE = TYPE_NATIVE_COUNT, /* sums of two doubles (wide.h) */
    TYPE_COUNT
};

const char *number_type_name(enum number_type type); /* "float", "double", "wide" */
/* Of a mantissa; those of wide numbers are right wherever c is not small (wide.h). */
int number_type_bits(enum number_type type);
size_t number_type_size(enum number_type type); /* bytes */

#endif
