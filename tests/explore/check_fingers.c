/* Fingers on a touch screen, by SDL's events: two fingers that the picture follows exactly, taps
 * and long presses, fingers that come and leave in any order, and nonsensical events. */
#include "tests/shared/explorers.h"
#include <complex.h>
#include <float.h>

struct screen {
    struct explorer explorer;
    struct input input;
    struct view before; /* view at the start */
    Uint32 ms;
};

static void open_screen(struct screen *screen) {
    *screen = (struct screen){.ms = 1000};
    start(&screen->explorer, "300");
    input_set_size(&screen->input, WIDTH, HEIGHT, WIDTH / 2, HEIGHT / 2);
    view_init_copy(&screen->before, &screen->explorer.scene.view);
}

static void close_screen(struct screen *screen) {
    view_finish(&screen->before);
    explorer_finish(&screen->explorer);
}

static struct action send(struct screen *screen, const SDL_Event *event) {
    const struct action action = input_translate(&screen->input, event);
    explorer_apply(&screen->explorer, &action);
    return action;
}

static struct action touch(struct screen *screen, Uint32 type, int finger, double x, double y) {
    const SDL_Event event = {.tfinger = {.type = type,
                                         .timestamp = screen->ms,
                                         .touchId = 7,
                                         .fingerId = finger,
                                         .x = (float)(x / WIDTH),
                                         .y = (float)(y / HEIGHT),
                                         .pressure = NAN}};
    return send(screen, &event);
}

static struct action down(struct screen *screen, int finger, double x, double y) {
    return touch(screen, SDL_FINGERDOWN, finger, x, y);
}

static struct action move(struct screen *screen, int finger, double x, double y) {
    return touch(screen, SDL_FINGERMOTION, finger, x, y);
}

static struct action up(struct screen *screen, int finger) {
    return touch(screen, SDL_FINGERUP, finger, 0, 0);
}

static void pass(struct screen *screen, Uint32 ms) {
    screen->ms += ms;
    for (; ms >= 10; ms -= 10)
        explorer_advance(&screen->explorer, 10);
}

/* Checks that no action is held, and that a moment later nothing moves. */
static bool comes_to_rest(struct screen *screen) {
    pass(screen, 3000);
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    request(&screen->explorer, &req);
    pass(screen, 1000);
    return !explorer_moving(&screen->explorer) && screen->input.fingers.count == 0 &&
           screen->input.hand == HAND_FREE;
}

static double grown(const struct screen *screen) {
    return mpfr_get_d(screen->explorer.scene.view.zoom, MPFR_RNDN) /
           mpfr_get_d(screen->before.zoom, MPFR_RNDN);
}

/* Returns the target's place of the point that was at (x, y) [px]. */
static double complex went(const struct screen *screen, double x, double y) {
    const struct similarity way =
        similarity_between(&screen->explorer.scene.view, HEIGHT, &screen->before, HEIGHT);
    const double complex middle = WIDTH / 2.0 + I * (HEIGHT / 2.0);
    return similarity_apply(way, x + I * y - middle) + middle;
}

static void check_zoom(void) {
    struct screen screen;
    open_screen(&screen);
    down(&screen, 1, 100, 90);
    down(&screen, 2, 200, 90);
    for (int i = 1; i <= 10; i++) {
        move(&screen, 1, 100 - 5 * i, 90);
        move(&screen, 2, 200 + 5 * i, 90);
        pass(&screen, 10);
        CHECK(explorer_moving(&screen.explorer));
    }
    CHECK(fabs(grown(&screen) - 2) < 1e-6 && screen.explorer.scene.view.angle == 0);
    CHECK(near(went(&screen, 150, 90), 150 + 90 * I, 1e-6 * WIDTH));
    CHECK(screen.explorer.camera.factor == 1 && screen.explorer.camera.offset == 0);
    /* Moving back restores the view exactly. */
    move(&screen, 2, 200, 90);
    move(&screen, 1, 100, 90);
    CHECK(view_equal(&screen.before, &screen.explorer.scene.view));
    move(&screen, 2, 400, 90);
    up(&screen, 2);
    up(&screen, 1);
    CHECK(fabs(grown(&screen) - 3) < 1e-6 && comes_to_rest(&screen));
    apply(&screen.explorer, ACTION_UNDO, 0, 0, 1);
    CHECK(view_equal(&screen.before, &screen.explorer.scene.view));
    close_screen(&screen);
}

