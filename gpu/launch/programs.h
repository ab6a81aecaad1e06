/* Programs of kernels: made in the background, the last requested one first, and kept. A device's
 * handles share them. */
#ifndef FATHOM_GPU_LAUNCH_PROGRAMS_H
#define FATHOM_GPU_LAUNCH_PROGRAMS_H

#include "gpu/device.h"

#define PROGRAM_OPTIONS 160 /* characters */

/* Starts the thread that makes programs, for a device that has started; the caller's copy of it may
 * move. Makes the first programs that the device asks for. Returns NULL and sets *error on failure. */
struct programs *programs_create(const struct device *device, enum device_error *error);
/* Waits for the program that is being made, some hundred milliseconds; drops the others. */
void programs_destroy(struct programs *programs);

/* Sets *program to the program with these options. Returns DEVICE_NOT_READY if it is not made yet,
 * and an error if it cannot be made. Any thread. */
enum device_error programs_get(struct programs *programs, const char *options,
                               struct device_program **program);

#endif
