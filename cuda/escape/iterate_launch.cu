/* Chooses the iteration kernel that a launch is for: of a route, a formula, a number type and an
 * arithmetic. */
#include "cuda/escape/iterate.h"

#include "cuda/launch.cuh"

typedef iterate_kernel *choose_kernel(enum number_type type, bool fused, bool cycle, bool list);

static choose_kernel *const choose[FORMULA_COUNT] = {
#define CHOOSE_KERNEL(name, ...) iterate_kernel_##name,
    FORMULA_LIST(CHOOSE_KERNEL)
#undef CHOOSE_KERNEL
};

static dim3 grid_of(const struct iterate_args *args) {
    if (args->from)
        return dim3((args->size - 1) / ITERATE_THREADS + 1);
    return dim3((args->lattice.tiles_x - 1) / (ITERATE_TILES * args->run) + 1, args->size);
}

enum device_error iterate_launch(const struct frame_req *req, const struct iterate_args *args,
                                 struct device_queue *queue) {
    const bool cycle = args->shortcuts & SHORTCUTS_CYCLE, list = args->from != NULL;
    iterate_kernel *const kernel =
        req->route == ROUTE_PERTURBED
            ? perturbed_kernel(req, args->screening, cycle, list)
            : choose[req->formula](req->type, req->arithmetic == ARITHMETIC_FUSED, cycle, list);
    void *arguments[] = {(void *)args};
    return launch_kernel((const void *)kernel, grid_of(args), ITERATE_THREADS, arguments, queue);
}

/* The direct route's of the first formula and the native types; the others' code comes with their
 * first launch. */
cudaError_t iterate_load(void) {
    const void *kernels[TYPE_NATIVE_COUNT * 8];
    for (int axes = 0; axes < TYPE_NATIVE_COUNT * 8; axes++)
        kernels[axes] =
            (const void *)choose[0]((enum number_type)(axes / 8), axes & 1, axes & 2, axes & 4);
    return load_kernels(kernels, TYPE_NATIVE_COUNT * 8);
}

int iterate_lowest_capability(void) {
    static const int built_for[] = {__CUDA_ARCH_LIST__}; /* ascending; 750 for 7.5 */
    return built_for[0] / 10;
}
