/* The host device's kernels: plain loops over the headers that real kernels are made from. */
#include "tests/gpu/host_kernels.h"
#include "gpu/escape/pixels.h"
#include "render/light/colour_sample.h"
#include "tests/gpu/host_device.h"
#include <stdlib.h>
#include <string.h>

/* A pixel may be read back while others are written. */
static void put_pixel(uint32_t *rgba, size_t pixel, uint32_t value) {
    __atomic_store_n(rgba + pixel, value, __ATOMIC_RELAXED);
}

/* Of the two launches that may be under way each adds what it has done. */
static void add_work(struct device_pointer tally, const struct tally *work) {
    struct tally *to = host_at(tally, sizeof *to);
    __atomic_fetch_add(&to->steps, work->steps, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->skipped, work->skipped, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->done, work->done, __ATOMIC_RELAXED);
}

static struct colouring colouring_of(const struct shades *shades, struct device_pointer table) {
    return (struct colouring){
        .frequency = shades->frequency,
        .offset = shades->offset,
        .interior = shades->interior,
        .smooth = shades->smooth,
        .mapping = (enum colour_mapping)shades->mapping,
        .by = shades->by,
        .inside = shades->inside,
        .image_scale = shades->image_scale,
        .layers = shades->layers,
        .table = host_at(table, SHADES_TABLE_SIZE * sizeof(uint32_t)),
    };
}

/* --- iterating --- */

void host_finish(struct host_iterate *launch, uint32_t pixel, uint32_t count, float fraction,
                 float norm2, bool final) {
    launch->count[pixel] = count;
    launch->fraction[pixel] = fraction;
    if (launch->norm2)
        launch->norm2[pixel] = norm2;
    launch->work.done += final;
    if (final && launch->rgba)
        put_pixel(launch->rgba, pixel,
                  colour_of(&launch->colouring, launch->colouring.table, count, fraction));
}

static bool aborted(const struct host_iterate *launch) {
    return __atomic_load_n(launch->abort, __ATOMIC_RELAXED) == launch->args.task.serial;
}

/* How many steps a pixel has done; false: it is final. */
static bool goes_on(const struct host_iterate *launch, uint32_t pixel, uint32_t *before) {
    const bool fresh = launch->args.task.fresh && !launch->from;
    const uint32_t count = fresh ? SAMPLE_MISSING : launch->count[pixel];
    *before = count & SAMPLE_COUNT_MASK;
    return fresh || !SAMPLE_FINAL(count, launch->args.task.limit);
}

static void iterate_pixel(struct host_iterate *launch, uint32_t x, uint32_t y) {
    static bool (*const advance[TYPE_COUNT])(struct host_iterate *, uint32_t, uint32_t,
                                             uint32_t) = {host_advance_float, host_advance_double,
                                                          host_advance_wide};
    const uint32_t pixel = y * launch->args.task.width + x;
    uint32_t before;
    if (aborted(launch)) {
        if (launch->args.task.blank) {
            launch->count[pixel] = SAMPLE_MISSING;
            if (launch->rgba)
                put_pixel(launch->rgba, pixel, 0);
        }
        return;
    }
    if (!goes_on(launch, pixel, &before) ||
        !(launch->perturbed ? host_advance_perturbed : advance[launch->type])(launch, x, y, before))
        return;
    if (!launch->to)
        abort(); /* goes on, and there is no list for it */
    struct tally *tally = host_at(launch->args.tally, sizeof *tally);
    launch->to[__atomic_fetch_add(&tally->listed, 1, __ATOMIC_RELAXED)] = pixel;
}

static void iterate_rows(struct host_iterate *launch) {
    const struct iterate_task *a = &launch->args.task;
    uint32_t x, y;
    for (uint32_t row = 0; row < a->size; row++)
        for (uint32_t point = 0; point < lattice_row_points(&a->lattice); point++) {
            lattice_pixel(&a->lattice, a->begin + row, point / LATTICE_TILE_POINTS,
                          point % LATTICE_TILE_POINTS, &x, &y);
            if (x < a->width && y < a->height)
                iterate_pixel(launch, x, y);
        }
}

