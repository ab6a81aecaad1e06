/* The baseline of one orbit at a time. */
#include "lab/bench/loops.h"

static uint32_t escape_count(double cr, double ci, uint32_t limit) {
    double zr = 0, zi = 0;
    for (uint32_t n = 1; n <= limit; n++) {
        const double r = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = r;
        if (zr * zr + zi * zi >= 4)
            return n;
    }
    return limit;
}

void loop_plain_double(const struct loop_job *job) {
    const double *re = job->re, *im = job->im;
#pragma omp parallel for schedule(dynamic) num_threads(job->threads)
    for (int y = 0; y < job->height_px; y++) {
        if (job->stop())
            continue;
        uint32_t *row = job->count + (long)y * job->width_px;
        for (int x = 0; x < job->width_px; x++)
            row[x] = escape_count(re[x], im[y], job->limit);
    }
}
