/* Anti-aliasing: adds samples of pixels in linear light, in integers, and generates the sample
 * positions. */
#include "render/accumulate.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/colour.h"
#include "render/frame.h"
#include "render/light/light.h"
#include <stdlib.h>
#include <string.h>

#define HALF      (FRAME_OFFSETS / 2)
#define ROOT_HALF 46341 /* 2^16 / sqrt 2 */

/* --- sample positions --- */

static uint32_t reverse_bits(uint32_t x) {
    uint32_t reversed = 0;
    for (int bit = 0; bit < 16; bit++)
        reversed |= (x >> bit & 1) << (15 - bit);
    return reversed;
}

/* Returns an element of Sobol's second dimension. */
static uint32_t sobol(uint32_t x) {
    uint32_t sum = 0;
    for (uint32_t direction = 1u << 15; x > 0; x >>= 1, direction ^= direction >> 1)
        sum ^= x & 1 ? direction : 0;
    return sum;
}

/* Scrambling of the first digits: each becomes the sum of itself and some digits before it. Found
 * by search: of 500 pairs, the first 16 samples of this pair were closest to the mean of the whole
 * pixel, over seven views. */
#define SCRAMBLED 6
static const uint16_t scramble_x[SCRAMBLED] = {0x8000, 0x4000, 0xa000, 0x3000, 0xa800, 0xf400};
static const uint16_t scramble_y[SCRAMBLED] = {0x8000, 0x4000, 0xa000, 0x7000, 0x9800, 0x6400};

static uint32_t scramble(uint32_t x, const uint16_t *sums) {
    uint32_t scrambled = x & (0xffffu >> SCRAMBLED);
    for (int digit = 0; digit < SCRAMBLED; digit++)
        scrambled |= (uint32_t)__builtin_parity(x & sums[digit]) << (15 - digit);
    return scrambled;
}

/* Sobol's sequence, scrambled and moved by half a pixel. Any first 2^k points have one point in
 * each rectangle of area 2^-k of the pixel whose sides are powers of two. */
void accumulate_offset(uint32_t sample, int *x, int *y) {
    *x = (int)(scramble(reverse_bits(sample), scramble_x) ^ HALF) - HALF;
    *y = (int)(scramble(sobol(sample), scramble_y) ^ HALF) - HALF;
}

/* Returns the share, in 2^-16, of a sample that belongs to the next pixel. The area of a sample is
 * a tent as wide as the distance of samples, but at most as wide as with 16 samples, which suits
 * the 16 best. */
static uint32_t share_of(uint32_t sample, int offset) {
    int octave = 4;
    while (sample >> octave > 0)
        octave++;
    const uint32_t apart = (octave & 1 ? ROOT_HALF : 2 * HALF) >> octave / 2;
    const uint32_t distance = (uint32_t)(HALF - abs(offset));
    if (distance >= apart)
        return 0;
    const uint64_t beyond = ((uint64_t)(apart - distance) << 16) / apart;
    return (uint32_t)(beyond * beyond >> 17);
}

/* --- initialisation --- */

bool accumulator_init(struct accumulator *accumulator, int width_px, int rows) {
    *accumulator = (struct accumulator){.width_px = width_px, .rows = rows};
    const uint64_t line = 3 * ((uint64_t)width_px + 2);
    accumulator->sums = memory_alloc(
        3 * (uint64_t)width_px * (uint64_t)rows * sizeof *accumulator->sums, "anti-aliasing");
    for (int i = 0; i < 2; i++)
        accumulator->lines[i] = memory_alloc(line * sizeof *accumulator->lines[i], "anti-aliasing");
    if (!accumulator->sums || !accumulator->lines[0] || !accumulator->lines[1])
        return false;
    for (int byte = 0; byte < 256; byte++) {
        accumulator->linear[byte] = (uint16_t)((light_of(2 * byte) + 0x8000u) >> 16);
        accumulator->thresholds[byte] = byte > 0 ? light_of(2 * byte - 1) : 0;
    }
    accumulator_set_samples(accumulator, 1);
    accumulator_clear(accumulator);
    return true;
}

void accumulator_finish(struct accumulator *accumulator) {
    free(accumulator->sums);
    free(accumulator->lines[0]);
    free(accumulator->lines[1]);
    *accumulator = (struct accumulator){0};
}

void accumulator_clear(struct accumulator *accumulator) {
    memset(accumulator->sums, 0,
           3 * (size_t)accumulator->width_px * (size_t)accumulator->rows *
               sizeof *accumulator->sums);
}

void accumulator_restart(struct accumulator *accumulator, int width_px, int rows) {
    accumulator->width_px = width_px;
    accumulator->rows = rows;
    accumulator_clear(accumulator);
}

/* --- sums --- */

/* Converts a row to light; beyond its ends the row repeats its last pixel. */
static void fill_line(const struct accumulator *accumulator, uint16_t *line, const uint32_t *rgba) {
    const uint16_t *linear = accumulator->linear;
    const size_t width = (size_t)accumulator->width_px;
    for (size_t x = 0; x < width; x++) {
        const uint32_t pixel = rgba[x];
        line[3 * x + 3] = linear[pixel & 0xff];
        line[3 * x + 4] = linear[pixel >> 8 & 0xff];
        line[3 * x + 5] = linear[pixel >> 16 & 0xff];
    }
    for (size_t i = 0; i < 3; i++) {
        line[i] = line[3 + i];
        line[3 * width + 3 + i] = line[3 * width + i];
    }
}

