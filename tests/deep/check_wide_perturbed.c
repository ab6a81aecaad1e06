/* Perturbed pictures in wide numbers: the same bytes on every backend, and as one orbit at a time; the counts
 * of plain perturbation in numbers of 113 bits; and where they are chosen by themselves.
 * usage: check_wide_perturbed [NAME]   (77: NAME cannot run on this machine) */
#include "render/deep/perturbation.h"
#include "render/deep/reference_make.h"
#include "render/files/scene.h"
#include "render/grid/coords.h"
#include "tests/shared/pictures.h"
#include <math.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#define WIDE_KERNEL
#include "render/number/wide_round.h"

#define WIDTH  64
#define HEIGHT 48
#define PIXELS (WIDTH * HEIGHT)

#define CARPET "../../../assets/views/carpet" /* from where the other places are */

__extension__ typedef __float128 quad;

static void open_place(struct frame_req *req, const char *name, uint32_t limit) {
    struct scene scene;
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/locations/%s.fathom", getenv("FATHOM_SOURCE"), name);
    scene_init(&scene);
    if (!scene_load(&scene, path))
        abort();
    frame_req_init(req, WIDTH, HEIGHT);
    view_assign(&req->view, &scene.view);
    req->limit = limit > 0 ? limit : scene.limit;
    req->route = ROUTE_PERTURBED;
    req->type = TYPE_WIDE;
    scene_finish(&scene);
}

static struct perturbed_place view_place(const struct view *view) {
    return perturbed_place(view->re, view->im, view, WIDTH, HEIGHT);
}

/* About the view's centre, with its tables. */
static struct perturbation *make_perturbation(const struct frame_req *req) {
    const struct perturbed_place at = view_place(&req->view);
    const struct reference_want want = {.re = req->view.re,
                                        .im = req->view.im,
                                        .radius_log2 = at.c_most_log2,
                                        .step_log2 = view_step_log2(&req->view, HEIGHT) -
                                                     PERTURBED_WIDE_BITS,
                                        .limit = req->limit,
                                        .wide = true};
    const struct reference *reference = reference_make(&want, NULL, NULL, NULL);
    struct perturbation *p = reference ? perturbation_create(reference, NULL) : NULL;
    reference_unref(reference);
    return p;
}

/* How many counts differ. */
static size_t differing(const struct picture *a, const struct picture *b) {
    size_t counts = 0;
    for (size_t i = 0; i < a->pixels; i++)
        counts += a->target.planes.count[i] != b->target.planes.count[i];
    return counts;
}

/* --- the reference --- */

/* Both parts together are Z to more than a hundred bits. */
static bool check_low_parts(void) {
    struct frame_req req;
    open_place(&req, "5e113", 3000);
    struct perturbation *p = make_perturbation(&req);
    CHECK(p && p->reference->low);
    const struct reference *r = p->reference;
    mpfr_t re, im, re2, im2, error;
    mpfr_inits2(1000, re, im, re2, im2, error, (mpfr_ptr)NULL);
    mpfr_set_zero(re, 1);
    mpfr_set_zero(im, 1);
    bool ok = true;
    for (uint32_t m = 1; m <= r->length && ok; m++) {
        mpfr_sqr(re2, re, MPFR_RNDN);
        mpfr_sqr(im2, im, MPFR_RNDN);
        mpfr_mul(im, re, im, MPFR_RNDN);
        mpfr_mul_2ui(im, im, 1, MPFR_RNDN);
        mpfr_add(im, im, req.view.im, MPFR_RNDN);
        mpfr_sub(re, re2, im2, MPFR_RNDN);
        mpfr_add(re, re, req.view.re, MPFR_RNDN);
        const mpfr_srcptr part[] = {re, im};
        for (int i = 0; i < 2; i++) {
            mpfr_sub_d(error, part[i], r->z[2 * (size_t)m + (size_t)i], MPFR_RNDN);
            mpfr_sub_d(error, error, r->low[2 * (size_t)m + (size_t)i], MPFR_RNDN);
            ok = ok && (mpfr_zero_p(error) || mpfr_get_exp(error) <= mpfr_get_exp(part[i]) - 105);
        }
    }
    mpfr_clears(re, im, re2, im2, error, (mpfr_ptr)NULL);
    perturbation_unref(p);
    frame_req_finish(&req);
    return ok;
}

