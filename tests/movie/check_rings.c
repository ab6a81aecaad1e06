/* Rings and frames of movies: frames of known pictures are those pictures, wherever the camera is.
 * Legs, timelines and the number of samples are checked as well. */
#include "render/movie/resample.h"
#include "render/movie/timeline.h"
#include "tests/shared/scoped.h"
#include <math.h>

#include "tests/shared/check.h"

#define RINGS_MOST 80
#define WIDTH      96
#define HEIGHT     54

static double random_number(void) {
    static uint64_t state = 0x853c49e6748fea9b;
    state = state * 6364136223846793005 + 1442695040888963407;
    return (double)(state >> 11) / 0x1p53;
}

/* --- legs --- */

static void set_view(struct view *view, const char *re, const char *im, const char *zoom,
                     double degrees) {
    const char *why;
    CHECK(view_set_zoom(view, zoom, &why));
    CHECK(view_set_centre(view, re, im, 0, &why));
    CHECK(view_set_angle_degrees(view, degrees, &why));
}

/* Checks that two views show the same, within a millionth of a pixel of 1000 in the height. */
static void check_same_view(const struct view *a, const struct view *b) {
    mpfr_t ratio;
    mpfr_init2(ratio, 64);
    mpfr_div(ratio, a->zoom, b->zoom, MPFR_RNDN);
    CHECK(fabs(mpfr_get_d(ratio, MPFR_RNDN) - 1) < 1e-9);
    mpfr_clear(ratio);
    CHECK(fabs(a->angle - b->angle) < 1e-12);
    const struct view_map map = view_map_from(a, b, 1000);
    CHECK(fabs(map.dx_px) < 1e-6 && fabs(map.dy_px) < 1e-6);
}

static void check_legs(void) {
    static const struct {
        const char *zoom;
        double from_degrees, degrees, turns;
    } ends[] = {{"3e3", 0, 0, 0}, {"1e50", 0, 0, 0}, {"7e9", 30, -170, 0}, {"1e400", 0, 90, 2.25}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        SCOPED(view, home);
        SCOPED(view, deep);
        SCOPED(view, there);
        struct leg leg;
        set_view(&home, "-0.5", "0.1", "1.2", ends[i].from_degrees);
        set_view(&deep, "-0.74364388703715104", "0.13182590420533", ends[i].zoom, ends[i].degrees);
        CHECK(leg_init(&leg, &home, &deep, ends[i].turns) && leg_shows_pivot(&leg, 16.0 / 9));
        leg_view(&leg, leg.from, &there);
        check_same_view(&there, &home);
        leg_view(&leg, leg.to, &there);
        view_rotate(&there, -2 * M_PI * ends[i].turns);
        check_same_view(&there, &deep);
        leg_finish(&leg);
        CHECK(!leg_init(&leg, &deep, &home, 0));
        set_view(&home, "1.5", "0", "2", 0);
        CHECK(leg_init(&leg, &home, &deep, 0) && !leg_shows_pivot(&leg, 16.0 / 9));
        leg_finish(&leg);
    }
}

static void check_timelines(void) {
    const struct timeline timeline = {.from = 0.5, .to = 30.5, .ease_in = 0.1, .ease_out = 0.1};
    CHECK(timeline_at(&timeline, 0) == 0.5 && timeline_at(&timeline, 1) == 30.5);
    CHECK(fabs(timeline_at(&timeline, 0.5) - 15.5) < 1e-12);
    double fastest = 0, before = 0;
    for (int i = 1; i < 301; i++) {
        const double speed =
            timeline_at(&timeline, i / 300.0) - timeline_at(&timeline, (i - 1) / 300.0);
        CHECK(speed > 0 && fabs(speed - before) < 0.006);
        fastest = fmax(fastest, speed);
        before = speed;
    }
    CHECK(fabs(fastest - 30.0 / 300 / 0.9) < 1e-9);
    const struct timeline back = {.from = 30.5, .to = 0.5, .ease_in = 0.1, .ease_out = 0.1};
    for (int i = 0; i < 301; i += 7)
        CHECK(fabs(timeline_at(&back, i / 300.0) - timeline_at(&timeline, 1 - i / 300.0)) < 1e-12);
    CHECK(timeline_frames(30, 1.5, 1, 30) == 21 * 30 + 1);
    const struct timeline begun = {.from = 0, .to = 1, .ease_in = 0.5, .ease_out = 0};
    CHECK(fabs(timeline_at(&begun, 1 - 1e-6) - 1) < 2e-6 && timeline_at(&begun, 0.01) < 1e-4);
}

