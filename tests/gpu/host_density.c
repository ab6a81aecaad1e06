/* The host device's kernels for orbit density: every cell is drawn, and every orbit followed
 * step by step. */
#include "tests/gpu/host_density.h"
#include "gpu/density/kernels.h"
#include "gpu/density/paint.h"
#include "tests/gpu/host_device.h"
#include "tests/gpu/host_kernels.h"
#include <stdlib.h>
#include <string.h>

static void add_work(struct device_pointer tally, const struct tally *work) {
    struct tally *to = host_at(tally, sizeof *to);
    __atomic_fetch_add(&to->steps, work->steps, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->points, work->points, __ATOMIC_RELAXED);
}

/* --- orbits --- */

static struct host_list list_of(const struct points_list *list) {
    return (struct host_list){
        .number = {host_at(list->cr, 0), host_at(list->ci, 0), host_at(list->zr, 0),
                   host_at(list->zi, 0)},
        .done = host_at(list->done, 0),
        .end = host_at(list->end, 0),
        .plane = host_at(list->plane, 0),
    };
}

static struct host_points *begin(const void *arguments) {
    struct host_points *launch = malloc(sizeof *launch);
    if (!launch)
        abort();
    memcpy(launch, arguments, sizeof *launch);
    launch->counts = host_at(launch->job.counts, 0);
    launch->abort = host_at(launch->job.abort, sizeof(uint32_t));
    launch->state = host_at(launch->job.state, sizeof *launch->state);
    return launch;
}

static double end(struct host_points *launch) {
    const double steps = (double)launch->work.steps;
    add_work(launch->job.tally, &launch->work);
    free(launch);
    return steps;
}

static bool aborted(const struct host_points *launch) {
    return __atomic_load_n(launch->abort, __ATOMIC_RELAXED) == launch->job.task.serial;
}

static void draw_pair(struct host_points *launch, const struct points_pair *pair, uint32_t number,
                      uint32_t turn) {
    const struct rounds_part *part = &launch->draw.part;
    const struct sample_round *round = &part->rounds[turn];
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t clump = turn * launch->job.task.cells + 2 * number + half;
        if (!pair->bounds[half] || clump < part->first_clump || clump >= part->end_clump)
            continue;
        for (uint32_t lane = 0; lane < CLUMP_SAMPLES; lane++) {
            const struct philox words =
                sample_words(round->number, number, lane, launch->job.task.random);
            (launch->job.type == TYPE_FLOAT ? host_draw_float : host_draw_double)(
                launch, round, pair->cell[half], lane, words.word + 2 * half);
        }
    }
}

/* Each pair may list all its samples. */
static bool has_room(const struct host_points *launch) {
    return !points_deep(&launch->job.task) ||
           launch->state->searched.value + DENSITY_CHUNK <= launch->draw.room;
}

static double run_draw(const void *arguments) {
    struct host_points *launch = begin(arguments);
    const struct points_draw *draw = &launch->draw;
    const struct points_pair *pairs = host_at(draw->pairs, draw->part.live * sizeof *pairs);
    const uint32_t *numbers = host_at(draw->numbers, draw->part.live * sizeof *numbers);
    uint32_t v = draw->part.begin;
    launch->to = list_of(&draw->to);
    for (; v < draw->part.end && has_room(launch) && !aborted(launch); v++) {
        const uint32_t entry = v % draw->part.live;
        draw_pair(launch, &pairs[entry], numbers[entry], v / draw->part.live);
    }
    launch->state->claimed[draw->turn].value = v - draw->part.begin;
    return end(launch);
}

static double run_slice(struct host_points *launch,
                        void (*advance)(struct host_points *launch, uint32_t entry)) {
    const struct points_slice *slice = &launch->slice;
    launch->from = list_of(&slice->from);
    launch->to = list_of(&slice->to);
    launch->listed = list_of(&slice->plot);
    for (uint32_t i = 0; i < slice->size && !aborted(launch); i++)
        advance(launch, slice->begin + i);
    return end(launch);
}

static double run_search(const void *arguments) {
    struct host_points *launch = begin(arguments);
    return run_slice(launch,
                     launch->job.type == TYPE_FLOAT ? host_search_float : host_search_double);
}

static double run_plot(const void *arguments) {
    struct host_points *launch = begin(arguments);
    return run_slice(launch, launch->job.type == TYPE_FLOAT ? host_plot_float : host_plot_double);
}

enum device_error host_draw(const struct points_job *job, const struct points_draw *draw,
                            struct device_queue *queue) {
    const struct host_points launch = {.job = *job, .draw = *draw};
    return host_launch(queue, run_draw, &launch, sizeof launch, (struct device_pointer){0});
}

enum device_error host_search(const struct points_job *job, const struct points_slice *slice,
                              struct device_queue *queue) {
    const struct host_points launch = {.job = *job, .slice = *slice};
    return host_launch(queue, run_search, &launch, sizeof launch, (struct device_pointer){0});
}

