/* Motion without a window: undo, boxes, double clicks, turning, held keys and gliding. */
#include "tests/shared/explorers.h"

#define FRAME 16.0

static void do_action(struct explorer *explorer, struct action action) {
    explorer_apply(explorer, &action);
}

static void undo(struct explorer *explorer, double steps) {
    apply(explorer, ACTION_UNDO, 0, 0, steps);
}

static void wait(struct explorer *explorer, double ms) {
    for (; ms > 0; ms -= FRAME)
        explorer_advance(explorer, FRAME);
}

static double zoom_of(const struct view *view) {
    return mpfr_get_d(view->zoom, MPFR_RNDN);
}

/* --- undo --- */

#define STEPS 700

/* Undoes, redoes and undoes hundreds of steps of every kind, and checks that every view is exactly
 * the same. */
static void check_undo(void) {
    static struct view views[STEPS + 1];
    EXPLORER(explorer, "3");
    unsigned long long random = 77;
    for (int i = 0; i < STEPS; i++) {
        view_init_copy(&views[i], &explorer.scene.view);
        const double x = (double)(random_next(&random) % WIDTH) + 0.25, y = x / 2;
        switch (i % 5) {
        case 0:
            apply(&explorer, ACTION_ZOOM, x, y, 2);
            explorer_advance(&explorer, FRAME);
            apply(&explorer, ACTION_ZOOM, y, y, -1.5); /* in the same burst */
            break;
        case 1:
            apply(&explorer, ACTION_GRAB, 0, 0, 0);
            apply(&explorer, ACTION_DRAG, 7, 1, 0);
            apply(&explorer, ACTION_DRAG, -1, 2, 0);
            apply(&explorer, ACTION_DRAG_END, i % 2, 0.3, 0); /* glides, or not */
            break;
        case 2:
            apply(&explorer, ACTION_TURN, 0, 0, 5);
            break;
        case 3:
            apply(&explorer, ACTION_CENTRE, x, y, 1);
            break;
        default:
            apply(&explorer, ACTION_SLIDE, 1, -1, 0);
            apply(&explorer, ACTION_SLIDE, 1, 0, 0);
            break;
        }
        wait(&explorer, i % 3 ? 50 : 2000);
        /* The next step must be of another kind, or follow a pause; gliding ends with the step. */
        apply(&explorer, ACTION_LET_GO, 0, 0, 0);
    }
    view_init_copy(&views[STEPS], &explorer.scene.view);
    for (int i = STEPS - 1; i >= 0; i--) {
        undo(&explorer, 1);
        CHECK(view_equal(&views[i], &explorer.scene.view));
    }
    undo(&explorer, 1);
    CHECK(view_equal(&views[0], &explorer.scene.view));
    CHECK(explorer_refusal(&explorer, &(struct action){.kind = ACTION_UNDO, .amount = 1}) != NULL);
    for (int i = 1; i <= STEPS; i++) {
        undo(&explorer, -1);
        CHECK(view_equal(&views[i], &explorer.scene.view));
    }
    CHECK(explorer_refusal(&explorer, &(struct action){.kind = ACTION_UNDO, .amount = -1}) != NULL);
    for (int i = STEPS - 1; i >= 11; i--)
        undo(&explorer, 1);
    wait(&explorer, 2000);
    undo(&explorer, 1);
    CHECK(view_equal(&views[10], &explorer.scene.view));
    /* The screen follows, and a new step drops the undone ones. */
    CHECK(near(shown_at(&explorer, &views[11], 0), 0, 1e-6) && explorer_animating(&explorer));
    apply(&explorer, ACTION_HOME, 0, 0, 0);
    undo(&explorer, -1);
    undo(&explorer, 1);
    CHECK(view_equal(&views[10], &explorer.scene.view));
    for (int i = 0; i <= STEPS; i++)
        view_finish(&views[i]);
}

/* Checks that a jump is undone together with its limit and colours, and that a change of the limit
 * alone is a step. */
