/* The arithmetic of one pixel, as cuda/escape/orbit.cuh has it. The build says FORMULA, a number, or LOOKED_UP; FUSED,
 * CYCLE and LISTS (whether what must go on is listed), 0 or 1. */

#define ORBIT_SINGLE      8u
#define ORBIT_YOUNG       40u
#define ORBIT_SHORT_BLOCK 8
#define ORBIT_FIRST_SPAN  128u
#ifdef LOOKED_UP
#define ORBIT_INTERIOR 0
#else
#define ORBIT_INTERIOR (FORMULA_IS_OF(FORMULAS_INTERIOR, FORMULA))
#endif

enum orbit_end { ORBIT_GOES_ON, ORBIT_ESCAPED, ORBIT_BOUNDED };

struct orbit {
    value cr, ci, zr, zi;
    uint number; /* of a hybrid: which step comes next */
};

#ifdef LOOKED_UP
/* Steps of a power, or of a hybrid, which are looked up one by one. */
INLINE void orbit_steps(const struct recipe *recipe, struct orbit *o, const uint size) {
    const uint some = recipe->length == 1 ? size : 1;
    for (uint done = 0; done < size; done += some) {
        const uint folds = recipe->folds[o->number];
        switch (recipe->power[o->number]) {
        case 2:
            for (uint k = 0; k < some; k++)
                NUMBER_SQUARE(folds, &o->zr, &o->zi, o->cr, o->ci);
            break;
#define ORBIT_CASE(power)                                                                          \
    case power:                                                                                    \
        for (uint k = 0; k < some; k++)                                                            \
            NUMBER_POWER(power, folds, &o->zr, &o->zi, o->cr, o->ci);                              \
        break;
            RECIPE_POWERS(ORBIT_CASE)
#undef ORBIT_CASE
        }
        o->number = (o->number + some) % recipe->length;
    }
}
#else
INLINE void orbit_steps(const struct recipe *recipe, struct orbit *o, const uint size) {
#pragma unroll
    for (uint k = 0; k < size; k++)
        number_formula_step(FORMULA, FUSED, &o->zr, &o->zi, o->cr, o->ci);
}
#endif

INLINE bool orbit_inside(const struct recipe *recipe, const struct orbit *o) {
    return norm2(FUSED, HIGH(o->zr), HIGH(o->zi)) < (real)recipe->escape;
}

/* Tested after every step, up to `until`; true: escaped. */
INLINE bool orbit_run_singly(const struct recipe *recipe, struct orbit *o, uint until, uint *done) {
    bool escaped = false;
#pragma unroll 1
    while (!escaped && *done < until) {
        orbit_steps(recipe, o, 1);
        ++*done;
        escaped = !orbit_inside(recipe, o);
    }
    return escaped;
}

/* One block of steps; false, and nothing done, when the orbit escapes in it. */
INLINE bool orbit_run_block(const struct recipe *recipe, struct orbit *o, const uint size,
                            uint *done) {
    const struct orbit start = *o;
    orbit_steps(recipe, o, size);
    const bool inside = orbit_inside(recipe, o);
    if (!inside)
        *o = start;
    else
        *done += size;
    return inside;
}

/* Short blocks as long as there is room for them up to `until` and the orbit does not escape. */
INLINE bool orbit_run_short(const struct recipe *recipe, struct orbit *o, uint until, uint *done) {
    bool inside = true;
#pragma unroll 1
    while (inside && *done + ORBIT_SHORT_BLOCK <= until)
        inside = orbit_run_block(recipe, o, ORBIT_SHORT_BLOCK, done);
    return inside;
}

/* The same with long blocks; true: with CYCLE, the orbit was found to return to where it was at the start of a span of
 * steps, each twice as long as the one before (Brent's method). */
INLINE bool orbit_run_long(const struct recipe *recipe, struct orbit *o, uint span, uint until,
                           uint *done) {
    bool inside = true, found = false;
#pragma unroll 1
    do {
        const struct orbit then = *o;
        const uint left = until - *done;
        const uint end = CYCLE && left > span ? *done + span : until;
#pragma unroll 1
        while (inside && !found && *done + NUMBER_BLOCK <= end) {
            inside = orbit_run_block(recipe, o, NUMBER_BLOCK, done);
            if (CYCLE && number_word(o->zr) == number_word(then.zr))
                found = inside && number_same(o->zr, then.zr) && number_same(o->zi, then.zi) &&
                        o->number == then.number;
        }
        span *= 2;
    } while (CYCLE && inside && !found && *done + NUMBER_BLOCK <= until);
    return found;
}

/* By blocks as far as they go, which is not into one with an escape; true: it never escapes. */
INLINE bool orbit_run_most(const struct recipe *recipe, struct orbit *o, uint before, uint steps,
                           bool cardioid, uint *done) {
    const bool young = before == 0;
    const uint span = before > ORBIT_FIRST_SPAN ? before : ORBIT_FIRST_SPAN;
    if (young && !orbit_run_short(recipe, o, steps < ORBIT_YOUNG ? steps : ORBIT_YOUNG, done))
        return false;
    if (young && cardioid && ORBIT_INTERIOR && !recipe->julia &&
        interior_surely(HIGH(o->cr), HIGH(o->ci), NUMBER_MARGIN))
        return true;
    if (orbit_run_long(recipe, o, span, steps, done))
        return true;
    orbit_run_short(recipe, o, steps, done);
    return false;
}

/* Takes an orbit that has done `before` steps at most `steps` further; *done says how many. */
INLINE enum orbit_end orbit_advance(const struct recipe *recipe, struct orbit *o, uint before,
                                    uint steps, bool cardioid, uint *done) {
    bool escaped = recipe->julia && before == 0 && !orbit_inside(recipe, o);
    *done = 0;
    o->number = before % recipe->length;
    if (before == 0 && steps >= ORBIT_SINGLE)
#pragma unroll 1
        while (!escaped && *done < ORBIT_SINGLE) {
            orbit_steps(recipe, o, 1);
            ++*done;
            escaped = !orbit_inside(recipe, o);
        }
    if (escaped)
        return ORBIT_ESCAPED;
    if (norm2(true, HIGH(o->cr), HIGH(o->ci)) < (real)recipe->safe &&
        orbit_run_most(recipe, o, before, steps, cardioid, done))
        return ORBIT_BOUNDED;
    return orbit_run_singly(recipe, o, steps, done) ? ORBIT_ESCAPED : ORBIT_GOES_ON;
}

/* The fraction of an orbit that has just escaped to z, from where it goes on; *left is |z|^2 there. */
INLINE float orbit_fraction(const struct recipe *recipe, struct orbit *o, float *left) {
    real n2 = norm2(FUSED, HIGH(o->zr), HIGH(o->zi));
    int steps = 0;
#pragma unroll 1
    for (; n2 < (real)SMOOTH_NORM2 && steps < SMOOTH_STEPS; steps++) {
        orbit_steps(recipe, o, 1);
        n2 = norm2(FUSED, HIGH(o->zr), HIGH(o->zi));
    }
    *left = (float)n2;
#ifdef LOOKED_UP
    return sample_fraction((float)n2, steps, recipe_scale(recipe, o->number));
#else
    return sample_fraction((float)n2, steps, 1.0f);
#endif
}
