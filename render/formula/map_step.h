/* Map step: one step of any map, and its start, in the arithmetic that all devices share. The
 * includer defines the macros of formula_step.h and map_cosine.h. `formula` is always a
 * compile-time constant. */
#ifndef FATHOM_RENDER_FORMULA_MAP_STEP_H
#define FATHOM_RENDER_FORMULA_MAP_STEP_H

#include "render/formula/map_kinds.h"

#ifdef FORMULA_KERNEL

INLINE void map_step(const int formula, const int power, struct map_point *p) {
    const real r = p->zr, i = p->zi;
    switch (formula) {
    case FORMULA_lambda:
        map_step_lambda(p);
        break;
    case FORMULA_phoenix:
        map_step_phoenix(p);
        break;
    case FORMULA_spider:
        map_step_spider(p);
        break;
    case FORMULA_barnsley:
        map_step_barnsley(p);
        break;
    case FORMULA_newton:
    case FORMULA_nova:
        map_step_nova(power, p);
        break;
    case FORMULA_magnet1:
        map_step_magnet1(p);
        break;
    case FORMULA_magnet2:
        map_step_magnet2(p);
        break;
    case FORMULA_collatz:
        map_step_collatz(p);
        break;
    }
    if (map_second(formula) == SECOND_BEFORE) {
        p->yr = r;
        p->yi = i;
    }
}

/* Returns the squared distance that decides convergence: to the previous z, or to 1. */
INLINE real map_near(const int formula, const struct map_point *p) {
    return map_ends(formula) == ENDS_SETTLED ? norm2(p->zr - p->yr, p->zi - p->yi)
                                             : norm2(p->zr - real_from(1), p->zi);
}

/* Returns the start of an orbit: (pr, pi) is the point, (cr, ci) the parameter of a Julia set. */
INLINE struct map_point map_begin(const int formula, const bool julia, const real pr, const real pi,
                                  const real cr, const real ci) {
    const int begins = map_begins(formula);
    const real none = real_from(0);
    struct map_point p;
    const bool at = julia || begins >= BEGINS_POINT;
    p.zr = at ? pr : real_from(begins == BEGINS_HALF ? 0.5 : begins == BEGINS_ONE ? 1.0 : 0.0);
    p.zi = at ? pi : none;
    p.cr = julia ? cr : begins == BEGINS_FREE ? none : pr;
    p.ci = julia ? ci : begins == BEGINS_FREE ? none : pi;
    p.yr = map_second(formula) == SECOND_PARAMETER ? p.cr : none;
    p.yi = map_second(formula) == SECOND_PARAMETER ? p.ci : none;
    return p;
}

#endif

#endif
