/* OpenCL device: implements gpu/device.h. A device pointer has the number of an allocation in its
 * upper bits and an offset in the lower ones. A queue stores the event of its latest command;
 * recording an event copies that event. Drivers wait by spinning, so that waits here poll and
 * sleep. */
#include "opencl/opencl_device.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OFFSET_BITS 40
#define SLEEP_NS    25000 /* [ns] shortest sleep; it doubles each time */
/* [ns] longest sleep, except the first, which is half of the usual wait */
#define SLEEP_MAX_NS 400000
#define USUAL_MAX_MS 2.0
#define TIME_TRIES   1000
#define GPU_THREADS  2048 /* [threads] estimate for a unit */
#define CPU_THREADS  128

/* Negated error numbers: the standard's for wrong calls, and NVIDIA's for faults of kernels. */
#define OTHER_ERRORS(X)                                                                            \
    X(7)                                                                                           \
    X(30) X(34) X(36) X(38) X(45) X(46) X(48) X(49) X(50) X(51) X(52) X(54) X(57) X(58) X(59) X(63)
#define NVIDIA_ILLEGAL_ACCESS 9999

/* Source of an upload until its end. */
struct opencl_staged {
    struct opencl_staged *next;
    cl_event done;
    _Alignas(16) char bytes[];
};

struct device_event {
    const struct cl *cl;
    cl_event before, after; /* events of the commands before and after the recording; NULL: none */
    bool times;
    long usual_ns;              /* [ns] duration of the last wait */
    struct device_queue *queue; /* queue whose next command sets `after`; NULL: none */
    struct device_event *next;  /* next event that waits for the same */
};

enum device_error opencl_error(int32_t error) {
    switch (error) {
    case CL_SUCCESS:
        return DEVICE_OK;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
        return DEVICE_NO_MEMORY;
    default:
        return (enum device_error)(error < 0 ? -error : error);
    }
}

static const char *error_text(enum device_error error) {
    switch ((int)error) {
    case DEVICE_NO_MEMORY:
        return "out of memory";
    case DEVICE_NOT_READY:
        return "not ready";
    case DEVICE_LOST:
        return "it was lost";
    case OPENCL_INEXACT:
        return "its arithmetic differs from that of other devices (--inexact lets it draw)";
    case -CL_DEVICE_NOT_AVAILABLE:
        return "the device is not available";
    case -CL_OUT_OF_RESOURCES:
        return "the device is out of resources";
    case -CL_BUILD_PROGRAM_FAILURE:
        return "its compiler rejects a kernel";
    case -CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
        return "an earlier command has failed";
    case NVIDIA_ILLEGAL_ACCESS:
        return "a kernel has accessed memory outside its buffers";
#define ERROR_TEXT(number)                                                                         \
    case number:                                                                                   \
        return "OpenCL's error -" #number;
        OTHER_ERRORS(ERROR_TEXT)
#undef ERROR_TEXT
    default:
        return "an OpenCL call failed";
    }
}

/* --- waiting --- */

/* Returns DEVICE_OK if the event is complete, DEVICE_NOT_READY, or an error. */
static enum device_error status_of(const struct cl *cl, cl_event event) {
    int32_t state = CL_COMPLETE;
    const int32_t error = event ? cl->GetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                   sizeof state, &state, NULL)
                                : CL_SUCCESS;
    if (error != CL_SUCCESS || state < 0)
        return opencl_error(error != CL_SUCCESS ? error : state);
    return state == CL_COMPLETE ? DEVICE_OK : DEVICE_NOT_READY;
}

/* Sleeps until the event is complete. `usual_ns` is the expected duration; 0: unknown. */
static enum device_error sleep_until(const struct cl *cl, cl_event event, long usual_ns) {
    enum device_error error;
    long ns = usual_ns / 2 > SLEEP_NS ? usual_ns / 2 : SLEEP_NS, next = ns / 2;
    while ((error = status_of(cl, event)) == DEVICE_NOT_READY) {
        nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
        ns = next < SLEEP_NS ? SLEEP_NS : next < SLEEP_MAX_NS ? next : SLEEP_MAX_NS;
        next = 2 * ns;
    }
    return error;
}

