/* Golden motion: after any sequence of moves the picture at rest equals, byte for byte, one that a
 * fresh request draws. Random scripts of zooms, holds, drags, slides, turns, limits and palettes
 * run through the explorer and the window's picture, in time steps that do not wait for
 * pictures. */
#include "render/backend.h"
#include "tests/shared/random.h"
#include <time.h>

#define WIDTH        96
#define HEIGHT       62
#define PIXELS       ((size_t)WIDTH * HEIGHT)
#define SHOWN_PIXELS (16 * PIXELS) /* room for pictures in motion */
#include "tests/shared/one_picture.h"

#define FRAME_MS 16.0
#define MOVES    12
/* Scripts per backend, unless the second argument sets their number. */
#define SCRIPTS 60

/* Backends to test: those of tests/gpu, unless the build defines others. */
#ifndef PICTURES_BACKENDS
#define PICTURES_BACKENDS host_backends
#endif
extern const struct backend_impl *const PICTURES_BACKENDS[];

static struct messages messages;
static struct active_backend *active;
static struct explorer explorer;
static struct picture picture;
static struct backend *judge;

static double part(void) {
    return (double)(random_bits() >> 11) * 0x1p-53;
}

static void learn(bool ok, const struct findings *found) {
    CHECK(ok);
    explorer_learn(&explorer, found);
}

/* Does a turn of the window's loop. */
static void turn(double poll_ms) {
    struct findings found;
    explorer_advance(&explorer, FRAME_MS);
    picture_set_pace(&picture, FRAME_MS, 0);
    const struct backend_info info = active_backend_info(active);
    explorer_set_backend(&explorer, &info);
    learn(picture_poll(&picture, poll_ms, &found), &found);
    const bool moves = picture_wants_motion(&picture);
    if (!moves && picture_in_motion(&picture))
        explorer_redraw(&explorer, false);
    if (moves ? picture_worth_finishing(&picture) : !explorer.changed)
        return;
    explorer_begin_request(&explorer);
    learn(picture_submit(&picture, true, &found), &found);
}

static void act(enum action_kind kind, double x, double y, double amount) {
    struct action action = {.kind = kind, .x = x, .y = y, .amount = amount};
    action.from_x = WIDTH * part();
    action.from_y = HEIGHT * part();
    explorer_apply(&explorer, &action);
}

static void step(enum setting_id id, double steps) {
    explorer_apply(&explorer,
                   &(struct action){.kind = ACTION_STEP, .setting = id, .amount = steps});
}

static void move(void) {
    const double x = WIDTH * part(), y = HEIGHT * part();
    switch (random_bits() % 12) {
    case 0:
    case 1:
    case 2:
        act(ACTION_ZOOM, x, y, part() < 0.6 ? 1 : -1);
        break;
    case 3:
    case 4:
        act(ACTION_POINT, x, y, 0);
        act(ACTION_GLIDE_ZOOM, 0, 0, part() < 0.6 ? 1 : -1);
        break;
    case 5:
        act(ACTION_LET_GO, 0, 0, 0);
        break;
    case 6:
        act(ACTION_DRAG, (int)(9 * part()) - 4, (int)(9 * part()) - 4, 0);
        act(ACTION_DRAG_END, part() < 0.5 ? 0 : 0.3 * part(), 0, 0);
        break;
    case 7:
        act(ACTION_SLIDE, part() < 0.5 ? 1 : 0, part() < 0.5 ? -1 : 0, 0);
        break;
    case 8:
        act(ACTION_TURN, 0, 0, part() < 0.5 ? 15 : -90);
        break;
    case 9:
        step(SETTING_LIMIT, part() < 0.5 ? 1 : -1);
        break;
    case 10:
        step(SETTING_PALETTE, 1);
        break;
    default:
        act(part() < 0.5 ? ACTION_UNDO : ACTION_CENTRE, x, y, 1);
    }
}

/* Lets the picture come to rest, and compares. */
static bool check_rest(uint64_t seed) {
    static uint32_t want[PIXELS];
    struct backend_report report;
    const struct target target = {.rgba = want, .at_once = true};
    act(ACTION_LET_GO, 0, 0, 0);
    for (int i = 0; explorer_moving(&explorer) || explorer.changed || !picture_complete(&picture);
         i++) {
        turn(5);
        if (i > 20000) {
            printf("seed %llu: it does not come to rest\n", (unsigned long long)seed);
            return false;
        }
    }
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    explorer_request(&explorer, &req);
    req.reuse = false;
    CHECK(backend_draw(judge, &req, &target, NULL, NULL, &report));
    for (size_t i = 0; i < PIXELS; i++)
        if (want[i] != shown.pixels[i]) {
            printf("seed %llu: pixel %zu, %zu is %08x, not %08x\n", (unsigned long long)seed,
                   i % WIDTH, i / WIDTH, shown.pixels[i], want[i]);
            return false;
        }
    return true;
}

static bool run(uint64_t seed) {
    static const char *const places[][3] = {
        {"-0.5", "0", "1.5"},
        {"-0.743643887037158704752191506114774", "0.1318259043", "300"},
        {"-1.7548776662466927", "0.0000000001", "5000"},
        {"0.2925755", "-0.0149977", "2e6"},
    };
    struct scene scene;
    const char *why;
    random_seed(seed);
    scene_init(&scene);
    const size_t place = random_bits() % (sizeof places / sizeof *places);
    CHECK(view_set_centre(&scene.view, places[place][0], places[place][1], 0, &why) &&
          view_set_zoom(&scene.view, places[place][2], &why));
    scene.limit = 200;
    explorer_init(&explorer, &scene, WIDTH, HEIGHT);
    explorer_configure(&explorer, SHORTCUTS_ALL, random_bits() % 2, false, true, 1);
    picture_init(&picture, NULL, active, &explorer);
    bool ok = true;
    for (int rests = 0; ok && rests < 2; rests++) {
        for (int i = 0; i < MOVES; i++) {
            move();
            for (int turns = (int)(8 * part()); turns >= 0; turns--)
                turn(part() < 0.5 ? 0 : 3 * part());
        }
        ok = check_rest(seed);
    }
    picture_finish(&picture);
    explorer_finish(&explorer);
    return ok;
}

int main(int argc, char **argv) {
    const struct backend_options options = {.cpumask = ~0u, .threads = 2};
    const char *name = argc > 1 ? argv[1] : "scalar";
    const bool slow = strcmp(name, "host") == 0; /* steps of orbits take long there */
    const uint64_t scripts = argc > 2 ? strtoull(argv[2], NULL, 10) : slow ? SCRIPTS / 30 : SCRIPTS;
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    judge = backend_open(PICTURES_BACKENDS, "scalar", &options);
    active = active_backend_create(PICTURES_BACKENDS, name, &options, &messages);
    if (!judge || !active)
        return 77;
    while (active_backend_starting(active)) { /* another backend draws meanwhile */
        active_backend_update(active);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    CHECK(strcmp(active_backend_info(active).name, name) == 0);
    for (uint64_t seed = first; seed < first + scripts && failures < 5; seed++)
        CHECK(run(seed));
    printf("%llu scripts on %s, %d pictures in motion\n", (unsigned long long)scripts, name,
           shown.in_motion);
    CHECK(shown.in_motion > 0 || !(active_backend_info(active).caps & BACKEND_CAP_LINES));
    active_backend_destroy(active);
    backend_close(judge);
    return failures > 0;
}
