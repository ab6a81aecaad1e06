/* Memory, bands and times around the OpenCL kernels of seed 002. */
#include "lab/opencl/opencl.h"
#include "opencl/opencl_device.h"
#include "render/base/clock.h"
#include "render/base/embedded.h"
#include "render/base/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRIDED_THREADS 64
#define MASKED_STEPS    32
#define GROUP_X         16
#define GROUP_Y         8

extern const struct embedded_file embedded_lab_opencl[];

enum slot {
    SLOT_RE,
    SLOT_IM,
    SLOT_COUNT,
    SLOT_ZX,
    SLOT_ZY,
    SLOT_CX,
    SLOT_CY,
    SLOT_FX,
    SLOT_FY,
    SLOT_STEPS,
    SLOT_LEFT,
    SLOTS
};

struct lab_opencl {
    struct opencl *own;
    struct device device; /* with that */
    struct device_queue *queue;
    struct device_event *start, *stop;
    struct device_pointer slot[SLOTS]; /* kept from job to job */
    size_t slot_bytes[SLOTS];
};

/* A job under way; after the first error nothing happens. */
struct run {
    struct lab_opencl *lab;
    const struct gpu_job *job;
    struct gpu_times *times;
    size_t number;              /* bytes of one */
    size_t width, height, rows; /* of the picture; of a band at most */
    void *staging;              /* for the arrays of a band */
    cl_kernel kernel;
    uint32_t next; /* argument of it */
    enum device_error error;
};

/* --- the device --- */

