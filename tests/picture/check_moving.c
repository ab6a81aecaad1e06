/* Pictures in motion: their number of new samples from the measured speed, and the start of the
 * next picture. */
#include "app/picture/moving.h"
#include "tests/shared/check.h"
#include <math.h>

#define WIDTH    1280
#define HEIGHT   720
#define FRAME_MS 16.0

struct plan_case {
    struct scene scene;
    struct explorer explorer;
    struct frame_req before, req;
    struct moving moving;
};

static void setup(struct plan_case *c) {
    *c = (struct plan_case){.moving = {.frame_ms = FRAME_MS}};
    scene_init(&c->scene);
    explorer_init(&c->explorer, &c->scene, WIDTH, HEIGHT);
    frame_req_init(&c->before, WIDTH, HEIGHT);
    frame_req_init(&c->req, WIDTH, HEIGHT);
    explorer_begin_request(&c->explorer);
    explorer_request(&c->explorer, &c->before);
    c->before.view.angle = 1; /* so that no sample can be reused */
}

static void finish(struct plan_case *c) {
    frame_req_finish(&c->before);
    frame_req_finish(&c->req);
    explorer_finish(&c->explorer);
}

/* Returns the new samples of a picture in motion; `moved`: the one before was in motion as well. */
static double planned(struct plan_case *c, bool moved) {
    CHECK(!c->before.lines && (c->before.lines = lines_create(WIDTH, HEIGHT)));
    for (int i = 0; c->before.lines && i < WIDTH + HEIGHT; i++)
        c->before.lines->line[i] = (struct grid_line){.at = i, .from = -1};
    c->before.lines->in_motion = moved;
    frame_req_finish(&c->req);
    frame_req_init(&c->req, WIDTH, HEIGHT);
    explorer_begin_request(&c->explorer);
    explorer_request(&c->explorer, &c->req);
    CHECK(moving_plan(&c->moving, &c->explorer, &c->before, true, &c->req));
    lines_unref(c->before.lines);
    c->before.lines = NULL;
    return c->moving.new_samples;
}

static void learn(struct moving *moving, double samples, double ms) {
    moving->new_samples = samples;
    moving_learn(moving, &(struct backend_report){.device_ms = ms, .elapsed_ms = ms + 1});
}

/* Checks that a small picture that was quick by chance hardly changes the estimate. */
static void check_speed(void) {
    struct plan_case c;
    setup(&c);
    for (int i = 0; i < 20; i++)
        learn(&c.moving, 100000, 10);
    const double usual = planned(&c, true);
    CHECK(usual > 10000 * FRAME_MS && usual < 10000 * 2.1 * FRAME_MS);
    learn(&c.moving, 5000, 0.05);
    const double after = planned(&c, true);
    CHECK(after > 0.9 * usual && after < 1.2 * usual);
    for (int i = 0; i < 5; i++) /* a slow place */
        learn(&c.moving, 50000, 50);
    CHECK(planned(&c, true) < 0.25 * usual);
    finish(&c);
}

/* Checks that the first picture is cautious: the speed may be outdated. */
static void check_first(void) {
    struct plan_case c;
    setup(&c);
    learn(&c.moving, 1000000, 10);
    CHECK(planned(&c, false) < 0.11 * WIDTH * HEIGHT);
    CHECK(planned(&c, true) > 0.5 * WIDTH * HEIGHT);
    finish(&c);
}

/* Checks that a picture that took too long has fewer samples, and more time, the next time. */
static void check_given_up(void) {
    struct plan_case c;
    setup(&c);
    learn(&c.moving, 100000, 1);
    const double usual = planned(&c, true), patience = moving_time_limit_ms(&c.moving);
    moving_learn_given_up(&c.moving, 0.1, patience);
    CHECK(planned(&c, true) < 0.1 * usual);
    CHECK(moving_time_limit_ms(&c.moving) == 2 * patience);
    for (int i = 0; i < 100; i++)
        moving_learn_given_up(&c.moving, 0, patience);
    CHECK(moving_time_limit_ms(&c.moving) == 8 * patience && planned(&c, true) > 0);
    learn(&c.moving, 100000, 1);
    CHECK(moving_time_limit_ms(&c.moving) == patience);
    finish(&c);
}

static bool plans_whole(struct plan_case *c) {
    planned(c, true);
    return c->moving.whole;
}

