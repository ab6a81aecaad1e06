/* Backends, opened once and measured in turns. */
#include "lab/bench/devices.h"
#include "render/base/log.h"

void devices_init(struct devices *devices, const struct bench_setup *setup) {
    *devices = (struct devices){.setup = setup};
}

void devices_finish(struct devices *devices) {
    for (int i = 0; i < devices->count; i++)
        backend_close(devices->open[i].backend);
    gpu_destroy(devices->gpu);
    *devices = (struct devices){0};
}

struct backend *devices_backend(struct devices *devices, const struct backend_impl *impl,
                                int threads) {
    const struct bench_setup *setup = devices->setup;
    struct backend_options options = setup->options;
    for (int i = 0; i < devices->count; i++)
        if (devices->open[i].impl == impl && devices->open[i].threads == threads)
            return devices->open[i].backend;
    options.threads = threads;
    struct backend *backend =
        devices->count < DEVICES_MAX ? backend_open(setup->impls, impl->name, &options) : NULL;
    if (!backend)
        return NULL;
    devices->open[devices->count++] = (struct device_open){impl, threads, backend};
    if (!(backend_info(backend).methods >> setup->method & 1))
        log_warn("backend %s has no method %s and is not measured", impl->name,
                 method_ids[setup->method]);
    return backend;
}

struct gpu *devices_gpu(struct devices *devices) {
    if (!devices->gpu)
        devices->gpu = gpu_create(devices->setup->options.device);
    return devices->gpu;
}
