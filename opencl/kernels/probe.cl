/* What shows whether a device computes as every other does; the host has the same in render/sample.h and compares. */

/* log2 of all numbers from 1 to 2 that are `step` apart, to the bit. */
__kernel void probe_log2(GLOBAL uint *to, const uint step) {
    const uint i = (uint)get_global_id(0);
    to[i] = float_bits(sample_log2(bits_float(0x3f800000u + i * step)));
}

/* Of four numbers each: a fused product, one that is not, a difference of products, sums and products of denormals. */
__kernel void probe_float(const GLOBAL float *from, GLOBAL float *to) {
    const uint i = (uint)get_global_id(0);
    const float a = from[4 * i], b = from[4 * i + 1], c = from[4 * i + 2], d = from[4 * i + 3];
    const float ab = a * b;
    to[4 * i] = float_fma(a, b, c);
    to[4 * i + 1] = ab + c;
    to[4 * i + 2] = a * b - c * d;
    to[4 * i + 3] = sqrt(fabs(a)) / b;
}

__kernel void probe_double(const GLOBAL double *from, GLOBAL double *to) {
    const uint i = (uint)get_global_id(0);
    const double a = from[4 * i], b = from[4 * i + 1], c = from[4 * i + 2], d = from[4 * i + 3];
    const double ab = a * b;
    to[4 * i] = double_fma(a, b, c);
    to[4 * i + 1] = ab + c;
    to[4 * i + 2] = a * b - c * d;
    to[4 * i + 3] = double_sqrt(double_abs(a)) / b;
}
