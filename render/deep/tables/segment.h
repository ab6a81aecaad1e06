/* Polynomial segments: what lets a perturbed orbit take many steps at once.
 *
 * A segment starts at an index m of a reference orbit. With z the distance of a point's orbit from
 * Z_m there, x = (2 Z_m + z) z is exactly its first step's product; while max|x| < T and |c| < T_c,
 * `length` steps on the distance is
 *     z' = sum over k of P_k x^k + C c,   k = 1 .. SEGMENT_DEGREE,
 * within a part in 2^48 or so of what single steps would give, and none of those escapes. P_k is
 * stored as p_k = P_k T^k, which keeps it within a double's range at any depth, and T as a power of
 * two, so that x / T is exact.
 *
 * The same serves other formulas, where x is what they make of (Z_m + z) less what they make of Z_m, without c; see
 * segment_bar for those that fold.
 *
 * They are a function of the orbit alone, not of a view: those of a longer orbit begin with those of
 * a shorter one. A view leaves out those whose T_c is below its own points' |c|. */
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

/* What doubles leave of a segment's numbers, where they are wide. */
struct segment_low {
    double c_r, c_i;
    double p[SEGMENT_DEGREE][2];
};

/* What it has besides where steps fold: z' is the sum over x, or over its conjugate, with C c and C' conj(c), where C' is
 * in units of 2^c_log2 as C is. */
struct ALIGNED_16 segment_bar {
    double c_r, c_i;
    double sign; /* of x's imaginary part: 1, or -1 */
    double spare;
};

/* Those that start at one index, one after the other, the shortest first; neither T nor T_c grows
 * from one to the next. */
struct segment_list {
    uint32_t start, first; /* in `segment`; they end where the next list's begin */
};

/* Of the indices from the second after a segment's start to the last before its end: the first one of all depends on where
 * the orbit was at the start, and the last is where it lands. */
struct ALIGNED_16 segment_trace {
    double stripe, triangle; /* sums */
    double square, line, cross,
        circle;       /* the least: |Z|^2, in units of TRACE_UNIT^2, and distances */
    double size;      /* |Z| at the last one */
    uint32_t nearest; /* steps from the start to where |Z| is least, the first of such */
    /* An orbit may take it while max|x| < T 2^-near; or T 2^-far, where no trap comes nearer by it. Distances then are below
     * 2^-15 |Z| all along, and in the former case below 2^-13 of what is nearest to an axis or the circle, or below 2^-37. */
    int16_t near, far;
};

/* Whether it does for max|x| < T 2^-below and an orbit that has come so near; it comes no nearer from twice as far, as
 * distances are below half of it. */
INLINE bool segment_trace_fits(const GLOBAL struct segment_trace *s, int32_t below, double line,
                               double cross, double circle) {
    return below >= s->near || (below >= s->far && s->line >= line + line &&
                                s->cross >= cross + cross && s->circle >= circle + circle);
}

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
