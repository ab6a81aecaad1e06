/* Maps (render/formula/map.h) against their definitions in MPFR, and against known properties. */
#include "render/formula/map.h"
#include "tests/shared/pictures.h"
#include <math.h>

#define BITS  256
#define SIDE  48
#define LIMIT 60

/* --- complex numbers of MPFR --- */

struct number {
    mpfr_t re, im;
};

static void number_init(struct number *a) {
    mpfr_inits2(BITS, a->re, a->im, (mpfr_ptr)NULL);
    mpfr_set_zero(a->re, 1);
    mpfr_set_zero(a->im, 1);
}

static void number_finish(struct number *a) {
    mpfr_clears(a->re, a->im, (mpfr_ptr)NULL);
}

static void set(struct number *a, double re, double im) {
    mpfr_set_d(a->re, re, MPFR_RNDN);
    mpfr_set_d(a->im, im, MPFR_RNDN);
}

static void copy(struct number *to, const struct number *from) {
    mpfr_set(to->re, from->re, MPFR_RNDN);
    mpfr_set(to->im, from->im, MPFR_RNDN);
}

static void add(struct number *to, const struct number *a, const struct number *b) {
    mpfr_add(to->re, a->re, b->re, MPFR_RNDN);
    mpfr_add(to->im, a->im, b->im, MPFR_RNDN);
}

static void add_scaled(struct number *to, const struct number *a, double times) {
    mpfr_t part;
    mpfr_init2(part, BITS);
    mpfr_mul_d(part, a->re, times, MPFR_RNDN);
    mpfr_add(to->re, to->re, part, MPFR_RNDN);
    mpfr_mul_d(part, a->im, times, MPFR_RNDN);
    mpfr_add(to->im, to->im, part, MPFR_RNDN);
    mpfr_clear(part);
}

static void add_real(struct number *to, double re) {
    mpfr_add_d(to->re, to->re, re, MPFR_RNDN);
}

static void multiply(struct number *to, const struct number *a, const struct number *b) {
    SCOPED(number, c);
    mpfr_fmms(c.re, a->re, b->re, a->im, b->im, MPFR_RNDN);
    mpfr_fmma(c.im, a->re, b->im, a->im, b->re, MPFR_RNDN);
    copy(to, &c);
}

static void divide(struct number *to, const struct number *a, const struct number *b) {
    mpfr_t norm2;
    SCOPED(number, conjugate);
    mpfr_init2(norm2, BITS);
    mpfr_fmma(norm2, b->re, b->re, b->im, b->im, MPFR_RNDN);
    mpfr_set(conjugate.re, b->re, MPFR_RNDN);
    mpfr_neg(conjugate.im, b->im, MPFR_RNDN);
    multiply(to, a, &conjugate);
    mpfr_div(to->re, to->re, norm2, MPFR_RNDN);
    mpfr_div(to->im, to->im, norm2, MPFR_RNDN);
    mpfr_clear(norm2);
}

static void cosine_of_pi(struct number *to, const struct number *a) {
    mpfr_t pi, x, y, part;
    mpfr_inits2(BITS, pi, x, y, part, (mpfr_ptr)NULL);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul(x, a->re, pi, MPFR_RNDN);
    mpfr_mul(y, a->im, pi, MPFR_RNDN);
    mpfr_cos(to->re, x, MPFR_RNDN);
    mpfr_cosh(part, y, MPFR_RNDN);
    mpfr_mul(to->re, to->re, part, MPFR_RNDN);
    mpfr_sin(to->im, x, MPFR_RNDN);
    mpfr_sinh(part, y, MPFR_RNDN);
    mpfr_mul(to->im, to->im, part, MPFR_RNDN);
    mpfr_neg(to->im, to->im, MPFR_RNDN);
    mpfr_clears(pi, x, y, part, (mpfr_ptr)NULL);
}

static double norm2(const struct number *a) {
    const double re = mpfr_get_d(a->re, MPFR_RNDN), im = mpfr_get_d(a->im, MPFR_RNDN);
    return re * re + im * im;
}

/* --- maps by definition --- */

struct orbit {
    struct number z, c, before, t, u, v;
};

/* Computes z^power by multiplications. */
static void to_power(struct number *to, const struct number *z, int power) {
    set(to, 1, 0);
    for (int i = 0; i < power; i++)
        multiply(to, to, z);
}

/* z - (z^n - 1)/(n z^(n - 1)) + c */
static void step_newton(struct orbit *o, int n) {
    to_power(&o->u, &o->z, n);
    add_real(&o->u, -1);
    to_power(&o->v, &o->z, n - 1);
    set(&o->t, n, 0);
    multiply(&o->v, &o->v, &o->t);
    divide(&o->t, &o->u, &o->v);
    add_scaled(&o->z, &o->t, -1);
    add(&o->z, &o->z, &o->c);
}

static void step_magnet(struct orbit *o, bool second) {
    SCOPED(number, a);
    SCOPED(number, b);
    copy(&a, &o->c);
    copy(&b, &o->c);
    add_real(&a, -1);
    add_real(&b, -2);
    if (!second) {
        multiply(&o->u, &o->z, &o->z);
        add(&o->u, &o->u, &a);
        copy(&o->v, &b);
        add_scaled(&o->v, &o->z, 2);
    } else {
        to_power(&o->u, &o->z, 3);
        multiply(&o->t, &a, &o->z);
        add_scaled(&o->u, &o->t, 3);
        multiply(&o->t, &a, &b);
        add(&o->u, &o->u, &o->t);
        add_real(&o->t, 1);
        copy(&o->v, &o->t);
        multiply(&o->t, &o->z, &o->z);
        add_scaled(&o->v, &o->t, 3);
        multiply(&o->t, &b, &o->z);
        add_scaled(&o->v, &o->t, 3);
    }
    divide(&o->t, &o->u, &o->v);
    multiply(&o->z, &o->t, &o->t);
}

