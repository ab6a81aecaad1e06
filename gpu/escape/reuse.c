/* Reuse: clears, moves or drops kept samples before a picture starts, depending on what it shares
 * with the previous picture. */
#include "gpu/escape/reuse.h"
#include "gpu/launch/launch.h"
#include "render/grid/sharing.h"
#include <stdlib.h>

static size_t pixels_of(const struct device_picture *d) {
    return (size_t)d->req->width_px * (size_t)d->req->height_px;
}

/* Shifts all pixels, in parts. */
static bool shift(struct device_picture *d, struct shift_args *args) {
    while (pixels_next(pixels_of(d), &args->task.begin, &args->task.size))
        if (!SLICES_LAUNCH(d->slices, launch_shift(d->slices, args)))
            return false;
    return true;
}

/* Returns false for a picture of several bands, whose bands share the states. */
static bool has_states(const struct device_picture *d) {
    return pixels_of(d) <= d->buffers->band;
}

static struct shift_args shift_args_of(const struct device_picture *d) {
    return (struct shift_args){
        .task =
            {
                .map = d->map,
                .width = (uint32_t)d->req->width_px,
                .height = (uint32_t)d->req->height_px,
                .limit = d->req->limit,
            },
        .from = device_picture_planes(d),
        .to = device_picture_planes(d),
    };
}

static bool clear_samples(struct device_picture *d) {
    struct clear_args args = {.count = d->buffers->now.count, .rgba = d->pixel_buffer->rgba};
    while (pixels_next(pixels_of(d), &args.task.begin, &args.task.size))
        if (!SLICES_LAUNCH(d->slices, launch_clear(d->slices, &args)))
            return false;
    return true;
}

static bool move_samples(struct device_picture *d) {
    struct device_buffers *buffers = d->buffers;
    struct shift_args args = shift_args_of(d);
    const struct planes from = buffers->now;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (args.to.plane[p].word)
            args.to.plane[p] = buffers->spare.plane[p];
    if (has_states(d)) {
        args.task.state_words = (uint32_t)frame_req_state_size(d->req) / 8;
        args.from_states = buffers->states;
        args.to_states = buffers->spare_states;
    }
    if (!shift(d, &args) || !slices_drain(d->slices))
        return false;
    buffers->now = buffers->spare;
    buffers->spare = from;
    if (has_states(d)) {
        buffers->states = args.to_states;
        buffers->spare_states = args.from_states;
    }
    return true;
}

static bool upload_lines(struct device_picture *d) {
    const struct lines *lines = d->req->lines;
    const size_t size = (size_t)lines->columns + (size_t)lines->rows;
    int32_t *from = malloc(size * sizeof *from);
    for (size_t i = 0; from && i < size; i++)
        from[i] = lines->line[i].from;
    const bool ok =
        slices_ok(d->slices, from ? d->slices->impl->upload(d->slices->queue, d->buffers->lines,
                                                            from, size * sizeof *from)
                                  : DEVICE_NO_MEMORY);
    free(from);
    return ok;
}

/* Selects the samples to keep: in loose lines all finished samples, otherwise final ones. A sample
 * from loose lines may be interior only up to a lower limit than stated, unless it never
 * escapes. */
static struct keep_args keep_args_of(const struct device_picture *d) {
    const struct frame_req *from = d->buffers->req;
    const bool loose = lines_in_motion(d->req->lines), was_loose = lines_in_motion(from->lines);
    return (struct keep_args){
        .task =
            {
                .width = (uint32_t)d->req->width_px,
                .from_width = (uint32_t)from->width_px,
                .least = loose       ? from->limit > 0 ? from->limit : 1
                         : was_loose ? SAMPLE_COUNT_MASK
                                     : d->req->limit,
                .most = loose ? SAMPLE_COUNT_MASK : d->req->limit,
                .limit = d->req->limit,
                .unit = sharing_unit(from, d->req),
            },
        .from = device_picture_planes(d),
        .to = device_picture_planes(d),
        .lines = d->buffers->lines,
    };
}

/* Moves samples like move_samples, but without states. */
static bool move_lines(struct device_picture *d) {
    struct device_buffers *buffers = d->buffers;
    struct keep_args args = keep_args_of(d);
    const struct planes from = buffers->now;
    if (!upload_lines(d))
        return false;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (args.to.plane[p].word)
            args.to.plane[p] = buffers->spare.plane[p];
    while (pixels_next(pixels_of(d), &args.task.begin, &args.task.size))
        if (!SLICES_LAUNCH(d->slices, launch_keep(d->slices, &args)))
            return false;
    if (!slices_drain(d->slices))
        return false;
    buffers->now = buffers->spare;
    buffers->spare = from;
    return true;
}

/* Drops the samples that are not final and have no state. */
static bool drop_samples(struct device_picture *d) {
    struct shift_args args = shift_args_of(d);
    const bool final = d->buffers->complete && d->buffers->req->limit == d->req->limit;
    return final || has_states(d) || (shift(d, &args) && slices_drain(d->slices));
}

static bool clear_plane(struct device_picture *d, struct device_pointer plane) {
    return !plane.word ||
           SLICES_LAUNCH(d->slices, d->slices->impl->fill(d->slices->queue, plane, 0,
                                                          pixels_of(d) * SAMPLE_PLANE_BYTES));
}

/* Marks the given planes of the picture as not filled by a second pass. */
static bool clear_second_passes(struct device_picture *d, unsigned set) {
    const struct planes planes = device_picture_planes(d);
    bool ok = !(set & (SAMPLE_SLOPE | SAMPLE_TRACE)) || clear_plane(d, planes.distance);
    for (int p = SAMPLE_PLANE_period; ok && set & SAMPLE_INSIDE && p <= SAMPLE_PLANE_atom; p++)
        ok = clear_plane(d, planes.plane[p]);
    return ok;
}

bool reuse_samples(struct device_picture *d, bool *kept) {
    struct device_buffers *buffers = d->buffers;
    const bool moved = d->by_lines || d->map.dx != 0 || d->map.dy != 0 || d->map.scale_log2 != 0;
    *kept = d->keep && (!moved || device_buffers_reserve_spare(buffers));
    d->single_launch = d->single_launch && !*kept;
    if (*kept && !(d->by_lines ? move_lines(d) : moved ? move_samples(d) : drop_samples(d)))
        return false;
    if (!clear_second_passes(d, *kept ? sharing_new_planes(buffers->req, d->req) : SAMPLE_WALKED))
        return false;
    /* Waits for the clearing, because another queue sends pixels. */
    if (!*kept && !d->single_launch && !(clear_samples(d) && slices_drain(d->slices)))
        return false;
    device_buffers_assign(buffers, d->single_launch ? NULL : d->req);
    buffers->complete = false;
    return true;
}
