/* Listings 1 and 3, compiled once per number type. */
#include "lab/paper/paper_omp.h"
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
    switch (test) {
    case PAPER_ABS:
        return number_hypot(zr, zi) >= 2;
    case PAPER_SQRT:
        return number_sqrt(zr * zr + zi * zi) >= 2;
    case PAPER_NORM:
        break;
    }
    return zr * zr + zi * zi >= 4;
}

static inline void count_at(const struct paper_job *job, int pos, enum paper_test test) {
    const int row = pos / job->width_px, col = pos % job->width_px;
    const number step = (number)job->step;
    const number cr = (number)col * step + PAPER_FIRST_RE;
    const number ci = (number)row * step + PAPER_FIRST_IM;
    const uint32_t limit = job->limit;
    uint32_t count = 0;
    number zr = 0, zi = 0;
    for (uint32_t i = 1; i <= limit; i++) {
        const number r = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = r;
        if (has_left(zr, zi, test)) {
            count = i;
            break;
        }
    }
    job->count[pos] = count;
}

PAPER_LOOP(test_abs, 1, count_at(job, pos, PAPER_ABS))
PAPER_LOOP(test_sqrt, 1, count_at(job, pos, PAPER_SQRT))
PAPER_LOOP(test_norm, 1, count_at(job, pos, PAPER_NORM))

bool PAPER_PROGRAM(const struct paper_job *job, enum paper_test test) {
    switch (test) {
    case PAPER_ABS:
        return test_abs(job);
    case PAPER_SQRT:
        return test_sqrt(job);
    case PAPER_NORM:
        break;
    }
    return test_norm(job);
}
