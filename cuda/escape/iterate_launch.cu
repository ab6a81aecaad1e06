/* Chooses the iteration kernel that a launch is for: of a route, a formula and a number type. */
#include "cuda/escape/iterate.h"

#include "cuda/launch.cuh"

static dim3 grid_of(const struct iterate_args *args) {
    const struct iterate_task *task = &args->task;
    if (args->from)
        return dim3((task->size - 1) / ITERATE_THREADS + 1);
    return dim3((task->lattice.tiles_x - 1) / (ITERATE_TILES * task->run) + 1, task->size);
}

enum device_error iterate_launch(const struct frame_req *req, const struct iterate_args *args,
                                 struct device_queue *queue) {
    const bool cycle = args->task.cycle, list = args->from != NULL;
    const struct recipe *recipe = &args->task.recipe;
    const bool map = recipe->kind >= FORMULA_POWERS && recipe->kind < FORMULA_COUNT;
    iterate_kernel *const kernel =
        req->route == ROUTE_PERTURBED        ? perturbed_kernel(req, args->screening, cycle, list)
        : map                                ? map_kernel(req->type, list)
        : recipe->kind == FORMULA_mandelbrot ? iterate_kernel_mandelbrot(req->type, cycle, list)
                                             : iterate_kernel_folded(req->type, cycle, list);
    void *arguments[] = {(void *)args};
    return launch_kernel((const void *)kernel, grid_of(args), ITERATE_THREADS, arguments, queue);
}

/* The direct route's of the first formula and the native types; the others' code comes with their
 * first launch. */
cudaError_t iterate_load(void) {
    const void *kernels[TYPE_NATIVE_COUNT * 4];
    for (int axes = 0; axes < TYPE_NATIVE_COUNT * 4; axes++)
        kernels[axes] = (const void *)iterate_kernel_mandelbrot((enum number_type)(axes / 4),
                                                                axes & 1, axes & 2);
    return load_kernels(kernels, TYPE_NATIVE_COUNT * 4);
}

int iterate_lowest_capability(void) {
    static const int built_for[] = {__CUDA_ARCH_LIST__}; /* ascending; 750 for 7.5 */
    return built_for[0] / 10;
}
