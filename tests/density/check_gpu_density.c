/* Orbit density on a GPU: tests its own methods, which skip orbits by the cells of a view, and
 * count in 32 bits for a while. usage: check_gpu_density [SEED [VIEWS [NAME]]] (77: no GPU; VIEWS:
 * number of views, and nothing else is tested; NAME: backend, default cuda) */
#include "render/density/density_cells.h"
#include "render/density/density_sample.h"
#include "tests/density/plain_density.h"
#include "tests/shared/pictures.h"
#include "tests/shared/random.h"
#include <inttypes.h>
#include <math.h>

#define VIEWS 120

static void set_view(struct density_req *req, double re, double im, double zoom, double degrees) {
    char texts[3][40];
    const char *why;
    snprintf(texts[0], sizeof texts[0], "%.17g", re);
    snprintf(texts[1], sizeof texts[1], "%.17g", im);
    snprintf(texts[2], sizeof texts[2], "%.17g", zoom);
    if (!view_set_centre(&req->view, texts[0], texts[1], 0, &why) ||
        !view_set_zoom(&req->view, texts[2], &why) ||
        !view_set_angle_degrees(&req->view, degrees, &why))
        abort();
}

/* Makes the first `cells` cells of the order, or all for 0. */
static void make_cells(struct density_req *req, uint32_t cells) {
    req->cells = density_cells_create(&req->density);
    if (!req->cells)
        abort();
    if (cells > 0 && cells < req->cells->count)
        req->cells->count = cells;
}

/* Counts a request. *busy: the kernels' share of the time. */
static bool count_timed(struct backend *backend, const struct density_req *req,
                        struct density_counts *counts, double *busy) {
    struct backend_report report;
    CHECK(backend_density_submit(backend, req, NULL));
    do
        report = backend_poll(backend, 50);
    while (report.state == BACKEND_BUSY);
    CHECK(report.state == BACKEND_DONE && in_time(&report));
    CHECK(backend_density_read(backend, counts));
    *busy = report.device_ms / report.elapsed_ms;
    return true;
}

static bool count(struct backend *backend, const struct density_req *req,
                  struct density_counts *counts) {
    double busy;
    return count_timed(backend, req, counts, &busy);
}

/* --- bounds --- */

/* Makes a random request: few with the longest orbits, most with views at the set's edge. */
static void random_request(struct density_req *req) {
    static const uint32_t limits[] = {1, 7, 20, 63, 64, 65, 100, 200, 700, 3000};
    static const double angles[] = {0, 0, 90, -90, 180, 33};
    const double zoom = exp(random_unit() * 14 - 2), turn = random_unit() * 2 * M_PI;
    const double re = cos(turn) / 2 - cos(2 * turn) / 4, im = sin(turn) / 2 - sin(2 * turn) / 4;
    density_req_init(req, 1 + random_below(200), 1 + random_below(120));
    req->type = (enum number_type)random_below(TYPE_NATIVE_COUNT);
    req->density.least = random_below(4);
    req->density.random = random_bits();
    if (random_below(4) == 0)
        req->density.channels = 3;
    else if (random_below(4) == 0)
        req->density.orbits = DENSITY_BOUNDED;
    if (req->density.orbits == DENSITY_BOUNDED)
        req->density.least = 0;
    for (int i = 0; i < DENSITY_PLANES_MAX; i++)
        req->density.limit[i] = limits[random_below(sizeof limits / sizeof *limits)];
    set_view(req, random_below(3) == 0 ? random_unit() * 4 - 2 : re, random_below(3) == 0 ? 0 : im,
             zoom, angles[random_below(6)]);
}

static bool check_view(struct backend *backend) {
    SCOPED_BY(random_request, density_req, req);
    make_cells(&req, random_below(2) == 0 ? 0 : 1 + random_below(2000));
    req.samples = 60000;
    SCOPED_MADE(density_counts, want, &req);
    SCOPED_MADE(density_counts, got, &req);
    CHECK(count(backend, &req, &got));
    if (req.cells->count > 0)
        plain_density_count(&req, 0, got.samples / CLUMP_SAMPLES, &want);
    const size_t size = (size_t)got.width * (size_t)got.height * (size_t)got.planes;
    const bool same_counts = memcmp(want.count, got.count, size * sizeof *got.count) == 0;
    if (!same_counts || want.points != got.points)
        printf("%dx%d, %s, orbits %d, limits %u %u %u, least %u, %u cells: %" PRIu64
               " points of %" PRIu64 "\n",
               req.width_px, req.height_px, number_type_name(req.type), req.density.orbits,
               req.density.limit[0], req.density.limit[1], req.density.limit[2], req.density.least,
               req.cells->count, got.points, want.points);
    CHECK(same_counts && want.points == got.points && got.samples == 60032);
    return true;
}

/* --- counters --- */

/* Counts all points of long bounded orbits in one pixel: more than 32 bits can hold, at once and in
 * parts. */
static bool check_one_pixel(struct backend *backend, enum number_type type, double im) {
    enum { LIMIT = 300000 };
    SCOPED(density_req, req, 1, 1);
    req.type = type;
    req.density.orbits = DENSITY_BOUNDED;
    req.density.limit[0] = LIMIT;
    set_view(&req, 0, im, 0.01, 0);
    make_cells(&req, 0);
    SCOPED_MADE(density_counts, whole, &req);
    SCOPED_MADE(density_counts, part, &req);
    req.samples = 60032;
    CHECK(count(backend, &req, &whole));
    CHECK(whole.count[0] == whole.points && whole.points % LIMIT == 0);
    CHECK(whole.points > 2 * (uint64_t)UINT32_MAX);
    req.samples = 30016;
    CHECK(count(backend, &req, &part));
    req.start = &part;
    req.samples = whole.samples;
    CHECK(count(backend, &req, &part));
    CHECK(part.count[0] == whole.count[0] && part.points == whole.points);
    return true;
}

