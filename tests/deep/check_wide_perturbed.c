/* Perturbed pictures in wide numbers: the same bytes on every backend and for single orbits, the
 * counts of plain perturbation in 113 bits, and the automatic choice of numbers.
 * usage: check_wide_perturbed [NAME]   (77: NAME cannot run on this machine) */
#define PERTURBED_SCREEN
#include "render/files/scene.h"
#include "render/grid/coords.h"
#include "tests/deep/around.h"
#include "tests/deep/truth.h"
#include "tests/shared/pictures.h"
#include "tests/shared/quad.h"
#include <math.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#define WIDE_KERNEL
#include "render/deep/perturbed_round.h"
#include "render/number/wide_round.h"

#define WIDTH  48
#define HEIGHT 36
#define PIXELS (WIDTH * HEIGHT)

#define CARPET "../../../assets/views/carpet" /* relative to the other places */

static void open_place(struct frame_req *req, const char *name, uint32_t limit) {
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/locations/%s.fathom", getenv("FATHOM_SOURCE"), name);
    SCOPED(scene, scene);
    if (!scene_load(&scene, path))
        abort();
    frame_req_init(req, WIDTH, HEIGHT);
    view_assign(&req->view, &scene.view);
    req->limit = limit > 0 ? limit : scene.limit;
    req->route = ROUTE_PERTURBED;
    req->type = TYPE_WIDE;
}

static size_t differing(const struct picture *a, const struct picture *b) {
    size_t counts = 0;
    for (size_t i = 0; i < a->pixels; i++)
        counts += a->target.planes.count[i] != b->target.planes.count[i];
    return counts;
}

/* --- the reference --- */

/* Sets `z` to the two parts of a number of the reference at index m. */
static void get_both(const struct perturbation *p, uint32_t m, int part, mpfr_t z) {
    const struct reference *r = p->reference;
    const double high = r->z[2 * (size_t)m + (size_t)part];
    mpfr_set_d(z, high, MPFR_RNDN);
    mpfr_add_d(z, z, r->low[2 * (size_t)m + (size_t)part], MPFR_RNDN);
    for (uint32_t i = 0; i < r->small_count; i++) {
        const struct perturbed_small *s = &p->small[i];
        if (s->index != m)
            continue;
        mpfr_set_d(z, part ? s->z.im : s->z.re, MPFR_RNDN);
        mpfr_add_d(z, z, part ? s->im_low : s->re_low, MPFR_RNDN);
        mpfr_mul_2si(z, z, s->z.log2, MPFR_RNDN);
    }
}

/* Returns the error's exponent less that of |Z|. */
static long error_bits(mpfr_srcptr error, mpfr_srcptr re, mpfr_srcptr im) {
    const long re_log2 = mpfr_zero_p(re) ? -100000 : mpfr_get_exp(re),
               im_log2 = mpfr_zero_p(im) ? -100000 : mpfr_get_exp(im);
    return mpfr_zero_p(error) ? -1000
                              : mpfr_get_exp(error) - (re_log2 > im_log2 ? re_log2 : im_log2);
}

/* Checks that both parts together are Z to more than a hundred bits, also where |Z| is nearly 0.
 * `smalls`: the orbit has values below the range of doubles. */
