/* Formulas that are no power with folds: where their orbits begin, how they end, and what the fraction of
 * their counts is. map_step.h has their steps.
 *
 * An orbit ends with the first step after which |z|^2 is not below the escape radius's, or which has converged;
 * it is tested after every step. One that converges has a count as one that escapes has, and those that do
 * neither are the interior. */
#ifndef FATHOM_RENDER_FORMULA_MAP_H
#define FATHOM_RENDER_FORMULA_MAP_H

#include "render/formula/formula.h"
#include "render/formula/slope.h"
#include "render/sample.h"

/* Where z begins in a picture of the set, with the point for c. In a Julia set it is the point, with one c for
 * all. */
enum map_begins {
    BEGINS_ZERO,
    BEGINS_HALF,
    BEGINS_ONE,
    BEGINS_POINT, /* at the point as well */
    BEGINS_FREE   /* at the point, and c is 0 */
};

/* A number that steps need besides z and c. */
enum map_second {
    SECOND_NONE,
    SECOND_BEFORE,   /* the z before; 0 at first */
    SECOND_PARAMETER /* c as it has become */
};

enum map_ends {
    ENDS_SQUARED, /* escapes, and |z|^2 is squared from step to step */
    ENDS_SCALED,  /* escapes, anyhow */
    ENDS_SETTLED, /* converges: a step was shorter than MAP_CLOSE */
    ENDS_AT_ONE   /* converges to 1, to within that, or escapes as the first */
};

#define MAP_CLOSE 0x1p-32 /* the square of a distance */

#define MAP_TRAIT(type, name, member)                                                              \
    INLINE type map_##name(const int formula) {                                                    \
        const type traits[] = {FORMULA_MAP_LIST(member)};                                          \
        return traits[formula - FORMULA_POWERS];                                                   \
    }
#define MAP_BEGINS(name, text, begins, ends, escape, second) begins,
#define MAP_ENDS(name, text, begins, ends, escape, second)   ends,
#define MAP_ESCAPE(name, text, begins, ends, escape, second) escape,
#define MAP_SECOND(name, text, begins, ends, escape, second) second,
MAP_TRAIT(int, begins, MAP_BEGINS)
MAP_TRAIT(int, ends, MAP_ENDS)
MAP_TRAIT(double, escape, MAP_ESCAPE)
MAP_TRAIT(int, second, MAP_SECOND)

INLINE bool map_has_power(const int formula) {
    return formula == FORMULA_newton || formula == FORMULA_nova;
}

INLINE bool map_converges(const int formula) {
    return map_ends(formula) >= ENDS_SETTLED;
}

/* Whether orbits that have escaped are followed to SMOOTH_NORM2. */
INLINE bool map_climbs(const int formula) {
    return map_ends(formula) == ENDS_SQUARED || map_ends(formula) == ENDS_AT_ONE;
}

/* Whether tests are a large part of the steps. */
INLINE bool map_screens(const int formula) {
    return map_escape(formula) == 4.0;
}

/* What |z|^2 is multiplied by to be squared from step to step, far out; c2 is |c|^2. */
INLINE float map_gain(const int formula, float c2) {
    return formula == FORMULA_lambda    ? c2
           : formula == FORMULA_magnet1 ? 0.0625f        /* z^2/4 */
           : formula == FORMULA_magnet2 ? 0x1.948b10p-7f /* z^2/9 */
                                        : 1.0f;
}

/* log2 of a float that may be anything. */
INLINE float map_log2(float x) {
    const float most = x < 0x1p126f ? x : 0x1p126f;
    return sample_log2(most > 0x1p-126f ? most : 0x1p-126f);
}

/* How far the end is passed, from `before`, which is under it, to `now`: -1 .. 0. */
INLINE float map_part(float before, float now, float end) {
    const float part = (end - now) / (now - before);
    return part > -1.0f ? part < 0.0f ? part : 0.0f : now > before ? -1.0f : 0.0f;
}

/* The fraction of an orbit that escaped by scaling, from |z|^2 before the last step, after it, and the radius's. */
INLINE float map_fraction_scaled(float before, float norm2, float escape) {
    return map_part(map_log2(before), map_log2(norm2), map_log2(escape));
}

/* The same of one that has converged, from squares of distances: their logarithms double, or nearly, with each
 * step. */
INLINE float map_fraction_converged(float before, float distance2) {
    const float was = -map_log2(before), is = -map_log2(distance2);
    return map_part(sample_log2(was > 1.0f ? was : 1.0f), sample_log2(is > 1.0f ? is : 1.0f), 5.0f);
}

#endif
