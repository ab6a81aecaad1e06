/* The last so many measurements, and their percentiles; and what of a frame is measured. */
#ifndef FATHOM_APP_STATS_H
#define FATHOM_APP_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* What the time of a frame goes into. */
enum frame_part {
    FRAME_LOOP,    /* the event loop's own work */
    FRAME_COMPUTE, /* a backend draws, and the loop waits for it or takes what it has */
    FRAME_UPLOAD,  /* finished pixels go into the texture */
    FRAME_DRAW,    /* commands to OpenGL, for pictures and numbers */
    FRAME_SWAP,    /* until the frame is the display's; software renderers draw here */
    FRAME_PARTS
};
extern const char *const frame_part_names[FRAME_PARTS];

struct stats {
    float *values;           /* a ring */
    float *sorted;           /* room for sorting them */
    size_t capacity, next;   /* next: where the next one goes */
    size_t count;            /* how many are there, up to capacity */
    unsigned long long seen; /* how many there ever were */
    double largest;          /* of all ever seen; 0 before */
};

/* False: no memory, logged. */
bool stats_init(struct stats *stats, size_t capacity);
void stats_finish(struct stats *stats);
void stats_add(struct stats *stats, double value);
/* The newest one; 0 when there are none. */
double stats_last(const struct stats *stats);
double stats_mean(const struct stats *stats); /* likewise */
/* The smallest value that at least the share 0 < `share` <= 1 of the values does not exceed
 * (nearest rank); 0 when there are none. Sorts a copy, about 20 us for 240 values, in memory of
 * `stats`: by one thread at a time. */
double stats_percentile(const struct stats *stats, double share);

#endif
