/* An orbit of a power formula in fixed point, with a proven bound E of |z - exact z|. A step makes
 * at most (2|z| + E) E of it, or p (|z| + E)^(p-1) E for a power p, and adds its own rounding. Any
 * thread, one at a time. */
#ifndef FATHOM_RENDER_NUMBER_FIXED_ORBIT_H
#define FATHOM_RENDER_NUMBER_FIXED_ORBIT_H

#include "render/formula/fractal.h"

#define FIXED_LIMB_BITS 64

/* m * 2^exponent; the exponent is a multiple of FIXED_LIMB_BITS, and m is 0 or from 1 to
 * 2^FIXED_LIMB_BITS. */
struct fixed_bound {
    double m;
    long exponent;
};

/* Magnitudes of `limbs` limbs, the highest for the whole part, lowest first, with separate signs:
 * the parts of z and c, of their squares, and scratch. */
struct fixed_orbit {
    long fraction, limbs; /* `fraction` limbs are behind the point */
    mp_limb_t *memory, *x, *y, *cr, *ci, *xx, *yy, *between, *norm, *escape, *other, *product;
    bool x_negative, y_negative, cr_negative, ci_negative;
    bool exact; /* nothing has been rounded yet */
    struct fixed_bound error;
    double radius; /* at least the escape radius */
};

enum fixed_side { FIXED_INSIDE, FIXED_OUTSIDE, FIXED_UNKNOWN /* too few bits to tell */ };

/* Begins the orbit of c = re + i im from 0, or that of a Julia set from there. `escape` is the
 * square of the escape radius. Parts are below 2^64. Returns false if there is no memory, which is
 * logged. */
bool fixed_orbit_init(struct fixed_orbit *orbit, long fraction, const struct fractal *fractal,
                      mpfr_srcptr re, mpfr_srcptr im, mpfr_srcptr escape);
void fixed_orbit_finish(struct fixed_orbit *orbit);
/* Squares z, and compares |z| with the escape radius. Call it before each step. */
enum fixed_side fixed_orbit_side(struct fixed_orbit *orbit);
/* Makes a step of a power with FOLD_ bits. */
void fixed_orbit_step(struct fixed_orbit *orbit, int power, unsigned folds);
/* Drops the lowest limb where the error is at least 2^spare_bits of its unit, which adds two such
 * units: an orbit that diverges gets cheaper. Not between a comparison and its step. */
void fixed_orbit_trim(struct fixed_orbit *orbit, double spare_bits);
/* Returns true if the error is 2^-48 or more: too few bits, whatever |z| is. */
bool fixed_orbit_lost(const struct fixed_orbit *orbit);
/* Returns log2 of the error; -INFINITY if there is none. */
double fixed_orbit_error_log2(const struct fixed_orbit *orbit);
/* Returns an exponent, a multiple of FIXED_LIMB_BITS, such that parts are below 2^exponent; the
 * larger one is at least 2^(exponent - FIXED_LIMB_BITS), or 0. */
long fixed_orbit_exponent(const struct fixed_orbit *orbit);
/* Stores the parts of z, in units of 2^unit_log2, as sums of two doubles. They are off by less than
 * 2^-105 of themselves; parts below 2^-960 units may become 0. `unit_log2` is a multiple of
 * FIXED_LIMB_BITS. */
void fixed_orbit_pairs(const struct fixed_orbit *orbit, long unit_log2, double re[2], double im[2]);

#endif
