/* Slopes of perturbed pictures. They are compared with orbits and derivatives in exact numbers, at
 * depths within and beyond the range of doubles, for powers, folds and Julia sets, and with direct
 * pictures. All backends must have the same bits, whatever samples were kept.
 * usage: check_deep_slopes [NAME]   (77: NAME cannot run on this machine) */
#include "render/palette.h"
#include "tests/deep/deep_pictures.h"
#include "tests/shared/random.h"
#include <math.h>

#define PLANES (SAMPLE_BASIC | SAMPLE_SLOPE)

static bool same_slopes(const struct picture *a, const struct picture *b, const char *what) {
    const struct sample_planes *p = &a->target.planes, *q = &b->target.planes;
    size_t others = 0;
    for (size_t i = 0; i < a->pixels; i++)
        others += p->normal[i] != q->normal[i] || p->angle[i] != q->angle[i] ||
                  memcmp(&p->distance[i], &q->distance[i], sizeof(float)) != 0;
    if (others > 0)
        printf("%s: %s: %zu of %zu slopes differ\n", subject, what, others, a->pixels);
    return others == 0 && same(a, b, what);
}

/* Counts the escaped samples, and those of them without a slope. */
static void count_slopes(const struct picture *picture, size_t *escaped, size_t *none) {
    const struct sample_planes *planes = &picture->target.planes;
    *escaped = *none = 0;
    for (size_t i = 0; i < picture->pixels; i++) {
        const bool there = !(planes->count[i] & SAMPLE_INTERIOR);
        *escaped += there;
        *none += there && !(planes->distance[i] > 0);
        if (!there && planes->distance[i] != 0)
            abort();
    }
}

/* --- exact numbers --- */

/* Computes to = a b; `part` is scratch. */
static void multiply(struct number *to, const struct number *a, const struct number *b,
                     mpfr_t part[3]) {
    mpfr_mul(part[0], a->im, b->im, MPFR_RNDN);
    mpfr_mul(part[1], a->re, b->im, MPFR_RNDN);
    mpfr_mul(part[2], a->im, b->re, MPFR_RNDN);
    mpfr_mul(to->re, a->re, b->re, MPFR_RNDN);
    mpfr_sub(to->re, to->re, part[0], MPFR_RNDN);
    mpfr_add(to->im, part[1], part[2], MPFR_RNDN);
}

/* An orbit with its derivatives: the changes for a pixel's step to the right and upwards. */
struct exact {
    struct number z, c, right, up;
    mpfr_t by; /* change of c for a pixel's step, added in each step; 0 for Julia sets */
    mpfr_t part[3], short_part[3];
    struct step_list steps;
    uint32_t done;
};

static void negate(mpfr_t a, mpfr_t b, mpfr_t c) {
    mpfr_neg(a, a, MPFR_RNDN);
    mpfr_neg(b, b, MPFR_RNDN);
    mpfr_neg(c, c, MPFR_RNDN);
}

static void exact_step(struct exact *e) {
    const uint32_t number = e->done++ % e->steps.length;
    const unsigned power = (unsigned)step_list_power(&e->steps, number);
    const unsigned folds = step_list_folds(&e->steps, number);
    SCOPED(number, low, mpfr_get_prec(e->z.re)); /* z^(power - 1) */
    SCOPED(number, next, mpfr_get_prec(e->z.re));
    SCOPED(number, m, mpfr_get_prec(e->up.re)); /* power z^(power - 1) */
    SCOPED(number, d, mpfr_get_prec(e->up.re));
    if (folds & FOLD_X && mpfr_signbit(e->z.re))
        negate(e->z.re, e->right.re, e->up.re);
    if (folds & FOLD_Y && mpfr_signbit(e->z.im))
        negate(e->z.im, e->right.im, e->up.im);
    if (folds & FOLD_NEGATE)
        negate(e->z.im, e->right.im, e->up.im);
    mpfr_set_ui(low.re, 1, MPFR_RNDN);
    for (unsigned i = 1; i < power; i++) {
        multiply(&next, &low, &e->z, e->part);
        mpfr_swap(low.re, next.re);
        mpfr_swap(low.im, next.im);
    }
    multiply(&next, &low, &e->z, e->part);
    mpfr_mul_ui(m.re, low.re, power, MPFR_RNDN);
    mpfr_mul_ui(m.im, low.im, power, MPFR_RNDN);
    multiply(&d, &m, &e->right, e->short_part);
    mpfr_swap(d.re, e->right.re);
    mpfr_swap(d.im, e->right.im);
    multiply(&d, &m, &e->up, e->short_part);
    mpfr_swap(d.re, e->up.re);
    mpfr_swap(d.im, e->up.im);
    if (folds & FOLD_RE && mpfr_signbit(next.re))
        negate(next.re, e->right.re, e->up.re);
    if (folds & FOLD_IM && mpfr_signbit(next.im))
        negate(next.im, e->right.im, e->up.im);
    mpfr_add(e->right.re, e->right.re, e->by, MPFR_RNDN);
    mpfr_add(e->up.im, e->up.im, e->by, MPFR_RNDN);
    mpfr_add(e->z.re, next.re, e->c.re, MPFR_RNDN);
    mpfr_add(e->z.im, next.im, e->c.im, MPFR_RNDN);
}

