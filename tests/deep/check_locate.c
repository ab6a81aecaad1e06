/* Searches in other formulas and Julia sets, and near a place. Every result is verified by an
 * independent orbit. No nucleus may be overlooked that another method finds. */
#include "render/locate/locate.h"
#include "render/locate/nucleus.h"
#include "tests/shared/exact_power.h"
#include "tests/shared/judge_orbit.h"
#include "tests/shared/nuclei.h"
#include <complex.h>

#define ASPECT 1.5

/* Searches for a nucleus of any shape and size. */
static enum locate_end find_any(const struct scene *scene, uint32_t limit,
                                struct nucleus *nucleus) {
    const struct family family = family_of(&scene->fractal);
    const struct nucleus_want want = {.family = &family, .limit = limit};
    struct locate_watch watch = {0};
    uint32_t passed;
    return nucleus_find(&scene->view, ASPECT, &want, &watch, nucleus, &passed);
}

/* Takes a step of any fractal by definition. */
static void plain_step(const struct fractal *fractal, uint32_t n, mpfr_t x, mpfr_t y,
                       mpfr_srcptr re, mpfr_srcptr im) {
    const struct fractal_step step = judge_step_of(fractal, n);
    mpfr_t a, b;
    mpfr_inits2(mpfr_get_prec(x), a, b, (mpfr_ptr)NULL);
    exact_power((enum formula)step.formula, step.power, a, b, x, y);
    mpfr_add(x, a, re, MPFR_RNDN);
    mpfr_add(y, b, im, MPFR_RNDN);
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}

/* Returns log2 of the orbit's distance from its end after `steps` steps. The end is 0, or for a
 * cycle of a Julia set the point itself. */
static double end_after(const struct located *found, uint32_t steps) {
    const struct view *view = &found->scene.view;
    const struct fractal *fractal = &found->scene.fractal;
    mpfr_t x, y;
    mpfr_inits2(mpfr_get_prec(view->re) + 64, x, y, (mpfr_ptr)NULL);
    mpfr_mul_ui(x, view->re, fractal->julia, MPFR_RNDN);
    mpfr_mul_ui(y, view->im, fractal->julia, MPFR_RNDN);
    for (uint32_t n = 0; n < steps; n++)
        plain_step(fractal, n, x, y, fractal->julia ? fractal->re : view->re,
                   fractal->julia ? fractal->im : view->im);
    if (found->kind == LOCATE_MISIUREWICZ) {
        mpfr_sub(x, x, view->re, MPFR_RNDN);
        mpfr_sub(y, y, view->im, MPFR_RNDN);
    }
    const double log2 = scaled_log2(scaled_of_mpfr(x, y));
    mpfr_clears(x, y, (mpfr_ptr)NULL);
    return log2;
}

/* Checks that the result is a root of its period, and of no lower period. */
static void check_is_root(const struct located *found) {
    const uint32_t length = found->scene.fractal.then_count + 1;
    CHECK(end_after(found, found->period) < -50);
    for (uint32_t n = 1; n < found->period; n++)
        if (found->period % n == 0 && n % length == 0)
            CHECK(end_after(found, n) > -30);
}

static const struct located_case {
    const char *re, *im, *zoom;
    enum formula formula;
    uint32_t power;
    const char *then, *julia_re, *julia_im;
    enum locate_kind kind;
    uint32_t period; /* from searches with a grid of starts, or from roots of polynomials */
} located_cases[] = {
    {"-0.5", "-0.5", "1", FORMULA_burning_ship, 2, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"-1.76", "0.003", "40", FORMULA_burning_ship, 2, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"-1.62", "-0.01", "40", FORMULA_burning_ship, 2, "", NULL, NULL, LOCATE_MINIBROT, 5},
    {"-1.76", "0.001", "40", FORMULA_tricorn, 2, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"0", "0", "1", FORMULA_heart, 3, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"-0.5", "0", "1", FORMULA_perpendicular, 2, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"-0.5", "0", "1", FORMULA_perpendicular_ship, 3, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"-0.8", "0", "1", FORMULA_celtic, 2, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"-0.8", "0", "1", FORMULA_perpendicular_celtic, 2, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"-0.5", "-0.6", "1", FORMULA_buffalo, 2, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"-0.5", "0", "1", FORMULA_perpendicular_buffalo, 2, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"0", "0", "1", FORMULA_mandelbrot, 8, "", NULL, NULL, LOCATE_MINIBROT, 3},
    {"0", "0", "1", FORMULA_mandelbrot, 2, "mandelbrot 3, mandelbrot", NULL, NULL, LOCATE_MINIBROT,
     3},
    {"0", "0", "1", FORMULA_burning_ship, 2, "celtic 3", NULL, NULL, LOCATE_MINIBROT, 2},
    {"0.3", "0.2", "20", FORMULA_mandelbrot, 2, "", "-0.123", "0.745", LOCATE_MINIBROT, 8},
    {"0.3", "0.2", "20", FORMULA_mandelbrot, 2, "", "-0.123", "0.745", LOCATE_MISIUREWICZ, 5},
    {"0.3", "0.2", "20", FORMULA_tricorn, 2, "", "-0.75", "0.1", LOCATE_MISIUREWICZ, 11},
    {"0.3", "0.2", "10", FORMULA_mandelbrot, 3, "mandelbrot", "0.3", "0.5", LOCATE_MINIBROT, 5},
};

