/* Segments: polynomials that replace many steps of a perturbed orbit; and series, which begin all
 * orbits of a view.
 *
 * A segment starts at an index m of a reference orbit. Let z be the distance of a point's orbit
 * from Z_m there. Then x = (2 Z_m + z) z is exactly the product in its first step. While max|x| < T
 * and |c| < T_c, `length` steps on the distance have this result, within about one part in 2^48 of
 * single steps, and no step escapes:
 *     z' = sum over k of P_k x^k + C c,   k = 1 .. SEGMENT_DEGREE
 * P_k is stored as p_k = P_k T^k, which stays within a double's range at any depth. T is a power of
 * two, so that x / T is exact.
 *
 * For other formulas x is f(Z_m + z) - f(Z_m), where f is the formula without c; see segment_bar
 * for formulas that fold.
 *
 * Segments depend on the orbit, not on a view: the segments of a longer orbit begin with the
 * segments of a shorter one. A view leaves out segments whose T_c is below its own points' |c|. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENT_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENT_H

#include "render/inline.h"

#define SEGMENT_DEGREE 6

struct ALIGNED_16 segment {
    int32_t t_log2, length;
    int32_t t_c_log2; /* T_c = 2^t_c_log2 */
    int32_t c_log2;   /* C = (c_r + i c_i) 2^c_log2, 0.5 <= max|.| < 1 */
    double c_r, c_i;
    double p[SEGMENT_DEGREE][2];
};

/* Low parts of a wide segment's numbers. Higher powers of x need none: they add less than 2^-51 of
 * the whole. */
#define SEGMENT_LOW_DEGREE 3
struct segment_low {
    double c_r, c_i;
    double p[SEGMENT_LOW_DEGREE][2];
};

/* Further coefficients of a segment whose steps fold: z' is the sum over x, or over its conjugate,
 * plus C c and C' conj(c). C' is stored here, in units of 2^c_log2 like C, with its low parts in
 * wide tables. */
struct ALIGNED_16 segment_bar {
    double c_r, c_i, low_r, low_i;
    double sign; /* of x's imaginary part: 1, or -1 */
    double spare;
};

/* Further terms of a segment, in x c and c^2:
 *     z' = sum over k of P_k x^k + c (C + sum over k of Q_k x^k) + C2 c^2
 * With them the segment also serves while |c| is below this larger T_c and max|x| < T / 2. The
 * terms that are left out are of the order of (C c / Z)^2 of the whole. */
struct ALIGNED_16 segment_cross {
    /* Q_k T^k for k = 1 .. SEGMENT_DEGREE - 1, in units of 2^c_log2 like C; then C2, in units of
     * 2^(2 c_log2) */
    double q[SEGMENT_DEGREE][2];
    int32_t t_c_log2, spare; /* T_c = 2^t_c_log2; SEGMENT_CROSS_NONE: never used */
    double spare2;
};
#define SEGMENT_CROSS_NONE (-0x40000000)

/* The same of the conjugate of c where steps fold, and the term in |c|^2, in units of
 * 2^(2 c_log2). */
struct ALIGNED_16 segment_cross_bar {
    double q[SEGMENT_DEGREE][2];
    double both[2];
};

/* List of the segments that start at one index, from the shortest to the longest. Neither T nor T_c
 * grows along the list. */
struct segment_list {
    /* `first` is an index of the segments; a list ends where the next one begins */
    uint32_t start, first;
};

/* Trace of a segment (render/formula/trace.h): statistics of the reference's points in the segment.
 * They hold for every orbit that takes the segment, because it stays close to the reference. The
 * points are those from the second index after the segment's start to the last index before its
 * end. The first index depends on the orbit's position at the start, and the orbit lands on the
 * end. */
struct ALIGNED_16 segment_trace {
    double stripe, triangle; /* sums */
    double square, line, cross,
        circle;       /* least values: |Z|^2, in units of TRACE_UNIT^2, and distances */
    double size;      /* |Z| at the last index */
    uint32_t nearest; /* steps from the start to the first index where |Z| is least */
    /* An orbit may take the segment while max|x| < T 2^-near; or T 2^-far, if no trap comes nearer
     * by it. Distances are below 2^-15 |Z| then; in the former case also below 2^-13 of the
     * distance from the nearest axis or the circle, or below 2^-37. */
    int16_t near, far;
};

/* Returns true if the segment serves for max|x| < T 2^-below and an orbit that has come that near
 * to the traps. Orbits at least twice as far away come no nearer, since distances are below half of
 * that. */
INLINE bool segment_trace_fits(const GLOBAL struct segment_trace *s, int32_t below, double line,
                               double cross, double circle) {
    return below >= s->near || (below >= s->far && s->line >= line + line &&
                                s->cross >= cross + cross && s->circle >= circle + circle);
}

#define SERIES_DEGREE 8

/* Common beginning of a view's orbits (series approximation): while all of them stay close to the
 * reference, their distance from it is one polynomial of c, and their first rounds are made once
 * for all. After n steps, at index m of the reference, the distance is the sum of a_k u^k, times
 * 2^log2, where u = c times `unit` and |u| < 1. */
struct series {
    double a[SERIES_DEGREE + 1][2];
    double unit;
    int32_t log2; /* EXTENDED_ZERO: still 0 */
    uint32_t m, n;
};

#endif