static double size(const struct number *z) {
    return hypot(mpfr_get_d(z->re, MPFR_RNDN), mpfr_get_d(z->im, MPFR_RNDN));
}

static void exact_init(struct exact *e, const struct frame_req *req, uint32_t pixel) {
    const struct fractal *fractal = &req->fractal;
    const double depth = -view_step_log2(&req->view, HEIGHT);
    *e = (struct exact){.steps = fractal_steps(fractal)};
    const int times = fractal->julia ? step_list_most_power(&e->steps) : 1;
    const mpfr_prec_t bits = (mpfr_prec_t)(128 + depth * times);
    number_init(&e->z, bits);
    number_init(&e->c, bits);
    number_init(&e->right, 128);
    number_init(&e->up, 128);
    mpfr_init2(e->by, 128);
    for (int i = 0; i < 3; i++) {
        mpfr_init2(e->part[i], bits);
        mpfr_init2(e->short_part[i], 128);
    }
    struct number *at = fractal->julia ? &e->z : &e->c;
    view_step(&req->view, HEIGHT, e->by);
    mpfr_mul_d(e->part[0], e->by, pixel % WIDTH + 0.5 - WIDTH / 2, MPFR_RNDN);
    mpfr_mul_d(e->part[1], e->by, HEIGHT / 2 - 0.5 - pixel / WIDTH, MPFR_RNDN);
    mpfr_add(at->re, req->view.re, e->part[0], MPFR_RNDN);
    mpfr_add(at->im, req->view.im, e->part[1], MPFR_RNDN);
    if (fractal->julia) {
        mpfr_set(e->c.re, fractal->re, MPFR_RNDN);
        mpfr_set(e->c.im, fractal->im, MPFR_RNDN);
        mpfr_swap(e->right.re, e->by);
        mpfr_set(e->up.im, e->right.re, MPFR_RNDN);
        mpfr_set_ui(e->by, 0, MPFR_RNDN);
    }
}

static void exact_finish(struct exact *e) {
    number_finish(&e->z);
    number_finish(&e->c);
    number_finish(&e->right);
    number_finish(&e->up);
    mpfr_clear(e->by);
    for (int i = 0; i < 3; i++)
        mpfr_clears(e->part[i], e->short_part[i], (mpfr_ptr)NULL);
}

/* Returns 1 if a pixel's slope is exact, 0 if not, and -1 if its count is not exact either. */
static int is_exact(const struct frame_req *req, const struct picture *picture, uint32_t pixel) {
    const struct sample_planes *planes = &picture->target.planes;
    uint32_t n = 0;
    SCOPED(exact, e, req, pixel);
    while (size(&e.z) < 2 && n <= planes->count[pixel]) {
        exact_step(&e);
        n++;
    }
    for (int more = 0; more < 32 && size(&e.z) < 256; more++)
        exact_step(&e);
    const double complex z = number_get(&e.z), right = number_get(&e.right), up = number_get(&e.up);
    const double complex grow = (creal(conj(z) * right) + creal(conj(z) * up) * I) / cabs(z);
    if (n != planes->count[pixel])
        return -1;
    const uint32_t normal = planes->normal[pixel];
    const double distance = cabs(z) * log(cabs(z)) / cabs(grow);
    const double complex given = ((int16_t)normal + (int16_t)(normal >> 16) * I) / 32767;
    const double complex rise = grow / cabs(grow);
    const double turn = carg(z) / (2 * acos(-1)) - planes->angle[pixel] / 0x1p32;
    const double off = fabs(planes->distance[pixel] / distance - 1);
    if (off < 1e-4 && cabs(given - rise) < 2e-4 && fabs(turn - round(turn)) < 1e-4)
        return 1;
    printf("%s: pixel %u, count %u: distance %g for %g, normal off by %g, angle by %g\n", subject,
           pixel, n, planes->distance[pixel], distance, cabs(given - rise),
           fabs(turn - round(turn)));
    return 0;
}