static void check_jumps(void) {
    struct scene scene;
    EXPLORER(explorer, "1e20");
    apply(&explorer, ACTION_SLIDE, 1, 0, 0);
    do_action(&explorer, (struct action){ACTION_STEP, .amount = 1, .setting = SETTING_LIMIT});
    scene_init(&scene);
    scene.limit = 77;
    scene.orbit_density = true;
    explorer_set_scene(&explorer, &scene);
    undo(&explorer, 1);
    CHECK(explorer.scene.limit == 2000 && !explorer.scene.orbit_density);
    CHECK(zoom_of(&explorer.scene.view) == 1e20);
    undo(&explorer, 1);
    CHECK(explorer.scene.limit == 1000 && zoom_of(&explorer.scene.view) == 1e20);
    undo(&explorer, -1);
    undo(&explorer, -1);
    CHECK(explorer.scene.limit == 77 && explorer.scene.orbit_density);
    CHECK(zoom_of(&explorer.scene.view) == 1.5);
}

/* Checks that a jump to the same view with another limit is a separate step. */
static void check_jump_in_place(void) {
    struct scene scene;
    EXPLORER(explorer, "1e20");
    apply(&explorer, ACTION_SLIDE, 1, 0, 0);
    wait(&explorer, 2000);
    SCOPED_COPY(view, before, &explorer.scene.view);
    scene_init_copy(&scene, &explorer.scene);
    scene.limit = 77;
    explorer_set_scene(&explorer, &scene);
    undo(&explorer, 1);
    CHECK(explorer.scene.limit != 77 && view_equal(&before, &explorer.scene.view));
    undo(&explorer, -1);
    CHECK(explorer.scene.limit == 77 && view_equal(&before, &explorer.scene.view));
}

/* Makes more steps than are kept, with very long numbers: the newest ones must stay. */
static void check_bounds(void) {
    EXPLORER(explorer, "1e50000");
    for (int i = 0; i < 2500; i++) {
        apply(&explorer, ACTION_GRAB, 0, 0, 0);
        apply(&explorer, ACTION_DRAG, 1, 0, 0);
        CHECK(explorer.history.count <= HISTORY_STEPS_MAX);
        CHECK(explorer.history.bytes <= HISTORY_BYTES_MAX + (1 << 17));
    }
    CHECK(explorer.history.at >= 200);
    struct grid_map map;
    SCOPED_COPY(view, before, &explorer.scene.view);
    for (int i = 0; i < 200; i++)
        undo(&explorer, 1);
    CHECK(view_grid_map(&before, &explorer.scene.view, WIDTH, HEIGHT, &map) && map.dx == 200);
}

/* Checks that undoing and redoing again and again needs no more memory. */
static void check_bytes(void) {
    EXPLORER(explorer, "1e2000");
    for (int i = 0; i < 9; i++)
        apply(&explorer, i % 2 ? ACTION_ZOOM_MIDDLE : ACTION_CENTRE, 9, 9, 3);
    const size_t bytes = explorer.history.bytes;
    for (int i = 0; i < 1000; i++)
        undo(&explorer, i % 18 < 9 ? 1 : -1);
    for (int i = 0; i < 9; i++)
        undo(&explorer, -1);
    CHECK(bytes > 0 && explorer.history.bytes == bytes);
}

/* Checks the maximum zoom: nothing changes there, so there is nothing to undo, and undone steps can
 * still be redone. */
static void check_end_of_zooms(void) {
    EXPLORER(explorer, VIEW_ZOOM_MAX);
    apply(&explorer, ACTION_SLIDE, 1, 0, 0);
    wait(&explorer, 1000);
    undo(&explorer, 1);
    wait(&explorer, 1000);
    const size_t count = explorer.history.count;
    apply(&explorer, ACTION_ZOOM_MIDDLE, 0, 0, 1);
    CHECK(explorer.history.count == count && explorer.history.at == 0);
    apply(&explorer, ACTION_ZOOM_MIDDLE, 0, 0, -1);
    CHECK(explorer.history.at == 1);
}

/* --- boxes and double clicks --- */

