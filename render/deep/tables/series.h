/* The common beginning of a view's orbits (series approximation): while all of them stay close to
 * the reference their distance from it is one polynomial of c, and their first rounds are made once
 * for all. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SERIES_H
#define FATHOM_RENDER_DEEP_TABLES_SERIES_H

#include "render/inline.h"

#define SERIES_DEGREE 8

/* After n steps, at index m of the reference, the distance is the sum of a_k u^k, times 2^log2,
 * where u = c times `unit` and |u| < 1. */
struct series {
    double a[SERIES_DEGREE + 1][2];
    double unit;
    int32_t log2; /* EXTENDED_ZERO: still 0 */
    uint32_t m, n;
};

#endif
