/* Shares rows out to threads: short orbits are counted in place, longer ones go on in lists. */
#include "lab/count/count.h"
#include "cpu/cpuid.h"
#include "render/base/log.h"
#include "render/sample.h"
#include <stdlib.h>
#include <string.h>

#define YOUNG_STEPS 16u       /* steps that are done in place */
#define YOUNG_MOST  40u       /* all of them, when the limit is not higher */
#define BAND_POINTS (1 << 15) /* of a thread at a time, or a row */
#define BANDS_EACH  6         /* at least so many for each thread, for balance, */
#define BAND_LEAST  2048      /* unless they would be smaller than that */
#define LIST_ROOM   (TILE_POINTS_MAX + TILE_SPARE)

/* By the flag that the processor must have. */
static const struct kernel {
    uint32_t flag;
    count_fn *count[TYPE_NATIVE_COUNT];
} kernels[] = {
    {CPU_AVX512, {count_avx512_float, count_avx512_double}},
    {CPU_AVX2, {count_avx2_float, count_avx2_double}},
    {CPU_FMA, {count_fma_float, count_fma_double}},
    {0, {count_base_float, count_base_double}},
};

/* One thread's memory. */
struct worker {
    const struct count_job *job;
    count_fn *count_young;
    tile_fn *count_old;
    const void *re; /* padded */
    size_t stride;  /* of rows of counts, with room for whole groups */
    uint32_t *count;
    struct count_list list;
    void *states; /* of the list */
    struct tile_scratch *scratch;
    uint32_t *list_count;
    float *list_fraction;
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
static bool flush(struct worker *w) {
    const struct count_job *job = w->job;
    struct count_list *list = &w->list;
    const struct tile_points points = {.cr = list->cr,
                                       .ci = list->ci,
                                       .size = list->size,
                                       .recipe = &recipe_square,
                                       .arithmetic = job->arithmetic,
                                       .shortcuts = job->shortcuts,
                                       .limit = job->limit,
                                       .done = young_steps(job),
                                       .states = w->states,
                                       .stop = w->stop,
                                       .scratch = w->scratch};
    struct tile_samples samples = {
        .planes = {.count = w->list_count, .fraction = w->list_fraction}};
    if (list->size == 0)
        return true;
    tile_states_pack(job->type, list->zr, list->zi, list->size, w->states);
    if (!w->count_old(&points, &samples))
        return false;
    for (size_t i = 0; i < list->size; i++)
        w->count[list->where[i]] =
            w->list_count[i] & SAMPLE_INTERIOR ? 0 : w->list_count[i] & SAMPLE_COUNT_MASK;
    list->size = 0;
    return true;
}

static double row_im(const struct count_job *job, int row) {
    return job->type == TYPE_FLOAT ? (double)((const float *)job->im)[row]
                                   : ((const double *)job->im)[row];
}

/* Counts a row, which is the k-th of the band. */
static bool count_row(struct worker *w, int row, size_t k) {
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
        w->count_young(&points);
        if (w->list.size + COUNT_GROUP_MAX > TILE_POINTS_MAX && !flush(w))
            return false;
    }
    return true;
}

static bool count_band(struct worker *w, int first, int end) {
    const struct count_job *job = w->job;
    const size_t width = (size_t)job->width_px;
    for (int row = first; row < end && job->limit > 0; row++)
        if (!count_row(w, row, (size_t)(row - first)))
            return false;
    if (!flush(w))
        return false;
    for (int row = first; row < end; row++) {
        const uint32_t *count = w->count + (size_t)(row - first) * w->stride;
        if (job->count)
            memcpy(job->count + (size_t)row * width, count, width * sizeof *count);
        if (job->row_done)
            job->row_done(job->user, row, count);
    }
    return true;
}

/* --- threads --- */

static bool worker_init(struct worker *w) {
    const size_t number = number_size(w->job->type);
    w->stride =
        ((size_t)w->job->width_px + COUNT_GROUP_MAX - 1) / COUNT_GROUP_MAX * COUNT_GROUP_MAX;
    w->count = calloc(w->stride * (size_t)band_rows(w->job), sizeof *w->count);
    w->list = (struct count_list){.cr = malloc(LIST_ROOM * number),
                                  .ci = malloc(LIST_ROOM * number),
                                  .zr = malloc(LIST_ROOM * number),
                                  .zi = malloc(LIST_ROOM * number),
                                  .where = malloc(LIST_ROOM * sizeof *w->list.where)};
    w->scratch = aligned_alloc(64, sizeof *w->scratch);
    w->states = malloc(TILE_POINTS_MAX * FRAME_STATE_MAX);
    w->list_count = malloc(LIST_ROOM * sizeof *w->list_count);
    w->list_fraction = malloc(LIST_ROOM * sizeof *w->list_fraction);
    return w->count && w->list.cr && w->list.ci && w->list.zr && w->list.zi && w->list.where &&
           w->states && w->scratch && w->list_count && w->list_fraction;
}

static void worker_finish(struct worker *w) {
    void *const members[] = {w->count,      w->list.cr,      w->list.ci, w->list.zr,
                             w->list.zi,    w->list.where,   w->states,  w->scratch,
                             w->list_count, w->list_fraction};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        free(members[i]);
}

static void work(struct worker *w, atomic_int *next) {
    const struct count_job *job = w->job;
    const int rows = band_rows(job);
    for (;;) {
        const int first = atomic_fetch_add(next, rows);
        if (first >= job->height_px || atomic_load(w->stop))
            return;
        const int end = job->height_px - first < rows ? job->height_px : first + rows;
        if (job->stop() || !count_band(w, first, end))
            atomic_store(w->stop, true);
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
        struct worker w = {.job = job,
                           .count_young = best->count[job->type],
                           .count_old =
                               tile_choose(job->cpu_flags, &recipe_square, ROUTE_DIRECT, job->type),
                           .re = re,
                           .stop = &stop};
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
