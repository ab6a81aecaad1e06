/* Interior depth: the depth of a point in its component, from derivatives along its attracting
 * cycle. */
#ifndef FATHOM_RENDER_FORMULA_INSIDE_DEPTH_H
#define FATHOM_RENDER_FORMULA_INSIDE_DEPTH_H

#include "render/formula/inside.h"

struct inside_number {
    double re, im;
};

/* Derivatives along one turn of the cycle: of z by the start z0 of the turn (dz), by c (dc), and of
 * dz by z0 (dzdz) and by c (dcdz). */
struct inside_turn {
    struct inside_number dz, dc, dzdz, dcdz;
    double least; /* least |z|^2 of the turn */
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

/* Updates the derivatives for the step z^power + c from z. */
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

/* Returns the k-th root of x in 2^-500 .. 1, within 2^-40. */
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

/* Returns the conformal radius of the component about c, in pixels of size `unit`, or 0 if it is
 * not known. The distance to the boundary is a quarter of the radius to all of it. The multiplier m
 * is the (power - 1)-th power of a conformal map w of the component onto the unit disc. The radius
 * is (1 - |w|^2) / |w'|. */
INLINE float inside_depth(const int power, const struct inside_turn *t, double unit) {
    const struct inside_number left = {1 - t->dz.re, -t->dz.im}, conjugate = {left.re, -left.im};
    const double scale = inside_square(left), square = inside_square(t->dz);
    /* Derivative of the cycle's point by c. */
    struct inside_number by_c = inside_times(t->dc, conjugate);
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
