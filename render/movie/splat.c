/* Splats: adds the cells of a rotated ring to pixels, cell by cell. */
#include "render/movie/splat.h"
#include <math.h>

/* Cells of a rotated ring in some rows of the frame. */
struct splat {
    const struct resample *frame;
    const struct resample_ring *ring;
    struct resample_turn turn;
    int first, rows;
    struct resample_sum *sums;
};

/* Adds cell (x, y). */
static void add_cell(const struct splat *splat, int x, int y) {
    const struct resample_turn *turn = &splat->turn;
    const struct resample_ring *ring = splat->ring;
    const uint16_t *light = ring_level_light(ring->level, x, y);
    const uint64_t cover = cells_coverage(&ring->outer, &ring->hole, x, y, ring->m);
    double px, py;
    resample_turn_cell(turn, x, y, &px, &py);
    const int x0 = (int)floor(px - turn->tent), x1 = (int)floor(px + turn->tent);
    const int y0 = (int)floor(py - turn->tent), y1 = (int)floor(py + turn->tent);
    for (int row = y0; row <= y1; row++) {
        if (row < splat->first || row >= splat->first + splat->rows)
            continue;
        const uint64_t down = splat_weight(py - (row + 0.5), turn->tent, turn->spacing);
        for (int column = x0; column <= x1; column++) {
            if (column < 0 || column >= splat->frame->width_px)
                continue;
            const uint64_t weight =
                down * splat_weight(px - (column + 0.5), turn->tent, turn->spacing);
            struct resample_sum *sum =
                splat->sums + (size_t)(row - splat->first) * (size_t)splat->frame->width_px +
                column;
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
    const struct resample_turn *turn = &splat->turn;
    double px, py, from = x0, to = x1 - 1;
    resample_turn_cell(turn, 0, y, &px, &py);
    clip(px, turn->c, -1, splat->frame->width_px + 1, &from, &to);
    clip(py, turn->s, splat->first - 1, splat->first + splat->rows + 1, &from, &to);
    for (int x = (int)ceil(from); x <= (int)floor(to); x++)
        add_cell(splat, x, y);
}

void splat_ring(const struct resample *frame, const struct resample_ring *ring, int first, int rows,
                struct resample_sum *sums) {
    const struct splat splat = {frame, ring, resample_turn(frame, ring), first, rows, sums};
    const struct cells *o = &ring->level->outer, *h = &ring->level->hole;
    for (int y = o->y0; y < o->y1; y++) {
        const bool holed = y >= h->y0 && y < h->y1;
        add_span(&splat, o->x0, holed ? h->x0 : o->x1, y);
        if (holed)
            add_span(&splat, h->x1, o->x1, y);
    }
}
