/* Traces of perturbed pictures. They are compared with orbits in exact numbers, at depths within
 * and beyond the range of doubles, for powers, folds and Julia sets, and with direct pictures. All
 * backends must have the same bits, whatever samples were kept.
 * usage: check_deep_traces [NAME]   (77: NAME cannot run on this machine) */
#include "render/formula/trace.h"
#include "tests/deep/deep_pictures.h"
#include "tests/shared/random.h"
#include <math.h>

#define PLANES (SAMPLE_BASIC | SAMPLE_SLOPE | SAMPLE_TRACE)

static bool same_traces(const struct picture *a, const struct picture *b, const char *what) {
    size_t others = 0;
    for (int p = SAMPLE_PLANE_stripe; p <= SAMPLE_PLANE_caught; p++)
        for (size_t i = 0; i < a->pixels; i++)
            others += ((const uint32_t *)a->target.planes.plane[p])[i] !=
                      ((const uint32_t *)b->target.planes.plane[p])[i];
    if (others > 0)
        printf("%s: %s: %zu of %zu traces differ\n", subject, what, others, 8 * a->pixels);
    return others == 0 && same(a, b, what);
}

/* Counts the escaped samples, and those of them with a slope but no trace. */
static void count_traces(const struct picture *picture, size_t *escaped, size_t *none) {
    const struct sample_planes *planes = &picture->target.planes;
    *escaped = *none = 0;
    for (size_t i = 0; i < picture->pixels; i++) {
        const bool there = !(planes->count[i] & SAMPLE_INTERIOR);
        *escaped += there;
        *none += there && planes->distance[i] > 0 && !(planes->stripe[i] > 0);
    }
}

/* --- exact numbers --- */

struct exact {
    struct number z, c, power, next;
    mpfr_t part[2];
    const struct fractal *fractal;
    uint32_t steps; /* number of steps taken */
};

static void exact_init(struct exact *e, const struct frame_req *req, uint32_t pixel) {
    const double depth = -view_step_log2(&req->view, HEIGHT);
    uint32_t most = req->fractal.power;
    for (uint32_t i = 0; i < req->fractal.then_count; i++)
        most = req->fractal.then[i].power > most ? req->fractal.then[i].power : most;
    const mpfr_prec_t bits = (mpfr_prec_t)(128 + depth * (req->fractal.julia ? most : 1));
    struct number *at = req->fractal.julia ? &e->z : &e->c;
    mpfr_t step;
    e->fractal = &req->fractal;
    e->steps = 0;
    number_init(&e->z, bits);
    number_init(&e->c, bits);
    number_init(&e->power, bits);
    number_init(&e->next, bits);
    mpfr_inits2(bits, e->part[0], e->part[1], (mpfr_ptr)NULL);
    mpfr_init2(step, 128);
    view_step(&req->view, HEIGHT, step);
    mpfr_mul_d(e->part[0], step, pixel % WIDTH + 0.5 - WIDTH / 2, MPFR_RNDN);
    mpfr_mul_d(e->part[1], step, HEIGHT / 2 - 0.5 - pixel / WIDTH, MPFR_RNDN);
    mpfr_add(at->re, req->view.re, e->part[0], MPFR_RNDN);
    mpfr_add(at->im, req->view.im, e->part[1], MPFR_RNDN);
    mpfr_clear(step);
    if (req->fractal.julia) {
        mpfr_set(e->c.re, req->fractal.re, MPFR_RNDN);
        mpfr_set(e->c.im, req->fractal.im, MPFR_RNDN);
    }
}

static void exact_finish(struct exact *e) {
    number_finish(&e->z);
    number_finish(&e->c);
    number_finish(&e->power);
    number_finish(&e->next);
    mpfr_clears(e->part[0], e->part[1], (mpfr_ptr)NULL);
}

