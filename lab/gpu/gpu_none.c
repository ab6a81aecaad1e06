/* The laboratory's GPU in a build without CUDA: there is none. */
#include "lab/gpu/gpu.h"
#include "lab/gpu/gpu_orbits.h"
#include "render/base/log.h"

struct lab_gpu *lab_gpu_create(const char *wanted) {
    (void)wanted;
    log_error("no GPU experiments: this program was built without CUDA");
    return NULL;
}

void lab_gpu_destroy(struct lab_gpu *gpu) {
    (void)gpu;
}

const char *lab_gpu_name(const struct lab_gpu *gpu) {
    (void)gpu;
    return "";
}

int lab_gpu_processors(const struct lab_gpu *gpu) {
    (void)gpu;
    return 0;
}

const char *gpu_program_name(enum gpu_program program) {
    (void)program;
    return "";
}

bool gpu_program_takes(enum gpu_program program, enum gpu_number number,
                       enum arithmetic arithmetic) {
    (void)program, (void)number, (void)arithmetic;
    return false;
}

bool lab_gpu_count(struct lab_gpu *gpu, const struct gpu_job *job, struct gpu_times *times) {
    (void)gpu, (void)job, (void)times;
    return false;
}

bool lab_gpu_classic(struct lab_gpu *gpu, enum gpu_classic which, enum arithmetic arithmetic,
                     int side_px, bool fresh, uint8_t *rgb, struct gpu_times *times) {
    (void)gpu, (void)which, (void)arithmetic, (void)side_px, (void)fresh, (void)rgb, (void)times;
    return false;
}

const char *gpu_add_name(enum gpu_add which) {
    (void)which;
    return "";
}

bool lab_gpu_add(struct lab_gpu *gpu, enum gpu_add which, size_t elements, double *gb_per_s) {
    (void)gpu, (void)which, (void)elements, (void)gb_per_s;
    return false;
}

bool lab_gpu_peak(struct lab_gpu *gpu, enum number_type type, double *per_s) {
    (void)gpu, (void)type, (void)per_s;
    return false;
}

bool lab_gpu_orbits_has(enum gpu_orbits program) {
    (void)program;
    return false;
}

bool lab_gpu_orbits(struct lab_gpu *gpu, const struct gpu_orbits_job *job, double *ms) {
    (void)gpu, (void)job, (void)ms;
    return false;
}
