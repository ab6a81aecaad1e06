/* OpenCL devices: lists the devices of all platforms and chooses one. */
#ifndef FATHOM_OPENCL_DEVICES_H
#define FATHOM_OPENCL_DEVICES_H

#include "opencl/cl.h"
#include <stdbool.h>

#define DEVICES_MAX 64 /* maximum number of devices that are examined */

struct opencl_device_info {
    cl_device_id id;
    char name[256];
    bool gpu;
    bool doubles;         /* supports doubles */
    bool register_option; /* supports the option that limits a thread's registers */
    bool exact_division;  /* supports the option for correctly rounded divisions */
    uint32_t units;
    uint64_t memory;     /* [bytes] */
    uint64_t group;      /* maximum threads per group */
    const char *why;     /* reason why it cannot be used; NULL: none known */
    const char *inexact; /* reason why its pictures differ from other devices'; NULL: none known */
};

struct devices {
    struct cl cl;
    int count;
    struct opencl_device_info device[DEVICES_MAX];
};

/* Loads the library and lists its devices, which takes about 50 to 300 ms the first time. The
 * library is never unloaded, because drivers leave threads that run its code. Returns false on
 * failure; *why is a static sentence fragment. Any thread may call it. */
bool opencl_devices_init(struct devices *devices, const char **why);

/* See opencl_forget_answers. */
void opencl_devices_forget_answers(void);
/* Lists the devices so that no driver can harm this process, unless it answered without a fault
 * last time. Asks only at the first call. `cl` and the `id`s are invalid. Returns NULL on failure,
 * with *why. Any thread may call it. */
const struct devices *opencl_devices_query(const char **why);

/* Returns the ordinal of the best `wanted` device (struct backend_options): only GPUs if
 * `gpus_only`, and only exact devices unless `inexact`. Returns a negative number if there is none,
 * with *why. */
int opencl_devices_choose(const struct devices *devices, const char *wanted, bool gpus_only,
                          bool inexact, const char **why);

#endif
