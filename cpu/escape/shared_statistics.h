/* Statistics that several workers add to at the same time. */
#ifndef FATHOM_CPU_ESCAPE_SHARED_STATISTICS_H
#define FATHOM_CPU_ESCAPE_SHARED_STATISTICS_H

#include "render/statistics.h"
#include <stdatomic.h>

/* Members as in struct statistics. */
struct shared_statistics {
    atomic_ullong pixels, interior;
    atomic_uint least, most;
    atomic_ullong histogram[STATISTICS_BUCKETS];
};

void shared_statistics_init(struct shared_statistics *survey);
/* Adds a part. Any thread; relaxed order. */
void shared_statistics_add(struct shared_statistics *survey, const struct statistics *part);
/* Reads the sums. Call it after all parts were added. */
void shared_statistics_read(const struct shared_statistics *survey, struct statistics *statistics);

#endif
