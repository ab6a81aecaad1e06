/* OpenCL backend: implements the backend contract on OpenCL devices. */
#include "opencl/opencl_backend.h"
#include "gpu/gpu_backend.h"
#include "opencl/opencl_device.h"
#include <stdio.h>

static int choose(const struct backend_options *options, const char **why) {
    const struct devices *devices = opencl_devices_query(why);
    return devices ? opencl_devices_choose(devices, options->device, options->automatic,
                                           options->inexact, why)
                   : -1;
}

static bool usable(const struct backend_options *options, const char **why) {
    return choose(options, why) >= 0;
}

static void *create(const struct backend_options *options) {
    const char *why = NULL;
    const int ordinal = choose(options, &why);
    return gpu_backend_create(&opencl_device, ordinal, why, options);
}

/* Returns why the device cannot be used, after a trial if necessary; returns NULL if it can be
 * used. */
static const char *find_problem(const struct opencl_device_info *info, int ordinal) {
    enum device_error error;
    const char *problem = NULL;
    if (info->why || info->inexact)
        return info->why ? info->why : info->inexact;
    struct opencl *own = opencl_open(ordinal, &error);
    if (own)
        error = probe_run(own, &problem);
    opencl_close(own);
    return problem ? problem : error == DEVICE_OK ? NULL : opencl_device.error_text(error);
}

void opencl_forget_answers(void) {
    opencl_devices_forget_answers();
}

bool opencl_has_devices(const char **why) {
    return opencl_devices_query(why) != NULL;
}

void opencl_describe(void (*line)(void *user, const char *text), void *user) {
    struct devices devices;
    const char *why = "";
    if (!opencl_devices_init(&devices, &why))
        line(user, why);
    for (int i = 0; i < devices.count; i++) {
        const struct opencl_device_info *info = &devices.device[i];
        const char *problem = find_problem(info, i);
        char text[600];
        snprintf(text, sizeof text, "device %d: %s, %s, %u units, %.1f GiB%s%s", i, info->name,
                 info->gpu ? "GPU" : "not a GPU", (unsigned)info->units,
                 (double)info->memory / 1073741824, problem ? "; not used: " : "",
                 problem ? problem : "");
        line(user, text);
    }
}

const struct backend_impl backend_opencl = {
    .name = "opencl",
    .second = true,
    .gpu = true,
    .usable = usable,
    .create = create,
    GPU_BACKEND_ENTRIES,
};
