/* Anti-aliasing: the mean of pictures of one view whose samples lie at different positions in the
 * pixels, taken in linear light. All arithmetic is in integers, so that equal pictures give equal
 * bytes on every machine.
 *
 * A sample represents the area around it, which shrinks with the number of samples. If the area
 * extends beyond the pixel's edge, the next pixel receives its share of the sample. With 16 samples
 * the result is about 1 dB closer to the mean of the whole pixel than a mean of only the pixel's
 * samples. */
#ifndef FATHOM_RENDER_ACCUMULATE_H
#define FATHOM_RENDER_ACCUMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACCUMULATE_SAMPLES_MAX 65536 /* most samples of a pixel */

/* Returns the position of sample number `sample` of every pixel, as an offset of a request
 * (frame.h). Number 0 is the pixel's centre. The first n samples, for any n, are spread evenly over
 * the pixel. */
void accumulate_offset(uint32_t sample, int *x, int *y);

#define ACCUMULATE_RANGES 4096

/* State of the mean of some rows. One thread at a time. */
struct accumulator {
    int width_px, rows;
    uint32_t *sums;           /* sums of 16-bit linear light: red, green and blue of each pixel */
    uint16_t *lines[2];       /* light of a row, with an extra pixel on each side */
    uint16_t linear[256];     /* light of an sRGB byte */
    uint32_t thresholds[256]; /* 2^16 times the least light that rounds to a byte */
    /* Least sum of each byte for `samples`, followed by a number above all sums. */
    uint32_t samples, least[257];
    uint64_t scale; /* factor from sums to ranges, times 2^32 */
    uint8_t bytes[ACCUMULATE_RANGES];
};

/* Initialises sums of 0 for `rows` rows of a picture; takes about a millisecond. Returns false
 * without memory; the reason is logged. To be finished in any case. */
bool accumulator_init(struct accumulator *accumulator, int width_px, int rows);
/* Frees the memory. A zeroed accumulator is allowed. */
void accumulator_finish(struct accumulator *accumulator);
/* Sets all sums to 0. */
void accumulator_clear(struct accumulator *accumulator);
/* Does so for a picture of another size, whose sides are at most those of the initialisation. */
void accumulator_restart(struct accumulator *accumulator, int width_px, int rows);

/* Adds sample number `sample` to `rows` rows, beginning with row `first`. `rgba`: opaque, top down,
 * of the request with that sample's offset. `above` and `below` indicate that the picture's next
 * row on that side is in memory. Both must be true except at the picture's own edges. */
void accumulator_add(struct accumulator *accumulator, uint32_t sample, int first, int rows,
                     const uint32_t *rgba, bool above, bool below);
/* Sets the number of samples of every pixel for accumulator_mean, 1 .. ACCUMULATE_SAMPLES_MAX. */
void accumulator_set_samples(struct accumulator *accumulator, uint32_t samples);
/* Returns the mean of `rows` rows from number `first` on, each channel rounded to the nearest sRGB
 * byte. The mean of one sample is the sample. */
void accumulator_mean(const struct accumulator *accumulator, int first, int rows, uint32_t *rgba);
/* Returns the means of a row with 16 bits a channel, without alpha, for `samples`. `curve`: see
 * light_fill_curve, to 65535. */
void accumulator_mean_deep(const struct accumulator *accumulator, int row, const uint16_t *curve,
                           uint64_t *deep);

#endif
