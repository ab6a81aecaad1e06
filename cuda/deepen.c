/* Passes over lattices, coarse to fine; in each, rounds over what is not done yet; in each of
 * those, slices. */
#include "cuda/deepen.h"
#include "render/coords.h"
#include "render/log.h"

#define PART        ((size_t)1 << 22) /* pixels per launch where memory sets the pace */
#define FIRST_STEPS 64u
#define EAGER_MS    8.0 /* how long waiting for a picture is worth a spinning thread */

/* --- between launches --- */

static void publish(struct deepen *d) {
    const struct tally *now = &d->slices->last;
    pthread_mutex_lock(&d->meeting->lock);
    d->progress->iterations = now->steps;
    d->progress->samples = d->finished + TALLY_FINISHED(now->listed);
    d->progress->device_ms = d->slices->device_ms;
    pthread_mutex_unlock(&d->meeting->lock);
}

/* Colours everything into the canvas, and with `count` counts the samples. */
static bool paint(struct deepen *d, bool count) {
    const size_t pixels = (size_t)d->req->width_px * (size_t)d->req->height_px;
    struct colour_args args = {
        .planes = d->store->now,
        .rgba = d->canvas->rgba,
        .colouring = d->store->colouring,
        .tally = count ? d->slices->tally : NULL,
    };
    for (; args.begin < pixels; args.begin += PART) {
        args.size = (uint32_t)(pixels - args.begin < PART ? pixels - args.begin : PART);
        if (!slices_begin(d->slices) ||
            !slices_end(d->slices, pixels_colour(&args, d->slices->stream), 0, NULL))
            return false;
    }
    return true;
}

static bool tick(struct deepen *d) {
    const double now = meeting_now_ms();
    bool repaint;
    d->slices->eager = now - d->start_ms < EAGER_MS;
    publish(d);
    return canvas_tick(d->canvas, now, &repaint) && (!repaint || paint(d, false));
}

/* --- before the first step --- */

static bool move_samples(struct deepen *d) {
    const size_t pixels = (size_t)d->req->width_px * (size_t)d->req->height_px;
    struct shift_args args = {
        .from = d->store->now,
        .to = d->store->spare,
        .width = (uint32_t)d->req->width_px,
        .height = (uint32_t)d->req->height_px,
        .dx = d->shift_x,
        .dy = d->shift_y,
    };
    for (; args.begin < pixels; args.begin += PART) {
        args.size = (uint32_t)(pixels - args.begin < PART ? pixels - args.begin : PART);
        if (!slices_begin(d->slices) ||
            !slices_end(d->slices, pixels_shift(&args, d->slices->stream), 0, NULL))
            return false;
    }
    if (!slices_drain(d->slices))
        return false;
    d->store->spare = d->store->now;
    d->store->now = args.to;
    return true;
}

static bool clear_samples(struct deepen *d) {
    const size_t pixels = (size_t)d->req->width_px * (size_t)d->req->height_px;
    for (size_t begin = 0; begin < pixels; begin += PART) {
        const size_t size = pixels - begin < PART ? pixels - begin : PART;
        float *part = d->store->now.fraction + begin;
        if (!slices_begin(d->slices) ||
            !slices_end(d->slices,
                        cudaMemsetAsync(part, 0xff, size * sizeof *part, d->slices->stream), 0,
                        NULL))
            return false;
    }
    return slices_drain(d->slices);
}

/* Leaves only samples of this request in the store. When stopped half-way, what is there is still
 * right for the request that it was made for. */
static bool keep_samples(struct deepen *d) {
    const bool moved = d->shift_x != 0 || d->shift_y != 0;
    const bool keep = d->keep && (!moved || store_reserve_spare(d->store));
    if (!(keep ? !moved || move_samples(d) : clear_samples(d)))
        return false;
    store_assign(d->store, d->req);
    return true;
}

static bool upload(struct deepen *d) {
    const struct frame_req *req = d->req;
    const size_t entries = (size_t)req->width_px + (size_t)req->height_px;
    struct coords coords;
    if (!coords_init(&coords, req))
        return slices_ok(d->slices, cudaErrorMemoryAllocation);
    const void *table = req->type == TYPE_FLOAT ? (void *)coords.f32 : (void *)coords.f64;
    const size_t size = req->type == TYPE_FLOAT ? sizeof *coords.f32 : sizeof *coords.f64;
    const bool ok =
        slices_ok(d->slices, cudaMemcpyAsync(d->store->coords, table, entries * size,
                                             cudaMemcpyHostToDevice, d->slices->stream)) &&
        slices_ok(d->slices,
                  cudaMemcpyAsync(d->store->colouring, &req->colouring, sizeof req->colouring,
                                  cudaMemcpyHostToDevice, d->slices->stream));
    coords_finish(&coords);
    return ok;
}

