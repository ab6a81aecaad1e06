/* The OpenCL kernels of seed 002 and the memory of their device. */
#include "lab/opencl/opencl.h"
#include "lab/gpu/bands.h"
#include "opencl/opencl_device.h"
#include "render/base/embedded.h"
#include "render/base/log.h"
#include <stdio.h>
#include <stdlib.h>

#define GROUP_X 16
#define GROUP_Y 8

extern const struct embedded_file embedded_lab_opencl[];

struct lab_opencl {
    struct opencl *own;
    struct device device; /* with that */
    struct device_queue *queue;
    struct device_event *start, *stop;
    struct device_pointer slot[SLOT_COUNT]; /* kept from job to job */
    size_t slot_bytes[SLOT_COUNT];
    cl_kernel kernel;
    uint32_t next;           /* argument of it */
    enum device_error error; /* after the first one nothing happens */
};

/* --- the device --- */

static enum device_error open_device(struct lab_opencl *lab, int ordinal) {
    const struct device_impl *impl = &opencl_device;
    enum device_error error;
    lab->own = opencl_open(ordinal, &error);
    lab->device = (struct device){.impl = impl, .ordinal = ordinal, .own = lab->own};
    if (error != DEVICE_OK || (error = impl->queue_create(&lab->device, &lab->queue)) ||
        (error = impl->event_create(&lab->device, DEVICE_EVENT_TIME, &lab->start)))
        return error;
    return impl->event_create(&lab->device, DEVICE_EVENT_TIME, &lab->stop);
}

static int choose(const char *wanted, const char **why) {
    const struct devices *devices = opencl_devices_ask(why);
    return devices ? opencl_devices_choose(devices, wanted, !wanted, false, why) : -1;
}

struct lab_opencl *lab_opencl_create(const char *wanted, const char **why) {
    const int ordinal = choose(wanted, why);
    struct lab_opencl *lab = ordinal >= 0 ? calloc(1, sizeof *lab) : NULL;
    if (ordinal < 0)
        return NULL;
    const enum device_error error = lab ? open_device(lab, ordinal) : DEVICE_NO_MEMORY;
    if (error == DEVICE_OK)
        return lab;
    *why = opencl_device.error_text(error);
    lab_opencl_destroy(lab);
    return NULL;
}

static void release(void *device) {
    struct lab_opencl *lab = device;
    for (int i = 0; i < SLOT_COUNT; i++) {
        opencl_device.free(&lab->device, lab->slot[i]);
        lab->slot[i] = (struct device_pointer){0};
        lab->slot_bytes[i] = 0;
    }
}

void lab_opencl_destroy(struct lab_opencl *lab) {
    if (!lab)
        return;
    release(lab);
    opencl_device.event_destroy(lab->start);
    opencl_device.event_destroy(lab->stop);
    opencl_device.queue_destroy(lab->queue);
    opencl_close(lab->own);
    free(lab);
}

const char *lab_opencl_name(const struct lab_opencl *lab) {
    return lab->own->device.name;
}

/* --- a job: memory and launches --- */

#define TRY(lab, call)                                                                             \
    do                                                                                             \
        if ((lab)->error == DEVICE_OK)                                                             \
            (lab)->error = (call);                                                                 \
    while (0)

static bool worked(const struct lab_opencl *lab) {
    if (lab->error != DEVICE_OK)
        log_error("the OpenCL experiments cannot go on: %s", opencl_device.error_text(lab->error));
    return lab->error == DEVICE_OK;
}

static bool reserve(void *device, enum gpu_slot slot, size_t bytes) {
    struct lab_opencl *lab = device;
    if (lab->slot_bytes[slot] >= bytes)
        return true;
    opencl_device.free(&lab->device, lab->slot[slot]);
    lab->slot[slot] = (struct device_pointer){0};
    TRY(lab, opencl_device.alloc(&lab->device, bytes, &lab->slot[slot]));
    lab->slot_bytes[slot] = lab->error == DEVICE_OK ? bytes : 0;
    return worked(lab);
}

static bool upload(void *device, enum gpu_slot slot, const void *from, size_t bytes) {
    struct lab_opencl *lab = device;
    TRY(lab, opencl_device.upload(lab->queue, lab->slot[slot], from, bytes));
    return worked(lab);
}

/* Waits as the standard has it, where opencl/ would sleep. */
static void finish(struct lab_opencl *lab) {
    TRY(lab, opencl_error(lab->own->cl.Finish(lab->queue->queue)));
}

static bool download(void *device, void *to, enum gpu_slot slot, size_t bytes) {
    struct lab_opencl *lab = device;
    TRY(lab, opencl_device.download(lab->queue, to, lab->slot[slot], bytes));
    finish(lab);
    return worked(lab);
}

