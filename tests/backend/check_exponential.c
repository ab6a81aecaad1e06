/* Exponential maps: every backend makes the samples of the judge, in every route and number type, in
 * parts and with offsets. The places of samples are those of the formula, and the counts are exact.
 * usage: check_exponential [NAME]   (77: NAME cannot run on this machine) */
#include "render/grid/coords.h"
#include "render/grid/exponential.h"
#include "render/number/exact.h"
#include "tests/shared/pictures.h"
#include <math.h>

#define TURN   6.283185307179586476925L
#define WIDTH  154
#define HEIGHT 17 /* about WIDTH ln 2 / 2 pi */

static const struct map {
    struct place place;
    enum route route;
    enum number_type type;
    const char *what;
} maps[] = {
    {{"-0.5", "0", "3", 0, 200}, ROUTE_DIRECT, TYPE_FLOAT, "in floats"},
    {{"-0.743643887037151", "0.13182590420533", "1e4", 0, 600},
     ROUTE_DIRECT,
     TYPE_DOUBLE,
     "direct"},
    {{"-0.743643887037151", "0.13182590420533", "1e12", 0, 900}, ROUTE_DIRECT, TYPE_WIDE, "wide"},
    {{"-0.743643887037158704752191506114774", "0.131825904205311970493132056385139", "1e22", 25,
      8000},
     ROUTE_PERTURBED,
     TYPE_DOUBLE,
     "around a reference"},
    {{"-0.743643887037158704752191506114774", "0.131825904205311970493132056385139", "1e23", -70,
      8000},
     ROUTE_PERTURBED,
     TYPE_WIDE,
     "wide around a reference"},
};

static void set_map(struct frame_req *req, const struct map *map) {
    set_place(req, &map->place);
    req->route = map->route;
    req->type = map->type;
    req->projection = PROJECTION_EXPONENTIAL;
    req->generation++;
}

/* --- places --- */

/* Checks the c of a sample of a double's table against the formula, in long doubles. */
static bool check_place(const struct frame_req *req, const struct coords *coords, uint32_t x,
                        uint32_t y) {
    double re, im;
    coords_point_double(coords->f64, coords->layout, (uint32_t)req->width_px, x, y, &re, &im);
    const long double p = (y + 0.5L + (long double)req->offset_y / FRAME_OFFSETS) / HEIGHT;
    const long double q = (x + 0.5L + (long double)req->offset_x / FRAME_OFFSETS) / WIDTH;
    const long double step = 4 / (mpfr_get_ld(req->view.zoom, MPFR_RNDN) * HEIGHT);
    const long double radius = hypotl(WIDTH, HEIGHT) / 2 * step * exp2l(-p);
    const long double angle = (long double)req->view.angle - TURN * q;
    const long double from_re = mpfr_get_ld(req->view.re, MPFR_RNDN) + radius * cosl(angle);
    const long double from_im = mpfr_get_ld(req->view.im, MPFR_RNDN) + radius * sinl(angle);
    const double ulp = 0x1p-53;
    CHECK(fabsl(re - from_re) <= 2 * ulp && fabsl(im - from_im) <= 2 * ulp);
    return true;
}

static bool check_places(struct frame_req *req) {
    struct coords coords;
    bool ok = true;
    set_map(req, &maps[1]);
    CHECK(coords_init(&coords, req) && coords.layout == COORDS_POLAR);
    for (uint32_t i = 0; ok && i < WIDTH * HEIGHT; i++)
        ok = check_place(req, &coords, i % WIDTH, i / WIDTH);
    coords_finish(&coords);
    return ok;
}

/* --- samples --- */

static bool same_slopes(const struct picture *a, const struct picture *b, const char *what) {
    const struct sample_planes *p = &a->target.planes, *q = &b->target.planes;
    for (size_t i = 0; i < a->pixels; i++)
        if (memcmp(&p->distance[i], &q->distance[i], 4) != 0 || p->normal[i] != q->normal[i] ||
            p->angle[i] != q->angle[i]) {
            printf("%s: %s: slopes of pixel %zu differ\n", subject, what, i);
            return false;
        }
    return true;
}

