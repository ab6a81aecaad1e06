/* What a segment is while it is made, and how the orbit's next step goes over it: z^2's, or with SEGMENTS_FOLDED that of
 * any power and its folds. A part of segments_tmpl.c.
 *
 * As long as no distance gets across a fold, folding is multiplication by 1 or -1, or that of the conjugate. So the
 * distance stays one polynomial of the first product x, or of its conjugate, and what c adds is C c + C' conj(c). */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENTS_STEP_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENTS_STEP_H

#include "render/deep/tables/segments.h"
#include "render/deep/tables/segments_poly.h"
#include "render/formula/formula.h"

/* m 2^log2, 0.5 <= m < 1. */
struct positive {
    double m;
    int log2;
};

/* What a step is: a power, and its folds (formula.h). */
struct form {
    unsigned power, folds;
};

#ifdef SEGMENTS_FOLDED
#define C_TERMS 2 /* of c, and of its conjugate */
#else
#define C_TERMS 1
#endif

/* A segment, as struct segment has it. */
struct draft {
    int32_t t_log2, c_log2;
    poly p;
    struct number c[C_TERMS];
    struct positive t_c;
    bool conjugate; /* p is of x's conjugate */
};

#ifdef SEGMENTS_FOLDED
static struct number flipped(struct number z, double re, double im) {
    return (struct number){re * z.re, im * z.im};
}

/* Z with its folds: `re` and `im` are what they multiply the parts by. */
static struct number folded(const struct form *form, struct number z, double *re, double *im) {
    *re = form->folds & FOLD_X && z.re < 0 ? -1 : 1;
    *im = form->folds & FOLD_Y && z.im < 0 ? -1 : 1;
    *im = form->folds & FOLD_NEGATE ? -*im : *im;
    return flipped(z, *re, *im);
}

/* The distance with the signs of its parts multiplied. */
static void flip(struct draft *d, double re, double im) {
    for (int k = 0; k < SEGMENT_DEGREE; k++)
        d->p[k] = flipped(d->p[k], re, im);
    const struct number c = flipped(d->c[0], re, im), bar = flipped(d->c[1], re, im);
    d->c[0] = re == im ? c : bar;
    d->c[1] = re == im ? bar : c;
    d->conjugate ^= re != im;
}

/* What a small distance is multiplied by. */
static struct number growth(unsigned power, struct number u) {
    struct number product = {power, 0};
    for (unsigned i = 1; i < power; i++)
        product = times(product, u);
    return product;
}

static double growth_at(const struct form *form, struct number z) {
    double re, im;
    return size(growth(form->power, folded(form, z, &re, &im)));
}

static void step_over(const struct form *form, struct draft *d, struct number z) {
    double re, im;
    const struct number u = folded(form, z, &re, &im), grow = growth(form->power, u);
    flip(d, re, im);
    const struct number v = power_over(form->power, d->p, u);
    for (int i = 0; i < C_TERMS; i++)
        d->c[i] = times(grow, d->c[i]);
    flip(d, form->folds & FOLD_RE && v.re < 0 ? -1 : 1, form->folds & FOLD_IM && v.im < 0 ? -1 : 1);
}
#else
static double growth_at(const struct form *form, struct number z) {
    (void)form;
    return 2 * size(z);
}

static void step_over(const struct form *form, struct draft *d, struct number z) {
    (void)form;
    poly_step(d->p, z);
    d->c[0] = times(sum(z, z), d->c[0]);
}
#endif

#endif
