/* Coordinate terms (host and GPU): the c of pixel (x, y) from the tables of coords.h, and the map
 * between pixels of two pictures that have the same c. */
#ifndef FATHOM_RENDER_GRID_COORDS_POINT_H
#define FATHOM_RENDER_GRID_COORDS_POINT_H

#include "render/inline.h"

/* Term of a column or a row: re and im, each an unevaluated sum of two numbers of the kernel's
 * type. At angle 0 the column has all of re, the row all of im, and every low part is 0. */
struct coords_float {
    float re, re_low, im, im_low;
};
struct coords_double {
    double re, re_low, im, im_low;
};
/* Term for wide numbers: three parts, each the number nearest to the rest. */
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

/* Computes the c of pixel (x, y) from the table of a picture that is `width_px` wide. If it is
 * `upright`, the sums are exact without the zero terms. */
#define COORDS_POINT(name, entry, real, sum)                                                       \
    INLINE void name(const struct entry *table, bool upright, uint32_t width_px, uint32_t x,       \
                     uint32_t y, real *re, real *im) {                                             \
        const struct entry a = table[x], b = table[width_px + y];                                  \
        if (upright) {                                                                             \
            *re = a.re + 0;                                                                        \
            *im = b.im + 0;                                                                        \
        } else {                                                                                   \
            *re = sum(a.re, a.re_low, b.re, b.re_low);                                             \
            *im = sum(a.im, a.im_low, b.im, b.im_low);                                             \
        }                                                                                          \
    }
COORDS_POINT(coords_point_float, coords_float, float, coords_sum_float)
COORDS_POINT(coords_point_double, coords_double, double, coords_sum_double)
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

INLINE void coords_point_wide(const struct coords_wide *table, bool upright, uint32_t width_px,
                              uint32_t x, uint32_t y, double *re, double *re_low, double *im,
                              double *im_low) {
    const struct coords_wide a = table[x], b = table[width_px + y];
    if (upright) {
        *re = a.re[0] + 0;
        *re_low = a.re[1] + 0;
        *im = b.im[0] + 0;
        *im_low = b.im[1] + 0;
    } else {
        coords_sum_wide(a.re, b.re, re, re_low);
        coords_sum_wide(a.im, b.im, im, im_low);
    }
}

/* Map between a picture and an earlier one whose pixels have the same c. The zoom of the earlier
 * picture is 2^-scale_log2 times the picture's. Pixel x lies at pixel x + dx of the earlier
 * picture. Zoomed in, it lies at (x + dx) / 2^scale_log2, if that is whole; zoomed out, at x *
 * 2^-scale_log2 + dx. Rows are mapped equally. The inverse map has all signs changed. */
struct grid_map {
    int dx, dy, scale_log2;
};

#define GRID_MAP_LOG2_MAX 12 /* bound of |scale_log2|; |dx| and |dy| are below 2^30 */

/* Returns the last position of the earlier picture, on one axis, that is not after `position` (0 ..
 * 65536). `d` is the map's dx or dy. *there becomes true if both are at the same place. */
INLINE int grid_map_from(int d, int scale_log2, int position, bool *there) {
    const int in = scale_log2 > 0 ? scale_log2 : 0, out = in - scale_log2;
    const int fine = (int)((uint32_t)position << out) + d;
    *there = (fine & ((1 << in) - 1)) == 0;
    return fine >> in;
}

#endif
