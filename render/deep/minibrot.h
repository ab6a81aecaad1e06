/* Minibrot: decides for points near a nucleus whether their orbits never escape, without iterating
 * them.
 *
 * Let Z be a reference that nearly returns to 0 after p steps. Then p steps of an orbit that is at
 * z, near 0, are one polynomial of z^2 and c (struct segment), whose first coefficient is P_1. In
 * units of 1 / P_1 they are nearly a step of the Mandelbrot set itself:
 *     w' = C + w^2 + a w^4,   C = start + v + curve v^2,   v = slope c
 * An attracting cycle of that map is one of the orbit's, p times as long. It attracts 0, the only
 * critical point, so the point never escapes at any limit. Nearly all points of the interior have a
 * cycle of few periods: 99.5 % are found within 16.
 *
 * With F the map of the whole cycle and m = 1 - |F'|, F maps a disc into itself if an r exists with
 * r (m - |F''| r) >= e, where e is the distance that F moves the centre, and what F loses. It
 * exists if m^2 >= 4 |F''| e. The test demands four times as much, as F'' changes in the disc. */
#ifndef FATHOM_RENDER_DEEP_MINIBROT_H
#define FATHOM_RENDER_DEEP_MINIBROT_H

#include "render/deep/extended.h"

#define MINIBROT_PERIODS_MOST 1024u   /* longest cycle that is searched for */
#define MINIBROT_NEWTON       12      /* steps from a point near the cycle to the cycle */
#define MINIBROT_MARGIN       0x1p-20 /* least m */

/* MINIBROT_ASKED: numbers of rebases and blocks of the tail after which an orbit is asked: 8, 64,
 * 512 and so on. On GPUs a call would take registers from the loop, so that they ask between
 * launches. */
#if defined __CUDACC__
#define MINIBROT_CALLED static __device__ __noinline__
#define MINIBROT_ASKED  0u
#elif defined __OPENCL_C_VERSION__
#define MINIBROT_CALLED static
#define MINIBROT_ASKED  0u
#else
#define MINIBROT_CALLED static __attribute__((noinline, unused))
#define MINIBROT_ASKED  0x49249248u
#endif
#define MINIBROT_PERIODS_LATE 256u /* between launches: no orbit is asked from then on */

struct complex_double {
    double re, im;
};

/* Without a minibrot `loss` is 0. */
struct minibrot {
    struct complex_double start, slope, curve; /* slope in units of the tables' c */
    struct complex_double a;
    double loss; /* bound of what a step may differ from the orbit's, while |w| < 2 */
};

INLINE struct complex_double minibrot_product(struct complex_double x, struct complex_double y) {
    const struct complex_double z = {double_fma(x.re, y.re, -(x.im * y.im)),
                                     double_fma(x.re, y.im, x.im * y.re)};
    return z;
}

INLINE struct complex_double minibrot_sum(struct complex_double x, struct complex_double y) {
    const struct complex_double z = {x.re + y.re, x.im + y.im};
    return z;
}

INLINE struct complex_double minibrot_scaled(double by, struct complex_double x) {
    const struct complex_double z = {by * x.re, by * x.im};
    return z;
}

INLINE double minibrot_norm2(struct complex_double x) {
    return double_fma(x.re, x.re, x.im * x.im);
}

INLINE double minibrot_size(struct complex_double x) {
    return double_sqrt(minibrot_norm2(x));
}

INLINE struct complex_double minibrot_next(const struct minibrot *m, struct complex_double C,
                                           struct complex_double w) {
    const struct complex_double x = minibrot_product(w, w);
    const struct complex_double y = minibrot_product(m->a, x);
    const struct complex_double more = minibrot_product(y, x);
    return minibrot_sum(minibrot_sum(C, x), more);
}

