/* The plain loop's threads, each with a histogram of its own, and the sum of those. */
#include "lab/buddhabrot/buddhabrot_plain.h"
#include "cpu/cpuid.h"
#include "render/base/memory.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define CLUMPS 1024u /* that a thread takes at a time; even */

static plain_loop *loop_of(const struct plain_job *job) {
    static plain_loop *const loops[2][TYPE_NATIVE_COUNT] = {{plain_base_float, plain_base_double},
                                                            {plain_fma_float, plain_fma_double}};
    return loops[(job->cpu_flags & CPU_FMA) != 0][job->req->type];
}

/* What a thread does of [begin, end), in clumps from the first round on. */
static uint64_t work_off(const struct plain_work *work, plain_loop *loop, uint64_t begin,
                         uint64_t end, uint32_t *histogram) {
    const uint64_t count = work->cells->count;
    uint64_t points = 0;
    for (uint64_t number = begin / count; number * count < end; number++) {
        const struct sample_round round = sample_round(number, work->random);
        const uint64_t base = number * count;
        const uint32_t from = base < begin ? (uint32_t)(begin - base) : 0;
        const uint32_t to = (uint32_t)(end - base < count ? end - base : count);
#pragma omp for schedule(dynamic) nowait
        for (uint32_t block = from / CLUMPS; block < (to + CLUMPS - 1) / CLUMPS; block++) {
            const uint32_t first = block * CLUMPS, last = first + CLUMPS;
            points +=
                loop(work, &round, first < from ? from : first, last < to ? last : to, histogram);
        }
    }
    return points;
}

bool plain_run(const struct plain_job *job, struct density_counts *counts) {
    const struct density_req *req = job->req;
    const size_t size = density_counters(req);
    const struct plain_work work = {.place = density_place(req),
                                    .rule = density_rule(&req->density),
                                    .domain = sample_domain(&req->density),
                                    .cells = req->cells,
                                    .random = req->density.random};
    const uint64_t begin = job->first / CLUMP_SAMPLES, end = job->samples / CLUMP_SAMPLES;
    plain_loop *const loop = loop_of(job);
    uint32_t *histograms =
        memory_alloc(size * sizeof(uint32_t) * (size_t)job->threads, "plain histograms");
    uint64_t points = 0;
    if (!histograms)
        return false;
#pragma omp parallel num_threads(job->threads) reduction(+ : points)
    {
        uint32_t *own = histograms + size * (size_t)omp_get_thread_num();
        memset(own, 0, size * sizeof *own);
        if (work.cells->count > 0)
            points = work_off(&work, loop, begin, end, own);
#pragma omp barrier
#pragma omp for
        for (size_t i = 0; i < size; i++)
            for (int t = 0; t < omp_get_num_threads(); t++)
                counts->count[i] += histograms[(size_t)t * size + i];
    }
    free(histograms);
    counts->points += points;
    counts->samples = job->samples;
    return true;
}