static void release(const struct cl *cl, cl_event *event) {
    if (*event)
        cl->ReleaseEvent(*event);
    *event = NULL;
}

static void assign(const struct cl *cl, cl_event *event, cl_event to) {
    if (to)
        cl->RetainEvent(to);
    release(cl, event);
    *event = to;
}

/* --- starting --- */

struct opencl *opencl_open(int ordinal, enum device_error *error) {
    struct devices devices;
    const char *why = NULL;
    int32_t code = CL_DEVICE_NOT_AVAILABLE;
    struct opencl *own = calloc(1, sizeof *own);
    *error = own ? opencl_error(code) : DEVICE_NO_MEMORY;
    if (!own)
        return NULL;
    pthread_mutex_init(&own->lock, NULL);
    pthread_mutex_init(&own->launching, NULL);
    const bool blocked = interrupt_block(true); /* drivers start threads */
    if (opencl_devices_init(&devices, &why) && ordinal < devices.count) {
        own->cl = devices.cl;
        own->device = devices.device[ordinal];
        own->context = own->cl.CreateContext(NULL, 1, &own->device.id, NULL, NULL, &code);
    }
    if (own->context)
        own->memory_queue = own->cl.CreateCommandQueue(own->context, own->device.id, 0, &code);
    interrupt_block(blocked);
    *error = own->memory_queue ? DEVICE_OK : opencl_error(code);
    if (*error == DEVICE_OK)
        return own;
    opencl_close(own);
    return NULL;
}

void opencl_close(struct opencl *own) {
    if (!own)
        return;
    if (own->memory_queue)
        own->cl.ReleaseCommandQueue(own->memory_queue);
    if (own->context)
        own->cl.ReleaseContext(own->context);
    pthread_mutex_destroy(&own->lock);
    pthread_mutex_destroy(&own->launching);
    free(own);
}

static enum device_error start(struct device *device) {
    enum device_error error;
    const char *problem;
    struct opencl *own = device->own = opencl_open(device->ordinal, &error);
    if (!own)
        return error;
    snprintf(device->name, sizeof device->name, "%s", own->device.name);
    device->threads = own->device.units * (own->device.gpu ? GPU_THREADS : CPU_THREADS);
    device->floats = !own->device.doubles;
    if (own->device.register_option)
        device->few_registers = " -cl-nv-maxrregcount=64";
    error = probe_run(own, &problem);
    device->inexact = error == (enum device_error)OPENCL_INEXACT || own->device.inexact;
    return device->any && error == (enum device_error)OPENCL_INEXACT ? DEVICE_OK : error;
}

static void stop(struct device *device) {
    opencl_close(device->own);
    device->own = NULL;
}

static void attach(const struct device *device) {
    (void)device; /* threads share contexts */
}

/* --- memory --- */

cl_mem opencl_memory(struct opencl *own, struct device_pointer place, size_t *offset) {
    const size_t number = place.word >> OFFSET_BITS;
    *offset = place.word & (((uint64_t)1 << OFFSET_BITS) - 1);
    pthread_mutex_lock(&own->lock);
    const cl_mem memory = number < OPENCL_ALLOCATIONS ? own->allocations[number].memory : NULL;
    pthread_mutex_unlock(&own->lock);
    return memory;
}

/* Returns a free number for an allocation, or 0 if none is left. The caller holds the lock. */
static size_t free_number(const struct opencl *own) {
    for (size_t i = 1; i < OPENCL_ALLOCATIONS; i++)
        if (!own->allocations[i].memory)
            return i;
    return 0;
}

/* Makes the driver allocate the memory. Drivers otherwise allocate at the first use, when a failure
 * can no longer be handled. */
static int32_t allocate_now(struct opencl *own, cl_mem memory) {
    cl_event done = NULL;
    int32_t error = own->cl.EnqueueMigrateMemObjects(
        own->memory_queue, 1, &memory, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL, &done);
    if (error == CL_SUCCESS)
        error = own->cl.Flush(own->memory_queue);
    if (error == CL_SUCCESS && sleep_until(&own->cl, done, 0) != DEVICE_OK)
        error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    release(&own->cl, &done);
    return error == CL_OUT_OF_RESOURCES ? CL_MEM_OBJECT_ALLOCATION_FAILURE : error;
}

