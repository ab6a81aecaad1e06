/* Recorder: records what an explorer shows during motion of every kind, and checks that a tour of
 * the path shows the same at the same times, and that the path has few stops. */
#include "app/explore/undo/steps.h"
#include "app/movie/path/record.h"
#include "app/movie/path/tour.h"
#include "tests/shared/explorers.h"

#define FRAME       (1000.0 / 60)
#define SHOWN_MAX   2000
#define CLOSE       (2 * RECORD_TOLERANCE) /* between the samples, too */
#define CLOSE_QUICK 0.4                    /* in quick motion that ends between two samples */
#define HEIGHT_UNIT 1000

/* A recording, and all views that were shown. */
struct session {
    struct explorer *explorer;
    struct path_recorder recorder;
    struct view views[SHOWN_MAX];
    double seconds[SHOWN_MAX];
    int count;
};

static struct session session;

static void begin(struct explorer *explorer) {
    explorer_configure(explorer, SHORTCUTS_ALL, true, true, true, 1);
    session = (struct session){.explorer = explorer, .recorder.aspect = (double)WIDTH / HEIGHT};
}

/* Shows a frame, and records it. */
static void show(void) {
    struct history_state shown;
    struct view *view = &session.views[session.count];
    steps_remember(session.explorer, &shown);
    view_init(view);
    explorer_screen_view(session.explorer, view);
    view_assign(&shown.scene.view, view);
    session.seconds[session.count] = session.explorer->time_ms / 1000;
    record_add(&session.recorder, &shown, session.seconds[session.count++]);
    scene_finish(&shown.scene);
    explorer_advance(session.explorer, FRAME);
}

static void pass(double seconds) {
    for (double left = seconds * 1000; left > 0; left -= FRAME)
        show();
}

/* Returns the largest distance of the tour from the views at their times [frame heights], and sets
 * the number of its shots. `joined`: those about the same pivot are joined. */
static double farthest(const struct path *path, bool joined, double until_s, size_t *shots) {
    struct tour tour;
    struct view view;
    double most = 0;
    const struct tour_options options = {.aspect = (double)WIDTH / HEIGHT, .speed = TOUR_SPEED};
    CHECK(tour_init(&tour, path, &options) && (!joined || tour_join(&tour, true)));
    *shots = tour.count;
    view_init(&view);
    for (int i = 0; i < session.count && session.seconds[i] <= until_s; i++) {
        tour_view(&tour, session.seconds[i] - session.seconds[0], &view);
        const struct similarity way =
            similarity_between(&session.views[i], HEIGHT_UNIT, &view, HEIGHT_UNIT);
        const int width = HEIGHT_UNIT * WIDTH / HEIGHT;
        most = fmax(most, similarity_displacement(way, width, HEIGHT_UNIT) / HEIGHT_UNIT);
    }
    view_finish(&view);
    tour_finish(&tour);
    return most;
}

/* Ends the recording, and checks the path, its number of stops and that of its joined shots. */
static void check(const char *what, size_t least, size_t most, size_t most_joined, double close) {
    struct path path;
    const double seconds = record_seconds(&session.recorder);
    CHECK(record_finish(&session.recorder, &path));
    double sum = 0;
    for (size_t i = 0; i < path.count; i++)
        sum += path.stops[i].hold + path.stops[i].seconds;
    size_t shots, joined;
    const double far = farthest(&path, false, INFINITY, &shots);
    const double far_joined = farthest(&path, true, INFINITY, &joined);
    printf("%s: %zu stops, %zu of %zu shots, %.3f and %.3f heights away, %.2f of %.2f s\n", what,
           path.count, joined, shots, far, far_joined, sum, seconds);
    CHECK(path.count >= least && path.count <= most);
    CHECK(joined <= most_joined);
    CHECK(far <= close && far_joined <= close + 0.001);
    CHECK(fabs(sum - seconds) < 0.11);
    path_finish(&path);
    for (int i = 0; i < session.count; i++)
        view_finish(&session.views[i]);
}

static void check_nothing(void) {
    struct path path;
    EXPLORER(explorer, "3");
    begin(&explorer);
    CHECK(!record_finish(&session.recorder, &path)); /* not even a view */
    pass(2);
    CHECK(!record_finish(&session.recorder, &path) && path.count == 0);
    for (int i = 0; i < session.count; i++)
        view_finish(&session.views[i]);
}

static void check_held_zoom(const char *zoom) {
    EXPLORER(explorer, zoom);
    begin(&explorer);
    pass(1);
    apply(&explorer, ACTION_POINT, 500, 100, 0);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, 1);
    pass(6);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, 0);
    pass(2);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, -1);
    pass(1);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, 0);
    pass(0.2);
    check(zoom, 4, 12, 4, CLOSE);
}

static void check_wheel(void) {
    EXPLORER(explorer, "3");
    begin(&explorer);
    for (int i = 0; i < 8; i++) {
        apply(&explorer, ACTION_ZOOM, 60.0 * i, 300 - 30.0 * i, i % 3 ? 1 : -1);
        pass(0.7);
    }
    check("wheel", 9, 50, 12, CLOSE_QUICK);
}

