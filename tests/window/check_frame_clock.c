/* Frame clock: the parts of a frame's time add up to all of it, and latency is measured from the
 * input to the frame that shows it. */
#include "app/window/frame_clock.h"
#include "render/base/clock.h"
#include "tests/shared/check.h"
#include <SDL.h>
#include <math.h>

static bool near(double a, double b) {
    return fabs(a - b) < 0.01;
}

static void check_parts(void) {
    struct frame_clock clock = {0};
    CHECK(frame_clock_init(&clock));
    frame_clock_shown(&clock, 1000);
    frame_clock_add_wait(&clock, 4, false);
    frame_clock_add_wait(&clock, 5, true);
    frame_clock_add(&clock, FRAME_COMPUTE, 1);
    frame_clock_add(&clock, FRAME_UPLOAD, 0.5);
    frame_clock_add(&clock, FRAME_DRAW, 2);
    frame_clock_add(&clock, FRAME_SWAP, 1.5);
    frame_clock_shown(&clock, 1016);
    static const double wanted[FRAME_PARTS] = {2, 6, 0.5, 2, 1.5}; /* plus 4 of rest */
    for (int part = 0; part < FRAME_PARTS; part++)
        CHECK(near(stats_last(&clock.parts[part]), wanted[part]));
    frame_clock_shown(&clock, 1020); /* the frame before leaves nothing behind */
    CHECK(near(stats_last(&clock.parts[FRAME_LOOP]), 4));
    CHECK(stats_last(&clock.parts[FRAME_COMPUTE]) == 0 && clock.parts[0].count == 3);
    frame_clock_finish(&clock);
}

/* Checks latency: the oldest input counts; a frame without input has none. Time stamps are whole
 * ms. */
static void check_latency(void) {
    struct frame_clock clock = {0};
    CHECK(frame_clock_init(&clock));
    const double before = clock_ms();
    const Uint32 stamp = SDL_GetTicks();
    const double after = clock_ms();
    SDL_Delay(20);
    frame_clock_input(&clock, stamp);
    frame_clock_input(&clock, SDL_GetTicks());
    const double now = clock_ms();
    frame_clock_shown(&clock, now);
    const double latency = stats_last(&clock.latency);
    if (latency < now - after - 1.1 || latency > now - before + 1.1)
        printf("%.2f ms, not %.2f\n", latency, now - before);
    CHECK(latency >= now - after - 1.1 && latency <= now - before + 1.1);
    frame_clock_shown(&clock, now + 16);
    CHECK(clock.latency.seen == 1);
    frame_clock_finish(&clock);
}

int main(void) {
    SDL_Init(0);
    check_parts();
    check_latency();
    SDL_Quit();
    return failures > 0;
}
