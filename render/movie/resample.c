/* Resampling on the processor: weighted sums of cells. Frames that are parallel to a ring add rows
 * first, then columns. */
#include "render/movie/resample.h"
#include "render/base/memory.h"
#include "render/light/light.h"
#include "render/movie/splat.h"
#include "render/parallel.h"
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BAND_ROWS 8 /* rows that a thread resamples at a time */
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

/* Returns half the width of the tent [pixels]. */
static double tent_of(double spacing) {
    return spacing > 4 ? 1 / spacing : 0.25;
}

struct resample_turn resample_turn(const struct resample *frame, const struct resample_ring *ring) {
    return (struct resample_turn){cos(ring->angle) / ring->spacing,
                                  sin(ring->angle) / ring->spacing,
                                  frame->x_px,
                                  frame->y_px,
                                  ring->spacing,
                                  tent_of(ring->spacing)};
}

/* --- weights in one direction --- */

/* A ring in one direction: the cells of its level, and its cells and those of its hole, which
 * decide the coverage. */
struct range {
    int from, to;
};
struct profile {
    struct range level, outer, hole;
    double spacing, tent, pivot;
    int m;
};

static struct profile profile_of(const struct resample *frame, const struct resample_ring *ring,
                                 bool across) {
    const struct cells *l = &ring->level->outer, *o = &ring->outer, *h = &ring->hole;
    struct profile profile = {.spacing = ring->spacing,
                              .tent = tent_of(ring->spacing),
                              .pivot = across ? frame->x_px : frame->y_px,
                              .m = ring->m};
    profile.level = across ? (struct range){l->x0, l->x1} : (struct range){l->y0, l->y1};
    profile.outer = across ? (struct range){o->x0, o->x1} : (struct range){o->y0, o->y1};
    profile.hole = across ? (struct range){h->x0, h->x1} : (struct range){h->y0, h->y1};
    return profile;
}

/* Returns the share of cell `x` of level m that lies within a range, in COVER_ONE. */
static uint32_t cover(int x, int m, struct range range) {
    const int64_t size = (int64_t)1 << m, low = x * size, high = low + size;
    const int64_t part =
        (high < range.to ? high : range.to) - (low > range.from ? low : range.from);
    return part > 0 ? (uint32_t)(part * COVER_ONE >> m) : 0;
}

static void fill_tap(const struct profile *profile, int pixel, int most, struct resample_tap *tap,
                     uint16_t *weight) {
    const double spacing = profile->spacing, tent = profile->tent, pivot = profile->pivot;
    const int low = profile->level.from, high = profile->level.to;
    const double from = (pixel - tent - pivot) * spacing - 0.5;
    int x = from < low ? low : from > high ? high : (int)ceil(from);
    *tap = (struct resample_tap){.first = x};
    memset(weight, 0, (size_t)most * sizeof *weight);
    for (int k = 0; k < most && x < high; k++, x++) {
        const double distance = (x + 0.5) / spacing + pivot - (pixel + 0.5);
        if (distance >= 0.5 + tent)
            break;
        weight[k] = (uint16_t)splat_weight(distance, tent, spacing);
        tap->cover += weight[k] * cover(x, profile->m, profile->outer);
        tap->hole += weight[k] * cover(x, profile->m, profile->hole);
    }
}

static int clamp(double x, int most) {
    return x < 0 ? 0 : x > most ? most : (int)x;
}

/* Places the weights of a direction behind the words that the frame already has. */
static void place(struct resample *frame, const struct resample_ring *ring, bool across,
                  struct resample_direction *direction) {
    const struct profile profile = profile_of(frame, ring, across);
    const int pixels = across ? frame->width_px : frame->height_px;
    const double spacing = profile.spacing, reach = profile.tent + 1;
    direction->begin = clamp(floor(profile.level.from / spacing + profile.pivot - reach), pixels);
    direction->end = clamp(ceil(profile.level.to / spacing + profile.pivot + reach), pixels);
    direction->most = (int)ceil(spacing * (1 + 2 * profile.tent)) + 1;
    const size_t count = (size_t)(direction->end - direction->begin);
    direction->taps = (uint32_t)frame->size;
    frame->size += count * (sizeof(struct resample_tap) / sizeof *frame->words);
    direction->weights = (uint32_t)frame->size;
    frame->size += (count * (size_t)direction->most + 1) / 2;
}

/* Returns the first pixel's tap and weights of a direction. */
static struct resample_tap *taps_of(const struct resample *frame,
                                    const struct resample_direction *direction) {
    return (struct resample_tap *)(frame->words + direction->taps);
}