static bool check_low_parts(const char *place, uint32_t limit, bool smalls) {
    SCOPED_BY(open_place, frame_req, req, place, limit);
    struct perturbation *p = make_perturbation(&req, true);
    CHECK(p && p->reference->low && (p->reference->small_count > 0) == smalls);
    const struct reference *r = p->reference;
    mpfr_srcptr c[] = {r->re, r->im};
    mpfr_t re, im, re2, im2, error;
    mpfr_inits2(5000, re, im, re2, im2, error, (mpfr_ptr)NULL);
    mpfr_set_zero(re, 1);
    mpfr_set_zero(im, 1);
    bool ok = true;
    for (uint32_t m = 1; m <= r->length && ok; m++) {
        mpfr_sqr(re2, re, MPFR_RNDN);
        mpfr_sqr(im2, im, MPFR_RNDN);
        mpfr_mul(im, re, im, MPFR_RNDN);
        mpfr_mul_2ui(im, im, 1, MPFR_RNDN);
        mpfr_add(im, im, c[1], MPFR_RNDN);
        mpfr_sub(re, re2, im2, MPFR_RNDN);
        mpfr_add(re, re, c[0], MPFR_RNDN);
        const mpfr_srcptr part[] = {re, im};
        for (int i = 0; i < 2; i++) {
            get_both(p, m, i, error);
            mpfr_sub(error, error, part[i], MPFR_RNDN);
            ok = ok && error_bits(error, re, im) <= -104;
        }
    }
    mpfr_clears(re, im, re2, im2, error, (mpfr_ptr)NULL);
    perturbation_unref(p);
    return ok;
}

/* --- the same bytes --- */

static bool check_same(struct backend *backend, struct backend *judge, const char *place,
                       uint32_t limit, double angle, bool screened) {
    SCOPED_BY(open_place, frame_req, req, place, limit);
    req.view.angle = angle;
    CHECK(!screened || (req.screen = make_perturbation(&req, false)));
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, place));
    req.method = METHOD_DEEPEN; /* stops and continues */
    CHECK(draw(backend, &req, &got) && same(&got, &want, "deepening"));
    req.limit /= 2;
    CHECK(draw(backend, &req, &got));
    req.limit = limit;
    CHECK(draw(backend, &req, &got) && same(&got, &want, "a raised limit"));
    req.limit = 100; /* at depth z is still below a double's range */
    CHECK(draw(backend, &req, &got));
    req.limit = limit;
    CHECK(draw(backend, &req, &got) && same(&got, &want, "a limit raised by far"));
    CHECK((req.limit = picture_common_count(&want)) > 0); /* many escape in their last step */
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, "a limit that is a count"));
    return true;
}

static uint32_t count_of(enum perturbed_end end, uint32_t n, uint32_t limit) {
    return end == PERTURBED_ESCAPED && n <= limit ? n
           : end == PERTURBED_RETURNS             ? SAMPLE_NEVER
                                                  : limit | SAMPLE_INTERIOR;
}

static uint32_t wide_count(const struct perturbed_tables *t, const struct wide_point *at,
                           uint32_t limit) {
    struct wide_point p = *at;
    struct wide_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    uint32_t steps = UINT32_MAX;
    wide_begin(t, &p);
    const enum perturbed_end end = wide_run(t, false, &p, limit, true, &cycle, &steps);
    return count_of(end, p.n, limit);
}

/* Returns the count of a screened point. */
static uint32_t screened_count(const struct perturbed_tables *doubles,
                               const struct perturbed_tables *t, const struct wide_point *at,
                               uint32_t limit) {
    struct perturbed_point p = {.cr = at->cr.hi, .ci = at->ci.hi};
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    uint32_t steps = UINT32_MAX;
    perturbed_begin(doubles, &p);
    const enum perturbed_end end = perturbed_run(doubles, false, &p, limit, true, &cycle, &steps);
    return perturbed_screen_judge(doubles, false, &p, end, limit) == SCREEN_DOUBTFUL
               ? wide_count(t, at, limit)
               : count_of(end, p.n, limit);
}

