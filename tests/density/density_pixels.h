/* Reference for pictures of orbit density: the pixels that counts must give. */
#ifndef FATHOM_TESTS_DENSITY_DENSITY_PIXELS_H
#define FATHOM_TESTS_DENSITY_DENSITY_PIXELS_H

#include "render/density/density_counts.h"
#include "tests/density/densities.h"
#include <stdlib.h>

/* Returns the pixel's count in a channel, from the counts' own shape. If a picture is as high (or
 * wide) as twice the counts, or one less, they cover one half, from the middle on. */
static inline uint64_t pixel_count(const struct density_req *req,
                                   const struct density_counts *counts, int channel, int x, int y) {
    const bool rows = counts->height < req->height_px, columns = counts->width < req->width_px;
    const int width = req->width_px, height = req->height_px;
    const int right = 2 * x + 1 - width,
              down = 2 * y + 1 - height; /* half pixels from the middle */
    const int column = columns ? abs(right) / 2 : x, row = rows ? abs(down) / 2 : y;
    const bool twice = (rows && down == 0) || (columns && right == 0);
    const size_t plane = (size_t)counts->width * (size_t)counts->height;
    uint64_t sum = 0, shorter = 0;
    for (int p = 0; p < counts->planes; p++) {
        /* orbits longer than the p-th smallest limit, counted by the channels that allow it */
        uint32_t top = UINT32_MAX;
        for (int i = 0; i < req->density.channels; i++)
            if (req->density.limit[i] > shorter && req->density.limit[i] < top)
                top = req->density.limit[i];
        shorter = top;
        if (top <= req->density.limit[channel])
            sum += counts->count[(size_t)p * plane + (size_t)row * (size_t)counts->width +
                                 (size_t)column];
    }
    return twice ? 2 * sum : sum;
}

/* Compares every pixel with one computed from the counts. check_tone tests the shades of
 * counts. */
static inline bool same_pixels(const struct density_req *req, const struct density_counts *counts,
                               const struct picture *picture, const char *what) {
    struct tone_levels *levels = malloc(TONE_CHANNELS_MAX * sizeof *levels);
    struct tone_map *map = malloc(sizeof *map);
    const int channels = req->density.channels, width = req->width_px;
    size_t different = 0;
    if (!levels || !map)
        abort();
    for (int channel = 0; channel < channels; channel++) {
        tone_levels_init(&levels[channel]);
        for (int i = 0; i < width * req->height_px; i++)
            tone_levels_add(&levels[channel],
                            pixel_count(req, counts, channel, i % width, i / width), 1);
    }
    tone_map_init(map, &req->tone, channels, levels);
    for (int i = 0; i < width * req->height_px; i++) {
        uint32_t shade[TONE_CHANNELS_MAX], want = 0xff000000u;
        for (int channel = 0; channel < channels; channel++) {
            shade[channel] = tone_shade(map->from[channel],
                                        pixel_count(req, counts, channel, i % width, i / width));
            want |= shade[channel] << 8 * channel;
        }
        different += (channels == 1 ? map->ramp[shade[0]] : want) != picture->target.rgba[i];
    }
    if (different)
        printf("%s: %s: %zu of %zu pixels differ\n", subject, what, different, picture->pixels);
    free(levels);
    free(map);
    return different == 0;
}

/* Checks a preview: pixels with points in `first` must be lit. The distribution for its tones may
 * come from counts up to `last`, since they grew meanwhile. */
static inline bool shows_counts(const struct density_req *req, const struct density_counts *first,
                                const struct density_counts *last, const uint32_t *rgba) {
    size_t there = 0, lit = 0, dark = 0;
    for (int i = 0; i < req->width_px * req->height_px; i++) {
        const int x = i % req->width_px, y = i / req->width_px;
        const bool black = rgba[i] == 0xff000000u;
        const bool some = pixel_count(req, first, 0, x, y) > 0;
        there += some;
        lit += some && !black;
        dark += pixel_count(req, last, 0, x, y) == 0 && !black;
    }
    if (there > 0 && lit >= there - there / 4 && dark == 0)
        return true;
    printf("%s: while growing: of %zu pixels with points %zu are shown, and %zu without\n", subject,
           there, lit, dark);
    return false;
}

/* Checks a preview with `samples` samples by counting them again. */
static inline bool check_early(struct backend *backend, const struct density_req *req,
                               uint64_t samples, const struct density_counts *last,
                               const uint32_t *rgba) {
    struct density_req again = *req;
    again.samples = samples;
    SCOPED_MADE(density_counts, first, &again);
    return count(backend, &again, NULL, &first) && shows_counts(req, &first, last, rgba);
}

#endif