/* (2 + 7z - (2 + 5z) cos(pi z))/4 + c */
static void step_collatz(struct orbit *o) {
    cosine_of_pi(&o->u, &o->z);
    set(&o->v, 2, 0);
    add_scaled(&o->v, &o->z, 5);
    multiply(&o->u, &o->u, &o->v);
    set(&o->v, 2, 0);
    add_scaled(&o->v, &o->z, 7);
    add_scaled(&o->v, &o->u, -1);
    copy(&o->z, &o->c);
    add_scaled(&o->z, &o->v, 0.25);
}

static void step(struct orbit *o, const struct fractal *fractal) {
    SCOPED(number, old);
    copy(&old, &o->z);
    switch ((int)fractal->formula) {
    case FORMULA_lambda:
        multiply(&o->t, &o->z, &o->z);
        add_scaled(&o->z, &o->t, -1);
        multiply(&o->z, &o->z, &o->c);
        break;
    case FORMULA_phoenix:
        multiply(&o->z, &o->z, &o->z);
        mpfr_add(o->z.re, o->z.re, o->c.re, MPFR_RNDN);
        mpfr_mul(o->t.re, o->before.re, o->c.im, MPFR_RNDN);
        mpfr_mul(o->t.im, o->before.im, o->c.im, MPFR_RNDN);
        add(&o->z, &o->z, &o->t);
        break;
    case FORMULA_spider:
        multiply(&o->z, &o->z, &o->z);
        add(&o->z, &o->z, &o->c);
        mpfr_div_2ui(o->c.re, o->c.re, 1, MPFR_RNDN);
        mpfr_div_2ui(o->c.im, o->c.im, 1, MPFR_RNDN);
        add(&o->c, &o->c, &o->z);
        break;
    case FORMULA_barnsley:
        add_real(&o->z, mpfr_sgn(o->z.re) < 0 ? 1 : -1);
        multiply(&o->z, &o->z, &o->c);
        break;
    case FORMULA_newton:
    case FORMULA_nova:
        step_newton(o, (int)fractal->power + 1);
        break;
    case FORMULA_magnet1:
    case FORMULA_magnet2:
        step_magnet(o, fractal->formula == FORMULA_magnet2);
        break;
    case FORMULA_collatz:
        step_collatz(o);
        break;
    }
    copy(&o->before, &old);
}

static void begin(struct orbit *o, const struct fractal *fractal, double re, double im) {
    set(&o->z, re, im);
    set(&o->c, re, im);
    set(&o->before, 0, 0);
    if (fractal->julia) {
        set(&o->c, mpfr_get_d(fractal->re, MPFR_RNDN), mpfr_get_d(fractal->im, MPFR_RNDN));
        return;
    }
    switch ((int)fractal->formula) {
    case FORMULA_lambda:
        set(&o->z, 0.5, 0);
        break;
    case FORMULA_nova:
        set(&o->z, 1, 0);
        break;
    case FORMULA_newton:
    case FORMULA_collatz:
        set(&o->c, 0, 0);
        break;
    case FORMULA_spider:
    case FORMULA_barnsley:
        break;
    default:
        set(&o->z, 0, 0);
    }
}

static bool converged(struct orbit *o, enum formula formula) {
    const bool newton = formula == FORMULA_newton || formula == FORMULA_nova;
    copy(&o->t, &o->z);
    if (newton)
        add_scaled(&o->t, &o->before, -1);
    else
        add_real(&o->t, -1);
    return (newton || formula == FORMULA_magnet1 || formula == FORMULA_magnet2) &&
           norm2(&o->t) < 0x1p-32;
}

/* Returns the count, or SAMPLE_INTERIOR | LIMIT. */
static uint32_t judged(const struct fractal *fractal, double escape, double re, double im) {
    struct orbit o;
    struct number *const members[] = {&o.z, &o.c, &o.before, &o.t, &o.u, &o.v};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        number_init(members[i]);
    begin(&o, fractal, re, im);
    uint32_t n = 0;
    bool ended = !(norm2(&o.z) < escape);
    for (; !ended && n < LIMIT; n++) {
        step(&o, fractal);
        ended = !(norm2(&o.z) < escape) || converged(&o, fractal->formula);
    }
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        number_finish(members[i]);
    return ended ? n : SAMPLE_INTERIOR | LIMIT;
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
    struct recipe recipe;
    SCOPED_BY(request, frame_req, req, spot, type);
    SCOPED(picture, drawn, SIDE, SIDE);
    fractal_recipe(&req.fractal, type, &recipe);
    CHECK(draw(backend, &req, &drawn));
    const double pixel = 4 / (spot->zoom * SIDE);
    int right = 0, ended = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double re = spot->x + (i % SIDE + 0.5 - SIDE / 2.0) * pixel;
        const double im = spot->y + (SIDE / 2.0 - i / SIDE - 0.5) * pixel;
        right += judged(&req.fractal, recipe.escape, re, im) == drawn.target.planes.count[i];
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
