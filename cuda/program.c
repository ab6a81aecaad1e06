/* Loads and launches programs of kernels through the driver's library, which exists only on
 * machines with an NVIDIA driver. */
#include "cuda/program.h"
#include "cuda/cuda_device.h"
#include "gpu/kernels/arguments.h"
#include "gpu/launch/kernel.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <cuda.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct device_program {
    CUmodule module;
};

/* The driver's functions. Their types are those of cuda.h. */
struct driver_functions {
    CUresult (*load)(CUmodule *module, const void *image);
    CUresult (*unload)(CUmodule module);
    CUresult (*get)(CUfunction *function, CUmodule module, const char *name);
    CUresult (*launch)(CUfunction function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                       unsigned threads_x, unsigned threads_y, unsigned threads_z,
                       unsigned shared_bytes, CUstream stream, void **arguments, void **extra);
};

/* Returns the functions, or NULL if there is no driver. The library stays loaded, because the
 * runtime uses it too. */
static const struct driver_functions *functions(void) {
    static struct driver_functions found;
    static int state; /* 1: found, -1: not found */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    void *library = state == 0 ? dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (library) {
        *(void **)&found.load = dlsym(library, "cuModuleLoadData");
        *(void **)&found.unload = dlsym(library, "cuModuleUnload");
        *(void **)&found.get = dlsym(library, "cuModuleGetFunction");
        *(void **)&found.launch = dlsym(library, "cuLaunchKernel");
    }
    if (state == 0)
        state = found.load && found.unload && found.get && found.launch ? 1 : -1;
    const bool there = state == 1;
    pthread_mutex_unlock(&lock);
    return there ? &found : NULL;
}

static enum device_error error_of(CUresult result) {
    return cuda_device_error((cudaError_t)result); /* both types use the same numbers */
}

enum device_error cuda_program_make(struct device *device, const char *options,
                                    struct device_program **made) {
    const struct driver_functions *driver = functions();
    const struct cuda_program *at = cuda_programs;
    *made = NULL;
    (void)device;
    while (at->options && strcmp(at->options, options) != 0)
        at++;
    if (!at->options)
        log_error("there are no CUDA kernels %s", options);
    if (!driver || !at->options)
        return error_of(CUDA_ERROR_NOT_FOUND);
    struct device_program *program = calloc(1, sizeof *program);
    if (!program)
        return DEVICE_NO_MEMORY;
    const double since = clock_ms();
    const CUresult result = driver->load(&program->module, at->binary);
    if (result != CUDA_SUCCESS) {
        free(program);
        return error_of(result);
    }
    log_info("CUDA kernels %s: loaded in %.0f ms", options, clock_ms() - since);
    *made = program;
    return DEVICE_OK;
}

void cuda_program_free(struct device *device, struct device_program *program) {
    (void)device;
    functions()->unload(program->module);
    free(program);
}

enum device_error cuda_launch(struct device_queue *queue, struct device_program *program,
                              const struct kernel *kernel, const void *arguments, uint32_t groups_x,
                              uint32_t groups_y) {
    void *parameters[] = {(void *)arguments};
    CUfunction function;
    CUresult result = functions()->get(&function, program->module, kernel->name);
    if (result == CUDA_SUCCESS)
        result = functions()->launch(function, groups_x, groups_y, 1, KERNEL_GROUP, 1, 1, 0,
                                     (CUstream)queue, parameters, NULL);
    return error_of(result);
}
