/* Kernel programs compiled as C, for the host device. */
#ifndef FATHOM_TESTS_GPU_HOST_PROGRAM_H
#define FATHOM_TESTS_GPU_HOST_PROGRAM_H

#include <stdint.h>

/* Runs all threads of a launch: `rows` rows of `threads` threads. Returns the number of steps. */
typedef uint64_t host_kernel_fn(const void *arguments, uint32_t threads, uint32_t rows);

/* Kernel by its name; a row without a name ends a program. */
struct host_kernel {
    const char *name;
    host_kernel_fn *run;
};

/* Program by its options; a row without options ends the table. */
struct host_program {
    const char *options;
    const struct host_kernel *kernels;
};
extern const struct host_program host_programs[];

#endif
