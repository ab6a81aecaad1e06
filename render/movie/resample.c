/* Resampling: weighted sums of cells. Frames that are parallel to a ring add rows first, then
 * columns. */
#include "render/movie/resample.h"
#include "render/base/memory.h"
#include "render/light/light.h"
#include "render/movie/splat.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEARLY                                                                                     \
    1.0001 /* tolerance of spacings, whose exact value is a power of two of the density */

int resample_level(double density, double *spacing) {
    int m = 0;
    while (m + 1 < RING_LEVELS && *spacing / 2 * NEARLY >= density) {
        *spacing /= 2;
        m++;
    }
    return m;
}

/* --- weights in one direction --- */

/* Cells that have a part in the pixels of one direction. */
struct taps {
    int pixels, most; /* numbers of pixels, and of weights of each */
    int *first;       /* first cell of each pixel */
    uint16_t *weight; /* `most` of each pixel; their sum is about SPLAT_ONE */
    uint32_t *cover;  /* sum of weights times coverage by the ring, in COVER_ONE */
    uint32_t *hole;   /* the same of the hole */
};

/* Returns the share of cell `x` of level m that lies within from <= x < to, in COVER_ONE. */
static uint32_t cover(int x, int m, int from, int to) {
    const int64_t size = (int64_t)1 << m, low = x * size, high = low + size;
    const int64_t part = (high < to ? high : to) - (low > from ? low : from);
    return part > 0 ? (uint32_t)(part * COVER_ONE >> m) : 0;
}

static void fill_taps(struct taps *taps, int pixel, const struct resample_ring *ring, double pivot,
                      bool across) {
    const struct cells *level = &ring->level->outer, *outer = &ring->outer, *hole = &ring->hole;
    const double spacing = ring->spacing, tent = splat_tent(spacing);
    const int low = across ? level->x0 : level->y0, high = across ? level->x1 : level->y1;
    const double from = (pixel - tent - pivot) * spacing - 0.5;
    int x = from < low ? low : from > high ? high : (int)ceil(from);
    uint16_t *weight = taps->weight + (size_t)pixel * (size_t)taps->most;
    taps->first[pixel] = x;
    taps->cover[pixel] = taps->hole[pixel] = 0;
    memset(weight, 0, (size_t)taps->most * sizeof *weight);
    for (int k = 0; k < taps->most && x < high; k++, x++) {
        const double distance = (x + 0.5) / spacing + pivot - (pixel + 0.5);
        if (distance >= 0.5 + tent)
            break;
        weight[k] = splat_weight(distance, tent, spacing);
        taps->cover[pixel] += weight[k] * (across ? cover(x, ring->m, outer->x0, outer->x1)
                                                  : cover(x, ring->m, outer->y0, outer->y1));
        taps->hole[pixel] += weight[k] * (across ? cover(x, ring->m, hole->x0, hole->x1)
                                                 : cover(x, ring->m, hole->y0, hole->y1));
    }
}

static void taps_finish(struct taps *taps) {
    free(taps->first);
    free(taps->weight);
    free(taps->cover);
    free(taps->hole);
}

static bool taps_init(struct taps *taps, const struct resample_ring *ring, int pixels, double pivot,
                      bool across) {
    const size_t size = (size_t)pixels;
    taps->pixels = pixels;
    taps->most = (int)ceil(ring->spacing * (1 + 2 * splat_tent(ring->spacing))) + 1;
    taps->first = memory_alloc(size * sizeof *taps->first, "a frame");
    taps->weight = memory_alloc(size * (size_t)taps->most * sizeof *taps->weight, "a frame");
    taps->cover = memory_alloc(size * sizeof *taps->cover, "a frame");
    taps->hole = memory_alloc(size * sizeof *taps->hole, "a frame");
    const bool ok = taps->first && taps->weight && taps->cover && taps->hole;
    for (int i = 0; ok && i < pixels; i++)
        fill_taps(taps, i, ring, pivot, across);
    return ok;
}

/* Weights of a ring. */
struct resample_taps {
    struct taps across, down;
};

bool resample_begin(struct resample *frame) {
    const size_t count = (size_t)frame->ring_count;
    frame->taps = memory_alloc((count + 1) * sizeof *frame->taps, "a frame");
    bool ok = frame->taps;
    if (ok)
        memset(frame->taps, 0, (count + 1) * sizeof *frame->taps);
    for (size_t i = 0; ok && i < count; i++)
        if (frame->rings[i].angle == 0)
            ok = taps_init(&frame->taps[i].across, &frame->rings[i], frame->width_px, frame->x_px,
                           true) &&
                 taps_init(&frame->taps[i].down, &frame->rings[i], frame->height_px, frame->y_px,
                           false);
    return ok;
}

void resample_end(struct resample *frame) {
    for (int i = 0; frame->taps && i < frame->ring_count; i++) {
        taps_finish(&frame->taps[i].across);
        taps_finish(&frame->taps[i].down);
    }
    free(frame->taps);
    frame->taps = NULL;
}

/* --- sums --- */

/* Sums of a band of rows. */
struct band {
    const struct resample *frame;
    int first, rows;
    struct splat_sum *sums;
};

