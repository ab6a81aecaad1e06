/* Steps of orbits in pairs of doubles with a bound of the error, compiled for each instruction set.
 * The loop over lanes has no branches, so that compilers make vectors of it. */
#include "render/verify/pair_lanes.h"
#include <math.h>

#define WIDE_KERNEL
typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#include "render/number/wide.h"

#define ROUNDED_UP (1 + 0x1p-48) /* covers the roundings of a bound */
#define TINY       0x1p-850      /* covers numbers below the range of doubles */
#define TINIEST    0x1p-1040
#define TINY_NORM  0x1p-900 /* covers a square below that range */
/* Bound of the rounding of |W|^2 in doubles, for |W| < 8, and of the sums of errors. */
#define NORM2_ERROR 0x1p-44

/* A little less than the escape radius: orbits of a disc stay below it. */
#define BOUNDED 1.999

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

INLINE struct wide choose(int which, struct wide a, struct wide b) {
    return (struct wide){which ? a.hi : b.hi, which ? a.lo : b.lo};
}

INLINE double norm2(double re, double im) {
    return re * re + im * im;
}

INLINE struct wide scaled(struct wide a, double scale) {
    return (struct wide){a.hi * scale, a.lo * scale};
}

/* Makes a step in lane i. */
INLINE void step(struct pair_lanes *l, const struct pair_orbit *orbit, const int i) {
    const int64_t m = PAIR_MEMBERS * l->m[i];
    const struct wide none = {0, 0};
    struct wide Zr = {orbit->z[PAIR_RE][m], orbit->z[PAIR_RE_LOW][m]};
    struct wide Zi = {orbit->z[PAIR_IM][m], orbit->z[PAIR_IM_LOW][m]};
    struct wide zr = {l->zr[i], l->zr_low[i]}, zi = {l->zi[i], l->zi_low[i]};
    const struct wide cr = {l->cr[i], l->cr_low[i]}, ci = {l->ci[i], l->ci_low[i]};
    double eta = orbit->z[PAIR_ERROR][m], scale = l->scale[i], error = l->error[i],
           spread = l->spread[i];

    /* W, and the decision */
    struct wide sr = scaled(zr, scale), si = scaled(zi, scale);
    const struct wide wr = wide_add(Zr, sr), wi = wide_add(Zi, si);
    const double sum = fabs(Zr.hi) + fabs(Zi.hi) + fabs(sr.hi) + fabs(si.hi);
    const double moved = eta + PAIR_UNIT * sum + TINY; /* what W is off beyond z */
    const double w_error = scale * error + moved;
    const double up = fabs(wr.hi) + fabs(wi.hi) < 0x1p-300 ? 0x1p500 : 1; /* no square underflows */
    const double w2 = norm2(wr.hi, wi.hi), slack = 16 * w_error + NORM2_ERROR;
    const double w2_up = norm2(wr.hi * up, wi.hi * up);
    const int escaped = w2 - 4 > slack, inside = 4 - w2 > slack;
    const int rebased = (w2_up < norm2(sr.hi * up, si.hi * up)) | (l->m[i] == orbit->last) |
                        (l->m[i] == orbit->last_of_view);
    const int lost = rebased & (scale < 0x1p-800) & (l->n[i] != l->limit[i]);
    const int sure = (escaped | inside) & (w_error < 0x1p-12) & !lost;
    const int64_t end = !sure                    ? PAIR_UNSURE
                        : escaped                ? PAIR_ESCAPED
                        : l->n[i] == l->limit[i] ? PAIR_INTERIOR
                                                 : PAIR_GOES_ON;
    const int on = l->end[i] == PAIR_GOES_ON;
    l->count[i] = on ? l->n[i] : l->count[i];
    l->last_error[i] = on ? w_error : l->last_error[i];
    l->last_re[i] = on ? wr.hi : l->last_re[i];
    l->last_im[i] = on ? wi.hi : l->last_im[i];
    l->end[i] = on ? end : l->end[i];

    /* the rebasing */
    const double unscale = 1 / scale;
    zr = choose(rebased, scaled(wr, unscale), zr);
    zi = choose(rebased, scaled(wi, unscale), zi);
    sr = choose(rebased, wr, sr);
    si = choose(rebased, wi, si);
    error = rebased ? w_error * unscale : error;
    spread = rebased ? spread + moved * unscale : spread;
    Zr = choose(rebased, none, Zr);
    Zi = choose(rebased, none, Zi);
    eta = rebased ? 0 : eta;

    /* the step */
    const struct wide ar = wide_add(scaled(Zr, 2), sr), ai = wide_add(scaled(Zi, 2), si);
    const struct wide xr = wide_add(wide_product(ar, zr), wide_negative(wide_product(ai, zi)));
    const struct wide xi = wide_add(wide_product(ar, zi), wide_product(ai, zr));
    const struct wide nr = wide_add(xr, cr), ni = wide_add(xi, ci);
    const double norm = sqrt(w2_up) / up * ROUNDED_UP + TINY_NORM, z1 = fabs(zr.hi) + fabs(zi.hi);
    const double a1 = 2 * (fabs(Zr.hi) + fabs(Zi.hi)) + (fabs(sr.hi) + fabs(si.hi));
    const double off = 2 * eta + 2 * PAIR_UNIT * a1 + TINY;
    const double rounding =
        PAIR_UNIT * (fabs(cr.hi) + fabs(ci.hi)) + l->c_error[i] + off * z1 + TINIEST;
    l->error[i] = (2 * norm * error + scale * error * error + off * error + rounding) * ROUNDED_UP;
    l->spread[i] =
        (2 * norm * spread + scale * spread * spread + off * spread + rounding) * ROUNDED_UP;
    l->spread[i] = norm + scale * spread < BOUNDED ? l->spread[i] : INFINITY;
    l->zr[i] = nr.hi;
    l->zr_low[i] = nr.lo;
    l->zi[i] = ni.hi;
    l->zi_low[i] = ni.lo;
    l->m[i] = rebased ? 1 : l->m[i] + 1;
    l->n[i]++;
}

void JOIN(pair_steps_, PAIR_ISA)(struct pair_lanes *restrict lanes,
                                 const struct pair_orbit *restrict orbit, int steps) {
    const struct pair_orbit around = *orbit;
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < PAIR_LANES; i++)
            step(lanes, &around, i);
}
