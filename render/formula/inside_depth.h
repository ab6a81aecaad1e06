/* How deep a point lies within its component: derivatives round the cycle that its orbit comes to. */
#ifndef FATHOM_RENDER_FORMULA_INSIDE_DEPTH_H
#define FATHOM_RENDER_FORMULA_INSIDE_DEPTH_H

#include "render/formula/inside.h"

struct inside_number {
    double re, im;
};

/* Once more round the cycle: derivatives of where the orbit is by where the turn began and by c, of the former by both. */
struct inside_turn {
    struct inside_number dz, dc, dzdz, dcdz;
    double least; /* |z|^2 on the way */
};

INLINE struct inside_turn inside_turn_begin(void) {
    const struct inside_turn turn = {{1, 0}, {0, 0}, {0, 0}, {0, 0}, INSIDE_FAR};
    return turn;
}

INLINE struct inside_number inside_times(struct inside_number a, struct inside_number b) {
    const double bi = a.im * b.im, br = a.im * b.re;
    const struct inside_number product = {double_fma(a.re, b.re, -bi), double_fma(a.re, b.im, br)};
    return product;
}

INLINE struct inside_number inside_plus(struct inside_number a, struct inside_number b) {
    const struct inside_number sum = {a.re + b.re, a.im + b.im};
    return sum;
}

INLINE double inside_square(struct inside_number a) {
    return double_fma(a.re, a.re, a.im * a.im);
}

/* Derivatives after the step z^power + c from z. */
INLINE void inside_derive(const int power, struct inside_number z, struct inside_turn *t) {
    struct inside_number second = {1, 0};
    for (int k = 2; k < power; k++)
        second = inside_times(second, z);
    struct inside_number first = inside_times(second, z);
    first.re *= power;
    first.im *= power;
    second.re *= power * (power - 1);
    second.im *= power * (power - 1);
    const struct inside_number bent = inside_times(second, t->dz);
    t->dcdz = inside_plus(inside_times(bent, t->dc), inside_times(first, t->dcdz));
    t->dzdz = inside_plus(inside_times(bent, t->dz), inside_times(first, t->dzdz));
    t->dc = inside_times(first, t->dc);
    t->dc.re += 1;
    t->dz = inside_times(first, t->dz);
}

/* The k-th root of x, of 2^-500 .. 1, within 2^-40. */
INLINE double inside_root(const int k, double x) {
    const uint64_t one = 0x3ff0000000000000u, part = double_bits(x) / (uint64_t)k;
    double root = bits_double(one - one / (uint64_t)k + part);
    for (int turn = 0; turn < 5; turn++) {
        double power = 1;
        for (int i = 1; i < k; i++)
            power *= root;
        root -= (root * power - x) / (k * power);
    }
    return root;
}

/* The conformal radius of the component about c, in pixels of size `unit`; the edge is a quarter as far to as far. The
 * multiplier m takes the component onto the unit disc power - 1 times, as the (power - 1)-th power of a map w that does so
 * once: it is (1 - |w|^2) / |w'|. 0: not known. */
INLINE float inside_depth(const int power, const struct inside_turn *t, double unit) {
    const struct inside_number left = {1 - t->dz.re, -t->dz.im}, conjugate = {left.re, -left.im};
    const double scale = inside_square(left), square = inside_square(t->dz);
    struct inside_number by_c = inside_times(t->dc, conjugate); /* how the cycle moves with c */
    by_c.re /= scale;
    by_c.im /= scale;
    const struct inside_number d = inside_plus(t->dcdz, inside_times(t->dzdz, by_c));
    double top = 1 - square;
    if (power > 2 && square > 0x1p-900 && square < 1) {
        const double size = double_sqrt(square), w = inside_root(power - 1, size);
        top = (1 - w * w) * (power - 1) * (size / w);
    } else if (power > 2) {
        return 0;
    }
    const double depth = top / double_sqrt(inside_square(d)) / unit;
    if (!(depth > 0 && depth < 0x1p1000))
        return 0;
    return depth > 0x1p-100 ? depth < 0x1p100 ? (float)depth : 0x1p100f : 0x1p-100f;
}

#endif
