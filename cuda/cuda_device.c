/* CUDA device: implements gpu/device.h with the CUDA runtime, chooses a device and describes all
 * devices. A device pointer is an address, a queue is a stream, and an event is a CUDA event. */
#include "cuda/cuda_device.h"
#include "cuda/cuda_backend.h"
#include "cuda/interop.h"
#include "cuda/program.h"
#include "gpu/device_choice.h"
#include "gpu/gpu_backend.h"
#include "gpu/turns.h"
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

/* Returns the number of devices. If it is 0, sets *why to the reason. */
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

/* Estimates speed as multiprocessors times clock, which is enough to compare cards of one
 * machine. */
static double speed(int ordinal) {
    const double clock = attribute(ordinal, cudaDevAttrClockRate);
    return attribute(ordinal, cudaDevAttrMultiProcessorCount) * (clock > 0 ? clock : 1);
}

/* Compares the device with `wanted`. Queries the properties, which takes milliseconds, only if a
 * device is named. */
static bool is_wanted(const char *wanted, int ordinal, int count) {
    struct cudaDeviceProp p = {.name = ""};
    if (wanted && cudaGetDeviceProperties(&p, ordinal) != cudaSuccess)
        cudaGetLastError();
    return device_is_wanted(wanted, ordinal, count, p.name);
}

int cuda_device_choose(const char *wanted, const char **why) {
    const int count = count_devices(why);
    if (count == 0)
        return -1;
    int best = -1;
    const char *problem = DEVICE_UNKNOWN;
    for (int i = 0; i < count; i++) {
        if (!is_wanted(wanted, i, count))
            continue;
        if (capability(i) < CUDA_LOWEST_CAPABILITY)
            problem = "the GPU is older than this program was built for";
        else if (best < 0 || speed(i) > speed(best))
            best = i;
    }
    if (best < 0)
        *why = problem;
    return best;
}

static void describe_device(int ordinal, char *text, size_t size) {
    struct cudaDeviceProp p;
    const cudaError_t error = cudaGetDeviceProperties(&p, ordinal);
    if (error == cudaSuccess)
        snprintf(text, size,
                 "device %d: %s, %d multiprocessors, %.1f GiB, compute capability %d.%d%s", ordinal,
                 p.name, p.multiProcessorCount, (double)p.totalGlobalMem / 1073741824, p.major,
                 p.minor, capability(ordinal) < CUDA_LOWEST_CAPABILITY ? " (too old)" : "");
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

/* --- gpu/device.h --- */

_Static_assert(sizeof(struct device_pointer) == sizeof(void *), "kernels take it for a pointer");

/* Programs of the first picture, which are loaded during the start. */
static const char *const first_programs[] = {
    "-DPIXELS",
    "-DITERATE -DFORMULA=0 -DNUMBER_FLOAT -DCYCLE=1",
    "-DITERATE -DFORMULA=0 -DNUMBER_FLOAT -DCYCLE=0",
    "-DITERATE -DFORMULA=0 -DNUMBER_DOUBLE -DCYCLE=1",
    "-DITERATE -DFORMULA=0 -DNUMBER_DOUBLE -DCYCLE=0",
    NULL,
};

static enum device_error start(struct device *device) {
    struct cudaDeviceProp properties;
    cudaError_t error = cudaSetDevice(device->ordinal);
    if (error == cudaSuccess)
        error = cudaFree(NULL); /* creates the context */
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, device->ordinal);
    if (error != cudaSuccess)
        return cuda_device_error(error);
    snprintf(device->name, sizeof device->name, "%s", properties.name);
    device->threads =
        (uint32_t)(properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor);
    return DEVICE_OK;
}

static void attach(const struct device *device) {
    cudaSetDevice(device->ordinal);
}

static const char *error_text(enum device_error error) {
    return cudaGetErrorString(error == DEVICE_NO_MEMORY   ? cudaErrorMemoryAllocation
                              : error == DEVICE_NOT_READY ? cudaErrorNotReady
                              : error == DEVICE_LOST      ? cudaErrorDevicesUnavailable
                                                          : (cudaError_t)error);
}

/* Clears the runtime's error state, so that no later launch reports a failed allocation again. */
static enum device_error allocated(cudaError_t error) {
    if (error != cudaSuccess)
        cudaGetLastError();
    return cuda_device_error(error);
}

static enum device_error alloc(struct device *device, size_t bytes,
                               struct device_pointer *pointer) {
    void *memory = NULL;
    (void)device;
    const cudaError_t error = cudaMalloc(&memory, bytes);
    pointer->word = error == cudaSuccess ? (uintptr_t)memory : 0;
    return allocated(error);
}

static void free_memory(struct device *device, struct device_pointer pointer) {
    (void)device;
    cudaFree((void *)(uintptr_t)pointer.word);
}