/* --- the same bytes --- */

static bool check_same(struct backend *backend, struct backend *judge, const char *place,
                       uint32_t limit, double angle) {
    struct frame_req req;
    struct picture got, want;
    open_place(&req, place, limit);
    req.view.angle = angle;
    picture_init(&got, WIDTH, HEIGHT);
    picture_init(&want, WIDTH, HEIGHT);
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, place));
    req.method = METHOD_DEEPEN; /* stops and goes on */
    CHECK(draw(backend, &req, &got) && same(&got, &want, "deepening"));
    req.limit /= 2;
    CHECK(draw(backend, &req, &got));
    req.limit = limit;
    CHECK(draw(backend, &req, &got) && same(&got, &want, "a raised limit"));
    req.limit = picture_common_count(&want); /* many escape with their last step */
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, "a limit that is a count"));
    picture_finish(&got);
    picture_finish(&want);
    frame_req_finish(&req);
    return true;
}

/* What devices that iterate a point a thread run has the counts of vectors. */
static bool check_points(struct backend *backend, const char *place, uint32_t limit) {
    struct frame_req req;
    struct picture got, want;
    struct coords coords;
    open_place(&req, place, limit);
    picture_init(&got, WIDTH, HEIGHT);
    picture_init(&want, WIDTH, HEIGHT);
    const struct perturbed_place at = view_place(&req.view);
    CHECK((req.perturbation = make_perturbation(&req)));
    CHECK(draw(backend, &req, &got) && coords_init(&coords, &req));
    const struct perturbed_tables tables = perturbed_tables(req.perturbation, &at, req.limit);
    for (uint32_t i = 0; i < PIXELS; i++) {
        struct wide_point p = {.m = 0};
        struct wide_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
        uint32_t steps = UINT32_MAX;
        coords_point_wide(coords.wide, true, WIDTH, i % WIDTH, i / WIDTH, &p.cr.hi, &p.cr.lo,
                          &p.ci.hi, &p.ci.lo);
        const enum perturbed_end end = wide_run(&tables, &p, req.limit, true, &cycle, &steps);
        want.target.planes.count[i] =
            end == PERTURBED_ESCAPED && p.n <= req.limit ? p.n : req.limit | SAMPLE_INTERIOR;
    }
    CHECK(differing(&got, &want) == 0);
    coords_finish(&coords);
    picture_finish(&got);
    picture_finish(&want);
    frame_req_finish(&req);
    return true;
}

/* --- the same counts --- */

/* A point's count by single steps, in numbers of 113 bits. */
static uint32_t plain_count(const struct reference *r, uint32_t last, quad cr, quad ci,
                            uint32_t limit) {
    quad zr = 0, zi = 0;
    uint32_t m = 0;
    for (uint32_t n = 0; n < limit; n++) {
        quad Zr = (quad)r->z[2 * (size_t)m] + r->low[2 * (size_t)m];
        quad Zi = (quad)r->z[2 * (size_t)m + 1] + r->low[2 * (size_t)m + 1];
        const quad wr = Zr + zr, wi = Zi + zi;
        const quad w2 = wr * wr + wi * wi;
        if (!(w2 < 4))
            return n;
        if (w2 < zr * zr + zi * zi || m == last) {
            zr = wr;
            zi = wi;
            Zr = Zi = 0;
            m = 0;
        }
        const quad ar = 2 * Zr + zr, ai = 2 * Zi + zi;
        const quad re = ar * zr - ai * zi + cr;
        zi = ar * zi + ai * zr + ci;
        zr = re;
        m++;
    }
    return limit;
}

