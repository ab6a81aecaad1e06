/* GPU device: memory, queues, events, copies, kernels and OpenGL buffers, as a table of functions
 * that each GPU language implements once. The driver's thread and, after `attach`, the owner's
 * thread make the calls; an object is used by one thread at a time. Calls return at once unless
 * stated otherwise. A queue works in order, and waits for others only by queue_wait. */
#ifndef FATHOM_GPU_DEVICE_H
#define FATHOM_GPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values below DEVICE_NOT_READY are the implementation's; each means that the device failed. */
enum device_error {
    DEVICE_OK,
    DEVICE_NOT_READY = 1 << 16, /* not yet complete, or not yet compiled (event_ready, launch.h) */
    DEVICE_NO_MEMORY,           /* an allocation failed; the device still works */
    DEVICE_LOST,                /* another driver lost the device, or a test simulates it */
};

/* Position in device memory: an allocation and an offset in bytes, to which numbers may be added.
 * 0: none. The rest is the implementation's: an address, or upper bits that name the allocation. */
struct device_pointer {
    uint64_t word;
};

struct device_queue;
struct device_event;
struct device_program;
struct programs; /* see gpu/launch/programs.h */
struct kernel;   /* see gpu/launch/kernel.h */

enum device_event_kind {
    DEVICE_EVENT_ORDER, /* for queue_wait */
    DEVICE_EVENT_SLEEP, /* for event_ready and event_sleep */
    DEVICE_EVENT_TIME,  /* for event_ms */
};

/* May be copied after `start`: copies share the device, but each has its own OpenGL buffers. */
struct device {
    const struct device_impl *impl;
    int ordinal;
    int rank; /* priority of the queues that are created with it; 0 is the highest */
    bool any; /* accepts a device whose arithmetic is not exact */
    /* The members below are valid after `start`. */
    char name[256];
    bool inexact, floats;      /* its arithmetic is not exact; it has no doubles */
    uint32_t threads;          /* number of threads that run at a time */
    const char *few_registers; /* option of programs that need few; with a space; may be NULL */
    void *gl, *own;            /* state of gl_open; state of start and stop */
    struct programs *programs;
};

struct device_impl {
    const char *name, *title; /* on the command line; the language's name in messages */
    /* Starts the device with that ordinal for the calling thread, in about 100 ms. `stop` is also
     * called after a failed start; it may be NULL. */
    enum device_error (*start)(struct device *device);
    void (*stop)(struct device *device);
    /* Lets the calling thread use a device that has started; takes less than a microsecond. */
    void (*attach)(const struct device *device);
    const char *(*error_text)(enum device_error error); /* static; a sentence fragment */

    /* On failure, *pointer, *memory and the objects below become 0 or NULL, which may be freed.
     * Freeing may wait for the device. */
    enum device_error (*alloc)(struct device *device, size_t bytes, struct device_pointer *pointer);
    void (*free)(struct device *device, struct device_pointer pointer);
    enum device_error (*alloc_host)(struct device *device, size_t bytes,
                                    void **memory); /* pinned */
    void (*free_host)(struct device *device, void *memory);
    size_t (*bytes_free)(struct device *device); /* estimate for device memory */

    enum device_error (*queue_create)(struct device *device, struct device_queue **queue);
    void (*queue_destroy)(struct device_queue *queue);
    enum device_error (*queue_drain)(struct device_queue *queue); /* waits until it is empty */
    enum device_error (*queue_wait)(struct device_queue *queue, struct device_event *event);

    /* An event represents the work that a queue contained when the event was last recorded. */
    enum device_error (*event_create)(struct device *device, enum device_event_kind kind,
                                      struct device_event **event);
    void (*event_destroy)(struct device_event *event);
    enum device_error (*event_record)(struct device_event *event, struct device_queue *queue);
    enum device_error (*event_ready)(struct device_event *event);
    enum device_error (*event_sleep)(struct device_event *event); /* does not spin */
    enum device_error (*event_ms)(struct device_event *begin, struct device_event *end, float *ms);

    /* Copies from and to pinned memory happen when the queue reaches them. Other memory may be
     * reused as soon as `upload` returns. */
    enum device_error (*fill)(struct device_queue *queue, struct device_pointer to, int byte,
                              size_t bytes);
    enum device_error (*upload)(struct device_queue *queue, struct device_pointer to,
                                const void *from, size_t bytes);
    enum device_error (*download)(struct device_queue *queue, void *to, struct device_pointer from,
                                  size_t bytes);
    bool precompiled; /* programs are compiled when fathom is built, and must be few */
    const char *const *first_programs; /* made during the start, NULL-terminated; may be NULL */
    /* Makes a program (up to seconds) with -D options of gpu/kernels/program.h. The thread of
     * programs.c calls it. */
    enum device_error (*program_make)(struct device *device, const char *options,
                                      struct device_program **program);
    void (*program_free)(struct device *device, struct device_program *program);
    /* Launches groups_x * groups_y groups; copies the arguments. */
    enum device_error (*launch)(struct device_queue *queue, struct device_program *program,
                                const struct kernel *kernel, const void *arguments,
                                uint32_t groups_x, uint32_t groups_y);

    /* OpenGL buffers, used on the owner's thread with its context current. NULL if unsupported. */
    bool (*gl_open)(struct device *device); /* false: the context is on another device */
    void (*gl_close)(struct device *device);
    /* Maps a buffer of at least `bytes` bytes; one buffer at a time. Queues that wait for *mapped
     * may write to it. Returns false on failure; the reason is logged. */
    bool (*gl_map)(struct device *device, uint32_t buffer, size_t bytes,
                   struct device_pointer *rgba, struct device_event **mapped);
    /* Returns the mapped buffer, if any, to OpenGL. No launch in flight may write to it. */
    void (*gl_unmap)(struct device *device);
};
static inline struct device_pointer device_pointer_at(struct device_pointer pointer, size_t bytes) {
    return (struct device_pointer){pointer.word + bytes};
}

#endif
