/* Memory streams: loops that compilers vectorise; each thread works on the part that it touched
 * first. */
#define _GNU_SOURCE
#include "lab/roofline/streams.h"
#include "render/base/log.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t)1 << 21)

int stream_bytes(enum stream stream) {
    return stream == STREAM_COPY ? 16 : 24;
}

static double *make_array(size_t count) {
    const size_t size = (count * sizeof(double) + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    double *array = aligned_alloc(LARGE_PAGE, size);
    if (array)
        madvise(array, size, MADV_HUGEPAGE);
    return array;
}

static double first_a(size_t i) {
    return (double)(i % 7);
}

static double first_b(size_t i) {
    return (double)(i % 5 + 1);
}

bool streams_init(struct streams *streams, size_t count, int threads) {
    *streams = (struct streams){.count = count, .threads = threads};
    double *a = streams->a = make_array(count);
    double *b = streams->b = make_array(count);
    double *c = streams->c = make_array(count);
    if (!a || !b || !c) {
        log_error("no memory for three arrays of %zu numbers", count);
        return false;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < count; i++) {
        a[i] = first_a(i);
        b[i] = first_b(i);
        c[i] = 0;
    }
    return true;
}

void streams_finish(struct streams *streams) {
    free(streams->a);
    free(streams->b);
    free(streams->c);
    *streams = (struct streams){0};
}

void streams_run(struct streams *streams, enum stream stream) {
    double *a = streams->a, *b = streams->b, *c = streams->c;
    const size_t count = streams->count;
    const int threads = stream == STREAM_ADD_ONE ? 1 : streams->threads;
    switch (stream) {
    case STREAM_ADD_ONE:
    case STREAM_ADD:
#pragma omp parallel for simd schedule(static) num_threads(threads)
        for (size_t i = 0; i < count; i++)
            a[i] += b[i];
        streams->adds++;
        break;
    case STREAM_COPY:
#pragma omp parallel num_threads(threads)
    {
        const size_t parts = (size_t)omp_get_num_threads(), part = (size_t)omp_get_thread_num();
        const size_t from = count * part / parts, to = count * (part + 1) / parts;
        memcpy(c + from, b + from, (to - from) * sizeof *c);
    } break;
    }
}

bool streams_right(const struct streams *streams) {
    size_t wrong = 0;
    for (size_t i = 0; i < streams->count; i++) {
        const double b = first_b(i);
        wrong += streams->a[i] != first_a(i) + streams->adds * b || streams->b[i] != b;
        wrong += streams->c[i] != b;
    }
    return wrong == 0;
}
