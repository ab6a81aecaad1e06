/* Screening, one orbit: the events of an orbit that carries an estimate of its rounding error
 * (render/number/screen.h). Without PERTURBED_SCREEN they do nothing. */
#ifndef FATHOM_RENDER_NUMBER_SCREEN_POINT_H
#define FATHOM_RENDER_NUMBER_SCREEN_POINT_H

#include "render/number/screen.h"

#if defined FORMULA_KERNEL && defined PERTURBED_SCREEN

INLINE void perturbed_screen_begin(const struct perturbed_tables *t, struct perturbed_point *p) {
    p->screen = screen_begin(t, p->m == PERTURBED_TAIL, p->cr, p->ci);
}

/* Turns |z/D|^2 into |D|^2, where an orbit ends, and back, where it returns to the reference. */
INLINE void perturbed_screen_turn(struct perturbed_point *p) {
    p->screen.ratio = p->log2 != 0 ? 0.0 : screen_other(p->zr, p->zi, p->screen.ratio);
}

/* W becomes z, by rebasing, or to leave the reference; before z is set. */
INLINE void perturbed_screen_land(double wr, double wi, struct perturbed_point *p) {
    screen_land_double(wr, wi, p->zr, p->zi, &p->screen);
}

INLINE void perturbed_screen_leave(double wr, double wi, struct perturbed_point *p) {
    screen_leave(wr, wi, p->zr, p->zi, &p->screen);
}

/* Restarts an orbit that has been rebased to z = W 2^log2 before step number `turn`, if c counts
 * beside the power of W: D becomes p W^(p-1) D + 1. The next round's factor is left out in
 * advance. */
INLINE void screen_restart(const struct perturbed_tables *t, const bool folded, uint32_t turn,
                           double wr, double wi, int32_t log2, double cr, double ci,
                           struct perturbed_screen *s) {
    const int power = perturbed_power(t, folded, turn);
    const int32_t w_log2 = perturbed_log2(extended_most(wr, wi)) + log2;
    const int32_t least = perturbed_log2(extended_most(cr, ci)) + t->c_log2 + SCREEN_RESTART_LOG2;
    if (t->julia || power * w_log2 >= least)
        return;
    /* A pixel is about 1 in units of 2^-unit for W, and of the power of that for W^p and c. */
    const int32_t unit = -(int32_t)t->step_log2 / power, c_unit = t->c_log2 + power * unit;
    const double step = t->step * extended_power((int32_t)t->step_log2 + power * unit);
    double xr, xi;
    wr = extended_scaled(wr, log2 + unit);
    wi = extended_scaled(wi, log2 + unit);
    if (folded)
        perturbed_difference(power, perturbed_folds(t, folded, turn), 0.0, 0.0, wr, wi, &xr, &xi);
    else
        perturbed_product(0.0, 0.0, wr, wi, &xr, &xi);
    xr = xr + extended_scaled(cr, c_unit);
    xi = xi + extended_scaled(ci, c_unit);
    const double slope = screen_slope(power, wr, wi, screen_norm2(wr, wi)) / s->ratio;
    s->ratio = power * power * screen_norm2(xr, xi) / (slope + step * step);
}

INLINE void perturbed_screen_restart(const struct perturbed_tables *t, const bool folded,
                                     uint32_t turn, struct perturbed_point *p) {
    screen_restart(t, folded, turn, p->zr, p->zi, p->log2, p->cr, p->ci, &p->screen);
}

INLINE double screen_weight(uint32_t length) {
    return length == 1 ? SCREEN_SINGLE : SCREEN_SEGMENT + SCREEN_STEP * length;
}

/* Follows a round of `length` steps from Z + z, whose first step makes x. */
INLINE void perturbed_screen_round(const struct perturbed_tables *t, const bool folded,
                                   uint32_t turn, uint32_t length, double Zr, double Zi, double xr,
                                   double xi, struct perturbed_point *p) {
    screen_round(folded, t->c_log2 != 0, perturbed_power(t, folded, turn), Zr, Zi, Zr + p->zr,
                 Zi + p->zi, p->zr, p->zi, xr, xi, screen_weight(length), &p->screen.ratio,
                 &p->screen.error);
}

/* The same in extended numbers; `was`: z before the orbit was rebased, or z itself. */
INLINE void perturbed_screen_extended(const struct perturbed_tables *t, const bool folded,
                                      uint32_t turn, uint32_t length, const struct extended was,
                                      const struct extended Z, const struct extended W,
                                      const struct extended z, const struct extended x,
                                      bool rebased, struct perturbed_point *p) {
    const int power = perturbed_power(t, folded, turn);
    if (W.log2 == EXTENDED_ZERO || was.log2 == EXTENDED_ZERO)
        return;
    if (rebased) {
        const int32_t log2 = W.log2 - was.log2;
        screen_land(extended_scaled(W.re, log2), extended_scaled(W.im, log2), was.re, was.im,
                    &p->screen);
        screen_restart(t, folded, turn, W.re, W.im, W.log2, p->cr, p->ci, &p->screen);
    }
    const int32_t Z_log2 = Z.log2 - W.log2, x_log2 = x.log2 - z.log2 - (power - 1) * W.log2;
    screen_round(folded, false, power, extended_scaled(Z.re, Z_log2), extended_scaled(Z.im, Z_log2),
                 W.re, W.im, z.re, z.im, extended_scaled(x.re, x_log2),
                 extended_scaled(x.im, x_log2), screen_weight(length), &p->screen.ratio,
                 &p->screen.error);
}

/* Begins a block of the tail, follows one of its steps, and adds its errors. */
INLINE void perturbed_screen_block(struct perturbed_point *p) {
    p->screen.least = p->screen.ratio;
}

INLINE void perturbed_screen_tail(const struct perturbed_tables *t, const bool folded,
                                  uint32_t turn, struct perturbed_point *p) {
    screen_tail(perturbed_power(t, folded, turn), p->zr, p->zi, &p->screen.ratio, &p->screen.least);
}

INLINE void perturbed_screen_block_end(struct perturbed_point *p) {
    screen_block(&p->screen);
}

INLINE enum screen perturbed_screen_judge(const struct perturbed_tables *t, const bool folded,
                                          const struct perturbed_point *p, enum perturbed_end end,
                                          uint32_t limit) {
    if (end == PERTURBED_RETURNS)
        return SCREEN_CLEAR;
    if (end == PERTURBED_ESCAPED && p->n <= limit)
        return screen_judge_escape(t, folded, p->n, p->zr, p->zi, p->cr, p->ci, &p->screen);
    return screen_judge_open(&p->screen);
}

#else
#define perturbed_screen_begin(t, p)                                       ((void)0)
#define perturbed_screen_turn(p)                                           ((void)0)
#define perturbed_screen_land(wr, wi, p)                                   ((void)0)
#define perturbed_screen_leave(wr, wi, p)                                  ((void)0)
#define perturbed_screen_restart(t, folded, turn, p)                       ((void)0)
#define perturbed_screen_round(t, folded, turn, length, Zr, Zi, xr, xi, p) ((void)0)
#define perturbed_screen_extended(t, folded, turn, length, was, Z, W, z, x, rebased, p)            \
    ((void)(was), (void)(rebased))
#define perturbed_screen_tail(t, folded, turn, p) ((void)0)
#define perturbed_screen_block(p)                 ((void)0)
#define perturbed_screen_block_end(p)             ((void)0)
#endif

#endif