/* Computes to = a b; `to` is neither a nor b. */
static void multiply(struct exact *e, struct number *to, const struct number *a,
                     const struct number *b) {
    mpfr_mul(e->part[0], a->im, b->im, MPFR_RNDN);
    mpfr_mul(e->part[1], a->im, b->re, MPFR_RNDN);
    mpfr_mul(to->re, a->re, b->re, MPFR_RNDN);
    mpfr_mul(to->im, a->re, b->im, MPFR_RNDN);
    mpfr_sub(to->re, to->re, e->part[0], MPFR_RNDN);
    mpfr_add(to->im, to->im, e->part[1], MPFR_RNDN);
}

/* Takes a step. `power` is z^p before c is added. */
static void exact_step(struct exact *e) {
    const struct fractal *f = e->fractal;
    const uint32_t which = e->steps++ % (f->then_count + 1);
    const struct fractal_step first = {f->formula, f->power};
    const struct fractal_step *step = which == 0 ? &first : &f->then[which - 1];
    const unsigned folds = formula_folds((int)step->formula);
    if (folds & FOLD_X)
        mpfr_abs(e->z.re, e->z.re, MPFR_RNDN);
    if (folds & FOLD_Y)
        mpfr_abs(e->z.im, e->z.im, MPFR_RNDN);
    if (folds & FOLD_NEGATE)
        mpfr_neg(e->z.im, e->z.im, MPFR_RNDN);
    mpfr_set(e->power.re, e->z.re, MPFR_RNDN);
    mpfr_set(e->power.im, e->z.im, MPFR_RNDN);
    for (unsigned i = 1; i < step->power; i++) {
        multiply(e, &e->next, &e->power, &e->z);
        mpfr_swap(e->power.re, e->next.re);
        mpfr_swap(e->power.im, e->next.im);
    }
    if (folds & FOLD_RE)
        mpfr_abs(e->power.re, e->power.re, MPFR_RNDN);
    if (folds & FOLD_IM)
        mpfr_abs(e->power.im, e->power.im, MPFR_RNDN);
    mpfr_add(e->z.re, e->power.re, e->c.re, MPFR_RNDN);
    mpfr_add(e->z.im, e->power.im, e->c.im, MPFR_RNDN);
}

/* Traces of a pixel's orbit by definition. */
struct passed {
    long double sum[2], last[2];    /* stripes and triangle */
    double least[4], second_square; /* point, line, cross, circle */
    uint32_t points, domain, dips;  /* dips: points after which doubles have no triangle */
    double complex caught;          /* nearest to 0 of the last points */
    bool unsure;                    /* another point is about as near */
    uint32_t count;
    mpfr_t square, other; /* least |z|^2, and scratch */
};

/* Returns the position of |z| between | |v| - |c| | and |v| + |c|, where z = v + c. */
static long double triangle_of(long double complex v, long double complex c,
                               long double complex z) {
    const long double least = fabsl(cabsl(v) - cabsl(c)), most = cabsl(v) + cabsl(c);
    return most > least ? fminl(fmaxl((cabsl(z) - least) / (most - least), 0), 1) : 0;
}

/* Returns (1 + sin(4 arg z)) / 2, or nearly 1/2 very near to 0. */
static long double stripe_of(long double complex z) {
    const long double square = cabsl(z) * cabsl(z);
    const long double share = square / (square + TRACE_LEAST / (TRACE_UNIT * TRACE_UNIT));
    return 0.5L + share * share * sinl(4 * cargl(z)) / 2;
}

