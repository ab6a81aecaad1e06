/* Multiple-precision complex numbers over MPFR: the few operations that orbits and Newton's method
 * need. Both parts have the same precision. */
#ifndef FATHOM_RENDER_LOCATE_BIG_H
#define FATHOM_RENDER_LOCATE_BIG_H

#include "render/locate/scaled.h"
#include <mpfr.h>

struct big {
    mpfr_t re, im;
};

static inline void big_init(struct big *x, long bits) {
    mpfr_inits2(bits, x->re, x->im, (mpfr_ptr)NULL);
    mpfr_set_zero(x->re, 1);
    mpfr_set_zero(x->im, 1);
}

static inline void big_finish(struct big *x) {
    mpfr_clears(x->re, x->im, (mpfr_ptr)NULL);
}

static inline long big_bits(const struct big *x) {
    return (long)mpfr_get_prec(x->re);
}

/* Changes the precision and rounds the value to it. */
static inline void big_round(struct big *x, long bits) {
    mpfr_prec_round(x->re, bits, MPFR_RNDN);
    mpfr_prec_round(x->im, bits, MPFR_RNDN);
}

static inline void big_set(struct big *x, const struct big *from) {
    mpfr_set(x->re, from->re, MPFR_RNDN);
    mpfr_set(x->im, from->im, MPFR_RNDN);
}

static inline void big_add(struct big *x, const struct big *y) {
    mpfr_add(x->re, x->re, y->re, MPFR_RNDN);
    mpfr_add(x->im, x->im, y->im, MPFR_RNDN);
}

static inline void big_sub(struct big *x, const struct big *y) {
    mpfr_sub(x->re, x->re, y->re, MPFR_RNDN);
    mpfr_sub(x->im, x->im, y->im, MPFR_RNDN);
}

static inline void big_set_scaled(struct big *x, struct scaled y) {
    mpfr_set_d(x->re, y.re, MPFR_RNDN);
    mpfr_set_d(x->im, y.im, MPFR_RNDN);
    mpfr_mul_2si(x->re, x->re, (long)y.exponent, MPFR_RNDN);
    mpfr_mul_2si(x->im, x->im, (long)y.exponent, MPFR_RNDN);
}

static inline struct scaled big_scaled(const struct big *x) {
    return scaled_of_mpfr(x->re, x->im);
}

/* Stores x y in `to`, which is neither x nor y. All operands and `spare` have the same
 * precision. */
static inline void big_mul(struct big *to, const struct big *x, const struct big *y,
                           mpfr_ptr spare) {
    mpfr_mul(to->re, x->re, y->re, MPFR_RNDN);
    mpfr_mul(spare, x->im, y->im, MPFR_RNDN);
    mpfr_sub(to->re, to->re, spare, MPFR_RNDN);
    mpfr_mul(to->im, x->re, y->im, MPFR_RNDN);
    mpfr_mul(spare, x->im, y->re, MPFR_RNDN);
    mpfr_add(to->im, to->im, spare, MPFR_RNDN);
}

/* Squares z with two products. */
static inline void big_square(struct big *z, struct big *spare) {
    mpfr_add(spare->re, z->re, z->im, MPFR_RNDN);
    mpfr_sub(spare->im, z->re, z->im, MPFR_RNDN);
    mpfr_mul(z->im, z->re, z->im, MPFR_RNDN);
    mpfr_mul_2ui(z->im, z->im, 1, MPFR_RNDN);
    mpfr_mul(z->re, spare->re, spare->im, MPFR_RNDN);
}

/* Raises z to a power of at least 1; `spare` has the precision of z. */
static inline void big_power(struct big *z, int power, struct big spare[2]) {
    int top = 1;
    while (2 * top <= power)
        top *= 2;
    if (power != top)
        big_set(&spare[1], z);
    for (int bit = top / 2; bit > 0; bit /= 2) {
        struct big product;
        big_square(z, &spare[0]);
        if (!(power & bit))
            continue;
        big_init(&product, big_bits(z));
        big_mul(&product, z, &spare[1], spare[0].re);
        big_set(z, &product);
        big_finish(&product);
    }
}

/* Stores x / y in `to`, with operands as of big_mul; y is not 0. */
static inline void big_div(struct big *to, const struct big *x, const struct big *y,
                           mpfr_ptr spare) {
    struct big turned; /* conj(y) / |y|^2 = 1 / y */
    big_init(&turned, big_bits(y));
    mpfr_sqr(spare, y->re, MPFR_RNDN);
    mpfr_sqr(turned.re, y->im, MPFR_RNDN);
    mpfr_add(spare, spare, turned.re, MPFR_RNDN);
    mpfr_div(turned.re, y->re, spare, MPFR_RNDN);
    mpfr_div(turned.im, y->im, spare, MPFR_RNDN);
    mpfr_neg(turned.im, turned.im, MPFR_RNDN);
    big_mul(to, x, &turned, spare);
    big_finish(&turned);
}

#endif