static void draw_box(struct explorer *explorer, double x0, double y0, double x1, double y1) {
    do_action(explorer,
              (struct action){.kind = ACTION_BOX, .from_x = x0, .from_y = y0, .x = x1, .y = y1});
}

static void check_box(double degrees) {
    const char *why;
    EXPLORER(explorer, "1e40");
    CHECK(view_set_angle_degrees(&explorer.scene.view, degrees, &why));
    SCOPED_COPY(view, before, &explorer.scene.view);
    draw_box(&explorer, 500, 300, 497, 299);
    CHECK(!explorer.motion.boxing);
    apply(&explorer, ACTION_BOX_END, 0, 0, 0);
    draw_box(&explorer, 500, 300, 400, 10);
    apply(&explorer, ACTION_BOX_CANCEL, 0, 0, 0);
    apply(&explorer, ACTION_BOX_END, 0, 0, 0);
    CHECK(view_equal(&before, &explorer.scene.view) && explorer.history.count == 0);
    /* A box drawn up and left, with the window's shape: a quarter of the window. */
    draw_box(&explorer, 500, 300, 490, 210);
    CHECK(explorer.motion.boxing && explorer.motion.box_x1 == 340 && explorer.motion.box_y1 == 210);
    apply(&explorer, ACTION_BOX_END, 0, 0, 0);
    CHECK(!explorer.motion.boxing && explorer_animating(&explorer));
    CHECK(near(shown_at(&explorer, &before, 0), 0, 1e-6));
    wait(&explorer, 2000);
    CHECK(fabs(zoom_of(&explorer.scene.view) / 4e40 - 1) < 1e-12);
    CHECK(explorer.scene.view.angle == before.angle);
    const double complex middle = WIDTH / 2 + I * (HEIGHT / 2);
    CHECK(near(shown_at(&explorer, &before, 340 + 210 * I - middle), -middle, 1e-6));
    CHECK(near(shown_at(&explorer, &before, 500 + 300 * I - middle), middle, 1e-6));
    /* During an animation the box refers to what the screen shows. */
    apply(&explorer, ACTION_ZOOM, 0, 0, -4);
    wait(&explorer, 2 * FRAME);
    view_assign(&before, &explorer.scene.view);
    const struct similarity back = similarity_inverse(explorer.camera);
    const double complex corner = similarity_apply(back, 100 + 50 * I - middle);
    draw_box(&explorer, 100, 50, 420, 230);
    apply(&explorer, ACTION_BOX_END, 0, 0, 0);
    wait(&explorer, 2000);
    CHECK(near(shown_at(&explorer, &before, corner), -middle, 1e-6));
}

static void check_centre(void) {
    EXPLORER(explorer, "1e40");
    SCOPED_COPY(view, before, &explorer.scene.view);
    apply(&explorer, ACTION_CENTRE, 420, 100, 3);
    CHECK(near(shown_at(&explorer, &before, 77), 77, 1e-6));
    wait(&explorer, 2000);
    CHECK(near(shown_at(&explorer, &before, 100 - 80 * I), 0, 1e-6));
    CHECK(fabs(zoom_of(&explorer.scene.view) / 3.375e40 - 1) < 1e-12);
}

/* --- turning --- */

/* Requests the target if it is due, and reports the picture's progress. Returns whether it was
 * due. */
static int ask(struct explorer *explorer, struct frame_req *req, double progress) {
    const bool due = explorer->changed;
    if (due)
        request(explorer, req);
    explorer_learn(explorer, &(struct findings){
                                 .report = &(struct backend_report){
                                     .generation = explorer->generation, .progress = progress}});
    return due;
}