static enum device_error alloc(struct device *device, size_t bytes,
                               struct device_pointer *pointer) {
    struct opencl *own = device->own;
    int32_t error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    *pointer = (struct device_pointer){0};
    pthread_mutex_lock(&own->lock);
    const size_t number = free_number(own);
    cl_mem memory = number > 0
                        ? own->cl.CreateBuffer(own->context, CL_MEM_READ_WRITE, bytes, NULL, &error)
                        : NULL;
    if (memory && (error = allocate_now(own, memory)) != CL_SUCCESS) {
        own->cl.ReleaseMemObject(memory);
        memory = NULL;
    }
    if (memory) {
        own->allocations[number] = (struct opencl_allocation){.memory = memory, .bytes = bytes};
        own->bytes += bytes;
        pointer->word = (uint64_t)number << OFFSET_BITS;
    }
    pthread_mutex_unlock(&own->lock);
    return memory ? DEVICE_OK : opencl_error(error);
}

/* Frees the memory; queued commands keep it until they are complete. */
static void free_memory(struct device *device, struct device_pointer pointer) {
    struct opencl *own = device->own;
    if (pointer.word == 0)
        return;
    struct opencl_allocation *allocation = &own->allocations[pointer.word >> OFFSET_BITS];
    pthread_mutex_lock(&own->lock);
    own->cl.ReleaseMemObject(allocation->memory);
    own->bytes -= allocation->bytes;
    *allocation = (struct opencl_allocation){0};
    pthread_mutex_unlock(&own->lock);
}

/* Allocates a host buffer, which drivers pin, and keeps it mapped. */
static enum device_error alloc_host(struct device *device, size_t bytes, void **memory) {
    struct opencl *own = device->own;
    int32_t error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    *memory = NULL;
    pthread_mutex_lock(&own->lock);
    const size_t number = free_number(own);
    cl_mem buffer =
        number > 0 ? own->cl.CreateBuffer(own->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                          bytes, NULL, &error)
                   : NULL;
    if (buffer)
        *memory = own->cl.EnqueueMapBuffer(own->memory_queue, buffer, 1, CL_MAP_READ_WRITE, 0,
                                           bytes, 0, NULL, NULL, &error);
    if (*memory)
        own->allocations[number] = (struct opencl_allocation){.memory = buffer, .mapped = *memory};
    else if (buffer)
        own->cl.ReleaseMemObject(buffer);
    pthread_mutex_unlock(&own->lock);
    return *memory ? DEVICE_OK : opencl_error(error);
}

static void free_host(struct device *device, void *memory) {
    struct opencl *own = device->own;
    if (!memory)
        return;
    pthread_mutex_lock(&own->lock);
    size_t number = OPENCL_ALLOCATIONS - 1;
    while (number > 0 && own->allocations[number].mapped != memory)
        number--;
    if (number > 0) {
        struct opencl_allocation *allocation = &own->allocations[number];
        own->cl.EnqueueUnmapMemObject(own->memory_queue, allocation->memory, memory, 0, NULL, NULL);
        own->cl.Finish(own->memory_queue);
        own->cl.ReleaseMemObject(allocation->memory);
        *allocation = (struct opencl_allocation){0};
    }
    pthread_mutex_unlock(&own->lock);
}

/* Estimates the free memory; other programs' memory is unknown. */
static size_t bytes_free(struct device *device) {
    struct opencl *own = device->own;
    pthread_mutex_lock(&own->lock);
    const size_t all = (size_t)own->device.memory, used = own->bytes;
    pthread_mutex_unlock(&own->lock);
    return used < all ? all - used : 0;
}

/* --- queues --- */

