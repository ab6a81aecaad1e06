/* Statistics: the latest measurements and their percentiles, and the measured parts of a frame. */
#ifndef FATHOM_APP_STATS_H
#define FATHOM_APP_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Parts of a frame's time. */
enum frame_part {
    FRAME_LOOP,    /* work of the event loop itself */
    FRAME_COMPUTE, /* waiting for a backend, or fetching its results */
    FRAME_UPLOAD,  /* copying finished pixels to the texture */
    FRAME_DRAW,    /* issuing OpenGL commands for pictures and numbers */
    FRAME_SWAP,    /* until the display has the frame; software renderers draw here */
    FRAME_PARTS
};
extern const char *const frame_part_names[FRAME_PARTS];

struct stats {
    float *values;           /* ring of values */
    float *sorted;           /* scratch for sorting */
    size_t capacity, next;   /* next: index of the next value */
    size_t count;            /* number of values, up to capacity */
    unsigned long long seen; /* number of values ever added */
    double largest;          /* largest value ever added; 0 if there was none */
};

/* Returns false if there is no memory; that is logged. */
bool stats_init(struct stats *stats, size_t capacity);
void stats_finish(struct stats *stats);
void stats_add(struct stats *stats, double value);
/* Returns the newest value; 0 if there is none. */
double stats_last(const struct stats *stats);
double stats_mean(const struct stats *stats); /* Returns the mean; 0 if there are no values. */
/* Returns the smallest value that at least the share 0 < `share` <= 1 of the values does not
 * exceed (nearest rank); 0 if there are no values. Sorts a copy in memory of `stats` (about 20
 * us for 240 values), so only one thread at a time may call this. */
double stats_percentile(const struct stats *stats, double share);

#endif
