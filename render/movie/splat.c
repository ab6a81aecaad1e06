/* Splats: adds each cell of a rotated ring to the pixels that it touches. */
#include "render/movie/splat.h"
#include "render/movie/resample.h"
#include <math.h>

double splat_tent(double spacing) {
    return spacing > 4 ? 1 / spacing : 0.25;
}

/* Returns the integral of a tent from -1 to t. */
static double tent_integral(double t) {
    if (t <= -1)
        return 0;
    if (t >= 1)
        return 1;
    return t < 0 ? (1 + t) * (1 + t) / 2 : 1 - (1 - t) * (1 - t) / 2;
}

uint16_t splat_weight(double distance, double tent, double spacing) {
    const double share =
        tent_integral((0.5 - distance) / tent) - tent_integral((-0.5 - distance) / tent);
    return (uint16_t)(share * (SPLAT_ONE / spacing) + 0.5);
}

/* --- rotated rings --- */

/* Cells of a rotated ring in the frame: cell (x, y) lies at (x + 0.5, y + 0.5) times the rotation,
 * from the pivot. */
struct splat {
    const struct resample *frame;
    const struct resample_ring *ring;
    double c, s, tent; /* c, s: a step of one cell [pixels] */
    int first, rows;
    struct splat_sum *sums;
};

static uint64_t shared(int x, int y, int m, const struct cells *cells) {
    const int64_t size = (int64_t)1 << m;
    int64_t w = (x + 1) * size < cells->x1 ? (x + 1) * size : cells->x1;
    int64_t h = (y + 1) * size < cells->y1 ? (y + 1) * size : cells->y1;
    w -= x * size > cells->x0 ? x * size : cells->x0;
    h -= y * size > cells->y0 ? y * size : cells->y0;
    return w > 0 && h > 0 ? (uint64_t)(w * h) : 0;
}

/* Returns the coverage of a cell, in COVER_ONE^2. */
static uint64_t coverage(const struct resample_ring *ring, int x, int y) {
    const uint64_t area = shared(x, y, ring->m, &ring->outer) - shared(x, y, ring->m, &ring->hole);
    return area * COVER_ONE * COVER_ONE >> 2 * ring->m;
}

/* Adds a cell at a position in the frame [pixels]. */
static void add_cell(const struct splat *splat, double px, double py, const uint16_t *light,
                     uint64_t cover) {
    const int x0 = (int)floor(px - splat->tent), x1 = (int)floor(px + splat->tent);
    const int y0 = (int)floor(py - splat->tent), y1 = (int)floor(py + splat->tent);
    for (int y = y0; y <= y1; y++) {
        if (y < splat->first || y >= splat->first + splat->rows)
            continue;
        const uint64_t down = splat_weight(py - (y + 0.5), splat->tent, splat->ring->spacing);
        for (int x = x0; x <= x1; x++) {
            if (x < 0 || x >= splat->frame->width_px)
                continue;
            const uint64_t weight =
                down * splat_weight(px - (x + 0.5), splat->tent, splat->ring->spacing);
            struct splat_sum *sum =
                splat->sums + (size_t)(y - splat->first) * (size_t)splat->frame->width_px + x;
            for (int channel = 0; channel < 3; channel++)
                sum->light[channel] += weight * light[channel];
            sum->weight += weight * cover;
        }
    }
}

/* Reduces from .. to to those x for which low <= start + x * step <= high. */
static void clip(double start, double step, double low, double high, double *from, double *to) {
    if (fabs(step) < 1e-12) {
        if (start < low || start > high)
            *to = *from - 1;
        return;
    }
    const double a = (low - start) / step, b = (high - start) / step;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
}

/* Adds the cells x0 <= x < x1 of a row that may touch the rows of the frame. */
static void add_span(const struct splat *splat, int x0, int x1, int y) {
    const struct resample *frame = splat->frame;
    const double px = frame->x_px + 0.5 * splat->c - (y + 0.5) * splat->s;
    const double py = frame->y_px + 0.5 * splat->s + (y + 0.5) * splat->c;
    double from = x0, to = x1 - 1;
    clip(px, splat->c, -1, frame->width_px + 1, &from, &to);
    clip(py, splat->s, splat->first - 1, splat->first + splat->rows + 1, &from, &to);
    for (int x = (int)ceil(from); x <= (int)floor(to); x++)
        add_cell(splat, px + x * splat->c, py + x * splat->s,
                 ring_level_light(splat->ring->level, x, y), coverage(splat->ring, x, y));
}

void splat_ring(const struct resample *frame, const struct resample_ring *ring, int first, int rows,
                struct splat_sum *sums) {
    const struct splat splat = {.frame = frame,
                                .ring = ring,
                                .c = cos(ring->angle) / ring->spacing,
                                .s = sin(ring->angle) / ring->spacing,
                                .tent = splat_tent(ring->spacing),
                                .first = first,
                                .rows = rows,
                                .sums = sums};
    const struct cells *o = &ring->level->outer, *h = &ring->level->hole;
    for (int y = o->y0; y < o->y1; y++) {
        const bool holed = y >= h->y0 && y < h->y1;
        add_span(&splat, o->x0, holed ? h->x0 : o->x1, y);
        if (holed)
            add_span(&splat, h->x1, o->x1, y);
    }
}