/* --- pictures --- */

/* A picture by its light at a point, relative to the pivot in frame heights of depth 0. */
typedef double picture(double x, double y);

static double grey(double x, double y) {
    (void)x;
    (void)y;
    return 23456;
}

/* The brightest light, which no rounding may exceed. */
static double white(double x, double y) {
    (void)x;
    (void)y;
    return 65535;
}

/* Waves around the pivot that look alike at every depth. */
static double waves(double x, double y) {
    const double depth = log2(hypot(x, y) + 1e-30), angle = atan2(y, x);
    return 30000 + 15000 * sin(2 * M_PI * depth) + 9000 * cos(3 * angle);
}

/* The levels of all rings of a leg. */
struct lights {
    struct rings rings;
    struct ring_level levels[RINGS_MOST][RING_LEVELS];
};

/* Fills the cells of ring k: cell centres are rotated by the ring's angle in the plane. */
static void fill(struct lights *lights, int k, picture *f) {
    const struct rings *rings = &lights->rings;
    struct ring_level *levels = lights->levels[k];
    const double depth = rings_depth(rings, k), angle = rings_angle(rings, k);
    const double size = exp2(-depth) / (rings_spacing(rings, k, depth) * HEIGHT);
    for (int m = 0; m < RING_LEVELS; m++) {
        ring_level_init(&levels[m], rings_outer(rings, k), rings_hole(rings, k), m);
        CHECK(ring_level_alloc(&levels[m]));
        if (m > 0)
            ring_level_halve(&levels[m - 1], &levels[m], levels[m].outer.y0, levels[m].outer.y1);
        struct cells parts[RING_PARTS];
        const int count = m > 0 ? 0 : cells_parts(levels->outer, levels->hole, parts);
        for (int i = 0; i < count; i++)
            for (int y = parts[i].y0; y < parts[i].y1; y++)
                for (int x = parts[i].x0; x < parts[i].x1; x++) {
                    const double u = (x + 0.5) * size, v = (y + 0.5) * size;
                    uint16_t *light = ring_level_light(levels, x, y);
                    light[0] = light[1] = light[2] = (uint16_t)f(u * cos(angle) + v * sin(angle),
                                                                 v * cos(angle) - u * sin(angle));
                }
    }
}

/* Compares the frame at a place with the picture. */
static void check_frame(const struct lights *lights, double at, picture *f, double most) {
    static uint16_t light[3 * WIDTH * HEIGHT];
    const struct rings *rings = &lights->rings;
    const struct leg *leg = rings->leg;
    const double depth = leg_depth(leg, at), angle = leg_angle(leg, at);
    double right, down;
    leg_pivot(leg, at, &right, &down);
    struct resample_ring shown[RINGS_MOST];
    struct resample frame = {.width_px = WIDTH,
                             .height_px = HEIGHT,
                             .x_px = WIDTH / 2.0 + right * HEIGHT,
                             .y_px = HEIGHT / 2.0 + down * HEIGHT,
                             .rings = shown};
    for (int k = rings_at(rings, depth); k < rings->count; k++) {
        double spacing = rings_spacing(rings, k, depth);
        const int m = resample_level(rings->density, &spacing);
        shown[frame.ring_count++] = (struct resample_ring){&lights->levels[k][m],
                                                           rings_outer(rings, k),
                                                           rings_hole(rings, k),
                                                           k,
                                                           m,
                                                           spacing,
                                                           angle - rings_angle(rings, k)};
    }
    CHECK(resample_begin(&frame));
    CHECK(resample_frame(&frame, &(struct resample_format){WIDTH, HEIGHT, true, NULL}, light));
    resample_end(&frame);
    const double size = exp2(-depth) / HEIGHT;
    double worst = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double u = (x + 0.5 - frame.x_px) * size, v = (y + 0.5 - frame.y_px) * size;
            const double wanted =
                f(u * cos(angle) + v * sin(angle), v * cos(angle) - u * sin(angle));
            const uint16_t *pixel = light + 3 * (WIDTH * y + x);
            CHECK(pixel[0] == pixel[1] && pixel[0] == pixel[2]);
            if (hypot(x + 0.5 - frame.x_px, y + 0.5 - frame.y_px) > 12)
                worst = fmax(worst, fabs(pixel[0] - wanted));
        }
    if (worst > most)
        printf("depth %g, turn %g, density %g: differs by %g\n", depth, leg->turn, rings->density,
               worst);
    CHECK(worst <= most);
}

