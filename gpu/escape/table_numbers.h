/* Numbers of a perturbed picture's tables; the tables themselves are in device memory. */
#ifndef FATHOM_GPU_ESCAPE_TABLE_NUMBERS_H
#define FATHOM_GPU_ESCAPE_TABLE_NUMBERS_H

#include "render/deep/perturbed.h"

/* Type and name, as in struct perturbed_tables. */
#define TABLE_NUMBER_LIST(X)                                                                       \
    X(struct series, series)                                                                       \
    X(struct minibrot, minibrot)                                                                   \
    X(double, re)                                                                                  \
    X(double, im)                                                                                  \
    X(double, from_re)                                                                             \
    X(double, from_im)                                                                             \
    X(double, inside)                                                                              \
    X(double, escape)                                                                              \
    X(double, tail_from)                                                                           \
    X(double, re_low)                                                                              \
    X(double, im_low)                                                                              \
    X(double, step)                                                                                \
    X(double, step_log2)                                                                           \
    X(double, unit)                                                                                \
    X(double, unit_log2)                                                                           \
    X(uint32_t, smalls)                                                                            \
    X(uint32_t, last)                                                                              \
    X(uint32_t, julia)                                                                             \
    X(int32_t, c_log2)                                                                             \
    X(int32_t, c_most_log2)

#define TABLE_NUMBER_MEMBER(type, name) type name;
struct table_numbers {
    TABLE_NUMBER_LIST(TABLE_NUMBER_MEMBER)
    struct step_list steps;
};
#undef TABLE_NUMBER_MEMBER

#endif
