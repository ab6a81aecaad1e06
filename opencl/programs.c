/* Builds programs of the kernels' text on a thread of its own, each when it is first asked for, and keeps them. Drivers
 * keep what they have built on disk. */
#include "opencl/opencl_device.h"
#include "render/base/clock.h"
#include "render/base/embedded.h"
#include "render/base/interrupt.h"
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
    log_message(interrupt_came() ? LOG_INFO : LOG_ERROR, /* which it may have failed by */
                "OpenCL's compiler on %s rejects kernels (%s): %.*s", own->device.name,
                program->options, error ? (int)strcspn(error, "\n") : LOG_MOST,
                error ? error : "it does not say why");
    if (log)
        log_info("all that it says: %s", log);
    free(log);
}

static int32_t build(struct opencl *own, struct opencl_program *program) {
    char options[OPENCL_OPTIONS + 120];
    int32_t error;
    snprintf(options, sizeof options, "-cl-std=CL1.2 %s %s %s", program->options,
             own->device.divides ? "-cl-fp32-correctly-rounded-divide-sqrt" : "",
             own->device.doubles ? "" : "-DNO_DOUBLES -cl-single-precision-constant");
    program->program =
        own->cl.CreateProgramWithSource(own->context, 1, &program->text, NULL, &error);
    if (!program->program)
        return error;
    const double since = clock_ms();
    error = own->cl.BuildProgram(program->program, 1, &own->device.id, options, NULL, NULL);
    if (error != CL_SUCCESS)
        complain(own, program);
    else
        log_info("OpenCL kernels %s: built in %.0f ms", program->options, clock_ms() - since);
    return error;
}

/* Of those that are asked for the one that was last. NULL: there is none. */
static struct opencl_program *most_urgent(const struct opencl *own) {
    struct opencl_program *best = NULL;
    for (int i = 0; i < own->program_count; i++) {
        struct opencl_program *program = &own->programs[i];
        if (program->state == DEVICE_NOT_READY && (!best || program->asked > best->asked))
            best = program;
    }
    return best;
}

/* The lock is not held while a driver compiles, which nothing interrupts. */
static void *build_all(void *user) {
    struct opencl *own = user;
    interrupt_elsewhere(true); /* drivers compile by processes, too */
    pthread_mutex_lock(&own->launching);
    while (!own->quit) {
        struct opencl_program *program = most_urgent(own);
        if (!program) {
            pthread_cond_wait(&own->wanted, &own->launching);
            continue;
        }
        pthread_mutex_unlock(&own->launching);
        const enum device_error state = opencl_error(build(own, program));
        pthread_mutex_lock(&own->launching);
        program->state = state;
        pthread_cond_broadcast(&own->built);
    }
    pthread_mutex_unlock(&own->launching);
    return NULL;
}

enum device_error programs_init(struct opencl *own) {
    own->programs = calloc(OPENCL_PROGRAMS, sizeof *own->programs);
    if (!own->programs)
        return DEVICE_NO_MEMORY;
    const int failed = pthread_create(&own->builder, NULL, build_all, own);
    if (failed)
        log_error("cannot start a thread: %s", strerror(failed));
    own->builds = !failed;
    return failed ? DEVICE_NO_MEMORY : DEVICE_OK;
}

void programs_finish(struct opencl *own) {
    pthread_mutex_lock(&own->launching);
    own->quit = true;
    pthread_cond_signal(&own->wanted);
    pthread_mutex_unlock(&own->launching);
    if (own->builds)
        pthread_join(own->builder, NULL);
    for (int i = 0; i < own->program_count; i++) {
        struct opencl_program *program = &own->programs[i];
        for (int k = 0; k < OPENCL_KERNELS && program->kernels[k].kernel; k++)
            own->cl.ReleaseKernel(program->kernels[k].kernel);
        if (program->program)
            own->cl.ReleaseProgram(program->program);
    }
    free(own->programs);
}

/* NULL: there are too many. */
static struct opencl_program *program_of(struct opencl *own, const char *text,
                                         const char *options) {
    for (int i = 0; i < own->program_count; i++)
        if (own->programs[i].text == text && strcmp(own->programs[i].options, options) == 0)
            return &own->programs[i];
    if (own->program_count == OPENCL_PROGRAMS)
        return NULL;
    struct opencl_program *program = &own->programs[own->program_count++];
    program->text = text;
    snprintf(program->options, sizeof program->options, "%s", options);
    program->state = DEVICE_NOT_READY;
    return program;
}

static enum device_error kernel_of(struct opencl *own, const char *text, const char *options,
                                   const char *name, cl_kernel *kernel) {
    int32_t error = CL_SUCCESS;
    struct opencl_program *program = program_of(own, text, options);
    if (!program)
        return opencl_error(CL_OUT_OF_RESOURCES);
    program->asked = ++own->requests;
    if (program->state == DEVICE_NOT_READY)
        pthread_cond_signal(&own->wanted);
    if (program->state != DEVICE_OK)
        return program->state;
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

enum device_error program_kernel(struct opencl *own, const char *options, const char *name,
                                 cl_kernel *kernel) {
    return kernel_of(own, embedded_opencl[0].data, options, name, kernel);
}

enum device_error program_kernel_of(struct opencl *own, const char *text, const char *options,
                                    const char *name, cl_kernel *kernel) {
    enum device_error error;
    const char *const of = text ? text : embedded_opencl[0].data;
    while ((error = kernel_of(own, of, options, name, kernel)) == DEVICE_NOT_READY)
        pthread_cond_wait(&own->built, &own->launching);
    return error;
}
