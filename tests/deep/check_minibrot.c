/* Points inside minibrots: they are proved to be interior, as exact orbits confirm, and pictures
 * stay the same.
 * usage: check_minibrot [NAME]   (77: NAME cannot run on this machine) */
#include "render/deep/perturbation.h"
#include "render/grid/coords.h"
#include "tests/shared/pictures.h"
#include <math.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/perturbed_round.h"

#define WIDTH       48
#define HEIGHT      36
#define PIXELS      (WIDTH * HEIGHT)
#define PERIODS     300 /* after which a point counts as interior */
#define CYCLES_MOST 12  /* longest cycle of a minibrot that is searched for exactly */
#define NEWTON_MOST 60

/* A view that a minibrot fills, or a part of it, and rays from its nucleus to its border. */
struct minibrot_place {
    struct place place;
    uint32_t period;
    int rays;
};
static const struct minibrot_place places[] = {
    {{"-1.7687788000445696277354803903464", "0.0017389099389892680717488946061928", "2e11", 0,
      10000},
     107,
     40},
    {{"-0.743643887033966697174150714534876218", "0.131825905961948466071743349384086213", "1.2e16",
      30, 60000},
     973,
     12},
    {{"-0.74364388703715887077806454349364258", "0.131825904205312292821097354874767266", "1.2e16",
      0, 60000},
     998,
     12},
    {{"-0.727297259034324179514550850318036009203046839159346215929064460856291765470583946"
      "723603243387342653607073726523343418939634442678346096586454807568930204414866193118"
      "621520710741412548006101024404135686808924548612005248350434101000418440685824051197"
      "180652413764260976394182489795226378580436680016648862034595781203678727600213181260"
      "80860659051",
      "0.1909564546574714206543353143388525413558125829392584724634881137184809440246320975"
      "511512736475359024831074169412902219433118055466644722563152246565137759575411968021"
      "296473813637766682003580129236970689070640718280795380968200314411658645456577028257"
      "003699244355934571515865055341456626784589359131745741756737313236748566404349655091"
      "70576249766",
      "1e334", 0, 60000},
     3601,
     3},
};
#define PLACES 4

static void open_minibrot(struct frame_req *req, const struct minibrot_place *of) {
    frame_req_init(req, WIDTH, HEIGHT);
    set_place(req, &of->place);
    req->route = ROUTE_PERTURBED;
}

/* --- exact cycles --- */

struct exact {
    mpfr_t zr, zi, dr, di, cr, ci, a, b, e;
};

static void exact_init(struct exact *x, mpfr_prec_t bits) {
    mpfr_inits2(bits, x->zr, x->zi, x->dr, x->di, x->cr, x->ci, x->a, x->b, x->e, (mpfr_ptr)NULL);
    mpfr_set_ui(x->zr, 0, MPFR_RNDN);
    mpfr_set_ui(x->zi, 0, MPFR_RNDN);
}

static void exact_finish(struct exact *x) {
    mpfr_clears(x->zr, x->zi, x->dr, x->di, x->cr, x->ci, x->a, x->b, x->e, (mpfr_ptr)NULL);
}

/* (xr + i xi) (yr + i yi), to x. */
static void exact_product(struct exact *x, mpfr_t xr, mpfr_t xi, mpfr_t yr, mpfr_t yi) {
    mpfr_mul(x->a, xi, yi, MPFR_RNDN);
    mpfr_fms(x->a, xr, yr, x->a, MPFR_RNDN);
    mpfr_mul(x->b, xi, yr, MPFR_RNDN);
    mpfr_fma(xi, xr, yi, x->b, MPFR_RNDN);
    mpfr_swap(xr, x->a);
}

/* Makes steps of z, and of its derivative if that is wanted. */
static void exact_run(struct exact *x, uint32_t steps, bool derivative) {
    for (uint32_t i = 0; i < steps; i++) {
        if (derivative) {
            exact_product(x, x->dr, x->di, x->zr, x->zi);
            mpfr_mul_2ui(x->dr, x->dr, 1, MPFR_RNDN);
            mpfr_mul_2ui(x->di, x->di, 1, MPFR_RNDN);
        }
        mpfr_sqr(x->a, x->zi, MPFR_RNDN);
        mpfr_mul(x->b, x->zr, x->zi, MPFR_RNDN);
        mpfr_fms(x->zr, x->zr, x->zr, x->a, MPFR_RNDN);
        mpfr_add(x->zr, x->zr, x->cr, MPFR_RNDN);
        mpfr_mul_2ui(x->zi, x->b, 1, MPFR_RNDN);
        mpfr_add(x->zi, x->zi, x->ci, MPFR_RNDN);
    }
}

