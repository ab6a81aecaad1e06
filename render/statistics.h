/* Statistics: a summary of a complete picture's counts. It contains the number of interior samples,
 * and a histogram of the other counts whose buckets grow with the counts. */
#ifndef FATHOM_RENDER_STATISTICS_H
#define FATHOM_RENDER_STATISTICS_H

#include "render/inline.h"
#include "render/sample.h"

/* Number of buckets, four in each octave; counts only use buckets below 120. */
#define STATISTICS_BUCKETS 128

struct statistics {
    uint64_t pixels, interior; /* interior <= pixels */
    uint32_t least, most;      /* counts of escaped pixels; least > most: none escaped */
    uint64_t histogram[STATISTICS_BUCKETS]; /* number of escaped pixels by count */
};

/* Initialises statistics of no pixels. */
void statistics_init(struct statistics *statistics);
/* Adds the counts of `rows` rows of a count plane (sample.h) whose rows are `stride` apart. Takes
 * about two nanoseconds for each count. At most 2^32 - 1 counts. */
void statistics_add(struct statistics *statistics, const uint32_t *count, size_t columns,
                    size_t rows, size_t stride);

/* Returns the bucket of a count up to SAMPLE_COUNT_MASK, the same on every device. Counts below 8
 * have a bucket of their own. Each octave above has four, by the two bits below the highest. */
INLINE unsigned statistics_bucket(uint32_t count) {
    const uint32_t large = 0u - (count > 3), fine = (0u - (count > 0xffffff)) & 0x7f;
    const float number = (float)(int32_t)(count & ~fine); /* exact */
    /* the exponent, and two bits of the mantissa */
    return (large & ((float_bits(number) >> 21) - 512)) | (~large & count);
}

/* Returns the least count of a bucket. For STATISTICS_BUCKETS - 1 and a few buckets below, the
 * result is above all counts. */
INLINE uint32_t statistics_bucket_least(unsigned bucket) {
    return bucket < 8 ? bucket : (4u + bucket % 4) << (bucket / 4 - 1);
}

#endif
