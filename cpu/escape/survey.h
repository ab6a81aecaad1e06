/* Statistics that several workers gather at a time. */
#ifndef FATHOM_CPU_ESCAPE_SURVEY_H
#define FATHOM_CPU_ESCAPE_SURVEY_H

#include "render/statistics.h"
#include <stdatomic.h>

/* As in struct statistics. */
struct survey {
    atomic_ullong pixels, interior;
    atomic_uint least, most;
    atomic_ullong histogram[STATISTICS_BUCKETS];
};

void survey_init(struct survey *survey);
/* Any thread. Ordered with nothing else. */
void survey_add(struct survey *survey, const struct statistics *part);
/* After all of them were added. */
void survey_read(const struct survey *survey, struct statistics *statistics);

#endif
