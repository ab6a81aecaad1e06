/* Plain orbit density: threads with a histogram each, and the sum of their histograms. */
#include "lab/buddhabrot/buddhabrot_plain.h"
#include "cpu/cpuid.h"
#include "render/base/memory.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define CLUMPS 1024u /* clumps that a thread takes at a time; even */

/* Counts the thread's part of `clumps` clumps, round after round. Returns the points. */
static uint64_t work_off(const struct plain_work *work, plain_loop *loop, uint64_t clumps,
                         uint32_t *histogram) {
    const uint64_t count = work->cells->count;
    uint64_t points = 0;
    for (uint64_t number = 0; number * count < clumps; number++) {
        const struct sample_round round = sample_round(number, work->random);
        const uint64_t left = clumps - number * count;
        const uint32_t end = (uint32_t)(left < count ? left : count);
#pragma omp for schedule(dynamic) nowait
        for (uint32_t begin = 0; begin < end; begin += CLUMPS)
            points +=
                loop(work, &round, begin, end - begin < CLUMPS ? end : begin + CLUMPS, histogram);
    }
    return points;
}

bool plain_run(const struct density_req *req, int threads, uint32_t cpu_flags,
               struct density_counts *counts) {
    static plain_loop *const loops[2][TYPE_NATIVE_COUNT] = {{plain_base_float, plain_base_double},
                                                            {plain_fma_float, plain_fma_double}};
    const size_t size = density_counters(req);
    const struct plain_work work = {.place = density_place(req),
                                    .planes = density_planes(&req->density),
                                    .least = density_least(&req->density),
                                    .cells = req->cells,
                                    .random = req->density.random};
    plain_loop *const loop = loops[(cpu_flags & CPU_FMA) != 0][req->type];
    uint32_t *histograms =
        memory_alloc(size * sizeof(uint32_t) * (size_t)threads, "plain histograms");
    uint64_t points = 0;
    if (!histograms)
        return false;
#pragma omp parallel num_threads(threads) reduction(+ : points)
    {
        uint32_t *own = histograms + size * (size_t)omp_get_thread_num();
        memset(own, 0, size * sizeof *own);
        if (work.cells->count > 0)
            points = work_off(&work, loop, req->samples / CLUMP_SAMPLES, own);
#pragma omp barrier
#pragma omp for
        for (size_t i = 0; i < size; i++)
            for (int t = 0; t < omp_get_num_threads(); t++)
                counts->count[i] += histograms[(size_t)t * size + i];
    }
    free(histograms);
    counts->points += points;
    counts->samples = req->samples;
    return true;
}