static uint16_t *weights_of(const struct resample *frame,
                            const struct resample_direction *direction) {
    return (uint16_t *)(frame->words + direction->weights);
}

static void fill(const struct resample *frame, const struct resample_ring *ring, bool across,
                 const struct resample_direction *direction) {
    const struct profile profile = profile_of(frame, ring, across);
    struct resample_tap *tap = taps_of(frame, direction);
    uint16_t *weight = weights_of(frame, direction);
    for (int i = direction->begin; i < direction->end; i++, weight += direction->most)
        fill_tap(&profile, i, direction->most, tap++, weight);
}

bool resample_begin(struct resample *frame) {
    const size_t bytes = ((size_t)frame->ring_count + 1) * sizeof *frame->taps;
    frame->words = NULL;
    frame->size = 1;
    frame->taps = memory_alloc(bytes, "a frame");
    if (!frame->taps)
        return false;
    memset(frame->taps, 0, bytes);
    for (int i = 0; i < frame->ring_count; i++)
        if (frame->rings[i].angle == 0) {
            place(frame, &frame->rings[i], true, &frame->taps[i].across);
            place(frame, &frame->rings[i], false, &frame->taps[i].down);
        }
    frame->words = memory_alloc(frame->size * sizeof *frame->words, "a frame");
    for (int i = 0; frame->words && i < frame->ring_count; i++)
        if (frame->rings[i].angle == 0) {
            fill(frame, &frame->rings[i], true, &frame->taps[i].across);
            fill(frame, &frame->rings[i], false, &frame->taps[i].down);
        }
    return frame->words;
}

void resample_end(struct resample *frame) {
    free(frame->taps);
    free(frame->words);
    frame->taps = NULL;
    frame->words = NULL;
}

/* --- sums --- */

/* Sums of a band of rows. */
struct band {
    const struct resample *frame;
    int first, rows;
    struct resample_sum *sums;
    uint32_t *columns; /* sums of cells of some rows: R, G and B by column of a level */
};

static void add_cells(uint32_t *restrict sums, const uint16_t *restrict light, uint32_t weight,
                      size_t size) {
    for (size_t i = 0; i < size; i++)
        sums[i] += weight * light[i];
}

/* Adds the rows of cells of a row of pixels. Sets *whole to false if only cells beside the hole are
 * not 0. */
static void add_rows(uint32_t *columns, const struct ring_level *level,
                     const struct resample_tap *tap, const uint16_t *weight, int most,
                     bool *whole) {
    const struct cells *o = &level->outer, *h = &level->hole;
    const size_t width = 3 * (size_t)(o->x1 - o->x0), right = 3 * (size_t)(h->x1 - o->x0);
    *whole = false;
    memset(columns, 0, width * sizeof *columns);
    for (int k = 0; k < most; k++) {
        const int y = tap->first + k;
        if (weight[k] == 0 || y >= o->y1)
            continue;
        if (y < h->y0 || y >= h->y1) {
            *whole = true;
            add_cells(columns, ring_level_light(level, o->x0, y), weight[k], width);
            continue;
        }
        add_cells(columns, ring_level_light(level, o->x0, y), weight[k],
                  3 * (size_t)(h->x0 - o->x0));
        add_cells(columns + right, ring_level_light(level, h->x1, y), weight[k], width - right);
    }
}

/* Adds the columns to the pixels of a row; pixels whose cells all lie in the hole are left out. */
static void add_columns(const struct band *band, const struct ring_level *level,
                        const struct resample_direction *across, const struct resample_tap *down,
                        bool whole, struct resample_sum *sums) {
    const struct cells *o = &level->outer, *h = &level->hole;
    const struct resample_tap *tap = taps_of(band->frame, across);
    const uint16_t *weight = weights_of(band->frame, across);
    for (int x = across->begin; x < across->end; x++, tap++, weight += across->most) {
        if (tap->cover == 0 ||
            (!whole && tap->first >= h->x0 && tap->first + across->most <= h->x1))
            continue;
        const uint32_t *light = band->columns + 3 * (ptrdiff_t)(tap->first - o->x0);
        const int count = o->x1 - tap->first < across->most ? o->x1 - tap->first : across->most;
        uint64_t red = 0, green = 0, blue = 0;
        for (int k = 0; k < count; k++, light += 3) {
            red += (uint64_t)weight[k] * light[0];
            green += (uint64_t)weight[k] * light[1];
            blue += (uint64_t)weight[k] * light[2];
        }
        sums[x].light[0] += red;
        sums[x].light[1] += green;
        sums[x].light[2] += blue;
        sums[x].weight += (uint64_t)down->cover * tap->cover - (uint64_t)down->hole * tap->hole;
    }
}