/* Checks random pixels against exact orbits. A few counts and slopes may be wrong, because some
 * orbits are too sensitive for doubles. */
static bool check_exact_of(struct backend *backend, const struct frame_req *req, const char *place,
                           uint32_t points) {
    uint32_t right = 0, counts = 0;
    size_t escaped, none;
    SCOPED_BY(picture_init_planes, picture, got, PLANES);
    CHECK(draw(backend, req, &got));
    count_slopes(&got, &escaped, &none);
    random_seed(7);
    for (uint32_t tries = 0, seen = 0; seen < points && tries < 1000; tries++) {
        const uint32_t pixel = (uint32_t)random_below(WIDTH * HEIGHT);
        if (got.target.planes.count[pixel] & SAMPLE_INTERIOR)
            continue;
        const int is = is_exact(req, &got, pixel);
        seen++;
        counts += is >= 0;
        right += is > 0;
    }
    printf("%s: %s: %u of %u slopes are exact, %zu of %zu escaped points have none\n", subject,
           place, right, points, none, escaped);
    CHECK(counts * 10 >= points * 9 && counts - right <= 1 + counts / 20 && none * 50 <= escaped);
    return true;
}

static bool check_exact(struct backend *backend, const char *place, uint32_t points) {
    SCOPED_BY(open_place, frame_req, req, place, PLANES);
    return check_exact_of(backend, &req, place, points);
}

/* --- other formulas --- */

static void open_formula(struct frame_req *req, size_t which, char name[FRACTAL_NAME_SIZE]) {
    open_deep_place(req, &deep_places[which]);
    fractal_name(&req->fractal, name, FRACTAL_NAME_SIZE);
    req->planes = PLANES;
}

static bool check_formula(struct backend *backend, size_t which, uint32_t points) {
    char name[FRACTAL_NAME_SIZE];
    SCOPED_BY(open_formula, frame_req, req, which, name);
    printf("%s: %s at %s\n", subject, name, deep_places[which].zoom);
    return check_exact_of(backend, &req, name, points);
}

/* --- direct pictures --- */

/* Compares a picture with a direct one, where the distance is above `least`: nearer to the set,
 * rounding errors show. */
static bool check_direct_of(struct backend *backend, struct frame_req *req, float least,
                            const char *what) {
    size_t apart = 0, compared = 0, escaped, none;
    SCOPED_BY(picture_init_planes, picture, direct, PLANES);
    SCOPED_BY(picture_init_planes, picture, perturbed, PLANES);
    req->route = ROUTE_DIRECT;
    CHECK(draw(backend, req, &direct));
    req->route = ROUTE_PERTURBED;
    req->generation++;
    CHECK(draw(backend, req, &perturbed));
    count_slopes(&perturbed, &escaped, &none);
    for (size_t i = 0; i < direct.pixels; i++) {
        const struct sample_planes *a = &direct.target.planes, *b = &perturbed.target.planes;
        const uint32_t turn = a->angle[i] - b->angle[i];
        compared += a->distance[i] > least;
        if (a->distance[i] > least)
            apart += fabsf(b->distance[i] / a->distance[i] - 1) > 1e-3f ||
                     (turn > 1u << 22 && -turn > 1u << 22);
    }
    printf("%s: %s, direct: %zu of %zu apart, %zu of %zu without\n", subject, what, apart, compared,
           none, escaped);
    CHECK(escaped > 1000 && apart * 1000 <= compared && none * 1000 <= escaped);
    return true;
}

static bool check_direct(struct backend *backend, size_t every) {
    static const struct place at = {"-0.743643887037151", "0.131825904205330", "20000", 30, 3000};
    struct frame_req req;
    frame_req_init(&req, WIDTH, HEIGHT);
    set_place(&req, &at);
    req.planes = PLANES;
    bool ok = check_direct_of(backend, &req, 1e-4f, "z^2 + c");
    frame_req_finish(&req);
    for (size_t i = every > 1; ok && i < deep_place_count; i += every) {
        const char *why;
        char name[FRACTAL_NAME_SIZE];
        open_formula(&req, i, name);
        ok = view_set_zoom(&req.view, "1e8", &why) && check_direct_of(backend, &req, 0.05f, name);
        frame_req_finish(&req);
    }
    return ok;
}

