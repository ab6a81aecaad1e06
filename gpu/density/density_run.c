/* Density run: decides what to launch next, and when the owner sees a picture. */
#include "gpu/density/density_run.h"
#include "gpu/launch/launch.h"
#include "render/base/clock.h"
#include <stdlib.h>

#define FIRST_PAIRS     4096u
#define TARGET_MS       1.3
#define GROWTH          4u
#define INCREMENTS_MOST (1u << 30) /* maximum number of increments of a launch */
#define SIGHT_MS        16.0       /* [ms] interval between pictures */
#define YOUNG           64u        /* steps that the samples of a clump make together */
#define FIRST_SEARCH    256u       /* steps of the first search for escapes and cycles */
#define PLOT_STEPS      4096u
#define LIST_WAVES      16u /* capacity of the lists, in multiples of the resident threads */
/* no samples are drawn while more orbits than this multiple wait for a search */
#define BUSY_WAVES 2u

void density_run_order_finish(struct density_run_order *order) {
    if (order->req) {
        density_req_finish(order->req);
        free(order->req);
    }
    free(order->start);
    order->req = NULL;
    order->start = NULL;
}

static void forget(struct density_run *c) {
    struct density_run_order order = {.req = c->req};
    density_run_order_finish(&order);
    c->req = NULL;
    c->complete = false;
}

void density_run_finish(struct density_run *run) {
    forget(run);
    density_buffers_finish(&run->buffers);
}

/* --- launches --- */

/* Learns from the launches that have ended. */
static void learn(struct density_run *c) {
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
    learn(c);
    return ok;
}

