/* Orbit of one pixel (kernels): the same steps, tests and rounding as the CPU's loop, apart from how
 * threads share the work. `formula` is a formula's second power, or FORMULA_folded: then the recipe
 * names the formula. */
#ifndef FATHOM_GPU_KERNELS_ORBIT_H
#define FATHOM_GPU_KERNELS_ORBIT_H

/* --- steps --- */

enum orbit_end {
    ORBIT_GOES_ON,
    ORBIT_ESCAPED, /* or converged, with the last step */
    ORBIT_BOUNDED, /* it is known never to do that */
};

struct orbit {
    value cr, ci, zr, zi;
    uint32_t number; /* of a hybrid: which step comes next */
};
struct orbit_point {
    value r, i;
};

/* Where formulas share a kernel it is looked up once for so many steps. */
#define ORBIT_FOLDED_BLOCK 16u

INLINE void orbit_steps_of(const int formula, struct orbit *o, const uint32_t size) {
    UNROLLED
    for (uint32_t k = 0; k < size; k++)
        number_square(formula_folds(formula), &o->zr, &o->zi, o->cr, o->ci);
}

INLINE void orbit_power_block(const int power, const unsigned folds, uint32_t steps, value *zr,
                              value *zi, const value cr, const value ci) {
    if (NUMBER_ROLLED) {
        ROLLED
        for (uint32_t k = 0; k < steps; k++)
            number_power(power, folds, zr, zi, cr, ci);
        return;
    }
    UNROLLED_BY(8)
    for (uint32_t k = 0; k < steps; k++)
        number_power(power, folds, zr, zi, cr, ci);
}

/* Without folds, and with the Burning Ship's, there is nothing to be asked on the way. */
INLINE void orbit_power_run(const int power, const unsigned folds, uint32_t steps, value *zr,
                            value *zi, const value cr, const value ci) {
    if (folds == FOLD_NONE)
        orbit_power_block(power, FOLD_NONE, steps, zr, zi, cr, ci);
    else if (folds == (FOLD_X | FOLD_Y))
        orbit_power_block(power, FOLD_X | FOLD_Y, steps, zr, zi, cr, ci);
    else
        orbit_power_block(power, folds, steps, zr, zi, cr, ci);
}

/* Steps of a power, or of a hybrid, which are looked up one by one. */
CALLED struct orbit_point orbit_power_steps(const struct recipe *recipe, uint32_t number,
                                            uint32_t steps, value zr, value zi, const value cr,
                                            const value ci) {
    const uint32_t some = recipe->length == 1 ? steps : 1;
    ROLLED
    for (uint32_t done = 0; done < steps; done += some) {
        const unsigned folds = recipe->folds[number];
        switch (recipe->power[number]) {
        case 2: /* in hybrids alone */
            number_square(folds, &zr, &zi, cr, ci);
            break;
#define ORBIT_CASE(power)                                                                          \
    case power:                                                                                    \
        orbit_power_run(power, folds, some, &zr, &zi, cr, ci);                                     \
        break;
            RECIPE_POWERS(ORBIT_CASE)
#undef ORBIT_CASE
        }
        number = number + 1 == recipe->length ? 0 : number + 1;
    }
    const struct orbit_point z = {zr, zi};
    return z;
}

