/* Shortcuts, methods and raised limits, on every backend that can run here: no choice changes a
 * byte, and skipped steps are accounted for.
 * usage: check_methods [NAME [SEED [TURNS]]]   (77: NAME cannot run on this machine)
 * More TURNS try more views and limits; a failure prints its seed and turn. */
#include "tests/shared/formulas.h"
#include "tests/shared/pictures.h"
#include "tests/shared/random.h"
#include <inttypes.h>
#include <math.h>

#define WIDTH  97
#define HEIGHT 71
/* Number of turns, and number of turns on one backend: the next backend has another number of
 * threads. */
#ifdef TEST_SANITIZED
#define TURNS          15
#define TURNS_TOGETHER 3
#else
#define TURNS          40
#define TURNS_TOGETHER 8
#endif

#define GPU_YOUNG                                                                                  \
    40 /* steps before a GPU tests for the cardioid: ORBIT_YOUNG of gpu/kernels/orbit.h */

static uint64_t seed, turns; /* from the command line */

static const struct place places[] = {
    {"-0.5", "0", "1.5", 0, 0},
    {"-0.1", "0", "1e4", 0, 0},
    {"-0.75", "0", "40", 0, 0},
    {"0.25", "0", "1e4", 0, 0},
    {"-1.25", "0", "300", 0, 0},
    {"-0.7453", "0.1127", "1300", 0, 0},
    {"-0.743643887037151", "0.131825904205330", "1e6", 0, 0},
    {"-2", "0", "1e8", 0, 0},
    {"-2", "0", "3", 0, 0},
    {"0", "1", "100", 33, 0},
    {"0", "0", "1e-3", 0, 0},
    {"0", "0", "1e300", 0, 0},
    {"-1", "0", "1e17", 0, 0},
    {"-1.7548776662466927", "0", "200", 0, 0},
};

static const uint32_t limits[] = {0,  1,  2,  7,  8,  9,  15,  16,  17,  31,   32,
                                  33, 63, 64, 65, 95, 96, 127, 128, 129, 1000, 3001};

static const struct place *random_place(void) {
    return &places[random_bits() % (sizeof places / sizeof *places)];
}

/* Returns a random limit; wide numbers iterate slowly, so their limits are at most 300. */
static uint32_t random_limit(enum number_type type) {
    const uint32_t most = type == TYPE_WIDE ? 300 : 5000;
    if (random_bits() % 3)
        return limits[random_bits() % (sizeof limits / sizeof *limits)] % most;
    return (uint32_t)random_bits() % most;
}

static void randomise(struct frame_req *req) {
    req->method = (enum method)(random_bits() % METHOD_COUNT);
    req->shortcuts = random_bits() % (SHORTCUTS_ALL + 1);
    req->first_stride = 1 << (random_bits() % 5);
    req->focus_x_px = (int)(random_bits() % WIDTH);
    req->focus_y_px = (int)(random_bits() % HEIGHT);
    req->generation++;
}

static void tell(const char *what, const struct frame_req *req) {
    printf("  %s: formula %d, %s, %s, shortcuts %u, limit %" PRIu32 ", first stride %d\n", what,
           (int)req->fractal.formula, number_type_name(req->type), method_names[req->method],
           req->shortcuts, req->limit, req->first_stride);
}

/* Checks that executed and skipped steps add up to the counts of all drawn samples, and that only
 * interior samples skip steps. On the CPU the sum is true by subtraction: check_tiles and
 * check_costs judge the skipped steps there. */
static bool account(const struct frame_req *req, const struct picture *picture) {
    uint64_t steps = 0, interior = 0;
    for (size_t i = 0; i < picture->pixels; i++) {
        steps += picture->target.planes.count[i] & SAMPLE_COUNT_MASK;
        interior += picture->target.planes.count[i] & SAMPLE_INTERIOR ? req->limit : 0;
    }
    const struct backend_report *report = &picture->report;
    if (report->iterations + report->skipped == steps && report->skipped <= interior &&
        (req->shortcuts != SHORTCUTS_NONE || report->skipped == 0))
        return true;
    printf("%s: %" PRIu64 " steps executed and %" PRIu64 " skipped are not %" PRIu64 "\n", subject,
           report->iterations, report->skipped, steps);
    return false;
}

