/* What gpu/kernels/kernel.h asks for of an orbit's numbers. The build says which: NUMBER_FLOAT, NUMBER_DOUBLE or
 * NUMBER_WIDE. */

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

#include "gpu/kernels/kernel.h"
#include "render/formula/inside.h"
#include "render/grid/coords_point.h"
#include "render/interior.h"
#include "render/number/formula_wide.h"

#define KERNEL_FORMULAS(X) /* each has programs of its own */

#ifdef NUMBER_FLOAT
typedef float value;
#define COORDS           struct coords_float
#define coords_point     coords_point_float
#define number_margin(x) INTERIOR_MARGIN_FLOAT
#define number_near(x)   INSIDE_NEAR_FLOAT
#define number_nearer(x) (real) INSIDE_NEARER_FLOAT
#define number_block(x, cycle) ((cycle) ? 32 : 64)
#define number_word(x)   as_uint(x)
#elif defined NUMBER_DOUBLE
typedef double value;
#define COORDS           struct coords_double
#define coords_point     coords_point_double
#define number_margin(x) INTERIOR_MARGIN_DOUBLE
#define number_near(x)   INSIDE_NEAR_DOUBLE
#define number_nearer(x) INSIDE_NEARER_DOUBLE
#define number_block(x, cycle) 64
#define number_word(x)   (uint)as_ulong(x)
#else
typedef struct wide value;
#define COORDS           struct coords_wide
#define coords_point     coords_point_wide
#define number_margin(x) INTERIOR_MARGIN_DOUBLE
#define number_near(x)   INSIDE_NEAR_WIDE
#define number_nearer(x) INSIDE_NEARER_WIDE
#define number_block(x, cycle) 16
#define number_word(x)   (uint)as_ulong((x).hi)
#endif

#ifdef NUMBER_WIDE
#define number_high(x)       ((x).hi)
#define number_long(x)       true
#define NUMBER_PARTS(a, b)   &(a)->hi, &(a)->lo, &(b)->hi, &(b)->lo
#define number_square        wide_step_square
#define number_power         wide_step_power
#define number_norm2(x, y)   norm2((x).hi, (y).hi)
#define number_same(a, b)    (as_ulong((a).hi) == as_ulong((b).hi) && as_ulong((a).lo) == as_ulong((b).lo))
#else
#define number_high(x)       (x)
#define number_long(x)       false
#define NUMBER_PARTS(a, b)   (a), (b)
#define number_square        step_square
#define number_power         step_power
#define number_norm2         norm2
#ifdef NUMBER_FLOAT
#define number_same(a, b)    (as_uint(a) == as_uint(b))
#else
#define number_same(a, b)    (as_ulong(a) == as_ulong(b))
#endif
#endif

INLINE void number_set(value *x, const host_double parameter[2]) {
#ifdef NUMBER_WIDE
    x->hi = parameter[0];
    x->lo = parameter[1];
#else
    *x = (value)of_host(parameter[0]);
#endif
}

/* The two terms are copied, as they lie in other memory. */
INLINE void number_place(const GLOBAL COORDS *coords, bool upright, uint width, uint x, uint y, value *cr,
                         value *ci) {
    const COORDS pair[2] = {coords[x], coords[width + y]};
    coords_point(pair, upright, 1, 0, 0, NUMBER_PARTS(cr, ci));
}
