/* Host device: programs and launches. The kernels are compiled as C. */
#include "gpu/kernels/arguments.h"
#include "gpu/launch/kernel.h"
#include "render/base/clock.h"
#include "tests/gpu/host_device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct device_program {
    const struct host_kernel *kernels;
};

/* Replaces the device pointers in a kernel's arguments by addresses. */
static void resolve(const struct kernel_argument *row, char *arguments) {
    for (; row->size > 0 || row->count > 0; row++)
        for (int i = 0; i < row->count; i++) {
            struct device_pointer place;
            char *at = arguments + row->offset + i * sizeof place;
            memcpy(&place, at, sizeof place);
            void *const memory = host_at(place, 0);
            memcpy(at, &memory, sizeof memory);
        }
}

double host_run_kernel(const struct host_run *run, void *arguments) {
    resolve(run->rows, arguments);
    return (double)run->kernel(arguments, run->threads, run->thread_rows);
}

/* Returns the argument that is an OpenGL buffer, which must not be unmapped before the kernel has
 * run. */
static struct device_pointer lent_place(const struct kernel *kernel, const char *arguments) {
    struct device_pointer place, found = {0};
    for (const struct kernel_argument *row = kernel->arguments; row->size > 0 || row->count > 0;
         row++)
        for (int i = 0; i < row->count; i++) {
            memcpy(&place, arguments + row->offset + i * sizeof place, sizeof place);
            if (place.word && host_is_lent(place))
                found = place;
        }
    return found;
}

enum device_error host_program_make(struct device *device, const char *options,
                                    struct device_program **made) {
    const struct host_program *at = host_programs;
    const double ready_ms = clock_ms() + host_kernel_ms();
    (void)device;
    while (clock_ms() < ready_ms)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    while (at->options && strcmp(at->options, options) != 0)
        at++;
    if (!at->options) {
        fprintf(stderr, "host device: there is no program %s\n", options);
        abort();
    }
    *made = malloc(sizeof **made);
    if (!*made)
        abort();
    (*made)->kernels = at->kernels;
    return DEVICE_OK;
}

void host_program_free(struct device *device, struct device_program *program) {
    (void)device;
    free(program);
}

enum device_error host_launch(struct device_queue *queue, struct device_program *program,
                              const struct kernel *kernel, const void *arguments, uint32_t groups_x,
                              uint32_t groups_y) {
    const struct host_kernel *at = program->kernels;
    while (at->name && strcmp(at->name, kernel->name) != 0)
        at++;
    const struct host_run run = {at->run, kernel->arguments, groups_x * KERNEL_GROUP, groups_y};
    return host_enqueue_kernel(queue, &run, lent_place(kernel, arguments), arguments, kernel->size);
}
