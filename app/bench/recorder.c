/* Recorder: measures times while the loop shows frames, and keeps some of the frames. */
#include "app/bench/recorder.h"
#include "app/picture/gl.h"
#include "render/base/clock.h"
#include "render/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LATE_SHARE 1.5 /* display intervals above which a frame has missed one */
/* [ms] shortest time between kept frames, so that most frames are undisturbed */
#define KEEP_LEAST_MS 100
#define RATE_MAX      1000 /* highest frame rate [1/s] */

/* --- frames --- */

static void keep_frame(struct recorder *recorder, const struct loop *loop) {
    struct kept_frame *frame = &recorder->kept[recorder->kept_count];
    const uint64_t pixels = (uint64_t)loop->width_px * (uint64_t)loop->height_px;
    frame->rgba = memory_alloc(pixels * sizeof *frame->rgba, "a frame");
    recorder->failed |= !frame->rgba;
    if (!frame->rgba)
        return;
    gl_read_screen(loop->width_px, loop->height_px, frame->rgba);
    scene_init_copy(&frame->scene, &loop->explorer->scene);
    explorer_screen_view(loop->explorer, &frame->scene.view);
    frame->scene.width_px = loop->width_px;
    frame->scene.height_px = loop->height_px;
    recorder->kept_count++;
}

/* Returns true if the next frame is to be kept. Messages over the picture exclude a frame. */
static bool to_keep(const struct recorder *recorder, const struct loop *loop) {
    return recorder->phase == RECORDER_MOVING && recorder->kept_count < RECORDER_KEPT_MAX &&
           clock_ms() >= recorder->next_keep_ms && loop->messages->count == 0 &&
           loop->width_px == loop->explorer->width_px &&
           loop->height_px == loop->explorer->height_px;
}

static bool paints(void *user, const struct loop *loop) {
    struct recorder *recorder = user;
    recorder->keeping = to_keep(recorder, loop);
    return recorder->keeping || !recorder->sparing;
}

static void drawn(void *user, const struct loop *loop) {
    struct recorder *recorder = user;
    if (recorder->keeping) {
        keep_frame(recorder, loop);
        recorder->next_keep_ms += recorder->keep_ms;
    }
}

/* --- times --- */

static unsigned long long missed_frames(const struct recorder *recorder, double ms) {
    return ms > LATE_SHARE * recorder->frame_ms
               ? (unsigned long long)lround(ms / recorder->frame_ms) - 1
               : 0;
}

size_t recorder_band_of(const struct recorder *recorder, const struct view *view) {
    const double decades = log10(2) * (2 - view_step_log2(view, 1));
    return (size_t)fmin(fmax(decades / recorder->band_decades, 0), RECORDER_BANDS - 1);
}

/* Adds the measurements of the latest frame to the band of its zoom. */
static void fill_band(struct recorder *recorder, const struct explorer *explorer) {
    struct view view;
    view_init(&view);
    explorer_screen_view(explorer, &view);
    struct recorder_band *band = &recorder->band[recorder_band_of(recorder, &view)];
    view_finish(&view);
    const double interval = stats_last(&recorder->interval);
    band->frames++;
    band->late += missed_frames(recorder, interval);
    band->lean_late += missed_frames(recorder, stats_last(&recorder->lean));
    band->exact += stats_last(&recorder->exact);
    band->near += stats_last(&recorder->near);
    band->worst_ms = fmax(band->worst_ms, interval);
}

static void take_times(struct recorder *recorder, const struct loop *loop) {
    const double interval = loop->frame_end_ms - recorder->shown_ms;
    double ms[FRAME_PARTS];
    for (int part = 0; part < FRAME_PARTS; part++) {
        ms[part] = stats_last(&loop->clock.parts[part]);
        stats_add(&recorder->part[part], ms[part]);
    }
    const double lean = fmax(interval - ms[FRAME_DRAW] - ms[FRAME_SWAP], 0);
    stats_add(&recorder->interval, interval);
    stats_add(&recorder->lean, lean);
    recorder->late += missed_frames(recorder, interval);
    recorder->lean_late += missed_frames(recorder, lean);
    recorder->moved_ms += interval;
    recorder->lean_ms += fmax(lean, fmin(recorder->frame_ms, interval));
    const struct presenter_accuracy accuracy = presenter_accuracy(loop->picture->presenter);
    stats_add(&recorder->exact, accuracy.exact);
    stats_add(&recorder->near, accuracy.near);
    recorder->frames++;
    if (recorder->band_decades > 0)
        fill_band(recorder, loop->explorer);
}

