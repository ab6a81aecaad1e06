/* Density run: decides what to launch next, and when the owner sees a picture. */
#include "gpu/density/density_run.h"
#include "gpu/launch/launch.h"
#include "render/base/clock.h"
#include <stdlib.h>

#define FIRST_PAIRS        4096u
#define TARGET_MS          1.3
#define GROWTH             4u
#define INCREMENTS_MAX     (1u << 30) /* maximum number of increments of a launch */
#define PICTURE_MS         16.0       /* [ms] interval between pictures */
#define YOUNG_STEPS        64u        /* steps that the samples of a clump make together */
#define FIRST_SEARCH_STEPS 256u       /* steps of the first search for escapes and cycles */
#define PLOT_STEPS         4096u
#define LIST_WAVES         16u /* capacity of the lists, in multiples of the resident threads */
/* no samples are drawn while more orbits than this multiple wait for a search */
#define BUSY_WAVES 2u

void density_run_input_finish(struct density_run_input *input) {
    if (input->req) {
        density_req_finish(input->req);
        free(input->req);
    }
    free(input->start);
    input->req = NULL;
    input->start = NULL;
}

static void drop_counts(struct density_run *c) {
    struct density_run_input input = {.req = c->req};
    density_run_input_finish(&input);
    c->req = NULL;
    c->complete = false;
}

void density_run_finish(struct density_run *run) {
    drop_counts(run);
    density_buffers_finish(&run->buffers);
}

/* --- launches --- */

/* Learns from the launches that have ended. */
static void update_speed(struct density_run *c) {
    const double ms = c->slices->device_ms - c->device_ms;
    uint32_t pairs = 0;
    for (; c->retired < c->slices->retired; c->retired++)
        pairs += c->ring[c->retired % SLICES_IN_FLIGHT].pairs;
    c->device_ms += ms;
    if (pairs > 0)
        c->pairs_per_ms = pairs / (ms > 1e-3 ? ms : 1e-3);
}

static bool begin(struct density_run *c) {
    const bool ok = slices_begin(c->slices);
    update_speed(c);
    return ok;
}

static bool drain(struct density_run *c) {
    const bool ok = slices_drain(c->slices);
    update_speed(c);
    return ok;
}

/* Ends a launch that draws `pairs` pairs and makes at most `most` increments. */
static bool end(struct density_run *c, enum device_error launch, uint64_t most, uint32_t pairs) {
    const uint64_t number = c->slices->launched % SLICES_IN_FLIGHT;
    c->ring[number].most = most;
    c->ring[number].pairs = pairs;
    return slices_end(c->slices, launch, 0, NULL);
}

/* Makes a launch that overlaps neither earlier nor later launches. */
static bool launch_alone(struct density_run *c, bool (*launch)(struct density_run *c)) {
    const bool overlap = c->slices->overlap;
    return slices_overlap(c->slices, false) && launch(c) && slices_overlap(c->slices, overlap);
}

static struct paint_args paint_args_of(const struct density_run *c) {
    return (struct paint_args){
        .task = {.place = c->job.task.place,
                 .size = c->buffers.counts.size,
                 .channels = c->req->density.channels,
                 .width_px = c->req->width_px,
                 .height_px = c->req->height_px},
        .fresh = c->buffers.counts.fresh,
        .total = c->buffers.counts.total,
        .levels = c->buffers.levels,
        .map = c->buffers.map,
        .rgba = c->pixel_buffer->rgba,
    };
}

static bool flush(struct density_run *c) {
    const struct paint_args args = paint_args_of(c);
    return begin(c) && end(c, SLICES_TRY(c->slices, launch_flush(c->slices, &args)), 0, 0);
}

/* Returns an upper bound of the increments in the 32-bit counters after a launch that makes
 * `most`. */
static uint64_t pending(const struct density_run *c, uint64_t most) {
    uint64_t sum = c->slices->last.points - c->flushed_points + most;
    for (uint64_t i = c->slices->retired; i < c->slices->launched; i++)
        sum += c->ring[i % SLICES_IN_FLIGHT].most;
    return sum;
}

