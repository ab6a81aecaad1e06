/* The backend contract on OpenCL's devices. */
#include "opencl/opencl_backend.h"
#include "gpu/gpu_backend.h"
#include "opencl/opencl_device.h"
#include "render/base/log.h"

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
