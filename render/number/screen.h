/* Screening: which points of a perturbed picture need wide numbers. An orbit in doubles carries an
 * estimate of its rounding error, which needs no derivative. For includers that define
 * PERTURBED_SCREEN before the first header of render/deep; for others the functions do nothing.
 *
 * The estimate is that of perturbed_error.h: an error r of W acts like moving c by r / |D|, and the
 * squares of these moves are added. An r around the reference is a multiple of |z|, so the move is
 * one of |z/D|. A round multiplies z by W + Z and D by 2 W, so |z/D|^2 begins as |c|^2 and changes
 * little, until the orbit takes another z (rebases, or leaves the reference). For other formulas
 * the factor is |x / z|^2 / |p W^(p-1)|^2. What c adds to D only matters after a rebase near 0,
 * where the orbit of a minibrot begins again (screen_restart). At zooms below some 1e12 it matters
 * more often; nothing is screened there.
 *
 * A request for a picture around a reference in wide numbers is screened if it has a `screen`, its
 * reference in doubles. */
#ifndef FATHOM_RENDER_NUMBER_SCREEN_H
#define FATHOM_RENDER_NUMBER_SCREEN_H

#include "render/deep/perturbed_steps.h"

/* Result of a point in doubles. */
enum screen {
    SCREEN_CLEAR,    /* it has escaped, with the right sample, or it never escapes */
    SCREEN_OPEN,     /* it has not escaped within the limit: interior */
    SCREEN_DOUBTFUL, /* it needs wide numbers, for this limit and all higher ones */
};

/* Value of m in the state of an orbit that has not been iterated in wide numbers yet
 * (wide_round.h), and begins when it is. */
#define SCREEN_NOT_WIDE 0xfffffffeu

#ifdef PERTURBED_SCREEN

/* Squares of the errors, in units of 2^-53, as moves of c over |z/D|. */
#define SCREEN_OF_C          36.0
#define SCREEN_SINGLE        0.6
#define SCREEN_SEGMENT       860.0 /* and for each of its steps: */
#define SCREEN_STEP          14.0
#define SCREEN_OF_W          0.0625
#define SCREEN_OF_BLOCK      0.4    /* over |D|^2 */
#define SCREEN_DOUBTFUL_FROM 0x1p-9 /* least error of W with which a point is doubtful */
#define SCREEN_SURELY        64.0   /* an error is below so many times its estimate */
/* log2 of |W^p / c| up to which c changes |z/D| after a rebase */
#define SCREEN_RESTART_LOG2 8
/* A round from a W with a lower |p W^(p-1)|^2 counts as one from 0. */
#define SCREEN_LEAST 0x1p-900

INLINE double screen_norm2(double re, double im) {
    return double_fma(re, re, im * im);
}

/* Returns |D|^2 from |z/D|^2, or that from |D|^2. */
INLINE double screen_other(double zr, double zi, double ratio) {
    return screen_norm2(zr, zi) / ratio;
}

/* Begins where the orbit begins, away from the reference if `outside`. */
INLINE struct perturbed_screen screen_begin(const struct perturbed_tables *t, bool outside,
                                            double cr, double ci) {
    const double pixels = extended_any_power((int32_t)(t->c_log2 - t->step_log2)) / t->step;
    const double step = t->step * extended_any_power((int32_t)t->step_log2);
    const double c2 = screen_norm2(cr * pixels, ci * pixels);
    const struct perturbed_screen s = {outside ? step * step : c2, SCREEN_OF_C * c2, 0.0};
    return s;
}

/* W becomes z; both are in units in which max|z| is 0.5 to 1. */
INLINE void screen_land(double wr, double wi, double zr, double zi, struct perturbed_screen *s) {
    const double more = screen_norm2(wr, wi) / screen_norm2(zr, zi);
    s->error = double_fma(s->ratio, SCREEN_OF_W * (more > 1.0 ? more : 1.0), s->error);
    s->ratio = s->ratio * more;
}

INLINE void screen_land_double(double wr, double wi, double zr, double zi,
                               struct perturbed_screen *s) {
    const double scale = extended_power(-perturbed_log2(extended_most(zr, zi)));
    screen_land(wr * scale, wi * scale, zr * scale, zi * scale, s);
}

