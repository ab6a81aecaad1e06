/* Seed 002's programs in the language that it had, run and timed as those of lab/gpu/gpu.h. One
 * thread. An error is logged and fails the call. */
#ifndef FATHOM_LAB_OPENCL_OPENCL_H
#define FATHOM_LAB_OPENCL_OPENCL_H

#include "lab/gpu/gpu.h"

#define LAB_OPENCL_LIMIT_MAX 65534 /* the listing's counts have 16 bits */

struct lab_opencl;

/* `wanted` as in struct backend_options; what is no GPU only where it is named. NULL: *why, a static
 * sentence fragment. */
struct lab_opencl *lab_opencl_create(const char *wanted, const char **why);
void lab_opencl_destroy(struct lab_opencl *opencl);           /* NULL is allowed */
const char *lab_opencl_name(const struct lab_opencl *opencl); /* of the device */

/* Of GPU_STRIDED64, GPU_MASKED32 and GPU_PIXEL, in all numbers, unfused, from coordinates. Blocks,
 * steps and `fresh` are not heeded. */
bool lab_opencl_count(struct lab_opencl *opencl, const struct gpu_job *job,
                      struct gpu_times *times);

#endif
