/* Storms of deep views: hundreds of wheel turns, pans, jumps, cancels, raised limits, resizes and
 * number types in a row, at every depth down to 1e600. The last picture must have the bytes that a
 * new backend draws.
 * usage: check_storm [NAME [SECONDS [SEED]]]   (77: NAME cannot run on this machine) */
#include "render/base/clock.h"
#include "render/files/scene.h"
#include "render/plan.h"
#include "tests/shared/pictures.h"
#include "tests/shared/random.h"
#include <math.h>

#define WIDTH_MOST  64
#define HEIGHT_MOST 48
#define EVENTS      150 /* number of events in a storm */
#define FINEST_LOG2 (-2000)
#define LIMIT_MOST  20000

static double seconds = 1.5;
static uint64_t seed = 1;

struct storm {
    struct backend *backend;
    struct frame_req req;
    struct picture picture;
    bool forced; /* direct route, whatever the planner chooses */
};

/* Jumps to a known place, at a random zoom up to the place's own. */
static void jump(struct storm *s) {
    static const char *const places[] = {"1e14", "5e113", "1e50", "4e533"};
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/locations/%s.fathom", getenv("FATHOM_SOURCE"),
             places[random_below(4)]);
    SCOPED(scene, scene);
    if (!scene_load(&scene, path))
        abort();
    view_assign(&s->req.view, &scene.view);
    const double out = -view_step_log2(&scene.view, HEIGHT_MOST) * random_below(1000) / 1000;
    view_zoom_at(&s->req.view, exp2(fmax(-out, -1000)), WIDTH_MOST / 2, HEIGHT_MOST / 2, WIDTH_MOST,
                 HEIGHT_MOST);
}

static void turn_wheel(struct storm *s) {
    static const double factors[] = {2, 0.5, 1.25, 0.8, 4, 0x1p40, 0x1p-40};
    struct frame_req *req = &s->req;
    view_zoom_at(&req->view, factors[random_below(7)], random_below(WIDTH_MOST),
                 random_below(HEIGHT_MOST), req->width_px, req->height_px);
    if (view_step_log2(&req->view, req->height_px) < FINEST_LOG2)
        view_zoom_at(&req->view, 0x1p-600, 0, 0, req->width_px, req->height_px);
}

static void choose_type(struct storm *s) {
    static const enum number_type types[] = {TYPE_FLOAT, TYPE_DOUBLE, TYPE_WIDE};
    struct frame_req *req = &s->req;
    const struct backend_info info = backend_info(s->backend);
    const struct plan_input in = {.view = &req->view,
                                  .width_px = req->width_px,
                                  .height_px = req->height_px,
                                  .limit = req->limit,
                                  .types = info.types,
                                  .fractal = &req->fractal};
    const struct plan plan = plan_frame(&in);
    const enum number_type type = types[random_below(3)];
    const bool forced = s->forced && info.types[ROUTE_DIRECT] >> type & 1;
    req->route = forced ? ROUTE_DIRECT : plan.route;
    req->type = forced ? type : plan.type;
    req->widen = !forced && plan.widen;
}

static void resize(struct storm *s) {
    s->req.width_px = WIDTH_MOST - 8 * random_below(4);
    s->req.height_px = HEIGHT_MOST - 8 * random_below(4);
    s->picture.pixels = (size_t)s->req.width_px * (size_t)s->req.height_px;
}

/* Changes the request in one respect. */
static void happen(struct storm *s) {
    struct frame_req *req = &s->req;
    switch (random_below(16)) {
    case 0:
        jump(s);
        break;
    case 1:
        req->limit =
            req->limit * 2 <= LIMIT_MOST ? req->limit * 2 : 100 + (uint32_t)random_below(1000);
        break;
    case 2:
        resize(s);
        break;
    case 3:
        s->forced = random_below(4) == 0;
        break;
    case 4:
        req->view.angle = random_below(2) ? 0 : random_below(6) * 0.5;
        break;
    case 5:
    case 6:
    case 7:
        view_pan(&req->view, random_below(41) - 20, random_below(41) - 20, req->height_px);
        break;
    default:
        turn_wheel(s);
    }
    choose_type(s);
    req->generation++;
}

/* Submits requests one after the other, without waiting, and completes the last. */
static bool storm(struct storm *s) {
    for (int i = 0; i < EVENTS; i++) {
        if (random_below(12) == 0)
            backend_cancel(s->backend);
        happen(s);
        CHECK(backend_submit(s->backend, &s->req, &s->picture.target));
        if (random_below(3) == 0)
            CHECK(backend_poll(s->backend, random_below(8)).state != BACKEND_LOST);
    }
    struct backend_report report;
    do
        report = backend_poll(s->backend, 50);
    while (report.state == BACKEND_BUSY);
    CHECK(report.generation == s->req.generation);
    return true;
}

/* Compares the picture with the picture of a new backend. */
static bool is_fresh(struct storm *s, const char *name) {
    struct backend *backend = open_ready(name, plain);
    CHECK(backend);
    SCOPED_COPY(frame_req, req, &s->req);
    req.reuse = false;
    SCOPED(picture, fresh, req.width_px, req.height_px);
    CHECK(draw(backend, &req, &fresh));
    if (!same(&s->picture, &fresh, "after a storm")) {
        printf("seed %llu, step 2^%.1f, limit %u, route %d, type %d, %d x %d, angle %g\n",
               (unsigned long long)seed, view_step_log2(&req.view, req.height_px), req.limit,
               (int)req.route, (int)req.type, req.width_px, req.height_px, req.view.angle);
        return false;
    }
    backend_close(backend);
    return true;
}

static bool check_backend(const char *name) {
    const double end = clock_ms() + seconds * 1000;
    struct storm s = {.backend = open_ready(name, plain)};
    unsigned storms = 0;
    random_seed(seed);
    CHECK(s.backend);
    frame_req_init(&s.req, WIDTH_MOST, HEIGHT_MOST);
    picture_init(&s.picture, WIDTH_MOST, HEIGHT_MOST);
    s.req.limit = 1000;
    s.req.reuse = true;
    do
        CHECK(storm(&s) && is_fresh(&s, name));
    while (++storms && clock_ms() < end);
    printf("%s: %u storms of %d views\n", name, storms, EVENTS);
    picture_finish(&s.picture);
    frame_req_finish(&s.req);
    backend_close(s.backend);
    return true;
}

int main(int argc, char **argv) {
    seconds = argc > 2 ? atof(argv[2]) : seconds;
    seed = argc > 3 ? strtoull(argv[3], NULL, 10) : seed;
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend, "draw pictures");
}
