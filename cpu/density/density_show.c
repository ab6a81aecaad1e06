/* Density preview: computes the distribution of the counts and the pixels, while other threads add
 * to the counts. */
#include "cpu/density/density_show.h"

#define PART_COUNTERS 65536
#define PIECE         1024

static int part_rows(const struct density_place *place) {
    const int rows = PART_COUNTERS / place->width;
    return rows > 0 ? rows : 1;
}

int density_show_parts(const struct density_place *place) {
    return (place->height - 1) / part_rows(place) + 1;
}

/* Sums over planes for some counters of a row: plane p and all planes before it. */
struct piece {
    uint64_t sum[DENSITY_PLANES_MAX][PIECE];
};

static void add_held(const _Atomic uint8_t *held, size_t size, uint64_t *sum) {
    for (size_t i = 0; i < size; i++)
        sum[i] += atomic_load_explicit(&held[i], memory_order_relaxed);
}

static void sum_piece(const struct density_shown_counts *counts, size_t at, size_t size,
                      struct piece *piece) {
    const int planes = density_planes(&counts->req->density).count;
    for (int p = 0; p < planes; p++) {
        const size_t first = (size_t)p * counts->plane + at;
        for (size_t i = 0; i < size; i++)
            piece->sum[p][i] =
                (p > 0 ? piece->sum[p - 1][i] : 0) +
                atomic_load_explicit(&counts->count[first + i], memory_order_relaxed);
        for (int worker = 0; worker < counts->workers; worker++) {
            const uint8_t *held = atomic_load(&counts->held[worker]);
            if (held)
                add_held((const _Atomic uint8_t *)held + first, size, piece->sum[p]);
        }
    }
}

static void add_levels(const struct density_shown_counts *counts, int row, int column, int size,
                       const struct piece *piece, struct tone_levels *levels) {
    const struct density_place *place = counts->place;
    for (int channel = 0; channel < counts->req->density.channels; channel++)
        for (int i = 0; i < size; i++) {
            const uint64_t times = density_times(place, column + i, row);
            tone_levels_add(&levels[channel], piece->sum[place->last[channel]][i] * times,
                            density_pixels(place, column + i, row));
        }
}

void density_show_map(struct density_show *show, int channels) {
    tone_map_init(&show->map, &show->tone, channels, show->levels);
    show->hit = tone_levels_hit(show->levels, channels);
    for (int channel = 0; channel < channels; channel++)
        for (uint32_t count = 0; count < SHOW_QUICK; count++)
            show->quick[channel][count] = (uint8_t)tone_shade(show->map.from[channel], count);
}

static uint32_t pixel(const struct density_place *place, const struct density_show *show,
                      const struct piece *piece, int i, uint64_t times) {
    uint32_t shade[TONE_CHANNELS_MAX] = {0};
    for (int channel = 0; channel < show->map.channels; channel++) {
        const uint64_t count = piece->sum[place->last[channel]][i] * times;
        shade[channel] = count < SHOW_QUICK ? show->quick[channel][count]
                                            : tone_shade(show->map.from[channel], count);
    }
    return tone_pixel(show->map.channels, show->map.ramp, shade);
}

/* Return the two pixels of folded row or column j: folds are about the middle
 * (density_counts.h). */
static int upper(int size, int j) {
    return size / 2 + j;
}
static int lower(int size, int j) {
    return size / 2 - 1 + size % 2 - j;
}

static void show_piece(const struct density_shown_counts *counts, struct density_show *show,
                       int row, int first, int size, const struct piece *piece) {
    const struct density_place *place = counts->place;
    const int width = counts->req->width_px, height = counts->req->height_px;
    const bool rows = place->fold == DENSITY_FOLD_ROWS;
    const bool columns = place->fold == DENSITY_FOLD_COLUMNS;
    uint32_t *line = show->rgba + (size_t)(rows ? upper(height, row) : row) * (size_t)width;
    uint32_t *mirror = show->rgba + (size_t)(rows ? lower(height, row) : row) * (size_t)width;
    for (int i = 0; i < size; i++) {
        const int column = first + i;
        const uint32_t rgba = pixel(place, show, piece, i, density_times(place, column, row));
        line[columns ? upper(width, column) : column] = rgba;
        mirror[columns ? lower(width, column) : column] = rgba;
    }
}

void density_show_part(const struct density_shown_counts *counts, int part,
                       struct tone_levels *levels, struct density_show *show) {
    const struct density_place *place = counts->place;
    const int rows = part_rows(place), last = density_show_parts(place) - 1;
    const int end = part < last ? (part + 1) * rows : place->height;
    struct piece piece;
    for (int channel = 0; levels && channel < TONE_CHANNELS_MAX; channel++)
        tone_levels_init(&levels[channel]);
    for (int row = part * rows; row < end; row++)
        for (int column = 0; column < place->width; column += PIECE) {
            const int left = place->width - column, size = left < PIECE ? left : PIECE;
            sum_piece(counts, (size_t)row * (size_t)place->width + (size_t)column, (size_t)size,
                      &piece);
            if (levels)
                add_levels(counts, row, column, size, &piece, levels);
            else
                show_piece(counts, show, row, column, size, &piece);
        }
}
