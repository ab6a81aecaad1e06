/* The last so many measurements, and their percentiles. */
#ifndef FATHOM_APP_STATS_H
#define FATHOM_APP_STATS_H

#include <stdbool.h>
#include <stddef.h>

struct stats {
    float *values;           /* a ring */
    size_t capacity, next;   /* next: where the next one goes */
    size_t count;            /* how many are there, up to capacity */
    unsigned long long seen; /* how many there ever were */
    double largest;          /* of all ever seen; 0 before */
};

/* False: no memory, logged. */
bool stats_init(struct stats *stats, size_t capacity);
void stats_finish(struct stats *stats);
void stats_add(struct stats *stats, double value);
/* The smallest value that at least the share 0 < `share` <= 1 of the values does not exceed
 * (nearest rank); 0 when there are none. Sorts a copy: about 20 us for 240 values. */
double stats_percentile(const struct stats *stats, double share);

#endif
