/* The GPU programs that others have published, and ours, run and timed the same way. One thread. A
 * CUDA error is logged and fails the call. */
#ifndef FATHOM_LAB_GPU_GPU_H
#define FATHOM_LAB_GPU_GPU_H

#include "lab/count/count.h"

struct lab_gpu;

/* Of floats and doubles unless said otherwise, unfused, with counts as in count.h. */
enum gpu_program {
    GPU_OURS, /* the only one that heeds `shortcuts`, of which it knows the cardioid */
    /* Seed 003, listing 7, fused as nvcc likes. In the listing a literal 2.0 makes the float program
     * multiply doubles; the second one has a literal of the type. */
    GPU_PAPER,
    GPU_PAPER_TYPED,
    /* Seed 004, float only; result as its IterCount has it: min(limit, n + 1), n the steps done
     * when |z|^2 > 4 first held. A block per line; blocks of 16x16 in a grid that strides. */
    GPU_HYBRIDIZER_LINES,
    GPU_HYBRIDIZER_GRID,
    GPU_PROGRAM_COUNT
};

struct gpu_job {
    enum gpu_program program;
    enum number_type type;
    int width_px, height_px; /* width_px * height_px < 2^31 */
    const void *re, *im; /* columns, rows: numbers of the type on the host, 0 or >= 1e-25 in size */
    uint32_t limit;      /* at least 1 but for GPU_OURS */
    unsigned shortcuts;
    int block_x, block_y; /* GPU_PAPER*: a block's threads; 0: 16x16 */
    bool fresh;           /* allocate and free within; else memory is kept for the next job */
    uint32_t *count;      /* out, width_px * height_px; NULL: not copied back */
    /* GPU_OURS: by count, 0xBBGGRR; instead of counts, 3 bytes a pixel are made of it, to be fetched
     * by lab_gpu_copy. It has 256 entries; the first is for larger counts as well. */
    const uint32_t *table;
};

/* Milliseconds. */
struct gpu_times {
    double alloc_ms, copy_ms; /* by the clock */
    double kernel_ms;         /* by events */
    double total_ms;          /* all of it, by the clock */
    int block_x, block_y;     /* lab_gpu_classic: threads of a block */
};

/* Seed 000: one thread for every pixel, unfused doubles, hypot and pow, centre -0.6 + 0i, scale
 * 4 / width.
 * The first version: a launch of one dimension, every pixel iterated. The second: two dimensions by
 * the occupancy API, memory cleared beforehand, early exits; right for squares only, as published. */
enum gpu_classic { GPU_CLASSIC_FIRST, GPU_CLASSIC_SECOND, GPU_CLASSIC_COUNT };

/* a[i] += b[i] in doubles, and the ceiling. */
enum gpu_add {
    GPU_ADD_SEED,    /* seed 004: 16 blocks of 128 threads for every multiprocessor, striding */
    GPU_ADD_OURS,    /* wide loads */
    GPU_COPY_ENGINE, /* cudaMemcpy, device to device */
    GPU_COPY_KERNEL,
    GPU_ADD_COUNT
};

#ifdef FATHOM_CUDA
/* `wanted` as in struct backend_options; it stays the caller's. NULL: logged why. */
struct lab_gpu *lab_gpu_create(const char *wanted);
void lab_gpu_destroy(struct lab_gpu *gpu);           /* NULL is allowed */
const char *lab_gpu_name(const struct lab_gpu *gpu); /* of the device */
int lab_gpu_processors(const struct lab_gpu *gpu);   /* its multiprocessors */
bool lab_gpu_count(struct lab_gpu *gpu, const struct gpu_job *job, struct gpu_times *times);
/* Copies bytes of what the last job has left on the device. */
bool lab_gpu_copy(struct lab_gpu *gpu, size_t bytes, void *to);
/* Page-locked memory of the device's, which makes copies three times as fast; as many bytes as the
 * first call asks for. NULL: logged why. */
void *lab_gpu_pinned(struct lab_gpu *gpu, size_t bytes);
/* rgb: out, 3 * side_px^2 bytes. Memory is allocated and freed within; of times, those of kernels and
 * in all. */
bool lab_gpu_classic(struct lab_gpu *gpu, enum gpu_classic which, int side_px, uint8_t *rgb,
                     struct gpu_times *times);
/* The median of several runs, checked. Bytes read and written: 24 an element (16 for copies). */
bool lab_gpu_add(struct lab_gpu *gpu, enum gpu_add which, size_t elements, double *gb_per_s);
/* Fused multiply-adds per second, measured for some milliseconds. */
bool lab_gpu_peak(struct lab_gpu *gpu, enum number_type type, double *per_s);
#else /* There is no device, so nothing of it is called. */
static inline bool gpu_missing(const void *gpu, ...) {
    (void)gpu;
    return false;
}
#define lab_gpu_create(wanted)    ((void)(wanted), (struct lab_gpu *)NULL)
#define lab_gpu_destroy           (void)gpu_missing
#define lab_gpu_name(gpu)         ((void)(gpu), "")
#define lab_gpu_processors        (int)gpu_missing
#define lab_gpu_count             gpu_missing
#define lab_gpu_copy              gpu_missing
#define lab_gpu_pinned(gpu, size) ((void)(gpu), (void)(size), NULL)
#define lab_gpu_classic           gpu_missing
#define lab_gpu_add               gpu_missing
#define lab_gpu_peak              gpu_missing
#endif

#endif
