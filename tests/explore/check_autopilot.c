/* Autopilot. On artificial fields it flies to borders, turns back from dull, deep or slow places,
 * and stays within its bounds for a week. On pictures of the slowest backend it flies the explorer
 * down to the end of doubles and back, as one step of undo. */
#include "app/explore/autopilot.h"
#include "app/window/flight.h"
#include "render/backends.h"
#include "render/interior.h"
#include "tests/shared/explorers.h"
#include <malloc.h>

#define STEP     50.0
#define SIZE_X   32
#define SIZE_Y   18
#define LIMIT    300
#define TOLERATE 1e-9

/* Plane to fly over: returns the count of a point, or SAMPLE_INTERIOR. */
typedef uint32_t plane_fn(double complex c);

struct sky {
    struct autopilot autopilot;
    plane_fn *plane;
    double complex middle; /* of the screen, in the plane */
    double depth;
    double room, cost_ms; /* as in a field at depth 0 */
    int width, height;    /* size of fields */
    uint32_t counts[SIZE_X * SIZE_Y];
};

static uint32_t mandelbrot(double complex c) {
    double x = 0, y = 0;
    if (interior_cardioid(creal(c), cimag(c), INTERIOR_MARGIN_DOUBLE))
        return SAMPLE_INTERIOR | LIMIT;
    for (uint32_t n = 0; n < LIMIT; n++) {
        const double t = x * x - y * y + creal(c);
        y = 2 * x * y + cimag(c);
        x = t;
        if (x * x + y * y >= 4)
            return n + 1;
    }
    return SAMPLE_INTERIOR | LIMIT;
}

/* Returns noise, at every depth. */
static uint32_t noise(double complex c) {
    const double wave = sin(creal(c) * 12.9898 + cimag(c) * 78.233) * 43758.5453;
    return (uint32_t)(1000 * (wave - floor(wave)));
}

static uint32_t inside(double complex c) {
    (void)c;
    return SAMPLE_INTERIOR | LIMIT;
}

static uint32_t outside(double complex c) {
    return 7 + (creal(c) > 0);
}

static double unit(const struct sky *sky) { /* the screen's height in the plane */
    return 4 * exp(-sky->depth);
}

static double complex point_at(const struct sky *sky, double complex place) {
    return sky->middle + unit(sky) * conj(place);
}

static void look(struct sky *sky) {
    const struct autopilot_field field = {
        .counts = sky->counts,
        .width = sky->width,
        .height = sky->height,
        .place = {1.0 / sky->height, 0},
        .aspect = (double)sky->width / sky->height,
        .depth = sky->depth,
        .room = sky->room - sky->depth,
        .cost_ms = sky->cost_ms,
    };
    for (int i = 0; i < sky->width * sky->height; i++) {
        const double x = i % sky->width + 0.5 - sky->width / 2.0;
        const double y = floor((double)i / sky->width) + 0.5 - sky->height / 2.0;
        sky->counts[i] = sky->plane(point_at(sky, (x + I * y) / sky->height));
    }
    autopilot_update(&sky->autopilot, &field, false);
}

/* Moves the screen by the autopilot, and checks that nothing jumps. */
static void pass(struct sky *sky, double ms, bool paused) {
    const struct autopilot before = sky->autopilot;
    struct autopilot *now = &sky->autopilot;
    autopilot_advance(now, ms, AUTOPILOT_USUAL, paused);
    CHECK(cabs(now->at - before.at) <= AUTOPILOT_PACE_MAX * ms + TOLERATE);
    CHECK(cabs(now->pace - before.pace) <= AUTOPILOT_FORCE_MAX * ms + TOLERATE);
    CHECK(fabs(now->speed - before.speed) <= AUTOPILOT_THRUST * ms + TOLERATE);
    CHECK(now->speed <= AUTOPILOT_SPEED_IN && now->speed >= -AUTOPILOT_SPEED_OUT);
    CHECK(fabs(creal(now->at)) <= AUTOPILOT_RANGE * now->aspect + 0.1 &&
          fabs(cimag(now->at)) <= AUTOPILOT_RANGE + 0.1);
    const double growth = now->speed * AUTOPILOT_USUAL * ms;
    sky->middle += unit(sky) * conj(now->at) * (1 - exp(-growth));
    sky->depth += growth;
}

/* Flies, with a look every `every` steps. */
static void fly(struct sky *sky, double seconds, int every) {
    for (int i = 0; i * STEP < 1e3 * seconds; i++) {
        if (i % every == 0)
            look(sky);
        pass(sky, STEP, false);
    }
}