/* Checks that a device that was disturbed is tried again, less and less often. */
static void check_whole(void) {
    const double samples = WIDTH * HEIGHT;
    struct plan_case c;
    setup(&c);
    moving_learn_rest(&c.moving, samples, 100, &(struct backend_report){.device_ms = 5});
    CHECK(plans_whole(&c));
    learn(&c.moving, samples, 5);
    CHECK(plans_whole(&c));
    for (int i = 0; i < 3; i++)
        learn(&c.moving, samples, 10 * FRAME_MS);
    CHECK(!plans_whole(&c));
    int lines = 0;
    for (; lines < 2000 && !plans_whole(&c); lines++)
        learn(&c.moving, 100000, 1);
    CHECK(lines > 100 && lines < 1000);
    learn(&c.moving, samples, 5);
    CHECK(plans_whole(&c));
    moving_learn_given_up(&c.moving, 0.1, 1000);
    CHECK(!plans_whole(&c));
    for (lines = 0; lines < 2000 && !plans_whole(&c); lines++)
        learn(&c.moving, 100000, 1);
    CHECK(lines > 100 && lines < 1000);
    moving_learn_given_up(&c.moving, 0.1, 1000);
    CHECK(!plans_whole(&c));
    moving_learn_rest(&c.moving, samples, 100, &(struct backend_report){.device_ms = 10000});
    planned(&c, false); /* another motion, without whole pictures */
    for (int i = 0; i < 2000; i++)
        learn(&c.moving, 100000, 1);
    CHECK(!plans_whole(&c));
    finish(&c);
}

static void check_early(void) {
    struct plan_case c;
    setup(&c);
    learn(&c.moving, 100000, 10);
    CHECK(!moving_early(&c.moving, &c.explorer));
    c.moving.late = true;
    CHECK(moving_early(&c.moving, &c.explorer));
    c.moving.seen = 1;
    CHECK(!moving_early(&c.moving, &c.explorer)); /* nothing moves: no other frame comes */
    c.explorer.camera.factor = 1.5;
    CHECK(explorer_animating(&c.explorer) && moving_early(&c.moving, &c.explorer));
    c.moving.whole = true; /* one for each frame */
    c.moving.frame_time_ms = c.explorer.time_ms;
    CHECK(!moving_early(&c.moving, &c.explorer));
    c.moving.whole = false;
    c.moving.seen = 2;
    CHECK(!moving_early(&c.moving, &c.explorer));
    finish(&c);
}

/* Checks that lines reach all corners of a turned screen, at the time when they are shown. */
static void check_turned(void) {
    struct plan_case c;
    setup(&c);
    c.moving.took_ms = 50;
    c.explorer.camera.factor = cexp(0.6 * I);
    planned(&c, true);
    const struct similarity inverse = similarity_inverse(motion_camera_after(&c.explorer, 50));
    const struct grid_line *columns = c.req.lines->line, *rows = columns + c.req.lines->columns;
    for (int i = 0; i < 4; i++) {
        const double complex at = similarity_apply(inverse, (i & 1 ? 0.5 : -0.5) * WIDTH +
                                                                (i & 2 ? 0.5 : -0.5) * HEIGHT * I);
        CHECK(creal(at) > columns[0].at - 2 && creal(at) < rows[-1].at + 2);
        CHECK(cimag(at) > rows[0].at - 2 && cimag(at) < rows[c.req.lines->rows - 1].at + 2);
    }
    finish(&c);
}

/* Returns the number of lines of an ordinary picture that are kept, each at its place in the new
 * view. */
static int count_kept(const struct frame_req *before, const struct frame_req *req, bool column) {
    const struct similarity way = similarity_between(&req->view, HEIGHT, &before->view, HEIGHT);
    const struct grid_line *line = req->lines->line + (column ? 0 : req->lines->columns);
    const int count = column ? req->lines->columns : req->lines->rows;
    const double half = column ? WIDTH / 2.0 : HEIGHT / 2.0;
    const double offset = column ? creal(way.offset) : cimag(way.offset);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const double expected = creal(way.factor) * (line[i].from + 0.5 - half) + offset;
        CHECK(line[i].from < 0 || fabs(line[i].at - expected) < 1e-6);
        kept += line[i].from >= 0;
    }
    return kept;
}

/* Checks kept lines after zooms about a pixel, by powers of two and others, and pans by whole
 * pixels and others. */
static void check_kept(void) {
    static const double zooms[] = {1, 2, 0.5, 4, 0.25, 1.3}, pans[] = {0, 2, 7, 0.3};
    for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++)
        for (size_t j = 0; j < sizeof pans / sizeof *pans; j++) {
            struct plan_case c;
            setup(&c);
            c.before.view.angle = 0;
            view_zoom_at(&c.before.view, zooms[i], WIDTH / 2 + 30.5, HEIGHT / 2 - 20.5, WIDTH,
                         HEIGHT);
            view_pan(&c.before.view, pans[j], 3 * pans[j], HEIGHT);
            explorer_request(&c.explorer, &c.req);
            CHECK(moving_plan(&c.moving, &c.explorer, &c.before, true, &c.req));
            CHECK(count_kept(&c.before, &c.req, true) > WIDTH / 8 &&
                  count_kept(&c.before, &c.req, false) > HEIGHT / 8);
            finish(&c);
        }
}

