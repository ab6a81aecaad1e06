/* Kernel as a launch describes it to a device: its name and the layout of its arguments. */
#ifndef FATHOM_GPU_LAUNCH_KERNEL_H
#define FATHOM_GPU_LAUNCH_KERNEL_H

#include <stdint.h>

/* One member of a kernel's argument struct: `size` bytes at `offset`; or, if `size` is 0, `count`
 * device pointers. */
struct kernel_argument {
    uint16_t offset, size, count;
};

/* A kernel's name, and its arguments; a row without `count` and `size` ends them. `size` is the size
 * of the struct. */
struct kernel {
    const char *name;
    uint16_t size;
    const struct kernel_argument *arguments;
};

#endif