enum device_error opencl_keep_event(struct device_queue *queue, int32_t error, cl_event *event) {
    const struct cl *cl = &queue->own->cl;
    if (error != CL_SUCCESS)
        return opencl_error(error);
    for (struct device_event *waiting; (waiting = queue->waiting);) {
        queue->waiting = waiting->next;
        waiting->queue = NULL;
        assign(cl, &waiting->after, *event);
    }
    release(cl, &queue->last);
    queue->last = *event;
    return DEVICE_OK;
}

static void free_staged(struct device_queue *queue, bool all) {
    const struct cl *cl = &queue->own->cl;
    for (struct opencl_staged **at = &queue->staged, *one; (one = *at);) {
        if (!all && status_of(cl, one->done) == DEVICE_NOT_READY) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        release(cl, &one->done);
        free(one);
    }
}

static enum device_error queue_create(struct device *device, struct device_queue **created) {
    struct opencl *own = device->own;
    struct device_queue *queue = *created = calloc(1, sizeof *queue);
    int32_t error = CL_OUT_OF_HOST_MEMORY;
    if (!queue)
        return DEVICE_NO_MEMORY;
    queue->own = own;
    queue->queue =
        own->cl.CreateCommandQueue(own->context, own->device.id, CL_QUEUE_PROFILING_ENABLE, &error);
    if (queue->queue)
        return DEVICE_OK;
    free(queue);
    *created = NULL;
    return opencl_error(error);
}

static enum device_error queue_drain(struct device_queue *queue) {
    const struct cl *cl = &queue->own->cl;
    const enum device_error flushed = opencl_error(cl->Flush(queue->queue));
    const enum device_error error =
        flushed == DEVICE_OK ? sleep_until(cl, queue->last, 0) : flushed;
    free_staged(queue, false);
    return error;
}

static void queue_destroy(struct device_queue *queue) {
    if (!queue)
        return;
    queue_drain(queue);
    queue->own->cl.Finish(queue->queue);
    free_staged(queue, true);
    release(&queue->own->cl, &queue->last);
    queue->own->cl.ReleaseCommandQueue(queue->queue);
    free(queue);
}

static enum device_error queue_wait(struct device_queue *queue, struct device_event *event) {
    cl_event done = NULL;
    if (!event->before)
        return DEVICE_OK;
    return opencl_keep_event(
        queue, queue->own->cl.EnqueueBarrierWithWaitList(queue->queue, 1, &event->before, &done),
        &done);
}

/* --- events --- */

static enum device_error event_create(struct device *device, enum device_event_kind kind,
                                      struct device_event **event) {
    const struct opencl *own = device->own;
    *event = calloc(1, sizeof **event);
    if (!*event)
        return DEVICE_NO_MEMORY;
    (*event)->cl = &own->cl;
    (*event)->times = kind == DEVICE_EVENT_TIME;
    return DEVICE_OK;
}

/* Removes the event from the queue's waiting events, so that no later command sets `after`. */
static void stop_waiting(struct device_event *event) {
    for (struct device_event **at = event->queue ? &event->queue->waiting : NULL; at && *at;)
        if (*at == event)
            *at = event->next;
        else
            at = &(*at)->next;
    event->queue = NULL;
}

static void event_destroy(struct device_event *event) {
    if (!event)
        return;
    stop_waiting(event);
    release(event->cl, &event->before);
    release(event->cl, &event->after);
    free(event);
}

static enum device_error event_record(struct device_event *event, struct device_queue *queue) {
    stop_waiting(event);
    assign(event->cl, &event->before, queue->last);
    release(event->cl, &event->after);
    if (!event->times)
        return opencl_error(event->cl->Flush(queue->queue)); /* otherwise nothing begins */
    event->queue = queue;
    event->next = queue->waiting;
    queue->waiting = event;
    return DEVICE_OK; /* these have no waiters */
}

static enum device_error event_ready(struct device_event *event) {
    return status_of(event->cl, event->before);
}

static enum device_error event_sleep(struct device_event *event) {
    const double start = clock_ms();
    const enum device_error error = sleep_until(event->cl, event->before, event->usual_ns);
    const double usual_ms = clock_ms() - start;
    event->usual_ns = (long)((usual_ms < USUAL_MAX_MS ? usual_ms : USUAL_MAX_MS) * 1e6);
    return error;
}

