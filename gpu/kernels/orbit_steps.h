/* The steps of one pixel's orbit. `formula`: one whose second power it is, or FORMULA_folded; then the recipe says. */
#ifndef FATHOM_GPU_KERNELS_ORBIT_STEPS_H
#define FATHOM_GPU_KERNELS_ORBIT_STEPS_H

enum orbit_end {
    ORBIT_GOES_ON,
    ORBIT_ESCAPED, /* or converged, with the last step */
    ORBIT_BOUNDED, /* it is known never to do that */
};

HAS_VALUE struct orbit {
    value cr, ci, zr, zi;
    uint32_t number; /* of a hybrid: which step comes next */
};
HAS_VALUE struct orbit_point { value r, i; };
#define ORBIT OF(orbit, value)

/* Where formulas share a kernel it is looked up once for so many steps. */
#define ORBIT_FOLDED_BLOCK 16u

INLINE_VALUE void orbit_steps_of(const int formula, ORBIT *o, const uint32_t size) {
#pragma unroll
    for (uint32_t k = 0; k < size; k++)
        number_square(formula_folds(formula), &o->zr, &o->zi, o->cr, o->ci);
}

INLINE_VALUE void orbit_power_block(const int power, const unsigned folds, uint32_t steps,
                                    value *zr, value *zi, const value cr, const value ci) {
    if (number_long(cr)) {
        ROLLED
        for (uint32_t k = 0; k < steps; k++)
            number_power(power, folds, zr, zi, cr, ci);
        return;
    }
#pragma unroll 8
    for (uint32_t k = 0; k < steps; k++)
        number_power(power, folds, zr, zi, cr, ci);
}

/* Without folds, and with the Burning Ship's, there is nothing to be asked on the way. */
INLINE_VALUE void orbit_power_run(const int power, const unsigned folds, uint32_t steps, value *zr,
                                  value *zi, const value cr, const value ci) {
    if (folds == FOLD_NONE)
        orbit_power_block(power, FOLD_NONE, steps, zr, zi, cr, ci);
    else if (folds == (FOLD_X | FOLD_Y))
        orbit_power_block(power, FOLD_X | FOLD_Y, steps, zr, zi, cr, ci);
    else
        orbit_power_block(power, folds, steps, zr, zi, cr, ci);
}

/* Steps of a power, or of a hybrid, which are looked up one by one. */
CALLED_VALUE OF(orbit_point, value)
    orbit_power_steps(const struct recipe *recipe, uint32_t number, uint32_t steps, value zr,
                      value zi, const value cr, const value ci) {
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
    const OF(orbit_point, value) z = {zr, zi};
    return z;
}

INLINE_VALUE void orbit_steps_folded(const struct recipe *recipe, ORBIT *o, const uint32_t size) {
    const uint32_t part = size < ORBIT_FOLDED_BLOCK ? size : ORBIT_FOLDED_BLOCK;
    switch (recipe->kind) {
#define ORBIT_CASE(name, text, folds, interior)                                                    \
    case FORMULA_##name:                                                                           \
        ROLLED                                                                                     \
        for (uint32_t k = 0; k < size; k += part)                                                  \
            orbit_steps_of(FORMULA_##name, o, part);                                               \
        break;
        KERNEL_FORMULAS(ORBIT_CASE)
#undef ORBIT_CASE
    default: {
        const OF(orbit_point, value) z =
            orbit_power_steps(recipe, o->number, size, o->zr, o->zi, o->cr, o->ci);
        o->zr = z.r;
        o->zi = z.i;
        o->number = (o->number + size) % recipe->length;
    }
    }
}

INLINE_VALUE void orbit_steps(const struct recipe *recipe, const int formula, ORBIT *o,
                              const uint32_t size) {
    if (formula == FORMULA_folded)
        orbit_steps_folded(recipe, o, size);
    else
        orbit_steps_of(formula, o, size);
}

#endif