/* Checks that the code for single orbits, which GPUs run, has the counts of vectors. */
static bool check_points(struct backend *backend, const char *place, uint32_t limit,
                         bool screened) {
    struct coords coords;
    SCOPED_BY(open_place, frame_req, req, place, limit);
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    CHECK((req.perturbation = make_perturbation(&req, true)));
    CHECK((req.screen = screened ? make_perturbation(&req, false) : NULL) || !screened);
    CHECK(draw(backend, &req, &got) && coords_init(&coords, &req));
    const struct perturbed_place at = frame_req_place(&req, req.perturbation);
    const struct perturbed_tables tables = perturbed_tables(req.perturbation, &at, req.limit);
    struct perturbed_tables doubles = {0};
    if (screened)
        doubles = perturbed_tables(req.screen, &at, req.limit);
    for (uint32_t i = 0; i < PIXELS; i++) {
        struct wide_point p = {.m = 0};
        coords_point_wide(coords.wide, COORDS_UPRIGHT, WIDTH, i % WIDTH, i / WIDTH, &p.cr.hi,
                          &p.cr.lo, &p.ci.hi, &p.ci.lo);
        const uint32_t count = screened ? screened_count(&doubles, &tables, &p, req.limit)
                                        : wide_count(&tables, &p, req.limit);
        want.target.planes.count[i] = count == SAMPLE_NEVER ? req.limit | SAMPLE_INTERIOR : count;
    }
    CHECK(differing(&got, &want) == 0);
    coords_finish(&coords);
    return true;
}

/* --- the same counts --- */

/* Returns x 2^log2. */
static quad scaled(quad x, int32_t log2) {
    for (; log2 < -1000; log2 += 1000)
        x *= 0x1p-1000;
    return x * ldexp(1, log2);
}

