/* The GPU's part of the benchmark: the baseline kernel and the peak, timed by events on the device
 * that the CUDA backend takes. All on one thread. A CUDA error is logged and fails the call. */
#ifndef FATHOM_LAB_BENCH_GPU_H
#define FATHOM_LAB_BENCH_GPU_H

#include "lab/bench/loops.h"
#include "render/frame.h"

struct gpu;

/* Whether there is such a device. `wanted` as in struct backend_options. */
bool gpu_usable(const char *wanted);
/* NULL: logged why. */
struct gpu *gpu_create(const char *wanted);
void gpu_destroy(struct gpu *gpu); /* NULL is allowed */

/* Draws the picture; job->threads and stop mean nothing here. With job->count NULL nothing is
 * copied back. *kernel_ms is the kernel's time alone. */
bool gpu_loop(struct gpu *gpu, enum number_type type, const struct loop_job *job,
              double *kernel_ms);
/* Fused multiply-adds per second, measured for some milliseconds. */
bool gpu_peak(struct gpu *gpu, enum number_type type, double *per_s);

#endif
