/* The backend contract on OpenCL's devices, and what there is to tell of them. */
#include "opencl/opencl_backend.h"
#include "gpu/gpu_backend.h"
#include "opencl/opencl_device.h"
#include "render/base/log.h"
#include <stdio.h>

/* Whether a device can be used; *why: static, why not. */
static bool try_device(const struct devices *devices, int ordinal, const char **why) {
    enum device_error error = DEVICE_OK;
    *why = devices->device[ordinal].why;
    if (*why)
        return false;
    struct opencl *own = opencl_open(ordinal, &error);
    if (own)
        error = probe_run(own, why);
    opencl_close(own);
    if (error != DEVICE_OK && !*why)
        *why = opencl_device.error_text(error);
    return error == DEVICE_OK;
}

void opencl_describe(void (*line)(void *user, const char *text), void *user) {
    struct devices devices;
    const char *why = NULL;
    char text[700];
    if (!opencl_devices_init(&devices, &why))
        line(user, why);
    for (int i = 0; i < devices.count; i++) {
        const struct devices_one *one = &devices.device[i];
        const bool usable = try_device(&devices, i, &why);
        snprintf(text, sizeof text, "device %d: %s (%s, driver %s), %s, %u units, %.1f GiB, %s%s",
                 i, one->name, one->platform_name, one->version, one->gpu ? "GPU" : "no GPU",
                 (unsigned)one->units, (double)one->memory / 1073741824,
                 usable ? "exact" : "not usable: ", usable ? "" : why);
        line(user, text);
    }
    opencl_devices_finish(&devices);
}

static int choose(int wanted, const char **why) {
    struct devices devices;
    const int ordinal =
        opencl_devices_init(&devices, why) ? opencl_devices_choose(&devices, wanted, why) : -1;
    opencl_devices_finish(&devices);
    return ordinal;
}

static bool usable(const struct backend_options *options, const char **why) {
    return choose(options->device, why) >= 0;
}

static void *create(const struct backend_options *options) {
    const char *why = NULL;
    const int ordinal = choose(options->device, &why);
    if (ordinal < 0) {
        log_error("backend opencl cannot be used here: %s", why);
        return NULL;
    }
    return gpu_backend_create(&opencl_device, ordinal, options);
}

/* Only when it is named. */
const struct backend_impl backend_opencl = {
    .name = "opencl",
    .usable = usable,
    .create = create,
    GPU_BACKEND_ENTRIES,
};