/* Finds the cycle of that period from z on by Newton's method, z + (F - z) / (1 - F'). Returns
 * true if the cycle attracts. */
static bool exact_attracts(struct exact *x, uint32_t period) {
    const mpfr_exp_t fine = -(mpfr_exp_t)mpfr_get_prec(x->zr) / 2;
    mpfr_t wr, wi, norm;
    bool there = false, attracts = false;
    mpfr_inits2(mpfr_get_prec(x->zr), wr, wi, norm, (mpfr_ptr)NULL);
    for (int i = 0; i < NEWTON_MOST && !there; i++) {
        mpfr_set(wr, x->zr, MPFR_RNDN);
        mpfr_set(wi, x->zi, MPFR_RNDN);
        mpfr_set_ui(x->dr, 1, MPFR_RNDN);
        mpfr_set_ui(x->di, 0, MPFR_RNDN);
        exact_run(x, period, true);
        attracts = hypot(mpfr_get_d(x->dr, MPFR_RNDN), mpfr_get_d(x->di, MPFR_RNDN)) < 1;
        mpfr_ui_sub(x->dr, 1, x->dr, MPFR_RNDN);
        mpfr_sqr(norm, x->dr, MPFR_RNDN);
        mpfr_fma(norm, x->di, x->di, norm, MPFR_RNDN);
        mpfr_sub(x->zr, x->zr, wr, MPFR_RNDN);
        mpfr_sub(x->zi, x->zi, wi, MPFR_RNDN);
        exact_product(x, x->zr, x->zi, x->dr, x->di);
        mpfr_div(x->zr, x->zr, norm, MPFR_RNDN);
        mpfr_div(x->zi, x->zi, norm, MPFR_RNDN);
        there = (mpfr_zero_p(x->zr) || mpfr_get_exp(x->zr) < fine) &&
                (mpfr_zero_p(x->zi) || mpfr_get_exp(x->zi) < fine);
        mpfr_add(x->zr, x->zr, wr, MPFR_RNDN);
        mpfr_add(x->zi, x->zi, wi, MPFR_RNDN);
    }
    mpfr_clears(wr, wi, norm, (mpfr_ptr)NULL);
    return there && attracts;
}

/* Returns true if the point at the distance c from a reference has an attracting cycle. */
static bool exact_holds(const struct perturbed_tables *t, const struct reference *r, double cr,
                        double ci, uint32_t period) {
    bool attracts = false;
    SCOPED(exact, x, mpfr_get_prec(r->re) + 192);
    mpfr_set_d(x.cr, cr, MPFR_RNDN);
    mpfr_set_d(x.ci, ci, MPFR_RNDN);
    mpfr_mul_2si(x.cr, x.cr, t->c_log2, MPFR_RNDN);
    mpfr_mul_2si(x.ci, x.ci, t->c_log2, MPFR_RNDN);
    mpfr_add(x.cr, x.cr, r->re, MPFR_RNDN);
    mpfr_add(x.ci, x.ci, r->im, MPFR_RNDN);
    exact_run(&x, 60 * period, false);
    SCOPED(exact, y, mpfr_get_prec(x.zr));
    mpfr_set(y.cr, x.cr, MPFR_RNDN);
    mpfr_set(y.ci, x.ci, MPFR_RNDN);
    for (uint32_t k = 1; k <= CYCLES_MOST && !attracts; k++) {
        mpfr_set(y.zr, x.zr, MPFR_RNDN);
        mpfr_set(y.zi, x.zi, MPFR_RNDN);
        attracts = exact_attracts(&y, k * period);
    }
    return attracts;
}

/* Checks points close to the border: the last ones along rays that are proved to be interior. */
static bool check_border(const struct perturbed_tables *t, const struct reference *r,
                         const struct minibrot_place *of) {
    const struct minibrot *m = &t->minibrot;
    const double slope = minibrot_size(m->slope);
    for (int i = 0; i < of->rays; i++) {
        double inside = 0, outside = 3 / slope;
        const double x = cos(0.1 + 6.28 * i / of->rays), y = sin(0.1 + 6.28 * i / of->rays);
        while (outside - inside > 0x1p-50 * outside) {
            const double middle = (inside + outside) / 2;
            const bool holds = minibrot_holds(*m, CYCLES_MOST, middle * x, middle * y);
            *(holds ? &inside : &outside) = middle;
        }
        CHECK(inside * slope > 0.1);
        if (!exact_holds(t, r, inside * x, inside * y, of->period)) {
            printf("%s: period %u, ray %d: no cycle attracts at %g\n", subject, of->period, i,
                   inside * slope);
            return false;
        }
    }
    return true;
}