static bool is_exact(const struct loop *loop) {
    return picture_complete(loop->picture) && !loop->explorer->changed &&
           !explorer_animating(loop->explorer);
}

static void record_frame(void *user, const struct loop *loop) {
    struct recorder *recorder = user;
    const unsigned long long inputs = loop->clock.latency.seen;
    const bool apart = recorder->keeping || recorder->kept_before || recorder->still_before;
    recorder->kept_before = recorder->keeping;
    recorder->still_before = !motion_active(loop->explorer) && !explorer_animating(loop->explorer);
    if (recorder->phase == RECORDER_MOVING && !apart && recorder->shown_ms > 0) {
        take_times(recorder, loop);
        if (inputs > recorder->inputs)
            stats_add(&recorder->latency, stats_last(&loop->clock.latency));
    }
    recorder->inputs = inputs;
    if (recorder->phase == RECORDER_MOVING)
        recorder->fresh_px += loop->picture->drawn_px - recorder->drawn_px;
    recorder->drawn_px = loop->picture->drawn_px;
    if (recorder->phase == RECORDER_STOPPED && motion_continues(&loop->explorer->motion))
        recorder->stopped_ms = loop->frame_end_ms; /* a glide continues after the release */
    if (recorder->phase == RECORDER_STOPPED && !is_exact(loop))
        recorder->exact_ms = NAN;
    else if (recorder->phase == RECORDER_STOPPED && isnan(recorder->exact_ms))
        recorder->exact_ms = loop->frame_end_ms - recorder->stopped_ms;
    recorder->shown_ms = loop->frame_end_ms;
}

static void record_mark(void *user, const struct loop *loop, const char *text) {
    struct recorder *recorder = user;
    const double now = clock_ms();
    if (strcmp(text, "moving") == 0) {
        recorder->phase = RECORDER_MOVING;
        recorder->next_keep_ms = now + recorder->keep_ms / 2;
        recorder->shown_ms = 0; /* the frame before was shown at rest */
    } else {
        recorder->phase = RECORDER_STOPPED;
        recorder->stopped_ms = now;
        recorder->exact_ms = is_exact(loop) ? 0 : NAN;
    }
}

bool recorder_init(struct recorder *recorder, double frame_ms, double seconds, bool sparing) {
    const size_t most = (size_t)(fmin(seconds, 3600) * RATE_MAX) + RATE_MAX;
    *recorder = (struct recorder){
        .watch = {.user = recorder,
                  .paints = paints,
                  .drawn = drawn,
                  .shown = record_frame,
                  .marked = record_mark},
        .frame_ms = frame_ms,
        .sparing = sparing,
        .keep_ms = fmax(seconds * 1e3 / RECORDER_KEPT_MAX, KEEP_LEAST_MS),
        .exact_ms = NAN,
    };
    bool ok = stats_init(&recorder->interval, most) && stats_init(&recorder->lean, most) &&
              stats_init(&recorder->latency, most) && stats_init(&recorder->exact, most) &&
              stats_init(&recorder->near, most);
    for (int part = 0; part < FRAME_PARTS; part++)
        ok = ok && stats_init(&recorder->part[part], most);
    return ok;
}

void recorder_finish(struct recorder *recorder) {
    stats_finish(&recorder->interval);
    stats_finish(&recorder->lean);
    stats_finish(&recorder->latency);
    stats_finish(&recorder->exact);
    stats_finish(&recorder->near);
    for (int part = 0; part < FRAME_PARTS; part++)
        stats_finish(&recorder->part[part]);
    for (size_t i = 0; i < recorder->kept_count; i++) {
        scene_finish(&recorder->kept[i].scene);
        free(recorder->kept[i].rgba);
    }
    recorder->kept_count = 0;
}
