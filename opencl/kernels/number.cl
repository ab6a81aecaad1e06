/* What of an orbit depends on its kind of number. The build says which: NUMBER_FLOAT, NUMBER_DOUBLE or NUMBER_WIDE. */

#define FORMULA_KERNEL
#define real_fma fma
#ifdef NUMBER_FLOAT
#define real             float
#define real_flip(x, by) as_float(as_uint(x) ^ (as_uint(by) & 0x80000000u))
#define real_power2(k)   bits_float(float_bits((k) + (0x1.8p23f + 127)) << 23)
#define REAL_WHOLE       0x1.8p23
#else
#define real             double
#define real_flip(x, by) as_double(as_ulong(x) ^ (as_ulong(by) & 0x8000000000000000u))
#define real_power2(k)   bits_double(double_bits((k) + (0x1.8p52 + 1023)) << 52)
#define REAL_WHOLE       0x1.8p52
#endif
#define real_from(x) ((real)(x))
#define real_sqrt(x) sqrt(x)
#ifdef NUMBER_WIDE
#define WIDE_KERNEL
#endif

#include "render/formula/inside.h"
#include "render/grid/coords_point.h"
#include "render/interior.h"
#include "render/number/formula_wide.h"

#ifdef NUMBER_FLOAT
typedef struct coords_float entry;
typedef float value;
#define coords_point   coords_point_float
#define NUMBER_MARGIN  INTERIOR_MARGIN_FLOAT
#define NUMBER_NEAR    INSIDE_NEAR_FLOAT
#define NUMBER_NEARER  INSIDE_NEARER_FLOAT
#define NUMBER_BLOCK   (CYCLE ? 32 : 64)
#define number_word(x) as_uint(x)
#elif defined NUMBER_DOUBLE
typedef struct coords_double entry;
typedef double value;
#define coords_point   coords_point_double
#define NUMBER_MARGIN  INTERIOR_MARGIN_DOUBLE
#define NUMBER_NEAR    INSIDE_NEAR_DOUBLE
#define NUMBER_NEARER  INSIDE_NEARER_DOUBLE
#define NUMBER_BLOCK   64
#define number_word(x) (uint)as_ulong(x)
#else
typedef struct coords_wide entry;
typedef struct wide value;
#define coords_point   coords_point_wide
#define NUMBER_MARGIN  INTERIOR_MARGIN_DOUBLE
#define NUMBER_NEAR    INSIDE_NEAR_WIDE
#define NUMBER_NEARER  INSIDE_NEARER_WIDE
#define NUMBER_BLOCK   16
#define number_word(x) (uint)as_ulong(x.hi)
#endif

#ifdef NUMBER_WIDE
#define HIGH(x)             ((x).hi)
#define REFERENCES(a, b)    &(a).hi, &(a).lo, &(b).hi, &(b).lo
#define NUMBER_SQUARE       wide_step_square
#define NUMBER_POWER        wide_step_power
#define number_same(a, b)   (as_ulong(a.hi) == as_ulong(b.hi) && as_ulong(a.lo) == as_ulong(b.lo))
#define number_formula_step(formula, fused, zr, zi, cr, ci) formula_wide_step(formula, zr, zi, cr, ci)
#else
#define HIGH(x)           (x)
#define REFERENCES(a, b)  &(a), &(b)
#define NUMBER_SQUARE     step_square
#define NUMBER_POWER      step_power
#define number_formula_step formula_step
#ifdef NUMBER_FLOAT
#define number_same(a, b) (as_uint(a) == as_uint(b))
#else
#define number_same(a, b) (as_ulong(a) == as_ulong(b))
#endif
#endif

INLINE value number_of(const double parameter[2]) {
#ifdef NUMBER_WIDE
    value x;
    x.hi = parameter[0];
    x.lo = parameter[1];
    return x;
#else
    return (value)parameter[0];
#endif
}

/* The c of a pixel: its two terms are copied, as they lie in other memory. */
INLINE void number_place(const GLOBAL entry *coords, bool upright, uint width, uint x, uint y, value *cr,
                         value *ci) {
    const entry pair[2] = {coords[x], coords[width + y]};
    coords_point(pair, upright, 1, 0, 0, REFERENCES(*cr, *ci));
}