static enum device_error open_device(struct lab_opencl *lab, int ordinal) {
    const struct device_impl *impl = &opencl_device;
    enum device_error error;
    lab->own = opencl_open(ordinal, NULL, &error);
    lab->device = (struct device){.impl = impl, .ordinal = ordinal, .own = lab->own};
    if (error == DEVICE_OK)
        error = impl->queue_create(&lab->device, &lab->queue);
    if (error == DEVICE_OK)
        error = impl->event_create(&lab->device, DEVICE_EVENT_TIME, &lab->start);
    if (error == DEVICE_OK)
        error = impl->event_create(&lab->device, DEVICE_EVENT_TIME, &lab->stop);
    return error;
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

void lab_opencl_destroy(struct lab_opencl *lab) {
    if (!lab)
        return;
    for (int i = 0; i < SLOTS; i++)
        opencl_device.free(&lab->device, lab->slot[i]);
    opencl_device.event_destroy(lab->start);
    opencl_device.event_destroy(lab->stop);
    opencl_device.queue_destroy(lab->queue);
    opencl_close(lab->own);
    free(lab);
}

const char *lab_opencl_name(const struct lab_opencl *lab) {
    return lab->own->device.name;
}

/* --- memory --- */

static void reserve(struct run *run, enum slot slot, size_t bytes) {
    struct lab_opencl *lab = run->lab;
    if (run->error != DEVICE_OK || lab->slot_bytes[slot] >= bytes)
        return;
    opencl_device.free(&lab->device, lab->slot[slot]);
    run->error = opencl_device.alloc(&lab->device, bytes, &lab->slot[slot]);
    lab->slot_bytes[slot] = run->error == DEVICE_OK ? bytes : 0;
}

static void reserve_all(struct run *run) {
    const size_t band = run->width * run->rows;
    const bool strided = run->job->program == GPU_STRIDED64;
    reserve(run, SLOT_RE, run->width * run->number);
    reserve(run, SLOT_IM, run->rows * run->number);
    reserve(run, SLOT_COUNT, band * (strided ? sizeof(uint16_t) : sizeof(uint32_t)));
    for (int slot = SLOT_ZX; run->job->program != GPU_PIXEL && slot <= SLOT_FY; slot++)
        if (strided || slot <= SLOT_ZY)
            reserve(run, (enum slot)slot, band * run->number);
    reserve(run, SLOT_STEPS, band * sizeof(uint32_t));
    reserve(run, SLOT_LEFT, sizeof(uint32_t));
}

static void upload(struct run *run, enum slot slot, const void *from, size_t bytes) {
    if (run->error == DEVICE_OK)
        run->error = opencl_device.upload(run->lab->queue, run->lab->slot[slot], from, bytes);
}

/* Waits as the standard has it, where opencl/ would sleep. */
static void finish(struct run *run) {
    if (run->error == DEVICE_OK)
        run->error = opencl_error(run->lab->own->cl.Finish(run->lab->queue->queue));
}

static void download(struct run *run, void *to, enum slot slot, size_t bytes) {
    if (run->error == DEVICE_OK)
        run->error = opencl_device.download(run->lab->queue, to, run->lab->slot[slot], bytes);
    finish(run);
}

/* --- launches --- */

static void choose_kernel(struct run *run) {
    static const char *const numbers[] = {
        [GPU_FLOAT] = "FLOAT", [GPU_DOUBLE] = "DOUBLE", [GPU_FIXED] = "FIXED"};
    const enum gpu_program program = run->job->program;
    char options[OPENCL_OPTIONS];
    snprintf(options, sizeof options, "-DNUMBER_%s -DFRACTION_BITS=%d -DMASKED_STEPS=%d",
             numbers[run->job->number], GPU_FIXED_BITS, MASKED_STEPS);
    pthread_mutex_lock(&run->lab->own->launching);
    run->error = program_kernel_of(run->lab->own, embedded_lab_opencl[0].data, options,
                                   program == GPU_STRIDED64  ? "mfunc_kern"
                                   : program == GPU_MASKED32 ? "masked"
                                                             : "pixel",
                                   &run->kernel);
    pthread_mutex_unlock(&run->lab->own->launching); /* nobody else launches */
}

static void put(struct run *run, size_t size, const void *value) {
    if (run->error == DEVICE_OK)
        run->error =
            opencl_error(run->lab->own->cl.SetKernelArg(run->kernel, run->next++, size, value));
}

static void put_number(struct run *run, size_t number) {
    put(run, sizeof(uint32_t), &(uint32_t){(uint32_t)number});
}

static void put_slots(struct run *run, enum slot first, enum slot last) {
    for (int slot = first; slot <= (int)last; slot++) {
        size_t offset;
        const cl_mem memory = opencl_memory(run->lab->own, run->lab->slot[slot], &offset);
        put(run, sizeof memory, &memory);
    }
}

static void enqueue(struct run *run, const size_t *all, const size_t *group) {
    struct lab_opencl *lab = run->lab;
    cl_event done = NULL;
    if (run->error == DEVICE_OK)
        run->error =
            opencl_queued(lab->queue,
                          lab->own->cl.EnqueueNDRangeKernel(lab->queue->queue, run->kernel, 2, NULL,
                                                            all, group, 0, NULL, &done),
                          &done);
}

/* With the arguments that it has got. */
static void launch(struct run *run, const size_t *all, const size_t *group) {
    struct lab_opencl *lab = run->lab;
    float ms = 0;
    if (run->error == DEVICE_OK)
        run->error = opencl_device.event_record(lab->start, lab->queue);
    enqueue(run, all, group);
    if (run->error == DEVICE_OK)
        run->error = opencl_device.event_record(lab->stop, lab->queue);
    finish(run);
    if (run->error == DEVICE_OK)
        run->error = opencl_device.event_ms(lab->start, lab->stop, &ms);
    run->times->kernel_ms += (double)ms;
    run->times->launches++;
    run->next = 0;
}

/* --- bands --- */

/* An array with an entry for each pixel of the band: from a table by column or by row, or zeros. */
static void marshal(struct run *run, enum slot slot, const char *table, bool by_row, size_t rows) {
    const size_t number = run->number;
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < run->width; x++) {
            char *to = (char *)run->staging + (y * run->width + x) * number;
            if (table)
                memcpy(to, table + (by_row ? y : x) * number, number);
            else
                memset(to, 0, number);
        }
    upload(run, slot, run->staging, rows * run->width * number);
}

