/* Host device: implements gpu/device.h in host memory, so that scheduling is tested without a GPU.
 * Memory is from malloc, each queue is a thread, and failures occur on demand. */
#include "tests/gpu/host_device.h"
#include "cpu/cpuid.h"
#include "gpu/gpu_backend.h"
#include "render/base/clock.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OFFSET_BITS 40
#define HANDLES     1024

enum { HOST_BROKEN = 7 }; /* an error of this implementation */

struct allocation {
    char *memory;
    size_t bytes;
    bool lent;      /* not from malloc */
    unsigned users; /* operations in flight */
};

struct device_event {
    uint64_t asked, done; /* number of recordings */
    double ms;            /* [ms] time of the last finished recording */
};

/* Queued operation. */
struct operation {
    struct operation *next;
    void (*run)(struct operation *operation);
    struct device_event *event;
    uint64_t number;
    struct device_pointer place;
    void *host; /* source or destination of a copy */
    size_t bytes;
    int byte;
    struct host_run kernel;
    _Alignas(16) char arguments[];
};

struct device_queue {
    pthread_t thread;
    pthread_cond_t work;
    bool at_once, quit;
    struct operation *first, **last;
    unsigned count; /* queued or running */
};

/* Protects everything below, queues and events. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct host_behaviour behaviour;
static struct allocation allocations[HANDLES]; /* number 0 is unused */
static struct host_facts facts;
static unsigned queued, in_flight;
static double virtual_ms;
static uint64_t fail_at, calls;
static enum device_error fail_with;
static _Thread_local bool attached; /* this thread may use the device */
void host_behave(struct host_behaviour wanted) {
    pthread_mutex_lock(&lock);
    behaviour = wanted;
    pthread_mutex_unlock(&lock);
}

void host_fail(uint64_t call, enum device_error error) {
    pthread_mutex_lock(&lock);
    fail_at = call;
    fail_with = error;
    calls = 0;
    facts.failed = false;
    pthread_mutex_unlock(&lock);
}

bool host_has_gl(void) {
    pthread_mutex_lock(&lock);
    const bool gl = behaviour.gl;
    pthread_mutex_unlock(&lock);
    return gl;
}

struct host_facts host_facts(void) {
    pthread_mutex_lock(&lock);
    const struct host_facts now = facts;
    facts.most_in_flight = 0;
    facts.longest_ms = 0;
    facts.launches = facts.allocations = 0;
    pthread_mutex_unlock(&lock);
    return now;
}

/* Returns the result of a call that would otherwise succeed. The caller holds the lock. */
static enum device_error outcome(bool allocates) {
    facts.allocations += allocates;
    if (!attached)
        return DEVICE_LOST;
    if (fail_at == 0 || (fail_with == DEVICE_NO_MEMORY && !allocates))
        return DEVICE_OK;
    calls++;
    const bool now = fail_with == DEVICE_NO_MEMORY ? calls == fail_at : calls >= fail_at;
    facts.failed = facts.failed || now;
    return now ? fail_with : DEVICE_OK;
}

/* Returns the time of the events' clock. The caller holds the lock. */
static double now_ms(void) {
    return behaviour.steps_per_ms > 0 ? virtual_ms : clock_ms();
}

static void *must(void *memory) {
    if (!memory)
        abort();
    return memory;
}

/* --- memory --- */

void *host_at(struct device_pointer place, size_t bytes) {
    const size_t handle = place.word >> OFFSET_BITS;
    const size_t offset = place.word & (((uint64_t)1 << OFFSET_BITS) - 1);
    if (place.word == 0)
        return NULL;
    pthread_mutex_lock(&lock);
    const struct allocation found = handle < HANDLES ? allocations[handle] : (struct allocation){0};
    pthread_mutex_unlock(&lock);
    if (found.memory && offset + bytes <= found.bytes)
        return found.memory + offset;
    fprintf(stderr, "host device: %zu bytes from %zu on are outside allocation %zu\n", bytes,
            offset, handle);
    abort();
}

static struct allocation *allocation_of(struct device_pointer place) {
    return &allocations[place.word >> OFFSET_BITS]; /* the first has no memory */
}

/* Adds an allocation. The caller holds the lock. */
static struct device_pointer enter(char *memory, size_t bytes, bool lent) {
    size_t handle = 1;
    while (handle < HANDLES && allocations[handle].memory)
        handle++;
    if (handle == HANDLES)
        abort();
    allocations[handle] = (struct allocation){memory, bytes, lent, 0};
    facts.objects++;
    return (struct device_pointer){(uint64_t)handle << OFFSET_BITS};
}

struct device_pointer host_lend(void *memory, size_t bytes) {
    pthread_mutex_lock(&lock);
    const struct device_pointer place = enter(memory, bytes, true);
    pthread_mutex_unlock(&lock);
    return place;
}