static void pass(struct passed *p, const struct exact *e) {
    const double complex z = number_get(&e->z), v = number_get(&e->power), c = number_get(&e->c);
    const double size = cabs(z);
    p->points++;
    p->last[0] = stripe_of(z);
    p->dips += cabs(v) < 0x1p-30 * cabs(c);
    p->last[1] = p->points == 1 ? 0 : triangle_of(v, c, z);
    p->sum[0] += p->last[0];
    p->sum[1] += p->last[1];
    mpfr_sqr(p->other, e->z.re, MPFR_RNDN);
    mpfr_fma(p->other, e->z.im, e->z.im, p->other, MPFR_RNDN);
    if (mpfr_less_p(p->other, p->square)) {
        mpfr_swap(p->other, p->square);
        p->domain = p->points;
    }
    const double least = cabs(p->caught);
    if (p->points + 16 > p->count) {
        p->unsure = size < least * 0.9999 ? false : p->unsure | (size < least * 1.0001);
        p->caught = size < least ? z : p->caught;
    }
    p->least[0] = fmin(p->least[0], size);
    p->least[1] = fmin(p->least[1], fabs(cimag(z)));
    p->least[2] = fmin(p->least[2], fmin(fabs(creal(z)), fabs(cimag(z))));
    p->least[3] = fmin(p->least[3], fabs(size - 1));
}

static double mean_of(const struct passed *p, int which, uint32_t terms, float fraction,
                      uint32_t count) {
    const double part = fmin(fmax((double)fraction + 1 - (double)(p->points - count), 0), 1);
    const double all = (double)p->sum[which] / terms;
    const double less = (double)(p->sum[which] - p->last[which]) / (terms - 1);
    return less + part * (all - less);
}

/* Returns true if the stored place is the caught point, within two units. */
static bool is_place(uint32_t bits, const struct passed *p) {
    const double re = (int16_t)(bits & 0xffffu) * 0x1p-15, im = (int16_t)(bits >> 16) * 0x1p-15;
    if (bits == TRACE_NOWHERE)
        return p->unsure || fmax(fabs(creal(p->caught)), fabs(cimag(p->caught))) > 1 - 0x1p-14;
    return p->unsure ||
           (fabs(creal(p->caught) - re) < 0x1p-14 && fabs(cimag(p->caught) - im) < 0x1p-14);
}

/* Errors allowed: of means, and of log2 of the least distances. */
#define MEAN_APART 2e-4
#define NEAR_APART 2e-4

static int is_exact(const struct frame_req *req, const struct picture *picture, uint32_t pixel) {
    const struct sample_planes *planes = &picture->target.planes;
    const uint32_t count = planes->count[pixel];
    struct passed p = {.least = {1e30, 1e30, 1e30, 1e30}, .caught = 1e9, .count = count};
    SCOPED(exact, e, req, pixel);
    mpfr_inits2(64, p.square, p.other, (mpfr_ptr)NULL);
    mpfr_set_inf(p.square, 1);
    while (cabs(number_get(&e.z)) < 2 && p.points <= count) {
        exact_step(&e);
        pass(&p, &e);
    }
    const uint32_t escaped = p.points;
    for (int more = 0; more < SMOOTH_STEPS && cabs(number_get(&e.z)) < 256; more++) {
        exact_step(&e);
        pass(&p, &e);
    }
    mpfr_clears(p.square, p.other, (mpfr_ptr)NULL);
    if (escaped != count)
        return -1;
    const double stripe = mean_of(&p, 0, p.points, planes->fraction[pixel], count);
    const double triangle = mean_of(&p, 1, p.points - 1, planes->fraction[pixel], count);
    const float *const near[4] = {planes->point, planes->line, planes->cross, planes->circle};
    bool right =
        fabs(stripe - (double)planes->stripe[pixel]) < MEAN_APART &&
        fabs(triangle - (double)planes->triangle[pixel]) < MEAN_APART + (double)p.dips / p.points &&
        p.domain == planes->domain[pixel] && is_place(planes->caught[pixel], &p);
    for (int i = 0; i < 4; i++)
        right =
            right && fabs(log2((double)near[i][pixel] / fmax(p.least[i], 0x1p-60))) < NEAR_APART;
    if (right)
        return 1;
    printf("%s: pixel %u, count %u: %g for %g, %g for %g, domain %u for %u;", subject, pixel, count,
           planes->stripe[pixel], stripe, planes->triangle[pixel], triangle, planes->domain[pixel],
           p.domain);
    for (int i = 0; i < 4; i++)
        printf(" %g for %g", near[i][pixel], p.least[i]);
    printf(", %u dips\n", p.dips);
    return 0;
}

