/* gpu/device.h on OpenCL's devices, as the files of this folder know it. */
#ifndef FATHOM_OPENCL_OPENCL_DEVICE_H
#define FATHOM_OPENCL_OPENCL_DEVICE_H

#include "gpu/device.h"
#include "opencl/devices.h"
#include <pthread.h>

extern const struct device_impl opencl_device;
extern const struct device_kernels opencl_kernels; /* launch.c */

/* The library's errors, their signs changed, are values of enum device_error; and this one: */
enum { OPENCL_INEXACT = 4096 };

#define OPENCL_ALLOCATIONS 4096
#define OPENCL_PROGRAMS    512
#define OPENCL_KERNELS     16  /* of a program */
#define OPENCL_OPTIONS     160 /* characters */

struct opencl_kernel {
    char name[24];
    cl_kernel kernel;
};

struct opencl_program {
    const char *text;
    char options[OPENCL_OPTIONS];
    uint64_t asked;          /* the number of the last request for it */
    enum device_error state; /* NOT_READY: not built yet; OK; or why it cannot be */
    cl_program program;
    struct opencl_kernel kernels[OPENCL_KERNELS];
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
    pthread_mutex_t launching;         /* for the arguments of kernels, and what is below */
    struct opencl_program *programs;
    int program_count;
    uint64_t requests;
    pthread_t builder;
    bool builds, quit;     /* there is that thread; it is to end */
    pthread_cond_t wanted; /* the builder waits for it */
    pthread_cond_t built;  /* whoever waits for the builder */
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

/* Finish them in any case. Waits for what is being built, some hundred milliseconds; the rest is dropped. */
enum device_error programs_init(struct opencl *own);
void programs_finish(struct opencl *own);

/* A kernel of the program with these options. NOT_READY: that is being built, or will be, those that were asked for last
 * the first. Call it, and use the kernel, under the lock `launching`. */
enum device_error program_kernel(struct opencl *own, const char *options, const char *name,
                                 cl_kernel *kernel);
/* The same of a program of another text, which has to stay, or NULL: of the kernels'; waits until it is built, under
 * that lock, too. */
enum device_error program_kernel_of(struct opencl *own, const char *text, const char *options,
                                    const char *name, cl_kernel *kernel);

/* Whether the device computes as every other does: OPENCL_INEXACT, with *what is not; OK. */
enum device_error probe_run(struct opencl *own, const char **what);

#endif
