/* A GPU that is none: gpu/device.h in host memory, so that all of gpu/ runs, and can be made to
 * fail, on any machine. Device pointers are handles with offsets, as for languages that have no
 * addresses. */
#ifndef FATHOM_TESTS_GPU_HOST_DEVICE_H
#define FATHOM_TESTS_GPU_HOST_DEVICE_H

#include "gpu/device.h"
#include "render/backend.h"
#include "tests/gpu/host_program.h"

extern const struct device_impl host_device;
extern const struct backend_impl backend_host;
extern const struct backend_impl *const host_backends[]; /* that, and the CPU's */

/* How devices behave that are opened from now on. All zeros: each queue is a thread, by the real
 * clock. */
struct host_behaviour {
    bool at_once;        /* what is queued is done before the call returns */
    double steps_per_ms; /* kernels take so long by the events' clock; 0: as long as they take */
    double start_ms;     /* starting takes that long */
    bool no_start;       /* ... and fails */
    size_t memory;       /* there is no more than that; 0: no bound */
    bool gl;             /* takes the buffers of host_gl_create */
    double kernel_ms;    /* making a program of kernels takes that long */
};
void host_behave(struct host_behaviour behaviour);

/* The call of that number from now on, of those that can fail, does; 1 is the next one. Those
 * after it fail too, but for DEVICE_NO_MEMORY, which only allocations return, and only they are
 * counted then. */
void host_fail(uint64_t call, enum device_error error);
struct host_facts {
    bool failed;             /* that has happened */
    size_t objects, bytes;   /* there are: allocations, queues and events; of device memory */
    unsigned most_in_flight; /* launches that were queued and not done at a time, */
    double longest_ms;       /* and the longest by the events' clock, */
    unsigned launches, allocations; /* and how many there were: since the last call */
};
struct host_facts host_facts(void);

/* A stand-in for an OpenGL buffer. */
uint32_t host_gl_create(size_t bytes);
const uint32_t *host_gl_contents(uint32_t buffer);
/* How often it has been given back to OpenGL so far. */
unsigned host_gl_shown(uint32_t buffer);
void host_gl_destroy(uint32_t buffer);

/* --- for its kernels --- */

/* A launch: a kernel, the rows of its arguments, and its numbers of threads. */
struct host_run {
    host_kernel_fn *kernel;
    const struct kernel_argument *rows;
    uint32_t threads, thread_rows;
};

/* Returns the memory of a place with at least so many bytes from there on, NULL for no place. Aborts if
 * it is outside of the allocation. */
void *host_at(struct device_pointer place, size_t bytes);
bool host_is_lent(struct device_pointer place);
double host_kernel_ms(void);
/* Queues a launch, with a copy of its arguments. `rgba` must not be unmapped before it has ended. */
enum device_error host_enqueue_kernel(struct device_queue *queue, const struct host_run *run,
                                      struct device_pointer rgba, const void *arguments,
                                      size_t size);
/* Runs it; replaces places in the arguments by addresses. Returns the number of steps. */
double host_run_kernel(const struct host_run *run, void *arguments);
enum device_error host_program_make(struct device *device, const char *options,
                                    struct device_program **made);
void host_program_free(struct device *device, struct device_program *program);
enum device_error host_launch(struct device_queue *queue, struct device_program *program,
                              const struct kernel *kernel, const void *arguments, uint32_t groups_x,
                              uint32_t groups_y);

/* --- for its OpenGL --- */

bool host_has_gl(void);
/* Makes memory a place for kernels, until it is taken back, when none may be using it: the
 * device aborts. */
struct device_pointer host_lend(void *memory, size_t bytes);
void host_take_back(struct device_pointer place);
bool host_gl_open(struct device *device);
void host_gl_close(struct device *device);
bool host_gl_map(struct device *device, uint32_t buffer, size_t bytes, struct device_pointer *rgba,
                 struct device_event **mapped);
void host_gl_unmap(struct device *device);

#endif