/* Ensures that a launch cannot overflow a counter, even if all its increments are in one pixel. The
 * sum since a flush may include launches from before the flush, which is the safe direction. */
static bool make_room(struct density_run *c, uint64_t most) {
    if (pending(c, most) <= UINT32_MAX)
        return true;
    if (!drain(c))
        return false;
    if (pending(c, most) <= UINT32_MAX)
        return true;
    c->flushed_points = c->slices->last.points;
    return launch_alone(c, flush);
}

/* --- showing --- */

static struct density_run_extent extent_of(const struct density_run *c) {
    return (struct density_run_extent){.samples = c->rounds.clumps * CLUMP_SAMPLES,
                                       .points = c->points + c->slices->last.points,
                                       .hit = c->extent.hit};
}

/* Publishes the progress, and the extent of the shown picture if `shown` is not NULL. */
static void publish(struct density_run *c, const struct density_run_extent *shown) {
    pthread_mutex_lock(&c->handoff->lock);
    c->progress->iterations = c->steps + c->slices->last.steps;
    c->progress->done = extent_of(c);
    c->progress->device_ms = c->slices->device_ms;
    if (shown)
        c->progress->shown = *shown;
    pthread_mutex_unlock(&c->handoff->lock);
}

static bool find_levels(struct density_run *c) {
    const struct paint_args args = paint_args_of(c);
    struct density_buffers_staging *staging = c->buffers.staging;
    if (!begin(c) || !slices_ok(c->slices, SLICES_TRY(c->slices, launch_levels(c->slices, &args))))
        return false;
    const bool ok = end(c,
                        c->slices->impl->download(c->slices->queue, staging->levels,
                                                  c->buffers.levels, sizeof staging->levels),
                        0, 0);
    c->levels_launch = c->slices->launched;
    c->extent = extent_of(c);
    c->tone_changed = false;
    return ok;
}

/* Paints with the most recently found levels. */
static bool paint(struct density_run *c) {
    const struct paint_args args = paint_args_of(c);
    struct density_buffers_staging *staging = c->buffers.staging;
    tone_map_init(&staging->map, &c->req->tone, args.task.channels, staging->levels);
    c->extent.hit = tone_levels_hit(staging->levels, args.task.channels);
    c->levels_launch = 0;
    return begin(c) &&
           slices_ok(c->slices, c->slices->impl->upload(c->slices->queue, c->buffers.map,
                                                        &staging->map, sizeof staging->map)) &&
           end(c, SLICES_TRY(c->slices, launch_picture(c->slices, &args)), 0, 0);
}

/* Shows a picture if one is due. Launches continue while the levels are copied to the host, so that
 * the picture's counts are a few milliseconds newer than its levels. */
static bool update_picture(struct density_run *c, double now) {
    if (c->levels_launch > 0) {
        if (c->slices->retired < c->levels_launch || !pixel_buffer_is_paintable(c->pixel_buffer))
            return true;
        c->due_ms = now + PICTURE_MS;
        if (!launch_alone(c, paint))
            return false;
        pixel_buffer_update_next(c->pixel_buffer);
        publish(c, &c->extent);
        return true;
    }
    const bool changed = c->tone_changed || extent_of(c).samples > c->extent.samples;
    return now < c->due_ms || !changed || !pixel_buffer_is_paintable(c->pixel_buffer) ||
           launch_alone(c, find_levels);
}

static void take_change(struct density_run *c) {
    struct change change;
    if (!handoff_take_change(c->handoff, &change))
        return;
    if (!tone_equal(&c->req->tone, &change.look.tone)) {
        c->tone_changed = true;
        c->due_ms = 0;
    }
    c->req->tone = change.look.tone;
    c->req->samples = change.samples;
    rounds_set_target(&c->rounds, change.samples);
}