static void check_turn(void) {
    const char *why;
    EXPLORER(explorer, "1e40");
    SCOPED_COPY(view, before, &explorer.scene.view);
    apply(&explorer, ACTION_TURN, 0, 0, 5);
    /* The middle stays, and so does the screen at first. */
    CHECK(near(shown_at(&explorer, &before, 100), 100, 1e-6) && explorer_animating(&explorer));
    wait(&explorer, 2000);
    CHECK(view_angle_degrees(&explorer.scene.view) == 5);
    CHECK(near(shown_at(&explorer, &before, 100), 100 * cexp(I * explorer.scene.view.angle), 1e-6));
    for (int i = 1; i < 72; i++)
        apply(&explorer, ACTION_TURN, 0, 0, 5);
    /* a full turn leads to exactly the same angle. */
    CHECK(view_equal(&before, &explorer.scene.view));
    /* A turn goes from any angle to the next multiple. */
    view_rotate(&explorer.scene.view, 0.6);
    apply(&explorer, ACTION_TURN, 0, 0, 5);
    CHECK(view_angle_degrees(&explorer.scene.view) == 35);
    view_rotate(&explorer.scene.view, -0.001);
    apply(&explorer, ACTION_TURN, 0, 0, -1);
    CHECK(view_angle_degrees(&explorer.scene.view) == 34);
    /* An angle that rounding left next to a multiple counts as that multiple, in both
     * directions. */
    CHECK(view_set_angle_degrees(&explorer.scene.view, 5 - 1e-10, &why));
    apply(&explorer, ACTION_TURN, 0, 0, 5);
    CHECK(view_angle_degrees(&explorer.scene.view) == 10);
    CHECK(view_set_angle_degrees(&explorer.scene.view, 5 + 1e-10, &why));
    apply(&explorer, ACTION_TURN, 0, 0, -5);
    CHECK(view_angle_degrees(&explorer.scene.view) == 0);
    apply(&explorer, ACTION_HOME, 0, 0, 0);
    CHECK(explorer.scene.view.angle == 0);
}

/* Checks that the held point stays under the hand at once, and that requests leave pictures enough
 * time. */
static void check_spin(void) {
    EXPLORER(explorer, "1e40");
    SCOPED(frame_req, req, 1, 1);
    request(&explorer, &req);
    SCOPED_COPY(view, before, &explorer.scene.view);
    const double complex middle = WIDTH / 2 + I * (HEIGHT / 2), from = 100 + 20 * I;
    double complex at = from;
    int requests = 0;
    for (int i = 1; i <= 400; i++) {
        const double complex to = from * cexp(I * 0.02 * i);
        do_action(&explorer, (struct action){.kind = ACTION_SPIN,
                                             .from_x = creal(at + middle),
                                             .from_y = cimag(at + middle),
                                             .x = creal(to + middle),
                                             .y = cimag(to + middle)});
        at = to;
        CHECK(near(shown_at(&explorer, &before, from), to, 1e-6));
        explorer_advance(&explorer, FRAME);
        requests += ask(&explorer, &req, 1);
    }
    CHECK(requests >= 400 * FRAME / 150 && requests <= 400 * FRAME / 100);
    apply(&explorer, ACTION_SPIN_END, 0, 0, 0);
    wait(&explorer, 150);
    /* The last view is always requested. */
    if (explorer.changed)
        request(&explorer, &req);
    CHECK(view_equal(&req.view, &explorer.scene.view));
    wait(&explorer, 500);
    CHECK(!explorer_moving(&explorer));
    undo(&explorer, 1);
    CHECK(view_equal(&before, &explorer.scene.view));
}

/* --- held zoom and gliding --- */