static double run_iterate(const void *arguments) {
    struct host_iterate *launch = malloc(sizeof *launch);
    if (!launch)
        abort();
    memcpy(launch, arguments, sizeof *launch);
    const struct iterate_args *a = &launch->args;
    const struct iterate_task *task = &a->task;
    const size_t pixels = (size_t)task->width * task->height;
    launch->count = host_at(a->planes.count, pixels * sizeof(uint32_t));
    launch->fraction = host_at(a->planes.fraction, pixels * sizeof(float));
    launch->rgba = host_at(a->rgba, pixels * sizeof(uint32_t));
    launch->norm2 = host_at(a->planes.norm2, pixels * sizeof(float));
    launch->angle = host_at(a->planes.angle, pixels * sizeof(uint32_t));
    launch->states = host_at(a->states, 0);
    launch->coords = host_at(a->coords, 0);
    launch->from = host_at(a->from, (size_t)(task->begin + task->size) * sizeof(uint32_t));
    launch->to = host_at(a->to, 0);
    launch->abort = host_at(a->abort, sizeof(uint32_t));
    launch->colouring = colouring_of(&task->shades, a->table);
    if (!launch->from)
        iterate_rows(launch);
    for (uint32_t i = 0; launch->from && i < task->size; i++) {
        const uint32_t pixel = launch->from[task->begin + i];
        iterate_pixel(launch, pixel % task->width, pixel / task->width);
    }
    add_work(a->tally, &launch->work);
    const double steps = (double)launch->work.steps;
    free(launch);
    return steps;
}

static enum device_error iterate(const struct frame_req *req, const struct iterate_args *args,
                                 struct device_queue *queue) {
    const struct host_iterate launch = {
        .args = *args, .type = req->type, .perturbed = req->route == ROUTE_PERTURBED};
    return host_launch(queue, run_iterate, &launch, sizeof launch, args->rgba);
}

/* --- passes over samples --- */

static double run_clear(const void *arguments) {
    const struct clear_args *a = arguments;
    const size_t bytes = ((size_t)a->begin + a->size) * sizeof(uint32_t);
    uint32_t *count = host_at(a->count, bytes), *rgba = host_at(a->rgba, bytes);
    for (size_t i = a->begin; i < (size_t)a->begin + a->size; i++) {
        count[i] = SAMPLE_MISSING;
        put_pixel(rgba, i, 0);
    }
    return 0;
}

static enum device_error clear(const struct clear_args *args, struct device_queue *queue) {
    return host_launch(queue, run_clear, args, sizeof *args, args->rgba);
}

/* The pixel of a sample with all planes. */
static uint32_t shade(const struct colouring *colouring, const struct sample_planes *planes,
                      size_t i) {
    const uint32_t rgba =
        colour_sample(colouring, colouring->table, colouring->table + SHADES_KNOTS,
                      colouring->table + SHADES_IMAGE, planes->plane, i);
    if (!planes->distance || planes->count[i] & SAMPLE_INTERIOR || !layers_any(&colouring->layers))
        return rgba;
    return layers_over(&colouring->layers, colouring->table + COLOUR_TABLE_SIZE, rgba,
                       planes->plane, i);
}

static struct sample_planes planes_at(const struct planes *planes, size_t bytes) {
    struct sample_planes at;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        at.plane[p] = host_at(planes->plane[p], bytes);
    return at;
}

static double run_colour(const void *arguments) {
    const struct colour_args *a = arguments;
    const struct colour_task *task = &a->task;
    const size_t end = (size_t)task->begin + task->size, bytes = end * sizeof(uint32_t);
    const struct sample_planes planes = planes_at(&a->planes, bytes);
    uint32_t *rgba = host_at(a->rgba, bytes);
    const struct colouring colouring = colouring_of(&task->shades, a->table);
    struct tally work = {0};
    for (size_t i = task->begin; i < end; i++) {
        const bool final = SAMPLE_FINAL(planes.count[i], task->limit);
        work.done += final;
        if (rgba)
            put_pixel(rgba, i, final ? shade(&colouring, &planes, i) : 0);
    }
    if (a->tally.word)
        add_work(a->tally, &work);
    return 0;
}

static enum device_error colour(const struct colour_args *args, struct device_queue *queue) {
    return host_launch(queue, run_colour, args, sizeof *args, args->rgba);
}

static void move_state(const struct shift_args *a, size_t from, size_t to) {
    const size_t size = 8 * (size_t)a->task.state_words;
    memcpy((char *)host_at(a->to_states, (to + 1) * size) + to * size,
           (char *)host_at(a->from_states, (from + 1) * size) + from * size, size);
}