INLINE void orbit_steps_folded(const struct recipe *recipe, struct orbit *o, const uint32_t size) {
    switch (recipe->kind) {
#define ORBIT_CASE(name, text, folds, interior)                                                    \
    case FORMULA_##name:                                                                           \
        ROLLED                                                                                     \
        for (uint32_t k = 0; k < size; k += min(size, ORBIT_FOLDED_BLOCK))                         \
            orbit_steps_of(FORMULA_##name, o, min(size, ORBIT_FOLDED_BLOCK));                      \
        break;
        KERNEL_FORMULAS(ORBIT_CASE)
#undef ORBIT_CASE
    default: {
        const struct orbit_point z =
            orbit_power_steps(recipe, o->number, size, o->zr, o->zi, o->cr, o->ci);
        o->zr = z.r;
        o->zi = z.i;
        o->number = (o->number + size) % recipe->length;
    }
    }
}

INLINE void orbit_steps(const struct recipe *recipe, const int formula, struct orbit *o,
                        const uint32_t size) {
    if (formula == FORMULA_folded)
        orbit_steps_folded(recipe, o, size);
    else
        orbit_steps_of(formula, o, size);
}

/* --- blocks of steps, and their tests --- */

#define ORBIT_SINGLE      8u
#define ORBIT_SHORT_BLOCK 8u

INLINE bool orbit_inside(const struct recipe *recipe, const struct orbit *o) {
    return number_norm2(o->zr, o->zi) < (real)of_host(recipe->escape);
}

/* One step and its test. */
INLINE bool orbit_run_step(const struct recipe *recipe, const int formula, struct orbit *o,
                           uint32_t *done) {
    orbit_steps(recipe, formula, o, 1);
    ++*done;
    return !orbit_inside(recipe, o);
}

/* Tested after every step, up to `until`; true: escaped. */
INLINE bool orbit_run_singly(const struct recipe *recipe, const int formula, struct orbit *o,
                             uint32_t until, uint32_t *done) {
    bool escaped = false;
    ROLLED
    while (!escaped && *done < until)
        escaped = orbit_run_step(recipe, formula, o, done);
    return escaped;
}

/* The first ORBIT_SINGLE steps, if `steps` has room for them; true: escaped. */
INLINE bool orbit_run_first(const struct recipe *recipe, const int formula, struct orbit *o,
                            uint32_t steps, uint32_t *done) {
    if (steps < ORBIT_SINGLE)
        return false;
    if (formula == FORMULA_folded)
        return orbit_run_singly(recipe, formula, o, ORBIT_SINGLE, done);
    UNROLLED
    for (uint32_t k = 0; k < ORBIT_SINGLE; k++)
        if (orbit_run_step(recipe, formula, o, done))
            return true;
    return false;
}

/* One block of steps; false, and nothing done, when the orbit escapes in it. */
INLINE bool orbit_run_block(const struct recipe *recipe, const int formula, struct orbit *o,
                            const uint32_t size, uint32_t *done) {
    const value start_r = o->zr, start_i = o->zi;
    const uint32_t start_number = o->number;
    orbit_steps(recipe, formula, o, size);
    const bool inside = orbit_inside(recipe, o);
    if (!inside) {
        o->zr = start_r;
        o->zi = start_i;
        o->number = start_number;
    } else {
        *done += size;
    }
    return inside;
}

/* Short blocks as long as there is room for them up to `until` and the orbit does not escape. */
INLINE bool orbit_run_short(const struct recipe *recipe, const int formula, struct orbit *o,
                            uint32_t until, uint32_t *done) {
    bool inside = true;
    ROLLED
    while (inside && *done + ORBIT_SHORT_BLOCK <= until)
        inside = orbit_run_block(recipe, formula, o, ORBIT_SHORT_BLOCK, done);
    return inside;
}

/* The same with long blocks; true: with `cycle`, the orbit was found to return to where it was at the start of a span of
 * steps, each twice as long as the one before (Brent's method). One word of z tells most others apart. */
INLINE bool orbit_run_long(const struct recipe *recipe, const int formula, const bool cycle,
                           struct orbit *o, uint32_t span, uint32_t until, uint32_t *done) {
    const uint32_t size = number_block(cycle);
    bool inside = true, found = false;
    ROLLED
    do {
        const value then_r = o->zr, then_i = o->zi;
        const uint32_t then_number = o->number;
        const uint32_t left = until - *done;
        const uint32_t end = cycle && left > span ? *done + span : until;
        ROLLED
        while (inside && !found && *done + size <= end) {
            inside = orbit_run_block(recipe, formula, o, size, done);
            if (cycle && number_word(o->zr) == number_word(then_r))
                found = inside && number_same(o->zr, then_r) && number_same(o->zi, then_i) &&
                        o->number == then_number;
        }
        span *= 2;
    } while (cycle && inside && !found && *done + size <= until);
    return found;
}

/* --- an orbit from its start to its end --- */

/* An orbit's life: most of those outside the set end within the first few steps, which are tested one by one; few of
 * those that got through the next ones, in short blocks, end soon after. */
#define ORBIT_YOUNG      40u
#define ORBIT_FIRST_SPAN 128u /* steps in which a cycle is looked for first; then twice as many */

/* By blocks as far as they go, which is not into one with an escape; true: it never escapes. */
INLINE bool orbit_run_most(const struct recipe *recipe, const int formula, const bool cycle,
                           struct orbit *o, uint32_t before, uint32_t steps, bool cardioid,
                           uint32_t *done) {
    const bool young = before == 0;
    const uint32_t span = before > ORBIT_FIRST_SPAN ? before : ORBIT_FIRST_SPAN;
    if (young &&
        !orbit_run_short(recipe, formula, o, steps < ORBIT_YOUNG ? steps : ORBIT_YOUNG, done))
        return false;
    if (young && cardioid && FORMULA_IS_OF(FORMULAS_INTERIOR, formula) && !recipe->julia &&
        interior_surely(number_high(o->cr), number_high(o->ci), NUMBER_MARGIN))
        return true;
    if (orbit_run_long(recipe, formula, cycle, o, span, steps, done))
        return true;
    orbit_run_short(recipe, formula, o, steps, done);
    return false;
}

/* Takes an orbit that has done `before` steps at most `steps` further; *done says how many. Any division of the steps
 * among calls gives the same bits. */
INLINE enum orbit_end orbit_advance(const struct recipe *recipe, const int formula,
                                    const bool cycle, struct orbit *o, uint32_t before,
                                    uint32_t steps, bool cardioid, uint32_t *done) {
    *done = 0;
    o->number = formula == FORMULA_folded ? before % recipe->length : 0;
    if (recipe->julia && before == 0 && !orbit_inside(recipe, o))
        return ORBIT_ESCAPED;
    if (before == 0 && orbit_run_first(recipe, formula, o, steps, done))
        return ORBIT_ESCAPED;
    if (number_norm2(o->cr, o->ci) < (real)of_host(recipe->safe) &&
        orbit_run_most(recipe, formula, cycle, o, before, steps, cardioid, done))
        return ORBIT_BOUNDED;
    return orbit_run_singly(recipe, formula, o, steps, done) ? ORBIT_ESCAPED : ORBIT_GOES_ON;
}

/* One more step of an orbit that has escaped; false: it is far enough away. */
INLINE bool orbit_leave(const struct recipe *recipe, const int formula, struct orbit *o, real *n2,
                        int *steps) {
    if (!(*n2 < (real)SMOOTH_NORM2) || *steps >= SMOOTH_STEPS)
        return false;
    orbit_steps(recipe, formula, o, 1);
    *n2 = number_norm2(o->zr, o->zi);
    ++*steps;
    return true;
}

/* The fraction of an orbit that has just escaped to z, from where it goes on; *left is |z|^2 there. */
INLINE float orbit_fraction(const struct recipe *recipe, const int formula, struct orbit *o,
                            float *left) {
    real n2 = number_norm2(o->zr, o->zi);
    int steps = 0;
    if (formula == FORMULA_folded) {
        ROLLED
        while (orbit_leave(recipe, formula, o, &n2, &steps))
            continue;
    } else {
        UNROLLED_BY(4)
        while (orbit_leave(recipe, formula, o, &n2, &steps))
            continue;
    }
    *left = (float)n2;
    return sample_fraction((float)n2, steps,
                           formula == FORMULA_folded ? recipe_scale(recipe, o->number) : 1.0f);
}

#endif
