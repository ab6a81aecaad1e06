/* Paint kernels: bound the cells of orbit density before any orbit is drawn, and turn counters into
 * pixels, with the integers of render/density/density_counts.c. */
#ifndef FATHOM_GPU_KERNELS_PAINT_KERNELS_H
#define FATHOM_GPU_KERNELS_PAINT_KERNELS_H

#include "render/density/density_place.h"

ARGUMENT_STRUCT(bounds_args, BOUNDS_ARGUMENTS)
ARGUMENT_STRUCT(paint_args, PAINT_ARGUMENTS)

/* --- cells --- */

/* Stores cell k of the order and its bounds at memory[2 k]. */
KERNEL(bound_cells, BOUNDS_ARGUMENTS, struct bounds_args, struct group) {
    const struct points_task *const a = VALUE_OF(at->task);
    const uint32_t k = thread_x();
    if (k >= a->cells)
        return;
    const uint32_t cell = at->order[k];
    at->memory[2 * k + 1] = cell_bounds_of(a, cell);
    at->memory[2 * k] = cell;
}

INLINE struct points_pair bounds_pair(const GLOBAL uint32_t *memory, uint32_t m, uint32_t cells) {
    const bool both = 2 * m + 1 < cells;
    const struct points_pair pair = {{memory[4 * m], both ? memory[4 * m + 2] : 0},
                                     {memory[4 * m + 1], both ? memory[4 * m + 3] : 0}};
    return pair;
}

struct pairs_group {
    uint32_t live[GROUP_THREADS], open, plots;
};

/* Lists the pairs that have bounds, in order. A single group runs; each thread takes a part of the
 * pairs. */
KERNEL(list_pairs, BOUNDS_ARGUMENTS, struct bounds_args, struct pairs_group) {
    const uint32_t cells = VALUE_OF(at->task)->cells, thread = thread_in_group();
    const uint32_t all = (cells + 1) / 2, each = (all + GROUP_THREADS - 1) / GROUP_THREADS;
    const uint32_t begin = min(thread * each, all), end = min(begin + each, all);
    uint32_t live = 0, open = 0, plots = 0, before = 0;
    if (thread_x() >= GROUP_THREADS)
        return;
    for (uint32_t m = begin; m < end; m++) {
        const struct points_pair pair = bounds_pair(at->memory, m, cells);
        live += pair.bounds[0] || pair.bounds[1];
        for (int i = 0; i < 2; i++) {
            open += cell_bounds_are_open(pair.bounds[i]);
            plots += cell_bounds_plots(pair.bounds[i]);
        }
    }
    own->live[thread] = live;
    if (thread == 0)
        own->open = own->plots = 0;
    GROUP_BARRIER();
    ATOMIC_ADD(&own->open, open);
    ATOMIC_ADD(&own->plots, plots);
    for (uint32_t i = 0; i < thread; i++)
        before += own->live[i];
    for (uint32_t m = begin; m < end; m++) {
        const struct points_pair pair = bounds_pair(at->memory, m, cells);
        if (pair.bounds[0] || pair.bounds[1]) {
            at->pairs[before] = pair;
            at->numbers[before++] = m;
        }
    }
    GROUP_BARRIER();
    if (thread == GROUP_THREADS - 1) {
        at->result->live = before;
        at->result->open = own->open;
        at->result->plots = own->plots;
    }
}

/* --- levels --- */

KERNEL(flush, PAINT_ARGUMENTS, struct paint_args, struct group) {
    const size_t i = thread_x();
    if (i >= VALUE_OF(at->task)->size || at->fresh[i] == 0)
        return;
    at->total[i] += at->fresh[i];
    at->fresh[i] = 0;
}

/* Clears the levels: one thread per bin, one row of threads per channel. */
KERNEL(clear_levels, PAINT_ARGUMENTS, struct paint_args, struct group) {
    const uint32_t i = thread_x(), channel = thread_y();
    if (i < TONE_BINS)
        at->levels[channel].bins[i] = 0;
    if (i == 0) {
        at->levels[channel].least = ~(uint64_t)0;
        at->levels[channel].most = 0;
    }
}

/* The two words of a number, the lower first. */
#define WORDS(number) ((volatile GLOBAL uint32_t *)&(number))

/* Sets shown[] to the count of a stored pixel in each channel. There are `size` counters of each
 * kind, and a count is the sum of both kinds. */
INLINE void paint_shown(const struct density_place *place, const GLOBAL uint32_t *fresh,
                        const GLOBAL uint64_t *total, size_t size, uint32_t column, uint32_t row,
                        uint64_t shown[TONE_CHANNELS_MAX]) {
    const size_t plane = (size_t)place->width * (size_t)place->height;
    const uint64_t times = density_times(place, (int)column, (int)row);
    size_t at = (size_t)row * (size_t)place->width + column;
    uint64_t planes[DENSITY_PLANES_MAX], sum = 0;
    for (int i = 0; i < DENSITY_PLANES_MAX; i++, at += plane) {
        sum += at < size ? total[at] + fresh[at] : 0;
        planes[i] = sum;
    }
    for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++) {
        const int last = place->last[channel];
        shown[channel] = times * (last == 0 ? planes[0] : last == 1 ? planes[1] : planes[2]);
    }
}

/* Sets the column and row where pixel `at` of the picture is stored. */
INLINE void paint_stored(const struct density_place *place, int width_px, int height_px, size_t at,
                         uint32_t *column, uint32_t *row) {
    *row = (uint32_t)(at / (uint32_t)width_px);
    *column = (uint32_t)(at - (size_t)*row * (uint32_t)width_px);
    if (place->fold == DENSITY_FOLD_COLUMNS)
        *column = (uint32_t)density_folded((int)*column, width_px);
    if (place->fold == DENSITY_FOLD_ROWS)
        *row = (uint32_t)density_folded((int)*row, height_px);
}