void host_take_back(struct device_pointer place) {
    pthread_mutex_lock(&lock);
    if (allocation_of(place)->users > 0) {
        fputs("host device: memory is taken back while it is written\n", stderr);
        abort();
    }
    *allocation_of(place) = (struct allocation){0}; /* later use aborts */
    facts.objects--;
    pthread_mutex_unlock(&lock);
}

static enum device_error host_alloc(struct device *device, size_t bytes,
                                    struct device_pointer *pointer) {
    (void)device;
    *pointer = (struct device_pointer){0};
    pthread_mutex_lock(&lock);
    enum device_error error = outcome(true);
    if (error == DEVICE_OK && behaviour.memory > 0 && facts.bytes + bytes > behaviour.memory)
        error = DEVICE_NO_MEMORY;
    if (error == DEVICE_OK) {
        char *memory = must(malloc(bytes));
        memset(memory, 0xa5, bytes);
        *pointer = enter(memory, bytes, false);
        facts.bytes += bytes;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

/* Frees memory after all queues are empty, like drivers. */
static void host_free(struct device *device, struct device_pointer pointer) {
    struct allocation *allocation = &allocations[pointer.word >> OFFSET_BITS];
    (void)device;
    if (pointer.word == 0)
        return;
    host_at(pointer, allocation->bytes); /* aborts unless an allocation begins there */
    pthread_mutex_lock(&lock);
    while (queued > 0)
        pthread_cond_wait(&changed, &lock);
    if (!allocation->lent) {
        facts.bytes -= allocation->bytes;
        free(allocation->memory);
    }
    *allocation = (struct allocation){0};
    facts.objects--;
    pthread_mutex_unlock(&lock);
}

static enum device_error host_alloc_host(struct device *device, size_t bytes, void **memory) {
    (void)device;
    *memory = NULL;
    pthread_mutex_lock(&lock);
    const enum device_error error = outcome(true);
    if (error == DEVICE_OK) {
        *memory = must(malloc(bytes));
        facts.objects++;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

static void host_free_host(struct device *device, void *memory) {
    (void)device;
    pthread_mutex_lock(&lock);
    facts.objects -= memory != NULL;
    pthread_mutex_unlock(&lock);
    free(memory);
}

static size_t host_bytes_free(struct device *device) {
    (void)device;
    pthread_mutex_lock(&lock);
    const size_t left = behaviour.memory > 0 ? behaviour.memory - facts.bytes : SIZE_MAX / 2;
    pthread_mutex_unlock(&lock);
    return left;
}

/* --- queues --- */

static void perform(struct operation *operation) {
    operation->run(operation);
    pthread_mutex_lock(&lock);
    allocation_of(operation->place)->users--;
    pthread_mutex_unlock(&lock);
    free(operation);
}

static void *run_queue(void *user) {
    struct device_queue *queue = user;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!queue->first && !queue->quit)
            pthread_cond_wait(&queue->work, &lock);
        struct operation *operation = queue->first;
        if (!operation)
            break;
        queue->first = operation->next;
        if (!queue->first)
            queue->last = &queue->first;
        pthread_mutex_unlock(&lock);
        perform(operation);
        pthread_mutex_lock(&lock);
        queue->count--;
        queued--;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Queues the operation, or performs it at once. */
static enum device_error enqueue(struct device_queue *queue, struct operation operation,
                                 const void *arguments, size_t size) {
    pthread_mutex_lock(&lock);
    const enum device_error error = outcome(false);
    if (error != DEVICE_OK) {
        pthread_mutex_unlock(&lock);
        return error;
    }
    struct operation *copy = must(malloc(sizeof *copy + size));
    *copy = operation;
    if (size > 0)
        memcpy(copy->arguments, arguments, size);
    copy->next = NULL;
    if (operation.event && !operation.number)
        copy->number = ++operation.event->asked;
    allocation_of(operation.place)->users++;
    in_flight += operation.kernel.kernel != NULL;
    facts.launches += operation.kernel.kernel != NULL;
    if (in_flight > facts.most_in_flight)
        facts.most_in_flight = in_flight;
    if (!queue->at_once) {
        *queue->last = copy;
        queue->last = &copy->next;
        queue->count++;
        queued++;
        pthread_cond_signal(&queue->work);
    }
    pthread_mutex_unlock(&lock);
    if (queue->at_once) {
        perform(copy);
    }
    return DEVICE_OK;
}

static enum device_error host_queue_create(struct device *device, struct device_queue **created) {
    (void)device;
    *created = NULL;
    pthread_mutex_lock(&lock);
    const enum device_error error = outcome(false);
    const bool at_once = behaviour.at_once;
    facts.objects += error == DEVICE_OK;
    pthread_mutex_unlock(&lock);
    if (error != DEVICE_OK)
        return error;
    struct device_queue *queue = *created = must(calloc(1, sizeof *queue));
    queue->last = &queue->first;
    pthread_cond_init(&queue->work, NULL);
    queue->at_once = at_once;
    if (!at_once && pthread_create(&queue->thread, NULL, run_queue, queue) != 0)
        abort();
    return DEVICE_OK;
}

static void host_queue_destroy(struct device_queue *queue) {
    if (!queue)
        return;
    pthread_mutex_lock(&lock);
    queue->quit = true;
    facts.objects--;
    pthread_cond_signal(&queue->work);
    pthread_mutex_unlock(&lock);
    if (!queue->at_once)
        pthread_join(queue->thread, NULL);
    pthread_cond_destroy(&queue->work);
    free(queue);
}

static enum device_error host_queue_drain(struct device_queue *queue) {
    pthread_mutex_lock(&lock);
    while (queue->count > 0)
        pthread_cond_wait(&changed, &lock);
    const enum device_error error = outcome(false);
    pthread_mutex_unlock(&lock);
    return error;
}

/* --- events --- */

static enum device_error host_event_create(struct device *device, enum device_event_kind kind,
                                           struct device_event **event) {
    (void)device;
    (void)kind;
    *event = NULL;
    pthread_mutex_lock(&lock);
    const enum device_error error = outcome(false);
    if (error == DEVICE_OK) {
        *event = must(calloc(1, sizeof **event));
        facts.objects++;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

static void host_event_destroy(struct device_event *event) {
    pthread_mutex_lock(&lock);
    facts.objects -= event != NULL;
    pthread_mutex_unlock(&lock);
    free(event);
}

static void run_record(struct operation *operation) {
    struct device_event *event = operation->event;
    pthread_mutex_lock(&lock);
    event->done = operation->number > event->done ? operation->number : event->done;
    event->ms = now_ms();
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static enum device_error host_event_record(struct device_event *event, struct device_queue *queue) {
    return enqueue(queue, (struct operation){.run = run_record, .event = event}, NULL, 0);
}

static void run_wait(struct operation *operation) {
    pthread_mutex_lock(&lock);
    while (operation->event->done < operation->number)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static enum device_error host_queue_wait(struct device_queue *queue, struct device_event *event) {
    pthread_mutex_lock(&lock);
    const uint64_t number = event->asked;
    const enum device_error error = number == 0 ? outcome(false) : DEVICE_OK;
    pthread_mutex_unlock(&lock);
    if (number == 0)
        return error;
    return enqueue(queue, (struct operation){.run = run_wait, .event = event, .number = number},
                   NULL, 0);
}

static enum device_error host_event_ready(struct device_event *event) {
    pthread_mutex_lock(&lock);
    enum device_error error = outcome(false);
    if (error == DEVICE_OK && event->done < event->asked)
        error = DEVICE_NOT_READY;
    pthread_mutex_unlock(&lock);
    return error;
}

static enum device_error host_event_sleep(struct device_event *event) {
    pthread_mutex_lock(&lock);
    while (event->done < event->asked)
        pthread_cond_wait(&changed, &lock);
    const enum device_error error = outcome(false);
    pthread_mutex_unlock(&lock);
    return error;
}

static enum device_error host_event_ms(struct device_event *begin, struct device_event *end,
                                       float *ms) {
    pthread_mutex_lock(&lock);
    const enum device_error error = outcome(false);
    *ms = (float)(end->ms - begin->ms);
    pthread_mutex_unlock(&lock);
    return error;
}

/* --- copies and launches --- */

/* Copies word by word if aligned, like devices, because other threads may access the words at the
 * same time. */
static void copy(void *to, const void *from, size_t bytes) {
    if (((uintptr_t)to | (uintptr_t)from | bytes) % sizeof(uint32_t) != 0) {
        memcpy(to, from, bytes);
        return;
    }
    for (size_t i = 0; i < bytes / sizeof(uint32_t); i++)
        __atomic_store_n((uint32_t *)to + i,
                         __atomic_load_n((const uint32_t *)from + i, __ATOMIC_RELAXED),
                         __ATOMIC_RELAXED);
}

static void run_fill(struct operation *operation) {
    memset(host_at(operation->place, operation->bytes), operation->byte, operation->bytes);
}

static enum device_error host_fill(struct device_queue *queue, struct device_pointer to, int byte,
                                   size_t bytes) {
    return enqueue(queue,
                   (struct operation){.run = run_fill, .place = to, .byte = byte, .bytes = bytes},
                   NULL, 0);
}

static void run_upload(struct operation *operation) {
    copy(host_at(operation->place, operation->bytes),
         operation->host ? operation->host : operation->arguments, operation->bytes);
}

/* Copies large sources at once, because they may be reused. The small values that the scheduling
 * uploads are in pinned memory, and are read when the queue reaches them. */
static enum device_error host_upload(struct device_queue *queue, struct device_pointer to,
                                     const void *from, size_t bytes) {
    const bool later = bytes == sizeof(uint32_t);
    return enqueue(queue,
                   (struct operation){.run = run_upload,
                                      .place = to,
                                      .host = later ? (void *)(uintptr_t)from : NULL,
                                      .bytes = bytes},
                   from, later ? 0 : bytes);
}

static void run_download(struct operation *operation) {
    copy(operation->host, host_at(operation->place, operation->bytes), operation->bytes);
}

static enum device_error host_download(struct device_queue *queue, void *to,
                                       struct device_pointer from, size_t bytes) {
    return enqueue(
        queue, (struct operation){.run = run_download, .place = from, .host = to, .bytes = bytes},
        NULL, 0);
}

static void run_kernel(struct operation *operation) {
    const double start = clock_ms();
    const double steps = host_run_kernel(&operation->kernel, operation->arguments);
    pthread_mutex_lock(&lock);
    const double ms =
        behaviour.steps_per_ms > 0 ? steps / behaviour.steps_per_ms : clock_ms() - start;
    virtual_ms += ms;
    facts.longest_ms = ms > facts.longest_ms ? ms : facts.longest_ms;
    in_flight--;
    pthread_mutex_unlock(&lock);
}

enum device_error host_enqueue_kernel(struct device_queue *queue, const struct host_run *run,
                                      struct device_pointer rgba, const void *arguments,
                                      size_t size) {
    return enqueue(queue, (struct operation){.run = run_kernel, .kernel = *run, .place = rgba},
                   arguments, size);
}

bool host_is_lent(struct device_pointer place) {
    pthread_mutex_lock(&lock);
    const bool lent = allocation_of(place)->lent;
    pthread_mutex_unlock(&lock);
    return lent;
}

double host_kernel_ms(void) {
    pthread_mutex_lock(&lock);
    const double ms = behaviour.kernel_ms;
    pthread_mutex_unlock(&lock);
    return ms;
}

/* --- the device --- */

static void host_attach(const struct device *device) {
    attached = device != NULL;
}

static enum device_error host_start(struct device *device) {
    host_attach(device);
    pthread_mutex_lock(&lock);
    const double ms = behaviour.start_ms;
    const bool broken = behaviour.no_start;
    const enum device_error error = outcome(false);
    pthread_mutex_unlock(&lock);
    const time_t s = (time_t)(ms / 1e3);
    nanosleep(&(struct timespec){s, (long)((ms - (double)s * 1e3) * 1e6)}, NULL);
    snprintf(device->name, sizeof device->name, "host");
    device->threads = 256;
    return broken ? (enum device_error)HOST_BROKEN : error;
}

static const char *host_error_text(enum device_error error) {
    return error == DEVICE_NO_MEMORY ? "out of memory" : "as asked for";
}

const struct device_impl host_device = {
    .name = "host",
    .title = "The host device",
    .start = host_start,
    .attach = host_attach,
    .error_text = host_error_text,
    .alloc = host_alloc,
    .free = host_free,
    .alloc_host = host_alloc_host,
    .free_host = host_free_host,
    .bytes_free = host_bytes_free,
    .queue_create = host_queue_create,
    .queue_destroy = host_queue_destroy,
    .queue_drain = host_queue_drain,
    .queue_wait = host_queue_wait,
    .event_create = host_event_create,
    .event_destroy = host_event_destroy,
    .event_record = host_event_record,
    .event_ready = host_event_ready,
    .event_sleep = host_event_sleep,
    .event_ms = host_event_ms,
    .fill = host_fill,
    .upload = host_upload,
    .download = host_download,
    .precompiled = true,
    .program_make = host_program_make,
    .program_free = host_program_free,
    .launch = host_launch,
    .gl_open = host_gl_open,
    .gl_close = host_gl_close,
    .gl_map = host_gl_map,
    .gl_unmap = host_gl_unmap,
};

static bool host_usable(const struct backend_options *options, const char **why) {
    *why = "its orbits need a processor with fma";
    return cpu_flags(options->cpumask) & CPU_FMA;
}

static void *host_create(const struct backend_options *options) {
    return gpu_backend_create(&host_device, 0, NULL, options);
}

const struct backend_impl backend_host = {
    .name = "host",
    .automatic = true,
    .usable = host_usable,
    .create = host_create,
    GPU_BACKEND_ENTRIES,
};

extern const struct backend_impl backend_avx512, backend_avx2, backend_scalar;
const struct backend_impl *const host_backends[] = {&backend_host, &backend_avx512, &backend_avx2,
                                                    &backend_scalar, NULL};
