/* Listings 1 and 3, and the baseline made of them, compiled once per number type. */
#include "lab/paper/paper_loops.h"
#include <math.h>

#ifdef PAPER_TYPE_FLOAT
typedef float number;
#define number_hypot  hypotf
#define number_sqrt   sqrtf
#define PAPER_PROGRAM paper_scalar_float
#else
typedef double number;
#define number_hypot  hypot
#define number_sqrt   sqrt
#define PAPER_PROGRAM paper_scalar_double
#endif

static inline bool has_left(number zr, number zi, enum paper_test test) {
    if (test == PAPER_ABS)
        return number_hypot(zr, zi) >= 2;
    if (test == PAPER_SQRT)
        return number_sqrt(zr * zr + zi * zi) >= 2;
    return zr * zr + zi * zi >= 4;
}

static inline uint32_t follow(number cr, number ci, uint32_t limit, enum paper_test test) {
    number zr = 0, zi = 0;
    for (uint32_t i = 1; i <= limit; i++) {
        const number r = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = r;
        if (has_left(zr, zi, test))
            return i;
    }
    return 0;
}

static inline void count_at(const struct paper_job *job, int pos, enum paper_test test) {
    const int row = pos / job->width_px, col = pos % job->width_px;
    const number step = (number)job->step;
    job->count[pos] = follow((number)col * step + PAPER_FIRST_RE,
                             (number)row * step + PAPER_FIRST_IM, job->limit, test);
}

PAPER_LOOP(test_abs, 1, count_at(job, pos, PAPER_ABS))
PAPER_LOOP(test_sqrt, 1, count_at(job, pos, PAPER_SQRT))
PAPER_LOOP(test_norm, 1, count_at(job, pos, PAPER_NORM))

bool PAPER_PROGRAM(const struct paper_job *job, enum paper_test test) {
    static bool (*const programs[PAPER_TEST_COUNT])(const struct paper_job *) = {
        [PAPER_NORM] = test_norm, [PAPER_SQRT] = test_sqrt, [PAPER_ABS] = test_abs};
    return programs[test](job);
}

#ifndef PAPER_TYPE_FLOAT
void loop_plain_double(const struct loop_job *job) {
    const double *re = job->re, *im = job->im;
#pragma omp parallel for schedule(dynamic) num_threads(job->threads)
    for (int y = 0; y < job->height_px; y++) {
        if (job->stop())
            continue;
        uint32_t *row = job->count + (long)y * job->width_px;
        for (int x = 0; x < job->width_px; x++) {
            const uint32_t count = follow(re[x], im[y], job->limit, PAPER_NORM);
            row[x] = count ? count : job->limit;
        }
    }
}
#endif
