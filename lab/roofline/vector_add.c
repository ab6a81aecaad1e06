/* First program of seed 004: a sum of two vectors, compared with copying. */
#include "lab/gpu/gpu.h"
#include "lab/roofline/streams.h"
#include <math.h>

#define ELEMENTS       ((size_t)1 << 24) /* elements of each array, on the CPU */
#define ELEMENTS_GPU   ((size_t)1 << 27)
#define ELEMENTS_QUICK ((size_t)1 << 16)

static const char *const names[] = {
    [STREAM_ADD_ONE] = "the seed's loop, in C, on one thread",
    [STREAM_ADD] = "the seed's Parallel.For, in OpenMP",
    [STREAM_COPY] = "copying",
};
static const char *const gpu_names[] = {
    [GPU_ADD_SEED] = "16 blocks of 128 threads a multiprocessor",
    [GPU_ADD_OURS] = "ours",
    [GPU_COPY_ENGINE] = "copy by the driver",
    [GPU_COPY_KERNEL] = "copy by a kernel",
};
#define PROGRAMS (int)(sizeof names / sizeof *names)

struct runner {
    enum stream stream;
    struct streams *streams;
};

static bool run(void *user, double *ms) {
    struct runner *runner = user;
    (void)ms;
    streams_run(runner->streams, runner->stream);
    return true;
}

/* Measures each program in GB/s. */
static bool measure_cpu(struct lab *lab, size_t elements, double rates[PROGRAMS]) {
    struct streams streams;
    struct runner runners[PROGRAMS];
    struct racer racers[PROGRAMS] = {{0}};
    bool ok = streams_init(&streams, elements, lab_threads(lab));
    for (int i = 0; i < PROGRAMS; i++) {
        runners[i] = (struct runner){(enum stream)i, &streams};
        racers[i] = (struct racer){.name = names[i], .run = run, .user = &runners[i]};
    }
    ok = ok && race(racers, PROGRAMS, true, &lab->rules) &&
         report_check(lab->report, streams_right(&streams), "all sums and copies are right");
    for (int i = 0; i < PROGRAMS; i++)
        rates[i] = stream_bytes((enum stream)i) * (double)elements / race_median(&racers[i]) / 1e6;
    race_finish(racers, PROGRAMS);
    streams_finish(&streams);
    return ok;
}

static bool measure_gpu(struct lab *lab, size_t elements, double rates[GPU_ADD_COUNT]) {
    for (enum gpu_add i = 0; i < GPU_ADD_COUNT; i++)
        if (lab_stopped(lab) || !lab_gpu_add(lab->gpu, i, elements, &rates[i]))
            return false;
    return true;
}

bool vector_add(struct lab *lab, bool gpu) {
    const size_t elements = lab->quick ? ELEMENTS_QUICK : gpu ? ELEMENTS_GPU : ELEMENTS;
    const int count = gpu ? GPU_ADD_COUNT : PROGRAMS;
    double rates[GPU_ADD_COUNT] = {0};
    if (!(gpu ? measure_gpu : measure_cpu)(lab, elements, rates))
        return false;
    const double copy =
        gpu ? fmax(rates[GPU_COPY_ENGINE], rates[GPU_COPY_KERNEL]) : rates[STREAM_COPY];
    struct table *table =
        table_of(gpu ? "vector-add-gpu" : "vector-add-cpu",
                 gpu ? "a[i] += b[i] in doubles on the GPU" : "a[i] += b[i] in doubles on the CPU",
                 "program|GB/s:1|of the fastest copy, %:1");
    for (int i = 0; i < count; i++)
        table_add(table, "%s %g %g", gpu ? gpu_names[i] : names[i], rates[i],
                  100 * rates[i] / copy);
    report_table(lab->report, table);
    report_text(lab->report,
                "%zu doubles each. Bytes are those that the program names: 24 for an element of a "
                "sum, 16 of a copy, which moves more where the processor reads what it is about to "
                "overwrite. The seed has 337.8 GB/s, 96%% of a bandwidth test, on its GTX 1080 Ti.",
                elements);
    return true;
}
