/* OpenCL kernel of seed 002, and the memory of its device. */
#include "lab/opencl/opencl.h"
#include "opencl/opencl_device.h"
#include "render/base/clock.h"
#include "render/base/embedded.h"
#include "render/base/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 64

extern const struct embedded_file embedded_lab_opencl[];

/* Buffers in device memory, in the order of the kernel's arguments. */
enum slot { SLOT_ZX, SLOT_ZY, SLOT_CX, SLOT_CY, SLOT_DEPTHS, SLOT_FX, SLOT_FY, SLOT_COUNT };

struct lab_opencl {
    struct opencl *own;
    struct device device; /* wraps `own` */
    struct device_queue *queue;
    struct device_event *start, *stop;
    struct device_pointer slot[SLOT_COUNT]; /* kept between jobs */
    size_t slot_bytes[SLOT_COUNT];
    struct device_program *program; /* with these options */
    char options[PROGRAM_OPTIONS];
    cl_kernel kernel;
    uint32_t next;           /* index of the kernel's next argument */
    enum device_error error; /* after the first error nothing is executed */
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
    const struct devices *devices = opencl_devices_query(why);
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

static void release(struct lab_opencl *lab) {
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
    opencl_program_free(lab->own, lab->program);
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

/* Makes a slot hold at least `bytes` bytes; its contents may be lost. */
static void reserve(struct lab_opencl *lab, enum slot slot, size_t bytes) {
    if (lab->slot_bytes[slot] >= bytes)
        return;
    opencl_device.free(&lab->device, lab->slot[slot]);
    lab->slot[slot] = (struct device_pointer){0};
    TRY(lab, opencl_device.alloc(&lab->device, bytes, &lab->slot[slot]));
    lab->slot_bytes[slot] = lab->error == DEVICE_OK ? bytes : 0;
}

static void upload(struct lab_opencl *lab, enum slot slot, const void *from, size_t bytes) {
    TRY(lab, opencl_device.upload(lab->queue, lab->slot[slot], from, bytes));
}

/* Waits with clFinish; opencl/ would sleep instead. */
static void finish(struct lab_opencl *lab) {
    TRY(lab, opencl_error(lab->own->cl.Finish(lab->queue->queue)));
}

static void download(struct lab_opencl *lab, void *to, enum slot slot, size_t bytes) {
    TRY(lab, opencl_device.download(lab->queue, to, lab->slot[slot], bytes));
    finish(lab);
}

static void choose_kernel(struct lab_opencl *lab, const struct opencl_job *job) {
    static const char *const numbers[] = {
        [MFUNC_FLOAT] = "FLOAT", [MFUNC_DOUBLE] = "DOUBLE", [MFUNC_FIXED] = "FIXED"};
    char options[PROGRAM_OPTIONS];
    snprintf(options, sizeof options, "-DNUMBER_%s -DFRACTION_BITS=%d", numbers[job->number],
             MFUNC_FIXED_BITS);
    if (!lab->program || strcmp(options, lab->options) != 0) {
        opencl_program_free(lab->own, lab->program);
        lab->program = NULL;
        memcpy(lab->options, options, sizeof options);
        TRY(lab,
            opencl_program_make(lab->own, embedded_lab_opencl[0].data, options, &lab->program));
    }
    if (lab->program)
        TRY(lab, opencl_error(
                     opencl_program_kernel(lab->own, lab->program, "mfunc_kern", &lab->kernel)));
    lab->next = 0;
}

static void put(struct lab_opencl *lab, size_t size, const void *value) {
    TRY(lab, opencl_error(lab->own->cl.SetKernelArg(lab->kernel, lab->next++, size, value)));
}

static void put_number(struct lab_opencl *lab, size_t number) {
    put(lab, sizeof(uint32_t), &(uint32_t){(uint32_t)number});
}

static void launch(struct lab_opencl *lab, const struct opencl_job *job, size_t pixels,
                   struct opencl_times *times) {
    const size_t threads = THREADS;
    cl_event done = NULL;
    float passed = 0;
    choose_kernel(lab, job);
    put_number(lab, THREADS);
    put_number(lab, pixels);
    for (int slot = 0; slot < SLOT_COUNT; slot++) {
        size_t offset;
        const cl_mem memory = opencl_memory(lab->own, lab->slot[slot], &offset);
        put(lab, sizeof memory, &memory);
    }
    put_number(lab, (size_t)job->limit + 1);
    TRY(lab, opencl_device.event_record(lab->start, lab->queue));
    TRY(lab,
        opencl_keep_event(lab->queue,
                          lab->own->cl.EnqueueNDRangeKernel(lab->queue->queue, lab->kernel, 1, NULL,
                                                            &threads, &threads, 0, NULL, &done),
                          &done));
    TRY(lab, opencl_device.event_record(lab->stop, lab->queue));
    finish(lab);
    TRY(lab, opencl_device.event_ms(lab->start, lab->stop, &passed));
    times->kernel_ms += (double)passed;
    times->launches++;
}

/* Draws rows. As in the listing, inputs are uploaded and points downloaded with every launch. */
static void draw_rows(struct lab_opencl *lab, const struct opencl_job *job, size_t row, size_t rows,
                      struct opencl_times *times) {
    const size_t width = (size_t)job->width_px, number = mfunc_number_size(job->number);
    const size_t pixels = rows * width, bytes = pixels * number;
    char *c = calloc(3 * pixels, number), *re = c + bytes, *im = re + bytes; /* c: zeros */
    if (!c) {
        lab->error = DEVICE_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < pixels; i++) {
        memcpy(re + i * number, (const char *)job->re + i % width * number, number);
        memcpy(im + i * number, (const char *)job->im + (row + i / width) * number, number);
    }
    const char *const inputs[] = {c, c, re, im};
    for (int slot = 0; slot < SLOT_COUNT; slot++)
        reserve(lab, (enum slot)slot, bytes);
    for (int i = 0; i < 4; i++)
        upload(lab, (enum slot)(SLOT_ZX + i), inputs[i], bytes);
    launch(lab, job, pixels, times);
    download(lab, re, SLOT_FX, bytes);
    download(lab, im, SLOT_FY, bytes);
    const uint16_t *depth = (const uint16_t *)(const void *)c;
    download(lab, c, SLOT_DEPTHS, pixels * sizeof *depth);
    for (size_t i = 0; i < pixels; i++)
        job->count[row * width + i] = depth[i] > 0 ? depth[i] - 1u : 0;
    free(c);
}

bool lab_opencl_count(struct lab_opencl *lab, const struct opencl_job *job,
                      struct opencl_times *times) {
    const double start = clock_ms();
    const size_t height = (size_t)job->height_px;
    const size_t band = job->rows_per_launch ? (size_t)job->rows_per_launch : height;
    if (job->limit > LAB_OPENCL_LIMIT_MAX) {
        log_error("seed 002's counts end at %d, not at %u", LAB_OPENCL_LIMIT_MAX, job->limit);
        return false;
    }
    *times = (struct opencl_times){0};
    lab->error = DEVICE_OK;
    for (size_t row = 0; row < height && lab->error == DEVICE_OK; row += band)
        draw_rows(lab, job, row, height - row < band ? height - row : band, times);
    if (lab->error != DEVICE_OK)
        log_error("the OpenCL experiments cannot go on: %s", opencl_device.error_text(lab->error));
    times->total_ms = clock_ms() - start;
    return lab->error == DEVICE_OK;
}
