/* Where one perturbed orbit begins. */
#ifndef FATHOM_RENDER_DEEP_POINT_PERTURBED_BEGIN_H
#define FATHOM_RENDER_DEEP_POINT_PERTURBED_BEGIN_H

#include "render/deep/perturbed_steps.h"
#include "render/deep/point/perturbed_point.h"

#ifdef FORMULA_KERNEL

/* Takes a point to the end of the common beginning, with its derivative if `d` is not NULL. */
INLINE void perturbed_begin_with(const struct perturbed_tables *t, struct perturbed_point *p,
                                 struct perturbed_slope *d) {
    const struct series *s = &t->series;
    const double ur = p->cr * s->unit, ui = p->ci * s->unit;
    double zr = s->a[SERIES_DEGREE][0], zi = s->a[SERIES_DEGREE][1], gr = 0.0, gi = 0.0;
    for (int k = SERIES_DEGREE - 1; k >= 0; k--) {
        if (d)
            perturbed_term(&gr, &gi, ur, ui, zr, zi);
        perturbed_term(&zr, &zi, ur, ui, s->a[k][0], s->a[k][1]);
    }
    p->m = s->m;
    p->n = s->n;
    perturbed_start(t, zr, zi, &p->zr, &p->zi, &p->log2);
    if (d)
        perturbed_slope_start(t, perturbed_outside(t, p->cr, p->ci), gr, gi, d);
    if (perturbed_outside(t, p->cr, p->ci)) {
        p->zr = perturbed_outside_z(t, t->from_re, p->cr);
        p->zi = perturbed_outside_z(t, t->from_im, p->ci);
        p->n = 0;
        p->m = PERTURBED_TAIL;
        p->log2 = 0;
    }
}

INLINE void perturbed_begin(const struct perturbed_tables *t, struct perturbed_point *p) {
    perturbed_begin_with(t, p, NULL);
}

#endif

#endif