static void check_turn(void) {
    struct screen screen;
    const double complex middle = 400 + 200 * I;
    open_screen(&screen);
    down(&screen, 1, 300, 200);
    down(&screen, 2, 500, 200);
    for (int i = 1; i <= 420; i++) { /* more than once around */
        const double complex arm = 100 * cexp(I * i * acos(-1) / 180);
        move(&screen, 1, creal(middle - arm), cimag(middle - arm));
        move(&screen, 2, creal(middle + arm), cimag(middle + arm));
        if (i != 30 && i != 390)
            continue;
        CHECK(fabs(view_angle_degrees(&screen.explorer.scene.view) - 30) < 1e-4);
        CHECK(fabs(grown(&screen) - 1) < 1e-6);
        CHECK(near(went(&screen, 400, 200), middle, 1e-4));
        CHECK(near(went(&screen, 500, 200), middle + 100 * cexp(I * acos(-1) / 6), 1e-3));
    }
    close_screen(&screen);
    /* Zoom and turn at once, and the middle moves. */
    open_screen(&screen);
    down(&screen, 1, 300, 200);
    down(&screen, 2, 500, 200);
    move(&screen, 2, 320, 300);
    move(&screen, 1, 320, 20);
    CHECK(near(went(&screen, 300, 200), 320 + 20 * I, 0.01) &&
          near(went(&screen, 500, 200), 320 + 300 * I, 0.01) && fabs(grown(&screen) - 1.4) < 1e-4);
    close_screen(&screen);
}

static void check_pan(void) {
    struct screen screen;
    struct grid_map map;
    open_screen(&screen);
    down(&screen, 1, 100, 90);
    down(&screen, 2, 300, 110);
    for (int i = 1; i <= 37; i++) {
        move(&screen, 1, 100 + i, 90 - 2 * i);
        move(&screen, 2, 300 + i, 110 - 2 * i);
    }
    CHECK(view_grid_map(&screen.before, &screen.explorer.scene.view, WIDTH, HEIGHT, &map));
    CHECK(map.dx == -37 && map.dy == 74 && map.scale_log2 == 0);
    CHECK(grown(&screen) == 1 && screen.explorer.scene.view.angle == 0);
    /* Zooming out is limited, and the limit applies at the fingers' place. */
    move(&screen, 1, 200, 100);
    for (int i = 0; i < 40; i++) {
        move(&screen, 2, 240, 100);
        up(&screen, 2);
        down(&screen, 2, 600, 100);
    }
    CHECK(motion_at_bound(&screen.explorer));
    up(&screen, 1);
    up(&screen, 2);
    CHECK(comes_to_rest(&screen));
    close_screen(&screen);
}

/* Checks that motion of the other finger meanwhile is kept. */
static void check_others(void) {
    struct screen screen;
    open_screen(&screen);
    down(&screen, 1, 100, 100);
    down(&screen, 2, 200, 100);
    move(&screen, 2, 300, 100);
    apply(&screen.explorer, ACTION_HOME, 0, 0, 0);
    const double home = grown(&screen);
    move(&screen, 2, 300.01, 100);
    CHECK(fabs(grown(&screen) / home - 1) < 1e-3);
    move(&screen, 2, 500, 100);
    CHECK(fabs(grown(&screen) / home - 2) < 1e-3);
    /* A third finger does nothing until it is one of two. */
    const double now = grown(&screen);
    CHECK(down(&screen, 3, 50, 300).kind == ACTION_NONE);
    CHECK(move(&screen, 3, 500, 200).kind == ACTION_NONE);
    CHECK(up(&screen, 1).kind == ACTION_DRAG_END && grown(&screen) == now);
    move(&screen, 3, 500, 300);
    CHECK(fabs(grown(&screen) / now - 2) < 1e-3);
    /* The last finger drags. */
    up(&screen, 2);
    CHECK(move(&screen, 3, 400, 300).kind == ACTION_DRAG);
    CHECK(up(&screen, 3).kind == ACTION_DRAG_END && comes_to_rest(&screen));
    close_screen(&screen);
}

static void check_drag(void) {
    struct screen screen;
    struct grid_map map;
    open_screen(&screen);
    CHECK(down(&screen, 1, 100, 90).kind == ACTION_GRAB);
    CHECK(move(&screen, 1, 104, 95).kind == ACTION_NONE); /* small motion is tolerated */
    for (int i = 1; i <= 30; i++) {
        pass(&screen, 10);
        move(&screen, 1, 100 + 4 * i, 90 - 3 * i);
    }
    CHECK(view_grid_map(&screen.before, &screen.explorer.scene.view, WIDTH, HEIGHT, &map));
    CHECK(map.dx == -120 && map.dy == 90);
    const struct action end = up(&screen, 1);
    CHECK(end.kind == ACTION_DRAG_END && near(end.x + I * end.y, 0.4 - 0.3 * I, 1e-9));
    pass(&screen, 100);
    CHECK(explorer_animating(&screen.explorer) && comes_to_rest(&screen));
    close_screen(&screen);
}

