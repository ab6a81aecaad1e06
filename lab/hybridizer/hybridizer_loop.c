/* Seed 004's loop as its text has it, in C instead of C#. */
#include "lab/hybridizer/hybridizer_loop.h"
#include <stddef.h>

struct square {
    int side, limit;
    float from, step;
    int32_t *light;
};

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

static void line(const struct square *square, int i) {
    for (int j = 0; j < square->side; j++) {
        const float x = square->from + (float)i * square->step;
        const float y = square->from + (float)j * square->step;
        square->light[(size_t)i * (size_t)square->side + (size_t)j] =
            iter_count(x, y, square->limit);
    }
}

void hybridizer_run(enum hybridizer_loop loop, int side, int limit, int threads, int32_t *light) {
    const struct square square = {side, limit, -2.0f, 4.0f / (float)side, light};
    if (loop == HYBRIDIZER_SERIAL) {
        for (int i = 0; i < side; i++)
            line(&square, i);
    } else if (loop == HYBRIDIZER_DYNAMIC) {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int i = 0; i < side; i++)
            line(&square, i);
    } else {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int i = 0; i < side; i++)
            line(&square, i);
    }
}
