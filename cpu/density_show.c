/* Distribution and pixels of counts that others may be adding to. */
#include "cpu/density_show.h"

#define PART_COUNTERS 65536

static int part_rows(const struct density_place *place) {
    const int rows = PART_COUNTERS / place->width;
    return rows > 0 ? rows : 1;
}

int density_show_parts(const struct density_place *place) {
    return (place->height - 1) / part_rows(place) + 1;
}

/* A channel's count, as density_shown has it. */
static uint64_t shown(const struct density_shown_counts *counts, size_t at, int channel,
                      uint64_t times) {
    uint64_t sum = 0;
    for (int i = 0; i <= counts->place->last[channel]; i++)
        sum += atomic_load_explicit(&counts->count[(size_t)i * counts->plane + at],
                                    memory_order_relaxed);
    return sum * times;
}

static int part_end(const struct density_place *place, int part) {
    const int end = (part + 1) * part_rows(place);
    return end < place->height ? end : place->height;
}

void density_show_levels(const struct density_shown_counts *counts, int part,
                         struct tone_levels levels[TONE_CHANNELS_MAX]) {
    const struct density_place *place = counts->place;
    for (int channel = 0; channel < counts->req->density.channels; channel++) {
        tone_levels_init(&levels[channel]);
        for (int row = part * part_rows(place); row < part_end(place, part); row++)
            for (int column = 0; column < place->width; column++) {
                const size_t at = (size_t)row * (size_t)place->width + (size_t)column;
                const uint64_t times = density_times(place, column, row);
                const uint64_t pixels = place->fold == DENSITY_FOLD_NONE ? 1 : 3 - times;
                tone_levels_add(&levels[channel], shown(counts, at, channel, times), pixels);
            }
    }
}

void density_show_map(struct density_show *show, int channels) {
    tone_map_init(&show->map, &show->tone, channels, show->levels);
    for (int channel = 0; channel < channels; channel++)
        for (uint32_t count = 0; count < SHOW_QUICK; count++)
            show->quick[channel][count] = (uint8_t)tone_shade(show->map.from[channel], count);
}

static uint32_t pixel(const struct density_shown_counts *counts, const struct density_show *show,
                      int column, int row) {
    const size_t at = (size_t)row * (size_t)counts->place->width + (size_t)column;
    const uint64_t times = density_times(counts->place, column, row);
    uint32_t shade[TONE_CHANNELS_MAX] = {0};
    for (int channel = 0; channel < show->map.channels; channel++) {
        const uint64_t count = shown(counts, at, channel, times);
        shade[channel] = count < SHOW_QUICK ? show->quick[channel][count]
                                            : tone_shade(show->map.from[channel], count);
    }
    return tone_pixel(show->map.channels, show->map.ramp, shade);
}

/* Folded is about the middle (density_counts.h): the two pixels of the j-th there. */
static int upper(int size, int j) {
    return size / 2 + j;
}
static int lower(int size, int j) {
    return size / 2 - 1 + size % 2 - j;
}

void density_show_pixels(const struct density_shown_counts *counts, int part,
                         struct density_show *show) {
    const struct density_place *place = counts->place;
    const int width = counts->req->width_px, height = counts->req->height_px;
    for (int row = part * part_rows(place); row < part_end(place, part); row++) {
        const bool rows = place->fold == DENSITY_FOLD_ROWS;
        uint32_t *line = show->rgba + (size_t)(rows ? upper(height, row) : row) * (size_t)width;
        uint32_t *mirror = show->rgba + (size_t)(rows ? lower(height, row) : row) * (size_t)width;
        for (int column = 0; column < place->width; column++) {
            const bool columns = place->fold == DENSITY_FOLD_COLUMNS;
            const uint32_t rgba = pixel(counts, show, column, row);
            line[columns ? upper(width, column) : column] = rgba;
            mirror[columns ? lower(width, column) : column] = rgba;
        }
    }
}
