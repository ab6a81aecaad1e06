/* What to launch next, and what to show. */
#include "cuda/census.h"
#include "render/clock.h"
#include <stdlib.h>

#define FIRST_PAIRS     4096u
#define TARGET_MS       1.3
#define GROWTH          4u
#define INCREMENTS_MOST (1u << 30) /* that one launch may make */
#define FIRST_SIGHT_MS  12.0
#define SIGHT_MS        16.0  /* between pictures */
#define SHALLOW_MOST    1024u /* the highest limit without lists */
#define YOUNG           64u
#define FIRST_SEARCH    256u /* steps that orbits are searched together, at first */
#define PLOT_STEPS      4096u
#define LIST_WAVES      4u /* lists have room for so many times the threads that run at a time */

void census_order_finish(struct census_order *order) {
    if (order->req) {
        density_req_finish(order->req);
        free(order->req);
    }
    free(order->start);
    order->req = NULL;
    order->start = NULL;
}

void census_init(struct census *census) {
    for (int type = 0; type < TYPE_COUNT; type++) {
        pace_init(&census->search[type]);
        pace_init(&census->plot[type]);
    }
}

static void forget(struct census *c) {
    struct census_order order = {.req = c->req};
    census_order_finish(&order);
    c->req = NULL;
    c->complete = false;
}

void census_finish(struct census *census) {
    forget(census);
    ledger_finish(&census->ledger);
}

/* --- launches --- */

/* Learns from launches that have ended. */
static void learn(struct census *c) {
    const double ms = c->slices->device_ms - c->device_ms;
    uint32_t pairs = 0;
    for (; c->retired < c->slices->retired; c->retired++)
        pairs += c->ring[c->retired % SLICES_IN_FLIGHT].pairs;
    c->device_ms += ms;
    if (pairs > 0)
        c->pairs_per_ms = pairs / (ms > 1e-3 ? ms : 1e-3);
}

static bool begin(struct census *c) {
    const bool ok = slices_begin(c->slices);
    learn(c);
    return ok;
}

static bool drain(struct census *c) {
    const bool ok = slices_drain(c->slices);
    learn(c);
    return ok;
}

/* `most`: increments that the launch can make; `pairs` it draws. */
static bool end(struct census *c, cudaError_t launch, uint64_t most, uint32_t pairs) {
    const uint64_t number = c->slices->launched % SLICES_IN_FLIGHT;
    c->ring[number].most = most;
    c->ring[number].pairs = pairs;
    return slices_end(c->slices, launch, 0, NULL);
}

/* After all launches so far, and before all others. */
static bool alone(struct census *c, bool (*launch)(struct census *c)) {
    const bool overlap = c->slices->overlap;
    return slices_overlap(c->slices, false) && launch(c) && slices_overlap(c->slices, overlap);
}

static bool flush(struct census *c) {
    return begin(c) && end(c, paint_flush(&c->ledger.counts, c->slices->stream), 0, 0);
}

/* How many increments the 32-bit counters may have to hold with a launch that makes `most`. */
static uint64_t pending(const struct census *c, uint64_t most) {
    uint64_t sum = c->slices->last.points - c->flushed_points + most;
    for (uint64_t i = c->slices->retired; i < c->slices->launched; i++)
        sum += c->ring[i % SLICES_IN_FLIGHT].most;
    return sum;
}

/* Sees to it that a launch cannot overflow a counter, were all its increments in one pixel. What is counted
 * from a flush on may include launches from before it: that errs on the safe side. */
