/* OpenCL's devices: which there are, of all platforms, and which one to use. */
#ifndef FATHOM_OPENCL_DEVICES_H
#define FATHOM_OPENCL_DEVICES_H

#include "opencl/cl.h"
#include <stdbool.h>

#define DEVICES_MAX 64 /* that are looked at */

struct devices_one {
    cl_device_id id;
    char name[256];
    bool gpu;
    bool doubles;   /* has them */
    bool registers; /* takes the option for the most registers of a thread */
    bool divides;   /* takes the option for divisions that are rounded correctly */
    uint32_t units;
    uint64_t memory; /* bytes */
    uint64_t group;  /* the most threads of a group */
    const char *why; /* it cannot be used; NULL: as far as is known it can, but for this: */
    const char *
        inexact; /* why its pictures differ from those of other devices; NULL: they do not, as far as is known */
};

struct devices {
    struct cl cl;
    int count;
    struct devices_one device[DEVICES_MAX];
};

/* Loads the library, for good, as drivers leave threads behind that run their code, and asks for its devices: some 50 to
 * 300 milliseconds, the first time. False: *why, a static sentence fragment. Any thread. */
bool opencl_devices_init(struct devices *devices, const char **why);

/* As opencl_doubt. */
void opencl_devices_doubt(void);
/* The same, asked when that is first called in a way that no driver harms this process, or none that answered well the
 * last time: what it has said, where neither `cl` nor any `id` means anything. NULL: *why. Any thread. */
const struct devices *opencl_devices_ask(const char **why);

/* The ordinal of the best device among those that are `wanted` (struct backend_options): a GPU, if there is one, or at
 * all; and an exact one, or `inexact` too. Negative: none, *why. */
int opencl_devices_choose(const struct devices *devices, const char *wanted, bool gpus_only,
                          bool inexact, const char **why);

#endif