static void check_hold(double direction, double ms, double progress) {
    EXPLORER(explorer, "1e40");
    SCOPED(frame_req, req, 1, 1);
    SCOPED_COPY(view, before, &explorer.scene.view);
    const double complex p = 123.5 - WIDTH / 2 + I * (77.25 - HEIGHT / 2);
    apply(&explorer, ACTION_POINT, 123.5, 77.25, 0);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, direction);
    int requests = 0;
    for (int i = 0; i < 40; i++) {
        const double size = cabs(shown_at(&explorer, &before, p + 10) - p) / 10;
        CHECK(fabs(size / exp(direction * i * ms / 700) - 1) < 1e-6);
        CHECK(near(shown_at(&explorer, &before, p), p, 1e-5));
        CHECK(explorer_moving(&explorer) && explorer_animating(&explorer));
        requests += ask(&explorer, &req, progress);
        explorer_advance(&explorer, ms);
    }
    /* A picture that is never shown is replaced as well, but later. */
    CHECK(requests <= 40 * ms / (progress > 0 ? 120 : 600) + 1 && requests >= 40 * ms / 900);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, 0);
    explorer_advance(&explorer, FRAME);
    ask(&explorer, &req, 0);
    CHECK(view_equal(&req.view, &explorer.scene.view)); /* the last view at once */
    CHECK(explorer_animating(&explorer));
    wait(&explorer, 32);
    CHECK(motion_ends(&explorer)); /* so that it can be drawn before the camera arrives */
    wait(&explorer, 144);
    CHECK(!explorer_animating(&explorer) && !motion_ends(&explorer));
    wait(&explorer, 2000);
    CHECK(!explorer_moving(&explorer) && near(shown_at(&explorer, &before, p), p, 1e-5));
    /* After release it comes to rest soon, at the place where it was. */
    const double size = cabs(shown_at(&explorer, &before, p + 10) - p) / 10;
    const double after = log(size) * direction * 700 - 40 * ms;
    CHECK(after > -1e-3 && after < 150 + 1e-3);
    undo(&explorer, 1);
    CHECK(view_equal(&before, &explorer.scene.view));
}

/* Checks that a picture in flight may finish, for half a second, and that slow pictures are
 * requested farther ahead. */
static void check_hold_serves(double direction) {
    EXPLORER(explorer, "1e40");
    SCOPED(frame_req, req, 1, 1);
    ask(&explorer, &req, 1);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, direction);
    double asked = -1e9, now = 0, behind = 0;
    int requests = 0;
    for (; now < 4000; now += 10) {
        if (explorer.changed) {
            CHECK(requests < 2 || now - asked >= 490);
            CHECK(now - asked <= 560 || requests == 0);
            behind = -direction * log(cabs(explorer.camera.factor)) * 700;
            asked = now;
            requests++;
        }
        ask(&explorer, &req, 0.3);
        explorer_advance(&explorer, 10);
    }
    CHECK(requests >= 8 && requests <= 10);
    CHECK(behind >= 490 && behind <= 800);
    /* Once pictures are complete in time, they follow each other quickly again. */
    for (requests = 0; now < 5000; now += 10) {
        requests += ask(&explorer, &req, now - asked >= 30 ? 1 : 0.3);
        explorer_advance(&explorer, 10);
    }
    CHECK(requests >= (direction > 0 ? 4 : 3));
    apply(&explorer, ACTION_LET_GO, 0, 0, 0);
}

/* Checks that notches of a wheel leave a picture time to be shown, and that a pending request
 * follows on its own. */
static void check_notches(void) {
    int requests = 0;
    EXPLORER(explorer, "300");
    SCOPED(frame_req, req, 1, 1);
    for (int i = 0; i < 100; i++) {
        if (i % 5 == 0)
            apply(&explorer, ACTION_ZOOM, 100, 100, 1);
        explorer_advance(&explorer, 10);
        requests += ask(&explorer, &req, 0);
    }
    CHECK(requests >= 5 && requests <= 8);
    wait(&explorer, 160);
    ask(&explorer, &req, 0);
    CHECK(view_equal(&req.view, &explorer.scene.view));
    /* Once it was shown, it is replaced at once. */
    ask(&explorer, &req, 1);
    apply(&explorer, ACTION_ZOOM, 100, 100, 1);
    CHECK(explorer.changed);
}

/* Checks that a held key changes and requests nothing at the maximum zoom. */
static void check_hold_ends(const char *zoom, double direction) {
    EXPLORER(explorer, zoom);
    SCOPED(frame_req, req, 1, 1);
    request(&explorer, &req);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, direction);
    for (int i = 0; i < 20; i++) {
        explorer_advance(&explorer, 100);
        CHECK(!explorer.changed && near(explorer.camera.factor, 1, 1e-9));
    }
    apply(&explorer, ACTION_LET_GO, 0, 0, 0);
    CHECK(!explorer_moving(&explorer) || explorer.quiet_ms < 200);
}

