/* Perturbation: a running estimate of an orbit's rounding error, for includers that define
 * PERTURBED_ERROR, and math.h's sqrt. For others the functions do nothing.
 *
 * An error r of W after some step acts like moving c by r / |D|, where D is W's derivative there
 * (perturbed_steps.h). Errors of different steps are independent, so the squares of these moves are
 * added. In units of 2^-53, r is
 *   - (|z'| + |Z z|) / 2 for a step around the reference;
 *   - (24 + 3 sqrt n) |z'| for a segment of n steps;
 *   - 6 |c| for c itself;
 *   - |W| / 4 where W is rounded, by rebasing or leaving the reference;
 *   - |w'| / 4 for a step of the tail.
 * The sum C + c of the tail is rounded once, by |C| / 10, for all steps. These moves are added as
 * complex numbers. The weights fit measured shares of wrong counts (docs/deep-zoom.md). */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_ERROR_H
#define FATHOM_RENDER_DEEP_PERTURBED_ERROR_H

#include "render/deep/perturbed_steps.h"

#ifdef PERTURBED_ERROR

#define ERROR_OF_C    6.0
#define ERROR_SEGMENT 24.0
#define ERROR_SINGLE  0.5
#define ERROR_TAIL    0.25
#define ERROR_OF_SUM  0.1 /* of C + c */

/* Begins where D begins: with the error of c, in pixels. */
INLINE void perturbed_error_begin(const struct perturbed_tables *t, const struct perturbed_point *p,
                                  struct perturbed_slope *d) {
    const double pixels = extended_most(p->cr, p->ci) / t->step *
                          extended_any_power((int32_t)(t->c_log2 - t->step_log2));
    d->error = ERROR_OF_C * pixels * (ERROR_OF_C * pixels);
    d->drift[0] = d->drift[1] = 0.0;
}

/* Adds an error r of W; D is that of W. */
INLINE void perturbed_error_add(const struct perturbed_tables *t, const bool folded, double r,
                                struct perturbed_slope *d) {
    const double size = slope_size(perturbed_any_folds(t, folded), d->d);
    const double moved = size > 0 ? r * extended_any_power((int32_t)-d->log2) / size : 0.0;
    d->error = d->error + moved * moved;
}

INLINE void perturbed_error_single(const struct perturbed_tables *t, const bool folded, double Zr,
                                   double Zi, double zr, double zi, double most,
                                   struct perturbed_slope *d) {
    const double size = most + extended_most(Zr, Zi) * extended_most(zr, zi);
    perturbed_error_add(t, folded, ERROR_SINGLE * size, d);
}

INLINE void perturbed_error_segment(const struct perturbed_tables *t, const bool folded,
                                    uint32_t length, double most, struct perturbed_slope *d) {
    perturbed_error_add(t, folded, ERROR_SEGMENT * (1 + sqrt(length) / 8) * most, d);
}

/* Adds the errors of a step of the tail to w + i w'. */
INLINE void perturbed_error_tail(const struct perturbed_tables *t, const bool folded, double wr,
                                 double wi, double cr, double ci, struct perturbed_slope *d) {
    const double sum = ERROR_OF_SUM * extended_most(cr, ci);
    const double most = ERROR_TAIL * extended_most(wr, wi);
    if (perturbed_any_folds(t, folded)) { /* D is no complex number */
        perturbed_error_add(t, folded, most + sum, d);
        return;
    }
    perturbed_error_add(t, folded, most, d);
    const double norm2 = d->d[0] * d->d[0] + d->d[1] * d->d[1];
    const double by =
        norm2 > 0 && norm2 < INFINITY ? sum * extended_any_power((int32_t)-d->log2) / norm2 : 0.0;
    d->drift[0] = d->drift[0] + by * d->d[0];
    d->drift[1] = d->drift[1] - by * d->d[1];
}

/* Returns the error of W at the orbit's end. */
INLINE double perturbed_error_end(const struct perturbed_tables *t, const bool folded,
                                  const struct perturbed_slope *d) {
    const double size = slope_size(perturbed_any_folds(t, folded), d->d);
    const double drift = d->drift[0] * d->drift[0] + d->drift[1] * d->drift[1];
    return 0x1p-53 * size * sqrt(d->error + drift) * extended_any_power((int32_t)d->log2);
}

#else
#define perturbed_error_begin(t, p, d)                             ((void)0)
#define perturbed_error_add(t, folded, r, d)                       ((void)0)
#define perturbed_error_single(t, folded, Zr, Zi, zr, zi, most, d) ((void)0)
#define perturbed_error_segment(t, folded, length, most, d)        ((void)0)
#define perturbed_error_tail(t, folded, wr, wi, cr, ci, d)         ((void)0)
#endif

#endif