static void set_case(struct scene *scene, const struct located_case *c) {
    struct fractal *fractal = &scene->fractal;
    set_view(&scene->view, c->re, c->im, c->zoom);
    fractal->formula = c->formula;
    fractal->power = c->power;
    CHECK(fractal_set_then(fractal, c->then));
    fractal->julia = c->julia_re != NULL;
    if (fractal->julia) {
        mpfr_set_str(fractal->re, c->julia_re, 10, MPFR_RNDN);
        mpfr_set_str(fractal->im, c->julia_im, 10, MPFR_RNDN);
    }
}

static void check_formulas(void) {
    for (size_t i = 0; i < sizeof located_cases / sizeof *located_cases; i++) {
        const struct located_case *c = &located_cases[i];
        const struct locate_request request = {.width_px = 960, .height_px = 640, .kind = c->kind};
        struct locate_watch watch = {0};
        struct located found;
        SCOPED(scene, scene);
        set_case(&scene, c);
        const bool ok = locate(&scene, &request, &watch, &found);
        if (!ok || found.period != c->period)
            printf("case %zu: %s, period %u\n", i, ok ? "found" : found.why, ok ? found.period : 0),
                failures++;
        if (ok) {
            check_is_root(&found);
            located_finish(&found);
        }
    }
}

/* Returns the n-th point of a formula's orbit of 0, in doubles. */
static double complex plain_orbit(unsigned folds, double complex c, int n) {
    double x = 0, y = 0;
    for (int i = 0; i < n; i++) {
        const double a = folds & FOLD_X ? fabs(x) : x;
        const double b = (folds & FOLD_Y ? fabs(y) : y) * (folds & FOLD_NEGATE ? -1 : 1);
        x = a * a - b * b;
        y = 2 * a * b;
        x = (folds & FOLD_RE ? fabs(x) : x) + creal(c);
        y = (folds & FOLD_IM ? fabs(y) : y) + cimag(c);
    }
    return x + I * y;
}

/* Returns true if Newton's method with differences leads to a root of the n-th point in the
 * view. */
static bool leads_to_root(unsigned folds, double complex c, int n, double complex middle,
                          double half) {
    const double delta = 1e-7;
    for (int i = 0; i < 20; i++) {
        const double complex f = plain_orbit(folds, c, n);
        const double complex r = (plain_orbit(folds, c + delta, n) - f) / delta;
        const double complex u = (plain_orbit(folds, c + I * delta, n) - f) / delta;
        const double det = creal(r) * cimag(u) - cimag(r) * creal(u);
        c -= (creal(f) * cimag(u) - cimag(f) * creal(u)) / det +
             I * (creal(r) * cimag(f) - cimag(r) * creal(f)) / det;
        if (!(cabs(c - middle) < 3 * half))
            return false;
    }
    return cabs(plain_orbit(folds, c, n)) < 1e-9 &&
           fabs(creal(c - middle)) < 0.99 * ASPECT * half && fabs(cimag(c - middle)) < 0.99 * half;
}

/* Checks formulas with folds: nuclei that are found from starts all over a view may not be
 * overlooked. */
