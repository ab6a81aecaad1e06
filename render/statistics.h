/* A summary of a complete picture's counts: how much of it is interior, and how many steps
 * the rest took, as a histogram whose buckets grow with the counts. */
#ifndef FATHOM_RENDER_STATISTICS_H
#define FATHOM_RENDER_STATISTICS_H

#include "render/inline.h"
#include "render/sample.h"

#define STATISTICS_BUCKETS 128 /* logarithmic, four to an octave; all counts are below number 120 */

struct statistics {
    uint64_t pixels, interior; /* interior <= pixels */
    uint32_t least, most;      /* counts of escaped pixels; least > most: none escaped */
    uint64_t histogram[STATISTICS_BUCKETS]; /* escaped pixels by count */
};

/* Of no pixels. */
void statistics_init(struct statistics *statistics);
/* Adds the counts of `rows` rows of a count plane (sample.h) whose rows are `stride` apart; about
 * two nanoseconds each, and fewer than 2^32 of them. */
void statistics_add(struct statistics *statistics, const uint32_t *count, size_t columns,
                    size_t rows, size_t stride);

/* The bucket of a count up to SAMPLE_COUNT_MASK, the same on every device: counts below 8 have one
 * of their own, above that its number is four for each octave and the two bits below the
 * highest. */
INLINE unsigned statistics_bucket(uint32_t count) {
    const uint32_t large = 0u - (count > 3), fine = (0u - (count > 0xffffff)) & 0x7f;
    const float number = (float)(int32_t)(count & ~fine); /* exact */
    /* The exponent, and two bits of the mantissa. */
    return (large & ((float_bits(number) >> 21) - 512)) | (~large & count);
}

/* The least count of a bucket; that of STATISTICS_BUCKETS - 1 and a few below it is no count any
 * more. */
INLINE uint32_t statistics_bucket_least(unsigned bucket) {
    return bucket < 8 ? bucket : (4u + bucket % 4) << (bucket / 4 - 1);
}

#endif
