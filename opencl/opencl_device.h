/* OpenCL device: declarations that the files of this folder share. */
#ifndef FATHOM_OPENCL_OPENCL_DEVICE_H
#define FATHOM_OPENCL_OPENCL_DEVICE_H

#include "gpu/device.h"
#include "gpu/launch/programs.h"
#include "opencl/devices.h"
#include <pthread.h>

extern const struct device_impl opencl_device;

/* The library's errors, negated, are values of enum device_error, and so is this value: */
enum { OPENCL_INEXACT = 4096 };

#define OPENCL_ALLOCATIONS 4096
#define OPENCL_KERNELS     16 /* maximum number of kernels in a program */

struct opencl_kernel {
    char name[24];
    cl_kernel kernel;
};

struct device_program {
    cl_program program;
    struct opencl_kernel kernels[OPENCL_KERNELS]; /* the kernels launched so far */
};

/* State of a started device (device->own). */
struct opencl {
    struct cl cl;
    struct opencl_device_info device;
    cl_context context;
    cl_command_queue memory_queue; /* for allocations */
    pthread_mutex_t lock;          /* protects the members below up to `bytes` */
    struct opencl_allocation {
        cl_mem memory;
        size_t bytes;
        void *mapped;                  /* address of host memory */
    } allocations[OPENCL_ALLOCATIONS]; /* number 0 is unused */
    size_t bytes;                      /* total */
    pthread_mutex_t launching;         /* protects kernels and their arguments */
};

struct opencl_staged;

struct device_queue {
    struct opencl *own;
    cl_command_queue queue;
    cl_event last;                /* event of the latest command; NULL: none */
    struct device_event *waiting; /* events that wait for the next command */
    struct opencl_staged *staged; /* sources of unfinished uploads */
};

/* Takes over the event of a command if `error` is success. The event is passed by its address,
 * because the order in which arguments are evaluated is unspecified. */
enum device_error opencl_keep_event(struct device_queue *queue, int32_t error, cl_event *event);
enum device_error opencl_error(int32_t error);
/* Returns the memory object of a device pointer, and sets *offset. */
cl_mem opencl_memory(struct opencl *own, struct device_pointer place, size_t *offset);

/* Opens a device without kernels. Returns NULL on failure, with *error. */
struct opencl *opencl_open(int ordinal, enum device_error *error);
void opencl_close(struct opencl *own);

/* Makes a program from `text`; NULL means the text for all devices. */
enum device_error opencl_program_make(struct opencl *own, const char *text, const char *options,
                                      struct device_program **program);
void opencl_program_free(struct opencl *own, struct device_program *program);
/* Sets *kernel to a kernel of the program. The caller holds the lock `launching`. Returns OpenCL's
 * error. */
int32_t opencl_program_kernel(struct opencl *own, struct device_program *program, const char *name,
                              cl_kernel *kernel);
enum device_error opencl_launch(struct device_queue *queue, struct device_program *program,
                                const struct kernel *kernel, const void *arguments,
                                uint32_t groups_x, uint32_t groups_y);

/* Tests whether the device computes exactly like all others. Returns DEVICE_OK, or OPENCL_INEXACT
 * and sets *problem. */
enum device_error probe_run(struct opencl *own, const char **problem);

#endif