/* --- adaptive speed of a held zoom --- */

/* Checks delivered samples: the time that a picture needs besides its new samples, and the pause
 * before the next, count as time without new samples. */
static void check_delivered(void) {
    struct plan_case c;
    setup(&c);
    CHECK(moving_samples_per_ms(&c.moving, &c.explorer) == 0);
    for (int i = 0; i < 50; i++)
        learn(&c.moving, 100000, 10);
    const double usual = moving_samples_per_ms(&c.moving, &c.explorer);
    CHECK(usual > 0.9 * 10000 && usual < 10000);
    for (int i = 0; i < 50; i++) { /* pauses as long as a picture may work */
        planned(&c, true);
        learn(&c.moving, 100000, 10);
        c.explorer.time_ms += 11 + 2 * FRAME_MS;
    }
    const double paused = moving_samples_per_ms(&c.moving, &c.explorer);
    CHECK(paused > 0.45 * usual && paused < 0.55 * usual);
    planned(&c, false);
    c.explorer.time_ms += 1e6; /* a rest is no pause */
    planned(&c, false);
    CHECK(moving_samples_per_ms(&c.moving, &c.explorer) == paused);
    moving_learn_given_up(&c.moving, 0, 1000);
    CHECK(moving_samples_per_ms(&c.moving, &c.explorer) < 0.5 * paused);
    struct backend_report rest = {.device_ms = 50, .kept = WIDTH * HEIGHT};
    CHECK(moving_learn_rest(&c.moving, WIDTH * HEIGHT, 100, &rest) == 0);
    rest.kept = 0;
    const double guess = moving_learn_rest(&c.moving, WIDTH * HEIGHT, 100, &rest);
    CHECK(guess > 0 && guess < WIDTH * HEIGHT / 50.0);
    finish(&c);
}

/* Returns the new samples per ms that are twice the least that a zoom at `speed` times the usual
 * speed needs. */
static double enough_for(double speed) {
    return speed * 2 * (2.0 * WIDTH * HEIGHT / HOLD_MS);
}

/* Lets pictures deliver that rate for `ms`. Returns the factor at the end. */
static double pass(struct hold_speed *speed, double samples_per_ms, double ms) {
    for (; ms > 0; ms -= FRAME_MS) {
        const double before = speed->factor;
        hold_speed_learn(speed, samples_per_ms, WIDTH * HEIGHT);
        const double change = hold_speed_advance(speed, FRAME_MS, true);
        CHECK(speed->factor >= HOLD_SPEED_LEAST - 1e-9 && speed->factor <= 1);
        CHECK(fabs(speed->factor / before - change) < 1e-9 && fabs(log(change)) < 0.06);
    }
    return speed->factor;
}

static void check_limits(void) {
    struct hold_speed speed;
    hold_speed_init(&speed, true);
    CHECK(speed.factor == 1);
    CHECK(fabs(pass(&speed, 1e-9, 5000) - 1.0 / 3) < 1e-3);
    CHECK(pass(&speed, enough_for(0.2), 5000) < 0.34);
    CHECK(fabs(pass(&speed, INFINITY, 20000) - 1) < 1e-3);
    CHECK(pass(&speed, enough_for(1.5), 5000) > 0.99);
    const double half = pass(&speed, enough_for(0.5), 5000);
    CHECK(half > 0.4 && half < 0.65);
    /* The zoom slows down within a second, and takes longer to speed up. */
    hold_speed_init(&speed, true);
    CHECK(pass(&speed, enough_for(0.1), 200) > 0.5 && pass(&speed, enough_for(0.1), 800) < 0.45);
    CHECK(pass(&speed, INFINITY, 1000) < 0.7);
    hold_speed_init(&speed, false);
    CHECK(pass(&speed, 1e-9, 5000) == 1 && pass(&speed, INFINITY, 5000) == 1);
}

/* Checks that a variation by a tenth changes nothing, from either side. */
static void check_hysteresis(void) {
    static const double from[] = {1e-9, INFINITY};
    for (int i = 0; i < 2; i++) {
        struct hold_speed speed;
        hold_speed_init(&speed, true);
        pass(&speed, from[i], 20000);
        pass(&speed, enough_for(0.6), 20000);
        pass(&speed, enough_for(0.66), FRAME_MS);
        const double keeps = speed.keeps;
        CHECK(keeps > 0.45 && keeps < 0.75);
        for (int turn = 0; turn < 100; turn++) {
            pass(&speed, enough_for(turn % 2 ? 0.66 : 0.6), 40);
            CHECK(speed.keeps == keeps);
        }
    }
    struct hold_speed low, high;
    hold_speed_init(&low, true);
    hold_speed_init(&high, true);
    pass(&low, 1e-9, 20000);
    CHECK(pass(&low, enough_for(0.6), 20000) < 0.9 * pass(&high, enough_for(0.6), 20000));
}

