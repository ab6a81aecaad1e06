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

#endif