static bool prepare(struct deepen *d) {
    outbox_start(d->outbox, d->req->width_px, d->req->height_px);
    if (!slices_restart(d->slices) || !canvas_start(d->canvas, d->gl ? NULL : d->store->rgba) ||
        !upload(d) || !keep_samples(d) || !paint(d, true) || !slices_drain(d->slices))
        return false;
    d->finished = d->slices->last.done;
    pthread_mutex_lock(&d->meeting->lock);
    d->progress->kept = d->finished;
    pthread_mutex_unlock(&d->meeting->lock);
    return true;
}

/* --- iterating --- */

static uint32_t next_steps(const struct deepen *d, uint32_t done, uint32_t size) {
    const uint32_t left = d->req->limit - done;
    const uint64_t wanted = done == 0 ? FIRST_STEPS : 3 * (uint64_t)done;
    const uint32_t threads = size < d->threads ? size : d->threads;
    return pace_steps(d->pace, left <= wanted + wanted / 2 ? left : (uint32_t)wanted, threads);
}

/* Takes `size` pixels args->steps further, in slices; *listed gets the size of the new list. */
static bool run_round(struct deepen *d, struct iterate_args *args, uint32_t size,
                      uint32_t *listed) {
    for (args->begin = 0; args->begin < size; args->begin += args->size) {
        const uint32_t most = pace_pixels(d->pace, args->steps), left = size - args->begin;
        args->size = left < most ? left : most;
        if (!tick(d) || !slices_begin(d->slices))
            return false;
        args->rgba = d->canvas->rgba;
        const double work = (double)args->size * args->steps;
        if (!slices_end(d->slices, iterate_launch(d->req, args, d->slices->stream), work, d->pace))
            return false;
    }
    if (!slices_drain(d->slices))
        return false;
    *listed = TALLY_LISTED(d->slices->last.listed);
    d->finished += TALLY_FINISHED(d->slices->last.listed);
    return slices_new_list(d->slices);
}

/* Completes `size` points of the lattice, from a tile on. */
static bool run_batch(struct deepen *d, struct iterate_args *args, uint32_t size) {
    args->from = (struct orbit_list){0};
    args->done = 0;
    for (int turn = 0; size > 0; turn ^= 1) {
        args->to = d->store->lists[turn];
        args->steps = next_steps(d, args->done, size);
        args->last = args->done + args->steps == d->req->limit;
        if (!run_round(d, args, size, &size))
            return false;
        args->done += args->steps;
        args->from = args->to;
    }
    return true;
}

static int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

static bool run_pass(struct deepen *d, int stride) {
    const struct frame_req *req = d->req;
    struct iterate_args args = {
        .coords = d->store->coords,
        .width = (uint32_t)req->width_px,
        .height = (uint32_t)req->height_px,
        .planes = d->store->now,
        .colouring = d->store->colouring,
        .lattice = lattice_of((uint32_t)req->width_px, (uint32_t)req->height_px, (uint32_t)stride,
                              (uint32_t)clamp(req->focus_y_px, 0, req->height_px - 1)),
        .tally = d->slices->tally,
        .abort = d->abort,
        .serial = d->serial,
    };
    const uint32_t tiles = args.lattice.tiles_x * args.lattice.tiles_y;
    const bool fits = (size_t)args.width * args.height <= d->store->listed;
    const uint32_t batch = fits ? tiles : (uint32_t)(d->store->listed / LATTICE_TILE_POINTS);
    while (args.first_tile < tiles) {
        const uint32_t left = tiles - args.first_tile, take = left < batch ? left : batch;
        if (!run_batch(d, &args, take * LATTICE_TILE_POINTS))
            return false;
        args.first_tile += take;
    }
    return true;
}

static bool run_passes(struct deepen *d) {
    const uint64_t pixels = (uint64_t)d->req->width_px * (uint64_t)d->req->height_px;
    for (int stride = d->req->first_stride; stride > 0 && d->finished < pixels; stride /= 2)
        if (!run_pass(d, stride))
            return false;
    return true;
}

/* --- after the last step --- */

static bool hand_over(struct deepen *d) {
    const atomic_bool *stop = d->slices->stop;
    bool repaint;
    if (!canvas_regain(d->canvas, stop, &repaint) || (repaint && !paint(d, false)) ||
        !slices_drain(d->slices))
        return false;
    publish(d);
    if (!d->gl)
        outbox_send(d->outbox, OUTBOX_RGBA, d->canvas->rgba);
    if (d->want_count)
        outbox_send(d->outbox, OUTBOX_COUNT, d->store->now.count);
    if (d->want_fraction)
        outbox_send(d->outbox, OUTBOX_FRACTION, d->store->now.fraction);
    return slices_ok(d->slices, outbox_flush(d->outbox, stop)) && !atomic_load(stop);
}

bool deepen_run(struct deepen *d) {
    d->start_ms = meeting_now_ms();
    d->slices->eager = true;
    const bool complete = prepare(d) && run_passes(d) && hand_over(d);
    if (!complete) {
        slices_drain(d->slices);
        slices_ok(d->slices, cudaStreamSynchronize(d->slices->stream));
        slices_ok(d->slices, outbox_drop(d->outbox));
    }
    return complete;
}
