/* Kernel of seed 003: listing 7, compiled with nvcc's defaults, which fuse products and sums.
 * Coordinates come from tables instead of indices. */
#include "lab/gpu/gpu_kernels.h"

template <typename real, typename literal>
static __global__ void mandelbrot(const __grid_constant__ gpu_job b) {
    const int col = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (col >= b.width_px || row >= b.height_px)
        return;
    const size_t pos = (size_t)row * b.width_px + col;
    b.count[pos] = 0;
    const real c_re = ((const real *)b.re)[col], c_im = ((const real *)b.im)[row];
    real z_re = 0, z_im = 0;
    for (int i = 1; i <= (int)b.limit; i++) {
        const real z2_re = z_re * z_re - z_im * z_im;
        const real z2_im = real(literal(2) * z_re * z_im);
        z_re = z2_re + c_re;
        z_im = z2_im + c_im;
        const real abs2 = z_re * z_re + z_im * z_im;
        if (abs2 >= 4) {
            b.count[pos] = (uint32_t)i;
            return;
        }
    }
}

cudaError_t gpu_paper_launch(const struct gpu_job *b) {
    const dim3 block(b->block_x ? b->block_x : 16, b->block_y ? b->block_y : 16);
    const dim3 grid((b->width_px - 1) / block.x + 1, (b->height_px - 1) / block.y + 1);
    if (b->type == TYPE_DOUBLE)
        mandelbrot<double, double><<<grid, block>>>(*b);
    else if (b->program == GPU_PAPER_TYPED)
        mandelbrot<float, float><<<grid, block>>>(*b);
    else
        mandelbrot<float, double><<<grid, block>>>(*b);
    return cudaGetLastError();
}