static bool tick(struct density_run *c) {
    const double now = clock_ms();
    bool repaint;
    take_change(c);
    publish(c, NULL);
    return !c->show ||
           (update_picture(c, now) && pixel_buffer_tick(c->pixel_buffer, now, &repaint));
}

/* --- drawing samples --- */

/* Returns an upper bound of the increments that `pairs` pairs make. */
static uint64_t max_increments(const struct density_run *c, uint64_t pairs) {
    const uint64_t each = CLUMP_SAMPLES * (c->job.task.place.both ? 2 : 1);
    const uint64_t longest = c->job.task.young > BOUNDS_STEPS ? c->job.task.young : BOUNDS_STEPS;
    const uint64_t round = c->bounds.plots + c->bounds.open * (uint64_t)c->job.task.young;
    const uint64_t by_rounds = (pairs / (c->bounds.live + 1) + 3) * round,
                   by_pairs = 2 * pairs * longest;
    return each * (by_rounds < by_pairs ? by_rounds : by_pairs);
}

static uint32_t pairs_for_launch(const struct density_run *c) {
    uint64_t pairs = FIRST_PAIRS;
    if (c->pairs_per_ms > 0)
        pairs = c->pairs_per_ms * TARGET_MS > 1e9 ? 1000000000 : c->pairs_per_ms * TARGET_MS + 1;
    while (pairs > 1 && max_increments(c, pairs) > INCREMENTS_MAX)
        pairs /= 2;
    return (uint32_t)pairs;
}

static bool all_started(const struct density_run *c) {
    return c->rounds.clumps >= c->rounds.target;
}

static bool is_deep(const struct density_run *c) {
    return points_deep(&c->job.task);
}

static enum device_error fetch_state(struct density_run *c) {
    return c->slices->impl->download(c->slices->queue, &c->buffers.staging->state, c->buffers.state,
                                     sizeof c->buffers.staging->state);
}

/* Clears the counter at offset `counter` of struct points_state. */
static enum device_error clear_counter(struct density_run *c, size_t counter) {
    return c->slices->impl->fill(c->slices->queue, device_pointer_at(c->buffers.state, counter), 0,
                                 sizeof(uint32_t));
}

/* Launches the drawing of a part. The result is known in advance unless the launch may end
 * early. */
static bool draw_samples(struct density_run *c, struct points_draw *draw) {
    const uint32_t pairs = draw->part.end - draw->part.begin;
    const uint64_t most = max_increments(c, pairs);
    if (!make_room(c, most) || !begin(c))
        return false;
    draw->part.counter = c->slices->launched % SLICES_IN_FLIGHT;
    draw->part.room = c->buffers.room;
    enum device_error error =
        clear_counter(c, offsetof(struct points_state, claimed) +
                             draw->part.counter * sizeof(struct points_counter));
    if (error == DEVICE_OK)
        error = SLICES_TRY(c->slices, launch_draw(c->slices, &c->job, draw));
    if (error == DEVICE_OK && is_deep(c))
        error = fetch_state(c);
    return end(c, error, most, pairs);
}

/* Waits for a launch that may have ended early. Sets *end to the pair at which it ended. */
static bool await_draw(struct density_run *c, const struct points_draw *draw, uint32_t *end) {
    const struct points_state *state = &c->buffers.staging->state;
    if (!slices_drain(c->slices))
        return false;
    const uint32_t claimed = state->claimed[draw->part.counter].value,
                   pairs = *end - draw->part.begin;
    c->ring[draw->part.counter].pairs = claimed < pairs ? claimed : pairs;
    update_speed(c);
    *end = draw->part.begin + c->ring[draw->part.counter].pairs;
    c->searched = state->searched.value;
    c->search_steps = FIRST_SEARCH_STEPS;
    return true;
}

