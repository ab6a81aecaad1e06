/* Orbit family: the orbits of a fractal of powers (formula.h) that a search follows. Orbits of a
 * set start at 0, and c is the point. Orbits of a Julia set start at the point. On one side of a
 * fold, the fold acts like a reflection. */
#ifndef FATHOM_RENDER_LOCATE_FAMILY_H
#define FATHOM_RENDER_LOCATE_FAMILY_H

#include "render/formula/fractal.h"
#include "render/locate/big.h"

struct family {
    struct step_list steps;
    bool julia, folded;
    mpfr_srcptr re, im; /* c of a Julia set, owned by the fractal */
};

/* Returns the family of a fractal, which must not be a map and must outlive the family. */
static inline struct family family_of(const struct fractal *fractal) {
    struct family family = {.steps = fractal_steps(fractal),
                            .julia = fractal->julia,
                            .re = fractal->re,
                            .im = fractal->im};
    for (uint32_t i = 0; i < family.steps.length; i++)
        family.folded |= step_list_folds(&family.steps, i) != FOLD_NONE;
    return family;
}

/* Bits of the parts whose sign changes. */
#define REFLECT_RE 1u
#define REFLECT_IM 2u

static inline unsigned folds_before(unsigned folds, bool re_below, bool im_below) {
    return (folds & FOLD_X && re_below ? REFLECT_RE : 0) ^
           (folds & FOLD_Y && im_below ? REFLECT_IM : 0) ^ (folds & FOLD_NEGATE ? REFLECT_IM : 0);
}

static inline unsigned folds_after(unsigned folds, bool re_below, bool im_below) {
    return (folds & FOLD_RE && re_below ? REFLECT_RE : 0) |
           (folds & FOLD_IM && im_below ? REFLECT_IM : 0);
}

/* Return the power and the folds of step n. */
static inline int family_power(const struct family *family, uint32_t n) {
    return step_list_power(&family->steps, step_list_number(&family->steps, n));
}

static inline unsigned family_folds(const struct family *family, uint32_t n) {
    return family->folded ? step_list_folds(&family->steps, step_list_number(&family->steps, n))
                          : FOLD_NONE;
}

static inline void big_reflect(struct big *z, unsigned reflected) {
    if (reflected & REFLECT_RE)
        mpfr_neg(z->re, z->re, MPFR_RNDN);
    if (reflected & REFLECT_IM)
        mpfr_neg(z->im, z->im, MPFR_RNDN);
}

/* Perform the two halves of step n: the folds; then the power, its folds and the addition of c.
 * Both return the reflected parts. `spare` contains two numbers with the precision of z. */
static inline unsigned family_fold(const struct family *family, uint32_t n, struct big *z) {
    const unsigned folds = family_folds(family, n);
    const unsigned reflected = folds_before(folds, mpfr_sgn(z->re) < 0, mpfr_sgn(z->im) < 0);
    big_reflect(z, reflected);
    return reflected;
}

static inline unsigned family_raise(const struct family *family, uint32_t n,
                                    const struct big *point, struct big *z, struct big spare[2]) {
    const unsigned folds = family_folds(family, n);
    big_power(z, family_power(family, n), spare);
    const unsigned reflected = folds_after(folds, mpfr_sgn(z->re) < 0, mpfr_sgn(z->im) < 0);
    big_reflect(z, reflected);
    mpfr_add(z->re, z->re, family->julia ? family->re : point->re, MPFR_RNDN);
    mpfr_add(z->im, z->im, family->julia ? family->im : point->im, MPFR_RNDN);
    return reflected;
}

static inline void family_step(const struct family *family, uint32_t n, const struct big *point,
                               struct big *z, struct big spare[2]) {
    family_fold(family, n, z);
    family_raise(family, n, point, z, spare);
}

/* Stores the start of a point's orbit in z. */
static inline void family_begin(const struct family *family, const struct big *point,
                                struct big *z) {
    if (family->julia) {
        big_set(z, point);
        return;
    }
    mpfr_set_zero(z->re, 1);
    mpfr_set_zero(z->im, 1);
}

#endif