/* Returns true if an attracting cycle of that period is found from w on. */
INLINE bool minibrot_attracts(const struct minibrot *m, struct complex_double C, uint32_t period,
                              struct complex_double w) {
    for (int i = 0; i < MINIBROT_NEWTON; i++) {
        struct complex_double z = w, first = {1.0, 0.0}, second = {0.0, 0.0};
        double lost = 0.0;
        for (uint32_t k = 0; k < period; k++) {
            const struct complex_double ax = minibrot_product(m->a, minibrot_product(z, z));
            const struct complex_double by = {2.0 * z.re, 2.0 * z.im};
            const struct complex_double near_1 = {double_fma(2.0, ax.re, 1.0), 2.0 * ax.im};
            const struct complex_double bends = {double_fma(12.0, ax.re, 2.0), 12.0 * ax.im};
            const struct complex_double along = minibrot_product(by, near_1);
            second = minibrot_sum(minibrot_product(along, second),
                                  minibrot_product(bends, minibrot_product(first, first)));
            first = minibrot_product(along, first);
            lost = double_fma(minibrot_size(along), lost, m->loss);
            z = minibrot_next(m, C, z);
            if (!(minibrot_norm2(z) < 4.0))
                return false;
        }
        const struct complex_double off = {z.re - w.re, z.im - w.im};
        const double margin = 0.5 * (1.0 - minibrot_norm2(first)); /* at most 1 - |F'| */
        const double far = minibrot_size(off) + lost;
        if (margin > MINIBROT_MARGIN && margin * margin > 16.0 * minibrot_size(second) * far)
            return true;
        const struct complex_double left = {1.0 - first.re, first.im}; /* conjugate of 1 - F' */
        w = minibrot_sum(w,
                         minibrot_scaled(1.0 / minibrot_norm2(left), minibrot_product(off, left)));
    }
    return false;
}

/* Returns true if the orbit of the point c certainly never escapes. Searches for cycles of up to
 * that many periods, near where the orbit is after as many. Periods at which the orbit returns
 * more closely than before come into question. (GPUs keep the caller's tables in registers, as no
 * pointer leads to them.) */
MINIBROT_CALLED bool minibrot_holds(struct minibrot m, uint32_t periods, double cr, double ci) {
    const struct complex_double c = {cr, ci}, v = minibrot_product(m.slope, c);
    const struct complex_double C =
        minibrot_sum(m.start, minibrot_sum(v, minibrot_product(m.curve, minibrot_product(v, v))));
    struct complex_double w = C, z;
    double nearest = 16.0;
    for (uint32_t i = 1; i < periods; i++) {
        if (!(minibrot_norm2(w) < 4.0))
            return false;
        w = minibrot_next(&m, C, w);
    }
    z = w;
    for (uint32_t period = 1; period <= periods; period++) {
        z = minibrot_next(&m, C, z);
        const struct complex_double off = {z.re - w.re, z.im - w.im};
        const double near = minibrot_norm2(off);
        if (!(minibrot_norm2(z) < 4.0))
            return false;
        if (near < nearest && minibrot_attracts(&m, C, period, w))
            return true;
        nearest = near < nearest ? near : nearest;
    }
    return false;
}

/* Returns true if the orbit of c is asked after `events` rebases and blocks of the tail, a power of
 * two, and certainly never escapes. */
INLINE bool minibrot_decides(const struct minibrot *m, uint32_t events, double cr, double ci) {
    return m->loss > 0.0 && (events & MINIBROT_ASKED) != 0 &&
           minibrot_holds(*m, events < MINIBROT_PERIODS_MOST ? events : MINIBROT_PERIODS_MOST, cr,
                          ci);
}

/* Returns true if the orbit of c, which has made that many periods, is asked between launches and
 * certainly never escapes. */
INLINE bool minibrot_decides_between(const struct minibrot *m, uint32_t periods, double cr,
                                     double ci) {
    return m->loss > 0.0 && periods < MINIBROT_PERIODS_LATE &&
           minibrot_holds(*m, periods < 16u ? 16u : periods, cr, ci);
}

#endif