/* W becomes z, which leaves the reference. */
INLINE void screen_leave(double wr, double wi, double zr, double zi, struct perturbed_screen *s) {
    screen_land_double(wr, wi, zr, zi, s);
    s->ratio = screen_other(wr, wi, s->ratio);
}

/* Adds the errors of a block of the tail. */
INLINE void screen_block(struct perturbed_screen *s) {
    s->error = s->error + SCREEN_OF_BLOCK / s->least;
}

/* Returns the error of W at an orbit's end, where `ratio` is |D|^2. */
INLINE double screen_error(const struct perturbed_screen *s) {
    return double_sqrt(0x1p-106 * s->ratio * s->error);
}

INLINE enum screen screen_judge_open(const struct perturbed_screen *s) {
    return screen_error(s) < SCREEN_DOUBTFUL_FROM ? SCREEN_OPEN : SCREEN_DOUBTFUL;
}

/* Judges an orbit that has escaped to z after n steps: neither z nor the point before it, whose
 * power is z less c, may be so near to |z| = 2 that the error could move it there. */
INLINE enum screen screen_judge_escape(const struct perturbed_tables *t, const bool folded,
                                       uint32_t n, double zr, double zi, double cr, double ci,
                                       const struct perturbed_screen *s) {
    const double error = screen_error(s), unit = extended_any_power(t->c_log2);
    const double before_r = zr - (t->re + cr * unit), before_i = zi - (t->im + ci * unit);
    const int power = n > 0 ? perturbed_power(t, folded, perturbed_turn(t, folded, n - 1)) : 2;
    const double beyond = screen_norm2(zr, zi) - 4.0;
    const double within = extended_power(power) - double_sqrt(screen_norm2(before_r, before_i));
    return error < SCREEN_DOUBTFUL_FROM && beyond > 4.0 * SCREEN_SURELY * error &&
                   within > SCREEN_SURELY * error
               ? SCREEN_CLEAR
               : SCREEN_DOUBTFUL;
}

#ifdef FORMULA_KERNEL

/* Multiplies by |p w^(p-1)|^2. */
INLINE real screen_slope(const int power, const real wr, const real wi, real by) {
    const real n2 = real_fma(wr, wr, wi * wi);
    by = by * real_set(power * power);
    for (int i = 1; i < power; i++)
        by = by * n2;
    return by;
}

/* Follows a step of the tail: |D|^2, and the least one of the block. */
INLINE void screen_tail(const int power, const real wr, const real wi, real *ratio, real *least) {
    *ratio = screen_slope(power, wr, wi, *ratio);
    *least = real_least(*ratio, *least);
}

INLINE real screen_scale(const real re, const real im) {
    const real re_most = real_abs(re), im_most = real_abs(im);
    return real_power(-real_exponent(real_most(re_most, im_most)));
}

/* Follows a round around the reference, a step of that power or a segment that begins with one.
 * `small`: |W|^2 may be below the range of doubles. */
INLINE void screen_round(const bool folded, const bool small, const int power, real Zr, real Zi,
                         real wr, real wi, real zr, real zi, real xr, real xi, const real weight,
                         real *ratio, real *error) {
    const real size = folded || small ? screen_scale(wr, wi) : real_set(1);
    real along, own = real_set(1);
    if (folded || small) {
        wr = wr * size;
        wi = wi * size;
    }
    if (folded) {
        const real scale = screen_scale(zr, zi);
        zr = zr * scale;
        zi = zi * scale;
        xr = xr * scale;
        xi = xi * scale;
        for (int i = 1; i < power; i++) {
            xr = xr * size;
            xi = xi * size;
        }
        along = real_fma(xr, xr, xi * xi);
        own = real_fma(zr, zr, zi * zi);
    } else {
        if (small) {
            Zr = Zr * size;
            Zi = Zi * size;
        }
        const real ar = wr + Zr, ai = wi + Zi;
        along = real_fma(ar, ar, ai * ai);
    }
    own = screen_slope(power, wr, wi, own);
    const real from_0 = *ratio * real_set(1.0 / (power * power));
    *ratio = real_by_sign(own - real_set(SCREEN_LEAST), *ratio * (along / own), from_0);
    *error = real_fma(*ratio, weight, *error);
}

#endif

#endif

#endif
