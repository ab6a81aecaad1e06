/* Light of rings: from samples to colours, and from level to level. */
#include "render/movie/ring_light.h"
#include "render/base/memory.h"
#include "render/light/light.h"
#include <stdlib.h>
#include <string.h>

/* Returns floor(x / 2^m). */
static int down(int x, int m) {
    return x >= 0 ? x >> m : -((-x + (1 << m) - 1) >> m);
}

/* Returns ceil(x / 2^m). */
static int up(int x, int m) {
    return -down(-x, m);
}

void ring_level_init(struct ring_level *level, struct cells outer, struct cells hole, int m) {
    level->outer =
        (struct cells){down(outer.x0, m), down(outer.y0, m), up(outer.x1, m), up(outer.y1, m)};
    level->hole =
        (struct cells){up(hole.x0, m), up(hole.y0, m), down(hole.x1, m), down(hole.y1, m)};
    if (cells_empty(level->hole))
        level->hole =
            (struct cells){level->outer.x1, level->outer.y1, level->outer.x1, level->outer.y1};
    level->light = NULL;
}

static size_t span(int from, int to) {
    return (size_t)(to - from);
}

size_t ring_level_size(const struct ring_level *level) {
    const struct cells *o = &level->outer, *h = &level->hole;
    return span(o->x0, o->x1) * span(o->y0, o->y1) - span(h->x0, h->x1) * span(h->y0, h->y1);
}

uint16_t *ring_level_light(const struct ring_level *level, int x, int y) {
    return level->light + 3 * (x + cells_offset(&level->outer, &level->hole, x, y));
}

bool ring_level_alloc(struct ring_level *level) {
    level->light = memory_alloc(3 * sizeof *level->light * (uint64_t)ring_level_size(level),
                                "the rings of a movie");
    return level->light;
}

/* --- means --- */

/* Adds the cells x0 <= x < x1 of a row to sums of two, which begin with coarse column `first`. */
static void add_pairs(const uint16_t *light, int x0, int x1, int first, uint32_t *sums) {
    for (int x = x0; x < x1; x++, light += 3) {
        uint32_t *sum = sums + 3 * (ptrdiff_t)(down(x, 1) - first);
        sum[0] += light[0];
        sum[1] += light[1];
        sum[2] += light[2];
    }
}

static void add_row(const struct ring_level *fine, int y, int first, uint32_t *sums) {
    const struct cells *o = &fine->outer, *h = &fine->hole;
    if (y < o->y0 || y >= o->y1)
        return;
    const bool holed = y >= h->y0 && y < h->y1;
    add_pairs(ring_level_light(fine, o->x0, y), o->x0, holed ? h->x0 : o->x1, first, sums);
    if (holed)
        add_pairs(ring_level_light(fine, h->x1, y), h->x1, o->x1, first, sums);
}

static void store_means(const uint32_t *sums, int x0, int x1, int first, uint16_t *light) {
    sums += 3 * (ptrdiff_t)(x0 - first);
    for (size_t i = 0; i < 3 * span(x0, x1); i++)
        light[i] = (uint16_t)((sums[i] + 2) / 4);
}

void ring_level_halve(const struct ring_level *fine, const struct ring_level *coarse, int y0,
                      int y1) {
    const struct cells *o = &coarse->outer, *h = &coarse->hole;
    const size_t size = 3 * span(o->x0, o->x1) * sizeof(uint32_t);
    uint32_t *sums = memory_or_end(size, "the rings of a movie");
    for (int y = y0; y < y1; y++) {
        const bool holed = y >= h->y0 && y < h->y1;
        memset(sums, 0, size);
        add_row(fine, 2 * y, o->x0, sums);
        add_row(fine, 2 * y + 1, o->x0, sums);
        store_means(sums, o->x0, holed ? h->x0 : o->x1, o->x0, ring_level_light(coarse, o->x0, y));
        if (holed)
            store_means(sums, h->x1, o->x1, o->x0, ring_level_light(coarse, h->x1, y));
    }
    free(sums);
}

/* --- colours --- */

void ring_level_colour(const struct ring_level *level, int x0, int x1, int y, int rows,
                       const struct sample_planes *samples, const struct colouring *colouring) {
    uint16_t linear[256];
    for (int byte = 0; byte < 256; byte++)
        linear[byte] = (uint16_t)((light_of(2 * byte) + 0x8000u) >> 16);
    size_t i = 0;
    for (int row = 0; row < rows; row++) {
        uint16_t *light = ring_level_light(level, x0, y + row);
        for (int x = x0; x < x1; x++, i++, light += 3) {
            const uint32_t rgba = light_sample(colouring, colouring->table, samples->plane, i);
            light[0] = linear[rgba & 0xff];
            light[1] = linear[rgba >> 8 & 0xff];
            light[2] = linear[rgba >> 16 & 0xff];
        }
    }
}