/* Copies a pixel's planes; returns its count. */
static uint32_t shift_pixel(const struct shift_args *a, size_t pixel, uint32_t *const *from_planes,
                            uint32_t *const *to_planes) {
    uint32_t from;
    if (!shift_from(&a->task, (uint32_t)pixel, &from))
        return SAMPLE_MISSING;
    const uint32_t count = from_planes[SAMPLE_PLANE_count][from];
    const bool final = SAMPLE_FINAL(count, a->task.limit), states = a->task.state_words > 0;
    if (count == SAMPLE_MISSING || (!states && !final))
        return SAMPLE_MISSING;
    for (int p = SAMPLE_PLANE_count + 1; p < SAMPLE_PLANES; p++)
        if (to_planes[p])
            to_planes[p][pixel] = from_planes[p][from];
    if (states && count & SAMPLE_INTERIOR && count != SAMPLE_NEVER)
        move_state(a, from, pixel);
    return count;
}

/* What is made after the count is not there yet. */
static void forget(uint32_t *const *to, size_t pixel) {
    if (to[SAMPLE_PLANE_distance])
        to[SAMPLE_PLANE_distance][pixel] = 0;
    if (to[SAMPLE_PLANE_last])
        to[SAMPLE_PLANE_last][pixel] = 0;
}

static double run_shift(const void *arguments) {
    const struct shift_args *a = arguments;
    const size_t bytes = (size_t)a->task.width * a->task.height * SAMPLE_PLANE_BYTES;
    const size_t end = (size_t)a->task.begin + a->task.size;
    uint32_t *from[SAMPLE_PLANES], *to[SAMPLE_PLANES];
    for (int p = 0; p < SAMPLE_PLANES; p++) {
        from[p] = host_at(a->from.plane[p], bytes);
        to[p] = host_at(a->to.plane[p], bytes);
    }
    for (size_t i = a->task.begin; i < end; i++) {
        to[SAMPLE_PLANE_count][i] = shift_pixel(a, i, from, to);
        if (to[SAMPLE_PLANE_count][i] == SAMPLE_MISSING)
            forget(to, i);
    }
    return 0;
}

static enum device_error shift(const struct shift_args *args, struct device_queue *queue) {
    return host_launch(queue, run_shift, args, sizeof *args, (struct device_pointer){0});
}

static void rescale(uint32_t *const *to, size_t pixel, float unit) {
    static const enum sample_plane planes[] = {SAMPLE_PLANE_distance, SAMPLE_PLANE_depth};
    for (int p = 0; p < 2; p++)
        if (to[planes[p]])
            ((float *)to[planes[p]])[pixel] *= unit;
}

static double run_keep(const void *arguments) {
    const struct keep_args *a = arguments;
    const size_t end = (size_t)a->task.begin + a->task.size, bytes = end * SAMPLE_PLANE_BYTES;
    const int32_t *lines = host_at(a->lines, a->task.width * sizeof *lines);
    const uint32_t *from[SAMPLE_PLANES];
    uint32_t *to[SAMPLE_PLANES];
    for (int p = 0; p < SAMPLE_PLANES; p++) {
        from[p] = host_at(a->from.plane[p], 0);
        to[p] = host_at(a->to.plane[p], bytes);
    }
    for (size_t i = a->task.begin; i < end; i++) {
        uint32_t at, count = SAMPLE_MISSING;
        if (keep_from(&a->task, lines, (uint32_t)i, &at))
            count = keep_count(&a->task, from[SAMPLE_PLANE_count][at]);
        for (int p = SAMPLE_PLANE_count + 1; p < SAMPLE_PLANES && count != SAMPLE_MISSING; p++)
            if (to[p])
                to[p][i] = from[p][at];
        if (count == SAMPLE_MISSING)
            forget(to, i);
        else
            rescale(to, i, a->task.unit);
        to[SAMPLE_PLANE_count][i] = count;
    }
    return 0;
}

static enum device_error keep(const struct keep_args *args, struct device_queue *queue) {
    return host_launch(queue, run_keep, args, sizeof *args, (struct device_pointer){0});
}

