/* Seed 002's ways to share pixels out among threads. mfunc_kern is its listing, with its arguments, but for the type of
 * the numbers, and for what it stores: the listing's `remaining` is not the depth that it means. Products and sums are
 * rounded each; fixed-point numbers have FRACTION_BITS of fraction. */
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

/* n threads in all, w pixels; the square of the step before is tested, so the depth is one more than the count. */
__kernel void mfunc_kern(uint n, uint w, __global const number *gzx, __global const number *gzy,
                         __global const number *gcx, __global const number *gcy,
                         __global ushort *vs, __global number *fx, __global number *fy, uint depth) {
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

/* A thread for every pixel of a band, a test after every step. */
__kernel void pixel(uint width, uint row, uint rows, uint limit, __global const number *re,
                    __global const number *im, __global uint *counts) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= rows)
        return;
    const number cr = re[x], ci = im[row + y];
    number zr = 0, zi = 0;
    uint count = 0;
    for (uint i = 1; i <= limit && count == 0; i++) {
        step(&zr, &zi, cr, ci);
        if (!inside(zr, zi))
            count = i;
    }
    counts[(row + y) * width + x] = count;
}

/* The same number of steps for all pixels, without effect for those that have escaped. */
__kernel void masked(uint width, uint row, uint rows, uint limit, __global const number *re,
                     __global const number *im, __global uint *counts, uint first,
                     __global number *gzr, __global number *gzi, __global uint *gsteps,
                     __global uint *left) {
    const uint x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    if (x >= width || y >= rows)
        return;
    const number cr = re[x], ci = im[row + y];
    number zr = first ? 0 : gzr[i], zi = first ? 0 : gzi[i];
    uint steps = first ? 0 : gsteps[i];
    bool in = inside(zr, zi);
    if (!in || steps >= limit)
        return;
    for (int k = 0; k < MASKED_STEPS; k++) {
        const bool going = in && steps < limit;
        number next_r = zr, next_i = zi;
        step(&next_r, &next_i, cr, ci);
        zr = going ? next_r : zr;
        zi = going ? next_i : zi;
        steps += going ? 1 : 0;
        in = inside(zr, zi);
    }
    gzr[i] = zr;
    gzi[i] = zi;
    gsteps[i] = steps;
    counts[row * width + i] = in ? 0 : steps;
    if (in && steps < limit)
        *left = 1;
}
