/* Anti-aliasing: the mean of pictures of one view that lie between each other's pixels, taken in
 * linear light. Integers throughout, so that the same pictures give the same bytes everywhere.
 *
 * A sample stands for the area around it, which is the smaller the more samples there are. Where
 * that reaches over the pixel's edge, the pixel on the other side gets its share of the sample.
 * With 16 samples that comes about 1 dB closer to the mean of the whole pixel than a mean of its
 * own samples alone. */
#ifndef FATHOM_RENDER_ACCUMULATE_H
#define FATHOM_RENDER_ACCUMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACCUMULATE_SAMPLES_MAX 65536 /* of a pixel */

/* Where sample number `sample` of every pixel lies: the offset of its picture's request (frame.h).
 * Number 0 is the pixel's centre; the first n of them, whatever n is, are spread evenly over the
 * pixel. */
void accumulate_offset(uint32_t sample, int *x, int *y);

#define ACCUMULATE_RANGES 4096

/* One thread at a time. */
struct accumulator {
    int width_px, rows;
    uint32_t *sums;           /* of 16-bit linear light: red, green and blue of each pixel */
    uint16_t *lines[2];       /* light of a row, with a pixel more on each side */
    uint16_t linear[256];     /* light of an sRGB byte */
    uint32_t thresholds[256]; /* 2^16 times the least light that rounds to that byte */
    /* For `samples`: the least sum that gives a byte, one above all sums, and the bytes of ranges
     * of sums. */
    uint32_t samples, least[257];
    uint64_t scale; /* of sums to ranges, times 2^32 */
    uint8_t bytes[ACCUMULATE_RANGES];
};

/* For that many rows of a picture, with sums of 0. About a millisecond. False: no memory,
 * logged; it can be finished all the same. */
bool accumulator_init(struct accumulator *accumulator, int width_px, int rows);
/* A zeroed one is allowed. */
void accumulator_finish(struct accumulator *accumulator);
/* Back to nothing. */
void accumulator_clear(struct accumulator *accumulator);

/* Adds sample number `sample` to `rows` rows from number `first` on: opaque RGBA, top down, of the
 * request at that sample's offset. `above` and `below` tell whether the picture's rows there are in
 * memory as well; they have to be, but at the picture's own edges. */
void accumulator_add(struct accumulator *accumulator, uint32_t sample, int first, int rows,
                     const uint32_t *rgba, bool above, bool below);
/* Sets how many samples every pixel has that is asked for from now on, 1 ..
 * ACCUMULATE_SAMPLES_MAX. */
void accumulator_set_samples(struct accumulator *accumulator, uint32_t samples);
/* The mean of `rows` rows from number `first` on, each channel rounded to the nearest sRGB byte. Of
 * one sample that is the sample. */
void accumulator_mean(const struct accumulator *accumulator, int first, int rows, uint32_t *rgba);

#endif
