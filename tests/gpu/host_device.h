/* Host device: implements gpu/device.h in host memory, so that gpu/ runs, and can be made to fail,
 * on any machine. Device pointers are handles with offsets, as in languages without addresses. */
#ifndef FATHOM_TESTS_GPU_HOST_DEVICE_H
#define FATHOM_TESTS_GPU_HOST_DEVICE_H

#include "gpu/device.h"
#include "render/backend.h"
#include "tests/gpu/host_program.h"

extern const struct device_impl host_device;
extern const struct backend_impl backend_host;
extern const struct backend_impl *const host_backends[]; /* the host device and the CPU backends */

/* Behaviour of devices that are opened later. If all members are 0, each queue is a thread, and the
 * clock is real. */
struct host_behaviour {
    bool at_once;        /* operations are complete before the call returns */
    double steps_per_ms; /* speed of kernels by the events' clock; 0: real */
    double start_ms;     /* [ms] duration of the start */
    bool no_start;       /* the start fails */
    size_t memory;       /* [bytes] limit; 0: none */
    bool gl;             /* supports the buffers of host_gl_create */
    double kernel_ms;    /* [ms] duration of making a program */
};
void host_behave(struct host_behaviour behaviour);

/* Makes call number `call`, counted from now on, fail; 1 is the next call that can fail. Later
 * calls fail too. With DEVICE_NO_MEMORY, only that call fails, and only allocations are counted. */
void host_fail(uint64_t call, enum device_error error);
struct host_facts {
    bool failed;             /* the failure has occurred */
    size_t objects, bytes;   /* existing allocations, queues and events; [bytes] device memory */
    unsigned most_in_flight; /* maximum launches in flight since the last call */
    double longest_ms;       /* [ms] longest launch by the events' clock since the last call */
    unsigned launches, allocations; /* numbers since the last call */
};
struct host_facts host_facts(void);

/* Creates a substitute for an OpenGL buffer. */
uint32_t host_gl_create(size_t bytes);
const uint32_t *host_gl_contents(uint32_t buffer);
/* Returns how often the buffer has been returned to OpenGL. */
unsigned host_gl_shown(uint32_t buffer);
void host_gl_destroy(uint32_t buffer);

/* --- for host_kernels.c --- */

/* Launch: a kernel, the rows of its arguments, and its numbers of threads. */
struct host_run {
    host_kernel_fn *kernel;
    const struct kernel_argument *rows;
    uint32_t threads, thread_rows;
};

/* Returns the memory of a device pointer, or NULL for 0. Aborts if `bytes` bytes from there are not
 * within the allocation. */
void *host_at(struct device_pointer place, size_t bytes);
bool host_is_lent(struct device_pointer place);
double host_kernel_ms(void);
/* Queues a launch, and copies its arguments. `rgba` must remain mapped until the launch ends. */
enum device_error host_enqueue_kernel(struct device_queue *queue, const struct host_run *run,
                                      struct device_pointer rgba, const void *arguments,
                                      size_t size);
/* Runs a launch, and replaces device pointers in the arguments by addresses. Returns the number of
 * steps. */
double host_run_kernel(const struct host_run *run, void *arguments);
enum device_error host_program_make(struct device *device, const char *options,
                                    struct device_program **made);
void host_program_free(struct device *device, struct device_program *program);
enum device_error host_launch(struct device_queue *queue, struct device_program *program,
                              const struct kernel *kernel, const void *arguments, uint32_t groups_x,
                              uint32_t groups_y);

/* --- for host_gl.c --- */

bool host_has_gl(void);
/* Makes memory accessible to kernels until it is taken back. Aborts if a kernel uses it at that
 * time. */
struct device_pointer host_lend(void *memory, size_t bytes);
void host_take_back(struct device_pointer place);
bool host_gl_open(struct device *device);
void host_gl_close(struct device *device);
bool host_gl_map(struct device *device, uint32_t buffer, size_t bytes, struct device_pointer *rgba,
                 struct device_event **mapped);
void host_gl_unmap(struct device *device);

#endif
