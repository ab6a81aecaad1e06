/* Perturbed orbits of all formulas and of Julia sets, in doubles and in wide numbers: exact counts
 * from the whole set to 1e1000, and the same bytes on every backend, whatever was drawn before.
 * usage: check_perturbed_formulas [NAME]   (77: NAME cannot run on this machine) */
#include "render/files/scene.h"
#include "render/grid/coords.h"
#include "render/verify/counter.h"
#include <math.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#define WIDE_KERNEL
#include "render/deep/perturbed_round.h"
#include "render/number/wide_round.h"

#define WIDTH  64
#define HEIGHT 48
#define POINTS 24 /* number of points of a picture that are counted exactly */
#include "tests/deep/around.h"
#include "tests/deep/places.h"

/* Places that tests use, by their rows. */
enum { REFUSED = 3, HISTORY = 9, HYBRID_HISTORY = 64 };

/* --- counts --- */

static bool has_count(const struct picture *got, const struct exact_point *point) {
    const uint32_t count = got->target.planes.count[point->y_px * WIDTH + point->x_px];
    return (point->state == EXACT_ESCAPED) == !(count & SAMPLE_INTERIOR) &&
           (count & SAMPLE_COUNT_MASK) == point->count;
}

/* log2 of the factor by which an orbit may enlarge the roundings of doubles, or of wide numbers,
 * around a reference, so that its count is certain */
#define CERTAIN_LOG2      45
#define CERTAIN_WIDE_LOG2 94

/* Compares some counts with exact ones. */
static bool check_counts(const struct frame_req *req, const struct picture *got, const char *what) {
    struct exact_point points[POINTS];
    const double step_log2 = view_step_log2(&req->view, HEIGHT);
    const int certain = req->type == TYPE_WIDE ? CERTAIN_WIDE_LOG2 : CERTAIN_LOG2;
    int wrong = 0;
    for (int i = 0; i < POINTS; i++)
        points[i] = (struct exact_point){.x_px = 29 * i % WIDTH, .y_px = (17 * i + 5) % HEIGHT};
    struct counter *counter = counter_create(req);
    CHECK(counter && counter_count(counter, points, POINTS, 2, false, NULL, NULL));
    counter_destroy(counter);
    for (int i = 0; i < POINTS; i++)
        wrong += !has_count(got, &points[i]) && points[i].growth_log2 + step_log2 < certain;
    if (wrong > 0)
        printf("%s: %s: %d of %d counts are wrong\n", subject, what, wrong, POINTS);
    return wrong == 0;
}

static bool check_place(struct backend *backend, struct backend *judge,
                        const struct deep_place *place, enum number_type type) {
    SCOPED_BY(open_deep_place, frame_req, req, place);
    req.type = type;
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, place->zoom) && check_counts(&req, &got, place->zoom));
    req.method = METHOD_DEEPEN; /* stops and continues */
    req.view.angle = 0.7;
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, "turned, deepening"));
    if (type == TYPE_WIDE && req.limit > 0) {
        CHECK((req.screen = make_perturbation(&req, false)));
        CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
        CHECK(same(&got, &want, "screened"));
    }
    return true;
}

/* --- one orbit at a time --- */

static uint32_t point_count(const struct perturbed_tables *t, bool folded, double cr, double ci,
                            uint32_t limit) {
    struct perturbed_point p = {.cr = cr, .ci = ci};
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    enum perturbed_end end = PERTURBED_GOES_ON;
    perturbed_begin(t, &p);
    for (uint32_t steps = 50; end == PERTURBED_GOES_ON && p.n < limit; steps = 50) {
        p.cr = cr; /* devices pass c again when they continue */
        p.ci = ci;
        end = folded ? perturbed_run(t, true, &p, limit, true, &cycle, &steps)
                     : perturbed_run(t, false, &p, limit, true, &cycle, &steps);
    }
    return end == PERTURBED_ESCAPED && p.n <= limit ? p.n : limit | SAMPLE_INTERIOR;
}

static uint32_t wide_point_count(const struct perturbed_tables *t, bool folded,
                                 const struct wide_point *at, uint32_t limit) {
    struct wide_point p = *at;
    struct wide_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    enum perturbed_end end = PERTURBED_GOES_ON;
    wide_begin(t, &p);
    for (uint32_t steps = 50; end == PERTURBED_GOES_ON && p.n < limit; steps = 50)
        end = wide_run(t, folded, &p, limit, true, &cycle, &steps);
    return end == PERTURBED_ESCAPED && p.n <= limit ? p.n : limit | SAMPLE_INTERIOR;
}