/* The listing's inputs go there and its outputs come back with every launch. */
static void run_strided(struct run *run, size_t row, size_t rows) {
    const size_t pixels = rows * run->width;
    const uint16_t *depth = run->staging;
    marshal(run, SLOT_ZX, NULL, false, rows);
    marshal(run, SLOT_ZY, NULL, false, rows);
    marshal(run, SLOT_CX, run->job->re, false, rows);
    marshal(run, SLOT_CY, (const char *)run->job->im + row * run->number, true, rows);
    put_number(run, STRIDED_THREADS);
    put_number(run, pixels);
    put_slots(run, SLOT_ZX, SLOT_CY);
    put_slots(run, SLOT_COUNT, SLOT_COUNT);
    put_slots(run, SLOT_FX, SLOT_FY);
    put_number(run, (size_t)run->job->limit + 1);
    launch(run, (const size_t[]){STRIDED_THREADS, 1}, (const size_t[]){STRIDED_THREADS, 1});
    download(run, run->staging, SLOT_FX, pixels * run->number);
    download(run, run->staging, SLOT_FY, pixels * run->number);
    download(run, run->staging, SLOT_COUNT, pixels * sizeof *depth);
    for (size_t i = 0; i < pixels && run->job->count; i++)
        run->job->count[row * run->width + i] = depth[i] > 0 ? depth[i] - 1u : 0;
}

static void launch_band(struct run *run, size_t rows, bool masked, bool first) {
    const size_t group[2] = {GROUP_X, GROUP_Y};
    const size_t all[2] = {(run->width + GROUP_X - 1) / GROUP_X * GROUP_X,
                           (rows + GROUP_Y - 1) / GROUP_Y * GROUP_Y};
    put_number(run, run->width);
    put_number(run, rows);
    put_number(run, run->job->limit);
    put_slots(run, SLOT_RE, SLOT_COUNT);
    if (masked) {
        put_number(run, first);
        put_slots(run, SLOT_ZX, SLOT_ZY);
        put_slots(run, SLOT_STEPS, SLOT_LEFT);
    }
    launch(run, all, group);
}

/* Batch after batch until no pixel is left. */
static void run_masked(struct run *run, size_t rows) {
    static const uint32_t zero;
    uint32_t left = 1;
    for (bool first = true; left && run->error == DEVICE_OK; first = false) {
        upload(run, SLOT_LEFT, &zero, sizeof zero);
        launch_band(run, rows, true, first);
        download(run, &left, SLOT_LEFT, sizeof left);
    }
}

static void run_band(struct run *run, size_t row, size_t rows) {
    const struct gpu_job *job = run->job;
    if (job->program == GPU_STRIDED64) {
        run_strided(run, row, rows);
        return;
    }
    upload(run, SLOT_RE, job->re, run->width * run->number);
    upload(run, SLOT_IM, (const char *)job->im + row * run->number, rows * run->number);
    if (job->program == GPU_MASKED32)
        run_masked(run, rows);
    else
        launch_band(run, rows, false, false);
    if (job->count)
        download(run, job->count + row * run->width, SLOT_COUNT,
                 rows * run->width * sizeof *job->count);
}

bool lab_opencl_count(struct lab_opencl *lab, const struct gpu_job *job, struct gpu_times *times) {
    const double begin = clock_ms();
    struct run run = {.lab = lab,
                      .job = job,
                      .times = times,
                      .number = job->number == GPU_DOUBLE ? sizeof(double) : sizeof(float),
                      .width = (size_t)job->width_px,
                      .height = (size_t)job->height_px};
    *times = (struct gpu_times){0};
    run.rows = job->rows_per_launch > 0 && job->rows_per_launch < job->height_px
                   ? (size_t)job->rows_per_launch
                   : run.height;
    if (job->limit > LAB_OPENCL_LIMIT_MAX) {
        log_error("seed 002's counts end at %d, not at %u", LAB_OPENCL_LIMIT_MAX, job->limit);
        return false;
    }
    choose_kernel(&run);
    reserve_all(&run);
    run.staging = malloc(run.width * run.rows * run.number);
    if (!run.staging)
        run.error = DEVICE_NO_MEMORY;
    for (size_t row = 0; row < run.height && run.error == DEVICE_OK; row += run.rows)
        run_band(&run, row, run.height - row < run.rows ? run.height - row : run.rows);
    free(run.staging);
    times->total_ms = clock_ms() - begin;
    if (run.error != DEVICE_OK)
        log_error("the OpenCL experiments cannot go on: %s", opencl_device.error_text(run.error));
    return run.error == DEVICE_OK;
}
