/* Lattice filling: fills the gaps of a coarse-to-fine picture row by row, so that its known
 * pixels cover the screen. */
#include "app/picture/lattice_fill.h"
#include <string.h>

/* [px] pixels of a row that are checked together: most such parts have either no gaps or only
 * gaps */
#define PART_PX 64

static int round_up(int value, int stride, int most) {
    const int up = (value + stride - 1) & ~(stride - 1);
    return up < most ? up : most;
}

struct rect lattice_fill_touched(struct rect dirty, int first_stride, int width_px, int height_px) {
    dirty.x1 = round_up(dirty.x1, first_stride, width_px);
    dirty.y1 = round_up(dirty.y1, first_stride, height_px);
    return dirty;
}

static bool has_gaps(const uint32_t *pixels, int count) {
    uint32_t all = COLOUR_ALPHA;
    for (int i = 0; i < count; i++)
        all &= pixels[i];
    return all == 0;
}

/* Spreads the lattice pixels of one row to the pixels x0 .. x1 - 1 that share their colours. */
static void spread(const uint32_t *row, int x0, int x1, int stride, uint32_t alpha, uint32_t *out) {
    for (int x = x0 & ~(stride - 1); x < x1; x += stride) {
        if (!(row[x] & COLOUR_ALPHA))
            continue;
        const uint32_t pixel = (row[x] & ~COLOUR_ALPHA) | alpha << 24;
        const int first = x > x0 ? x : x0, last = x + stride < x1 ? x + stride : x1;
        for (int i = first; i < last; i++)
            out[i - x0] = pixel;
    }
}

/* Fills the pixels x0 .. x1 - 1 of a row. */
static void fill_part(const uint32_t *pixels, size_t width, int y, int x0, int x1, int first_stride,
                      uint32_t *out) {
    const uint32_t *row = pixels + (size_t)y * width;
    const int count = x1 - x0;
    if (!has_gaps(row + x0, count)) {
        memcpy(out, row + x0, (size_t)count * sizeof *out);
        return;
    }
    memset(out, 0, (size_t)count * sizeof *out);
    uint32_t alpha = 255;
    for (int stride = 1; stride < first_stride; stride *= 2)
        alpha -= LATTICE_FILL_OCTAVE;
    for (int stride = first_stride; stride >= 1; stride /= 2, alpha += LATTICE_FILL_OCTAVE)
        spread(pixels + (size_t)(y & ~(stride - 1)) * width, x0, x1, stride, alpha, out);
}

struct rect lattice_fill_join(struct rect a, struct rect b) {
    if (lattice_fill_empty(a) || lattice_fill_empty(b))
        return lattice_fill_empty(a) ? b : a;
    return (struct rect){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                         a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

void lattice_fill_run(const uint32_t *pixels, int width_px, struct rect r, int first_stride,
                      uint32_t *out) {
    for (int y = r.y0; y < r.y1; y++)
        for (int x0 = r.x0, x1; x0 < r.x1; out += x1 - x0, x0 = x1) {
            x1 = round_up(x0 + 1, PART_PX, r.x1);
            fill_part(pixels, (size_t)width_px, y, x0, x1, first_stride, out);
        }
}