/* Checks that this code gives the counts of the vectors in wide numbers, too. */
static bool check_wide_points(struct backend *backend, const struct deep_place *place) {
    SCOPED_BY(open_deep_place, frame_req, req, place);
    SCOPED(picture, got, WIDTH, HEIGHT);
    req.type = TYPE_WIDE;
    CHECK((req.perturbation = make_perturbation(&req, true)) && draw(backend, &req, &got));
    SCOPED_MADE(coords, coords, &req);
    const struct perturbed_place at = frame_req_place(&req, req.perturbation);
    const struct perturbed_tables tables = perturbed_tables(req.perturbation, &at, req.limit);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        struct wide_point p = {.m = 0};
        const uint32_t count = got.target.planes.count[i];
        coords_point_wide(coords.wide, COORDS_UPRIGHT, WIDTH, i % WIDTH, i / WIDTH, &p.cr.hi,
                          &p.cr.lo, &p.ci.hi, &p.ci.lo);
        CHECK(wide_point_count(&tables, !fractal_is_quadratic(&req.fractal), &p, req.limit) ==
              (count == SAMPLE_NEVER ? req.limit | SAMPLE_INTERIOR : count));
    }
    return true;
}

static const struct reference *make_reference(const struct frame_req *req) {
    const struct fractal *fractal = &req->fractal;
    const struct reference_start start = {req->view.re, req->view.im,
                                          view_step_log2(&req->view, HEIGHT)};
    const bool julia = fractal->julia;
    const struct reference_want want = {.re = julia ? fractal->re : req->view.re,
                                        .im = julia ? fractal->im : req->view.im,
                                        .steps = fractal_steps(fractal),
                                        .start = julia ? &start : NULL,
                                        .radius_log2 = -INFINITY,
                                        .step_log2 = start.step_log2,
                                        .limit = req->limit > 0 ? req->limit : 1};
    return julia ? reference_make_julia(&want, NULL, NULL)
                 : reference_make(&want, NULL, NULL, NULL);
}

/* Checks that the code for devices with a thread for each point gives the counts of the vectors. */
static bool check_points(struct backend *backend, const struct deep_place *place) {
    SCOPED_BY(open_deep_place, frame_req, req, place);
    SCOPED(picture, got, WIDTH, HEIGHT);
    const struct reference *reference = make_reference(&req);
    CHECK(reference && (req.perturbation = perturbation_create(reference, NULL)));
    CHECK(draw(backend, &req, &got));
    SCOPED_MADE(coords, coords, &req);
    const struct perturbed_place at = frame_req_place(&req, req.perturbation);
    struct perturbed_tables tables = perturbed_tables(req.perturbation, &at, req.limit);
    struct perturbed_index *index = malloc((tables.last + (size_t)1) * sizeof *index);
    CHECK(index);
    for (uint32_t m = 0; m <= tables.last; m++)
        index[m] = perturbed_index_make(&tables, m);
    tables.index = index;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        double re, im;
        coords_point_double(coords.f64, COORDS_UPRIGHT, WIDTH, i % WIDTH, i / WIDTH, &re, &im);
        const uint32_t count = got.target.planes.count[i];
        CHECK(point_count(&tables, !fractal_is_quadratic(&req.fractal), re, im, req.limit) ==
              (count == SAMPLE_NEVER ? req.limit | SAMPLE_INTERIOR : count));
    }
    free(index);
    reference_unref(reference);
    return true;
}

/* --- earlier pictures --- */

static bool same_counts(const struct picture *a, const struct picture *b) {
    return memcmp(a->target.planes.count, b->target.planes.count, a->pixels * sizeof(uint32_t)) ==
           0;
}

/* Checks that earlier pictures leave nothing behind, of other limits, sets, parameters and
 * centres. */
static bool check_history(struct backend *backend) {
    SCOPED_BY(open_deep_place, frame_req, req, &deep_places[HISTORY]);
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, fresh, WIDTH, HEIGHT);
    req.reuse = false;
    CHECK(draw(backend, &req, &fresh));
    req.reuse = true;
    for (int i = 0; i < 5; i++) {
        SCOPED_COPY(frame_req, other, &req);
        other.limit = i == 0 ? 150 : i == 1 ? 2 * req.limit : req.limit;
        other.fractal.julia = i != 2;
        if (i == 3)
            mpfr_set_d(other.fractal.im, 0.9990234375, MPFR_RNDN);
        if (i == 4)
            view_pan(&other.view, 9, -5, HEIGHT);
        CHECK(draw(backend, &other, &got) && (i == 1 || !same_counts(&got, &fresh)));
        CHECK(draw(backend, &req, &got) && same(&got, &fresh, "after another picture"));
    }
    return true;
}