static bool check_exact(struct backend *backend, const struct frame_req *req, const char *place,
                        uint32_t points) {
    uint32_t right = 0, counts = 0;
    size_t escaped, none;
    SCOPED_BY(picture_init_planes, picture, got, PLANES);
    CHECK(draw(backend, req, &got));
    count_traces(&got, &escaped, &none);
    random_seed(5);
    for (uint32_t tries = 0, seen = 0; seen < points && tries < 1000; tries++) {
        const uint32_t pixel = (uint32_t)random_below(WIDTH * HEIGHT);
        if (got.target.planes.count[pixel] & SAMPLE_INTERIOR)
            continue;
        const int is = is_exact(req, &got, pixel);
        seen++;
        counts += is >= 0;
        right += is > 0;
    }
    printf("%s: %s: %u of %u traces are exact, %zu of %zu escaped points have none\n", subject,
           place, right, points, none, escaped);
    CHECK(counts * 10 >= points * 9 && counts - right <= 1 + counts / 20 && none == 0);
    return true;
}

static bool check_place(struct backend *backend, const char *place, uint32_t points) {
    SCOPED_BY(open_place, frame_req, req, place, PLANES);
    return check_exact(backend, &req, place, points);
}

/* --- other formulas --- */

static void open_formula(struct frame_req *req, const struct deep_place *place) {
    open_deep_place(req, place);
    req->planes = PLANES;
}

/* --- direct pictures --- */

static bool apart(float a, float b, float most) {
    return !(fabsf(log2f(a / b)) < most);
}

/* Compares planes with those of a direct picture, where the counts are equal. */
static bool check_direct(struct backend *backend) {
    static const struct place at = {"-0.743643887037151", "0.131825904205330", "20000", 30, 3000};
    size_t others[SAMPLE_PLANES] = {0}, compared = 0;
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    set_place(&req, &at);
    req.planes = PLANES;
    SCOPED_BY(picture_init_planes, picture, direct, PLANES);
    SCOPED_BY(picture_init_planes, picture, perturbed, PLANES);
    req.route = ROUTE_DIRECT;
    CHECK(draw(backend, &req, &direct));
    req.route = ROUTE_PERTURBED;
    req.generation++;
    CHECK(draw(backend, &req, &perturbed));
    const struct sample_planes *a = &direct.target.planes, *b = &perturbed.target.planes;
    for (size_t i = 0; i < direct.pixels; i++) {
        if (a->distance[i] < 1e-3f || a->count[i] != b->count[i])
            continue;
        compared++;
        for (int p = SAMPLE_PLANE_stripe; p < SAMPLE_PLANE_domain; p++)
            others[p] +=
                apart(((const float *)a->plane[p])[i], ((const float *)b->plane[p])[i], 1e-3f);
        others[SAMPLE_PLANE_domain] += a->domain[i] != b->domain[i];
    }
    bool ok = compared > 1000;
    for (int p = SAMPLE_PLANE_stripe; p <= SAMPLE_PLANE_domain; p++)
        ok = ok && others[p] * 200 <= compared;
    printf("%s: beside direct ones: of %zu %zu %zu %zu %zu %zu %zu %zu apart\n", subject, compared,
           others[SAMPLE_PLANE_stripe], others[SAMPLE_PLANE_triangle], others[SAMPLE_PLANE_point],
           others[SAMPLE_PLANE_line], others[SAMPLE_PLANE_cross], others[SAMPLE_PLANE_circle],
           others[SAMPLE_PLANE_domain]);
    CHECK(ok);
    return true;
}

/* --- the same bits --- */

static bool check_next(struct backend *backend, struct backend *judge, struct frame_req *req,
                       struct picture pictures[2], const char *what) {
    req->generation++;
    CHECK(draw(backend, req, &pictures[0]) && judge_draw(judge, req, &pictures[1]));
    CHECK(same_traces(&pictures[1], &pictures[0], what));
    return true;
}

