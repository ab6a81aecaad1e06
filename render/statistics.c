/* Statistics: sorts counts into the buckets of a histogram. */
#include "render/statistics.h"
#include <string.h>

#define LANES    4                        /* histograms in turn, so that equal counts do not wait */
#define SOME     64                       /* counts per portion */
#define INTERIOR (STATISTICS_BUCKETS - 1) /* bucket of interior samples, which no count uses */

struct lanes {
    uint32_t histogram[LANES][STATISTICS_BUCKETS];
    uint32_t least, most;
};

void statistics_init(struct statistics *statistics) {
    memset(statistics, 0, sizeof *statistics);
    statistics->least = UINT32_MAX;
}

/* Adds a portion in two loops, the first of which compilers vectorise. */
static void add_some(struct lanes *lanes, const uint32_t *count, size_t size) {
    uint8_t bucket[SOME];
    uint32_t least = lanes->least, most = lanes->most;
    const size_t others = memcmp(count, count + 1, (size - 1) * sizeof *count) == 0 ? 1 : size;
    for (size_t i = 0; i < others; i++) {
        const uint32_t inside = 0u - (count[i] >> 31); /* SAMPLE_INTERIOR */
        const uint32_t low = count[i] | inside, high = count[i] & ~inside;
        least = low < least ? low : least;
        most = high > most ? high : most;
        bucket[i] = (uint8_t)(statistics_bucket(high) | (inside & INTERIOR));
    }
    if (memcmp(bucket, bucket + 1, others - 1) == 0) /* all are equal */
        lanes->histogram[0][bucket[0]] += (uint32_t)size;
    else
        for (size_t i = 0; i < size; i++)
            lanes->histogram[i % LANES][bucket[i]]++;
    lanes->least = least;
    lanes->most = most;
}

static void add_row(struct lanes *lanes, const uint32_t *row, size_t columns) {
    for (size_t i = 0; i < columns; i += SOME)
        add_some(lanes, row + i, columns - i < SOME ? columns - i : SOME);
}

void statistics_add(struct statistics *statistics, const uint32_t *count, size_t columns,
                    size_t rows, size_t stride) {
    struct lanes lanes = {.least = statistics->least, .most = statistics->most};
    for (size_t row = 0; row < rows; row++)
        add_row(&lanes, count + row * stride, columns);
    statistics->least = lanes.least;
    statistics->most = lanes.most;
    statistics->pixels += (uint64_t)columns * rows;
    for (unsigned b = 0; b < STATISTICS_BUCKETS; b++) {
        uint64_t *sum = b == INTERIOR ? &statistics->interior : &statistics->histogram[b];
        for (int lane = 0; lane < LANES; lane++)
            *sum += lanes.histogram[lane][b];
    }
}
