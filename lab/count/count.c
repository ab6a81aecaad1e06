/* Counting: shares the rows of a picture out to threads. */
#include "lab/count/count.h"
#include "cpu/cpuid.h"
#include "render/base/log.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_EACH 2048 /* minimum number of points that a thread takes at a time */

/* Kernels by the flag that the processor must have. */
static const struct kernel {
    uint32_t flag;
    count_fn *count[TYPE_NATIVE_COUNT];
} kernels[] = {
    {CPU_AVX512, {count_avx512_float, count_avx512_double}},
    {CPU_AVX2, {count_avx2_float, count_avx2_double}},
    {CPU_FMA, {count_fma_float, count_fma_double}},
    {0, {count_base_float, count_base_double}},
};

static count_fn *choose(const struct count_job *job) {
    const struct kernel *best = kernels;
    while (best->flag & ~job->cpu_flags)
        best++;
    return best->count[job->type];
}

/* Counts a row into memory that has room for whole groups. */
static void count_row(const struct count_job *job, count_fn *kernel, const void *re, int row,
                      uint32_t *count) {
    const size_t width = (size_t)job->width_px;
    if (job->limit > 0)
        kernel(&(struct count_points){.re = re,
                                      .im = job->type == TYPE_FLOAT
                                                ? (double)((const float *)job->im)[row]
                                                : ((const double *)job->im)[row],
                                      .size = width,
                                      .shortcuts = job->shortcuts,
                                      .limit = job->limit,
                                      .count = count});
    if (job->count)
        memcpy(job->count + (size_t)row * width, count, width * sizeof *count);
    if (job->row_done)
        job->row_done(job->user, row, count);
}

bool count_draw(const struct count_job *job) {
    const size_t number = job->type == TYPE_FLOAT ? sizeof(float) : sizeof(double);
    const size_t width = (size_t)job->width_px, room = width + COUNT_GROUP_MAX;
    const int rows = 1 + POINTS_EACH / job->width_px;
    void *re = calloc(room, number); /* coordinates of the columns, then zeros */
    atomic_bool starved = !re, stop = !re;
    if (re)
        memcpy(re, job->re, width * number);
#pragma omp parallel num_threads(job->threads)
    {
        uint32_t *count = calloc(room, sizeof *count);
        if (!count)
            starved = stop = true;
#pragma omp for schedule(dynamic, rows)
        for (int row = 0; row < job->height_px; row++) {
            if (!stop && job->stop())
                stop = true;
            if (!stop)
                count_row(job, choose(job), re, row, count);
        }
        free(count);
    }
    free(re);
    if (starved)
        log_error("not enough memory to count %dx%d points on %d threads", job->width_px,
                  job->height_px, job->threads);
    return !stop;
}
