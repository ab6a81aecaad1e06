/* Scalar programs of the paper: listings 1 and 3, and the baseline made of them, compiled once per
 * number type. */
#include "lab/paper/paper_loops.h"
#include <math.h>

#ifdef PAPER_TYPE_FLOAT
typedef float number;
#define number_hypot  hypotf
#define PAPER_PROGRAM paper_scalar_float
#else
typedef double number;
#define number_hypot  hypot
#define PAPER_PROGRAM paper_scalar_double
#endif

static inline uint32_t follow(number cr, number ci, uint32_t limit, bool abs) {
    number zr = 0, zi = 0;
    for (uint32_t i = 1; i <= limit; i++) {
        const number r = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = r;
        if (abs ? number_hypot(zr, zi) >= 2 : zr * zr + zi * zi >= 4)
            return i;
    }
    return 0;
}

static inline void count_at(const struct paper_job *job, int pos, bool abs) {
    const int row = pos / job->width_px, col = pos % job->width_px;
    const number step = (number)job->step;
    job->count[pos] = follow((number)col * step + PAPER_FIRST_RE,
                             (number)row * step + PAPER_FIRST_IM, job->limit, abs);
}

PAPER_LOOP(test_abs, 1, count_at(job, pos, true))
PAPER_LOOP(test_norm, 1, count_at(job, pos, false))

bool PAPER_PROGRAM(const struct paper_job *job, bool abs) {
    return abs ? test_abs(job) : test_norm(job);
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
            const uint32_t count = follow(re[x], im[y], job->limit, false);
            row[x] = count ? count : job->limit;
        }
    }
}
#endif