static void check_taps(void) {
    struct screen screen;
    open_screen(&screen);
    down(&screen, 1, 100, 90);
    CHECK(up(&screen, 1).kind == ACTION_NONE);
    pass(&screen, 150);
    struct action action = down(&screen, 2, 110, 85);
    CHECK(action.kind == ACTION_CENTRE && action.x == 110 && action.amount == 3);
    CHECK(move(&screen, 2, 300, 90).kind == ACTION_NONE && up(&screen, 2).kind == ACTION_NONE);
    pass(&screen, 100);
    CHECK(down(&screen, 1, 300, 90).kind == ACTION_GRAB); /* no third tap of two */
    up(&screen, 1);
    pass(&screen, 100);
    CHECK(down(&screen, 1, 400, 90).kind == ACTION_GRAB); /* elsewhere */
    up(&screen, 1);
    pass(&screen, 1000);
    CHECK(down(&screen, 1, 400, 90).kind == ACTION_GRAB); /* later */
    /* Two fingers zoom out, three undo that, in any order. */
    down(&screen, 2, 500, 190);
    up(&screen, 1);
    action = up(&screen, 2);
    CHECK(action.kind == ACTION_ZOOM && action.amount == -3 &&
          near(action.x + I * action.y, 450 + 140 * I, 1e-3));
    pass(&screen, 1000);
    down(&screen, 3, 1, 1);
    down(&screen, 1, 100, 100);
    down(&screen, 2, 200, 100);
    up(&screen, 1);
    CHECK(up(&screen, 3).kind == ACTION_NONE && up(&screen, 2).kind == ACTION_UNDO);
    /* A long press opens the panel; if the finger then moves, it draws a box. */
    down(&screen, 1, 100, 90);
    pass(&screen, 600);
    CHECK(up(&screen, 1).kind == ACTION_PANEL);
    down(&screen, 1, 100, 90);
    pass(&screen, 600);
    action = move(&screen, 1, 200, 90);
    CHECK(action.kind == ACTION_BOX && action.from_x == 100 && action.x == 200);
    CHECK(up(&screen, 1).kind == ACTION_BOX_END);
    down(&screen, 1, 100, 90);
    pass(&screen, 600);
    move(&screen, 1, 200, 90);
    CHECK(down(&screen, 2, 300, 90).kind == ACTION_BOX_CANCEL);
    up(&screen, 1);
    up(&screen, 2);
    CHECK(comes_to_rest(&screen));
    close_screen(&screen);
}

static struct action mouse(struct screen *screen, Uint32 type, int x, Uint32 state) {
    SDL_Event event = {
        .motion = {.type = type, .timestamp = screen->ms, .state = state, .x = x, .y = 9}};
    if (type != SDL_MOUSEMOTION)
        event = (SDL_Event){.button = {.type = type,
                                       .timestamp = screen->ms,
                                       .button = SDL_BUTTON_LEFT,
                                       .clicks = 1,
                                       .x = x,
                                       .y = 9}};
    return send(screen, &event);
}

