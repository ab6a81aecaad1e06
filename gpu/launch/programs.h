/* Program cache: makes programs of kernels in the background, the most recently requested first,
 * and keeps them. The handles of a device share the cache. */
#ifndef FATHOM_GPU_LAUNCH_PROGRAMS_H
#define FATHOM_GPU_LAUNCH_PROGRAMS_H

#include "gpu/device.h"

#define PROGRAM_OPTIONS 160 /* maximum length of a program's options, with the final 0 */

/* Starts the thread that makes programs on a device that has started, and waits for the device's
 * first programs. `device` is copied. Returns NULL and sets *error on failure. */
struct programs *programs_create(const struct device *device, enum device_error *error);
/* Waits for the program that is being made (some hundred milliseconds) and drops the other
 * requests. */
void programs_destroy(struct programs *programs);

/* Sets *program to the program with these options. Returns DEVICE_NOT_READY if it is not made yet,
 * and an error if it cannot be made. Any thread may call it. */
enum device_error programs_get(struct programs *programs, const char *options,
                               struct device_program **program);

#endif
