/* Maps (render/formula/map.h) against their definitions in MPFR, and against known properties. */
#include "render/verify/map_count.h"
#include "tests/shared/pictures.h"
#include <math.h>

#define SIDE  48
#define LIMIT 60

/* Returns the count of a pixel by the map's definition in arbitrary precision, as struct
 * sample_planes has it. */
static uint32_t judged(const struct frame_req *req, int i) {
    const atomic_bool stop = false;
    struct exact_point point = {.x_px = i % SIDE, .y_px = i / SIDE};
    map_count(req, &point, &stop);
    CHECK(point.state != EXACT_OPEN && point.bits >= 128);
    return point.count | (point.state == EXACT_INTERIOR ? SAMPLE_INTERIOR : 0);
}

/* --- pictures --- */

/* View of a formula, or of its Julia set if `re` is set. `right` and `right_float` are the least
 * share of counts that equal those of exact numbers, in doubles and in floats. */
struct spot {
    enum formula formula;
    uint32_t power;
    const char *re, *im; /* parameter of the Julia set; NULL: not a Julia set */
    double x, y, zoom, right, right_float;
};

static const struct spot spots[] = {
    {FORMULA_lambda, 2, NULL, NULL, 1, 0, 0.7, 0.999, 0.98},
    {FORMULA_lambda, 2, NULL, NULL, 3.02, 0.35, 12, 0.999, 0.95},
    {FORMULA_lambda, 2, "0.85", "0.6", 0.5, 0, 1.5, 0.999, 0.98},
    {FORMULA_lambda, 2, "0.1", "-0.05", 0.5, 0, 0.15, 0.999, 0.98},
    {FORMULA_phoenix, 2, NULL, NULL, -0.5, 0, 0.8, 0.999, 0.97},
    {FORMULA_phoenix, 2, "0.56667", "-0.5", 0, 0, 1.2, 0.999, 0.97},
    {FORMULA_spider, 2, NULL, NULL, -0.6, 0, 1.4, 0.998, 0.97},
    {FORMULA_spider, 2, "-0.6", "0.3", 0, 0, 1.2, 0.998, 0.97},
    {FORMULA_barnsley, 2, NULL, NULL, 0, 0, 0.9, 0.998, 0.96},
    {FORMULA_barnsley, 2, "0.6", "1.1", 0, 0, 0.3, 0.998, 0.96},
    {FORMULA_newton, 2, NULL, NULL, 0, 0, 1, 0.998, 0.96},
    {FORMULA_newton, 5, NULL, NULL, 0.3, 0.4, 2, 0.998, 0.96},
    {FORMULA_nova, 2, NULL, NULL, -0.35, 0, 1.6, 0.998, 0.95},
    {FORMULA_nova, 4, "-0.4", "0.1", 0, 0, 1, 0.998, 0.95},
    {FORMULA_magnet1, 2, NULL, NULL, 1.3, 0, 0.8, 0.998, 0.95},
    {FORMULA_magnet1, 2, "1.5", "0.7", 0, 0, 0.5, 0.998, 0.95},
    {FORMULA_magnet2, 2, NULL, NULL, 1.05, 0, 1.2, 0.998, 0.95},
    {FORMULA_collatz, 2, NULL, NULL, 0, 0, 1.5, 0.998, 0.95},
    {FORMULA_collatz, 2, "0.05", "0", 0, 0, 3, 0.998, 0.95},
};

static void request(struct frame_req *req, const struct spot *spot, enum number_type type) {
    frame_req_init(req, SIDE, SIDE);
    req->fractal.formula = spot->formula;
    req->fractal.power = spot->power;
    req->fractal.julia = spot->re != NULL;
    mpfr_set_str(req->fractal.re, spot->re ? spot->re : "0", 10, MPFR_RNDN);
    mpfr_set_str(req->fractal.im, spot->im ? spot->im : "0", 10, MPFR_RNDN);
    mpfr_set_d(req->view.re, spot->x, MPFR_RNDN);
    mpfr_set_d(req->view.im, spot->y, MPFR_RNDN);
    mpfr_set_d(req->view.zoom, spot->zoom, MPFR_RNDN);
    req->limit = LIMIT;
    req->type = type;
}

static bool check_spot(struct backend *backend, const struct spot *spot, enum number_type type) {
    SCOPED_BY(request, frame_req, req, spot, type);
    SCOPED(picture, drawn, SIDE, SIDE);
    CHECK(draw(backend, &req, &drawn));
    int right = 0, ended = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        right += judged(&req, i) == drawn.target.planes.count[i];
        ended += !(drawn.target.planes.count[i] & SAMPLE_INTERIOR);
        CHECK(drawn.target.planes.fraction[i] >= -5.5f && drawn.target.planes.fraction[i] <= 32.0f);
    }
    const double least = type == TYPE_FLOAT ? spot->right_float : spot->right;
    if (right < least * SIDE * SIDE || ended < SIDE)
        printf("%s at %g %+g i, zoom %g, %s: %d of %d counts are right, %d orbits end\n",
               formula_names[spot->formula], spot->x, spot->y, spot->zoom, number_type_name(type),
               right, SIDE * SIDE, ended);
    return right >= least * SIDE * SIDE && ended >= SIDE;
}

