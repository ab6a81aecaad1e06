/* Probe: runs arithmetic on a device that reveals contraction, flushed denormals and inexact
 * division, and compares it with the host's. */
#include "opencl/opencl_device.h"
#include "render/sample.h"
#include <stdlib.h>
#include <string.h>

#define LOGARITHMS 65536u
#define STEP       (0x00800000u / LOGARITHMS)
#define GROUPS     8192u /* groups of four numbers */

/* Input and output numbers of either type. */
union probe_numbers {
    uint32_t words[8 * GROUPS];
    float floats[4 * GROUPS];
    double doubles[4 * GROUPS];
};

struct probe {
    struct opencl *own;
    struct device device; /* device whose `own` is the member above */
    struct device_program *program;
    struct device_queue *queue;
    struct device_pointer from, to;
    union probe_numbers in, out;
};

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state ^ *state >> 29;
}

/* Makes numbers with random bits, numbers near 1, whose sums and products affect each other, and
 * numbers with denormal products. */
static void make_floats(float *to) {
    uint64_t state = 20261126;
    for (uint32_t i = 0; i < 4 * GROUPS; i++) {
        const uint32_t bits = (uint32_t)next_random(&state), kind = i / 4 % 3;
        const uint32_t exponent = kind == 1 ? 127 : 50 + (bits >> 23 & 15);
        to[i] = bits_float(kind == 0 ? bits : (bits & 0x807fffffu) | exponent << 23);
    }
}

static void make_doubles(double *to) {
    uint64_t state = 20261127;
    for (uint32_t i = 0; i < 4 * GROUPS; i++) {
        const uint64_t bits = next_random(&state);
        const uint32_t kind = i / 4 % 3;
        const uint64_t exponent = kind == 1 ? 1023 : 485 + (bits >> 52 & 15);
        to[i] = bits_double(kind == 0 ? bits : (bits & 0x800fffffffffffffu) | exponent << 52);
    }
}

/* Runs a kernel with `threads` threads, which fills probe->out from probe->in. */
static enum device_error run_kernel(struct probe *probe, const char *name, size_t threads,
                                    uint32_t step) {
    const struct device_impl *impl = probe->device.impl;
    struct opencl *own = probe->own;
    const cl_mem memory[2] = {opencl_memory(own, probe->from, &(size_t){0}),
                              opencl_memory(own, probe->to, &(size_t){0})};
    cl_kernel kernel;
    cl_event done = NULL;
    enum device_error error = impl->upload(probe->queue, probe->from, &probe->in, sizeof probe->in);
    pthread_mutex_lock(&own->launching);
    if (error == DEVICE_OK)
        error = opencl_error(opencl_program_kernel(own, probe->program, name, &kernel));
    if (error == DEVICE_OK)
        error =
            opencl_error(step > 0 ? own->cl.SetKernelArg(kernel, 1, sizeof step, &step)
                                  : own->cl.SetKernelArg(kernel, 0, sizeof memory[0], &memory[0]));
    if (error == DEVICE_OK)
        error = opencl_error(
            own->cl.SetKernelArg(kernel, step > 0 ? 0 : 1, sizeof memory[1], &memory[1]));
    if (error == DEVICE_OK)
        error = opencl_keep_event(probe->queue,
                                  own->cl.EnqueueNDRangeKernel(probe->queue->queue, kernel, 1, NULL,
                                                               &threads, NULL, 0, NULL, &done),
                                  &done);
    pthread_mutex_unlock(&own->launching);
    if (error == DEVICE_OK)
        error = impl->download(probe->queue, &probe->out, probe->to, sizeof probe->out);
    return error == DEVICE_OK ? impl->queue_drain(probe->queue) : error;
}

static bool same_float(float a, float b) {
    return float_bits(a) == float_bits(b) || (a != a && b != b);
}

static bool same_double(double a, double b) {
    return double_bits(a) == double_bits(b) || (a != a && b != b);
}

static bool right_logarithms(const struct probe *probe) {
    for (uint32_t i = 0; i < LOGARITHMS; i++)
        if (probe->out.words[i] != float_bits(sample_log2(bits_float(0x3f800000u + i * STEP))))
            return false;
    return true;
}

static bool right_floats(const struct probe *probe) {
    for (uint32_t i = 0; i < 4 * GROUPS; i += 4) {
        const float *in = probe->in.floats + i, *out = probe->out.floats + i;
        const float ab = in[0] * in[1], cd = in[2] * in[3];
        if (!same_float(out[0], float_fma(in[0], in[1], in[2])) ||
            !same_float(out[1], ab + in[2]) || !same_float(out[2], ab - cd) ||
            !same_float(out[3], __builtin_sqrtf(__builtin_fabsf(in[0])) / in[1]))
            return false;
    }
    return true;
}

static bool right_doubles(const struct probe *probe) {
    for (uint32_t i = 0; i < 4 * GROUPS; i += 4) {
        const double *in = probe->in.doubles + i, *out = probe->out.doubles + i;
        const double ab = in[0] * in[1], cd = in[2] * in[3];
        if (!same_double(out[0], double_fma(in[0], in[1], in[2])) ||
            !same_double(out[1], ab + in[2]) || !same_double(out[2], ab - cd) ||
            !same_double(out[3], double_sqrt(double_abs(in[0])) / in[1]))
            return false;
    }
    return true;
}

/* Runs all tests. Leaves *problem NULL if all results are right. */
static enum device_error run_tests(struct probe *probe, const char **problem) {
    enum device_error error = run_kernel(probe, "probe_log2", LOGARITHMS, STEP);
    if (error == DEVICE_OK && !right_logarithms(probe))
        *problem = "it rounds divisions of floats in its own way";
    make_floats(probe->in.floats);
    if (error == DEVICE_OK && !*problem)
        error = run_kernel(probe, "probe_float", GROUPS, 0);
    if (error == DEVICE_OK && !*problem && !right_floats(probe))
        *problem = "it rounds floats in its own way";
    make_doubles(probe->in.doubles);
    if (error == DEVICE_OK && !*problem && probe->own->device.doubles)
        error = run_kernel(probe, "probe_double", GROUPS, 0);
    if (error == DEVICE_OK && !*problem && probe->own->device.doubles && !right_doubles(probe))
        *problem = "it rounds doubles in its own way";
    return error;
}

enum device_error probe_run(struct opencl *own, const char **problem) {
    struct probe *probe = calloc(1, sizeof *probe);
    const struct device_impl *impl = &opencl_device;
    *problem = NULL;
    if (!probe)
        return DEVICE_NO_MEMORY;
    probe->own = own;
    probe->device = (struct device){.impl = impl, .own = own};
    enum device_error error = impl->queue_create(&probe->device, &probe->queue);
    if (error == DEVICE_OK)
        error = impl->alloc(&probe->device, sizeof probe->in, &probe->from);
    if (error == DEVICE_OK)
        error = impl->alloc(&probe->device, sizeof probe->out, &probe->to);
    if (error == DEVICE_OK)
        error = opencl_program_make(own, NULL, "-DPROBE", &probe->program);
    if (error == DEVICE_OK)
        error = run_tests(probe, problem);
    opencl_program_free(own, probe->program);
    impl->free(&probe->device, probe->from);
    impl->free(&probe->device, probe->to);
    impl->queue_destroy(probe->queue);
    free(probe);
    return error == DEVICE_OK && *problem ? (enum device_error)OPENCL_INEXACT : error;
}
