/* Coordinate terms (host and GPU): the c of pixel (x, y) from the tables of coords.h. */
#ifndef FATHOM_RENDER_GRID_COORDS_POINT_H
#define FATHOM_RENDER_GRID_COORDS_POINT_H

#include "render/inline.h"

/* Layout of a table. A point is the sum of its column's and its row's term; in a polar table it is
 * the product of the column's direction and the row's radius, plus the centre. */
#define COORDS_TURNED  0u
#define COORDS_UPRIGHT 1u /* angle 0: re is the column's term, and im is the row's */
#define COORDS_POLAR   2u

/* Term of a column or a row: re and im, each an unevaluated sum of two numbers of the kernel's
 * type. COORDS_UPRIGHT: the column has all of re, the row all of im, and every low part is 0.
 * COORDS_POLAR: the column has the direction in re and im, and the low parts of the centre; the row
 * has the centre in re and im, and the radius in both low parts. */
struct coords_float {
    float re, re_low, im, im_low;
};
struct coords_double {
    double re, re_low, im, im_low;
};
/* Term for wide numbers: three parts, each the number nearest to the rest. COORDS_POLAR: the column
 * has two parts of the direction and the third parts of the centre; the row has two parts of the
 * centre, and the radius in the third parts, the high part with re. */
struct coords_wide {
    double re[3], im[3];
};

/* Sums of a column's and a row's term: Knuth's two-sum of the high parts, then the small parts,
 * then one rounding. Plain additions give the same result on every machine. */
#define COORDS_SUM(name, real)                                                                     \
    INLINE real name(real a, real a_low, real b, real b_low) {                                     \
        const real s = a + b;                                                                      \
        const real v = s - a;                                                                      \
        const real e = (a - (s - v)) + (b - v);                                                    \
        return s + (e + (a_low + b_low));                                                          \
    }
COORDS_SUM(coords_sum_float, float)
COORDS_SUM(coords_sum_double, double)
#undef COORDS_SUM

/* Computes the c of pixel (x, y) from the table of a picture that is `width_px` wide. In an upright
 * one the sums are exact without the zero terms. */
#define COORDS_POINT(name, entry, real, sum, fma)                                                  \
    INLINE void name(const struct entry *table, uint32_t layout, uint32_t width_px, uint32_t x,    \
                     uint32_t y, real *re, real *im) {                                             \
        const struct entry a = table[x], b = table[width_px + y];                                  \
        if (layout == COORDS_UPRIGHT) {                                                            \
            *re = a.re + 0;                                                                        \
            *im = b.im + 0;                                                                        \
        } else if (layout == COORDS_POLAR) {                                                       \
            *re = b.re + fma(b.re_low, a.re, a.re_low);                                            \
            *im = b.im + fma(b.im_low, a.im, a.im_low);                                            \
        } else {                                                                                   \
            *re = sum(a.re, a.re_low, b.re, b.re_low);                                             \
            *im = sum(a.im, a.im_low, b.im, b.im_low);                                             \
        }                                                                                          \
    }
COORDS_POINT(coords_point_float, coords_float, float, coords_sum_float, float_fma)
COORDS_POINT(coords_point_double, coords_double, double, coords_sum_double, double_fma)
#undef COORDS_POINT

/* Returns the rounded sum of a and b; *low is its rounding error (Knuth). */
INLINE double coords_two_sum(double a, double b, double *low) {
    const double s = a + b, v = s - a;
    *low = (a - (s - v)) + (b - v);
    return s;
}

/* Adds two terms and rounds the sum to two doubles: the high parts, their rounding error with the
 * middle parts, and then the small parts, with one rounding at the end. */
INLINE void coords_sum_wide(const double *a, const double *b, double *hi, double *lo) {
    double e0, e1, e2, s = coords_two_sum(a[0], b[0], &e0), t = coords_two_sum(a[1], b[1], &e1);
    t = coords_two_sum(t, e0, &e2);
    s = coords_two_sum(s, t, &t);
    t = t + ((e1 + e2) + (a[2] + b[2]));
    *hi = coords_two_sum(s, t, lo);
}

/* Multiplies a direction and a radius, of two parts each, and adds the centre, of three. */
INLINE void coords_polar_wide(const double *direction, double r, double r_low, const double *centre,
                              double third, double *hi, double *lo) {
    const double p = r * direction[0];
    const double e = double_fma(r, direction[0], -p);
    const double product[3] = {p, e + double_fma(r, direction[1], r_low * direction[0]), 0};
    const double sum[3] = {centre[0], centre[1], third};
    coords_sum_wide(sum, product, hi, lo);
}

INLINE void coords_point_wide(const struct coords_wide *table, uint32_t layout, uint32_t width_px,
                              uint32_t x, uint32_t y, double *re, double *re_low, double *im,
                              double *im_low) {
    const struct coords_wide a = table[x], b = table[width_px + y];
    if (layout == COORDS_UPRIGHT) {
        *re = a.re[0] + 0;
        *re_low = a.re[1] + 0;
        *im = b.im[0] + 0;
        *im_low = b.im[1] + 0;
    } else if (layout == COORDS_POLAR) {
        coords_polar_wide(a.re, b.re[2], b.im[2], b.re, a.re[2], re, re_low);
        coords_polar_wide(a.im, b.re[2], b.im[2], b.im, a.im[2], im, im_low);
    } else {
        coords_sum_wide(a.re, b.re, re, re_low);
        coords_sum_wide(a.im, b.im, im, im_low);
    }
}

#endif