static void fill_all(struct lights *lights, const struct leg *leg, double density, picture *f) {
    CHECK(rings_init(&lights->rings, leg, WIDTH, HEIGHT, density));
    CHECK(lights->rings.count < RINGS_MOST);
    for (int k = 0; k < lights->rings.count; k++)
        fill(lights, k, f);
}

static void free_all(struct lights *lights) {
    for (int k = 0; k < lights->rings.count; k++)
        for (int m = 0; m < RING_LEVELS; m++)
            free(lights->levels[k][m].light);
}

static void check_pictures(double x, double y, double density, double turn, picture *f,
                           double most) {
    static struct lights lights;
    const double to = fabs(x) < 1 ? 9.73 : 4.6; /* these rings have more cells */
    const struct leg leg = {.x = x, .y = y, .from = 0.4, .to = to, .turn = turn};
    fill_all(&lights, &leg, density, f);
    check_frame(&lights, leg.from, f, most);
    check_frame(&lights, leg.to, f, most);
    for (int i = 0; i < 12; i++)
        check_frame(&lights, leg.from + 4 * random_number(), f, most);
    for (int k = 0; k < 3; k++)
        check_frame(&lights, rings_depth(&lights.rings, k + 1), f, most);
    free_all(&lights);
}

static void check_level(double density, double turn, picture *f, double most) {
    static struct lights lights;
    const struct leg leg = {
        .from = 0.4, .to = 0.4, .angle = 0.3, .turn = turn, .pan_re = 1.1, .pan_im = -0.4};
    fill_all(&lights, &leg, density, f);
    CHECK(lights.rings.count == 1);
    for (int i = 0; i <= 5; i++)
        check_frame(&lights, i / 5.0, f, most);
    free_all(&lights);
}

/* Counts samples: less than 1.85 of a picture's an octave, and one picture of the last ring. */
static void check_samples(void) {
    const struct leg leg = {.x = 0.31, .y = -0.12, .from = 0.4, .to = 9.73};
    static const double densities[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        struct rings rings;
        uint64_t samples = 0;
        CHECK(rings_init(&rings, &leg, 1280, 720, densities[i]));
        for (int k = 0; k + 1 < rings.count; k++)
            samples += rings_samples(&rings, k);
        const double frame = 1280 * 720 * densities[i] * densities[i];
        CHECK((double)samples < 1.85 * frame * (leg.to - leg.from));
        CHECK((double)rings_samples(&rings, rings.count - 1) < 2.56 * frame);
    }
}

int main(void) {
    static const double turns[] = {0, 1.5, -40};
    log_start();
    check_legs();
    check_timelines();
    check_samples();
    for (int i = 0; i < 3; i++) {
        check_pictures(0.31, -0.12, 2, turns[i], grey, 12);
        check_pictures(0.31, -0.12, 2, turns[i], white, 12);
        check_pictures(0.31, -0.12, 2, turns[i], waves, 1500);
        check_pictures(1.3, -0.2, 2, turns[i] / 4, grey, 12); /* not in the frame */
        check_pictures(-4, 1.5, 1, turns[i] / 20, grey, 12);
        check_pictures(-4, 1.5, 1, turns[i] / 20, waves, 1500);
        check_level(2, turns[i] / 10, grey, 12);
        check_level(2, turns[i] / 10, waves, 1500);
    }
    check_pictures(0.31, -0.12, 1, 0, grey, 12);
    check_pictures(0.31, -0.12, 4, 0, waves, 1500);
    return failures > 0;
}
