/* Backends and the GPU, opened when first needed and kept for the whole run. */
#ifndef FATHOM_LAB_BENCH_DEVICES_H
#define FATHOM_LAB_BENCH_DEVICES_H

#include "lab/bench/gpu.h"
#include "lab/bench/setup.h"

#define DEVICES_MAX 16

struct devices {
    const struct bench_setup *setup;
    struct device_open {
        const struct backend_impl *impl;
        int threads;
        struct backend *backend;
    } open[DEVICES_MAX];
    int count;
    struct gpu *gpu; /* NULL: not opened */
};

/* Opens nothing; pairs with devices_finish. `setup` is only lent. */
void devices_init(struct devices *devices, const struct bench_setup *setup);
void devices_finish(struct devices *devices);

/* The backend on so many threads. NULL: it does not open, logged why. Warns once when it lacks the
 * method that is to be measured. */
struct backend *devices_backend(struct devices *devices, const struct backend_impl *impl,
                                int threads);
/* NULL: logged why. */
struct gpu *devices_gpu(struct devices *devices);

#endif