/* Checks that a jump ends a held action. */
static void check_hold_jumps(enum action_kind kind, double direction) {
    EXPLORER(explorer, "300");
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, direction);
    wait(&explorer, 200);
    apply(&explorer, kind, 100, 100, kind == ACTION_CENTRE ? 3 : 0);
    SCOPED_COPY(view, there, &explorer.scene.view);
    wait(&explorer, 2000);
    CHECK(view_equal(&there, &explorer.scene.view) && !explorer_animating(&explorer));
}

static void let_fly(struct explorer *explorer, double x, double y) {
    apply(explorer, ACTION_GRAB, 0, 0, 0);
    apply(explorer, ACTION_DRAG, 30, 0, 0);
    apply(explorer, ACTION_DRAG_END, x, y, 0);
}

static void check_glide(void) {
    struct grid_map map;
    EXPLORER(explorer, "1e40");
    SCOPED_COPY(view, before, &explorer.scene.view);
    SCOPED_COPY(view, last, &before);
    let_fly(&explorer, 1, -0.5);
    int ms = 0;
    for (; explorer_animating(&explorer) && ms < 5000; ms += 16) {
        view_assign(&last, &explorer.scene.view);
        explorer_advance(&explorer, FRAME);
        /* Whole pixels, never back. */
        CHECK(view_grid_map(&last, &explorer.scene.view, WIDTH, HEIGHT, &map));
        CHECK(map.dx <= 0 && map.dx >= -16 && map.dy >= 0 && map.dy <= 8);
    }
    CHECK(ms > 300 && ms < 1000);
    CHECK(view_grid_map(&before, &explorer.scene.view, WIDTH, HEIGHT, &map));
    CHECK(map.dx < -200 && map.dx > -30 - 221 && abs(2 * map.dy + map.dx + 30) <= 3);
    undo(&explorer, 1); /* one step, together with the drag */
    CHECK(view_equal(&before, &explorer.scene.view));
    wait(&explorer, 2000);
    /* Any event except a pointer motion stops it. */
    static const enum action_kind kinds[] = {ACTION_GRAB, ACTION_STEP, ACTION_LET_GO};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        let_fly(&explorer, 1, 1);
        explorer_advance(&explorer, FRAME);
        apply(&explorer, ACTION_POINT, 3, 3, 0);
        CHECK(explorer_animating(&explorer));
        do_action(&explorer, (struct action){kinds[i], .amount = 1, .setting = SETTING_LIMIT});
        CHECK(!explorer_animating(&explorer));
    }
    explorer.inertia = false;
    let_fly(&explorer, 1, 1);
    CHECK(!explorer_animating(&explorer));
}

/* Applies random actions in windows of any size; numbers must stay finite. */
static void check_anything(void) {
    EXPLORER(explorer, "2");
    SCOPED(frame_req, req, 1, 1);
    unsigned long long random = 5;
    for (int i = 0; i < 20000; i++) {
        const struct action action = {
            .kind = (enum action_kind)(random_next(&random) % (ACTION_HOME + 1)),
            .x = (double)(random_next(&random) % 900) - 100,
            .y = (double)(random_next(&random) % 500) - 50,
            .from_x = (double)(random_next(&random) % 900) - 100,
            .from_y = (double)(random_next(&random) % 500) - 50,
            .amount = (double)(random_next(&random) % 7) - 3,
            .setting = (enum setting_id)(random_next(&random) % SETTING_COUNT)};
        if (action.kind == ACTION_CHOOSE || (action.kind == ACTION_TURN && action.amount == 0))
            continue;
        explorer_apply(&explorer, &action);
        if (i % 50 == 0)
            explorer_resize(&explorer, i % 100 ? 1 : 700, i % 150 ? 1 : 400);
        explorer_advance(&explorer, (double)(random_next(&random) % 40) - 3);
        request(&explorer, &req);
        CHECK(isfinite(creal(explorer.camera.factor)) && isfinite(cimag(explorer.camera.offset)));
        CHECK(explorer.camera.factor != 0 && !frame_req_problem(&req));
    }
    apply(&explorer, ACTION_LET_GO, 0, 0, 0);
    for (int i = 0; i < 200; i++) {
        if (explorer.changed)
            request(&explorer, &req);
        explorer_advance(&explorer, FRAME);
    }
    CHECK(!explorer_moving(&explorer));
}