/* Returns a point's count by single steps, in numbers of 113 bits. */
static uint32_t plain_count(const struct reference *r, uint32_t last, quad cr, quad ci,
                            uint32_t limit) {
    quad zr = 0, zi = 0;
    uint32_t m = 0;
    for (uint32_t n = 0; n < limit; n++) {
        quad Zr = (quad)r->z[2 * (size_t)m] + r->low[2 * (size_t)m];
        quad Zi = (quad)r->z[2 * (size_t)m + 1] + r->low[2 * (size_t)m + 1];
        for (uint32_t i = 0; i < r->small_count; i++)
            if (r->small[i].index == m) {
                Zr = scaled((quad)r->small[i].re + r->small[i].re_low, r->small[i].exponent);
                Zi = scaled((quad)r->small[i].im + r->small[i].im_low, r->small[i].exponent);
            }
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

/* Compares the count of one point in `every`. */
static bool check_plain(struct backend *backend, const char *place, uint32_t limit,
                        uint32_t every) {
    struct coords coords;
    size_t other = 0, points = 0;
    SCOPED_BY(open_place, frame_req, req, place, limit);
    SCOPED(picture, got, WIDTH, HEIGHT);
    CHECK((req.perturbation = make_perturbation(&req, true)));
    CHECK(draw(backend, &req, &got) && coords_init(&coords, &req));
    const struct reference *reference = req.perturbation->reference;
    const struct perturbed_place at = frame_req_place(&req, req.perturbation);
    const uint32_t last = reference_last(reference, at.c_most_log2, req.limit);
    for (uint32_t i = 0; i < PIXELS; i += every, points++) {
        double re[2], im[2];
        coords_point_wide(coords.wide, COORDS_UPRIGHT, WIDTH, i % WIDTH, i / WIDTH, &re[0], &re[1],
                          &im[0], &im[1]);
        const uint32_t count = plain_count(reference, last, scaled((quad)re[0] + re[1], at.c_log2),
                                           scaled((quad)im[0] + im[1], at.c_log2), req.limit);
        other += (got.target.planes.count[i] & SAMPLE_COUNT_MASK) != count;
    }
    printf("%s: %zu of %zu counts differ from plain perturbation\n", place, other, points);
    CHECK(other == 0);
    coords_finish(&coords);
    return true;
}

/* Checks exact counts of minibrots next to c = -2. |W| passes 2 there by less than either part of a
 * wide number shows alone. */
static bool check_exact(struct backend *backend) {
    static struct truth truth;
    const int places = truth_places("extended");
    for (int i = 0; i < places; i++) {
        int other = 0;
        CHECK(truth_load(&truth, "extended", i));
        truth.req.route = ROUTE_PERTURBED;
        truth.req.type = TYPE_WIDE;
        truth.req.widen = false;
        SCOPED(picture, got, truth.req.width_px, truth.req.height_px);
        CHECK(draw(backend, &truth.req, &got));
        for (int k = 0; k < truth.points; k++) {
            const struct truth_point *at = &truth.point[k];
            other += got.target.planes.count[at->y_px * truth.req.width_px + at->x_px] != at->count;
        }
        printf("%s: %d of %d counts are wrong\n", truth.name, other, truth.points);
        frame_req_finish(&truth.req);
        CHECK(other == 0);
    }
    return places > 0;
}

/* --- automatic choice --- */

/* Checks that a widened request is drawn by the necessary route and number type, and that
 * backend_decide chooses the same. */
static bool check_chosen(struct backend *backend, const char *place, uint32_t limit,
                         enum route route, enum number_type type) {
    struct backend_report report;
    SCOPED_BY(open_place, frame_req, req, place, limit);
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    req.type = TYPE_DOUBLE;
    req.widen = true;
    CHECK(backend_draw(backend, &req, &got.target, NULL, NULL, &report));
    CHECK(report.reference.decided && report.reference.type == type &&
          report.reference.route == route);
    CHECK(backend_decide(backend, &req, NULL, NULL) && req.route == route && req.type == type &&
          !req.widen && !req.perturbation);
    const bool screened = type == TYPE_WIDE && route == ROUTE_PERTURBED;
    CHECK((req.screen != NULL) == screened);
    CHECK(draw(backend, &req, &want) && same(&got, &want, "chosen by itself"));
    if (screened) { /* wide numbers alone give nearly the same */
        perturbation_unref(req.screen);
        req.screen = NULL;
        CHECK(draw(backend, &req, &want) && differing(&got, &want) <= PIXELS / 400);
    }
    return true;
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    if (backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_WIDE & 1) {
        CHECK(check_same(backend, judge, "1e14", 4036, 0, false));
        CHECK(check_same(backend, judge, "5e113", 35494, 0.3, false));
        CHECK(check_same(backend, judge, "valley_1e24", 30000, 0.3, false));
        CHECK(check_same(backend, judge, "1e14", 4036, 0, true));
        CHECK(check_same(backend, judge, "4e533", 120000, 0.3, false) &&
              check_same(backend, judge, "4e533", 120000, 0, true) &&
              check_same(backend, judge, "valley_1e1120", 100000, 0, false));
        CHECK(check_points(backend, "1e14", 0, false) && check_points(backend, "5e113", 0, false) &&
              check_points(backend, "valley_1e24", 0, false) &&
              check_points(backend, "glitch_test_1", 20000, false) &&
              check_points(backend, "4e533", 0, false) && check_points(backend, "4e533", 0, true) &&
              check_points(backend, "valley_1e1120", 0, false));
#ifndef TEST_SANITIZED
        /* All have the same bits: of the processor's backends one takes the longest orbits. */
        if (strcmp(subject, "scalar") != 0 && strcmp(subject, "avx512") != 0)
            CHECK(check_same(backend, judge, "5e227", 1200000, 0.3, true) &&
                  check_points(backend, "5e227", 0, true));
#endif
        CHECK(check_plain(backend, "1e14", 0, 7) && check_plain(backend, "valley_1e24", 0, 7) &&
              check_plain(backend, "5e113", 20000, 7) && check_plain(backend, "4e533", 0, 70) &&
              check_plain(backend, "valley_1e1120", 0, 70));
        CHECK(check_exact(backend));
        CHECK(check_chosen(backend, "5e113", 35494, ROUTE_PERTURBED, TYPE_DOUBLE));
        CHECK(check_chosen(backend, "5e227", 1200000, ROUTE_PERTURBED, TYPE_WIDE));
        CHECK(check_chosen(backend, CARPET, 0, ROUTE_DIRECT, TYPE_WIDE));
        CHECK(check_low_parts("5e113", 3000, false) &&
              check_low_parts("valley_1e1120", 5000, true));
    } else {
        printf("%s: has no wide perturbed kernels\n", subject);
    }
    return true;
}

int main(int argc, char **argv) {
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend,
                           "draw perturbed pictures in wide numbers");
}
