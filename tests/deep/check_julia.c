/* Perturbed Julia sets: exact counts from the whole set to 1e1000, the same bytes on every backend, and what the
 * pictures before one may not change.
 * usage: check_julia [NAME]   (77: NAME cannot run on this machine) */
#include "render/deep/exact.h"
#include "render/deep/perturbation.h"
#include "render/deep/reference_make.h"
#include "render/files/scene.h"
#include "render/grid/coords.h"
#include "tests/shared/pictures.h"

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/point/perturbed_round.h"

#define WIDTH  64
#define HEIGHT 48
#define POINTS 40 /* of a picture, that are counted exactly */

/* A view and a parameter. */
struct julia {
    const char *re, *im, *zoom, *c_re, *c_im;
    uint32_t limit;
};

static const struct julia places[] = {
    {"0", "0", "0.7", "-1", "0", 500},   /* its critical orbit is a cycle through 0 */
    {"0", "0", "0.7", "0", "0", 500},    /* all of whose orbits are, but for a circle */
    {"0", "0", "0.7", "0.25", "0", 500}, /* on the edge */
    {"0", "0", "0.7", "-0.75", "0.3", 500},
    {"5", "5", "1", "-0.75", "0.125", 100}, /* outside */
    {"2", "0", "1e40", "-2", "0", 500},     /* on the circle of escape */
    {"-2", "0", "1e300", "-2", "0", 1500},
    {"0", "0", "1e20", "0", "1", 3000},
    {"0", "0", "1e400", "0", "1", 3000}, /* pixels' squares are beyond doubles */
    {"0", "1", "1e100", "0", "1", 3000},
    {"0.1", "0.05", "1e30", "-1", "0", 500}, /* inside */
    {"1e-30", "1e-31", "1e35", "0", "1", 5000},
    {"0.5", "0", "1e20", "0.25", "0", 3000},
};

static bool open_julia(struct frame_req *req, const struct julia *place) {
    const char *why;
    struct view c;
    frame_req_init(req, WIDTH, HEIGHT);
    view_init(&c);
    CHECK(view_set_centre(&req->view, place->re, place->im, 0, &why) &&
          view_set_zoom(&req->view, place->zoom, &why) &&
          view_set_centre(&c, place->c_re, place->c_im, 0, &why));
    req->fractal.julia = 1;
    mpfr_set_prec(req->fractal.re, mpfr_get_prec(c.re));
    mpfr_set_prec(req->fractal.im, mpfr_get_prec(c.im));
    mpfr_set(req->fractal.re, c.re, MPFR_RNDN);
    mpfr_set(req->fractal.im, c.im, MPFR_RNDN);
    view_finish(&c);
    req->limit = place->limit;
    req->route = ROUTE_PERTURBED;
    return true;
}

/* --- counts --- */

static bool has_count(const struct picture *got, const struct exact_point *point) {
    const uint32_t count = got->target.planes.count[point->y_px * WIDTH + point->x_px];
    return (point->state == EXACT_ESCAPED) == !(count & SAMPLE_INTERIOR) &&
           (count & SAMPLE_COUNT_MASK) == point->count;
}

/* Says how far off a picture is where it is. */
static bool check_counts(const struct frame_req *req, const struct picture *got, const char *what) {
    struct exact_point points[POINTS];
    int wrong = 0;
    for (int i = 0; i < POINTS; i++)
        points[i] = (struct exact_point){.x_px = 29 * i % WIDTH, .y_px = (17 * i + 5) % HEIGHT};
    CHECK(exact_count_all(req, points, POINTS, 2, NULL, NULL));
    for (int i = 0; i < POINTS; i++)
        wrong += !has_count(got, &points[i]);
    if (wrong > 0)
        printf("%s: %s: %d of %d counts are wrong\n", subject, what, wrong, POINTS);
    return wrong == 0;
}

static bool check_place(struct backend *backend, struct backend *judge, const struct julia *place) {
    struct frame_req req;
    struct picture got, want;
    CHECK(open_julia(&req, place));
    picture_init(&got, WIDTH, HEIGHT);
    picture_init(&want, WIDTH, HEIGHT);
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, place->zoom) && check_counts(&req, &got, place->zoom));
    req.method = METHOD_DEEPEN; /* stops and goes on */
    req.view.angle = 0.7;
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, "turned, deepening"));
    picture_finish(&got);
    picture_finish(&want);
    frame_req_finish(&req);
    return true;
}

/* --- one orbit at a time --- */

static uint32_t point_count(const struct perturbed_tables *t, double cr, double ci,
                            uint32_t limit) {
    struct perturbed_point p = {.cr = cr, .ci = ci};
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    enum perturbed_end end = PERTURBED_GOES_ON;
    perturbed_begin(t, &p);
    for (uint32_t steps = 50; end == PERTURBED_GOES_ON && p.n < limit; steps = 50) {
        p.cr = cr; /* as devices have it that go on */
        p.ci = ci;
        end = perturbed_run(t, &p, limit, true, &cycle, &steps);
    }
    return end == PERTURBED_ESCAPED && p.n <= limit ? p.n : limit | SAMPLE_INTERIOR;
}

