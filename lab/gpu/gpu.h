/* GPU programs that others have published, and fathom's, run and timed in the same way. One thread.
 * A CUDA error is logged and fails the call. */
#ifndef FATHOM_LAB_GPU_GPU_H
#define FATHOM_LAB_GPU_GPU_H

#include "lab/count/count.h"

struct lab_gpu;

/* Programs; for floats and doubles unless stated otherwise, unfused, with counts as in count.h. */
enum gpu_program {
    GPU_OURS, /* the only program that uses `shortcuts`: the cardioid */
    /* Seed 003, listing 7, fused as nvcc does by default. A literal 2.0 makes the listing's float
     * program multiply doubles; the second program has a literal of the type. */
    GPU_PAPER,
    GPU_PAPER_TYPED,
    /* Seed 004, float only. The result is that of its IterCount: min(limit, n + 1), where n is the
     * number of steps done when |z|^2 > 4 first held. A block per line; or blocks of 16x16 in a
     * striding grid. */
    GPU_HYBRIDIZER_LINES,
    GPU_HYBRIDIZER_GRID,
    GPU_PROGRAM_COUNT
};

struct gpu_job {
    enum gpu_program program;
    enum number_type type;
    int width_px, height_px; /* width_px * height_px < 2^31 */
    /* Columns, rows: numbers of the type in host memory, 0 or at least 1e-25 in size. */
    const void *re, *im;
    uint32_t limit; /* at least 1, except for GPU_OURS */
    unsigned shortcuts;
    int block_x, block_y; /* for GPU_PAPER*: threads of a block; 0: 16x16 */
    bool fresh;           /* allocate and free within the job, else keep memory for the next */
    uint32_t *count;      /* output, width_px * height_px; NULL: not copied back */
    /* GPU_OURS: colours by count, 0xBBGGRR, 256 entries, of which the first also serves larger
     * counts. The job then writes 3 bytes a pixel instead of counts, to be fetched by lab_gpu_copy.
     * NULL: counts. */
    const uint32_t *table;
};

/* Times [ms]. */
struct gpu_times {
    double alloc_ms, copy_ms; /* by the clock */
    double kernel_ms;         /* by events */
    double total_ms;          /* all of it, by the clock */
    int block_x, block_y;     /* for lab_gpu_classic: threads of a block */
};

/* Programs of seed 000: one thread for every pixel, unfused doubles, hypot and pow, centre -0.6 +
 * 0i, scale 4 / width. First version: a one-dimensional launch, every pixel iterated. Second: two
 * dimensions by the occupancy API, memory cleared beforehand, early exits; right for squares only,
 * as published. */
enum gpu_classic { GPU_CLASSIC_FIRST, GPU_CLASSIC_SECOND, GPU_CLASSIC_COUNT };

/* Programs that compute a[i] += b[i] in doubles, and copies as their ceiling. */
enum gpu_add {
    GPU_ADD_SEED,    /* seed 004: 16 blocks of 128 threads for every multiprocessor, striding */
    GPU_ADD_OURS,    /* wide loads */
    GPU_COPY_ENGINE, /* cudaMemcpy, device to device */
    GPU_COPY_KERNEL,
    GPU_ADD_COUNT
};

#ifdef FATHOM_CUDA
/* Opens a device. `wanted` as in struct backend_options; it is not copied. Returns NULL on failure,
 * which is logged. */
struct lab_gpu *lab_gpu_create(const char *wanted);
void lab_gpu_destroy(struct lab_gpu *gpu);           /* NULL is allowed */
const char *lab_gpu_name(const struct lab_gpu *gpu); /* name of the device */
int lab_gpu_processors(const struct lab_gpu *gpu);   /* number of multiprocessors */
bool lab_gpu_count(struct lab_gpu *gpu, const struct gpu_job *job, struct gpu_times *times);
/* Copies the last job's result from the device. */
bool lab_gpu_copy(struct lab_gpu *gpu, size_t bytes, void *to);
/* Returns page-locked host memory, which makes copies three times as fast. Its size is that of the
 * first call. Returns NULL on failure, which is logged. */
void *lab_gpu_pinned(struct lab_gpu *gpu, size_t bytes);
/* Draws seed 000's picture. rgb: output, 3 * side_px^2 bytes. Allocates and frees memory; fills in
 * kernel_ms and total_ms. */
bool lab_gpu_classic(struct lab_gpu *gpu, enum gpu_classic which, int side_px, uint8_t *rgb,
                     struct gpu_times *times);
/* Measures a sum or copy: the median of several runs, checked. It reads and writes 24 bytes an
 * element (16 for copies). */
bool lab_gpu_add(struct lab_gpu *gpu, enum gpu_add which, size_t elements, double *gb_per_s);
/* Measures fused multiply-adds per second, for some milliseconds. */
bool lab_gpu_peak(struct lab_gpu *gpu, enum number_type type, double *per_s);
#else /* without CUDA there is no device, so no other function is called */
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
