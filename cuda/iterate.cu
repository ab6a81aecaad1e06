/* The iteration kernel: a thread takes one pixel a number of steps further. What finishes is
 * written out at once, sample and colour; the rest goes to a compact list for the next round, so
 * that no warp stays behind for a few long orbits. */
#include "cuda/orbit.cuh"
#define LATTICE_FN ORBIT_FN
#include "cuda/kernels.h"

#define BLOCK_THREADS 256

/* What a block has to add to the tally, gathered before anything is added. */
struct block_tally {
    uint32_t listed, finished, steps;
    uint32_t base; /* of the block's part of the list */
};

static __device__ __forceinline__ uint32_t warp_sum(uint32_t x) {
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(~0u, x, distance);
    return x;
}

/* Reserves list entries for the block's unfinished pixels. The entry of the thread's, if any. */
static __device__ __forceinline__ uint32_t reserve(struct block_tally *block, struct tally *tally,
                                                   bool unfinished, bool finished, uint32_t steps) {
    const unsigned mask = __ballot_sync(~0u, unfinished);
    const unsigned ended = __ballot_sync(~0u, finished);
    const uint32_t lane = threadIdx.x % 32, sum = warp_sum(steps);
    uint32_t entry = 0;
    if (lane == 0) {
        entry = atomicAdd(&block->listed, (uint32_t)__popc(mask));
        atomicAdd(&block->finished, (uint32_t)__popc(ended));
        atomicAdd(&block->steps, sum);
    }
    __syncthreads();
    if (threadIdx.x == 0 && (block->listed | block->finished) != 0) {
        const unsigned long long added = (unsigned long long)block->finished << 32 | block->listed;
        block->base = TALLY_LISTED(atomicAdd(&tally->listed, added));
        atomicAdd(&tally->steps, (unsigned long long)block->steps);
    }
    __syncthreads();
    return block->base + __shfl_sync(~0u, entry, 0) + (uint32_t)__popc(mask & ((1u << lane) - 1));
}

/* The pixel that a thread starts with in a first round; false: outside, or it has its sample. */
static __device__ __forceinline__ bool start_pixel(const struct iterate_args *a, uint32_t i,
                                                   uint32_t *x, uint32_t *y) {
    lattice_pixel(&a->lattice, a->first_tile + i / LATTICE_TILE_POINTS, i % LATTICE_TILE_POINTS, x,
                  y);
    return *x < a->width && *y < a->height && isnan(a->planes.fraction[*y * a->width + *x]);
}

template <int formula, bool fused, typename real>
static __device__ __forceinline__ void write_sample(const struct iterate_args *a, uint32_t pixel,
                                                    bool escaped, uint32_t steps, real cr, real ci,
                                                    real zr, real zi) {
    const uint32_t count = escaped ? a->done + steps : (a->done + steps) | SAMPLE_INTERIOR;
    const float fraction = escaped ? orbit_fraction<formula, fused>(cr, ci, zr, zi) : 0.0f;
    a->planes.count[pixel] = count;
    a->planes.fraction[pixel] = fraction;
    if (a->rgba)
        a->rgba[pixel] = colour_of(a->colouring, a->colouring->table, count, fraction);
}

template <int formula, bool fused, typename real, bool first>
static __global__ void __launch_bounds__(BLOCK_THREADS)
    iterate(const __grid_constant__ struct iterate_args a) {
    __shared__ struct block_tally block;
    if (threadIdx.x == 0)
        block = {0, 0, 0, 0};
    if (__syncthreads_or(*(const volatile uint32_t *)a.abort == a.serial))
        return;

    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    bool active = i < a.size, escaped = false;
    uint32_t x = 0, y = 0, pixel = 0, steps = 0;
    real cr = 0, ci = 0, zr = 0, zi = 0;
    if (first) {
        active = active && start_pixel(&a, a.begin + i, &x, &y);
        pixel = y * a.width + x;
    } else if (active) {
        pixel = a.from.pixel[a.begin + i];
        zr = ((const real *)a.from.zr)[a.begin + i];
        zi = ((const real *)a.from.zi)[a.begin + i];
        y = pixel / a.width;
        x = pixel - y * a.width;
    }
    if (active) {
        orbit_place(a.coords, a.width, x, y, &cr, &ci);
        escaped = orbit_advance<formula, fused>(cr, ci, a.steps, &zr, &zi, &steps);
    }
    const bool finished = active && (escaped || a.last);
    const uint32_t entry = reserve(&block, a.tally, active && !finished, finished, steps);
    if (finished) {
        write_sample<formula, fused>(&a, pixel, escaped, steps, cr, ci, zr, zi);
    } else if (active) {
        a.to.pixel[entry] = pixel;
        ((real *)a.to.zr)[entry] = zr;
        ((real *)a.to.zi)[entry] = zi;
    }
}

typedef void kernel(struct iterate_args);

template <int formula, typename real> static kernel *choose(bool fused, bool first) {
    if (fused)
        return first ? iterate<formula, true, real, true> : iterate<formula, true, real, false>;
    return first ? iterate<formula, false, real, true> : iterate<formula, false, real, false>;
}

static kernel *choose_formula(int formula, int type, bool fused, bool first) {
    switch (formula) {
#define CHOOSE_CASE(name, text)                                                                    \
    case FORMULA_##name:                                                                           \
        return type == TYPE_FLOAT ? choose<FORMULA_##name, float>(fused, first)                    \
                                  : choose<FORMULA_##name, double>(fused, first);
        FORMULA_LIST(CHOOSE_CASE)
#undef CHOOSE_CASE
    }
    return NULL;
}

cudaError_t iterate_launch(const struct frame_req *req, const struct iterate_args *args,
                           cudaStream_t stream) {
    kernel *chosen = choose_formula(req->formula, req->type, req->arithmetic == ARITHMETIC_FUSED,
                                    args->from.pixel == NULL);
    void *arguments[] = {(void *)args};
    return cudaLaunchKernel((const void *)chosen, dim3((args->size - 1) / BLOCK_THREADS + 1),
                            dim3(BLOCK_THREADS), arguments, 0, stream);
}

cudaError_t iterate_load(void) {
    for (int formula = 0; formula < FORMULA_COUNT; formula++)
        for (int axes = 0; axes < TYPE_COUNT * 4; axes++) {
            cudaFuncAttributes attributes;
            kernel *chosen = choose_formula(formula, axes / 4, axes & 1, axes & 2);
            const cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)chosen);
            if (error != cudaSuccess)
                return error;
        }
    return cudaSuccess;
}

int iterate_lowest_capability(void) {
    static const int built_for[] = {__CUDA_ARCH_LIST__}; /* ascending; 750 for 7.5 */
    return built_for[0] / 10;
}
