/* Memory and clocks for seed 001's kernels. */
#include "lab/gpu/gpu_orbits.h"
#include "lab/gpu/gpu_orbits_kernels.h"
#include "lab/gpu/gpu_private.h"
#include "render/base/log.h"

bool lab_gpu_orbits_has(enum gpu_orbits program) {
    return gpu_orbits_has(program);
}

static bool keeps_state(enum gpu_orbits program) {
    return program == GPU_ORBITS_SELECTIVE || program == GPU_ORBITS_SELECTIVE_ATOMIC;
}

static bool reserve(struct lab_gpu *gpu, const struct gpu_orbits_job *job,
                    struct gpu_orbits_memory *memory) {
    const size_t threads = (size_t)job->blocks * (size_t)job->threads;
    const bool state = keeps_state(job->program);
    const bool generators = state || job->program == GPU_ORBITS_GENERATORS;
    const size_t pixels = (size_t)job->width_px * (size_t)job->height_px;
    const bool ok =
        gpu_reserve(gpu, SLOT_RESULT, pixels * sizeof(uint32_t)) &&
        (!state || (gpu_reserve(gpu, SLOT_ZX, threads * 4 * sizeof(float)) &&
                    gpu_reserve(gpu, SLOT_ZY, threads * sizeof(float)) &&
                    gpu_reserve(gpu, SLOT_STEPS, threads * sizeof(uint32_t)))) &&
        (!generators || gpu_reserve(gpu, SLOT_CX, threads * gpu_orbits_generator_bytes()));
    *memory = (struct gpu_orbits_memory){.canvas = gpu->slot[SLOT_RESULT],
                                         .z = gpu->slot[SLOT_ZX],
                                         .dists = gpu->slot[SLOT_ZY],
                                         .counts = gpu->slot[SLOT_STEPS],
                                         .generators = gpu->slot[SLOT_CX]};
    return ok && gpu_worked(cudaMemset(memory->canvas, 0, pixels * sizeof(uint32_t)));
}

bool lab_gpu_orbits(struct lab_gpu *gpu, const struct gpu_orbits_job *job, double *ms) {
    struct gpu_orbits_memory memory;
    *ms = 0;
    if (!gpu_orbits_has(job->program)) {
        log_error("this program was built without curand_kernel.h, which seed 001 needs");
        return false;
    }
    if (!reserve(gpu, job, &memory))
        return false;
    if (keeps_state(job->program)) {
        struct gpu_orbits_job generators = *job;
        generators.program = GPU_ORBITS_GENERATORS;
        if (!gpu_worked(gpu_orbits_launch(&generators, &memory)))
            return false;
    }
    if (!gpu_worked(cudaEventRecord(gpu->start, NULL)) ||
        !gpu_worked(gpu_orbits_launch(job, &memory)) || !gpu_elapsed(gpu, ms))
        return false;
    const size_t bytes = (size_t)job->width_px * (size_t)job->height_px * sizeof(uint32_t);
    return !job->canvas ||
           gpu_worked(cudaMemcpy(job->canvas, memory.canvas, bytes, cudaMemcpyDeviceToHost));
}