/* Zooms at one place, notch by notch. */
static void check_straight(void) {
    EXPLORER(explorer, "3");
    begin(&explorer);
    for (int i = 0; i < 12; i++) {
        apply(&explorer, ACTION_ZOOM, 500, 100, 1);
        pass(0.15 + 0.1 * (i % 3));
    }
    pass(1);
    check("straight", 9, 60, 1, CLOSE_QUICK);
}

static void check_drag(void) {
    EXPLORER(explorer, "50");
    begin(&explorer);
    apply(&explorer, ACTION_GRAB, 300, 200, 0);
    for (int i = 0; i < 90; i++) { /* in a circle */
        const double turn = 2 * M_PI * i / 90;
        explorer_apply(&explorer, &(struct action){.kind = ACTION_DRAG,
                                                   .x = round(6 * cos(turn)),
                                                   .y = round(6 * sin(turn))});
        show();
    }
    apply(&explorer, ACTION_DRAG_END, 1, 0.5, 0); /* it glides */
    pass(2);
    check("drag", 6, 18, 18, CLOSE);
}

static void check_rotation(void) {
    EXPLORER(explorer, "50");
    begin(&explorer);
    for (int i = 0; i < 24; i++) {
        apply(&explorer, ACTION_TURN, 0, 0, 15);
        pass(0.25);
    }
    check("rotation", 3, 90, 1, CLOSE_QUICK);
}

/* Zooms and moves at once. */
static void check_steering(void) {
    EXPLORER(explorer, "50");
    begin(&explorer);
    explorer_apply(&explorer, &(struct action){.kind = ACTION_STEER, .x = 0.6, .amount = 0.4});
    pass(2);
    explorer_apply(&explorer, &(struct action){.kind = ACTION_STEER});
    pass(1);
    check("steering", 3, 8, 5, CLOSE);
}

static void check_look(void) {
    struct path path;
    size_t shots;
    EXPLORER(explorer, "3");
    begin(&explorer);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, 1);
    pass(2);
    step(&explorer, SETTING_PALETTE, 1);
    pass(2);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, 0);
    pass(1);
    CHECK(farthest(&session.recorder.path, false, 1.9, &shots) <= CLOSE);
    CHECK(record_finish(&session.recorder, &path));
    size_t changes = 0;
    for (size_t i = 1; i < path.count; i++)
        changes += path.stops[i].scene.palette != path.stops[i - 1].scene.palette;
    CHECK(changes == 1 && path.count <= 14);
    CHECK(path.stops[0].scene.palette == palette_at(0));
    CHECK(path.stops[path.count - 1].scene.palette == explorer.scene.palette);
    path_finish(&path);
    for (int i = 0; i < session.count; i++)
        view_finish(&session.views[i]);
}

/* A jump gets a way that the tour chooses, and the file is read back. */
static void check_jump(void) {
    struct path path, read = {0};
    struct scene there;
    const char *why;
    size_t shots;
    EXPLORER(explorer, "1e20");
    begin(&explorer);
    pass(1);
    scene_init(&there);
    CHECK(view_set_centre(&there.view, "0.25", "0.5", 0, &why) &&
          view_set_zoom(&there.view, "1e12", &why));
    explorer_set_scene(&explorer, &there);
    pass(1);
    CHECK(record_finish(&session.recorder, &path) && path.count == 2);
    CHECK(path.stops[1].seconds == 0 && path.stops[0].hold > 0.5 && path.stops[1].hold > 0.5);
    remove("jump.fathom-path");
    CHECK(path_save(&path, "jump.fathom-path") && path_load(&read, "jump.fathom-path"));
    CHECK(read.count == 2 && view_equal(&read.stops[1].scene.view, &explorer.scene.view));
    CHECK(farthest(&path, false, 0.9, &shots) < 1e-9);
    path_finish(&path);
    path_finish(&read);
    for (int i = 0; i < session.count; i++)
        view_finish(&session.views[i]);
}

/* The number of stops is bounded. */
static void check_full(void) {
    struct path path;
    EXPLORER(explorer, "3");
    struct path_recorder recorder = {.aspect = 1};
    for (int i = 0; !recorder.full && i < 4 * RECORD_STOPS_MAX; i++) {
        struct history_state shown;
        steps_remember(&explorer, &shown);
        view_pan(&shown.scene.view, i % 2 ? 0.4 * HEIGHT : 0, 0, HEIGHT);
        record_add(&recorder, &shown, 0.11 * i);
        scene_finish(&shown.scene);
    }
    CHECK(recorder.full);
    CHECK(record_finish(&recorder, &path));
    CHECK(path.count <= RECORD_STOPS_MAX && path.count > RECORD_STOPS_MAX - 4);
    path_finish(&path);
}

int main(void) {
    check_nothing();
    check_held_zoom("3");
    check_held_zoom("1e100");
    check_wheel();
    check_straight();
    check_drag();
    check_rotation();
    check_steering();
    check_look();
    check_jump();
    check_full();
    return failures > 0;
}
