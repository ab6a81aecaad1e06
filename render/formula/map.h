/* Maps, the formulas that are not a power with folds: start and end of their orbits, and the
 * fraction of their counts. The steps are in map_step.h.
 *
 * An orbit ends with the first step after which |z|^2 is at least the square of the escape radius,
 * or after which the orbit has converged. Both tests follow every step. Converging orbits have
 * counts like escaping orbits. Orbits that do neither are the interior. */
#ifndef FATHOM_RENDER_FORMULA_MAP_H
#define FATHOM_RENDER_FORMULA_MAP_H

#include "render/formula/formula.h"
#include "render/formula/slope.h"
#include "render/sample.h"

/* Start of z in a picture of the set, with c the point. In a Julia set z starts at the point, and
 * all orbits share c. */
enum map_begins {
    BEGINS_ZERO,
    BEGINS_HALF,
    BEGINS_ONE,
    BEGINS_POINT, /* z starts at the point, too */
    BEGINS_FREE   /* z starts at the point, and c is 0 */
};

/* Number that steps need besides z and c. */
enum map_second {
    SECOND_NONE,
    SECOND_BEFORE,   /* previous z; 0 at first */
    SECOND_PARAMETER /* current c, which steps change */
};

enum map_ends {
    ENDS_SQUARED, /* escapes, with |z|^2 squared by each step */
    ENDS_SCALED,  /* escapes in any other way */
    ENDS_SETTLED, /* converges: |step|^2 < MAP_CLOSE */
    ENDS_AT_ONE   /* converges to 1: |z - 1|^2 < MAP_CLOSE; or escapes as ENDS_SQUARED */
};

#define MAP_CLOSE 0x1p-32 /* square of the distance that counts as converged */

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

/* Returns true if escaped orbits continue until SMOOTH_NORM2. */
INLINE bool map_climbs(const int formula) {
    return map_ends(formula) == ENDS_SQUARED || map_ends(formula) == ENDS_AT_ONE;
}

/* Returns true if the tests of each step are a large part of its cost. */
INLINE bool map_screens(const int formula) {
    return map_escape(formula) == 4.0;
}

/* Returns the factor g such that far out each step squares g |z|^2; c2 is |c|^2. */
INLINE float map_gain(const int formula, float c2) {
    return formula == FORMULA_lambda    ? c2
           : formula == FORMULA_magnet1 ? 0.0625f        /* z^2/4 */
           : formula == FORMULA_magnet2 ? 0x1.948b10p-7f /* z^2/9 */
                                        : 1.0f;
}

/* Returns log2 of any float, clamped to the normal range. */
INLINE float map_log2(float x) {
    const float most = x < 0x1p126f ? x : 0x1p126f;
    return sample_log2(most > 0x1p-126f ? most : 0x1p-126f);
}

/* Returns (end - now) / (now - before), clamped to -1 .. 0: minus the part of the last step that
 * lies beyond the end. */
INLINE float map_part(float before, float now, float end) {
    const float part = (end - now) / (now - before);
    return part > -1.0f ? part < 0.0f ? part : 0.0f : now > before ? -1.0f : 0.0f;
}

/* Returns the fraction of an escaped orbit that ends as ENDS_SCALED, from |z|^2 before the last
 * step, |z|^2 after the last step, and the escape radius squared. */
INLINE float map_fraction_scaled(float before, float norm2, float escape) {
    return map_part(map_log2(before), map_log2(norm2), map_log2(escape));
}

/* Returns the fraction of a converged orbit, from the squared distances before and after the last
 * step. The logarithm of a distance about doubles with each step. */
INLINE float map_fraction_converged(float before, float distance2) {
    const float was = -map_log2(before), is = -map_log2(distance2);
    return map_part(sample_log2(was > 1.0f ? was : 1.0f), sample_log2(is > 1.0f ? is : 1.0f), 5.0f);
}

#endif