static void start_sky(struct sky *sky, plane_fn *plane, double depth, uint64_t seed) {
    *sky = (struct sky){.plane = plane,
                        .depth = depth,
                        .room = 30,
                        .cost_ms = 10,
                        .width = SIZE_X,
                        .height = SIZE_Y};
    autopilot_init(&sky->autopilot, seed);
}

/* Returns true if some points in sight escape early, and some late or never. */
static bool has_border(const struct sky *sky) {
    uint32_t least = UINT32_MAX, most = 0;
    for (int i = 0; i < sky->width * sky->height; i++) {
        least = sky->counts[i] < least ? sky->counts[i] : least;
        most = sky->counts[i] > most ? sky->counts[i] : most;
    }
    return most > 3 * least;
}

static void check_border(void) {
    int deep = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct sky sky;
        start_sky(&sky, mandelbrot, 0, seed);
        fly(&sky, 9, 4);
        deep += sky.depth > 4 && !sky.autopilot.out;
        CHECK(has_border(&sky));
    }
    CHECK(deep >= 17); /* the other flights met dull places */
}

/* Checks dull places: the autopilot flies out as far as home, where it reports that it is lost. */
static void check_dull(void) {
    plane_fn *const dull[] = {inside, outside};
    for (int i = 0; i < 2; i++) {
        struct sky sky;
        start_sky(&sky, dull[i], 8, 5);
        sky.middle = 0.1; /* on the border of the two counts outside */
        fly(&sky, 2, 4);
        CHECK(sky.autopilot.out && sky.autopilot.speed < -0.5 && sky.autopilot.turns == 1);
        fly(&sky, 20, 4);
        CHECK(fabs(sky.depth) < 0.2 && sky.autopilot.lost);
        CHECK(fabs(sky.autopilot.speed) < 0.1);
    }
}

static void check_budget(void) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct sky sky;
        double deepest = 0;
        start_sky(&sky, mandelbrot, 0, seed);
        sky.room = 6;
        for (int i = 0; i < 100; i++) {
            fly(&sky, 1, 4);
            deepest = fmax(deepest, sky.depth);
        }
        CHECK(deepest > 4.5 && deepest < 6 && sky.autopilot.turns >= 2);
        start_sky(&sky, mandelbrot, 0, seed);
        fly(&sky, 5, 4);
        sky.cost_ms = 1e5;
        fly(&sky, 1, 4);
        CHECK(sky.autopilot.out);
    }
}

/* Checks missing looks: without them it stops, and turns back after a while; before the first look
 * it stays. */
static void check_blind(void) {
    struct sky sky;
    start_sky(&sky, mandelbrot, 0, 1);
    for (int i = 0; i < 20; i++)
        pass(&sky, STEP, false);
    CHECK(sky.depth == 0 && sky.autopilot.speed == 0);
    fly(&sky, 3, 4);
    for (int i = 0; i < 80; i++)
        pass(&sky, STEP, false);
    CHECK(sky.autopilot.speed == 0 && !sky.autopilot.out);
    for (int i = 0; i < 100; i++)
        pass(&sky, STEP, false);
    CHECK(sky.autopilot.out && sky.autopilot.speed < 0);
}

static void check_pause(void) {
    struct sky sky;
    start_sky(&sky, mandelbrot, 0, 1);
    fly(&sky, 3, 4);
    CHECK(sky.autopilot.speed > 0.05);
    for (int i = 0; i < 400; i++)
        pass(&sky, STEP, true);
    CHECK(sky.autopilot.speed == 0 && !sky.autopilot.out);
    fly(&sky, 2, 4);
    CHECK(sky.autopilot.speed > 0.05);
}

static void check_seeds(void) {
    struct sky a, b, c;
    start_sky(&a, mandelbrot, 0, 3);
    start_sky(&b, mandelbrot, 0, 3);
    start_sky(&c, mandelbrot, 0, 4);
    fly(&a, 30, 5);
    fly(&b, 30, 5);
    fly(&c, 30, 5);
    CHECK(a.middle == b.middle && a.depth == b.depth && a.autopilot.random == b.autopilot.random);
    CHECK(c.middle != a.middle);
}

/* Flies for a week through places of every kind, in an irregular order. */
#ifdef TEST_SANITIZED
#define MINUTES 200
#else
#define MINUTES 2000
#endif
static void check_long(void) {
    static plane_fn *const planes[] = {noise, noise, noise, noise, inside, outside};
    struct sky sky;
    unsigned long long random = 99;
    start_sky(&sky, noise, 0, 7);
    sky.width = 16;
    sky.height = 9;
    const size_t before = mallinfo2().uordblks;
    for (long minute = 0; minute < MINUTES; minute++) {
        sky.plane = planes[random_next(&random) % 6];
        sky.cost_ms = random_next(&random) % 8 ? 10 : 1e4;
        sky.room = 8 + (double)(random_next(&random) % 20);
        fly(&sky, 60, 40);
        CHECK(sky.depth > -0.5 && isfinite(cabs(sky.middle)) && isfinite(cabs(sky.autopilot.goal)));
    }
    CHECK(mallinfo2().uordblks == before);
    CHECK(sky.autopilot.turns > MINUTES / 4);
}