/* Lets pictures deliver that rate for `ms`. Returns the e-folds per second of the zoom at the end,
 * which a held zoom approaches smoothly. */
static double zoomed(struct explorer *explorer, double samples_per_ms, double ms) {
    const struct findings found = {.samples_per_ms = samples_per_ms};
    double rate = 0, last = 0;
    SCOPED(frame_req, req, 1, 1);
    for (int i = 0; i * FRAME_MS < ms; i++) {
        const struct similarity before = explorer->camera;
        const double step_log2 = view_step_log2(&explorer->scene.view, HEIGHT);
        explorer_learn(explorer, &found);
        explorer_advance(explorer, FRAME_MS);
        const double moved = step_log2 - view_step_log2(&explorer->scene.view, HEIGHT);
        rate =
            (log(cabs(explorer->camera.factor / before.factor)) + log(2) * moved) * 1000 / FRAME_MS;
        CHECK(explorer->motion.hold == 0 || i == 0 || fabs(rate - last) < 0.06);
        last = rate;
        if (explorer->changed) {
            explorer_begin_request(explorer);
            explorer_request(explorer, &req);
        }
    }
    return rate;
}

static void act(struct explorer *explorer, enum action_kind kind, double amount) {
    explorer_apply(explorer, &(struct action){
                                 .kind = kind, .x = WIDTH / 2, .y = HEIGHT / 2, .amount = amount});
}

static bool is_near(double value, double expected) {
    return fabs(value / expected - 1) < 0.01;
}

/* Checks held zooms in both directions. A flight, a wheel and a speed that was set by hand do not
 * adapt. */
static void check_held(double way) {
    const double usual = way * 1000 / HOLD_MS;
    struct plan_case c;
    setup(&c);
    struct explorer *explorer = &c.explorer;
    const char *why;
    CHECK(view_set_zoom(&explorer->scene.view, "1e40", &why));
    explorer_configure(explorer, SHORTCUTS_ALL, false, false, true, 0);
    act(explorer, ACTION_GLIDE_ZOOM, way);
    CHECK(is_near(zoomed(explorer, INFINITY, 500), usual));
    CHECK(is_near(zoomed(explorer, 1, 4000), usual / 3));
    CHECK(explorer->zoom_speed == 1 && is_near(motion_zoom_speed(explorer), 1.0 / 3));
    act(explorer, ACTION_GLIDE_ZOOM, 0);
    zoomed(explorer, 0, 2000);
    act(explorer, ACTION_GLIDE_ZOOM, way); /* continues with the factor of the last zoom */
    CHECK(is_near(zoomed(explorer, 0, 100), usual / 3));
    act(explorer, ACTION_FLY, way);
    CHECK(is_near(zoomed(explorer, 1, 1000), usual));
    act(explorer, ACTION_GLIDE_ZOOM, 0);
    zoomed(explorer, 1, 2000);
    act(explorer, ACTION_ZOOM, way);
    CHECK(is_near(-way * log(cabs(explorer->camera.factor)), log(1.5)));
    zoomed(explorer, 1, 2000);
    act(explorer, ACTION_ZOOM_SPEED, 1); /* relative to the visible speed, and it stays */
    CHECK(fabs(explorer->zoom_speed - sqrt(2) / 3) < 0.006);
    act(explorer, ACTION_GLIDE_ZOOM, way);
    CHECK(is_near(zoomed(explorer, 1, 3000), usual * explorer->zoom_speed));
    CHECK(is_near(zoomed(explorer, INFINITY, 3000), usual * explorer->zoom_speed));
    explorer_reset_preferences(explorer);
    zoomed(explorer, 1, 4000);
    CHECK(is_near(motion_zoom_speed(explorer), 1.0 / 3));
    explorer_configure(explorer, SHORTCUTS_ALL, false, false, true, 1);
    zoomed(explorer, 1, 4000);
    CHECK(motion_zoom_speed(explorer) == 1);
    finish(&c);
}

int main(void) {
    check_speed();
    check_first();
    check_given_up();
    check_whole();
    check_early();
    check_turned();
    check_kept();
    check_delivered();
    check_limits();
    check_hysteresis();
    check_held(1);
    check_held(-1);
    if (failures == 0)
        puts("all passed");
    return failures > 0;
}