static bool draw_next(struct density_run *c) {
    struct points_draw draw = {.pairs = c->buffers.pairs,
                               .numbers = c->buffers.numbers,
                               .to = c->buffers.search[c->search_list]};
    if (!rounds_next_part(&c->rounds, pairs_for_launch(c), &draw.part))
        return true;
    uint32_t end = draw.part.end;
    if (!draw_samples(c, &draw) || (is_deep(c) && !await_draw(c, &draw, &end)))
        return false;
    rounds_advance(&c->rounds, &draw.part, end);
    return true;
}

/* --- long orbits --- */

/* Makes one launch of a round, which continues some entries of a list. */
static bool run_slice(struct density_run *c, struct points_slice *slice, bool plot,
                      struct launch_budget *budget) {
    const uint64_t each = c->job.task.place.both ? 2 : 1;
    const uint64_t work = (uint64_t)slice->part.size * slice->part.steps,
                   most = plot ? each * work : 0;
    if (!tick(c) || !make_room(c, most) || !begin(c))
        return false;
    const uint64_t number = c->slices->launched % SLICES_IN_FLIGHT;
    const enum device_error error =
        SLICES_TRY(c->slices, launch_slice(c->slices, &c->job, slice, plot));
    c->ring[number].most = most;
    c->ring[number].pairs = 0;
    return slices_end(c->slices, error, (double)work, budget);
}

/* Continues all entries of a list. `counter` is the offset in struct points_state of the list's
 * counter. */
static bool run_slices(struct density_run *c, struct points_slice *slice, bool plot,
                       uint32_t wanted, size_t counter) {
    struct launch_budget *budget = plot ? &c->plot : &c->search;
    const uint32_t size = plot ? c->plotted : c->searched;
    const uint32_t threads = size < 2 * c->threads ? size : 2 * c->threads;
    if (!begin(c) || !end(c, clear_counter(c, counter), 0, 0))
        return false;
    for (slice->part.begin = 0; slice->part.begin < size; slice->part.begin += slice->part.size) {
        slice->part.steps = launch_budget_steps(budget, wanted, threads);
        const uint32_t most = launch_budget_pixels(budget, slice->part.steps),
                       left = size - slice->part.begin;
        const uint32_t room = INCREMENTS_MAX / 2 / slice->part.steps;
        slice->part.size = left < most ? left : most;
        slice->part.size = plot && slice->part.size > room ? room : slice->part.size;
        if (!run_slice(c, slice, plot, budget))
            return false;
    }
    if (!begin(c) || !end(c, fetch_state(c), 0, 0) || !drain(c))
        return false;
    c->searched = c->buffers.staging->state.searched.value;
    c->plotted = c->buffers.staging->state.plotted.value;
    return true;
}

static bool search(struct density_run *c) {
    struct density_buffers *buffers = &c->buffers;
    struct points_slice slice = {.from = buffers->search[c->search_list],
                                 .to = buffers->search[c->search_list ^ 1],
                                 .plot = buffers->plot[c->plot_list]};
    c->search_list ^= 1;
    const uint32_t steps = c->search_steps;
    c->search_steps = steps < UINT32_MAX / 4 ? 4 * steps : steps;
    return run_slices(c, &slice, false, steps, offsetof(struct points_state, searched));
}

static bool plot(struct density_run *c) {
    struct density_buffers *buffers = &c->buffers;
    struct points_slice slice = {.from = buffers->plot[c->plot_list],
                                 .to = buffers->plot[c->plot_list ^ 1]};
    c->plot_list ^= 1;
    return run_slices(c, &slice, true, PLOT_STEPS, offsetof(struct points_state, plotted));
}

/* Draws samples as soon as the orbits in progress are too few to keep the device busy, but not
 * earlier, so that long orbits never accumulate. A search may list all its orbits for plotting. */
static bool run_deep(struct density_run *c) {
    while (tick(c)) {
        const bool full = c->searched > BUSY_WAVES * c->threads, all = all_started(c);
        bool ok = true;
        if (c->plotted > c->buffers.room || (c->plotted > 0 && all && c->searched == 0))
            ok = plot(c);
        else if (!all && !full)
            ok = draw_next(c);
        else if (c->searched > 0)
            ok = search(c);
        else
            return true;
        if (!ok)
            return false;
    }
    return false;
}

