/* Jets: derivatives of orbits in scaled numbers. Folds are reflections (family.h), so a derivative
 * is a pair: dz = a dw + b conj(dw) for a change dw of the point. b is 0 without folds. */
#ifndef FATHOM_RENDER_LOCATE_JET_H
#define FATHOM_RENDER_LOCATE_JET_H

#include "render/locate/family.h"

struct jet {
    struct scaled a, b;
};

/* Derivative of step n at z. */
struct turn {
    unsigned before, after; /* parts that are reflected before and after the power */
    struct scaled z;        /* z after the folds */
    struct scaled power;    /* power of z, before its folds; only with such folds */
    struct scaled factor;   /* derivative of the power */
};

static inline struct scaled scaled_reflect(struct scaled z, unsigned reflected) {
    return (struct scaled){reflected & REFLECT_RE ? -z.re : z.re,
                           reflected & REFLECT_IM ? -z.im : z.im, z.exponent};
}

static inline struct scaled scaled_raise(struct scaled z, int power) {
    struct scaled product = scaled_of(1, 0);
    for (int i = 0; i < power; i++)
        product = i == 0 ? z : scaled_mul(product, z);
    return product;
}

static inline struct turn turn_at(const struct family *family, uint32_t n, struct scaled z) {
    const unsigned folds = family_folds(family, n);
    const int power = family_power(family, n);
    struct turn turn = {.before = folds_before(folds, z.re < 0, z.im < 0)};
    turn.z = scaled_reflect(z, turn.before);
    const struct scaled lower = scaled_raise(turn.z, power - 1);
    turn.factor = scaled_times(lower, power);
    if (folds & (FOLD_RE | FOLD_IM)) {
        turn.power = scaled_mul(lower, turn.z);
        turn.after = folds_after(folds, turn.power.re < 0, turn.power.im < 0);
    }
    return turn;
}

static inline struct scaled scaled_conj(struct scaled z) {
    return scaled_reflect(z, REFLECT_IM);
}

static inline struct jet jet_reflect(struct jet d, unsigned reflected) {
    const bool turned = reflected & REFLECT_RE; /* x -> -x is -conj */
    if (reflected == REFLECT_RE || reflected == REFLECT_IM)
        d = (struct jet){scaled_conj(d.b), scaled_conj(d.a)};
    return turned ? (struct jet){scaled_times(d.a, -1), scaled_times(d.b, -1)} : d;
}

static inline struct jet jet_step(struct jet d, const struct turn *turn) {
    d = jet_reflect(d, turn->before);
    d = (struct jet){scaled_mul(turn->factor, d.a), scaled_mul(turn->factor, d.b)};
    return jet_reflect(d, turn->after);
}

/* Return the largest and the least change of z for a change of the point by 1. */
static inline struct scaled jet_most(struct jet d) {
    return scaled_add(scaled_abs(d.a), scaled_abs(d.b));
}

static inline struct scaled jet_least(struct jet d) {
    const struct scaled least = scaled_sub(scaled_abs(d.a), scaled_abs(d.b));
    return scaled_abs(least);
}

/* Returns the change of the point that changes z by f; not finite if there is none. */
static inline struct scaled jet_solve(struct jet d, struct scaled f) {
    if (d.b.re == 0 && d.b.im == 0)
        return scaled_div(f, d.a);
    const struct scaled top =
        scaled_sub(scaled_mul(scaled_conj(d.a), f), scaled_mul(d.b, scaled_conj(f)));
    const struct scaled least = scaled_sub(scaled_abs(d.a), scaled_abs(d.b));
    return scaled_div(top, scaled_mul(least, jet_most(d)));
}

#endif