/* Weights of four values, with a sum of 2^16: the pixel, the pixel to the side, the pixel above or
 * below, and the diagonal one. */
struct weights {
    uint32_t here, beside, next, next_beside;
};

static struct weights weights_of(uint32_t share_x, uint32_t share_y) {
    const uint32_t both = share_x * share_y >> 16;
    return (struct weights){65536 - share_x - share_y + both, share_x - both, share_y - both, both};
}

/* Adds a row; `beside` is the distance in the lines to the pixel to the side. */
static void add_line(uint32_t *restrict sums, const uint16_t *restrict here,
                     const uint16_t *restrict next, int beside, struct weights w, size_t size) {
    const uint16_t *here_beside = here + beside, *next_beside = next + beside;
    for (size_t i = 0; i < size; i++)
        sums[i] += (here[i] * w.here + here_beside[i] * w.beside + next[i] * w.next +
                    next_beside[i] * w.next_beside + 0x8000u) >>
                   16;
}

static void add_whole_line(uint32_t *restrict sums, const uint16_t *restrict here, size_t size) {
    for (size_t i = 0; i < size; i++)
        sums[i] += here[i];
}

/* A neighbour whose sample reaches into a pixel lies on the side opposite to the offset. */
void accumulator_add(struct accumulator *accumulator, uint32_t sample, int first, int rows,
                     const uint32_t *rgba, bool above, bool below) {
    const size_t width = (size_t)accumulator->width_px;
    int x, y;
    accumulate_offset(sample, &x, &y);
    const struct weights weights = weights_of(share_of(sample, x), share_of(sample, y));
    const int beside = x < 0 ? 3 : -3, down = y < 0 ? 1 : -1;
    const bool alone = weights.next + weights.next_beside == 0;
    uint16_t *here = accumulator->lines[0], *next = accumulator->lines[1];
    for (int i = 0; i < rows; i++) {
        /* Order in which a row's neighbour is the previous row, whose light is still there. */
        const int row = down > 0 ? rows - 1 - i : i;
        uint32_t *sums = accumulator->sums + 3 * width * (size_t)(first + row);
        const bool edge = row + down < 0 ? !above : row + down >= rows && !below;
        fill_line(accumulator, here, rgba + width * (size_t)row);
        if (i == 0 && !alone && !edge)
            fill_line(accumulator, next, rgba + (ptrdiff_t)width * (row + down));
        if (alone && weights.beside == 0)
            add_whole_line(sums, here + 3, 3 * width);
        else
            add_line(sums, here + 3, (alone || edge ? here : next) + 3, beside, weights, 3 * width);
        uint16_t *const before = next;
        next = here;
        here = before;
    }
}

void accumulator_set_samples(struct accumulator *accumulator, uint32_t samples) {
    require(samples >= 1 && samples <= ACCUMULATE_SAMPLES_MAX);
    if (accumulator->samples == samples)
        return;
    accumulator->samples = samples;
    for (int byte = 0; byte < 256; byte++)
        accumulator->least[byte] =
            (uint32_t)(((uint64_t)accumulator->thresholds[byte] * samples + 0xffff) >> 16);
    accumulator->least[256] = UINT32_MAX;
    accumulator->scale = ((uint64_t)ACCUMULATE_RANGES << 32) / ((uint64_t)LIGHT_MAX * samples + 1);
    /* Byte of the least sum of each range. Thresholds are farther apart than a range, so no range
     * has two. */
    int byte = 0;
    for (uint64_t i = 0; i < ACCUMULATE_RANGES; i++) {
        const uint64_t sum = ((i << 32) + accumulator->scale - 1) / accumulator->scale;
        while (byte < 255 && accumulator->least[byte + 1] <= sum)
            byte++;
        accumulator->bytes[i] = (uint8_t)byte;
    }
}

static inline uint32_t byte_of(const struct accumulator *accumulator, uint32_t sum) {
    const uint32_t byte = accumulator->bytes[sum * accumulator->scale >> 32];
    return byte + (sum >= accumulator->least[byte + 1]);
}

void accumulator_mean(const struct accumulator *accumulator, int first, int rows, uint32_t *rgba) {
    const size_t width = (size_t)accumulator->width_px, size = width * (size_t)rows;
    const uint32_t *sums = accumulator->sums + 3 * width * (size_t)first;
    for (size_t i = 0; i < size; i++, sums += 3)
        rgba[i] = byte_of(accumulator, sums[0]) | byte_of(accumulator, sums[1]) << 8 |
                  byte_of(accumulator, sums[2]) << 16 | COLOUR_ALPHA;
}

void accumulator_mean_deep(const struct accumulator *accumulator, int row, const uint16_t *curve,
                           uint64_t *deep) {
    const size_t width = (size_t)accumulator->width_px;
    const uint32_t *sums = accumulator->sums + 3 * width * (size_t)row;
    const uint32_t samples = accumulator->samples;
    for (size_t x = 0; x < width; x++, sums += 3) {
        deep[x] = 0;
        for (int c = 0; c < 3; c++) {
            const uint64_t light = ((uint64_t)sums[c] + samples / 2) / samples;
            deep[x] |= (uint64_t)curve[light < LIGHT_MAX ? light : LIGHT_MAX] << 16 * c;
        }
    }
}