enum device_error host_plot(const struct points_job *job, const struct points_slice *slice,
                            struct device_queue *queue) {
    const struct host_points launch = {.job = *job, .slice = *slice};
    return host_launch(queue, run_plot, &launch, sizeof launch, (struct device_pointer){0});
}

enum device_error host_room_least(const struct points_job *job, uint32_t *room) {
    (void)job;
    *room = DENSITY_CHUNK;
    return DEVICE_OK;
}

/* --- cells --- */

struct bounds {
    struct points_job job;
    struct cell_bounds_args args;
};

/* Nothing is known of any. */
static double run_bounds(const void *arguments) {
    const struct bounds *b = arguments;
    const uint32_t cells = b->job.task.cells, live = (cells + 1) / 2;
    const uint32_t bounds = 1u | BOUNDS_OPEN << 8;
    const uint32_t *order = host_at(b->args.order, cells * sizeof *order);
    struct points_pair *pairs = host_at(b->args.pairs, live * sizeof *pairs);
    uint32_t *numbers = host_at(b->args.numbers, live * sizeof *numbers);
    for (uint32_t m = 0; m < live; m++) {
        const bool both = 2 * m + 1 < cells;
        pairs[m] = (struct points_pair){.cell = {order[2 * m], both ? order[2 * m + 1] : 0},
                                        .bounds = {bounds, both ? bounds : 0}};
        numbers[m] = m;
    }
    *(struct cell_bounds *)host_at(b->args.result, sizeof(struct cell_bounds)) =
        (struct cell_bounds){.live = live, .open = cells};
    return 0;
}

enum device_error host_cell_bounds(const struct cell_bounds_args *args,
                                   struct device_queue *queue) {
    const struct bounds bounds = {.job = *args->job, .args = *args};
    return host_launch(queue, run_bounds, &bounds, sizeof bounds, (struct device_pointer){0});
}

/* --- the histogram --- */

static double run_flush(const void *arguments) {
    const struct paint_counts *counts = arguments;
    uint32_t *fresh = host_at(counts->fresh, counts->size * sizeof *fresh);
    uint64_t *total = host_at(counts->total, counts->size * sizeof *total);
    for (size_t i = 0; i < counts->size; i++) {
        total[i] += fresh[i];
        fresh[i] = 0;
    }
    return 0;
}

enum device_error host_flush(const struct paint_counts *counts, struct device_queue *queue) {
    return host_launch(queue, run_flush, counts, sizeof *counts, (struct device_pointer){0});
}

static void shown_of(const struct paint_job *job, uint32_t column, uint32_t row,
                     uint64_t shown[TONE_CHANNELS_MAX]) {
    const struct paint_counts *counts = &job->counts;
    paint_shown(&job->place, host_at(counts->fresh, counts->size * sizeof(uint32_t)),
                host_at(counts->total, counts->size * sizeof(uint64_t)), counts->size, column, row,
                shown);
}

static double run_levels(const void *arguments) {
    const struct paint_job *job = arguments;
    struct tone_levels *levels = host_at(job->levels, TONE_CHANNELS_MAX * sizeof *levels);
    uint64_t shown[TONE_CHANNELS_MAX];
    for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++)
        tone_levels_init(&levels[channel]);
    for (int row = 0; row < job->place.height; row++)
        for (int column = 0; column < job->place.width; column++) {
            shown_of(job, (uint32_t)column, (uint32_t)row, shown);
            for (int channel = 0; channel < job->channels; channel++)
                tone_levels_add(&levels[channel], shown[channel],
                                density_pixels(&job->place, column, row));
        }
    return 0;
}

enum device_error host_levels(const struct paint_job *job, struct device_queue *queue) {
    return host_launch(queue, run_levels, job, sizeof *job, (struct device_pointer){0});
}

static double run_picture(const void *arguments) {
    const struct paint_job *job = arguments;
    const size_t size = (size_t)job->width_px * (size_t)job->height_px;
    const struct tone_map *map = host_at(job->map, sizeof *map);
    uint32_t *rgba = host_at(job->rgba, size * sizeof *rgba);
    for (size_t at = 0; at < size; at++) {
        uint32_t column, row, shade[TONE_CHANNELS_MAX] = {0};
        uint64_t shown[TONE_CHANNELS_MAX];
        paint_stored(&job->place, job->width_px, job->height_px, at, &column, &row);
        shown_of(job, column, row, shown);
        for (int channel = 0; channel < job->channels; channel++)
            shade[channel] = tone_shade(map->from[channel], shown[channel]);
        __atomic_store_n(&rgba[at], tone_pixel(job->channels, map->ramp, shade), __ATOMIC_RELAXED);
    }
    return 0;
}

enum device_error host_picture(const struct paint_job *job, struct device_queue *queue) {
    return host_launch(queue, run_picture, job, sizeof *job, job->rgba);
}