static double run_counts(const void *arguments) {
    const struct export_args *a = arguments;
    const size_t bytes = ((size_t)a->begin + a->size) * sizeof(uint32_t);
    const uint32_t *from = host_at(a->from, bytes);
    uint32_t *to = host_at(a->to, bytes);
    for (size_t i = a->begin; i < (size_t)a->begin + a->size; i++)
        to[i] = from[i] & SAMPLE_INTERIOR ? SAMPLE_INTERIOR | a->limit : from[i];
    return 0;
}

static enum device_error counts(const struct export_args *args, struct device_queue *queue) {
    return host_launch(queue, run_counts, args, sizeof *args, (struct device_pointer){0});
}

typedef void host_walk(const struct slope_args *, const struct sample_planes *, const void *,
                       size_t);

static double walk(const struct slope_args *a, host_walk *one, bool inside) {
    const size_t end = (size_t)a->task.begin + a->task.size;
    const struct sample_planes planes = planes_at(&a->planes, end * SAMPLE_PLANE_BYTES);
    const uint32_t *stop = host_at(a->abort, sizeof *stop);
    for (size_t i = a->task.begin; i < end; i++)
        if ((inside ? planes.last[i] == 0 : !(planes.distance[i] > 0)) &&
            __atomic_load_n(stop, __ATOMIC_RELAXED) != a->task.serial)
            one(a, &planes, host_at(a->coords, 0), i);
    return 0;
}

static double run_slopes(const void *arguments) {
    static host_walk *const find[TYPE_COUNT] = {host_slope_float, host_slope_double,
                                                host_slope_wide};
    const struct slope_args *a = arguments;
    return walk(a, find[a->type], false);
}

static double run_perturbed_slopes(const void *arguments) {
    return walk(arguments, host_slope_perturbed, false);
}

static enum device_error perturbed_slopes(const struct slope_args *args,
                                          struct device_queue *queue) {
    return host_launch(queue, run_perturbed_slopes, args, sizeof *args, (struct device_pointer){0});
}

static enum device_error slopes(const struct slope_args *args, struct device_queue *queue) {
    return host_launch(queue, run_slopes, args, sizeof *args, (struct device_pointer){0});
}

static double run_traces(const void *arguments) {
    static host_walk *const find[TYPE_COUNT] = {host_trace_float, host_trace_double,
                                                host_trace_wide};
    const struct slope_args *a = arguments;
    return walk(a, find[a->type], false);
}

static enum device_error traces(const struct slope_args *args, struct device_queue *queue) {
    return host_launch(queue, run_traces, args, sizeof *args, (struct device_pointer){0});
}

static double run_perturbed_traces(const void *arguments) {
    return walk(arguments, host_trace_perturbed, false);
}

static enum device_error perturbed_traces(const struct slope_args *args,
                                          struct device_queue *queue) {
    return host_launch(queue, run_perturbed_traces, args, sizeof *args, (struct device_pointer){0});
}

static double run_insides(const void *arguments) {
    static host_walk *const find[TYPE_COUNT] = {host_inside_float, host_inside_double,
                                                host_inside_wide};
    const struct slope_args *a = arguments;
    return walk(a, find[a->type], true);
}

static enum device_error insides(const struct slope_args *args, struct device_queue *queue) {
    return host_launch(queue, run_insides, args, sizeof *args, (struct device_pointer){0});
}

static double run_gather(const void *arguments) {
    const struct gather_args *a = arguments;
    struct statistics *sum = host_at(a->sum, sizeof *sum);
    statistics_add(sum, host_at(a->count, a->size * sizeof(uint32_t)), a->size, 1, a->size);
    return 0;
}

static enum device_error gather(const struct gather_args *args, struct device_queue *queue) {
    return host_launch(queue, run_gather, args, sizeof *args, (struct device_pointer){0});
}

const struct device_kernels host_kernels = {
    .perturbed = 1u << TYPE_DOUBLE,
    .iterate = iterate,
    .index = host_index,
    .clear = clear,
    .colour = colour,
    .shift = shift,
    .keep = keep,
    .counts = counts,
    .slopes = slopes,
    .perturbed_slopes = perturbed_slopes,
    .traces = traces,
    .perturbed_traces = perturbed_traces,
    .insides = insides,
    .gather = gather,
    .flush = host_flush,
    .levels = host_levels,
    .picture = host_picture,
    .cell_bounds = host_cell_bounds,
    .room_least = host_room_least,
    .draw = host_draw,
    .search = host_search,
    .plot = host_plot,
};
