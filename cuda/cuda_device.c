/* Choosing a device, starting it, and telling about them all. */
#include "cuda/cuda_device.h"
#include "cuda/cuda_backend.h"
#include "gpu/density/cell_bounds.h"
#include "gpu/density/paint.h"
#include "gpu/escape/pixels.h"
#include <stdio.h>

#define VERSION_FORMAT "%d.%d"
#define VERSION_OF(v)  (v) / 1000, (v) % 1000 / 10

static int attribute(int ordinal, enum cudaDeviceAttr which) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess ? value : 0;
}

static int capability(int ordinal) {
    return 10 * attribute(ordinal, cudaDevAttrComputeCapabilityMajor) +
           attribute(ordinal, cudaDevAttrComputeCapabilityMinor);
}

/* The number of devices; 0 with a reason. */
static int count_devices(const char **why) {
    int count = 0, driver = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0)
        return count;
    cudaGetLastError();
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        *why = "no NVIDIA driver";
    else if (error == cudaErrorInsufficientDriver)
        *why = "the NVIDIA driver is too old for this CUDA version ('fathom info' shows both)";
    else if (error == cudaErrorNoDevice || error == cudaSuccess)
        *why = "no CUDA device";
    else
        *why = cudaGetErrorString(error);
    return 0;
}

/* Multiprocessors times clock: good enough to tell cards of one machine apart. */
static double speed(int ordinal) {
    const double clock = attribute(ordinal, cudaDevAttrClockRate);
    return attribute(ordinal, cudaDevAttrMultiProcessorCount) * (clock > 0 ? clock : 1);
}

int cuda_device_choose(int wanted, const char **why) {
    const int count = count_devices(why);
    if (count == 0)
        return -1;
    if (wanted >= count) {
        *why = "there is no device of that number; 'fathom info' lists them";
        return -1;
    }
    int best = -1;
    for (int i = 0; i < count; i++) {
        const bool asked_for = wanted < 0 || wanted == i;
        if (asked_for && capability(i) >= iterate_lowest_capability() &&
            (best < 0 || speed(i) > speed(best)))
            best = i;
    }
    if (best < 0)
        *why = "the GPU is older than this program was built for";
    return best;
}

cudaError_t device_start(struct device *device, int ordinal) {
    struct cudaDeviceProp properties;
    device->ordinal = ordinal;
    cudaError_t error = cudaSetDevice(ordinal);
    if (error == cudaSuccess)
        error = cudaFree(NULL); /* makes the context */
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, ordinal);
    if (error == cudaSuccess)
        error = iterate_load();
    if (error == cudaSuccess)
        error = pixels_load();
    if (error == cudaSuccess)
        error = points_load();
    if (error == cudaSuccess)
        error = cell_bounds_load();
    if (error == cudaSuccess)
        error = paint_load();
    if (error != cudaSuccess)
        return error;
    snprintf(device->name, sizeof device->name, "%s", properties.name);
    device->threads =
        (uint32_t)(properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor);
    return cudaSuccess;
}

static void describe_device(int ordinal, char *text, size_t size) {
    struct cudaDeviceProp p;
    const cudaError_t error = cudaGetDeviceProperties(&p, ordinal);
    if (error == cudaSuccess)
        snprintf(text, size,
                 "device %d: %s, %d multiprocessors, %.1f GiB, compute capability %d.%d%s", ordinal,
                 p.name, p.multiProcessorCount, (double)p.totalGlobalMem / 1073741824, p.major,
                 p.minor, capability(ordinal) < iterate_lowest_capability() ? " (too old)" : "");
    else
        snprintf(text, size, "device %d: %s", ordinal, cudaGetErrorString(error));
}

void cuda_describe(void (*line)(void *user, const char *text), void *user) {
    char text[400];
    const char *why = NULL;
    int driver = 0, runtime = 0;
    cudaRuntimeGetVersion(&runtime);
    const int count = count_devices(&why);
    cudaDriverGetVersion(&driver);
    if (driver > 0)
        snprintf(text, sizeof text, "runtime " VERSION_FORMAT ", driver for up to " VERSION_FORMAT,
                 VERSION_OF(runtime), VERSION_OF(driver));
    else
        snprintf(text, sizeof text, "runtime " VERSION_FORMAT, VERSION_OF(runtime));
    line(user, text);
    if (count == 0)
        line(user, why);
    for (int i = 0; i < count; i++) {
        describe_device(i, text, sizeof text);
        line(user, text);
    }
}