/* Checks traces that are requested later than the counts: kept samples get them. */
static bool check_later(struct backend *backend, struct frame_req *req,
                        struct picture pictures[2]) {
    SCOPED(picture, counts, WIDTH, HEIGHT);
    req->planes = SAMPLE_BASIC;
    req->generation++;
    CHECK(draw(backend, req, &counts));
    req->planes = PLANES;
    req->generation++;
    CHECK(draw(backend, req, &pictures[0]));
    CHECK(same_traces(&pictures[1], &pictures[0], "planes that came later"));
    return true;
}

static bool check_same(struct backend *backend, struct backend *judge, struct frame_req *req,
                       const char *what) {
    struct picture pictures[2];
    size_t escaped, none;
    picture_init_planes(&pictures[0], PLANES);
    picture_init_planes(&pictures[1], PLANES);
    CHECK(check_next(backend, judge, req, pictures, what));
    count_traces(&pictures[1], &escaped, &none);
    CHECK(escaped > 100 && none == 0);
    req->method = METHOD_DEEPEN; /* stops and continues */
    req->generation++;
    CHECK(draw(backend, req, &pictures[0]) && same_traces(&pictures[1], &pictures[0], what));
    req->method = METHOD_TILES;
    CHECK(check_later(backend, req, pictures));
    req->limit = picture_common_count(&pictures[1]);
    CHECK(check_next(backend, judge, req, pictures, "a limit that is a count"));
    req->limit += req->limit / 8;
    CHECK(check_next(backend, judge, req, pictures, "a limit that was raised"));
    view_pan(&req->view, 13, -7, HEIGHT);
    CHECK(check_next(backend, judge, req, pictures, "after a pan"));
    picture_finish(&pictures[0]);
    picture_finish(&pictures[1]);
    return true;
}

static bool check_same_place(struct backend *backend, struct backend *judge, const char *place,
                             double angle) {
    SCOPED_BY(open_place, frame_req, req, place, PLANES);
    req.view.angle = angle;
    return check_same(backend, judge, &req, place);
}

/* Checks wide and widened pictures, whose counts are those of wide numbers. */
static bool check_wide(struct backend *backend, struct backend *judge, const char *place,
                       bool widen) {
    if (!(backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_WIDE & 1))
        return true;
    SCOPED_BY(open_place, frame_req, req, place, PLANES);
    if (widen)
        req.widen = true;
    else
        req.type = TYPE_WIDE;
    return check_same(backend, judge, &req, widen ? "widened" : "wide");
}

static bool check_formula(struct backend *backend, struct backend *judge,
                          const struct deep_place *place, uint32_t points) {
    char name[FRACTAL_NAME_SIZE];
    SCOPED_BY(open_formula, frame_req, req, place);
    fractal_name(&req.fractal, name, sizeof name);
    return check_exact(backend, &req, name, points) && check_same(backend, judge, &req, name);
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    const struct share share = share_of(subject);
    bool ok =
        (share.by_bytes || (check_place(backend, "1e14", share.quick ? 10 : 40) &&
                            check_place(backend, "5e113", share.quick ? 5 : 20) &&
                            check_place(backend, "4e533", share.quick ? 3 : 10) &&
                            (SLOW || check_place(backend, "dense_1e50", share.quick ? 4 : 10)))) &&
        (share.quick || check_place(backend, "1e1086", 2)) && check_direct(backend) &&
        check_same_place(backend, judge, "1e14", 0.3) &&
        check_same_place(backend, judge, "5e113", 0) &&
        check_same_place(backend, judge, "4e533", 0.1) &&
        check_wide(backend, judge, "1e14", false) && check_wide(backend, judge, "4e533", false) &&
        check_wide(backend, judge, "1e14", true);
    for (size_t i = share.first; ok && i < deep_place_count; i += share.every)
        ok = check_formula(backend, judge, &deep_places[i], share.quick ? 5 : 20);
    return ok;
}

int main(int argc, char **argv) {
    deep_places_read("traces");
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend, "have traces at depth");
}