/* --- courses --- */

/* A course that zooms by a factor of 16 in two seconds, and then rests. */
struct zooming {
    struct view from;
    double ms;
};

static void zooming_view(const void *user, double ms, struct view *view) {
    const struct zooming *zooming = user;
    const double share = fmin((zooming->ms + ms) / 2000, 1);
    view_assign(view, &zooming->from);
    view_zoom_at(view, exp2(4 * share), WIDTH * 0.7, HEIGHT * 0.4, WIDTH, HEIGHT);
}

static void advance(struct explorer *explorer, struct zooming *zooming, double until_ms) {
    struct view wanted;
    view_init(&wanted);
    for (; zooming->ms < until_ms && explorer->motion.course; zooming->ms += FRAME) {
        explorer_advance(explorer, FRAME);
        zooming_view(zooming, 0, &wanted);
        CHECK(near(shown_at(explorer, &wanted, 100), 100, 1e-6));
        const struct similarity soon = motion_camera_after(explorer, 50);
        zooming_view(zooming, 50, &wanted);
        const struct similarity way =
            similarity_between(&explorer->scene.view, HEIGHT, &wanted, HEIGHT);
        CHECK(near(similarity_apply(similarity_compose(soon, way), 100), 100, 1e-6));
        if (explorer->changed)
            explorer_begin_request(explorer);
    }
    view_finish(&wanted);
}

/* The screen follows a course; a hand ends it where the screen is, and one step undoes it. */
static void check_course(void) {
    EXPLORER(explorer, "1e18");
    struct zooming zooming = {.ms = 0};
    const struct course course = {zooming_view, &zooming};
    struct view shown;
    view_init_copy(&zooming.from, &explorer.scene.view);
    view_init(&shown);
    motion_begin(&explorer, MOTION_NONE);
    course_follow(&explorer, &course);
    advance(&explorer, &zooming, 1000);
    CHECK(explorer_moving(&explorer) && motion_active(&explorer));
    CHECK(mpfr_greater_p(explorer.scene.view.zoom, zooming.from.zoom)); /* it is ahead */
    explorer_screen_view(&explorer, &shown);
    apply(&explorer, ACTION_GRAB, 0, 0, 0);
    CHECK(!explorer.motion.course && near(shown_at(&explorer, &shown, 100), 100, 1e-6));
    CHECK(similarity_is_identity(explorer.camera) && explorer.changed);
    undo(&explorer, 1);
    wait(&explorer, 3000);
    CHECK(view_equal(&explorer.scene.view, &zooming.from));

    zooming.ms = 0;
    course_follow(&explorer, &course);
    advance(&explorer, &zooming, 4000); /* it has come to rest, where pictures are exact */
    CHECK(explorer.motion.course && !explorer_moving(&explorer));
    explorer_apply(&explorer, &(struct action){.kind = ACTION_FLY, .amount = 1});
    CHECK(!explorer.motion.course && explorer.motion.flown);
    view_finish(&shown);
    view_finish(&zooming.from);
}

int main(void) {
    check_undo();
    check_jumps();
    check_jump_in_place();
    check_bounds();
    check_bytes();
    check_end_of_zooms();
    check_box(0);
    check_box(33);
    check_centre();
    check_turn();
    check_spin();
    check_hold(1, FRAME, 1);
    check_hold(-1, 7, 1);
    check_hold(1, 100, 1);
    check_hold(1, 30, 0);
    check_hold_serves(1);
    check_hold_serves(-1);
    check_notches();
    check_hold_ends("1e100000", 1);
    check_hold_ends("1e-300", -1);
    check_hold_jumps(ACTION_HOME, 1);
    check_hold_jumps(ACTION_HOME, -1);
    check_hold_jumps(ACTION_CENTRE, -1);
    check_glide();
    check_anything();
    check_course();
    return failures > 0;
}
