/* OpenCL programs and launches. Drivers cache compiled programs on disk. */
#include "gpu/kernels/arguments.h"
#include "gpu/launch/kernel.h"
#include "opencl/opencl_device.h"
#include "render/base/clock.h"
#include "render/base/embedded.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_MAX 65536 /* maximum length of a compiler's log */

extern const struct embedded_file embedded_opencl[];

/* Logs the first error of the compiler. */
static void log_build_error(struct opencl *own, cl_program program, const char *options) {
    char *log = calloc(1, LOG_MAX);
    size_t size = 0;
    if (log &&
        own->cl.GetProgramBuildInfo(program, own->device.id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                    &size) == CL_SUCCESS &&
        size < LOG_MAX)
        own->cl.GetProgramBuildInfo(program, own->device.id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    const char *error = log ? strstr(log, "error") : NULL;
    /* An interrupt may itself cause the failure. */
    log_message(interrupt_requested() ? LOG_INFO : LOG_ERROR,
                "OpenCL's compiler on %s rejects kernels (%s): %.*s", own->device.name, options,
                error ? (int)strcspn(error, "\n") : LOG_MAX, error ? error : "without a reason");
    if (log)
        log_info("the compiler's log: %s", log);
    free(log);
}

static int32_t build(struct opencl *own, cl_program program, const char *options) {
    char all[PROGRAM_OPTIONS + 160];
    snprintf(all, sizeof all, "-cl-std=CL1.2 %s %s %s", options,
             own->device.exact_division ? "-cl-fp32-correctly-rounded-divide-sqrt" : "",
             own->device.doubles ? "" : "-DNO_DOUBLES -cl-single-precision-constant");
    const double since = clock_ms();
    const int32_t error = own->cl.BuildProgram(program, 1, &own->device.id, all, NULL, NULL);
    if (error != CL_SUCCESS)
        log_build_error(own, program, options);
    else
        log_info("OpenCL kernels %s: built in %.0f ms", options, clock_ms() - since);
    return error;
}

enum device_error opencl_program_make(struct opencl *own, const char *text, const char *options,
                                      struct device_program **made) {
    struct device_program *program = *made = calloc(1, sizeof *program);
    const char *const of = text ? text : embedded_opencl[0].data;
    int32_t error = CL_OUT_OF_HOST_MEMORY;
    if (program)
        program->program =
            own->cl.CreateProgramWithSource(own->context, 1, (const char **)&of, NULL, &error);
    if (program && program->program)
        error = build(own, program->program, options);
    if (error == CL_SUCCESS)
        return DEVICE_OK;
    opencl_program_free(own, program);
    *made = NULL;
    return opencl_error(error);
}

void opencl_program_free(struct opencl *own, struct device_program *program) {
    if (!program)
        return;
    for (int k = 0; k < OPENCL_KERNELS && program->kernels[k].kernel; k++)
        own->cl.ReleaseKernel(program->kernels[k].kernel);
    if (program->program)
        own->cl.ReleaseProgram(program->program);
    free(program);
}

int32_t opencl_program_kernel(struct opencl *own, struct device_program *program, const char *name,
                              cl_kernel *kernel) {
    int32_t error = CL_SUCCESS;
    struct opencl_kernel *at = program->kernels;
    while (at->kernel && strcmp(at->name, name) != 0)
        at++;
    if (!at->kernel) {
        snprintf(at->name, sizeof at->name, "%s", name);
        at->kernel = own->cl.CreateKernel(program->program, name, &error);
    }
    *kernel = at->kernel;
    return error;
}

/* --- launches --- */

/* Sets the arguments of a row, from number *next, and advances *next. */
static int32_t set_arguments(struct opencl *own, cl_kernel kernel,
                             const struct kernel_argument *row, const void *arguments,
                             uint32_t *next) {
    const char *at = (const char *)arguments + row->offset;
    int32_t error = CL_SUCCESS;
    if (row->size > 0)
        return own->cl.SetKernelArg(kernel, (*next)++, row->size, at);
    for (int i = 0; i < row->count && error == CL_SUCCESS; i++) {
        struct device_pointer place;
        size_t offset;
        memcpy(&place, at + i * sizeof place, sizeof place);
        const cl_mem memory = opencl_memory(own, place, &offset);
        error = own->cl.SetKernelArg(kernel, (*next)++, sizeof memory, &memory);
    }
    return error;
}

enum device_error opencl_launch(struct device_queue *queue, struct device_program *program,
                                const struct kernel *kernel, const void *arguments,
                                uint32_t groups_x, uint32_t groups_y) {
    struct opencl *own = queue->own;
    const size_t group[2] = {KERNEL_GROUP, 1};
    const size_t all[2] = {(size_t)groups_x * KERNEL_GROUP, groups_y};
    const struct kernel_argument *row = kernel->arguments;
    cl_kernel one;
    cl_event done = NULL;
    uint32_t next = 0;
    pthread_mutex_lock(&own->launching);
    int32_t error = opencl_program_kernel(own, program, kernel->name, &one);
    for (; error == CL_SUCCESS && (row->size > 0 || row->count > 0); row++)
        error = set_arguments(own, one, row, arguments, &next);
    if (error == CL_SUCCESS)
        error =
            own->cl.EnqueueNDRangeKernel(queue->queue, one, 2, NULL, all, group, 0, NULL, &done);
    const enum device_error queued = opencl_keep_event(queue, error, &done);
    pthread_mutex_unlock(&own->launching);
    return queued;
}
