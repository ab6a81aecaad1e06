/* Cycles: known periods, periods of points of every formula compared with orbits in long double,
 * and counts compared with pictures. Uncertain periods must not be reported. */
#include "render/backends.h"
#include "render/locate/cycle.h"
#include "tests/shared/check.h"
#include "tests/shared/random.h"
#include <math.h>
#include <stdlib.h>

#define SLICE 1000

static struct cycle_search look_at(const struct fractal *fractal, double re, double im,
                                   uint32_t slice) {
    struct cycle_search search;
    cycle_begin(&search, fractal, re, im);
    while (cycle_search(&search, slice) == CYCLE_SEARCHED)
        continue;
    return search;
}

static struct cycle_search look(enum formula formula, double re, double im, uint32_t slice) {
    SCOPED(fractal, fractal);
    fractal.formula = formula;
    const struct cycle_search search = look_at(&fractal, re, im, slice);
    return search;
}

static void known(enum formula formula, double re, double im, uint32_t period) {
    const struct cycle_search search = look(formula, re, im, SLICE);
    if (search.state != CYCLE_PERIOD || search.number != period)
        printf("formula %d, %.17g %+.17g i: state %d, %u, not period %u\n", (int)formula, re, im,
               (int)search.state, search.number, period);
    CHECK(search.state == CYCLE_PERIOD && search.number == period);
}

static void check_known(void) {
    static const struct {
        double re, im;
        uint32_t period;
    } points[] = {
        {0, 0, 1},
        {0.2, 0.1, 1},
        {-0.7, 0.02, 1},
        {-1, 0, 2},
        {-1.1, 0.1, 2},
        {-0.77, 0, 2},
        {-1.7548, 0, 3},
        {-0.122561166876654, 0.744861766619744, 3}, /* the rabbit */
        {-0.1, 0.75, 3},
        {-0.12, -0.76, 3},
        {-1.3107, 0, 4},
        {0.28, 0.53, 4},
        {-0.5, 0.56, 5},
        {-1.6254, 0, 5},
        {-1.3815, 0, 8},
        {-1.4, 0, 32},          /* after five period doublings */
        {-1.98542425305, 0, 5}, /* the cycle at the tip */
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        known(FORMULA_mandelbrot, points[i].re, points[i].im, points[i].period);
    known(FORMULA_tricorn, 0, 0, 1);
    known(FORMULA_tricorn, -1, 0, 2);
    known(FORMULA_burning_ship, 0, 0, 1);
    known(FORMULA_burning_ship, -1, 0, 2);
    known(FORMULA_burning_ship, -1.7548776662466927, 0, 3);
}

/* Checks points without a reported period: repelling and parabolic cycles, points next to those,
 * and values that are not numbers. */
static void check_silence(void) {
    static const double points[][2] = {{-2, 0},       {0, 1},     {-0.75, 0},
                                       {0.25, 0},     {-1.25, 0}, {-1.5436890126920764, 0},
                                       {-0.75, 1e-9}, {NAN, 0},   {0, INFINITY}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const struct cycle_search search =
            look(FORMULA_mandelbrot, points[i][0], points[i][1], 1u << 20);
        if (search.state == CYCLE_PERIOD)
            printf("%g %g: period %u\n", points[i][0], points[i][1], search.number);
        CHECK(search.state != CYCLE_PERIOD);
    }
}

/* --- against orbits in long double --- */

static void step(enum formula formula, long double *x, long double *y, long double re,
                 long double im) {
    const unsigned folds = formula_folds((int)formula);
    const long double a = folds & FOLD_X ? fabsl(*x) : *x, b = folds & FOLD_Y ? fabsl(*y) : *y;
    const long double square = *x * *x - *y * *y;
    const long double twice = folds & FOLD_IM ? fabsl(2 * a * b) : 2 * a * b;
    *x = (folds & FOLD_RE ? fabsl(square) : square) + re;
    *y = (folds & FOLD_NEGATE ? -twice : twice) + im;
}

#define SETTLE  200000
#define LONGEST 4096

/* Returns the first step after which an orbit is back, or 0 if there is none. */
static uint32_t period_of(enum formula formula, double re, double im) {
    long double x = 0, y = 0;
    for (int i = 0; i < SETTLE; i++) {
        step(formula, &x, &y, re, im);
        if (x * x + y * y > 16)
            return 0;
    }
    const long double x0 = x, y0 = y;
    for (uint32_t i = 1; i <= LONGEST; i++) {
        step(formula, &x, &y, re, im);
        if (hypotl(x - x0, y - y0) < 1e-12L)
            return i;
    }
    return 0;
}

static double unit(void) {
    return (double)(random_bits() >> 11) * 0x1p-53;
}

static void check_random(enum formula formula) {
    const bool folded = formula_folds((int)formula) & ~FOLD_NEGATE;
    int inside = 0, told = 0;
    for (int i = 0; inside < 30 && i < 1500; i++) {
        const double re = -2 + 3 * unit(), im = -1.5 + 3 * unit();
        const struct cycle_search search = look(formula, re, im, 1u << 18);
        if (search.state == CYCLE_ESCAPES)
            continue;
        inside++;
        if (search.state != CYCLE_PERIOD)
            continue;
        told++;
        const uint32_t wanted = period_of(formula, re, im);
        if (wanted != search.number)
            printf("formula %d, %.17g %+.17g i: period %u, not %u\n", (int)formula, re, im,
                   search.number, wanted);
        CHECK(wanted == search.number);
    }
    printf("formula %d: %d of %d have a period\n", (int)formula, told, inside);
    /* with folds, much of the interior has no attracting cycle */
    CHECK(inside >= 20 && told >= (folded ? inside / 5 : inside * 9 / 10));
}

/* --- comparison with pictures --- */

#define SIDE 64

static void check_counts(const struct fractal *fractal) {
    static uint32_t rgba[SIDE * SIDE];
    struct backend *backend =
        backend_open(backends_all, "scalar", &(struct backend_options){.cpumask = ~0u});
    struct target target = {.rgba = rgba};
    struct backend_report report;
    SCOPED(frame_req, req, SIDE, SIDE);
    fractal_assign(&req.fractal, fractal);
    mpfr_set_d(req.view.zoom, 1, MPFR_RNDN); /* pixel spacing 1/16 */
    CHECK(backend && sample_planes_init(&target.planes, SAMPLE_BASIC, SIDE * SIDE, "a test"));
    CHECK(backend_draw(backend, &req, &target, NULL, NULL, &report));
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double re = -0.5 + (i % SIDE + 0.5 - SIDE / 2) / 16.0;
        const double im = (SIDE / 2 - i / SIDE - 0.5) / 16.0;
        struct cycle_search search;
        cycle_begin(&search, fractal, re, im);
        cycle_search(&search, req.limit);
        const uint32_t count = target.planes.count[i];
        if (count & SAMPLE_INTERIOR)
            CHECK(search.state != CYCLE_ESCAPES);
        else
            CHECK(search.state == CYCLE_ESCAPES && search.number == count);
    }
    sample_planes_finish(&target.planes);
    backend_close(backend);
}