static enum device_error alloc_host(struct device *device, size_t bytes, void **memory) {
    (void)device;
    *memory = NULL;
    return allocated(cudaMallocHost(memory, bytes));
}

static void free_host(struct device *device, void *memory) {
    (void)device;
    cudaFreeHost(memory);
}

static size_t bytes_free(struct device *device) {
    size_t available = 0, total = 0;
    (void)device;
    cudaMemGetInfo(&available, &total);
    return available;
}

static enum device_error queue_create(struct device *device, struct device_queue **queue) {
    int least = 0, most = 0;
    cudaDeviceGetStreamPriorityRange(&least, &most);
    const int priority = least - (TURNS_RANKS - 1 - device->rank);
    return cuda_device_error(cudaStreamCreateWithPriority(
        (cudaStream_t *)queue, cudaStreamNonBlocking, priority > most ? priority : most));
}

static void queue_destroy(struct device_queue *queue) {
    if (queue)
        cudaStreamDestroy((cudaStream_t)queue);
}

static enum device_error queue_drain(struct device_queue *queue) {
    return cuda_device_error(cudaStreamSynchronize((cudaStream_t)queue));
}

static enum device_error queue_wait(struct device_queue *queue, struct device_event *event) {
    return cuda_device_error(cudaStreamWaitEvent((cudaStream_t)queue, (cudaEvent_t)event, 0));
}

static enum device_error event_create(struct device *device, enum device_event_kind kind,
                                      struct device_event **event) {
    const unsigned flags = kind == DEVICE_EVENT_TIME ? cudaEventDefault
                           : kind == DEVICE_EVENT_SLEEP
                               ? cudaEventDisableTiming | cudaEventBlockingSync
                               : cudaEventDisableTiming;
    (void)device;
    return cuda_device_error(cudaEventCreateWithFlags((cudaEvent_t *)event, flags));
}

static void event_destroy(struct device_event *event) {
    if (event)
        cudaEventDestroy((cudaEvent_t)event);
}

static enum device_error event_record(struct device_event *event, struct device_queue *queue) {
    return cuda_device_error(cudaEventRecord((cudaEvent_t)event, (cudaStream_t)queue));
}

static enum device_error event_ready(struct device_event *event) {
    return cuda_device_error(cudaEventQuery((cudaEvent_t)event));
}

static enum device_error event_sleep(struct device_event *event) {
    return cuda_device_error(cudaEventSynchronize((cudaEvent_t)event));
}

static enum device_error event_ms(struct device_event *begin, struct device_event *end, float *ms) {
    return cuda_device_error(cudaEventElapsedTime(ms, (cudaEvent_t)begin, (cudaEvent_t)end));
}

static enum device_error fill(struct device_queue *queue, struct device_pointer to, int byte,
                              size_t bytes) {
    return cuda_device_error(
        cudaMemsetAsync((void *)(uintptr_t)to.word, byte, bytes, (cudaStream_t)queue));
}

static enum device_error upload(struct device_queue *queue, struct device_pointer to,
                                const void *from, size_t bytes) {
    return cuda_device_error(cudaMemcpyAsync((void *)(uintptr_t)to.word, from, bytes,
                                             cudaMemcpyHostToDevice, (cudaStream_t)queue));
}

static enum device_error download(struct device_queue *queue, void *to, struct device_pointer from,
                                  size_t bytes) {
    return cuda_device_error(cudaMemcpyAsync(to, (const void *)(uintptr_t)from.word, bytes,
                                             cudaMemcpyDeviceToHost, (cudaStream_t)queue));
}

const struct device_impl cuda_device = {
    .name = "cuda",
    .title = "CUDA",
    .start = start,
    .attach = attach,
    .error_text = error_text,
    .alloc = alloc,
    .free = free_memory,
    .alloc_host = alloc_host,
    .free_host = free_host,
    .bytes_free = bytes_free,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .queue_drain = queue_drain,
    .queue_wait = queue_wait,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_ready = event_ready,
    .event_sleep = event_sleep,
    .event_ms = event_ms,
    .fill = fill,
    .upload = upload,
    .download = download,
    .precompiled = true,
    .first_programs = first_programs,
    .program_make = cuda_program_make,
    .program_free = cuda_program_free,
    .launch = cuda_launch,
    .gl_open = interop_open,
    .gl_close = interop_close,
    .gl_map = interop_map,
    .gl_unmap = interop_unmap,
};

/* --- the backend --- */

static bool usable(const struct backend_options *options, const char **why) {
    return cuda_device_choose(options->device, why) >= 0;
}

static void *create(const struct backend_options *options) {
    const char *why = NULL;
    const int ordinal = cuda_device_choose(options->device, &why);
    return gpu_backend_create(&cuda_device, ordinal, why, options);
}

const struct backend_impl backend_cuda = {
    .name = "cuda",
    .automatic = true,
    .gpu = true,
    .usable = usable,
    .create = create,
    GPU_BACKEND_ENTRIES,
};