static bool check_plain(struct backend *backend, const char *place, uint32_t limit) {
    struct frame_req req;
    struct picture got;
    struct coords coords;
    size_t other = 0, points = 0;
    open_place(&req, place, limit);
    picture_init(&got, WIDTH, HEIGHT);
    CHECK((req.perturbation = make_perturbation(&req)));
    CHECK(draw(backend, &req, &got) && coords_init(&coords, &req));
    const struct reference *reference = req.perturbation->reference;
    const uint32_t last = reference_last(reference, view_place(&req.view).c_most_log2, req.limit);
    for (uint32_t i = 0; i < PIXELS; i += 7, points++) {
        double re[2], im[2];
        coords_point_wide(coords.wide, true, WIDTH, i % WIDTH, i / WIDTH, &re[0], &re[1], &im[0],
                          &im[1]);
        const uint32_t count =
            plain_count(reference, last, (quad)re[0] + re[1], (quad)im[0] + im[1], req.limit);
        other += (got.target.planes.count[i] & SAMPLE_COUNT_MASK) != count;
    }
    printf("%s: %zu of %zu counts differ from plain perturbation\n", place, other, points);
    CHECK(other == 0);
    coords_finish(&coords);
    picture_finish(&got);
    frame_req_finish(&req);
    return true;
}

/* --- by itself --- */

/* A request that leaves it open is drawn in the numbers that do there, whichever way it is asked. */
static bool check_chosen(struct backend *backend, const char *place, uint32_t limit,
                         enum route route, enum number_type type) {
    struct frame_req req;
    struct picture got, want;
    struct backend_report report;
    open_place(&req, place, limit);
    picture_init(&got, WIDTH, HEIGHT);
    picture_init(&want, WIDTH, HEIGHT);
    req.route = route;
    req.type = type;
    CHECK(draw(backend, &req, &want));
    req.route = ROUTE_PERTURBED;
    req.type = TYPE_DOUBLE;
    req.widen = true;
    CHECK(backend_draw(backend, &req, &got.target, NULL, NULL, &report));
    CHECK(report.reference.wide == (type == TYPE_WIDE) &&
          report.reference.direct == (route == ROUTE_DIRECT) &&
          same(&got, &want, "chosen by itself"));
    CHECK(backend_decide(backend, &req, NULL, NULL) && req.route == route && req.type == type &&
          !req.widen && !req.perturbation);
    picture_finish(&got);
    picture_finish(&want);
    frame_req_finish(&req);
    return true;
}

/* No deeper than doubles hold distances. */
static bool check_too_deep(void) {
    struct frame_req req;
    open_place(&req, "4e533", 0);
    CHECK(frame_req_problem(&req));
    req.type = TYPE_DOUBLE;
    CHECK(!frame_req_problem(&req));
    frame_req_finish(&req);
    return true;
}

static bool check_backend(const char *name) {
    subject = name;
    struct backend *backend = open_ready(name, plain), *judge = open_judge();
    CHECK(backend && judge);
    if (backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_WIDE & 1) {
        CHECK(check_same(backend, judge, "1e14", 4036, 0));
        CHECK(check_same(backend, judge, "5e113", 35494, 0.3));
        CHECK(check_points(backend, "1e14", 0) && check_points(backend, "5e113", 0) &&
              check_points(backend, "glitch_test_1", 20000));
        CHECK(check_plain(backend, "1e14", 0) && check_plain(backend, "5e113", 20000));
        CHECK(check_chosen(backend, "5e113", 35494, ROUTE_PERTURBED, TYPE_DOUBLE));
        CHECK(check_chosen(backend, "5e227", 1200000, ROUTE_PERTURBED, TYPE_WIDE));
        CHECK(check_chosen(backend, CARPET, 0, ROUTE_DIRECT, TYPE_WIDE));
        CHECK(check_low_parts() && check_too_deep());
    } else {
        printf("%s: has no wide perturbed kernels\n", name);
    }
    backend_close(backend);
    backend_close(judge);
    return true;
}

int main(int argc, char **argv) {
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend,
                              "draw perturbed pictures in wide numbers");
}
