/* Probe kernels: arithmetic that shows whether a device computes exactly; the host compares the
 * results with those of the same functions. */

/* Computes log2 of the floats from 1 to 2 whose bits differ by `step`. */
__kernel void probe_log2(GLOBAL uint *to, const uint step) {
    const uint i = (uint)get_global_id(0);
    to[i] = float_bits(sample_log2(bits_float(0x3f800000u + i * step)));
}

/* Computes four results from four numbers: a fused product, an unfused product, a difference of
 * products, and a root divided by a number. */
#define PROBED(real, fused, root, size)                                                            \
    __kernel void probe_##real(const GLOBAL real *from, GLOBAL real *to) {                         \
        const uint i = (uint)get_global_id(0);                                                     \
        const real a = from[4 * i], b = from[4 * i + 1], c = from[4 * i + 2], d = from[4 * i + 3]; \
        const real ab = a * b;                                                                     \
        to[4 * i] = fused(a, b, c);                                                                \
        to[4 * i + 1] = ab + c;                                                                    \
        to[4 * i + 2] = a * b - c * d;                                                             \
        to[4 * i + 3] = root(size(a)) / b;                                                         \
    }
PROBED(float, float_fma, sqrt, fabs)
#ifndef NO_DOUBLES
PROBED(double, double_fma, double_sqrt, double_abs)
#endif