static bool run_shallow(struct density_run *c) {
    if (!slices_overlap(c->slices, true))
        return false;
    while (tick(c)) {
        if (all_started(c))
            return true;
        if (!draw_next(c))
            return false;
    }
    return false;
}

/* --- before and after --- */

static bool clear_counts(struct density_run *c, const struct density_run_input *input) {
    const struct paint_counts *counts = &c->buffers.counts;
    const struct device_impl *impl = c->slices->impl;
    struct device_queue *queue = c->slices->queue;
    const size_t size = counts->size, total = size * sizeof(uint64_t);
    return slices_ok(c->slices, impl->fill(queue, counts->fresh, 0, size * sizeof(uint32_t))) &&
           slices_ok(c->slices, input->start
                                    ? impl->upload(queue, counts->total, input->start, total)
                                    : impl->fill(queue, counts->total, 0, total));
}

static void make_job(struct density_run *c) {
    const struct density_req *req = c->req;
    c->job = (struct points_job){
        .type = req->type,
        .task = {.place = density_place(req),
                 .rule = density_rule(&req->density),
                 .random = req->density.random,
                 .cells = req->cells->count},
        .counts = c->buffers.counts.fresh,
        .tally = c->slices->tally,
        .state = c->buffers.state,
        .abort = c->abort,
    };
    struct points_task *task = &c->job.task;
    task->plane = (uint32_t)task->place.width * (uint32_t)task->place.height;
    task->young = task->rule.limit < YOUNG_STEPS ? task->rule.limit : YOUNG_STEPS;
}

/* Copies to the host and waits for the copy. */
static bool fetch(struct density_run *c, void *to, struct device_pointer from, size_t bytes) {
    struct slices *slices = c->slices;
    return slices_ok(slices, slices->impl->download(slices->queue, to, from, bytes)) &&
           slices_ok(slices, slices->impl->queue_drain(slices->queue));
}

/* Finds the bounds of the cells and copies them to the host. */
static bool make_bounds(struct density_run *c) {
    struct density_buffers *buffers = &c->buffers;
    struct density_buffers_staging *staging = buffers->staging;
    const struct bounds_args args = {.task = c->job.task,
                                     .order = buffers->order,
                                     .memory = buffers->bounds,
                                     .pairs = buffers->pairs,
                                     .numbers = buffers->numbers,
                                     .result = buffers->result};
    struct slices *slices = c->slices;
    const uint32_t *order = c->req->cells->order;
    if (!slices_ok(slices, slices->impl->upload(slices->queue, buffers->order, order,
                                                c->job.task.cells * sizeof *order)) ||
        !slices_ok(slices, SLICES_TRY(slices, launch_bounds(slices, &args))) ||
        !fetch(c, &staging->bounds, buffers->result, sizeof staging->bounds))
        return false;
    c->bounds = staging->bounds;
    return fetch(c, staging->numbers, buffers->numbers, c->bounds.live * sizeof *staging->numbers);
}

/* Takes over a new request. */
static bool take_input(struct density_run *c, struct density_run_input *input) {
    drop_counts(c);
    c->req = input->req;
    input->req = NULL;
    make_job(c);
    c->steps = 0;
    c->points = input->start_points;
    launch_budget_init(&c->search);
    launch_budget_init(&c->plot);
    if (!clear_counts(c, input) || !make_bounds(c))
        return false;
    c->rounds = (struct rounds){.cells = c->job.task.cells,
                                .live = c->bounds.live,
                                .numbers = c->buffers.staging->numbers,
                                .random = c->job.task.random,
                                .clumps = input->start_samples / CLUMP_SAMPLES};
    rounds_set_target(&c->rounds, c->req->samples);
    return true;
}

