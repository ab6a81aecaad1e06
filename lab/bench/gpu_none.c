/* The GPU's part of the benchmark in a build without CUDA: there is no GPU. */
#include "lab/bench/gpu.h"
#include "render/base/log.h"
#include <stddef.h>

bool gpu_usable(const char *wanted) {
    (void)wanted;
    return false;
}

struct gpu *gpu_create(const char *wanted) {
    (void)wanted;
    log_error("no GPU baselines: this program was built without CUDA");
    return NULL;
}

void gpu_destroy(struct gpu *gpu) {
    (void)gpu;
}

bool gpu_loop(struct gpu *gpu, enum number_type type, const struct loop_job *job,
              double *kernel_ms) {
    (void)gpu, (void)type, (void)job, (void)kernel_ms;
    return false;
}

bool gpu_peak(struct gpu *gpu, enum number_type type, double *per_s) {
    (void)gpu, (void)type, (void)per_s;
    return false;
}