/* Sums of cells of some rows, by column. */
struct column_sums {
    uint32_t *light; /* R, G, B of each cell of the level's columns */
    bool whole;      /* false: only cells beside the hole are not 0 */
};

static void add_cells(uint32_t *restrict sums, const uint16_t *restrict light, uint32_t weight,
                      size_t size) {
    for (size_t i = 0; i < size; i++)
        sums[i] += weight * light[i];
}

/* Adds the rows of cells of a row of pixels. Returns false if there are none. */
static bool add_rows(struct column_sums *columns, const struct ring_level *level,
                     const struct taps *down, int row) {
    const struct cells *o = &level->outer, *h = &level->hole;
    const size_t width = 3 * (size_t)(o->x1 - o->x0), right = 3 * (size_t)(h->x1 - o->x0);
    const uint16_t *weight = down->weight + (size_t)row * (size_t)down->most;
    bool any = false;
    columns->whole = false;
    memset(columns->light, 0, width * sizeof *columns->light);
    for (int k = 0; k < down->most; k++) {
        const int y = down->first[row] + k;
        if (weight[k] == 0 || y >= o->y1)
            continue;
        any = true;
        if (y < h->y0 || y >= h->y1) {
            columns->whole = true;
            add_cells(columns->light, ring_level_light(level, o->x0, y), weight[k], width);
            continue;
        }
        add_cells(columns->light, ring_level_light(level, o->x0, y), weight[k],
                  3 * (size_t)(h->x0 - o->x0));
        add_cells(columns->light + right, ring_level_light(level, h->x1, y), weight[k],
                  width - right);
    }
    return any;
}

/* Adds the columns to the pixels of a row; pixels whose cells all lie in the hole are left out. */
static void add_columns(struct splat_sum *sums, const struct column_sums *columns,
                        const struct ring_level *level, const struct taps *across,
                        uint32_t cover_down, uint32_t hole_down) {
    const struct cells *o = &level->outer, *h = &level->hole;
    for (int x = 0; x < across->pixels; x++) {
        const int first = across->first[x];
        if (across->cover[x] == 0 ||
            (!columns->whole && first >= h->x0 && first + across->most <= h->x1))
            continue;
        const uint16_t *weight = across->weight + (size_t)x * (size_t)across->most;
        const uint32_t *light = columns->light + 3 * (ptrdiff_t)(first - o->x0);
        const int count = o->x1 - first < across->most ? o->x1 - first : across->most;
        uint64_t red = 0, green = 0, blue = 0;
        for (int k = 0; k < count; k++, light += 3) {
            red += (uint64_t)weight[k] * light[0];
            green += (uint64_t)weight[k] * light[1];
            blue += (uint64_t)weight[k] * light[2];
        }
        sums[x].light[0] += red;
        sums[x].light[1] += green;
        sums[x].light[2] += blue;
        sums[x].weight +=
            (uint64_t)cover_down * across->cover[x] - (uint64_t)hole_down * across->hole[x];
    }
}

/* Adds a ring that is parallel to the frame. */
static bool add_parallel(const struct band *band, const struct resample_ring *ring,
                         const struct resample_taps *taps) {
    const struct ring_level *level = ring->level;
    const size_t columns_size = (size_t)(level->outer.x1 - level->outer.x0);
    struct column_sums columns = {
        .light = memory_alloc(3 * sizeof *columns.light * (uint64_t)columns_size, "a frame")};
    for (int row = 0; columns.light && row < band->rows; row++) {
        const int y = band->first + row;
        if (taps->down.cover[y] > 0 && add_rows(&columns, level, &taps->down, y))
            add_columns(band->sums + (size_t)row * (size_t)band->frame->width_px, &columns, level,
                        &taps->across, taps->down.cover[y], taps->down.hole[y]);
    }
    const bool ok = columns.light;
    free(columns.light);
    return ok;
}

static void store_light(const struct splat_sum *sums, size_t size, uint16_t *light) {
    for (size_t i = 0; i < size; i++, light += 3) {
        const double scale =
            sums[i].weight > 0 ? (double)COVER_ONE * COVER_ONE / (double)sums[i].weight : 0;
        for (int channel = 0; channel < 3; channel++) {
            const double mean = (double)sums[i].light[channel] * scale;
            light[channel] = mean < LIGHT_MAX ? (uint16_t)(mean + 0.5) : LIGHT_MAX;
        }
    }
}

bool resample_rows(const struct resample *frame, int first, int rows, uint16_t *light) {
    const size_t size = (size_t)frame->width_px * (size_t)rows;
    struct band band = {frame, first, rows, memory_alloc(size * sizeof *band.sums, "a frame")};
    bool ok = band.sums;
    if (ok)
        memset(band.sums, 0, size * sizeof *band.sums);
    for (int i = 0; ok && i < frame->ring_count; i++) {
        const struct resample_ring *ring = &frame->rings[i];
        if (ring->angle == 0)
            ok = add_parallel(&band, ring, &frame->taps[i]);
        else
            splat_ring(frame, ring, first, rows, band.sums);
    }
    if (ok)
        store_light(band.sums, size, light);
    free(band.sums);
    return ok;
}
