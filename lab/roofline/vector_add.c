/* Seed 004's first program: a sum of two vectors, against what copying costs. */
#include "lab/gpu/gpu.h"
#include "lab/hybridizer/hybridizer.h"
#include "lab/roofline/streams.h"
#include "render/base/clock.h"
#include <math.h>

#define ELEMENTS       ((size_t)1 << 24) /* of each array, on the CPU */
#define ELEMENTS_GPU   ((size_t)1 << 27)
#define ELEMENTS_QUICK ((size_t)1 << 16)
#define SEED_GB_PER_S  337.8
#define SEED_SHARE     96 /* percent of what a bandwidth test gives on the same GPU */

/* What is run on which arrays. */
struct mover {
    const char *name;
    enum stream stream;
    bool large_pages, ceiling;
    struct streams *streams;
    bool wrong;
};

static const struct mover all_movers[] = {
    {.name = "the seed's loop, in C", .stream = STREAM_ADD_ONE},
    {.name = "the seed's Parallel.For, in OpenMP", .stream = STREAM_ADD},
    {.name = "ours: the same on large pages", .stream = STREAM_ADD, .large_pages = true},
    {.name = "copying by a loop", .stream = STREAM_COPY_LOOP, .ceiling = true},
    {.name = "copying by a loop, large pages",
     .stream = STREAM_COPY_LOOP,
     .large_pages = true,
     .ceiling = true},
    {.name = "copying by memcpy", .stream = STREAM_COPY, .ceiling = true},
    {.name = "copying by memcpy, large pages",
     .stream = STREAM_COPY,
     .large_pages = true,
     .ceiling = true},
};
#define MOVERS (sizeof all_movers / sizeof *all_movers)

static bool run(void *user, double *ms) {
    struct mover *mover = user;
    const double start = clock_ms();
    streams_run(mover->streams, mover->stream);
    *ms = clock_ms() - start;
    return true;
}

static double rate(const struct racer *racer) {
    const struct mover *mover = racer->user;
    return stream_bytes(mover->stream) * (double)mover->streams->count / race_median(racer) / 1e6;
}

static double ceiling_of(const struct racer *racers) {
    double best = 0;
    for (size_t i = 0; i < MOVERS; i++) {
        const struct mover *mover = racers[i].user;
        if (mover->ceiling)
            best = fmax(best, rate(&racers[i]));
    }
    return best;
}

static const struct table_column columns[] = {
    {"program", TABLE_TEXT}, {"GB/s", 1}, {"of the fastest copy, %", 1}, {0}};

static void print_rows(struct lab *lab, const struct racer *racers) {
    struct table *table =
        table_create("vector-add-cpu", "a[i] += b[i] in doubles on the CPU", columns);
    const double ceiling = ceiling_of(racers);
    for (size_t i = 0; i < MOVERS; i++) {
        table_text(table, "%s", racers[i].name);
        table_number(table, rate(&racers[i]));
        table_number(table, 100 * rate(&racers[i]) / ceiling);
    }
    report_table(lab->report, table);
    report_text(
        lab->report,
        "Bytes are those that the program names: 24 for an element of a sum, 16 of a copy. "
        "A copy moves more than it names where the processor reads what it is about to "
        "overwrite, so a sum can pass it. The seed has %.1f GB/s, %d%% of a bandwidth test, on a "
        "GTX 1080 Ti.",
        SEED_GB_PER_S, SEED_SHARE);
}

bool vector_add_on_cpu(struct lab *lab) {
    struct streams streams[2] = {{0}};
    struct mover movers[MOVERS];
    struct racer racers[MOVERS] = {{0}};
    const size_t elements = lab->quick ? ELEMENTS_QUICK : ELEMENTS;
    const int threads = lab_threads(lab);
    bool ok = streams_init(&streams[0], elements, threads, false) &&
              streams_init(&streams[1], elements, threads, true);
    for (size_t i = 0; i < MOVERS; i++) {
        movers[i] = all_movers[i];
        movers[i].streams = &streams[movers[i].large_pages];
        racers[i] = (struct racer){.name = movers[i].name, .run = run, .user = &movers[i]};
    }
    if (ok) {
        report_text(lab->report, "Its vectors: %zu doubles each, %.3g MB; %d threads.", elements,
                    (double)elements * sizeof(double) / 1e6, threads);
        ok = race(racers, (int)MOVERS, true, &lab->rules);
        print_rows(lab, racers);
        ok = ok && report_check(lab->report,
                                streams_right(&streams[0], STREAM_COPY) &&
                                    streams_right(&streams[1], STREAM_COPY),
                                "all sums and copies are right");
    }
    race_finish(racers, (int)MOVERS);
    streams_finish(&streams[0]);
    streams_finish(&streams[1]);
    return ok;
}

bool vector_add_on_gpu(struct lab *lab) {
    struct lab_gpu *gpu = lab_device(lab);
    double gb_per_s[GPU_ADD_COUNT];
    const size_t elements = lab->quick ? ELEMENTS_QUICK : ELEMENTS_GPU;
    if (!gpu)
        return true;
    for (enum gpu_add i = 0; i < GPU_ADD_COUNT; i++)
        if (lab_stopped(lab) || !lab_gpu_add(gpu, i, elements, &gb_per_s[i]))
            return false;
    const double ceiling = fmax(gb_per_s[GPU_COPY_ENGINE], gb_per_s[GPU_COPY_KERNEL]);
    struct table *table =
        table_create("vector-add-gpu", "a[i] += b[i] in doubles on the GPU", columns);
    for (enum gpu_add i = 0; i < GPU_ADD_COUNT; i++) {
        table_text(table, "%s", gpu_add_name(i));
        table_number(table, gb_per_s[i]);
        table_number(table, 100 * gb_per_s[i] / ceiling);
    }
    report_table(lab->report, table);
    report_text(
        lab->report,
        "%zu doubles each. The seed has %.1f GB/s, %d%% of a bandwidth test, on its GTX 1080 Ti.",
        elements, SEED_GB_PER_S, SEED_SHARE);
    return true;
}
