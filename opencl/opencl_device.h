/* gpu/device.h on OpenCL's devices, as the files of this folder know it. */
#ifndef FATHOM_OPENCL_OPENCL_DEVICE_H
#define FATHOM_OPENCL_OPENCL_DEVICE_H

#include "gpu/device.h"
#include "gpu/launch/programs.h"
#include "opencl/devices.h"
#include <pthread.h>

extern const struct device_impl opencl_device;

/* The library's errors, their signs changed, are values of enum device_error; and this one: */
enum { OPENCL_INEXACT = 4096 };

#define OPENCL_ALLOCATIONS 4096
#define OPENCL_KERNELS     16 /* of a program */

struct opencl_kernel {
    char name[24];
    cl_kernel kernel;
};

struct device_program {
    cl_program program;
    struct opencl_kernel kernels[OPENCL_KERNELS]; /* those that were launched so far */
};

/* What a device that has started has: device->own. */
struct opencl {
    struct cl cl;
    struct devices_one device;
    cl_context context;
    cl_command_queue memory_queue; /* for allocations */
    pthread_mutex_t lock;          /* for what is below */
    struct opencl_allocation {
        cl_mem memory;
        size_t bytes;
        void *mapped;                  /* of host memory */
    } allocations[OPENCL_ALLOCATIONS]; /* number 0 is none */
    size_t bytes;                      /* in all */
    pthread_mutex_t launching;         /* for kernels and their arguments */
};

struct opencl_staged;

struct device_queue {
    struct opencl *own;
    cl_command_queue queue;
    cl_event last;                /* what was put in last; NULL: nothing yet */
    struct device_event *waiting; /* events that stand before the next one */
    struct opencl_staged *staged; /* copies of what is being uploaded */
};

/* Takes over the event of what was put into the queue, if `error` says that it was: called with its address, as
 * arguments are evaluated in any order. */
enum device_error opencl_queued(struct device_queue *queue, int32_t error, cl_event *event);
enum device_error opencl_error(int32_t error);
/* The memory that a place is in, and where there. */
cl_mem opencl_memory(struct opencl *own, struct device_pointer place, size_t *offset);

/* A device of its own, without kernels. NULL: *error. */
struct opencl *opencl_open(int ordinal, enum device_error *error);
void opencl_close(struct opencl *own);

/* Makes a program of a text, or if it is NULL of the text that all devices have. */
enum device_error opencl_program_make(struct opencl *own, const char *text, const char *options,
                                      struct device_program **program);
void opencl_program_free(struct opencl *own, struct device_program *program);
/* Sets *kernel to a kernel of the program; under the lock `launching`. Returns OpenCL's error. */
int32_t opencl_program_kernel(struct opencl *own, struct device_program *program, const char *name,
                              cl_kernel *kernel);
enum device_error opencl_launch(struct device_queue *queue, struct device_program *program,
                                const struct kernel *kernel, const void *arguments,
                                uint32_t groups_x, uint32_t groups_y);

/* Whether the device computes as every other does: OPENCL_INEXACT, with *what is not; OK. */
enum device_error probe_run(struct opencl *own, const char **what);

#endif