/* --- the same bits --- */

static bool check_same(struct backend *backend, struct backend *judge, struct frame_req *req,
                       const char *what, bool all) {
    size_t escaped, none;
    SCOPED_BY(picture_init_planes, picture, got, PLANES);
    SCOPED_BY(picture_init_planes, picture, want, PLANES);
    req->generation++;
    CHECK(draw(backend, req, &got) && judge_draw(judge, req, &want));
    CHECK(same_slopes(&want, &got, what));
    count_slopes(&want, &escaped, &none);
    CHECK(escaped > 100 && (!all || none * 10 <= escaped));
    req->generation++;
    req->method = METHOD_DEEPEN; /* stops and continues */
    CHECK(draw(backend, req, &got) && same_slopes(&want, &got, what));
    req->method = METHOD_TILES;
    req->limit = picture_common_count(&want); /* many samples escape in their last step */
    req->generation++;
    CHECK(draw(backend, req, &got) && judge_draw(judge, req, &want));
    CHECK(same_slopes(&want, &got, "a limit that is a count"));
    req->limit += req->limit / 8;
    req->generation++;
    CHECK(draw(backend, req, &got) && judge_draw(judge, req, &want));
    CHECK(same_slopes(&want, &got, "a limit that was raised"));
    view_pan(&req->view, 13, -7, HEIGHT);
    req->generation++;
    CHECK(draw(backend, req, &got) && judge_draw(judge, req, &want));
    CHECK(same_slopes(&want, &got, "after a pan"));
    return true;
}

static bool check_place(struct backend *backend, struct backend *judge, const char *place,
                        double angle) {
    SCOPED_BY(open_place, frame_req, req, place, PLANES);
    req.view.angle = angle;
    return check_same(backend, judge, &req, place, true);
}

/* Checks a Julia set in a view whose centre is not the parameter. */
static bool check_julia(struct backend *backend, struct backend *judge) {
    static const struct place at = {"-0.4", "0.3000000000000000000000000000001", "1e20", 0, 3000};
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    set_place(&req, &at);
    req.fractal.julia = 1;
    mpfr_set_str(req.fractal.re, "-0.8", 10, MPFR_RNDN);
    mpfr_set_str(req.fractal.im, "0.156", 10, MPFR_RNDN);
    req.route = ROUTE_PERTURBED;
    req.planes = PLANES;
    return check_same(backend, judge, &req, "a Julia set", false);
}

/* Checks wide and widened pictures: counts are those of wide numbers, slopes those of doubles where
 * both have the same count. */
static bool check_wide(struct backend *backend, struct backend *judge, const char *place,
                       bool widen) {
    if (!(backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_WIDE & 1))
        return true;
    SCOPED_BY(open_place, frame_req, req, place, PLANES);
    if (widen)
        req.widen = true;
    else
        req.type = TYPE_WIDE;
    return check_same(backend, judge, &req, widen ? "widened" : "wide", true);
}

static bool check_formula_same(struct backend *backend, struct backend *judge, size_t which) {
    char name[FRACTAL_NAME_SIZE];
    SCOPED_BY(open_formula, frame_req, req, which, name);
    return check_same(backend, judge, &req, name, false);
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    const struct share share = share_of(subject);
    bool ok =
        (share.by_bytes || (check_exact(backend, "1e14", share.quick ? 10 : 60) &&
                            check_exact(backend, "5e113", share.quick ? 5 : 20) &&
                            check_exact(backend, "4e533", share.quick ? 5 : 20) &&
                            (SLOW || check_exact(backend, "1e50", share.quick ? 4 : 10)))) &&
        (share.quick || check_exact(backend, "1e1086", 4)) && check_direct(backend, share.every) &&
        check_place(backend, judge, "1e14", 0.3) && check_place(backend, judge, "5e113", 0) &&
        check_place(backend, judge, "4e533", 0.1) && check_julia(backend, judge) &&
        check_wide(backend, judge, "1e14", false) && check_wide(backend, judge, "4e533", false) &&
        check_wide(backend, judge, "1e14", true);
    for (size_t i = share.first; ok && i < deep_place_count; i += share.every)
        ok = check_formula(backend, i, share.quick ? 5 : 20) &&
             check_formula_same(backend, judge, i);
    return ok;
}

int main(int argc, char **argv) {
    deep_places_read("slopes");
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend, "have slopes at depth");
}
