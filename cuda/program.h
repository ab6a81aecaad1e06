/* Programs of CUDA kernels, which the driver loads. The driver compiles PTX for newer GPUs. */
#ifndef FATHOM_CUDA_PROGRAM_H
#define FATHOM_CUDA_PROGRAM_H

#include "gpu/device.h"

/* Options of a program, and its fat binary; the last row has no options. */
struct cuda_program {
    const char *options, *binary;
};
extern const struct cuda_program cuda_programs[];

/* See struct device_impl. */
enum device_error cuda_program_make(struct device *device, const char *options,
                                    struct device_program **program);
void cuda_program_free(struct device *device, struct device_program *program);
enum device_error cuda_launch(struct device_queue *queue, struct device_program *program,
                              const struct kernel *kernel, const void *arguments, uint32_t groups_x,
                              uint32_t groups_y);

#endif
