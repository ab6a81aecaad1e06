/* Kernel as a launch describes it to a device: its name and the layout of its arguments. */
#ifndef FATHOM_GPU_LAUNCH_KERNEL_H
#define FATHOM_GPU_LAUNCH_KERNEL_H

#include <stdint.h>

/* Member of a kernel's argument struct: `size` bytes at `offset`, or `count` device pointers if
 * `size` is 0. */
struct kernel_argument {
    uint16_t offset, size, count;
};

/* A kernel's name, the size of its argument struct and the members of that struct; a row without
 * `count` and `size` ends the members. */
struct kernel {
    const char *name;
    uint16_t size;
    const struct kernel_argument *arguments;
};

#endif
