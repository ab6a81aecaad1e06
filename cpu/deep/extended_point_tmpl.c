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

enum perturbed_end KERNEL_NAME(extended_)(const struct perturbed_tables *tables,
                                          const double c[PARTS], struct orbit *orbit,
                                          struct perturbed_slope *slope) {
    const double *z = orbit->z;
#ifdef TILE_TYPE_WIDE
    (void)slope;
    struct wide_point p = {wide_of(z[RE], z[RE_LOW]),
                           wide_of(z[IM], z[IM_LOW]),
                           wide_of(c[RE], c[RE_LOW]),
                           wide_of(c[IM], c[IM_LOW]),
                           orbit->m,
                           orbit->n,
                           orbit->log2};
    const enum perturbed_end end = wide_extended_point(tables, FOLDED, &p);
    *orbit = (struct orbit){{p.zr.hi, p.zr.lo, p.zi.hi, p.zi.lo}, p.m, p.n, p.log2, 0};
#else
    uint32_t steps = 0;
    struct perturbed_point p = {z[RE], z[IM], c[RE], c[IM], orbit->m, orbit->n, orbit->log2};
    const enum perturbed_end end = perturbed_extended_point(tables, FOLDED, &p, slope, &steps);
    *orbit = (struct orbit){{p.zr, p.zi}, p.m, p.n, p.log2, 0};
#endif
    return end;
}