static void choose_kernel(struct lab_opencl *lab, const struct gpu_job *job) {
    static const char *const numbers[] = {
        [GPU_FLOAT] = "FLOAT", [GPU_DOUBLE] = "DOUBLE", [GPU_FIXED] = "FIXED"};
    char options[OPENCL_OPTIONS];
    snprintf(options, sizeof options, "-DNUMBER_%s -DFRACTION_BITS=%d -DMASKED_STEPS=%d",
             numbers[job->number], GPU_FIXED_BITS, GPU_MASKED_STEPS);
    pthread_mutex_lock(&lab->own->launching);
    TRY(lab, program_kernel_of(lab->own, embedded_lab_opencl[0].data, options,
                               job->program == GPU_STRIDED64  ? "mfunc_kern"
                               : job->program == GPU_MASKED32 ? "masked"
                                                              : "pixel",
                               &lab->kernel));
    pthread_mutex_unlock(&lab->own->launching); /* nobody else launches */
    lab->next = 0;
}

static void put(struct lab_opencl *lab, size_t size, const void *value) {
    TRY(lab, opencl_error(lab->own->cl.SetKernelArg(lab->kernel, lab->next++, size, value)));
}

static void put_number(struct lab_opencl *lab, size_t number) {
    put(lab, sizeof(uint32_t), &(uint32_t){(uint32_t)number});
}

static void put_slots(struct lab_opencl *lab, enum gpu_slot first, enum gpu_slot last) {
    for (int slot = first; slot <= (int)last; slot++) {
        size_t offset;
        const cl_mem memory = opencl_memory(lab->own, lab->slot[slot], &offset);
        put(lab, sizeof memory, &memory);
    }
}

/* The listing's arguments, and those of the other kernels. */
static void put_all(struct lab_opencl *lab, const struct gpu_job *job, size_t row, size_t rows,
                    bool first) {
    if (job->program == GPU_STRIDED64) {
        put_number(lab, GPU_STRIDED_THREADS);
        put_number(lab, rows * (size_t)job->width_px);
        put_slots(lab, SLOT_ZX, SLOT_CY);
        put_slots(lab, SLOT_RESULT, SLOT_RESULT);
        put_slots(lab, SLOT_FX, SLOT_FY);
        put_number(lab, (size_t)job->limit + 1);
        return;
    }
    put_number(lab, (size_t)job->width_px);
    put_number(lab, row);
    put_number(lab, rows);
    put_number(lab, job->limit);
    put_slots(lab, SLOT_RE, SLOT_RESULT);
    if (job->program == GPU_MASKED32) {
        put_number(lab, first);
        put_slots(lab, SLOT_ZX, SLOT_ZY);
        put_slots(lab, SLOT_STEPS, SLOT_LEFT);
    }
}

static bool launch(void *device, const struct gpu_job *job, size_t row, size_t rows, bool first,
                   double *ms) {
    struct lab_opencl *lab = device;
    const bool strided = job->program == GPU_STRIDED64;
    const size_t group[2] = {strided ? GPU_STRIDED_THREADS : GROUP_X, strided ? 1 : GROUP_Y};
    const size_t width = strided ? GPU_STRIDED_THREADS : (size_t)job->width_px;
    const size_t all[2] = {(width + group[0] - 1) / group[0] * group[0],
                           strided ? 1 : (rows + GROUP_Y - 1) / GROUP_Y * GROUP_Y};
    cl_event done = NULL;
    float passed = 0;
    choose_kernel(lab, job);
    put_all(lab, job, row, rows, first);
    TRY(lab, opencl_device.event_record(lab->start, lab->queue));
    TRY(lab, opencl_queued(lab->queue,
                           lab->own->cl.EnqueueNDRangeKernel(lab->queue->queue, lab->kernel, 2,
                                                             NULL, all, group, 0, NULL, &done),
                           &done));
    TRY(lab, opencl_device.event_record(lab->stop, lab->queue));
    finish(lab);
    TRY(lab, opencl_device.event_ms(lab->start, lab->stop, &passed));
    *ms += (double)passed;
    return worked(lab);
}

bool lab_opencl_count(struct lab_opencl *lab, const struct gpu_job *job, struct gpu_times *times) {
    static const struct gpu_functions functions = {reserve,  release, upload,
                                                   download, launch,  .depths = true};
    if (job->limit > LAB_OPENCL_LIMIT_MAX) {
        log_error("seed 002's counts end at %d, not at %u", LAB_OPENCL_LIMIT_MAX, job->limit);
        return false;
    }
    lab->error = DEVICE_OK;
    return gpu_run(lab, &functions, job, times);
}
