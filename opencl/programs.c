/* Builds programs of the kernels' text, each when it is first used, and keeps them. Drivers keep what they have built
 * on disk. */
#include "opencl/opencl_device.h"
#include "render/base/embedded.h"
#include "render/base/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_MOST 65536 /* characters that a compiler is listened to */

extern const struct embedded_file embedded_opencl[];

/* The first line of what the compiler says that tells of an error. */
static void complain(struct opencl *own, const struct opencl_program *program) {
    char *log = calloc(1, LOG_MOST);
    size_t size = 0;
    if (log &&
        own->cl.GetProgramBuildInfo(program->program, own->device.id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                    &size) == CL_SUCCESS &&
        size < LOG_MOST)
        own->cl.GetProgramBuildInfo(program->program, own->device.id, CL_PROGRAM_BUILD_LOG, size,
                                    log, NULL);
    const char *error = log ? strstr(log, "error") : NULL;
    log_error("OpenCL's compiler on %s rejects kernels (%s): %.*s", own->device.name,
              program->options, error ? (int)strcspn(error, "\n") : 16,
              error ? error : "it does not say why");
    if (log)
        log_info("all that it says: %s", log);
    free(log);
}

static int32_t build(struct opencl *own, struct opencl_program *program) {
    char options[OPENCL_OPTIONS + 80];
    const char *text = embedded_opencl[0].data;
    int32_t error;
    snprintf(options, sizeof options, "-cl-std=CL1.2 %s %s", program->options,
             own->device.divides ? "-cl-fp32-correctly-rounded-divide-sqrt" : "");
    program->program = own->cl.CreateProgramWithSource(own->context, 1, &text, NULL, &error);
    if (!program->program)
        return error;
    error = own->cl.BuildProgram(program->program, 1, &own->device.id, options, NULL, NULL);
    if (error != CL_SUCCESS)
        complain(own, program);
    return error;
}

/* NULL: *error. */
static struct opencl_program *program_of(struct opencl *own, const char *options, int32_t *error) {
    for (int i = 0; i < own->program_count; i++)
        if (strcmp(own->programs[i].options, options) == 0)
            return &own->programs[i];
    *error = CL_OUT_OF_RESOURCES;
    if (own->program_count == OPENCL_PROGRAMS)
        return NULL;
    struct opencl_program *program = &own->programs[own->program_count];
    snprintf(program->options, sizeof program->options, "%s", options);
    *error = build(own, program);
    if (*error == CL_SUCCESS) {
        own->program_count++;
        return program;
    }
    if (program->program)
        own->cl.ReleaseProgram(program->program);
    *program = (struct opencl_program){.program = NULL};
    return NULL;
}

enum device_error program_kernel(struct opencl *own, const char *options, const char *name,
                                 cl_kernel *kernel) {
    int32_t error = CL_SUCCESS;
    struct opencl_program *program = program_of(own, options, &error);
    if (!program)
        return opencl_error(error);
    struct opencl_kernel *at = program->kernels;
    while (at->kernel && strcmp(at->name, name) != 0)
        at++;
    if (!at->kernel) {
        snprintf(at->name, sizeof at->name, "%s", name);
        at->kernel = own->cl.CreateKernel(program->program, name, &error);
    }
    *kernel = at->kernel;
    return opencl_error(error);
}

void programs_finish(struct opencl *own) {
    for (int i = 0; i < own->program_count; i++) {
        struct opencl_program *program = &own->programs[i];
        for (int k = 0; k < OPENCL_KERNELS && program->kernels[k].kernel; k++)
            own->cl.ReleaseKernel(program->kernels[k].kernel);
        own->cl.ReleaseProgram(program->program);
    }
    own->program_count = 0;
}
