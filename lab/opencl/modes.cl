/* Listing of seed 002, with its arguments, except for the numbers' type and for the result: the
 * listing stores `remaining`, which is not the depth that it means. Products and sums are each
 * rounded; fixed-point numbers have FRACTION_BITS fraction bits. */
#pragma OPENCL FP_CONTRACT OFF

#ifdef NUMBER_FIXED
typedef int number;

static bool inside(number zr, number zi) {
    return (long)zr * zr + (long)zi * zi < (long)4 << 2 * FRACTION_BITS;
}

static void step(number *zr, number *zi, number cr, number ci) {
    const long difference = (long)*zr * *zr - (long)*zi * *zi, product = (long)*zr * *zi;
    *zr = (int)((difference >> FRACTION_BITS) + cr);
    *zi = (int)((product >> (FRACTION_BITS - 1)) + ci);
}
#else
#ifdef NUMBER_DOUBLE
typedef double number;
#else
typedef float number;
#endif

static bool inside(number zr, number zi) {
    return zr * zr + zi * zi < 4;
}

static void step(number *zr, number *zi, number cr, number ci) {
    const number zr2 = *zr * *zr, zi2 = *zi * *zi, t = *zr * *zi;
    *zr = zr2 - zi2 + cr;
    *zi = t + t + ci;
}
#endif

/* Draws w pixels with n threads. The test uses the square of the step before, so the depth is the
 * count plus one. */
__kernel void mfunc_kern(uint n, uint w, __global const number *gzx, __global const number *gzy,
                         __global const number *gcx, __global const number *gcy,
                         __global ushort *vs, __global number *fx, __global number *fy,
                         uint depth) {
    for (uint j = get_global_id(0); j < w; j += n) {
        number zr = gzx[j], zi = gzy[j];
        const number cr = gcx[j], ci = gcy[j];
        uint remaining = depth;
        bool in = true;
        while (remaining && in) {
            in = inside(zr, zi);
            step(&zr, &zi, cr, ci);
            remaining--;
        }
        fx[j] = zr;
        fy[j] = zi;
        vs[j] = in ? 0 : depth - remaining;
    }
}