static bool check_fresh(struct backend *judge, struct backend *backend, struct frame_req *req,
                        struct picture *want, struct picture *got) {
    randomise(req);
    req->reuse = false;
    const bool ok = judge_draw(judge, req, want) && draw(backend, req, got) &&
                    same(want, got, "drawn afresh") && account(req, got);
    if (!ok)
        tell("afresh", req);
    return ok;
}

/* Submits a request and abandons it soon after. */
static bool interrupt(struct backend *backend, const struct frame_req *req,
                      struct picture *picture) {
    CHECK(backend_submit(backend, req, &picture->target));
    for (uint64_t polls = random_bits() % 4; polls > 0; polls--)
        backend_poll(backend, (double)(random_bits() % 3));
    if (random_bits() % 2)
        backend_cancel(backend);
    return true;
}

/* Raises the limit several times. In between, the view moves, the method changes and pictures are
 * abandoned. Each complete picture must equal a picture drawn afresh. */
static bool check_raised(struct backend *judge, struct backend *backend, struct frame_req *req,
                         struct picture *want, struct picture *got) {
    req->reuse = true;
    req->limit = random_limit(req->type) % 100;
    for (int i = 0; i < 6; i++) {
        randomise(req);
        req->reuse = random_bits() % 4 != 0;
        if (random_bits() % 3 == 0)
            view_pan(&req->view, (double)(random_bits() % 21) - 10,
                     (double)(random_bits() % 21) - 10, req->height_px);
        if (random_bits() % 3 == 0) {
            if (!interrupt(backend, req, got))
                return false;
        } else if (!judge_draw(judge, req, want) || !draw(backend, req, got) ||
                   !same(want, got, "raised")) {
            tell("raised", req);
            return false;
        }
        if (random_bits() % 4)
            req->limit += random_limit(req->type);
    }
    return true;
}

/* Checks that a raised limit costs only the additional steps. */
static bool check_spared(struct backend *backend, struct frame_req *req, struct picture *got) {
    set_place(req, &(struct place){"-0.1", "0", "1e4", 0, 1000});
    req->method = METHOD_TILES;
    req->shortcuts = SHORTCUTS_NONE;
    req->first_stride = 1;
    req->reuse = true;
    req->generation++;
    CHECK(draw(backend, req, got));
    req->limit = 1500;
    req->generation++;
    CHECK(draw(backend, req, got));
    CHECK(got->report.iterations == 500 * (uint64_t)got->pixels);
    return true;
}

/* Checks the cost of shortcuts. Points proved by a formula cost nothing, or a GPU's first steps,
 * which precede its test. A cycle costs the steps until it is found, whatever the limit is. */
static bool check_costs(struct backend *backend, struct frame_req *req, struct picture *got) {
    static const uint32_t high[] = {20000, 50000};
    const uint64_t all = 1000 * (uint64_t)got->pixels,
                   first = on_gpu() ? GPU_YOUNG * (uint64_t)got->pixels : 0;
    uint64_t cost[2];
    set_place(req, &(struct place){"-0.1", "0", "1e4", 0, 1000});
    req->type = TYPE_DOUBLE;
    req->reuse = false;
    req->shortcuts = SHORTCUTS_CARDIOID;
    req->generation++;
    CHECK(draw(backend, req, got));
    CHECK(got->report.iterations <= first && got->report.skipped == all - got->report.iterations);
    if (on_gpu()) /* GPUs look for cycles in rounds of their own */
        return true;
    req->shortcuts = SHORTCUTS_CYCLE;
    for (int i = 0; i < 2; i++) {
        req->limit = high[i];
        req->generation++;
        CHECK(draw(backend, req, got));
        cost[i] = high[i] * (uint64_t)got->pixels - got->report.skipped;
    }
    if (cost[0] != cost[1])
        printf("%s: cycles cost %" PRIu64 " steps at one limit, %" PRIu64 " at another\n", subject,
               cost[0], cost[1]);
    CHECK(cost[0] == cost[1] && cost[0] > 40 * (uint64_t)got->pixels);
    return true;
}