/* Checks the same for a hybrid: other limits, other steps, a single step, its Julia set, and other
 * centres. */
static bool check_hybrid_history(struct backend *backend) {
    static const char *const then[] = {"burning_ship", "burning_ship", "tricorn", "",
                                       "burning_ship", "burning_ship"};
    SCOPED_BY(open_deep_place, frame_req, req, &deep_places[HYBRID_HISTORY]);
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, fresh, WIDTH, HEIGHT);
    req.reuse = false;
    CHECK(draw(backend, &req, &fresh));
    req.reuse = true;
    for (size_t i = 0; i < sizeof then / sizeof *then; i++) {
        SCOPED_COPY(frame_req, other, &req);
        other.limit = i == 0 ? 400 : i == 1 ? 2 * req.limit : req.limit;
        other.fractal.julia = i == 4;
        CHECK(fractal_set_then(&other.fractal, then[i]));
        if (i == 5)
            view_pan(&other.view, 9, -5, HEIGHT);
        CHECK(draw(backend, &other, &got) && (i == 1 || !same_counts(&got, &fresh)));
        CHECK(draw(backend, &req, &got) && same(&got, &fresh, "after another picture"));
    }
    return true;
}

/* Checks limits that are raised by a few steps, which kept orbits may have passed already. */
static bool check_raised(struct backend *backend, const struct deep_place *place) {
    SCOPED_BY(open_deep_place, frame_req, req, place);
    SCOPED(picture, whole, WIDTH, HEIGHT);
    SCOPED(picture, got, WIDTH, HEIGHT);
    CHECK(draw(backend, &req, &whole));
    const uint32_t limit = picture_common_count(&whole);
    for (uint32_t more = 1; more <= 8 && more < limit; more++) {
        req.reuse = false;
        req.limit = limit - more;
        CHECK(draw(backend, &req, &got));
        req.reuse = true;
        req.limit = limit;
        CHECK(draw(backend, &req, &got));
        for (size_t i = 0; i < got.pixels; i++) {
            const uint32_t count = whole.target.planes.count[i], now = got.target.planes.count[i];
            CHECK(now == count || (count > limit && now == (limit | SAMPLE_INTERIOR)));
        }
    }
    return true;
}

/* --- refused requests --- */

static bool check_refused(void) {
    const char *why;
    SCOPED_BY(open_deep_place, frame_req, req, &deep_places[REFUSED]);
    CHECK(!frame_req_problem(&req));
    req.type = TYPE_FLOAT;
    CHECK(frame_req_problem(&req));
    req.type = TYPE_DOUBLE;
    mpfr_set_d(req.fractal.re, -2.0000001, MPFR_RNDN);
    CHECK(frame_req_problem(&req));
    mpfr_set_d(req.fractal.re, -0.75, MPFR_RNDN);
    req.fractal.power = 3;
    CHECK(!frame_req_problem(&req) && view_set_zoom(&req.view, "1e60", &why) &&
          fractal_set_then(&req.fractal, "tricorn 4") && !frame_req_problem(&req) &&
          fractal_set_then(&req.fractal, "tricorn 8") && frame_req_problem(&req));
    CHECK(fractal_set_then(&req.fractal, "") && view_set_zoom(&req.view, "1e260", &why) &&
          frame_req_problem(&req) && view_set_zoom(&req.view, "1e85", &why) &&
          !frame_req_problem(&req));
    req.fractal.julia = 0;
    for (int i = 0; i < 2; i++) {
        CHECK(fractal_set_then(&req.fractal, i == 0 ? "" : "tricorn 8"));
        CHECK(view_set_zoom(&req.view, "1e2000", &why) && !frame_req_problem(&req));
    }
    return true;
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    size_t every;
    const size_t first = first_place(subject, &every);
    if (backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_DOUBLE & 1) {
        for (size_t i = first; i < deep_place_count; i += every) {
            const struct deep_place *place = &deep_places[i];
            const bool right = check_place(backend, judge, place, TYPE_DOUBLE) &&
                               check_points(backend, place) && check_raised(backend, place) &&
                               check_place(backend, judge, place, TYPE_WIDE) &&
                               check_wide_points(backend, place);
            if (!right)
                printf("%s: row %zu, %s^%u at %s\n", subject, i, formula_names[place->formula],
                       place->power, place->zoom);
            CHECK(right);
        }
        CHECK(check_history(backend) && check_hybrid_history(backend) && check_refused());
    } else {
        printf("%s: has no perturbed kernels\n", subject);
    }
    return true;
}

int main(int argc, char **argv) {
    deep_places_read("perturbed");
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend,
                           "draw deep places of all formulas");
}
