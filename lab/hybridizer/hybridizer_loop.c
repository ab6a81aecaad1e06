/* Loop of seed 004 as its text gives it, in C instead of C#. */
#include "lab/hybridizer/hybridizer_loop.h"
#include <stddef.h>

static inline int iter_count(float cx, float cy, int limit) {
    int result = 0;
    float x = 0, y = 0, xx = 0, yy = 0;
    while (xx + yy <= 4.0f && result < limit) {
        xx = x * x;
        yy = y * y;
        const float next = xx - yy + cx;
        y = 2.0f * x * y + cy;
        x = next;
        result++;
    }
    return result;
}

void hybridizer_run(int side, int limit, int threads, int32_t *light) {
    const float from = -2.0f, step = 4.0f / (float)side;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            light[(size_t)i * (size_t)side + (size_t)j] =
                iter_count(from + (float)i * step, from + (float)j * step, limit);
}