/* Checks powers, hybrids and Julia sets. */
static void check_fractals(void) {
    SCOPED(fractal, fractal);
    for (int i = 0; i < FORMULA_POWERS; i++) {
        fractal.formula = (enum formula)i;
        check_counts(&fractal);
    }
    fractal.formula = FORMULA_mandelbrot;
    fractal.power = 3;
    check_counts(&fractal);
    CHECK(look_at(&fractal, 0.1, 0.2, SLICE).number == 1);
    CHECK(look_at(&fractal, 0, 1, SLICE).number == 2); /* i, 0 */
    fractal.power = 2;
    fractal.julia = 1;
    mpfr_set_d(fractal.re, -0.122561166876654, MPFR_RNDN);
    mpfr_set_d(fractal.im, 0.744861766619744, MPFR_RNDN);
    check_counts(&fractal);
    CHECK(look_at(&fractal, 0.01, 0.02, SLICE).state == CYCLE_PERIOD &&
          look_at(&fractal, 0.01, 0.02, SLICE).number == 3);
    mpfr_set_d(fractal.re, 0, MPFR_RNDN);
    mpfr_set_d(fractal.im, 0, MPFR_RNDN);
    CHECK(look_at(&fractal, 0.3, 0.4, SLICE).number == 1 &&
          look_at(&fractal, 3, 0, SLICE).state == CYCLE_ESCAPES);
    fractal.julia = 0;
    CHECK(fractal_set_then(&fractal, "burning_ship 3, tricorn"));
    check_counts(&fractal);
    const struct cycle_search hybrid = look_at(&fractal, 0.05, 0.02, SLICE);
    /* A turn of the recipe's steps. */
    CHECK(hybrid.state == CYCLE_PERIOD && hybrid.number == 3);
}

/* Checks that the result does not depend on the slices. */
static void check_slices(void) {
    for (int i = 0; i < 100; i++) {
        const double re = -1.4 + 0.017 * i, im = 0.01 * (i % 7);
        const struct cycle_search a = look(FORMULA_mandelbrot, re, im, 7);
        const struct cycle_search b = look(FORMULA_mandelbrot, re, im, 1u << 20);
        CHECK(a.state == b.state && a.number == b.number);
    }
}

int main(void) {
    random_seed(20240611);
    check_known();
    check_silence();
    for (int i = 0; i < FORMULA_POWERS; i++)
        check_random((enum formula)i);
    check_fractals();
    check_slices();
    mpfr_free_cache();
    return failures > 0;
}