/* Checks that the device that came first controls the picture. */
static void check_mouse(void) {
    struct screen screen;
    open_screen(&screen);
    mouse(&screen, SDL_MOUSEBUTTONDOWN, 10, 0);
    mouse(&screen, SDL_MOUSEMOTION, 20, SDL_BUTTON_LMASK);
    down(&screen, 1, 300, 300);
    CHECK(move(&screen, 1, 400, 300).kind == ACTION_NONE);
    CHECK(down(&screen, 2, 300, 200).kind == ACTION_NONE);
    CHECK(mouse(&screen, SDL_MOUSEMOTION, 30, SDL_BUTTON_LMASK).kind == ACTION_DRAG);
    CHECK(mouse(&screen, SDL_MOUSEBUTTONUP, 30, 0).kind == ACTION_DRAG_END);
    CHECK(move(&screen, 1, 300, 300).kind == ACTION_NONE);
    up(&screen, 1);
    up(&screen, 2);
    down(&screen, 1, 300, 300);
    CHECK(mouse(&screen, SDL_MOUSEMOTION, 40, 0).kind == ACTION_NONE);
    CHECK(mouse(&screen, SDL_MOUSEBUTTONDOWN, 40, 0).kind == ACTION_NONE);
    CHECK(move(&screen, 1, 400, 300).kind == ACTION_DRAG);
    /* The finger comes again, since it left unnoticed, and taps twice. */
    CHECK(down(&screen, 1, 400, 300).kind == ACTION_GRAB);
    up(&screen, 1);
    CHECK(comes_to_rest(&screen));
    down(&screen, 1, 300, 300);
    CHECK(move(&screen, 1, 400, 300).kind == ACTION_DRAG);
    /* Another window gets the keyboard focus. */
    const SDL_Event lost = {
        .window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
    CHECK(send(&screen, &lost).kind == ACTION_LET_GO);
    CHECK(move(&screen, 1, 500, 300).kind == ACTION_NONE && up(&screen, 1).kind == ACTION_NONE);
    CHECK(down(&screen, 1, 500, 300).kind == ACTION_GRAB);
    up(&screen, 1);
    CHECK(comes_to_rest(&screen));
    close_screen(&screen);
}

/* Checks the mouse events that the gallery and the panel get instead. */
static void check_as_mouse(void) {
    struct screen screen;
    SDL_Event as[2];
    SDL_Event event = {.tfinger = {.type = SDL_FINGERDOWN, .fingerId = 1, .x = 0.25f, .y = 0.5f}};
    open_screen(&screen);
    CHECK(input_finger_as_mouse(&screen.input, &event, as) == 2);
    CHECK(as[0].type == SDL_MOUSEMOTION && as[0].motion.x == WIDTH / 8 && as[0].motion.state == 0);
    CHECK(as[1].type == SDL_MOUSEBUTTONDOWN && as[1].button.y == HEIGHT / 4);
    send(&screen, &event);
    input_ignore_fingers(&screen.input);
    CHECK(screen.input.hand == HAND_FREE);
    event.tfinger.fingerId = 2;
    CHECK(input_finger_as_mouse(&screen.input, &event, as) == 0);
    CHECK(send(&screen, &event).kind == ACTION_NONE);
    event.tfinger = (SDL_TouchFingerEvent){.type = SDL_FINGERMOTION, .fingerId = 1, .x = 0.5f};
    CHECK(input_finger_as_mouse(&screen.input, &event, as) == 1);
    CHECK(as[0].motion.xrel == WIDTH / 8 && as[0].motion.state == SDL_BUTTON_LMASK);
    event.tfinger.type = SDL_FINGERUP;
    event.tfinger.x = NAN; /* it leaves at its last place */
    CHECK(input_finger_as_mouse(&screen.input, &event, as) == 2);
    CHECK(as[1].button.x == WIDTH / 8 && as[1].button.y == HEIGHT / 4);
    CHECK(as[1].type == SDL_MOUSEBUTTONUP && send(&screen, &event).kind == ACTION_NONE);
    close_screen(&screen);
}

/* Sends nonsensical events: the view must stay valid, and rest when the fingers have left. */
static void check_nonsense(void) {
    static const double odd[] = {0, 1, 0.5, -0.5, 1.5, NAN, INFINITY, -INFINITY, FLT_MAX, 1e-40};
    static const Uint32 types[] = {SDL_FINGERDOWN, SDL_FINGERMOTION, SDL_FINGERMOTION,
                                   SDL_FINGERUP};
    struct screen screen;
    unsigned long long random = 5;
    open_screen(&screen);
    for (int i = 0; i < 20000; i++) {
        const bool plain = random_next(&random) % 8;
        const double x = plain ? (double)(random_next(&random) % 1000) / 1000
                               : odd[random_next(&random) % (sizeof odd / sizeof *odd)];
        const double y = plain ? (double)(random_next(&random) % 1000) / 1000
                               : odd[random_next(&random) % (sizeof odd / sizeof *odd)];
        const SDL_Event event = {.tfinger = {.type = types[random_next(&random) % 4],
                                             .timestamp = screen.ms,
                                             .fingerId = (SDL_FingerID)(random_next(&random) % 14),
                                             .x = (float)x,
                                             .y = (float)y}};
        const struct action action = send(&screen, &event);
        CHECK(isfinite(action.x) && isfinite(action.y) && isfinite(action.amount) &&
              isfinite(action.turn));
        if (i % 16 == 0)
            pass(&screen, 20);
    }
    CHECK(mpfr_number_p(screen.explorer.scene.view.re) &&
          mpfr_number_p(screen.explorer.scene.view.im) &&
          isfinite(screen.explorer.scene.view.angle));
    for (int finger = 0; finger < 14; finger++) {
        const SDL_Event event = {.tfinger = {.type = SDL_FINGERUP, .fingerId = finger, .x = NAN}};
        send(&screen, &event);
    }
    CHECK(comes_to_rest(&screen));
    close_screen(&screen);
}

int main(void) {
    check_zoom();
    check_turn();
    check_pan();
    check_others();
    check_drag();
    check_taps();
    check_mouse();
    check_as_mouse();
    check_nonsense();
    return failures > 0;
}