/* Checks that the steps of a raised limit that was cancelled are not repeated. */
static bool check_given_up(struct backend *backend) {
    const uint32_t low = 100, high = 30000;
    SCOPED(frame_req, req, 320, 256);
    SCOPED(picture, picture, 320, 256);
    const double needed = (double)(high - low) * (double)picture.pixels;
    set_place(&req, &(struct place){"-0.1", "0", "1e4", 0, low});
    req.shortcuts = SHORTCUTS_NONE;
    bool ok = draw(backend, &req, &picture);
    req.limit = high;
    req.generation++;
    ok = ok && backend_submit(backend, &req, &picture.target);
    struct backend_report report = {.state = BACKEND_BUSY};
    while (ok && report.state == BACKEND_BUSY && (double)report.iterations < 0.7 * needed)
        report = backend_poll(backend, 1);
    backend_cancel(backend);
    req.generation++;
    ok = ok && draw(backend, &req, &picture);
    if (ok && (double)picture.report.iterations > 0.5 * needed) {
        printf("%s: a raise given up at %.0f%% cost %.0f%% again\n", subject,
               100 * (double)report.iterations / needed,
               100 * (double)picture.report.iterations / needed);
        ok = false;
    }
    return ok;
}

/* Checks that a picture that is cancelled at any moment leaves no wrong samples behind. */
static bool check_abandoned(struct backend *backend) {
    const bool gpu = strcmp(subject, "cuda") == 0; /* large enough to cancel during a launch */
    const int width = gpu ? 1280 : 160, height = gpu ? 720 : 90;
    SCOPED(frame_req, req, width, height);
    SCOPED(frame_req, other, width, height);
    set_place(&req, &(struct place){"-0.1", "0", "1e4", 0, gpu ? 1500 : 300});
    set_place(&other, &(struct place){"-0.5", "0", "1.5", 0, 100});
    req.shortcuts = SHORTCUTS_NONE;
    other.reuse = false;
    SCOPED(picture, want, width, height);
    SCOPED(picture, got, width, height);
    bool ok = draw(backend, &req, &want);
    for (int i = 0; ok && i < (gpu ? 80 : 6); i++) {
        ok = draw(backend, &other, &got) && backend_submit(backend, &req, &got.target);
        backend_poll(backend, 0.02 * i);
        backend_cancel(backend);
        ok = ok && draw(backend, &req, &got) && same(&want, &got, "given up, and drawn again");
    }
    return ok;
}

/* Checks pictures with more pixels than a GPU keeps states for (a band,
 * gpu/escape/device_buffers.c): a raised limit, a pan, both. */
static bool check_large(const char *name, struct backend *backend) {
    enum { LARGE_WIDTH = 6000, LARGE_HEIGHT = 7000 };
    struct backend *other = open_ready(name, plain);
    SCOPED(frame_req, req, LARGE_WIDTH, LARGE_HEIGHT);
    SCOPED(picture, want, LARGE_WIDTH, LARGE_HEIGHT);
    SCOPED(picture, got, LARGE_WIDTH, LARGE_HEIGHT);
    set_place(&req, &(struct place){"-0.743643887037151", "0.131825904205330", "1e6", 0, 500});
    bool ok = other && draw(backend, &req, &got);
    for (int i = 0; ok && i < 3; i++) {
        static const char *const what[] = {"large, raised", "large, panned", "large, both"};
        req.limit += i == 1 ? 0 : 700;
        if (i > 0)
            view_pan(&req.view, 13, -7 * i, req.height_px);
        req.generation++;
        struct frame_req fresh = req;
        fresh.reuse = false;
        ok = draw(backend, &req, &got) && draw(other, &fresh, &want) && same(&want, &got, what[i]);
    }
    backend_close(other);
    return ok;
}

#define TILE_PX 64 /* [px] size of the CPU's tiles */

/* Computes the distance from the focus of the farthest tile that is drawn, and of the nearest tile
 * that is missing. */
static void tile_distances(const struct frame_req *req, const struct picture *picture, double *done,
                           double *missing) {
    *done = 0;
    *missing = INFINITY;
    for (int y = TILE_PX / 2; y < req->height_px; y += TILE_PX)
        for (int x = TILE_PX / 2; x < req->width_px; x += TILE_PX) {
            const double distance = hypot(x - req->focus_x_px, y - req->focus_y_px);
            if (picture->target.rgba[y * req->width_px + x])
                *done = fmax(*done, distance);
            else
                *missing = fmin(*missing, distance);
        }
}