/* Adds a ring that is parallel to the frame. */
static void add_parallel(const struct band *band, const struct ring_level *level,
                         const struct resample_taps *taps) {
    const struct resample_direction *down = &taps->down;
    for (int row = 0; row < band->rows; row++) {
        const int i = band->first + row - down->begin;
        if (i < 0 || i >= down->end - down->begin)
            continue;
        const struct resample_tap *tap = taps_of(band->frame, down) + i;
        const uint16_t *weight = weights_of(band->frame, down) + (ptrdiff_t)i * down->most;
        bool whole;
        if (tap->cover == 0)
            continue;
        add_rows(band->columns, level, tap, weight, down->most, &whole);
        add_columns(band, level, &taps->across, tap, whole,
                    band->sums + (size_t)row * (size_t)band->frame->width_px);
    }
}

static void add_rings(const struct band *band) {
    const struct resample *frame = band->frame;
    memset(band->sums, 0, (size_t)frame->width_px * (size_t)band->rows * sizeof *band->sums);
    for (int i = 0; i < frame->ring_count; i++) {
        const struct resample_ring *ring = &frame->rings[i];
        if (ring->angle == 0)
            add_parallel(band, ring->level, &frame->taps[i]);
        else
            splat_ring(frame, ring, band->first, band->rows, band->sums);
    }
}

/* --- frames --- */

/* Frame that several threads make, band by band. */
struct job {
    const struct resample *frame;
    const struct resample_format *format;
    void *values;
    int bands;
    atomic_int next; /* next band */
    atomic_bool failed;
};

void resample_convert(const struct resample_format *format, const uint16_t *light, size_t size,
                      void *values) {
    for (size_t i = 0; i < size; i++)
        if (!format->curve)
            ((uint16_t *)values)[i] = light[i];
        else if (format->deep)
            ((uint16_t *)values)[i] = format->curve[light[i]];
        else
            ((uint8_t *)values)[i] = (uint8_t)format->curve[light[i]];
}

static void store(const struct job *job, const struct band *band) {
    const struct resample_format *format = job->format;
    const size_t width = (size_t)format->width_px, bytes = format->deep ? 6 : 3;
    char *values = (char *)job->values + bytes * width * (size_t)band->first;
    for (size_t i = 0; i < width * (size_t)band->rows; i++, values += bytes) {
        const struct resample_sum *sum = &band->sums[i];
        uint16_t light[3];
        for (int channel = 0; channel < 3; channel++)
            light[channel] = (uint16_t)resample_mean(sum->light[channel], sum->weight);
        resample_convert(format, light, 3, values);
    }
}

/* Returns the largest number of cells in a row of a ring that is parallel to the frame. */
static size_t most_columns(const struct resample *frame) {
    size_t most = 1;
    for (int i = 0; i < frame->ring_count; i++) {
        const struct cells *outer = &frame->rings[i].level->outer;
        const size_t columns = (size_t)(outer->x1 - outer->x0);
        most = frame->rings[i].angle == 0 && columns > most ? columns : most;
    }
    return most;
}

/* Makes bands until none is left, in memory of its own. */
static void make_bands(void *user, uint32_t begin, uint32_t end) {
    struct job *job = user;
    const struct resample *frame = job->frame;
    struct band band = {.frame = frame};
    (void)begin;
    (void)end;
    int i = atomic_fetch_add(&job->next, 1);
    if (i >= job->bands)
        return;
    band.sums = memory_alloc((uint64_t)frame->width_px * BAND_ROWS * sizeof *band.sums, "a frame");
    band.columns = memory_alloc(3 * most_columns(frame) * sizeof *band.columns, "a frame");
    if (!band.sums || !band.columns)
        atomic_store(&job->failed, true);
    for (; i < job->bands && !atomic_load(&job->failed); i = atomic_fetch_add(&job->next, 1)) {
        band.first = i * BAND_ROWS;
        band.rows =
            frame->height_px - band.first < BAND_ROWS ? frame->height_px - band.first : BAND_ROWS;
        add_rings(&band);
        store(job, &band);
    }
    free(band.sums);
    free(band.columns);
}

bool resample_frame(const struct resample *frame, const struct resample_format *format,
                    void *values) {
    struct job job = {frame, format, values, (frame->height_px - 1) / BAND_ROWS + 1, 0, false};
    parallel_for((uint32_t)job.bands, 1, make_bands, &job);
    return !job.failed;
}