static bool make_room(struct census *c, uint64_t most) {
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

static struct paint_job paint_job_of(const struct census *c) {
    return (struct paint_job){
        .counts = c->ledger.counts,
        .place = c->job.place,
        .channels = c->req->density.channels,
        .width_px = c->req->width_px,
        .height_px = c->req->height_px,
    };
}

static bool find_levels(struct census *c) {
    const struct paint_job job = paint_job_of(c);
    cudaStream_t stream;
    if (!begin(c))
        return false;
    stream = c->slices->stream;
    cudaError_t error = paint_levels(&job, c->ledger.levels, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(c->ledger.news->levels, c->ledger.levels,
                                sizeof c->ledger.news->levels, cudaMemcpyDeviceToHost, stream);
    const bool ok = end(c, error, 0, 0);
    c->levels_launch = c->slices->launched;
    return ok;
}

/* With the levels that were found last. */
static bool paint(struct census *c) {
    const struct paint_job job = paint_job_of(c);
    struct ledger_news *news = c->ledger.news;
    tone_map_init(&news->map, &c->req->tone, job.channels, news->levels);
    if (!begin(c))
        return false;
    cudaError_t error = cudaMemcpyAsync(c->ledger.map, &news->map, sizeof news->map,
                                        cudaMemcpyHostToDevice, c->slices->stream);
    if (error == cudaSuccess)
        error = paint_picture(&job, c->ledger.map, c->canvas->rgba, c->slices->stream);
    c->levels_launch = 0;
    return end(c, error, 0, 0);
}

/* Launches go on while the levels are on their way to the host: a picture in between has counts that are a
 * few milliseconds newer than its levels. */
static bool show(struct census *c, double now) {
    if (c->levels_launch > 0) {
        if (c->slices->retired < c->levels_launch || !canvas_free(c->canvas))
            return true;
        c->due_ms = now + SIGHT_MS;
        if (!alone(c, paint))
            return false;
        canvas_show(c->canvas);
        return true;
    }
    return now < c->due_ms || !canvas_free(c->canvas) || alone(c, find_levels);
}

static void publish(struct census *c) {
    const uint64_t done = c->clumps < c->target ? c->clumps : c->target;
    pthread_mutex_lock(&c->meeting->lock);
    c->progress->iterations = c->steps + c->slices->last.steps;
    c->progress->points = c->points + c->slices->last.points;
    c->progress->samples = done * CLUMP_SAMPLES;
    c->progress->device_ms = c->slices->device_ms;
    pthread_mutex_unlock(&c->meeting->lock);
}

/* In clumps. */
static uint64_t target_of(uint64_t samples) {
    const uint64_t chunks = samples / DENSITY_CHUNK;
    return 2 * (samples % DENSITY_CHUNK && samples != UINT64_MAX ? chunks + 1 : chunks);
}

/* What is started stays. */
static void set_target(struct census *c, uint64_t samples) {
    const uint64_t least = c->clumps + c->clumps % 2, target = target_of(samples);
    c->req->samples = samples;
    c->target = target > least ? target : least;
}

static void take_wish(struct census *c) {
    pthread_mutex_lock(&c->meeting->lock);
    const struct census_wish wish = *c->wish;
    c->wish->there = false;
    pthread_mutex_unlock(&c->meeting->lock);
    if (!wish.there)
        return;
    if (!tone_equal(&c->req->tone, &wish.tone))
        c->due_ms = 0;
    c->req->tone = wish.tone;
    set_target(c, wish.samples);
}

static bool tick(struct census *c) {
    const double now = clock_ms();
    bool repaint;
    take_wish(c);
    publish(c);
    return !c->show || (show(c, now) && canvas_tick(c->canvas, now, &repaint));
}

/* --- drawing samples --- */

/* The first of the live pairs whose number is at least that. */
static uint32_t first_from(const struct census *c, uint64_t number) {
    uint32_t low = 0, high = c->plans.live;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->ledger.news->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many increments so many pairs can make. */
static uint64_t increments_of(const struct census *c, uint64_t pairs) {
    const uint64_t each = CLUMP_SAMPLES * (c->job.place.both ? 2 : 1);
    const uint64_t longest = c->job.young > PLAN_STEPS ? c->job.young : PLAN_STEPS;
    const uint64_t round = c->plans.plots + c->plans.open * (uint64_t)c->job.young;
    const uint64_t by_rounds = (pairs / c->plans.live + 2) * round, by_pairs = 2 * pairs * longest;
    return each * (by_rounds < by_pairs ? by_rounds : by_pairs);
}

static uint32_t pairs_for_launch(const struct census *c) {
    uint64_t pairs = FIRST_PAIRS;
    if (c->pairs_per_ms > 0)
        pairs = c->pairs_per_ms * TARGET_MS > 1e9 ? 1000000000 : c->pairs_per_ms * TARGET_MS + 1;
    while (pairs > 1 && increments_of(c, pairs) > INCREMENTS_MOST)
        pairs /= 2;
    return (uint32_t)pairs;
}

/* Where the next launch begins, and at most ends; false: nothing is left to draw. */
static bool place_draw(struct census *c, struct points_draw *draw) {
    const uint32_t cells = c->job.cells, live = c->plans.live;
    if (live == 0)
        c->clumps = c->target;
    uint64_t round = cells > 0 ? c->clumps / cells : 0;
    draw->first_clump = c->clumps - round * cells;
    draw->begin = first_from(c, draw->first_clump / 2);
    if (live > 0 && draw->begin == live) {
        round++;
        draw->first_clump = 0;
        draw->begin = 0;
    }
    const uint64_t before = round * cells;
    if (c->clumps >= c->target || before >= c->target) {
        c->clumps = c->target;
        return false;
    }
    draw->end_clump = c->target - before;
    for (uint32_t i = 0; i < POINTS_ROUNDS; i++)
        draw->rounds[i] = sample_round(round + i, c->job.random);
    const uint64_t rounds = draw->end_clump / cells, rest = draw->end_clump % cells;
    const uint64_t last = rounds < POINTS_ROUNDS ? rounds * live + first_from(c, (rest + 1) / 2)
                                                 : (uint64_t)POINTS_ROUNDS * live;
    if (draw->begin >= last) {
        c->clumps = c->target;
        return false;
    }
    const uint64_t wanted = (uint64_t)draw->begin + pairs_for_launch(c);
    draw->end = (uint32_t)(wanted < last ? wanted : last);
    return true;
}

/* Everything before pair `end` is started. */
static void advance(struct census *c, const struct points_draw *draw, uint32_t end) {
    const uint32_t live = c->plans.live, entry = end % live;
    const uint64_t round = draw->rounds[0].number + end / live;
    const uint64_t clumps =
        round * c->job.cells + (entry > 0 ? 2 * (uint64_t)c->ledger.news->numbers[entry] : 0);
    const bool last = clumps - draw->rounds[0].number * c->job.cells >= draw->end_clump;
    if (clumps > c->clumps)
        c->clumps = last ? c->target : clumps;
}

static bool is_deep(const struct census *c) {
    return c->job.young < c->job.rule.limit;
}

static cudaError_t fetch_state(struct census *c) {
    return cudaMemcpyAsync(&c->ledger.news->state, c->ledger.state, sizeof c->ledger.news->state,
                           cudaMemcpyDeviceToHost, c->slices->stream);
}

static cudaError_t clear_counter(struct census *c, uint32_t *counter) {
    return cudaMemsetAsync(counter, 0, sizeof *counter, c->slices->stream);
}

/* One launch; what it can do is known before, unless it may end early. */
static bool draw_samples(struct census *c, struct points_draw *draw) {
    const uint32_t pairs = draw->end - draw->begin;
    const uint64_t most = increments_of(c, pairs);
    if (!make_room(c, most) || !begin(c))
        return false;
    draw->pairs = c->ledger.pairs;
    draw->numbers = c->ledger.numbers;
    draw->live = c->plans.live;
    draw->turn = c->slices->launched % SLICES_IN_FLIGHT;
    draw->to = c->ledger.search[c->search_turn];
    draw->room = c->ledger.room;
    cudaError_t error = clear_counter(c, &c->ledger.state->claimed[draw->turn]);
    if (error == cudaSuccess)
        error = points_draw(&c->job, draw, c->slices->stream);
    if (error == cudaSuccess && is_deep(c))
        error = fetch_state(c);
    return end(c, error, most, pairs);
}

static bool draw_shallow(struct census *c) {
    struct points_draw draw;
    if (!place_draw(c, &draw))
        return true;
    if (!draw_samples(c, &draw))
        return false;
    advance(c, &draw, draw.end);
    return true;
}

/* --- long orbits --- */

static bool draw_deep(struct census *c) {
    const struct points_state *state = &c->ledger.news->state;
    struct points_draw draw;
    if (!place_draw(c, &draw))
        return true;
    if (!draw_samples(c, &draw))
        return false;
    const uint64_t number = (c->slices->launched - 1) % SLICES_IN_FLIGHT;
    if (!slices_drain(c->slices))
        return false;
    const uint32_t claimed = state->claimed[draw.turn], pairs = draw.end - draw.begin;
    c->ring[number].pairs = claimed < pairs ? claimed : pairs;
    learn(c);
    advance(c, &draw, draw.begin + c->ring[number].pairs);
    c->searched = state->searched;
    c->search_steps = FIRST_SEARCH;
    return true;
}

/* One launch of a round: takes entries of a list further. */
static bool run_slice(struct census *c, struct points_slice *slice, bool plot) {
    struct pace *pace = plot ? &c->plot[c->job.type] : &c->search[c->job.type];
    const uint64_t each = c->job.place.both ? 2 : 1;
    const uint64_t work = (uint64_t)slice->size * slice->steps, most = plot ? each * work : 0;
    if (!tick(c) || !make_room(c, most) || !begin(c))
        return false;
    const uint64_t number = c->slices->launched % SLICES_IN_FLIGHT;
    const cudaError_t error =
        (plot ? points_plot : points_search)(&c->job, slice, c->slices->stream);
    c->ring[number].most = most;
    c->ring[number].pairs = 0;
    return slices_end(c->slices, error, (double)work, pace);
}

/* All entries of a list. */
static bool run_list(struct census *c, struct points_slice *slice, uint32_t size, bool plot,
                     uint32_t wanted) {
    struct pace *pace = plot ? &c->plot[c->job.type] : &c->search[c->job.type];
    const uint32_t threads = size < 2 * c->threads ? size : 2 * c->threads;
    for (slice->begin = 0; slice->begin < size; slice->begin += slice->size) {
        slice->steps = pace_steps(pace, wanted, threads);
        const uint32_t most = pace_pixels(pace, slice->steps), left = size - slice->begin;
        const uint32_t room = INCREMENTS_MOST / 2 / slice->steps;
        slice->size = left < most ? left : most;
        slice->size = plot && slice->size > room ? room : slice->size;
        if (!run_slice(c, slice, plot))
            return false;
    }
    return begin(c) && end(c, fetch_state(c), 0, 0) && drain(c);
}

static bool restart_list(struct census *c, uint32_t *counter) {
    return begin(c) && end(c, clear_counter(c, counter), 0, 0);
}

static bool search(struct census *c) {
    struct ledger *ledger = &c->ledger;
    struct points_slice slice = {.from = ledger->search[c->search_turn],
                                 .to = ledger->search[c->search_turn ^ 1],
                                 .plot = ledger->plot[c->plot_turn]};
    if (!restart_list(c, &ledger->state->searched) ||
        !run_list(c, &slice, c->searched, false, c->search_steps))
        return false;
    c->search_turn ^= 1;
    c->searched = ledger->news->state.searched;
    c->plotted = ledger->news->state.plotted;
    c->search_steps = c->search_steps < UINT32_MAX / 4 ? 4 * c->search_steps : c->search_steps;
    return true;
}

static bool plot(struct census *c) {
    struct ledger *ledger = &c->ledger;
    struct points_slice slice = {.from = ledger->plot[c->plot_turn],
                                 .to = ledger->plot[c->plot_turn ^ 1]};
    if (!restart_list(c, &ledger->state->plotted) ||
        !run_list(c, &slice, c->plotted, true, PLOT_STEPS))
        return false;
    c->plot_turn ^= 1;
    c->plotted = ledger->news->state.plotted;
    return true;
}

/* Keeps the list of orbits to be searched filled while there are samples to draw: so the device is busy
 * though most lists have a few orbits that take long. A search can list all its orbits to be plotted. */
static bool run_deep(struct census *c) {
    while (tick(c)) {
        const bool full = c->searched > c->ledger.room / 2, all = c->clumps >= c->target;
        bool ok = true;
        if (c->plotted > c->ledger.room || (c->plotted > 0 && all && c->searched == 0))
            ok = plot(c);
        else if (!all && !full)
            ok = draw_deep(c);
        else if (c->searched > 0)
            ok = search(c);
        else
            return true;
        if (!ok)
            return false;
    }
    return false;
}

static bool run_shallow(struct census *c) {
    if (!slices_overlap(c->slices, true))
        return false;
    while (tick(c)) {
        if (c->clumps >= c->target)
            return true;
        if (!draw_shallow(c))
            return false;
    }
    return false;
}

/* --- before and after --- */

static cudaError_t clear_counts(struct census *c, const struct census_order *order) {
    const struct paint_counts *counts = &c->ledger.counts;
    cudaStream_t stream = c->slices->stream;
    const cudaError_t error =
        cudaMemsetAsync(counts->fresh, 0, counts->size * sizeof *counts->fresh, stream);
    if (error != cudaSuccess)
        return error;
    return order->start
               ? cudaMemcpyAsync(counts->total, order->start, counts->size * sizeof *counts->total,
                                 cudaMemcpyHostToDevice, stream)
               : cudaMemsetAsync(counts->total, 0, counts->size * sizeof *counts->total, stream);
}

static void make_job(struct census *c) {
    const struct density_req *req = c->req;
    c->job = (struct points_job){
        .type = req->type,
        .place = density_place(req),
        .rule = density_rule(&req->density),
        .domain = sample_domain(&req->density),
        .random = req->density.random,
        .cells = req->cells->count,
        .counts = c->ledger.counts.fresh,
        .tally = c->slices->tally,
        .state = c->ledger.state,
        .abort = c->abort,
    };
    const uint32_t limit = c->job.rule.limit;
    c->job.young = limit <= SHALLOW_MOST ? limit : YOUNG;
}

/* Makes the plans, and has them here when it returns. */
static cudaError_t make_plans(struct census *c) {
    struct ledger *ledger = &c->ledger;
    cudaStream_t stream = c->slices->stream;
    const size_t pairs = (c->job.cells + (size_t)1) / 2;
    cudaError_t error =
        cudaMemcpyAsync(ledger->order, c->req->cells->order, c->job.cells * sizeof *ledger->order,
                        cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error = points_plan(&c->job, ledger->order, ledger->plans, ledger->pairs, ledger->numbers,
                            ledger->result, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(ledger->news->numbers, ledger->numbers,
                                pairs * sizeof *ledger->numbers, cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(&ledger->news->plans, ledger->result, sizeof ledger->news->plans,
                                cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    c->plans = ledger->news->plans;
    return error;
}

/* Takes over a new request. */
static bool take_order(struct census *c, struct census_order *order) {
    forget(c);
    c->req = order->req;
    order->req = NULL;
    make_job(c);
    c->clumps = order->start_samples / CLUMP_SAMPLES;
    c->steps = 0;
    c->points = order->start_points;
    set_target(c, c->req->samples);
    return slices_ok(c->slices, clear_counts(c, order)) && slices_ok(c->slices, make_plans(c));
}

/* Room for lists that keep the device busy, where there are long orbits. */
static bool make_lists(struct census *c) {
    uint32_t least = 0;
    if (!is_deep(c) || !slices_ok(c->slices, points_room_least(&c->job, &least)))
        return c->slices->error == cudaSuccess;
    const uint32_t wanted = LIST_WAVES * c->threads;
    return slices_ok(c->slices,
                     ledger_reserve_lists(&c->ledger, wanted > 4 * least ? wanted : 4 * least));
}

static bool prepare(struct census *c, struct census_order *order, bool gl) {
    const double now = clock_ms();
    struct slices *slices = c->slices;
    if (!slices_restart(slices) || (order->req && !take_order(c, order)) || !make_lists(c))
        return false;
    c->retired = slices->retired;
    c->device_ms = 0;
    c->flushed_points = 0;
    c->levels_launch = 0;
    c->pairs_per_ms = 0;
    c->searched = c->plotted = 0;
    c->search_steps = FIRST_SEARCH;
    c->complete = false;
    c->due_ms = now + FIRST_SIGHT_MS;
    if (!c->show)
        return true;
    outbox_start(c->outbox, c->req->width_px, c->req->height_px);
    if (!canvas_start(c->canvas, gl ? NULL : c->ledger.rgba))
        return false;
    canvas_on_demand(c->canvas);
    return true;
}

static bool paint_last(struct census *c) {
    const atomic_bool *stop = c->slices->stop;
    bool repaint;
    if (!canvas_regain(c->canvas, stop, &repaint) || !find_levels(c) || !drain(c) || !paint(c) ||
        !drain(c))
        return false;
    if (!c->canvas->gl)
        outbox_send(c->outbox, OUTBOX_RGBA, c->canvas->rgba);
    return slices_ok(c->slices, outbox_flush(c->outbox, stop));
}

static bool hand_over(struct census *c) {
    if (!slices_overlap(c->slices, false) || !flush(c) || !drain(c))
        return false;
    publish(c);
    c->complete = (!c->show || paint_last(c)) && !atomic_load(c->slices->stop);
    c->steps += c->slices->last.steps;
    c->points += c->slices->last.points;
    return c->complete;
}

/* Memory for the counts, which are lost if it must be got anew. */
static bool reserve(struct census *c, const struct census_order *order, bool rgba) {
    cudaError_t error;
    if (order->req && !ledger_reserve(&c->ledger, order->req, rgba, &error)) {
        slices_ok(c->slices, error);
        return false;
    }
    return true;
}

bool census_run(struct census *c, struct census_order *order, bool gl, uint32_t serial,
                bool *room) {
    c->show = order->show;
    *room = reserve(c, order, order->show && !gl);
    bool done = *room && prepare(c, order, gl);
    c->job.serial = serial;
    c->slices->eager = false; /* what goes on for seconds is not worth a spinning thread */
    done = done && (is_deep(c) ? run_deep(c) : run_shallow(c)) && hand_over(c);
    if (!done) {
        forget(c);
        slices_settle(c->slices);
        slices_ok(c->slices, outbox_drop(c->outbox));
    }
    census_order_finish(order);
    return done;
}
