/* How kernels are launched. */
#ifndef FATHOM_OPENCL_LAUNCH_H
#define FATHOM_OPENCL_LAUNCH_H

#include "opencl/opencl_device.h"

/* A launch on its way; after the first error nothing happens. */
struct launch {
    struct device_queue *queue;
    cl_kernel kernel;
    uint32_t next; /* argument */
    enum device_error error;
};

/* A kernel of the program with these options. Holds the lock until launch_end. */
struct launch launch_begin(struct device_queue *queue, const char *options, const char *name);
/* The next argument: a value, or a place, which is a whole allocation, or NULL. */
void launch_put(struct launch *launch, size_t size, const void *value);
void launch_put_number(struct launch *launch, uint32_t number);
void launch_put_memory(struct launch *launch, struct device_pointer place);
/* Rows of as many threads, and those that fill up a group. */
enum device_error launch_end(struct launch *launch, size_t threads, size_t rows);

#endif
