/* Walks along orbits once more whose counts are known: for what derivatives say (slopes), for what they pass (traces), and
 * for the cycles that those come to that do not escape (insides). */
#ifndef FATHOM_GPU_KERNELS_WALK_H
#define FATHOM_GPU_KERNELS_WALK_H

/* Step number n of an orbit. */
INLINE_VALUE void walk_z(const int power, const unsigned folds, value *zr, value *zi,
                         const value cr, const value ci) {
    if (power == 2)
        number_square(folds, zr, zi, cr, ci);
    else
        number_power(power, folds, zr, zi, cr, ci);
}

/* Which of the recipe's steps that is. */
INLINE uint32_t walk_which(const struct walk_task *a, uint32_t n) {
    return a->recipe.length == 1 ? 0 : n % a->recipe.length;
}

/* z, which is 0 but for Julia sets, and c of a pixel. */
INLINE_VALUE void walk_begin(const struct walk_task *a, const GLOBAL COORDS *coords, uint32_t pixel,
                             value *zr, value *zi, value *cr, value *ci) {
    const uint32_t y = pixel / a->width;
    const host_double none[2] = {0, 0};
    number_place(coords, a->aligned, a->width, pixel - y * a->width, y, cr, ci);
    number_set(zr, none);
    number_set(zi, none);
    if (!a->recipe.julia)
        return;
    *zr = *cr;
    *zi = *ci;
    number_set(cr, a->recipe.parameter_re);
    number_set(ci, a->recipe.parameter_im);
}

/* Whether it goes on after step number n, of those that escape after `count`. */
INLINE_VALUE bool walk_goes_on(uint32_t n, uint32_t count, const value zr, const value zi) {
    return n < count || (n < count + SMOOTH_STEPS && number_norm2(zr, zi) < (real)SMOOTH_NORM2);
}

#endif
