/* Perturbation kernel (SIMD): one orbit at a time, below a double's range. Compiled once per
 * instruction set, number and step. */
#include "cpu/deep/entry.h"

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#ifdef TILE_TYPE_WIDE
#define WIDE_KERNEL
#include "render/number/wide_point.h"
#else
#include "render/deep/perturbed_extended.h"
#endif

#ifdef TILE_TYPE_WIDE
INLINE struct wide_point wide_point_of(const struct orbit *o, const double c[PARTS]) {
    return (struct wide_point){wide_of(o->z[RE], o->z[RE_LOW]),
                               wide_of(o->z[IM], o->z[IM_LOW]),
                               wide_of(c[RE], c[RE_LOW]),
                               wide_of(c[IM], c[IM_LOW]),
                               o->m,
                               o->n,
                               o->log2};
}

INLINE struct orbit orbit_of_wide(const struct wide_point *p) {
    return (struct orbit){{p->zr.hi, p->zr.lo, p->zi.hi, p->zi.lo}, p->m, p->n, p->log2, 0};
}

void KERNEL_NAME(begin_)(const struct perturbed_tables *tables, const double c[PARTS],
                         struct orbit *orbit) {
    struct wide_point p = wide_point_of(orbit, c);
    wide_begin(tables, &p);
    *orbit = orbit_of_wide(&p);
}
#endif

enum perturbed_end KERNEL_NAME(extended_)(const struct perturbed_tables *tables,
                                          const double c[PARTS], struct orbit *orbit,
                                          struct perturbed_slope *slope,
                                          struct perturbed_screen *screen) {
    (void)slope, (void)screen;
#ifdef TILE_TYPE_WIDE
    struct wide_point p = wide_point_of(orbit, c);
    const enum perturbed_end end = wide_extended_point(tables, FOLDED, &p);
    *orbit = orbit_of_wide(&p);
#else
    uint32_t steps = 0;
    struct perturbed_point p = {.zr = orbit->z[RE], .zi = orbit->z[IM], .cr = c[RE], .ci = c[IM]};
    p.m = orbit->m;
    p.n = orbit->n;
    p.log2 = orbit->log2;
#if SCREEN
    p.screen = *screen;
#endif
    const enum perturbed_end end = perturbed_extended_point(tables, FOLDED, &p, slope, &steps);
    *orbit = (struct orbit){{p.zr, p.zi}, p.m, p.n, p.log2, 0};
#if SCREEN
    *screen = p.screen;
#endif
#endif
    return end;
}

#if SCREEN
void KERNEL_NAME(restart_)(const struct perturbed_tables *tables, uint32_t turn,
                           const double z[PARTS], const double c[PARTS],
                           struct perturbed_screen *screen) {
    screen_restart(tables, FOLDED, turn, z[RE], z[IM], 0, c[RE], c[IM], screen);
}
#endif
