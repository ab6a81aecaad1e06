/* Kernels of seed 000, compiled with -fmad=false, so that they draw what the CPU draws. The seed's
 * other option, -use_fast_math, does not affect doubles. */
#include "lab/gpu/gpu_kernels.h"
#include <math.h>

#define CENTRE_X  (-0.6)
#define CENTRE_Y  0.0
#define PADDING   0.25
#define THRESHOLD 0.0625
#define CHAR_MAX_ 255
#define COLOURS   16

struct rgb_t {
    uint8_t r, g, b;
};

static __constant__ const struct rgb_t colours[COLOURS] = {
    {66, 30, 15},    {25, 7, 26},     {9, 1, 47},      {4, 4, 73},
    {0, 7, 100},     {12, 44, 138},   {24, 82, 177},   {57, 125, 209},
    {134, 181, 229}, {211, 236, 248}, {241, 233, 191}, {248, 201, 95},
    {255, 170, 0},   {204, 128, 0},   {153, 87, 0},    {106, 52, 3}};

/* Returns x^n. Where the seed was compiled, pow() with a whole exponent was a product. Compilers
 * that call the double function take many times as long and round differently, so pictures would
 * differ from the CPU's. */
static __device__ double power(double x, int n) {
    double product = 1;
    for (; n > 0; n--)
        product *= x;
    return product;
}

/* Iterates every pixel at least once and writes it. */
static __global__ void first(struct rgb_t *image, int width, int height, double scale) {
    const int64_t pixel = threadIdx.x + (int64_t)blockIdx.x * blockDim.x;
    if (pixel >= (int64_t)width * height)
        return;
    const int i = (int)(pixel / width), j = (int)(pixel % width);
    const double y = (i - height / 2) * scale + CENTRE_Y;
    const double x = (j - width / 2) * scale + CENTRE_X;
    uint8_t iter = 0;
    double zx = hypot(x - PADDING, y), zy, zx2, zy2;
    if (x < zx - 2 * power(zx, 2) + PADDING)
        iter = CHAR_MAX_;
    if (power(x + 1, 2) + power(y, 2) < THRESHOLD)
        iter = CHAR_MAX_;
    zx = zy = zx2 = zy2 = 0.0;
    do {
        zy = 2.0 * zx * zy + y;
        zx = zx2 - zy2 + x;
        zx2 = power(zx, 2);
        zy2 = power(zy, 2);
    } while (iter++ < CHAR_MAX_ && zx2 + zy2 < 4.0);
    const struct rgb_t black = {0, 0, 0};
    const bool coloured = iter != CHAR_MAX_ && iter != 0;
    image[j + (int64_t)width * (height - i - 1)] = coloured ? colours[iter % COLOURS] : black;
}

/* Iterates with early exits. The text swaps width and height in the tests of the indices. The
 * launch bounds are needed because a block's side is rounded up. */
static __global__ void __launch_bounds__(1024)
    second(struct rgb_t *image, int width, int height, double scale) {
    const int j = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    const int i = (int)(threadIdx.y + blockIdx.y * blockDim.y);
    if (j >= width || i >= height)
        return;
    const double y = (i - height / 2) * scale + CENTRE_Y;
    const double x = (j - width / 2) * scale + CENTRE_X;
    double zx = hypot(x - PADDING, y), zy, zx2, zy2;
    if (zx - 2 * power(zx, 2) + PADDING >= x)
        return;
    if (power(x + 1, 2) + power(y, 2) < THRESHOLD)
        return;
    zx = zy = zx2 = zy2 = 0.0;
    uint8_t iter = 0;
    do {
        zy = 2.0 * zx * zy + y;
        zx = zx2 - zy2 + x;
        zx2 = power(zx, 2);
        zy2 = power(zy, 2);
    } while (++iter < CHAR_MAX_ && zx2 + zy2 < 4.0);
    if (iter != CHAR_MAX_ && iter != 0)
        image[j + (int64_t)width * (height - i - 1)] = colours[iter % COLOURS];
}

/* Launches a version. The seed takes the occupancy API's proposal for one dimension, and for two
 * its square root, rounded up to a power of two. */
cudaError_t gpu_classic_launch(enum gpu_classic which, int side, uint8_t *rgb, int block[2]) {
    struct rgb_t *image = (struct rgb_t *)rgb;
    const bool one = which == GPU_CLASSIC_FIRST;
    int least = 0, threads = 0;
    const cudaError_t error =
        one ? cudaOccupancyMaxPotentialBlockSize(&least, &threads, first, 0, 0)
            : cudaOccupancyMaxPotentialBlockSize(&least, &threads, second, 0, 0);
    if (error != cudaSuccess)
        return error;
    const int root = (int)pow(2, ceil(log(sqrt(threads)) / log(2)));
    block[0] = one ? threads : root;
    block[1] = one ? 1 : root;
    if (one)
        first<<<(unsigned)(((int64_t)side * side + threads - 1) / threads), threads>>>(
            image, side, side, 4.0 / side);
    else
        second<<<dim3((side - 1) / root + 1, (side - 1) / root + 1), dim3(root, root)>>>(
            image, side, side, 4.0 / side);
    return cudaGetLastError();
}
