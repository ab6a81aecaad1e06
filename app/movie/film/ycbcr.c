/* Y'CbCr: converts frames with integers. */
#include "app/movie/film/ycbcr.h"
#include "render/parallel.h"
#include <stdbool.h>
#include <stddef.h>

#define PART_PIXELS 65536 /* pixels that a thread converts at a time */

/* BT.709: Y' = 0.2126 R + 0.7152 G + 0.0722 B, Cb = (B - Y') / 1.8556, Cr = (R - Y') / 1.5748; here
 * in units of 1/10000. */
#define RED   2126
#define GREEN 7152
#define BLUE  722
#define UNIT  10000
#define CB    18556
#define CR    15748

/* Largest value of a channel, and factor of the output's range. `bits` is a constant wherever they
 * are used, so that the compiler replaces divisions. */
#define MOST(bits)  ((bits) == 8 ? 255 : 65535)
#define SCALE(bits) ((bits) == 8 ? 1 : 4)

/* Stores (offset + factor * a/b) * SCALE, rounded to the nearest integer; it is not negative. */
static inline void put(unsigned char *plane, size_t at, int bits, int offset, int factor, int64_t a,
                       int64_t b) {
    const uint64_t top = (uint64_t)((offset * b + factor * a) * SCALE(bits) + b / 2);
    const uint64_t value = top / (uint64_t)b;
    if (bits == 8) {
        plane[at] = (unsigned char)value;
    } else {
        plane[2 * at] = (unsigned char)(value & 0xff);
        plane[2 * at + 1] = (unsigned char)(value >> 8);
    }
}

/* Adds a pixel to the sums of the channels. */
static inline void add(int64_t sum[static 3], const void *rgb, size_t at, int bits,
                       int64_t weight) {
    for (size_t i = 0; i < 3; i++)
        sum[i] += weight * (bits == 8 ? ((const uint8_t *)rgb)[3 * at + i]
                                      : ((const uint16_t *)rgb)[3 * at + i]);
}

static inline int64_t luma(const int64_t colour[static 3]) {
    return RED * colour[0] + GREEN * colour[1] + BLUE * colour[2];
}

/* Stores the chroma of a mean: of sums of pixels, whose weights have the sum `weight`. */
static inline void put_chroma(const int64_t sum[static 3], int64_t weight, size_t at, int bits,
                              unsigned char *cb, unsigned char *cr) {
    const int64_t light = luma(sum), most = MOST(bits) * weight;
    put(cb, at, bits, 128, 224, UNIT * sum[2] - light, CB * most);
    put(cr, at, bits, 128, 224, UNIT * sum[0] - light, CR * most);
}

struct conversion {
    const struct ycbcr *format;
    const void *rgb;
    unsigned char *planes;
};

/* Converts the chroma of two rows. */
static inline void convert_squares(const struct conversion *c, int bits, size_t y,
                                   unsigned char *cb, unsigned char *cr) {
    const size_t width = (size_t)c->format->width_px;
    for (size_t x = 0, at = y / 2 * (width / 2); x < width; x += 2, at++) {
        int64_t sum[3] = {0};
        for (size_t i = y * width + x; i <= (y + 1) * width + x; i += width) {
            add(sum, c->rgb, x > 0 ? i - 1 : i, bits, 1);
            add(sum, c->rgb, i, bits, 2);
            add(sum, c->rgb, i + 1, bits, 1);
        }
        put_chroma(sum, 8, at, bits, cb, cr);
    }
}

static inline void convert(const struct conversion *c, int bits, size_t begin, size_t end) {
    const bool squares = c->format->chroma == 420;
    const size_t width = (size_t)c->format->width_px;
    const size_t pixels = width * (size_t)c->format->height_px, bytes = bits == 8 ? 1 : 2;
    unsigned char *const cb = c->planes + pixels * bytes;
    unsigned char *const cr = cb + (squares ? pixels / 4 : pixels) * bytes;
    for (size_t i = begin * width; i < end * width; i++) {
        int64_t colour[3] = {0};
        add(colour, c->rgb, i, bits, 1);
        put(c->planes, i, bits, 16, 219, luma(colour), (int64_t)UNIT * MOST(bits));
        if (!squares)
            put_chroma(colour, 1, i, bits, cb, cr);
    }
    for (size_t y = begin; squares && y < end; y += 2)
        convert_squares(c, bits, y, cb, cr);
}

/* Converts pairs of rows. */
static void convert_pairs(void *user, uint32_t begin, uint32_t end) {
    const struct conversion *c = user;
    const size_t height = (size_t)c->format->height_px;
    const size_t last = 2 * (size_t)end < height ? 2 * (size_t)end : height;
    if (c->format->bits == 8)
        convert(c, 8, 2 * (size_t)begin, last);
    else
        convert(c, 10, 2 * (size_t)begin, last);
}

void ycbcr_convert(const struct ycbcr *format, const void *rgb, unsigned char *planes) {
    struct conversion conversion = {format, rgb, planes};
    parallel_for((uint32_t)(format->height_px + 1) / 2,
                 1 + PART_PIXELS / (2 * (uint32_t)format->width_px), convert_pairs, &conversion);
}

uint64_t ycbcr_size(const struct ycbcr *format) {
    const uint64_t pixels = (uint64_t)format->width_px * (uint64_t)format->height_px;
    return (format->chroma == 420 ? pixels + pixels / 2 : 3 * pixels) * (format->bits == 8 ? 1 : 2);
}
