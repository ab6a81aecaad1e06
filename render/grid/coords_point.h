/* The c of pixel (x, y) from the tables of coords.h, and which pixels of two pictures have the same
 * one. */
#ifndef FATHOM_RENDER_GRID_COORDS_POINT_H
#define FATHOM_RENDER_GRID_COORDS_POINT_H

#include "render/inline.h"

/* One term: re and im, each an unevaluated sum of two numbers of the kernel's type. At angle 0 the
 * column carries all of re, the row all of im, and every low part is 0. */
struct coords_float {
    float re, re_low, im, im_low;
};
struct coords_double {
    double re, re_low, im, im_low;
};
/* For wide numbers, three: each the nearest to what is left. */
struct coords_wide {
    double re[3], im[3];
};

/* c from its two terms: Knuth's two-sum of the high parts, then everything small, then one rounding
 * to the result. Plain additions, the same on every machine. */
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

/* The c of pixel (x, y) of a picture `width_px` wide, from its table. Where that is `upright`, the
 * sums are exact without what is 0. */
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

/* *low: what the sum of a and b has lost (Knuth). */
INLINE double coords_two_sum(double a, double b, double *low) {
    const double s = a + b, v = s - a;
    *low = (a - (s - v)) + (b - v);
    return s;
}

/* The sum of two terms, rounded to two doubles: that of their first parts, what it lost and the
 * second parts, and then everything small, before the last of it is rounded. */
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

/* Which pixels of a picture have the same c as those of an earlier one, whose zoom is 2^-scale_log2
 * times the picture's: pixel x is pixel x + dx there, zoomed in pixel (x + dx) / 2^scale_log2, where
 * that is whole, zoomed out pixel x * 2^-scale_log2 + dx; rows likewise. The map the other way has
 * all signs changed. */
struct grid_map {
    int dx, dy, scale_log2;
};

#define GRID_MAP_LOG2_MAX 12 /* |scale_log2|; |dx|, |dy| < 2^30 */

/* The last position of the earlier picture, on one axis, that is not after `position`. `d` is the
 * map's dx or dy, `position` 0 .. 65536. *there: that is where it lies. */
INLINE int grid_map_from(int d, int scale_log2, int position, bool *there) {
    const int in = scale_log2 > 0 ? scale_log2 : 0, out = in - scale_log2;
    const int fine = (int)((uint32_t)position << out) + d;
    *there = (fine & ((1 << in) - 1)) == 0;
    return fine >> in;
}

#endif
