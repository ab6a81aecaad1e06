/* Scenarios: the motions that are measured, as scripts, so that they use the same code as a
 * person's input. */
#include "app/bench/scenario.h"
#include <math.h>

#define WHOLE_SET 1.0 /* zoom that shows the whole set around a point of its edge */
#define DEEP      1e12
/* [ms] time in which a held zoom grows by a factor of e at the usual speed */
#define HOLD_MS  700.0
#define PAN_MS   1200.0
#define TURN_MS  1200.0 /* [ms] time of a quarter turn */
#define NOTCHES  6      /* notches of the wheel in quick succession */
#define NOTCH_MS 50
#define PAUSE_MS 500 /* [ms] pause after the notches */

static void pan(FILE *script, double seconds) {
    for (int i = 0; i * PAN_MS < seconds * 1e3; i++)
        fprintf(script, i % 2 ? "trace 25%% 30%% 80%% 70%% %g\n" : "trace 75%% 70%% 20%% 40%% %g\n",
                PAN_MS);
}

static void turn_wheel(FILE *script, double seconds) {
    const double burst_ms = NOTCHES * NOTCH_MS + PAUSE_MS;
    for (int i = 0; i * burst_ms < seconds * 1e3; i++) {
        for (int notch = 0; notch < NOTCHES; notch++)
            fprintf(script, "wheel 1\nwait %d\n", NOTCH_MS);
        fprintf(script, "wait %d\n", PAUSE_MS);
    }
}

static void hold_key(FILE *script, const char *key, double seconds) {
    fprintf(script, "press %s\nwait %.0f\nrelease %s\n", key, seconds * 1e3, key);
}

static void hold_in(FILE *script, double seconds) {
    hold_key(script, "z", seconds);
}

static void hold_out(FILE *script, double seconds) {
    hold_key(script, "x", seconds);
}

static void fly(FILE *script, double seconds) {
    fprintf(script, "key a\nwait %.0f\nkey a\n", seconds * 1e3);
}

static void turn(FILE *script, double seconds) {
    static const char *const corners[] = {"75% 50%", "50% 80%", "25% 50%", "50% 20%"};
    for (int i = 0; i * TURN_MS < seconds * 1e3; i++)
        fprintf(script, "trace Ctrl+left %s %s %g\n", corners[i % 4], corners[(i + 1) % 4],
                TURN_MS);
}

const struct scenario scenarios[] = {
    {"pan", "drags to and fro", 0, 0, 1, 5, pan},
    {"zoom", "notches of the wheel in quick succession", 0, 0, 1, 5, turn_wheel},
    {"hold", "a held zoom from the whole set to 1e12", WHOLE_SET, DEEP, 1, 20, hold_in},
    {"out", "a held zoom outwards from 1e6", 1e6, WHOLE_SET, 1, 5, hold_out},
    {"rotation", "turns about the middle", 0, 0, 1, 5, turn},
    {"dive", "a held zoom at twice the speed", WHOLE_SET, DEEP, 2, 10, hold_in},
    {"autopilot", "flies by itself", WHOLE_SET, 0, 1, 20, fly},
    {0},
};

struct scenario scenario_dive(double way, double seconds) {
    return (struct scenario){.name = "dive",
                             .what = "a held zoom from the whole set to a place",
                             .zoom = WHOLE_SET,
                             .speed = way * HOLD_MS / (seconds * 1e3),
                             .seconds = seconds,
                             .move = hold_in};
}

/* Returns the duration: `seconds`, or less if the zoom reaches its goal earlier. */
static double time_for(const struct scenario *scenario, double seconds) {
    const double way = fabs(log(scenario->to_zoom / scenario->zoom));
    return scenario->to_zoom > 0 ? fmin(seconds, way * HOLD_MS / scenario->speed / 1e3) : seconds;
}

char *scenario_script(const struct scenario *scenario, double seconds) {
    char *text = NULL;
    size_t size;
    FILE *script = open_memstream(&text, &size);
    if (!script)
        return NULL;
    fputs("move 50% 50%\nwait complete\nmark moving\n", script);
    scenario->move(script, time_for(scenario, seconds));
    fputs("mark stopped\nwait complete\n", script);
    return fclose(script) == 0 ? text : NULL;
}
