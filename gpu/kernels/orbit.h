/* Orbit of a pixel (kernels): the same steps, tests and rounding as the CPU's loop, independent of
 * the division of work among threads. `formula` is a formula of power 2, or FORMULA_folded; then
 * the recipe contains the formula. */
#ifndef FATHOM_GPU_KERNELS_ORBIT_H
#define FATHOM_GPU_KERNELS_ORBIT_H

/* --- steps --- */

enum orbit_end {
    ORBIT_GOES_ON,
    ORBIT_ESCAPED, /* or converged, with the last step */
    ORBIT_BOUNDED, /* proved never to escape */
};

struct orbit {
    value cr, ci, zr, zi;
    uint32_t number; /* hybrid: number of the next step in the recipe */
};
struct orbit_point {
    value r, i;
};
/* State of an orbit that may continue; frame_req_state_size returns its size. */
struct orbit_state {
    value zr, zi;
};

/* [steps] Steps that a kernel shared by several formulas unrolls for each formula. */
#define ORBIT_FOLDED_BLOCK (NUMBER_ROLLED || !UNROLLS ? 1u : 16u)

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

/* Has versions without folds and for the Burning Ship's folds, whose loops contain no branches. */
INLINE void orbit_power_run(const int power, const unsigned folds, uint32_t steps, value *zr,
                            value *zi, const value cr, const value ci) {
    if (folds == FOLD_NONE)
        orbit_power_block(power, FOLD_NONE, steps, zr, zi, cr, ci);
    else if (folds == (FOLD_X | FOLD_Y))
        orbit_power_block(power, FOLD_X | FOLD_Y, steps, zr, zi, cr, ci);
    else
        orbit_power_block(power, folds, steps, zr, zi, cr, ci);
}

/* Makes steps of a power, or of a hybrid, whose steps are selected one by one. */
NOT_INLINED struct orbit_point orbit_power_steps(const struct recipe *recipe, uint32_t number,
                                                 uint32_t steps, value zr, value zi, const value cr,
                                                 const value ci) {
    const uint32_t some = recipe->length == 1 ? steps : 1;
    ROLLED
    for (uint32_t done = 0; done < steps; done += some) {
        const unsigned folds = recipe->folds[number];
        switch (recipe->power[number]) {
        case 2: /* in hybrids only */
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

/* Makes one step. Returns true if the orbit escaped. */
INLINE bool orbit_run_step(const struct recipe *recipe, const int formula, struct orbit *o,
                           uint32_t *done) {
    orbit_steps(recipe, formula, o, 1);
    ++*done;
    return !orbit_inside(recipe, o);
}

/* Iterates up to `until` with a test after every step. Returns true if the orbit escaped. */
INLINE bool orbit_run_singly(const struct recipe *recipe, const int formula, struct orbit *o,
                             uint32_t until, uint32_t *done) {
    bool escaped = false;
    ROLLED
    while (!escaped && *done < until)
        escaped = orbit_run_step(recipe, formula, o, done);
    return escaped;
}

/* Makes the first ORBIT_SINGLE steps if `steps` allows it. Returns true if the orbit escaped. */
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

/* Iterates a block of steps. Returns false and leaves *o unchanged if the orbit escapes. */
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

/* Iterates short blocks up to `until`. Returns false if the orbit escapes in the next block. */
INLINE bool orbit_run_short(const struct recipe *recipe, const int formula, struct orbit *o,
                            uint32_t until, uint32_t *done) {
    bool inside = true;
    ROLLED
    while (inside && *done + ORBIT_SHORT_BLOCK <= until)
        inside = orbit_run_block(recipe, formula, o, ORBIT_SHORT_BLOCK, done);
    return inside;
}

/* Iterates long blocks. With `cycle`, returns true if the orbit returned to the start of a span of
 * steps, each twice as long as the last (Brent's method). One word of z excludes most points. */
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

/* [steps] Orbits outside the set mostly end within the first steps, which are tested one by one.
 * Short blocks follow up to this step. Later escapes are rare, and long blocks are used. */
#define ORBIT_YOUNG      40u
#define ORBIT_FIRST_SPAN 128u /* [steps] first span of the search for cycles, which then doubles */

/* Iterates in blocks before an escape. Returns true if the orbit is proved never to escape. */
INLINE bool orbit_run_blocks(const struct recipe *recipe, const int formula, const bool cycle,
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

/* Continues an orbit after `before` steps by at most `steps` steps; sets *done to their number. The
 * bits of the result do not depend on how the steps are divided among calls. */
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
        orbit_run_blocks(recipe, formula, cycle, o, before, steps, cardioid, done))
        return ORBIT_BOUNDED;
    return orbit_run_singly(recipe, formula, o, steps, done) ? ORBIT_ESCAPED : ORBIT_GOES_ON;
}

/* Makes one more step of an escaped orbit. Returns false if the orbit is far enough away. */
INLINE bool orbit_step_outwards(const struct recipe *recipe, const int formula, struct orbit *o,
                                real *n2, int *steps) {
    if (!(*n2 < (real)SMOOTH_NORM2) || *steps >= SMOOTH_STEPS)
        return false;
    orbit_steps(recipe, formula, o, 1);
    *n2 = number_norm2(o->zr, o->zi);
    ++*steps;
    return true;
}

/* Continues an escaped orbit and returns its fraction. Sets *left to the last |z|^2. */
INLINE float orbit_fraction(const struct recipe *recipe, const int formula, struct orbit *o,
                            float *left) {
    real n2 = number_norm2(o->zr, o->zi);
    int steps = 0;
    if (formula == FORMULA_folded) {
        ROLLED
        while (orbit_step_outwards(recipe, formula, o, &n2, &steps))
            continue;
    } else {
        UNROLLED_BY(4)
        while (orbit_step_outwards(recipe, formula, o, &n2, &steps))
            continue;
    }
    *left = (float)n2;
    return sample_fraction((float)n2, steps,
                           formula == FORMULA_folded ? recipe_scale(recipe, o->number) : 1.0f);
}

#endif