static bool drain(struct density_run *c) {
    const bool ok = slices_drain(c->slices);
    learn(c);
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
static bool alone(struct density_run *c, bool (*launch)(struct density_run *c)) {
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
    return alone(c, flush);
}

/* --- showing --- */

static struct density_run_extent extent_of(const struct density_run *c) {
    return (struct density_run_extent){.samples = c->rounds.clumps * CLUMP_SAMPLES,
                                       .points = c->points + c->slices->last.points,
                                       .hit = c->extent.hit};
}

/* Publishes the progress, and the extent of the shown picture if `shown` is not NULL. */
static void publish(struct density_run *c, const struct density_run_extent *shown) {
    pthread_mutex_lock(&c->meeting->lock);
    c->progress->iterations = c->steps + c->slices->last.steps;
    c->progress->done = extent_of(c);
    c->progress->device_ms = c->slices->device_ms;
    if (shown)
        c->progress->shown = *shown;
    pthread_mutex_unlock(&c->meeting->lock);
}

static bool find_levels(struct density_run *c) {
    const struct paint_args args = paint_args_of(c);
    struct density_buffers_news *news = c->buffers.news;
    if (!begin(c) || !slices_ok(c->slices, SLICES_TRY(c->slices, launch_levels(c->slices, &args))))
        return false;
    const bool ok = end(c,
                        c->slices->impl->download(c->slices->queue, news->levels, c->buffers.levels,
                                                  sizeof news->levels),
                        0, 0);
    c->levels_launch = c->slices->launched;
    c->extent = extent_of(c);
    c->retold = false;
    return ok;
}

/* Paints with the most recently found levels. */
static bool paint(struct density_run *c) {
    const struct paint_args args = paint_args_of(c);
    struct density_buffers_news *news = c->buffers.news;
    tone_map_init(&news->map, &c->req->tone, args.task.channels, news->levels);
    c->extent.hit = tone_levels_hit(news->levels, args.task.channels);
    c->levels_launch = 0;
    return begin(c) &&
           slices_ok(c->slices, c->slices->impl->upload(c->slices->queue, c->buffers.map,
                                                        &news->map, sizeof news->map)) &&
           end(c, SLICES_TRY(c->slices, launch_picture(c->slices, &args)), 0, 0);
}

/* Shows a picture if one is due. Launches continue while the levels are copied to the host, so that
 * the picture's counts are a few milliseconds newer than its levels. */
static bool show(struct density_run *c, double now) {
    if (c->levels_launch > 0) {
        if (c->slices->retired < c->levels_launch || !pixel_buffer_free(c->pixel_buffer))
            return true;
        c->due_ms = now + SIGHT_MS;
        if (!alone(c, paint))
            return false;
        pixel_buffer_show(c->pixel_buffer);
        publish(c, &c->extent);
        return true;
    }
    const bool news = c->retold || extent_of(c).samples > c->extent.samples;
    return now < c->due_ms || !news || !pixel_buffer_free(c->pixel_buffer) || alone(c, find_levels);
}

static void take_wish(struct density_run *c) {
    struct wish wish;
    if (!meeting_take_wish(c->meeting, &wish))
        return;
    if (!tone_equal(&c->req->tone, &wish.look.tone)) {
        c->retold = true;
        c->due_ms = 0;
    }
    c->req->tone = wish.look.tone;
    c->req->samples = wish.samples;
    rounds_aim(&c->rounds, wish.samples);
}

static bool tick(struct density_run *c) {
    const double now = clock_ms();
    bool repaint;
    take_wish(c);
    publish(c, NULL);
    return !c->show || (show(c, now) && pixel_buffer_tick(c->pixel_buffer, now, &repaint));
}

/* --- drawing samples --- */

/* Returns an upper bound of the increments that `pairs` pairs make. */
static uint64_t increments_of(const struct density_run *c, uint64_t pairs) {
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
    while (pairs > 1 && increments_of(c, pairs) > INCREMENTS_MOST)
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
    return c->slices->impl->download(c->slices->queue, &c->buffers.news->state, c->buffers.state,
                                     sizeof c->buffers.news->state);
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
    const uint64_t most = increments_of(c, pairs);
    if (!make_room(c, most) || !begin(c))
        return false;
    draw->part.turn = c->slices->launched % SLICES_IN_FLIGHT;
    draw->part.room = c->buffers.room;
    enum device_error error = clear_counter(c, offsetof(struct points_state, claimed) +
                                                   draw->part.turn * sizeof(struct points_counter));
    if (error == DEVICE_OK)
        error = SLICES_TRY(c->slices, launch_draw(c->slices, &c->job, draw));
    if (error == DEVICE_OK && is_deep(c))
        error = fetch_state(c);
    return end(c, error, most, pairs);
}

/* Waits for a launch that may have ended early. Sets *end to the pair at which it ended. */
static bool await_draw(struct density_run *c, const struct points_draw *draw, uint32_t *end) {
    const struct points_state *state = &c->buffers.news->state;
    if (!slices_drain(c->slices))
        return false;
    const uint32_t claimed = state->claimed[draw->part.turn].value, pairs = *end - draw->part.begin;
    c->ring[draw->part.turn].pairs = claimed < pairs ? claimed : pairs;
    learn(c);
    *end = draw->part.begin + c->ring[draw->part.turn].pairs;
    c->searched = state->searched.value;
    c->search_steps = FIRST_SEARCH;
    return true;
}

static bool draw_next(struct density_run *c) {
    struct points_draw draw = {.pairs = c->buffers.pairs,
                               .numbers = c->buffers.numbers,
                               .to = c->buffers.search[c->search_turn]};
    if (!rounds_place(&c->rounds, pairs_for_launch(c), &draw.part))
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
        SLICES_TRY(c->slices, plot ? launch_plot(c->slices, &c->job, slice)
                                   : launch_search(c->slices, &c->job, slice));
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
        const uint32_t room = INCREMENTS_MOST / 2 / slice->part.steps;
        slice->part.size = left < most ? left : most;
        slice->part.size = plot && slice->part.size > room ? room : slice->part.size;
        if (!run_slice(c, slice, plot, budget))
            return false;
    }
    if (!begin(c) || !end(c, fetch_state(c), 0, 0) || !drain(c))
        return false;
    c->searched = c->buffers.news->state.searched.value;
    c->plotted = c->buffers.news->state.plotted.value;
    return true;
}

static bool search(struct density_run *c) {
    struct density_buffers *buffers = &c->buffers;
    struct points_slice slice = {.from = buffers->search[c->search_turn],
                                 .to = buffers->search[c->search_turn ^ 1],
                                 .plot = buffers->plot[c->plot_turn]};
    c->search_turn ^= 1;
    const uint32_t steps = c->search_steps;
    c->search_steps = steps < UINT32_MAX / 4 ? 4 * steps : steps;
    return run_slices(c, &slice, false, steps, offsetof(struct points_state, searched));
}

