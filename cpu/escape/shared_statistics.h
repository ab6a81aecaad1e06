/* Statistics that several workers gather at a time. */
#ifndef FATHOM_CPU_ESCAPE_SHARED_STATISTICS_H
#define FATHOM_CPU_ESCAPE_SHARED_STATISTICS_H

#include "render/statistics.h"
#include <stdatomic.h>

/* As in struct statistics. */
struct shared_statistics {
    atomic_ullong pixels, interior;
    atomic_uint least, most;
    atomic_ullong histogram[STATISTICS_BUCKETS];
};

void shared_statistics_init(struct shared_statistics *survey);
/* Any thread. Ordered with nothing else. */
void shared_statistics_add(struct shared_statistics *survey, const struct statistics *part);
/* After all of them were added. */
void shared_statistics_read(const struct shared_statistics *survey, struct statistics *statistics);

#endif
