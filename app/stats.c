/* Statistics: a ring of measurements and their percentiles, in memory that is reserved once. */
#include "app/stats.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const frame_part_names[FRAME_PARTS] = {"loop", "compute", "upload", "draw", "swap"};

bool stats_init(struct stats *stats, size_t capacity) {
    *stats = (struct stats){.capacity = capacity};
    stats->values = calloc(2 * capacity, sizeof *stats->values);
    stats->sorted = stats->values + capacity;
    if (!stats->values)
        log_error("not enough memory for %zu measurements", capacity);
    return stats->values != NULL;
}

void stats_finish(struct stats *stats) {
    free(stats->values);
    *stats = (struct stats){0};
}

void stats_add(struct stats *stats, double value) {
    stats->values[stats->next] = (float)value;
    stats->next = (stats->next + 1) % stats->capacity;
    stats->count += stats->count < stats->capacity;
    stats->seen++;
    stats->largest = fmax(stats->largest, value);
}

double stats_last(const struct stats *stats) {
    return stats->count > 0
               ? (double)stats->values[(stats->next + stats->capacity - 1) % stats->capacity]
               : 0;
}

double stats_mean(const struct stats *stats) {
    double sum = 0;
    for (size_t i = 0; i < stats->count; i++)
        sum += (double)stats->values[i];
    return stats->count > 0 ? sum / (double)stats->count : 0;
}

static int compare(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double stats_percentile(const struct stats *stats, double share) {
    if (stats->count == 0)
        return 0;
    memcpy(stats->sorted, stats->values, stats->count * sizeof *stats->sorted);
    qsort(stats->sorted, stats->count, sizeof *stats->sorted, compare);
    const size_t rank = (size_t)fmax(ceil(share * (double)stats->count), 1);
    return stats->sorted[rank < stats->count ? rank - 1 : stats->count - 1];
}