/* Counts short orbits until they exceed 32 bits. */
static bool check_many(struct backend *backend) {
    SCOPED(density_req, req, 2, 1);
    req.type = TYPE_FLOAT;
    req.density.limit[0] = 30;
    req.density.least = 1;
    set_view(&req, 0, 0, 0.01, 0);
    make_cells(&req, 0);
    SCOPED_MADE(density_counts, counts, &req);
    req.samples = (uint64_t)1 << 33;
    double busy;
    CHECK(count_timed(backend, &req, &counts, &busy));
    CHECK(busy > 0.1);
    CHECK(counts.count[0] + counts.count[1] == counts.points);
    CHECK(counts.points > 4 * (uint64_t)UINT32_MAX);
    /* The points per sample must be those of the first 2^24 samples, to a thousandth. */
    const double each = (double)counts.points / (double)req.samples;
    SCOPED_MADE(density_counts, few, &req);
    req.samples = 1 << 24;
    CHECK(count(backend, &req, &few));
    CHECK(fabs((double)few.points / (double)req.samples / each - 1) < 2e-3);
    return true;
}

/* Makes `side` by `side` cells near the real axis, within the cardioid, whose orbits never
 * escape. */
static void make_inner_cells(struct density_req *req, uint32_t side) {
    make_cells(req, 0);
    /* This list belongs to the test and is not shared. */
    uint32_t *order = (uint32_t *)(uintptr_t)req->cells->order;
    req->cells->count = 0;
    for (uint32_t row = 0; row < side; row++)
        for (uint32_t column = 0; column < side; column++)
            order[req->cells->count++] = ((4 + row) * CELLS_X + 440 + column) | CELLS_TEST;
}

/* Overlaps launches of nearly maximal size in one pixel: points in flight when a counter fills up
 * must count too. Few cells give many launches. */
static bool check_in_flight(struct backend *backend) {
    SCOPED(density_req, req, 1, 1);
    req.type = TYPE_FLOAT;
    req.density.orbits = DENSITY_BOUNDED;
    req.density.limit[0] = 64;
    set_view(&req, 0, 0, 0.01, 0);
    make_inner_cells(&req, 24);
    SCOPED_MADE(density_counts, counts, &req);
    req.samples = 1 << 29;
    CHECK(count(backend, &req, &counts));
    CHECK(counts.points > 7 * (uint64_t)UINT32_MAX);
    if (counts.count[0] != counts.points)
        printf("%s: %" PRIu64 " points of %" PRIu64 " are in the only pixel\n", subject,
               counts.count[0], counts.points);
    CHECK(counts.count[0] == counts.points);
    return true;
}

/* Counts so many long orbits that a launch ends before its list is empty; parts too small to fill
 * the list must give the same counts. */
static bool check_full_list(struct backend *backend, enum number_type type) {
    enum { SAMPLES = 1 << 25, PART = 1 << 18 };
    SCOPED(density_req, req, 64, 40);
    req.type = type;
    req.density.orbits = DENSITY_BOUNDED;
    req.density.limit[0] = 300;
    make_inner_cells(&req, 128);
    SCOPED_MADE(density_counts, whole, &req);
    SCOPED_MADE(density_counts, part, &req);
    req.samples = SAMPLES;
    CHECK(count(backend, &req, &whole));
    for (req.samples = PART; req.samples <= SAMPLES; req.samples += PART) {
        CHECK(count(backend, &req, &part));
        req.start = &part;
    }
    const size_t size = (size_t)part.width * (size_t)part.height * (size_t)part.planes;
    const bool same_counts = memcmp(whole.count, part.count, size * sizeof *part.count) == 0;
    if (!same_counts || whole.points != part.points)
        printf("%s: %s: %" PRIu64 " points at once, %" PRIu64 " in parts\n", subject,
               number_type_name(type), whole.points, part.points);
    CHECK(whole.samples == part.samples && same_counts && whole.points == part.points);
    req.start = NULL;
    return true;
}

static int views = VIEWS;
static uint64_t seed;

static bool check_gpu(const char *name) {
    subject = name;
    random_seed(seed);
    struct backend *backend = open_ready(name, plain);
    bool ok = backend != NULL;
    for (int i = 0; ok && i < views; i++)
        ok = check_view(backend);
    for (int type = 0; ok && views == VIEWS && type < TYPE_NATIVE_COUNT; type++)
        ok = check_one_pixel(backend, (enum number_type)type, 0) &&
             check_one_pixel(backend, (enum number_type)type, 0.125);
    for (int type = 0; ok && views == VIEWS && type < TYPE_NATIVE_COUNT; type++)
        ok = check_full_list(backend, (enum number_type)type);
    ok = ok && (views < VIEWS || (check_in_flight(backend) && check_many(backend)));
    if (!ok)
        printf("failed with seed %" PRIu64 "\n", seed);
    backend_close(backend);
    return ok;
}

int main(int argc, char **argv) {
    seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    views = argc > 2 ? atoi(argv[2]) : VIEWS;
    return check_each_backend(argc > 3 ? argv[3] : "cuda", check_gpu,
                              "count what bounds and counters are for");
}