/* Sets *ns to a time of the event [ns]. Another thread of the driver may supply the time shortly
 * after the event is complete. */
static int32_t time_of(const struct cl *cl, cl_event event, uint32_t property, uint64_t *ns) {
    int32_t error = CL_PROFILING_INFO_NOT_AVAILABLE;
    for (int i = 0; i < TIME_TRIES && error == CL_PROFILING_INFO_NOT_AVAILABLE; i++) {
        if (i > 0 && sleep_until(cl, event, 0) == DEVICE_OK)
            nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
        error = cl->GetEventProfilingInfo(event, property, sizeof *ns, ns, NULL);
    }
    return error;
}

/* Measures from the start of the command after `begin` to the end of the command before `end`,
 * which excludes programs compiled in between. */
static enum device_error event_ms(struct device_event *begin, struct device_event *end, float *ms) {
    const struct cl *cl = begin->cl;
    uint64_t start = 0, stop = 0;
    *ms = 0;
    if (!(begin->after || begin->before) || !end->before)
        return DEVICE_OK;
    int32_t error = begin->after ? time_of(cl, begin->after, CL_PROFILING_COMMAND_START, &start)
                                 : time_of(cl, begin->before, CL_PROFILING_COMMAND_END, &start);
    if (error == CL_SUCCESS)
        error = time_of(cl, end->before, CL_PROFILING_COMMAND_END, &stop);
    *ms = (float)((double)(int64_t)(stop - start) * 1e-6);
    return opencl_error(error);
}

/* --- copies --- */

static enum device_error fill(struct device_queue *queue, struct device_pointer to, int byte,
                              size_t bytes) {
    size_t offset;
    const cl_mem memory = opencl_memory(queue->own, to, &offset);
    const uint32_t pattern = 0x01010101u * (uint8_t)byte;
    const size_t size = (offset | bytes) % sizeof pattern == 0 ? sizeof pattern : 1;
    cl_event done = NULL;
    return opencl_keep_event(queue,
                             queue->own->cl.EnqueueFillBuffer(queue->queue, memory, &pattern, size,
                                                              offset, bytes, 0, NULL, &done),
                             &done);
}

static enum device_error upload(struct device_queue *queue, struct device_pointer to,
                                const void *from, size_t bytes) {
    const struct cl *cl = &queue->own->cl;
    size_t offset;
    const cl_mem memory = opencl_memory(queue->own, to, &offset);
    free_staged(queue, false);
    struct opencl_staged *staged = malloc(sizeof *staged + bytes);
    if (!staged)
        return DEVICE_NO_MEMORY;
    memcpy(staged->bytes, from, bytes);
    cl_event done = NULL;
    const enum device_error error =
        opencl_keep_event(queue,
                          cl->EnqueueWriteBuffer(queue->queue, memory, 0, offset, bytes,
                                                 staged->bytes, 0, NULL, &done),
                          &done);
    if (error != DEVICE_OK) {
        free(staged);
        return error;
    }
    staged->done = NULL;
    assign(cl, &staged->done, done);
    staged->next = queue->staged;
    queue->staged = staged;
    return opencl_error(cl->Flush(queue->queue));
}

static enum device_error download(struct device_queue *queue, void *to, struct device_pointer from,
                                  size_t bytes) {
    size_t offset;
    const cl_mem memory = opencl_memory(queue->own, from, &offset);
    cl_event done = NULL;
    return opencl_keep_event(queue,
                             queue->own->cl.EnqueueReadBuffer(queue->queue, memory, 0, offset,
                                                              bytes, to, 0, NULL, &done),
                             &done);
}

static enum device_error program_make(struct device *device, const char *options,
                                      struct device_program **program) {
    return opencl_program_make(device->own, NULL, options, program);
}

static void program_free(struct device *device, struct device_program *program) {
    opencl_program_free(device->own, program);
}

const struct device_impl opencl_device = {
    .name = "opencl",
    .title = "OpenCL",
    .start = start,
    .stop = stop,
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
    .program_make = program_make,
    .program_free = program_free,
    .launch = opencl_launch,
};
