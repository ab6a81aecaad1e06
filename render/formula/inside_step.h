/* Interior step: the distance of an orbit to a mark. The includer defines the macros of
 * formula_step.h. */
#ifndef FATHOM_RENDER_FORMULA_INSIDE_STEP_H
#define FATHOM_RENDER_FORMULA_INSIDE_STEP_H

#include "render/formula/formula_step.h"
#include "render/formula/inside.h"

#ifdef FORMULA_KERNEL

/* Returns |z - mark|^2. */
INLINE real inside_apart(const real zr, const real zi, const real mark_r, const real mark_i) {
    const real x = zr - mark_r, y = zi - mark_i, yy = y * y;
    return real_fma(x, x, yy);
}

#endif

#endif
