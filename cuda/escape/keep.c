/* Clearing, moving and dropping samples. */
#include "cuda/escape/keep.h"
#include "cuda/escape/pixels.h"

static size_t pixels_of(const struct deepen *d) {
    return (size_t)d->req->width_px * (size_t)d->req->height_px;
}

static bool clear_part(struct deepen *d, void *part, int byte, size_t pixels) {
    return slices_begin(d->slices) &&
           slices_end(d->slices,
                      cudaMemsetAsync(part, byte, pixels * sizeof(uint32_t), d->slices->stream), 0,
                      NULL);
}

static bool clear_samples(struct deepen *d) {
    const size_t pixels = pixels_of(d);
    for (size_t begin = 0; begin < pixels; begin += PIXELS_PART) {
        const uint32_t size = pixels_part(pixels, begin);
        if (!clear_part(d, d->store->now.fraction + begin, 0xff, size) ||
            !clear_part(d, d->canvas->rgba + begin, 0, size))
            return false;
    }
    return true;
}

/* All of them, in parts. */
static bool shift(struct deepen *d, struct shift_args *args) {
    const size_t pixels = pixels_of(d);
    for (args->begin = 0; args->begin < pixels; args->begin += PIXELS_PART) {
        args->size = pixels_part(pixels, args->begin);
        if (!slices_begin(d->slices) ||
            !slices_end(d->slices, pixels_shift(args, d->slices->stream), 0, NULL))
            return false;
    }
    return slices_drain(d->slices);
}

/* Pictures of several bands share the states among them. */
static bool has_states(const struct deepen *d) {
    return pixels_of(d) <= d->store->band;
}

static struct shift_args shift_args_of(const struct deepen *d) {
    return (struct shift_args){
        .from = d->store->now,
        .to = d->store->now,
        .wide = d->req->type == TYPE_DOUBLE,
        .width = (uint32_t)d->req->width_px,
        .height = (uint32_t)d->req->height_px,
        .limit = d->req->limit,
        .dx = d->shift_x,
        .dy = d->shift_y,
    };
}

static bool move_samples(struct deepen *d) {
    struct store *store = d->store;
    struct shift_args args = shift_args_of(d);
    const struct planes from = store->now;
    args.to = store->spare;
    if (has_states(d)) {
        args.from_states = store->states;
        args.to_states = store->spare_states;
    }
    if (!shift(d, &args))
        return false;
    store->now = args.to;
    store->spare = from;
    if (has_states(d)) {
        store->states = args.to_states;
        store->spare_states = args.from_states;
    }
    return true;
}

/* Drops what there is no state for to go on from. */
static bool drop_samples(struct deepen *d) {
    struct shift_args args = shift_args_of(d);
    const bool final = d->store->complete && d->store->req->limit == d->req->limit;
    return final || has_states(d) || shift(d, &args);
}

bool keep_samples(struct deepen *d, bool *kept) {
    struct store *store = d->store;
    const bool moved = d->shift_x != 0 || d->shift_y != 0;
    *kept = d->keep && (!moved || store_reserve_spare(store));
    d->blank = d->blank && !*kept;
    if (*kept && !(moved ? move_samples(d) : drop_samples(d)))
        return false;
    if (!*kept && !d->blank && !clear_samples(d))
        return false;
    store_assign(store, d->blank ? NULL : d->req);
    store->complete = false;
    return true;
}