/* Checks that a single worker draws the tiles nearest to the focus first. */
static bool check_order(const char *name) {
    enum { SIDE = 4 * TILE_PX };
    struct backend_options options = plain;
    bool ok = true;
    options.threads = 1;
    struct backend *backend = open_ready(name, options);
    CHECK(backend);
    SCOPED(frame_req, req, SIDE, SIDE);
    SCOPED(picture, picture, SIDE, SIDE);
    set_place(&req, &(struct place){"-0.1", "0", "1e4", 0, 5000});
    req.shortcuts = SHORTCUTS_NONE;
    req.focus_x_px = SIDE - TILE_PX - 9;
    req.focus_y_px = SIDE - 7;
    memset(picture.target.rgba, 0, picture.pixels * sizeof *picture.target.rgba);
    CHECK(backend_submit(backend, &req, &picture.target));
    while (ok && backend_poll(backend, 50).state == BACKEND_BUSY) {
        double done, missing;
        tile_distances(&req, &picture, &done, &missing);
        if (done > missing)
            printf("%s: a tile %.0f pixels from the focus came before one at %.0f\n", name, done,
                   missing);
        ok = done <= missing;
    }
    backend_close(backend);
    return ok;
}

static bool check_turn(struct backend *judge, struct backend *backend, const struct place *place) {
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    set_place(&req, place);
    req.type = (enum number_type)(random_bits() % TYPE_COUNT);
    req.limit = random_limit(req.type);
    set_formula(&req, random_bits());
    SCOPED(picture, want, WIDTH, HEIGHT);
    SCOPED(picture, got, WIDTH, HEIGHT);
    return check_fresh(judge, backend, &req, &want, &got) &&
           check_raised(judge, backend, &req, &want, &got);
}

static bool check_resumed(struct backend *backend) {
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED(picture, got, WIDTH, HEIGHT);
    return check_spared(backend, &req, &got) && check_costs(backend, &req, &got);
}

/* Runs some turns on one backend, with a number of threads that depends on the turn. */
static bool check_turns(struct backend *judge, const char *name, uint64_t from, uint64_t to) {
    const size_t count = sizeof places / sizeof *places;
    struct backend_options options = plain;
    options.threads = (int)(from / TURNS_TOGETHER % 5);
    struct backend *backend = open_ready(name, options);
    bool ok = backend != NULL;
    for (uint64_t turn = from; ok && turn < to; turn++) {
        random_seed(seed + turn);
        ok = check_turn(judge, backend, turn < count ? &places[turn] : random_place());
        if (!ok)
            printf("%s failed with seed %" PRIu64 ", turn %" PRIu64 "\n", name, seed, turn);
    }
    backend_close(backend);
    return ok;
}

static bool check_special(const char *name) {
    const bool gpu = strcmp(name, "cuda") == 0;
    struct backend *backend = open_ready(name, plain);
    bool ok = backend && check_resumed(backend) &&
              (turns < TURNS || check_given_up(backend)) && /* sanitizers make it too slow */
              (on_gpu() || check_order(name)) &&            /* a GPU draws rows of tiles */
              check_abandoned(backend) && (!gpu || turns < TURNS || check_large(name, backend));
    backend_close(backend);
    return ok;
}

static bool check_backend(const char *name) {
    struct backend *judge = open_judge();
    bool ok = judge != NULL;
    for (uint64_t turn = 0; ok && turn < turns; turn += TURNS_TOGETHER) {
        const uint64_t end = turn + TURNS_TOGETHER;
        ok = check_turns(judge, name, turn, end < turns ? end : turns);
    }
    ok = ok && check_special(name);
    backend_close(judge);
    return ok;
}

int main(int argc, char **argv) {
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    const bool slow = argc > 1 && strcmp(argv[1], "scalar") == 0; /* see open_judge */
    turns = argc > 3 ? strtoull(argv[3], NULL, 0) : slow ? TURNS / 3 : TURNS;
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend,
                              "give the same bytes by every method");
}