/* --- known properties --- */

/* Checks that conjugate points have conjugate orbits. The phoenix is left out: its orbits do
 * not. */
static bool check_mirrored(struct backend *backend, const struct spot *spot) {
    if (spot->formula == FORMULA_phoenix || spot->y != 0 ||
        (spot->re && strtod(spot->im, NULL) != 0))
        return true;
    SCOPED_BY(request, frame_req, req, spot, TYPE_DOUBLE);
    SCOPED(picture, drawn, SIDE, SIDE);
    CHECK(draw(backend, &req, &drawn));
    for (int y = 0; y < SIDE / 2; y++)
        CHECK(memcmp(drawn.target.planes.count + y * SIDE,
                     drawn.target.planes.count + (SIDE - 1 - y) * SIDE,
                     SIDE * sizeof *drawn.target.planes.count) == 0);
    return true;
}

/* Checks the interior of lambda against the Mandelbrot set: c z(1 - z) is w^2 + c/2 - c^2/4 with w
 * = c/2 - c z. */
static bool check_lambda(struct backend *backend) {
    struct frame_req req;
    const struct spot spot = {FORMULA_lambda, 2, NULL, NULL, 1, 0, 0.7, 0, 0};
    int apart = 0;
    request(&req, &spot, TYPE_DOUBLE);
    req.limit = 2000;
    SCOPED(picture, lambda, SIDE, SIDE);
    SCOPED(picture, mandelbrot, 1, 1);
    CHECK(draw(backend, &req, &lambda));
    frame_req_finish(&req);
    for (int i = 0; i < SIDE * SIDE; i += 7) {
        const double pixel = 4 / (0.7 * SIDE), x = 1 + (i % SIDE + 0.5 - SIDE / 2.0) * pixel,
                     y = (SIDE / 2.0 - i / SIDE - 0.5) * pixel;
        frame_req_init(&req, 1, 1);
        req.limit = 2000;
        mpfr_set_d(req.view.re, x / 2 - (x * x - y * y) / 4, MPFR_RNDN);
        mpfr_set_d(req.view.im, y / 2 - x * y / 2, MPFR_RNDN);
        CHECK(draw(backend, &req, &mandelbrot));
        frame_req_finish(&req);
        apart += (mandelbrot.target.planes.count[0] & SAMPLE_INTERIOR) !=
                 (lambda.target.planes.count[i] & SAMPLE_INTERIOR);
    }
    CHECK(apart <= 1);
    return true;
}

static uint32_t count_at(struct backend *backend, enum formula formula, uint32_t power, double x,
                         double y) {
    const struct spot spot = {formula, power, NULL, NULL, x, y, 1e6, 0, 0};
    SCOPED_BY(request, frame_req, req, &spot, TYPE_DOUBLE);
    req.width_px = req.height_px = 1;
    SCOPED(picture, drawn, 1, 1);
    return draw(backend, &req, &drawn) ? drawn.target.planes.count[0] : 0;
}

/* Checks that roots end at once, that the positive real axis converges to the root 1, and that
 * fixed points of other maps never end. */
static bool check_newton(struct backend *backend) {
    CHECK(count_at(backend, FORMULA_newton, 2, 1, 0) == 1);
    CHECK(count_at(backend, FORMULA_newton, 2, 0.5, 0) <= 8);
    CHECK(!(count_at(backend, FORMULA_newton, 2, -0.5, 0.8660254037844386) & SAMPLE_INTERIOR));
    CHECK(count_at(backend, FORMULA_newton, 2, -0.5, 0.8660254037844386) <= 2);
    CHECK(count_at(backend, FORMULA_lambda, 2, 0.5, 0) == (SAMPLE_INTERIOR | LIMIT));
    CHECK(count_at(backend, FORMULA_barnsley, 2, 0.2, 0.1) == (SAMPLE_INTERIOR | LIMIT));
    CHECK(count_at(backend, FORMULA_collatz, 2, 0, 0) == (SAMPLE_INTERIOR | LIMIT));
    return true;
}

int main(void) {
    subject = "the first backend";
    struct backend *backend = open_ready(NULL, plain);
    bool ok = backend != NULL, good = ok;
    for (size_t i = 0; ok && i < sizeof spots / sizeof *spots; i++)
        good &= (int)check_spot(backend, &spots[i], TYPE_DOUBLE) &
                (int)check_spot(backend, &spots[i], TYPE_FLOAT) &
                (int)check_mirrored(backend, &spots[i]);
    ok = good && check_lambda(backend) && check_newton(backend);
    backend_close(backend);
    mpfr_free_cache();
    return ok ? 0 : 1;
}