static void check_folded(void) {
    enum { LIMIT = 6, ACROSS = 20 };
    unsigned long long random = 5;
    int found_count = 0;
    SCOPED(scene, scene);
    for (int tries = 0; tries < 60; tries++) {
        const enum formula formula = (enum formula)(1 + tries % (FORMULA_POWERS - 1));
        const unsigned folds = formula_folds((int)formula);
        const double half = 0.02 + (double)(random_next(&random) % 100) / 500;
        const double complex middle = (double)(random_next(&random) % 1000) / 500 - 1.8 +
                                      I * ((double)(random_next(&random) % 1000) / 600 - 1.1);
        int lowest = LIMIT + 1;
        for (int n = LIMIT; n > 0; n--)
            for (int i = 0; i < ACROSS * ACROSS && lowest > n; i++) {
                const double x = (2 * (i % ACROSS) + 1.0) / ACROSS - 1,
                             y = (2 * (i / ACROSS) + 1.0) / ACROSS - 1;
                if (leads_to_root(folds, middle + half * (x * ASPECT + I * y), n, middle, half))
                    lowest = n;
            }
        struct nucleus nucleus;
        set_view_near(&scene.view, middle, half);
        scene.fractal.formula = formula;
        const bool found = find_any(&scene, LIMIT, &nucleus) == LOCATE_FOUND;
        const int period = found ? (int)nucleus.period : LIMIT + 1;
        if (period > lowest ||
            (found && cabs(plain_orbit(folds, to_double(&nucleus.c), period)) > 1e-9))
            printf("%s, view %d: period %d, not %d\n", formula_names[formula], tries, period,
                   lowest),
                failures++;
        found_count += found;
        if (found)
            nucleus_finish(&nucleus);
    }
    CHECK(found_count > 15 && found_count < 55);
}

/* Checks a Julia set: all points whose orbits reach 0 are known as repeated square roots. */
static void check_preimages(void) {
    enum { DEPTH = 9 };
    static double complex at[1 << DEPTH];
    const double complex c = 0.25 + 0.5 * I;
    unsigned long long random = 3;
    int found_count = 0;
    SCOPED(scene, scene);
    scene.fractal.julia = 1;
    scene.limit = DEPTH;
    mpfr_set_d(scene.fractal.re, creal(c), MPFR_RNDN);
    mpfr_set_d(scene.fractal.im, cimag(c), MPFR_RNDN);
    at[1] = 0; /* points that reach 0 after `depth` steps begin at 2^depth */
    for (int i = 1; i < 1 << (DEPTH - 1); i++) {
        at[2 * i] = csqrt(at[i] - c);
        at[2 * i + 1] = -at[2 * i];
    }
    for (int tries = 0; tries < 60; tries++) {
        const double complex middle = (double)(random_next(&random) % 1000) / 700 - 0.7 +
                                      I * ((double)(random_next(&random) % 1000) / 700 - 0.7);
        const double half = 0.05 + (double)(random_next(&random) % 100) / 2000;
        struct nucleus nucleus;
        unsigned lowest = 0;
        for (unsigned i = 2; i < 1 << DEPTH && lowest == 0; i++)
            if (fabs(creal(at[i] - middle)) < ASPECT * half && fabs(cimag(at[i] - middle)) < half)
                for (unsigned k = i; k > 1; k /= 2)
                    lowest++;
        set_view_near(&scene.view, middle, half);
        const bool found = find_any(&scene, DEPTH - 1, &nucleus) == LOCATE_FOUND;
        if ((found ? nucleus.period : 0) != lowest)
            printf("preimages, view %d: %u, not %u\n", tries, found ? nucleus.period : 0, lowest),
                failures++;
        found_count += found;
        if (found)
            nucleus_finish(&nucleus);
    }
    CHECK(found_count > 10 && found_count < 50);
}

/* Searches around a place repeatedly: each time for a cardioid that is deeper than the last. */
static void check_near(void) {
    struct scene scene;
    struct locate_request request = {
        .width_px = 960, .height_px = 640, .near = true, .x_px = 600, .y_px = 300};
    scene_init(&scene);
    set_view(&scene.view, "-0.75", "0.1", "40"); /* the lowest period belongs to a disc */
    for (int i = 0; i < 3; i++) {
        struct located found;
        struct locate_watch watch = {0};
        const bool ok = locate(&scene, &request, &watch, &found);
        CHECK(ok);
        if (!ok)
            break;
        const struct view_map map =
            view_map_from(&scene.view, &found.scene.view, request.height_px);
        const double apart =
            hypot(map.dx_px - (request.x_px - 480), map.dy_px - (request.y_px - 320));
        CHECK(!found.disc && apart < 320 && map.scale < 1 / 1.5);
        check_is_root(&found);
        scene_finish(&scene);
        scene = found.scene;
        request.x_px = 480 + 10 * i; /* on the nucleus just found */
        request.y_px = 320;
    }
    scene_finish(&scene);
}

int main(void) {
    check_formulas();
    check_folded();
    check_preimages();
    check_near();
    return failures ? 1 : 0;
}