/* Sets shown[] to the counts that stored pixel `place` shows. Returns the number of the picture's
 * pixels that the stored pixel covers. */
INLINE uint32_t paint_shown_at(const struct paint_args *at, size_t place,
                               uint64_t shown[TONE_CHANNELS_MAX]) {
    const struct paint_task *const a = VALUE_OF(at->task);
    const uint32_t row = (uint32_t)(place / (uint32_t)a->place.width);
    const uint32_t column = (uint32_t)(place - (size_t)row * (uint32_t)a->place.width);
    paint_shown(&a->place, at->fresh, at->total, a->size, column, row, shown);
    return density_pixels(&a->place, (int)column, (int)row);
}

struct levels_group {
    uint32_t bins[TONE_CHANNELS_MAX * TONE_BINS], least[TONE_CHANNELS_MAX], most[TONE_CHANNELS_MAX];
};

INLINE void levels_clear(LOCAL struct levels_group *own) {
    if (thread_in_group() == 0)
        for (int i = 0; i < TONE_CHANNELS_MAX; i++) {
            own->least[i] = ~0u;
            own->most[i] = 0;
        }
}

/* Fills the bins, and the upper words of the extremes. */
KERNEL(levels_of, PAINT_ARGUMENTS, struct paint_args, struct levels_group) {
    const struct paint_task *const a = VALUE_OF(at->task);
    const size_t size = (size_t)a->place.width * (size_t)a->place.height;
    for (uint32_t i = thread_in_group(); i < TONE_CHANNELS_MAX * TONE_BINS; i += GROUP_THREADS)
        own->bins[i] = 0;
    levels_clear(own);
    GROUP_BARRIER();
    for (size_t place = thread_x(); place < size; place += thread_count()) {
        uint64_t shown[TONE_CHANNELS_MAX];
        const uint32_t pixels = paint_shown_at(at, place, shown);
        for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++)
            if (channel < a->channels) {
                const uint32_t upper = (uint32_t)(shown[channel] >> 32);
                ATOMIC_ADD(&own->bins[channel * TONE_BINS + tone_bin(shown[channel])], pixels);
                if (upper < own->least[channel])
                    ATOMIC_MIN(&own->least[channel], upper);
                if (upper > own->most[channel])
                    ATOMIC_MAX(&own->most[channel], upper);
            }
    }
    GROUP_BARRIER();
    for (uint32_t i = thread_in_group(); i < (uint32_t)a->channels * TONE_BINS; i += GROUP_THREADS)
        if (own->bins[i] > 0)
            memory_add64(WORDS(at->levels[i / TONE_BINS].bins[i % TONE_BINS]), own->bins[i]);
    if (thread_in_group() == 0)
        for (int i = 0; i < a->channels; i++) {
            ATOMIC_MIN(WORDS(at->levels[i].least) + 1, own->least[i]);
            ATOMIC_MAX(WORDS(at->levels[i].most) + 1, own->most[i]);
        }
}

/* Finds the lower words of the extremes after levels_of has found the upper words. */
KERNEL(extremes, PAINT_ARGUMENTS, struct paint_args, struct levels_group) {
    const struct paint_task *const a = VALUE_OF(at->task);
    const size_t size = (size_t)a->place.width * (size_t)a->place.height;
    levels_clear(own);
    GROUP_BARRIER();
    for (size_t place = thread_x(); place < size; place += thread_count()) {
        uint64_t shown[TONE_CHANNELS_MAX];
        paint_shown_at(at, place, shown);
        for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++)
            if (channel < a->channels) {
                const uint32_t upper = (uint32_t)(shown[channel] >> 32);
                const uint32_t lower = (uint32_t)shown[channel];
                if (upper == WORDS(at->levels[channel].least)[1] && lower < own->least[channel])
                    ATOMIC_MIN(&own->least[channel], lower);
                if (upper == WORDS(at->levels[channel].most)[1] && lower > own->most[channel])
                    ATOMIC_MAX(&own->most[channel], lower);
            }
    }
    GROUP_BARRIER();
    if (thread_in_group() == 0)
        for (int i = 0; i < a->channels; i++) {
            ATOMIC_MIN(WORDS(at->levels[i].least), own->least[i]);
            ATOMIC_MAX(WORDS(at->levels[i].most), own->most[i]);
        }
}

/* --- the picture --- */

KERNEL(picture, PAINT_ARGUMENTS, struct paint_args, struct group) {
    const struct paint_task *const a = VALUE_OF(at->task);
    const size_t place = thread_x();
    if (place >= (size_t)a->width_px * (size_t)a->height_px)
        return;
    uint32_t column, row, shade[TONE_CHANNELS_MAX] = {0, 0, 0};
    uint64_t shown[TONE_CHANNELS_MAX];
    paint_stored(&a->place, a->width_px, a->height_px, place, &column, &row);
    paint_shown(&a->place, at->fresh, at->total, a->size, column, row, shown);
    for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++)
        if (channel < a->channels)
            shade[channel] = tone_shade(at->map->from[channel], shown[channel]);
    STORE_RELAXED(at->rgba[place], tone_pixel(a->channels, at->map->ramp, shade));
}

#define KERNELS(X)                                                                                 \
    X(bound_cells) X(list_pairs) X(flush) X(clear_levels) X(levels_of) X(extremes) X(picture)

#endif