/* Reserves lists that keep the device busy, if there are long orbits. If memory is lacking,
 * reserves shorter lists, which are still long enough to draw samples. */
static bool make_lists(struct density_run *c) {
    if (!is_deep(c))
        return true;
    const uint32_t least = launch_draw_room(c->slices);
    const uint32_t busy = BUSY_WAVES * c->threads, enough = least + (busy > least ? busy : least);
    uint32_t room = LIST_WAVES * c->threads;
    enum device_error error =
        density_buffers_reserve_lists(&c->buffers, room > enough ? room : enough);
    for (; error == DEVICE_NO_MEMORY && room / 2 >= enough; room /= 2)
        error = density_buffers_reserve_lists(&c->buffers, room / 2);
    return slices_ok(c->slices, error);
}

static bool prepare(struct density_run *c, struct density_run_input *input, bool gl) {
    const double now = clock_ms();
    const bool repeats = !input->req; /* the owner may still read what has arrived */
    struct slices *slices = c->slices;
    if (!slices_restart(slices) || (input->req && !take_input(c, input)) || !make_lists(c) ||
        !slices_ok(slices, slices->impl->fill(slices->queue, c->buffers.state, 0,
                                              sizeof(struct points_state))))
        return false;
    c->retired = slices->retired;
    c->device_ms = 0;
    c->flushed_points = 0;
    c->levels_launch = 0;
    c->tone_changed = false;
    c->extent = (struct density_run_extent){0};
    c->pairs_per_ms = 0;
    c->searched = c->plotted = 0;
    c->search_steps = FIRST_SEARCH_STEPS;
    c->complete = false;
    c->due_ms = now + PIXEL_BUFFER_FIRST_MS;
    if (!c->show)
        return true;
    if (!repeats)
        readback_start(c->readback, c->req->width_px, c->req->height_px);
    if (!pixel_buffer_start(c->pixel_buffer, gl, c->buffers.rgba))
        return false;
    pixel_buffer_on_demand(c->pixel_buffer);
    return true;
}

static bool paint_last(struct density_run *c) {
    const atomic_bool *stop = c->slices->stop;
    bool repaint;
    if (!pixel_buffer_await(c->pixel_buffer, stop, &repaint) || !find_levels(c) || !drain(c) ||
        !paint(c) || !drain(c))
        return false;
    if (!c->pixel_buffer->gl)
        readback_send(c->readback, READBACK_RGBA, c->pixel_buffer->rgba);
    turn_end(&c->slices->launching);
    return slices_ok(c->slices, readback_flush(c->readback, stop));
}

static bool finish_run(struct density_run *c) {
    if (!slices_overlap(c->slices, false) || !flush(c) || !drain(c))
        return false;
    c->complete = (!c->show || paint_last(c)) && !atomic_load(c->slices->stop);
    publish(c, NULL);
    c->steps += c->slices->last.steps;
    c->points += c->slices->last.points;
    return c->complete;
}

/* Reserves memory for the counts. The counts are lost if memory has to be allocated. */
static bool reserve(struct density_run *c, const struct density_run_input *input, bool rgba) {
    enum device_error error;
    if (input->req && !density_buffers_reserve(&c->buffers, input->req, rgba, &error)) {
        slices_ok(c->slices, error);
        return false;
    }
    return true;
}

bool density_run_run(struct density_run *c, struct density_run_input *input, bool gl,
                     uint32_t serial, bool *room) {
    c->show = input->show;
    *room = reserve(c, input, input->show && !gl);
    bool done = *room && prepare(c, input, gl);
    c->job.task.serial = serial;
    c->slices->spins = false; /* A run takes seconds, which does not justify a spinning thread. */
    done = done && (is_deep(c) ? run_deep(c) : run_shallow(c)) && finish_run(c);
    if (!done) {
        drop_counts(c);
        slices_drain_queues(c->slices);
        slices_ok(c->slices, readback_drop(c->readback));
    }
    density_run_input_finish(input);
    return done;
}