static const struct reference *make_reference(const struct frame_req *req) {
    const struct reference_start start = {req->view.re, req->view.im,
                                          view_step_log2(&req->view, HEIGHT)};
    const struct reference_want want = {.re = req->fractal.re,
                                        .im = req->fractal.im,
                                        .start = &start,
                                        .step_log2 = start.step_log2,
                                        .limit = req->limit};
    return reference_make_julia(&want, NULL, NULL);
}

/* What devices that iterate a point a thread run has the counts of vectors. */
static bool check_points(struct backend *backend, const struct julia *place) {
    struct frame_req req;
    struct picture got;
    struct coords coords;
    CHECK(open_julia(&req, place));
    picture_init(&got, WIDTH, HEIGHT);
    const struct reference *reference = make_reference(&req);
    CHECK(reference && (req.perturbation = perturbation_create(reference, NULL)));
    CHECK(draw(backend, &req, &got) && coords_init(&coords, &req));
    const struct perturbed_place at =
        perturbed_place(reference->re, reference->im, &req.view, WIDTH, HEIGHT);
    struct perturbed_tables tables = perturbed_tables(req.perturbation, &at, req.limit);
    struct perturbed_index *index = malloc((tables.last + (size_t)1) * sizeof *index);
    CHECK(index);
    for (uint32_t m = 0; m <= tables.last; m++)
        index[m] = perturbed_index_make(&tables, m);
    tables.index = index;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        double re, im;
        coords_point_double(coords.f64, true, WIDTH, i % WIDTH, i / WIDTH, &re, &im);
        const uint32_t count = got.target.planes.count[i];
        CHECK(point_count(&tables, re, im, req.limit) ==
              (count == SAMPLE_NEVER ? req.limit | SAMPLE_INTERIOR : count));
    }
    free(index);
    coords_finish(&coords);
    reference_unref(reference);
    picture_finish(&got);
    frame_req_finish(&req);
    return true;
}

/* --- others before --- */

static bool same_counts(const struct picture *a, const struct picture *b) {
    return memcmp(a->target.planes.count, b->target.planes.count, a->pixels * sizeof(uint32_t)) ==
           0;
}

/* Pictures of the same view, of other limits, sets, parameters and centres, leave nothing behind. */
static bool check_history(struct backend *backend) {
    struct frame_req req;
    struct picture got, fresh;
    CHECK(open_julia(&req, &places[9]));
    picture_init(&got, WIDTH, HEIGHT);
    picture_init(&fresh, WIDTH, HEIGHT);
    req.reuse = false;
    CHECK(draw(backend, &req, &fresh));
    req.reuse = true;
    for (int i = 0; i < 5; i++) {
        struct frame_req other;
        frame_req_init_copy(&other, &req);
        other.limit = i == 0 ? 150 : i == 1 ? 2 * req.limit : req.limit;
        other.fractal.julia = i != 2;
        if (i == 3)
            mpfr_set_d(other.fractal.im, 0.9990234375, MPFR_RNDN);
        if (i == 4)
            view_pan(&other.view, 9, -5, HEIGHT);
        CHECK(draw(backend, &other, &got) && (i == 1 || !same_counts(&got, &fresh)));
        CHECK(draw(backend, &req, &got) && same(&got, &fresh, "after another picture"));
        frame_req_finish(&other);
    }
    picture_finish(&got);
    picture_finish(&fresh);
    frame_req_finish(&req);
    return true;
}

/* --- what has no such pictures --- */

static bool check_refused(void) {
    struct frame_req req;
    CHECK(open_julia(&req, &places[3]) && !frame_req_problem(&req));
    req.type = TYPE_WIDE;
    CHECK(frame_req_problem(&req));
    req.type = TYPE_DOUBLE;
    mpfr_set_d(req.fractal.re, -2.0000001, MPFR_RNDN);
    CHECK(frame_req_problem(&req));
    mpfr_set_d(req.fractal.re, -0.75, MPFR_RNDN);
    req.fractal.power = 3;
    CHECK(frame_req_problem(&req));
    frame_req_finish(&req);
    return true;
}

static bool check_backend(const char *name) {
    subject = name;
    struct backend *backend = open_ready(name, plain), *judge = open_judge();
    CHECK(backend && judge);
    if (backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_DOUBLE & 1) {
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            CHECK(check_place(backend, judge, &places[i]) && check_points(backend, &places[i]));
        CHECK(check_history(backend) && check_refused());
    } else {
        printf("%s: has no perturbed kernels\n", name);
    }
    backend_close(backend);
    backend_close(judge);
    return true;
}

int main(int argc, char **argv) {
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend, "draw deep Julia sets");
}
