/* Kernel choice: the kernels that the processor can run. */
#include "cpu/cpuid.h"
#include "cpu/escape/kernels.h"
#include "cpu/walk/slope.h"

enum {
    KERNEL_FIRST,
    KERNEL_FOLDED,
    KERNEL_MAP,
    KERNEL_COUNT
}; /* kernels of FORMULA_KERNELS in their order, then the kernel of maps */

struct kernels {
    uint32_t flag; /* flag that the processor must have; it implies the flags of the rows below */
    tile_fn *tile[KERNEL_COUNT][ROUTE_COUNT][TYPE_COUNT];
    tile_fn *screen[2];                               /* [0]: z^2 + c; [1]: the other formulas */
    slope_fn *slope[TYPE_COUNT], *perturbed_slope[2]; /* as above */
    trace_fn *trace[TYPE_COUNT], *perturbed_trace[2]; /* as above */
    inside_fn *inside[TYPE_COUNT];
};

/* Functions of one number type each, and those around a reference. */
#define TYPES(name)                                                                                \
    { name##_float, name##_double, name##_wide }
#define PERTURBED(plain, wide)                                                                     \
    { [TYPE_DOUBLE] = plain, [TYPE_WIDE] = wide }
#define VECTORS(feature, isa)                                                                      \
    {                                                                                              \
        feature,                                                                                   \
            {{TYPES(tile_mandelbrot_##isa), PERTURBED(perturbed_##isa, perturbed_wide_##isa)},     \
             {TYPES(tile_folded_##isa),                                                            \
              PERTURBED(perturbed_folded_##isa, perturbed_folded_wide_##isa)},                     \
             {{map_##isa##_float, map_##isa##_double}}},                                           \
            {perturbed_screen_##isa, perturbed_folded_screen_##isa}, TYPES(slope_##isa),           \
            {perturbed_slope_##isa, perturbed_folded_slope_##isa}, TYPES(trace_##isa),             \
            {perturbed_trace_##isa, perturbed_folded_trace_##isa}, TYPES(inside_##isa)             \
    }
#define SCALARS(feature, isa)                                                                      \
    {                                                                                              \
        feature,                                                                                   \
            {{TYPES(tile_##isa), PERTURBED(around_##isa##_double, around_##isa##_wide)},           \
             {TYPES(tile_##isa),                                                                   \
              PERTURBED(around_folded_##isa##_double, around_folded_##isa##_wide)},                \
             {{map_##isa##_float, map_##isa##_double}}},                                           \
            {around_screen_##isa##_double, around_folded_screen_##isa##_double},                   \
            TYPES(slope_##isa), {slope_around_##isa##_double, slope_around_folded_##isa##_double}, \
            TYPES(trace_##isa), {trace_around_##isa##_double, trace_around_folded_##isa##_double}, \
            TYPES(inside_##isa)                                                                    \
    }

static const struct kernels kernels[] = {
#if CPU_BUILT_AVX512
    VECTORS(CPU_AVX512, avx512),
#endif
#if CPU_BUILT_AVX2
    VECTORS(CPU_AVX2, avx2),
#endif
#if CPU_BUILT_FMA
    SCALARS(CPU_FMA, fma),
#endif
    SCALARS(0, base),
};

/* The kernel that formulas share has no interior test. */
_Static_assert((FORMULAS_INTERIOR & ~1u) == 0, "formulas but the first have one");

/* The `parts` of a number lie TILE_LOW apart in the lists, but next to each other in the states. */
#define PACK_STATES(real, parts)                                                                   \
    for (size_t i = 0; i < size; i++)                                                              \
        for (size_t part = 0; part < (parts); part++) {                                            \
            real *state = (real *)states + 2 * (parts)*i + part;                                   \
            state[0] = ((const real *)zr)[i + part * TILE_LOW];                                    \
            state[parts] = ((const real *)zi)[i + part * TILE_LOW];                                \
        }

void tile_states_pack(enum number_type type, const void *zr, const void *zi, size_t size,
                      void *states) {
    if (type == TYPE_FLOAT)
        PACK_STATES(float, 1)
    else if (type == TYPE_DOUBLE)
        PACK_STATES(double, 1)
    else
        PACK_STATES(double, 2)
}

static int best_for(uint32_t flags) {
    int best = 0;
    while (kernels[best].flag & ~flags)
        best++;
    return best;
}

struct slope_walks slope_choose(uint32_t flags, const struct fractal *fractal, enum route route,
                                enum number_type type) {
    const int best = best_for(flags);
    if (!fractal_has_slopes(fractal))
        return (struct slope_walks){0};
    const int folded = fractal_is_quadratic(fractal) ? 0 : 1;
    if (route == ROUTE_PERTURBED)
        return (struct slope_walks){.slope = kernels[best].perturbed_slope[folded],
                                    .trace = kernels[best].perturbed_trace[folded]};
    return (struct slope_walks){kernels[best].slope[type], kernels[best].trace[type],
                                kernels[best].inside[type]};
}

tile_fn *tile_choose(uint32_t flags, const struct recipe *recipe, enum route route,
                     enum number_type type) {
    const int kernel = recipe->kind == FORMULA_mandelbrot ? KERNEL_FIRST
                       : recipe_is_map(recipe)            ? KERNEL_MAP
                                                          : KERNEL_FOLDED;
    return kernels[best_for(flags)].tile[kernel][route][type];
}

tile_fn *tile_choose_screen(uint32_t flags, const struct recipe *recipe) {
    return kernels[best_for(flags)].screen[recipe->kind == FORMULA_mandelbrot ? 0 : 1];
}

colour_fn *colour_choose(uint32_t flags) {
#if CPU_BUILT_AVX512
    if (flags & CPU_AVX512)
        return colour_avx512;
#endif
#if CPU_BUILT_AVX2
    if (flags & CPU_AVX2)
        return colour_avx2;
#endif
    (void)flags;
    return colour_base;
}
