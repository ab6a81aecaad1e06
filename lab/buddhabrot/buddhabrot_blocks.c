/* Sums over blocks, and a chi-square that takes its variances from repetition: the points of one
 * orbit depend on each other, so Poisson's would be too small. */
#include "lab/buddhabrot/buddhabrot_blocks.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>

static bool begin(struct blocks *blocks, int width_px, int height_px, size_t *columns) {
    *columns = (size_t)(width_px + BLOCKS_SIDE_PX - 1) / BLOCKS_SIDE_PX;
    blocks->count = *columns * ((size_t)(height_px + BLOCKS_SIDE_PX - 1) / BLOCKS_SIDE_PX);
    blocks->points = 0;
    blocks->share = calloc(blocks->count, sizeof *blocks->share);
    if (!blocks->share)
        log_error("no memory for %zu sums", blocks->count);
    return blocks->share != NULL;
}

static void add(struct blocks *blocks, size_t columns, int x, int y, double count) {
    blocks->share[(size_t)(y / BLOCKS_SIDE_PX) * columns + (size_t)(x / BLOCKS_SIDE_PX)] += count;
    blocks->points += count;
}

static void end(struct blocks *blocks) {
    for (size_t i = 0; i < blocks->count && blocks->points > 0; i++)
        blocks->share[i] /= blocks->points;
}

bool blocks_of_canvas(struct blocks *blocks, const uint32_t *canvas, int width_px, int height_px) {
    size_t columns;
    if (!begin(blocks, width_px, height_px, &columns))
        return false;
    for (int y = 0; y < height_px; y++)
        for (int x = 0; x < width_px; x++)
            add(blocks, columns, x, y, *canvas++);
    end(blocks);
    return true;
}

bool blocks_of_counts(struct blocks *blocks, const struct density_req *req,
                      const struct density_counts *counts) {
    const struct density_place place = density_place(req);
    size_t columns;
    if (!begin(blocks, req->width_px, req->height_px, &columns))
        return false;
    for (int y = 0; y < req->height_px; y++)
        for (int x = 0; x < req->width_px; x++)
            add(blocks, columns, x, y, (double)density_shown(req, &place, counts, 0, x, y));
    end(blocks);
    return true;
}

void blocks_finish(struct blocks *blocks) {
    free(blocks->share);
    *blocks = (struct blocks){0};
}

struct blocks_difference blocks_compare(const struct blocks a[2], const struct blocks b[2]) {
    double between = 0, within = 0;
    for (size_t i = 0; i < a[0].count; i++) {
        const double a0 = a[0].share[i], a1 = a[1].share[i];
        const double b0 = b[0].share[i], b1 = b[1].share[i];
        const double mean = (a0 + a1 + b0 + b1) / 4, d = (a0 + a1) / 2 - (b0 + b1) / 2;
        if (mean <= 0)
            continue;
        between += d * d / mean;
        within += ((a0 - a1) * (a0 - a1) + (b0 - b1) * (b0 - b1)) / 4 / mean;
    }
    return (struct blocks_difference){100 * sqrt(between), 100 * sqrt(within), between / within};
}
