/* Shares rows out to threads: short orbits are counted in place, longer ones go on in lists. */
#include "lab/count/count.h"
#include "cpu/cpuid.h"
#include "render/base/log.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define YOUNG_STEPS 16u       /* steps that are done in place */
#define YOUNG_MOST  40u       /* all of them, when the limit is not higher */
#define BAND_POINTS (1 << 15) /* of a thread at a time, or a row */
#define BANDS_EACH  6         /* at least so many for each thread, for balance, */
#define BAND_LEAST  2048      /* unless they would be smaller than that */
#define LIST_MOST   4096
#define LIST_ROOM   (LIST_MOST + 2 * COUNT_GROUP_MAX)

const char *const lab_arithmetic_names[] = {"fused", "unfused"};

/* By the flag that the processor must have. */
static const struct kernel {
    uint32_t flag;
    count_fn *count[TYPE_NATIVE_COUNT];
    count_on_fn *count_on[TYPE_NATIVE_COUNT];
} kernels[] = {
#define KERNELS(isa)                                                                               \
    {count_##isa##_float, count_##isa##_double}, {                                                 \
        count_on_##isa##_float, count_on_##isa##_double                                            \
    }
    {CPU_AVX512, KERNELS(avx512)},
    {CPU_AVX2, KERNELS(avx2)},
    {CPU_FMA, KERNELS(fma)},
    {0, KERNELS(base)},
};

/* One thread's memory. */
struct worker {
    const struct count_job *job;
    const struct kernel *kernel;
    const void *re; /* padded */
    size_t stride;  /* of rows of counts, with room for whole groups */
    uint32_t *count;
    struct count_list list;
    void *memory; /* of the list's numbers */
    atomic_bool *stop;
};

static size_t number_size(enum number_type type) {
    return type == TYPE_FLOAT ? sizeof(float) : sizeof(double);
}

static int band_rows(const struct count_job *job) {
    const int64_t points = (int64_t)job->width_px * job->height_px;
    const int64_t even = points / ((int64_t)BANDS_EACH * job->threads);
    const int64_t most = even < BAND_LEAST ? BAND_LEAST : even < BAND_POINTS ? even : BAND_POINTS;
    const int64_t rows = most / job->width_px;
    return rows < 1 ? 1 : rows < job->height_px ? (int)rows : job->height_px;
}

static uint32_t young_steps(const struct count_job *job) {
    return job->limit <= YOUNG_MOST ? job->limit : YOUNG_STEPS;
}

/* Follows the list to the limit and empties it. */
static void flush(struct worker *w) {
    const struct count_job *job = w->job;
    w->kernel->count_on[job->type](&w->list, job->arithmetic, job->shortcuts, young_steps(job),
                                   job->limit, w->count);
}

static double row_im(const struct count_job *job, int row) {
    return job->type == TYPE_FLOAT ? (double)((const float *)job->im)[row]
                                   : ((const double *)job->im)[row];
}

/* Counts a row, which is the k-th of the band. */
static void count_row(struct worker *w, int row, size_t k) {
    const struct count_job *job = w->job;
    const size_t width = (size_t)job->width_px;
    const bool whole = young_steps(job) == job->limit;
    for (size_t x = 0; x < width; x += COUNT_GROUP_MAX) {
        const size_t at = k * w->stride + x;
        const struct count_points points = {.re = (const char *)w->re + x * number_size(job->type),
                                            .im = row_im(job, row),
                                            .size = width - x < COUNT_GROUP_MAX ? width - x
                                                                                : COUNT_GROUP_MAX,
                                            .arithmetic = job->arithmetic,
                                            .shortcuts = job->shortcuts,
                                            .steps = young_steps(job),
                                            .count = w->count + at,
                                            .first = (uint32_t)at,
                                            .list = whole ? NULL : &w->list};
        w->kernel->count[job->type](&points);
        if (w->list.size > LIST_MOST)
            flush(w);
    }
}

static void count_band(struct worker *w, int first, int end) {
    const struct count_job *job = w->job;
    const size_t width = (size_t)job->width_px;
    for (int row = first; row < end && job->limit > 0; row++)
        count_row(w, row, (size_t)(row - first));
    flush(w);
    for (int row = first; row < end; row++) {
        const uint32_t *count = w->count + (size_t)(row - first) * w->stride;
        if (job->count)
            memcpy(job->count + (size_t)row * width, count, width * sizeof *count);
        if (job->row_done)
            job->row_done(job->user, row, count);
    }
}

/* --- threads --- */

static bool worker_init(struct worker *w) {
    const size_t number = number_size(w->job->type);
    w->stride =
        ((size_t)w->job->width_px + COUNT_GROUP_MAX - 1) / COUNT_GROUP_MAX * COUNT_GROUP_MAX;
    w->count = calloc(w->stride * (size_t)band_rows(w->job), sizeof *w->count);
    char *memory = w->memory = malloc(4 * LIST_ROOM * number);
    w->list = (struct count_list){.cr = memory,
                                  .ci = memory + LIST_ROOM * number,
                                  .zr = memory + 2 * LIST_ROOM * number,
                                  .zi = memory + 3 * LIST_ROOM * number,
                                  .where = malloc(LIST_ROOM * sizeof *w->list.where)};
    return w->count && memory && w->list.where;
}

static void worker_finish(struct worker *w) {
    free(w->count);
    free(w->memory);
    free(w->list.where);
}

static void work(struct worker *w, atomic_int *next) {
    const struct count_job *job = w->job;
    const int rows = band_rows(job);
    for (;;) {
        const int first = atomic_fetch_add(next, rows);
        if (first >= job->height_px || atomic_load(w->stop))
            return;
        const int end = job->height_px - first < rows ? job->height_px : first + rows;
        if (job->stop())
            atomic_store(w->stop, true);
        else
            count_band(w, first, end);
    }
}

/* The columns, and zeros up to a whole group. */
static void *pad_columns(const struct count_job *job) {
    const size_t number = number_size(job->type);
    char *re = calloc((size_t)job->width_px + COUNT_GROUP_MAX, number);
    if (re)
        memcpy(re, job->re, (size_t)job->width_px * number);
    return re;
}

/* No more than have something to do. */
static int useful_threads(const struct count_job *job) {
    const int bands = (job->height_px - 1) / band_rows(job) + 1;
    return bands < job->threads ? bands : job->threads;
}

bool count_draw(const struct count_job *job) {
    const struct kernel *best = kernels;
    while (best->flag & ~job->cpu_flags)
        best++;
    void *re = pad_columns(job);
    atomic_int next = 0;
    atomic_bool stop = !re, starved = !re;
#pragma omp parallel num_threads(useful_threads(job))
    {
        struct worker w = {.job = job, .kernel = best, .re = re, .stop = &stop};
        if (worker_init(&w)) {
            work(&w, &next);
        } else {
            atomic_store(&starved, true);
            atomic_store(&stop, true);
        }
        worker_finish(&w);
    }
    free(re);
    if (starved)
        log_error("not enough memory to count %dx%d points on %d threads", job->width_px,
                  job->height_px, job->threads);
    return !stop;
}