/* --- points of a view --- */

static bool escapes(const struct perturbed_tables *t, double cr, double ci, uint32_t limit) {
    struct perturbed_point p = {.cr = cr, .ci = ci};
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    uint32_t steps = UINT32_MAX;
    perturbed_begin(t, &p);
    return perturbed_run(t, false, &p, limit, true, &cycle, &steps) == PERTURBED_ESCAPED;
}

/* Checks that no point is proved to be interior that escapes, and nearly all others are. */
static bool check_points(const struct perturbed_tables *t, const struct frame_req *req,
                         uint32_t period) {
    struct perturbed_tables without = *t;
    struct coords coords;
    size_t interior = 0, held = 0, wrong = 0;
    without.minibrot.loss = 0;
    CHECK(coords_init(&coords, req));
    for (uint32_t i = 0; i < PIXELS; i++) {
        double cr, ci;
        coords_point_double(coords.f64, COORDS_UPRIGHT, WIDTH, i % WIDTH, i / WIDTH, &cr, &ci);
        const bool inside = !escapes(&without, cr, ci, PERIODS * period);
        const bool holds = minibrot_holds(t->minibrot, 16, cr, ci);
        interior += inside;
        held += holds;
        wrong += holds && !inside;
    }
    coords_finish(&coords);
    CHECK(wrong == 0 && interior > PIXELS / 10 && (double)held > 0.98 * (double)interior);
    return true;
}

static bool check_place(const struct minibrot_place *of, bool wide) {
    SCOPED_BY(open_minibrot, frame_req, req, of);
    const struct perturbed_place at =
        perturbed_place(req.view.re, req.view.im, &req.view, WIDTH, HEIGHT);
    const double step_log2 = view_step_log2(&req.view, HEIGHT);
    const struct reference_want want = {.re = req.view.re,
                                        .im = req.view.im,
                                        .radius_log2 = at.c_most_log2,
                                        .step_log2 = step_log2 - (wide ? PERTURBED_WIDE_BITS : 0),
                                        .limit = req.limit,
                                        .wide = wide};
    const struct reference *reference = reference_make(&want, NULL, NULL, NULL);
    CHECK(reference && (req.perturbation = perturbation_create(reference, NULL)));
    const struct perturbed_tables t = perturbed_tables(req.perturbation, &at, req.limit);
    CHECK(t.minibrot.loss > 0);
    CHECK(check_border(&t, reference, of));
    CHECK(wide || check_points(&t, &req, of->period));
    reference_unref(reference);
    return true;
}

/* --- pictures --- */

static bool draws(struct backend *backend, enum number_type type) {
    return backend_info(backend).types[ROUTE_PERTURBED] >> type & 1;
}

/* Checks that the picture is that of all steps, and that its steps do not depend on the limit. */
static bool check_picture(struct backend *backend, struct backend *judge,
                          const struct minibrot_place *of, enum number_type type) {
    SCOPED_BY(open_minibrot, frame_req, req, of);
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    req.type = type;
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, of->place.zoom));
    req.limit = INT32_MAX;
    req.reuse = false;
    CHECK(draw(backend, &req, &got) && got.report.iterations < PIXELS * UINT64_C(20000));
    return true;
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    const bool exact = strcmp(subject, "scalar") == 0; /* the same for all backends */
    for (int i = 0; i < PLACES; i++) {
        const bool deep = places[i].period > 1000;
        CHECK(!exact ||
              (check_place(&places[i], false) && (deep || check_place(&places[i], true))));
        CHECK(!draws(backend, TYPE_DOUBLE) ||
              check_picture(backend, judge, &places[i], TYPE_DOUBLE));
        CHECK(deep || !draws(backend, TYPE_WIDE) ||
              check_picture(backend, judge, &places[i], TYPE_WIDE));
    }
    return true;
}

int main(int argc, char **argv) {
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend, "draw perturbed pictures");
}