/* --- the explorer, over real pictures --- */

#define FRAME 20.0

/* Passes a frame, once the requested picture is complete. */
static void frame(struct explorer *explorer, struct active_backend *active, struct survey *survey,
                  struct autopilot *autopilot) {
    struct autopilot_field field;
    while (!survey_poll(survey, active, explorer, 1e4, &field))
        continue;
    autopilot_update(autopilot, &field, false);
    for (int i = 0; i < 5; i++) {
        autopilot_advance(autopilot, FRAME, AUTOPILOT_USUAL * explorer->zoom_speed, false);
        apply(explorer, ACTION_FLY, WIDTH / 2.0 + creal(autopilot->at) * HEIGHT,
              HEIGHT / 2.0 + cimag(autopilot->at) * HEIGHT, autopilot->speed);
        explorer_advance(explorer, FRAME);
    }
}

static void check_explorer(void) {
    const struct backend_options options = {.threads = 1, .cpumask = ~0u};
    struct messages messages = {.count = 0};
    struct active_backend *active =
        active_backend_create(backends_all, "scalar", &options, &messages);
    struct survey survey = {.busy = false};
    struct autopilot autopilot;
    double deepest = 0, dull = 0, frames = 0;
    EXPLORER(explorer, "1.5");
    explorer.auto_limit.on = true;
    explorer.speed.per_ms[ROUTE_DIRECT][TYPE_DOUBLE] = 1e9;
    motion_set_zoom_speed(&explorer, 4);
    autopilot_init(&autopilot, 2);
    while (autopilot.turns < 3 && frames < 3000) {
        frame(&explorer, active, &survey, &autopilot);
        explorer_begin_request(&explorer); /* so that the limit follows */
        deepest = fmax(deepest, autopilot.depth);
        dull += autopilot.dull > 0;
        frames++;
        CHECK(explorer.motion.flown && explorer.history.count <= 1);
    }
    printf("%g frames, depth %.1f, %g dull\n", frames, deepest, dull);
    CHECK(autopilot.turns == 3 && deepest > 20 && dull < 0.2 * frames);
    CHECK(plan_resolves(TYPE_DOUBLE, NULL, &explorer.scene.view, WIDTH, HEIGHT));
    /* Releasing a key elsewhere does not end a flight, a wheel does. */
    apply(&explorer, ACTION_LET_GO, 0, 0, 0);
    apply(&explorer, ACTION_POINT, 9, 9, 0);
    CHECK(explorer.motion.flown);
    apply(&explorer, ACTION_ZOOM, WIDTH / 2.0, HEIGHT / 2.0, 1);
    CHECK(!explorer.motion.flown && explorer.motion.hold == 0);
    CHECK(explorer.history.count == 2);
    survey_finish(&survey, active);
    active_backend_destroy(active);
}

/* --- input by hand --- */

/* Checks that a kiosk waits after any input of a visitor, but not after events of the window
 * itself. */
static void check_hands(void) {
    static const Uint32 hands[] = {SDL_KEYDOWN,
                                   SDL_KEYUP,
                                   SDL_TEXTINPUT,
                                   SDL_MOUSEMOTION,
                                   SDL_MOUSEWHEEL,
                                   SDL_MOUSEBUTTONDOWN,
                                   SDL_MOUSEBUTTONUP,
                                   SDL_FINGERDOWN,
                                   SDL_FINGERUP,
                                   SDL_FINGERMOTION,
                                   SDL_CONTROLLERAXISMOTION,
                                   SDL_CONTROLLERBUTTONDOWN};
    static const Uint32 others[] = {SDL_WINDOWEVENT, SDL_DISPLAYEVENT, SDL_CLIPBOARDUPDATE,
                                    SDL_CONTROLLERDEVICEADDED};
    struct flight flight = {.on = false};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        flight_record_input(&flight, &(SDL_Event){.type = others[i]});
        CHECK(flight.hand_ms == 0);
    }
    for (size_t i = 0; i < sizeof hands / sizeof *hands; i++) {
        flight.hand_ms = 0;
        flight_record_input(&flight, &(SDL_Event){.type = hands[i]});
        CHECK(flight.hand_ms > 0);
    }
}

int main(void) {
    check_hands();
    check_border();
    check_dull();
    check_budget();
    check_blind();
    check_pause();
    check_seeds();
    check_long();
    check_explorer();
    mpfr_free_cache();
    return failures > 0;
}
