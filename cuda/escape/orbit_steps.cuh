/* The steps of an orbit, one kind of recipe.h or another. */
#ifndef FATHOM_CUDA_ESCAPE_ORBIT_STEPS_CUH
#define FATHOM_CUDA_ESCAPE_ORBIT_STEPS_CUH

#include "cuda/escape/orbit_number.cuh"
#include "render/formula/recipe.h"

enum orbit_end {
    ORBIT_GOES_ON,
    ORBIT_ESCAPED, /* or converged, with the last step */
    ORBIT_BOUNDED, /* it is known never to do that */
};

template <typename real> struct orbit {
    real cr, ci, zr, zi;
    const struct recipe *recipe;
    uint32_t number; /* of a hybrid: which step comes next */
};

INLINE void step_square(const unsigned folds, struct wide *zr, struct wide *zi,
                        const struct wide cr, const struct wide ci) {
    wide_step_square(folds, zr, zi, cr, ci);
}

INLINE void step_power(const int power, const unsigned folds, struct wide *zr, struct wide *zi,
                       const struct wide cr, const struct wide ci) {
    wide_step_power(power, folds, zr, zi, cr, ci);
}

/* A number of a recipe. */
INLINE float orbit_parameter(const double parameter[2], float) {
    return (float)parameter[0];
}

INLINE double orbit_parameter(const double parameter[2], double) {
    return parameter[0];
}

INLINE struct wide orbit_parameter(const double parameter[2], struct wide) {
    return {parameter[0], parameter[1]};
}

/* `size` steps of a formula. */
template <int size, int formula, bool fused, typename real>
INLINE void orbit_steps_of(struct orbit<real> *o) {
#pragma unroll
    for (int k = 0; k < size; k++)
        formula_step(formula, fused, &o->zr, &o->zi, o->cr, o->ci);
}

/* How many steps of a power are put one after the other; wide numbers' are long. */
INLINE constexpr int orbit_power_block(double) {
    return 8;
}

INLINE constexpr int orbit_power_block(struct wide) {
    return 1;
}

template <int power, typename real>
INLINE void orbit_power_block_of(const unsigned folds, int steps, real *zr, real *zi, const real cr,
                                 const real ci) {
    constexpr int block = orbit_power_block(real{});
#pragma unroll(block)
    for (int k = 0; k < steps; k++)
        step_power(power, folds, zr, zi, cr, ci);
}

/* Without folds, and with the Burning Ship's, there is nothing to be asked on the way. */
template <int power, typename real>
INLINE void orbit_power_run(const unsigned folds, int steps, real *zr, real *zi, const real cr,
                            const real ci) {
    if (folds == FOLD_NONE)
        orbit_power_block_of<power>(FOLD_NONE, steps, zr, zi, cr, ci);
    else if (folds == (FOLD_X | FOLD_Y))
        orbit_power_block_of<power>(FOLD_X | FOLD_Y, steps, zr, zi, cr, ci);
    else
        orbit_power_block_of<power>(folds, steps, zr, zi, cr, ci);
}

template <typename real> struct orbit_point { real r, i; };

/* Steps of a power, or of a hybrid, which are looked up one by one. Called, not put in place: there are many
 * instructions. */
template <typename real>
static __device__ __noinline__ struct orbit_point<real>
orbit_power_steps(const struct recipe *recipe, uint32_t number, int steps, real zr, real zi,
                  const real cr, const real ci) {
    const int some = recipe->length == 1 ? steps : 1;
#pragma unroll 1
    for (int done = 0; done < steps; done += some) {
        const unsigned folds = recipe->folds[number];
        switch (recipe->power[number]) {
        case 2:
            step_square(folds, &zr, &zi, cr, ci);
            break;
#define ORBIT_CASE(power)                                                                          \
    case power:                                                                                    \
        orbit_power_run<power>(folds, some, &zr, &zi, cr, ci);                                     \
        break;
            RECIPE_POWERS(ORBIT_CASE)
#undef ORBIT_CASE
        default:
            __builtin_unreachable();
        }
        number = number + 1 == recipe->length ? 0 : number + 1;
    }
    return {zr, zi};
}

/* Where formulas share a kernel it is looked up once for so many steps. */
#define ORBIT_FOLDED_BLOCK 16

template <int size, int formula, bool fused, typename real>
INLINE void orbit_steps(struct orbit<real> *o) {
    constexpr int part = size < ORBIT_FOLDED_BLOCK ? size : ORBIT_FOLDED_BLOCK;
    if constexpr (formula != FORMULA_folded) {
        orbit_steps_of<size, formula, fused>(o);
        return;
    }
    switch (o->recipe->kind) {
#define ORBIT_CASE(name, ...)                                                                      \
    case FORMULA_##name:                                                                           \
        _Pragma("unroll 1") for (int k = 0; k < size; k += part)                                   \
            orbit_steps_of<part, FORMULA_##name, fused>(o);                                        \
        break;
        FORMULA_LIST(ORBIT_CASE)
#undef ORBIT_CASE
    default: {
        const struct orbit_point<real> z =
            orbit_power_steps(o->recipe, o->number, size, o->zr, o->zi, o->cr, o->ci);
        o->zr = z.r;
        o->zi = z.i;
        o->number = (o->number + size) % o->recipe->length;
    }
    }
}

#endif
