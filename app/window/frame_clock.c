/* Frame clock: splits the time between frames into parts, and measures the latency of input. */
#include "app/window/frame_clock.h"
#include "render/base/clock.h"
#include <SDL.h>
#include <math.h>

#define FRAMES_KEPT  240 /* about four seconds in the HUD's graph */
#define LATENCY_KEPT 240

/* Updates the beginning of SDL's time stamps. They are whole ms, rounded down, so the smallest
 * difference is the best. */
static void follow_ticks(struct frame_clock *clock) {
    const double began = clock_ms() - SDL_GetTicks();
    clock->ticks_ms = clock->ticks_ms == 0 ? began : fmin(clock->ticks_ms, began);
}

bool frame_clock_init(struct frame_clock *clock) {
    bool ok = stats_init(&clock->latency, LATENCY_KEPT);
    for (int part = 0; part < FRAME_PARTS; part++)
        ok = ok && stats_init(&clock->parts[part], FRAMES_KEPT);
    follow_ticks(clock);
    return ok;
}

void frame_clock_finish(struct frame_clock *clock) {
    stats_finish(&clock->latency);
    for (int part = 0; part < FRAME_PARTS; part++)
        stats_finish(&clock->parts[part]);
}

void frame_clock_input(struct frame_clock *clock, uint32_t time_stamp) {
    follow_ticks(clock);
    const double came = clock->ticks_ms + time_stamp;
    clock->input_ms = clock->input_ms == 0 ? came : fmin(clock->input_ms, came);
}

void frame_clock_add_wait(struct frame_clock *clock, double ms, bool busy) {
    clock->known_ms += ms;
    if (busy)
        clock->ms[FRAME_COMPUTE] += ms;
}

void frame_clock_add(struct frame_clock *clock, enum frame_part part, double ms) {
    clock->ms[part] += ms;
    clock->known_ms += ms;
}

void frame_clock_shown(struct frame_clock *clock, double now_ms) {
    if (clock->shown_ms > 0)
        clock->ms[FRAME_LOOP] += fmax(now_ms - clock->shown_ms - clock->known_ms, 0);
    for (int part = 0; part < FRAME_PARTS; part++) {
        stats_add(&clock->parts[part], clock->ms[part]);
        clock->ms[part] = 0;
    }
    if (clock->input_ms > 0)
        stats_add(&clock->latency, now_ms - clock->input_ms);
    clock->input_ms = clock->known_ms = 0;
    clock->shown_ms = now_ms;
}
