/* GPU device: memory, queues, events, copies, kernels and OpenGL buffers, as a table of functions
 * that each GPU language implements once.
 *
 * Calls come from the driver's thread and, after `attach`, from the owner's; each object is used by one of them at a time.
 * They return at once unless said otherwise. Work in one queue happens in its order, queues wait only if told to. */
#ifndef FATHOM_GPU_DEVICE_H
#define FATHOM_GPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Other values are the implementation's own, below DEVICE_NOT_READY; all mean that the device failed. */
enum device_error {
    DEVICE_OK,
    DEVICE_NOT_READY = 1 << 16, /* of event_ready, and of launches (launch.h): not yet */
    DEVICE_NO_MEMORY,           /* of allocations: the device goes on without */
    DEVICE_TAKEN_AWAY,          /* what tests pretend */
};

/* A place in device memory: an allocation's handle, and an offset in bytes, in one word. Adding to it moves within the
 * allocation, all else is the implementation's: an address, or a number in the upper bits. 0 is no place. */
struct device_pointer {
    uint64_t word;
};

struct device_queue;
struct device_event;
struct device_program;
struct programs; /* gpu/launch/programs.h */
struct kernel;   /* gpu/launch/kernel.h */

enum device_event_kind {
    DEVICE_EVENT_ORDER, /* for queue_wait */
    DEVICE_EVENT_SLEEP, /* for event_ready and event_sleep */
    DEVICE_EVENT_TIME,  /* for event_ms */
};

/* Copies of one that has started are it, too, each with OpenGL buffers of its own. */
struct device {
    const struct device_impl *impl;
    int ordinal;
    int rank; /* of the queues that are created with it: the lower the more urgent, from 0 */
    bool any; /* also one whose arithmetic is not exact */
    /* Known once it has started: */
    char name[256];
    bool inexact, floats; /* it is not; it has no doubles */
    uint32_t threads;     /* as many as it runs at a time */
    void *gl;             /* of gl_open */
    void *own;            /* of start and stop */
    struct programs *programs;
};

struct device_impl {
    const char *name, *title; /* of its backend; of its language, in sentences */
    /* Starts the device of that ordinal for the calling thread; about 100 ms. `stop` also follows a
     * failed start; it may be NULL. */
    enum device_error (*start)(struct device *device);
    void (*stop)(struct device *device);
    /* Lets the calling thread use a device that has started. */
    void (*attach)(const struct device *device);
    const char *(*error_text)(enum device_error error); /* static, a sentence fragment */

    /* On failure *pointer, *memory and the objects below are 0 and NULL, which may be freed.
     * Freeing may wait for the device. */
    enum device_error (*alloc)(struct device *device, size_t bytes, struct device_pointer *pointer);
    void (*free)(struct device *device, struct device_pointer pointer);
    enum device_error (*alloc_host)(struct device *device, size_t bytes,
                                    void **memory); /* pinned */
    void (*free_host)(struct device *device, void *memory);
    size_t (*bytes_free)(struct device *device); /* in device memory, about */

    enum device_error (*queue_create)(struct device *device, struct device_queue **queue);
    void (*queue_destroy)(struct device_queue *queue);
    enum device_error (*queue_settle)(struct device_queue *queue); /* waits until it is empty */
    enum device_error (*queue_wait)(struct device_queue *queue, struct device_event *event);

    /* An event stands for what was in a queue when it was recorded there last. */
    enum device_error (*event_create)(struct device *device, enum device_event_kind kind,
                                      struct device_event **event);
    void (*event_destroy)(struct device_event *event);
    enum device_error (*event_record)(struct device_event *event, struct device_queue *queue);
    enum device_error (*event_ready)(struct device_event *event);
    enum device_error (*event_sleep)(struct device_event *event); /* until ready, no spinning */
    enum device_error (*event_ms)(struct device_event *begin, struct device_event *end, float *ms);

    /* Copies from and to pinned memory take place when the queue gets there; other memory may be
     * used again as soon as an upload returns. */
    enum device_error (*fill)(struct device_queue *queue, struct device_pointer to, int byte,
                              size_t bytes);
    enum device_error (*upload)(struct device_queue *queue, struct device_pointer to,
                                const void *from, size_t bytes);
    enum device_error (*download)(struct device_queue *queue, void *to, struct device_pointer from,
                                  size_t bytes);
    bool ahead;               /* programs are compiled when fathom is built, so there are few */
    const char *const *first; /* programs made at the start, NULL-terminated; NULL: none */
    /* `options`: of gpu/kernels/program.h. Takes up to seconds, on a thread of its own. */
    enum device_error (*program_make)(struct device *device, const char *options,
                                      struct device_program **program);
    void (*program_free)(struct device *device, struct device_program *program);
    /* Launches groups_x * groups_y groups; copies the arguments. */
    enum device_error (*launch)(struct device_queue *queue, struct device_program *program,
                                const struct kernel *kernel, const void *arguments,
                                uint32_t groups_x, uint32_t groups_y);

    /* OpenGL buffers, on the owner's thread with its context current; NULL where there are none. */
    bool (*gl_open)(struct device *device); /* false: the context is not this device's */
    void (*gl_close)(struct device *device);
    /* Maps a buffer of at least that size, the only one at a time. Queues that wait for *mapped may
     * write to it. False: logged why. */
    bool (*gl_map)(struct device *device, uint32_t buffer, size_t bytes,
                   struct device_pointer *rgba, struct device_event **mapped);
    /* Gives it back to OpenGL; nothing that writes to it is in flight. Not mapped: does nothing. */
    void (*gl_unmap)(struct device *device);
};
static inline struct device_pointer device_pointer_at(struct device_pointer pointer, size_t bytes) {
    return (struct device_pointer){pointer.word + bytes};
}

#endif
