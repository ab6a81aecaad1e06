/* Shared statistics: sums parts as workers finish tiles, without a lock. */
#include "cpu/escape/shared_statistics.h"

void shared_statistics_init(struct shared_statistics *survey) {
    atomic_init(&survey->pixels, 0);
    atomic_init(&survey->interior, 0);
    atomic_init(&survey->least, UINT32_MAX);
    atomic_init(&survey->most, 0);
    for (int b = 0; b < STATISTICS_BUCKETS; b++)
        atomic_init(&survey->histogram[b], 0);
}

static void add(atomic_ullong *sum, uint64_t part) {
    if (part > 0)
        atomic_fetch_add_explicit(sum, part, memory_order_relaxed);
}

void shared_statistics_add(struct shared_statistics *survey, const struct statistics *part) {
    add(&survey->pixels, part->pixels);
    add(&survey->interior, part->interior);
    for (int b = 0; b < STATISTICS_BUCKETS; b++)
        add(&survey->histogram[b], part->histogram[b]);
    unsigned least = atomic_load_explicit(&survey->least, memory_order_relaxed);
    while (part->least < least &&
           !atomic_compare_exchange_weak(&survey->least, &least, part->least))
        continue;
    unsigned most = atomic_load_explicit(&survey->most, memory_order_relaxed);
    while (part->most > most && !atomic_compare_exchange_weak(&survey->most, &most, part->most))
        continue;
}

void shared_statistics_read(const struct shared_statistics *survey, struct statistics *statistics) {
    statistics->pixels = atomic_load_explicit(&survey->pixels, memory_order_relaxed);
    statistics->interior = atomic_load_explicit(&survey->interior, memory_order_relaxed);
    statistics->least = atomic_load_explicit(&survey->least, memory_order_relaxed);
    statistics->most = atomic_load_explicit(&survey->most, memory_order_relaxed);
    for (int b = 0; b < STATISTICS_BUCKETS; b++)
        statistics->histogram[b] =
            atomic_load_explicit(&survey->histogram[b], memory_order_relaxed);
}
