/* How an orbit's next step extends a segment: a step of z^2, or with SEGMENTS_FOLDED of any power
 * with folds. A part of segments_tmpl.c.
 *
 * As long as no distance crosses a fold, folding multiplies by 1 or -1, or takes the conjugate. So
 * the distance stays one polynomial of the first product x, or of its conjugate, and c adds C c +
 * C' conj(c). */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENTS_STEP_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENTS_STEP_H

#include "render/deep/tables/segments_cross.h"

#ifdef SEGMENTS_FOLDED
static struct number flipped(struct number z, double re, double im) {
    return (struct number){signed_by(re, z.re), signed_by(im, z.im)};
}

/* Returns Z with its folds, which multiply the parts by *re and *im. */
static struct number folded(const struct form *form, struct number z, double *re, double *im) {
    *re = form->folds & FOLD_X && high(z.re) < 0 ? -1 : 1;
    *im = form->folds & FOLD_Y && high(z.im) < 0 ? -1 : 1;
    *im = form->folds & FOLD_NEGATE ? -*im : *im;
    return flipped(z, *re, *im);
}

/* Multiplies the signs of the distance's parts. */
static void flip(struct draft *d, double re, double im) {
    for (int k = 0; k < SEGMENT_DEGREE; k++)
        d->p[k] = flipped(d->p[k], re, im);
    const struct number c = flipped(d->c[0], re, im), bar = flipped(d->c[1], re, im);
    d->c[0] = re == im ? c : bar;
    d->c[1] = re == im ? bar : c;
    d->conjugate ^= re != im;
    if (d->cross)
        cross_flip(d, re, im);
}

/* Returns the factor of a small distance. */
static struct number growth(unsigned power, struct number u) {
    struct number product = {plain(power), plain(0)};
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
    if (d->cross)
        cross_step(d, form->power, u);
    const struct number v = power_over(form->power, d->p, u);
    for (int i = 0; i < C_TERMS; i++)
        d->c[i] = times(grow, d->c[i]);
    flip(d, form->folds & FOLD_RE && high(v.re) < 0 ? -1 : 1,
         form->folds & FOLD_IM && high(v.im) < 0 ? -1 : 1);
}
#else
static double growth_at(const struct form *form, struct number z) {
    (void)form;
    return 2 * size(z);
}

static void step_over(const struct form *form, struct draft *d, struct number z) {
    (void)form;
    if (d->cross)
        cross_step(d, 2, z);
    poly_step(d->p, z);
    d->c[0] = times(sum(z, z), d->c[0]);
}
#endif

#endif