static bool plot(struct density_run *c) {
    struct density_buffers *buffers = &c->buffers;
    struct points_slice slice = {.from = buffers->plot[c->plot_turn],
                                 .to = buffers->plot[c->plot_turn ^ 1]};
    c->plot_turn ^= 1;
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

static bool clear_counts(struct density_run *c, const struct density_run_order *order) {
    const struct paint_counts *counts = &c->buffers.counts;
    const struct device_impl *impl = c->slices->impl;
    struct device_queue *queue = c->slices->queue;
    const size_t size = counts->size, total = size * sizeof(uint64_t);
    return slices_ok(c->slices, impl->fill(queue, counts->fresh, 0, size * sizeof(uint32_t))) &&
           slices_ok(c->slices, order->start
                                    ? impl->upload(queue, counts->total, order->start, total)
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
    task->young = task->rule.limit < YOUNG ? task->rule.limit : YOUNG;
}

/* Copies to the host and waits for the copy. */
static bool fetch(struct density_run *c, void *to, struct device_pointer from, size_t bytes) {
    struct slices *slices = c->slices;
    return slices_ok(slices, slices->impl->download(slices->queue, to, from, bytes)) &&
           slices_ok(slices, slices->impl->queue_settle(slices->queue));
}

/* Finds the bounds of the cells and copies them to the host. */
static bool make_bounds(struct density_run *c) {
    struct density_buffers *buffers = &c->buffers;
    struct density_buffers_news *news = buffers->news;
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
        !fetch(c, &news->bounds, buffers->result, sizeof news->bounds))
        return false;
    c->bounds = news->bounds;
    return fetch(c, news->numbers, buffers->numbers, c->bounds.live * sizeof *news->numbers);
}

/* Takes over a new request. */
static bool take_order(struct density_run *c, struct density_run_order *order) {
    forget(c);
    c->req = order->req;
    order->req = NULL;
    make_job(c);
    c->steps = 0;
    c->points = order->start_points;
    launch_budget_init(&c->search);
    launch_budget_init(&c->plot);
    if (!clear_counts(c, order) || !make_bounds(c))
        return false;
    c->rounds = (struct rounds){.cells = c->job.task.cells,
                                .live = c->bounds.live,
                                .numbers = c->buffers.news->numbers,
                                .random = c->job.task.random,
                                .clumps = order->start_samples / CLUMP_SAMPLES};
    rounds_aim(&c->rounds, c->req->samples);
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

static bool prepare(struct density_run *c, struct density_run_order *order, bool gl) {
    const double now = clock_ms();
    const bool again = !order->req; /* the owner may still read what has arrived */
    struct slices *slices = c->slices;
    if (!slices_restart(slices) || (order->req && !take_order(c, order)) || !make_lists(c) ||
        !slices_ok(slices, slices->impl->fill(slices->queue, c->buffers.state, 0,
                                              sizeof(struct points_state))))
        return false;
    c->retired = slices->retired;
    c->device_ms = 0;
    c->flushed_points = 0;
    c->levels_launch = 0;
    c->retold = false;
    c->extent = (struct density_run_extent){0};
    c->pairs_per_ms = 0;
    c->searched = c->plotted = 0;
    c->search_steps = FIRST_SEARCH;
    c->complete = false;
    c->due_ms = now + PIXEL_BUFFER_FIRST_MS;
    if (!c->show)
        return true;
    if (!again)
        readback_start(c->readback, c->req->width_px, c->req->height_px);
    if (!pixel_buffer_start(c->pixel_buffer, gl, c->buffers.rgba))
        return false;
    pixel_buffer_on_demand(c->pixel_buffer);
    return true;
}

static bool paint_last(struct density_run *c) {
    const atomic_bool *stop = c->slices->stop;
    bool repaint;
    if (!pixel_buffer_regain(c->pixel_buffer, stop, &repaint) || !find_levels(c) || !drain(c) ||
        !paint(c) || !drain(c))
        return false;
    if (!c->pixel_buffer->gl)
        readback_send(c->readback, READBACK_RGBA, c->pixel_buffer->rgba);
    turn_end(&c->slices->launching);
    return slices_ok(c->slices, readback_flush(c->readback, stop));
}

static bool hand_over(struct density_run *c) {
    if (!slices_overlap(c->slices, false) || !flush(c) || !drain(c))
        return false;
    c->complete = (!c->show || paint_last(c)) && !atomic_load(c->slices->stop);
    publish(c, NULL);
    c->steps += c->slices->last.steps;
    c->points += c->slices->last.points;
    return c->complete;
}

/* Reserves memory for the counts. The counts are lost if memory has to be allocated. */
static bool reserve(struct density_run *c, const struct density_run_order *order, bool rgba) {
    enum device_error error;
    if (order->req && !density_buffers_reserve(&c->buffers, order->req, rgba, &error)) {
        slices_ok(c->slices, error);
        return false;
    }
    return true;
}

bool density_run_run(struct density_run *c, struct density_run_order *order, bool gl,
                     uint32_t serial, bool *room) {
    c->show = order->show;
    *room = reserve(c, order, order->show && !gl);
    bool done = *room && prepare(c, order, gl);
    c->job.task.serial = serial;
    c->slices->eager = false; /* A run takes seconds, which does not justify a spinning thread. */
    done = done && (is_deep(c) ? run_deep(c) : run_shallow(c)) && hand_over(c);
    if (!done) {
        forget(c);
        slices_settle(c->slices);
        slices_ok(c->slices, readback_drop(c->readback));
    }
    density_run_order_finish(order);
    return done;
}