/* Checks one map: all of it, and the right lower part with offsets, against the judge's. */
static bool check_map(struct backend *backend, struct backend *judge, const struct map *map,
                      struct picture *drawn, struct picture *expected) {
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    set_map(&req, map);
    req.planes |= SAMPLE_SLOPE;
    req.reuse = false;
    if (!(backend_info(backend).types[map->route] >> map->type & 1))
        return true;
    bool ok = draw(backend, &req, drawn) && judge_draw(judge, &req, expected) &&
              same(drawn, expected, map->what) && same_slopes(drawn, expected, map->what);
    req.whole_width_px = WIDTH;
    req.whole_height_px = HEIGHT;
    req.part_x_px = 51;
    req.part_y_px = 6;
    req.width_px = WIDTH - 51;
    req.height_px = HEIGHT - 6;
    req.focus_x_px = req.focus_y_px = 0;
    const size_t pixels = drawn->pixels;
    drawn->pixels = (size_t)req.width_px * (size_t)req.height_px;
    ok = ok && draw(backend, &req, drawn);
    for (size_t i = 0; ok && i < drawn->pixels; i++) {
        const size_t at = (i / (WIDTH - 51) + 6) * WIDTH + i % (WIDTH - 51) + 51;
        CHECK(drawn->target.planes.count[i] == expected->target.planes.count[at]);
    }
    expected->pixels = drawn->pixels;
    req.offset_x = -20000;
    req.offset_y = 31000;
    ok = ok && draw(backend, &req, drawn) && judge_draw(judge, &req, expected) &&
         same(drawn, expected, map->what);
    drawn->pixels = expected->pixels = pixels;
    return ok;
}

/* Checks counts against exact arithmetic: one of them in a hundred may be wrong, in floats ten. */
static bool check_exact(struct backend *backend, const struct map *map, struct picture *drawn) {
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    const atomic_bool stop = false;
    int points = 0, wrong = 0;
    set_map(&req, map);
    sample_planes_finish(&drawn->target.planes);
    CHECK(sample_planes_init(&drawn->target.planes, SAMPLE_BASIC, drawn->pixels, "a test"));
    if (!draw(backend, &req, drawn))
        return false;
    for (int i = 0; i < WIDTH * HEIGHT; i += 13, points++) {
        struct exact_point point = {.x_px = i % WIDTH, .y_px = i / WIDTH};
        exact_count(&req, &point, &stop);
        const uint32_t count = drawn->target.planes.count[i];
        const bool interior = count & SAMPLE_INTERIOR;
        wrong += interior ? point.state != EXACT_INTERIOR
                          : point.state != EXACT_ESCAPED || point.count != count;
    }
    if (wrong * (map->type == TYPE_FLOAT ? 10 : 100) > points)
        printf("%s: %s: %d of %d counts are wrong\n", subject, map->what, wrong, points);
    CHECK(wrong * (map->type == TYPE_FLOAT ? 10 : 100) <= points);
    return true;
}

static bool check_refused(struct frame_req *req) {
    SCOPED(frame_req, lined, WIDTH, HEIGHT);
    CHECK(!frame_req_problem(req));
    lined.projection = PROJECTION_EXPONENTIAL;
    lined.lines = lines_create(WIDTH, HEIGHT);
    CHECK(lined.lines && frame_req_problem(&lined));
    return true;
}

static bool check_backend(const char *name) {
    struct backend *backend = open_ready(name, plain), *judge = open_judge();
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED(picture, drawn, WIDTH, HEIGHT);
    SCOPED(picture, expected, WIDTH, HEIGHT);
    sample_planes_finish(&drawn.target.planes);
    sample_planes_finish(&expected.target.planes);
    const unsigned planes = SAMPLE_BASIC | SAMPLE_SLOPE;
    bool ok = backend && judge &&
              sample_planes_init(&drawn.target.planes, planes, drawn.pixels, "a test") &&
              sample_planes_init(&expected.target.planes, planes, drawn.pixels, "a test") &&
              check_places(&req) && check_refused(&req);
    req.offset_x = 9000;
    req.offset_y = -32768;
    ok = ok && check_places(&req);
    for (size_t i = 0; ok && i < sizeof maps / sizeof *maps; i++)
        ok = check_map(backend, judge, &maps[i], &drawn, &expected);
    for (size_t i = 0; ok && i < sizeof maps / sizeof *maps; i++)
        ok = check_exact(judge, &maps[i], &expected);
    backend_close(backend);
    backend_close(judge);
    return ok;
}

int main(int argc, char **argv) {
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend, "draw exponential maps");
}
