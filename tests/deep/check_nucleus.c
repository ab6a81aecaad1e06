/* Searches for nuclei and Misiurewicz points: they must find the known points, and the points
 * computed here by another method. Results are verified by independent orbits. */
#include "render/locate/locate.h"
#include "render/locate/misiurewicz.h"
#include "render/locate/nucleus.h"
#include "tests/shared/nuclei.h"
#include <complex.h>

#define PERIOD_MOST 10
#define CUBES_MOST  5 /* highest period for which nuclei of z^3 + c are computed */
#define ROOTS_MOST  (1 << (PERIOD_MOST - 1))
#define ASPECT      1.5

/* Searches for a nucleus of any shape and size. */
static enum locate_end find_any(const struct view *view, const struct fractal *fractal,
                                uint32_t limit, struct nucleus *nucleus) {
    const struct family family = family_of(fractal);
    const struct nucleus_want want = {.family = &family, .limit = limit};
    struct locate_watch watch = {0};
    uint32_t passed;
    return nucleus_find(view, ASPECT, &want, &watch, nucleus, &passed);
}

/* --- all nuclei of low periods, as roots of a polynomial --- */

struct root {
    double complex c;
    int period;
};

/* Returns p / p' for the polynomial p(c) = z_n, for formulas z^power + c. */
static double complex newton_of(double complex c, int n, int power) {
    double complex z = 0, d = 0;
    for (int i = 0; i < n; i++) {
        const double complex lower = power == 2 ? z : z * z;
        d = power * lower * d + 1;
        z = lower * z + c;
        if (cabs(z) > 1e50) /* beyond this, z / d is divided by the power at each step */
            return z / d * pow(power, i + 1 - n);
    }
    return z / d;
}

/* Computes all roots of z_n at once (Ehrlich, Aberth). */
static int solve(int n, int power, double complex *roots) {
    const int count = (int)lround(pow(power, n - 1));
    for (int i = 0; i < count; i++)
        roots[i] =
            (power == 2 ? -0.4 : 0) + 1.7 * cexp(I * (2 * 3.14159265358979 * i / count + 0.3));
    for (int round = 0; round < 400; round++) {
        double most = 0;
        for (int i = 0; i < count; i++) {
            const double complex w = newton_of(roots[i], n, power);
            double complex sum = 0;
            for (int k = 0; k < count; k++)
                if (k != i)
                    sum += 1 / (roots[i] - roots[k]);
            const double complex step = w / (1 - w * sum);
            roots[i] -= step;
            most = fmax(most, cabs(step));
        }
        if (most < 1e-14)
            break;
    }
    return count;
}

static size_t all_roots(struct root *roots, int most, int power) {
    static double complex solved[ROOTS_MOST];
    static const int known[2][11] = {{0, 1, 1, 3, 6, 15, 27, 63, 120, 252, 495},
                                     {0, 1, 2, 8, 24, 80}};
    size_t count = 0;
    for (int n = 1; n <= most; n++) {
        const size_t before = count;
        const int solutions = solve(n, power, solved);
        for (int i = 0; i < solutions; i++) {
            bool lower = false;
            for (size_t k = 0; k < before; k++)
                lower |= cabs(roots[k].c - solved[i]) < 1e-9;
            if (!lower)
                roots[count++] = (struct root){solved[i], n};
        }
        CHECK((int)(count - before) == known[power - 2][n]);
    }
    return count;
}

/* Checks that all roots are found, and the number of discs among them. A cardioid of period m has
 * power - 1 discs of period n for each fraction of n / m turns in lowest terms, and a disc has as
 * many. */
static void check_each(const struct root *roots, size_t count, int power, int discs) {
    SCOPED(fractal, fractal);
    fractal.power = (uint32_t)power;
    SCOPED(view, view);
    for (size_t i = 0; i < count; i++) {
        double nearest = 1;
        for (size_t k = 0; k < count; k++)
            if (k != i)
                nearest = fmin(nearest, cabs(roots[k].c - roots[i].c));
        struct nucleus nucleus;
        set_view_near(&view, roots[i].c + nearest * (0.1 + 0.07 * I), nearest * 0.2);
        const enum locate_end end = find_any(&view, &fractal, PERIOD_MOST, &nucleus);
        CHECK(end == LOCATE_FOUND);
        if (end != LOCATE_FOUND)
            continue;
        CHECK((int)nucleus.period == roots[i].period);
        CHECK(cabs(to_double(&nucleus.c) - roots[i].c) < 1e-9);
        CHECK(fabs(cimag(roots[i].c)) > 1e-9 || mpfr_zero_p(nucleus.c.im));
        CHECK(fabs(creal(roots[i].c)) > 1e-9 || mpfr_zero_p(nucleus.c.re));
        discs -= nucleus.disc;
        nucleus_finish(&nucleus);
    }
    CHECK(discs == 0);
}

/* Returns the lowest period of the roots in a turned rectangle; 0: no root, -1: a root is too near
 * to the border. */
static int lowest(const struct root *roots, size_t count, double complex middle, double half,
                  double angle) {
    int period = 0;
    for (size_t i = 0; i < count; i++) {
        const double complex at = (roots[i].c - middle) * cexp(-I * angle) / half;
        const double out = fmax(fabs(creal(at)) - ASPECT, fabs(cimag(at)) - 1);
        if (fabs(out) < 1e-6)
            return -1;
        if (out < 0 && (period == 0 || roots[i].period < period))
            period = roots[i].period;
    }
    return period;
}

static void check_any_view(const struct root *roots, size_t count) {
    unsigned long long random = 7;
    int found = 0, none = 0;
    SCOPED(fractal, mandelbrot);
    SCOPED(view, view);
    for (int i = 0; i < 150; i++) {
        const double x = (double)(random_next(&random) % 10000) / 10000;
        const double y = (double)(random_next(&random) % 10000) / 10000;
        const double half = exp2(-(double)(random_next(&random) % 900) / 100);
        const double angle = (double)(random_next(&random) % 600) / 100 - 3;
        const double complex middle = -2 + 2.5 * x + 1.2 * y * I;
        struct nucleus nucleus;
        set_view_near(&view, middle, half);
        view_rotate(&view, angle);
        const int expected = lowest(roots, count, middle, half, view.angle);
        const enum locate_end end = find_any(&view, &mandelbrot, PERIOD_MOST, &nucleus);
        const int period = end == LOCATE_FOUND ? (int)nucleus.period : 0;
        if (expected >= 0 && (period != expected || (period == 0 && end != LOCATE_NONE)))
            printf("view %d: period %d, not %d\n", i, period, expected), failures++;
        found += period > 0;
        none += period == 0;
        if (end == LOCATE_FOUND)
            nucleus_finish(&nucleus);
    }
    CHECK(found > 20 && none > 20);
}

/* --- known nuclei --- */

static void check_measures(void) {
    static const struct {
        const char *re, *im, *zoom;
        double complex c;
        double size, degrees;
        unsigned period;
        bool disc;
    } known[] = {
        {"-0.5", "0", "1.5", 0, 1, 0, 1, false},
        {"-1.05", "0.01", "10", -1, 0.5, 0, 2, true},
        {"-1.76", "0.001", "50", -1.7548776662466927600, 0.019035515913132, 0, 3, false},
        {"-0.12", "0.75", "20", -0.1225611668766536 + 0.7448617666197442 * I, 0.188913837033185,
         -92.88786853273264, 3, true},
    };
    SCOPED(fractal, mandelbrot);
    SCOPED(view, view);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct nucleus nucleus;
        set_view(&view, known[i].re, known[i].im, known[i].zoom);
        const bool found = find_any(&view, &mandelbrot, 1000, &nucleus) == LOCATE_FOUND;
        CHECK(found);
        if (!found)
            continue;
        CHECK(nucleus.period == known[i].period && nucleus.disc == known[i].disc);
        CHECK(cabs(to_double(&nucleus.c) - known[i].c) < 1e-15);
        CHECK(fabs(exp2(scaled_log2(nucleus.size)) / known[i].size - 1) < 1e-9);
        CHECK(fabs(scaled_degrees(nucleus.size) - known[i].degrees) < 1e-9);
        nucleus_finish(&nucleus);
    }
}

/* --- at depth --- */

/* Returns log2 of Newton's correction of c, in units of the nucleus's size, from an independent
 * orbit. */
static double off_by(const struct nucleus *nucleus) {
    const long bits = big_bits(&nucleus->c) + 64;
    mpfr_t x, y, dx, dy, t, u, v;
    mpfr_inits2(bits, x, y, dx, dy, t, u, v, (mpfr_ptr)NULL);
    mpfr_set_zero(x, 1), mpfr_set_zero(y, 1), mpfr_set_zero(dx, 1), mpfr_set_zero(dy, 1);
    for (uint32_t n = 0; n < nucleus->period; n++) {
        mpfr_fmms(t, x, dx, y, dy, MPFR_RNDN);
        mpfr_fmma(u, x, dy, y, dx, MPFR_RNDN);
        mpfr_mul_2ui(dx, t, 1, MPFR_RNDN);
        mpfr_add_ui(dx, dx, 1, MPFR_RNDN);
        mpfr_mul_2ui(dy, u, 1, MPFR_RNDN);
        mpfr_fmms(v, x, x, y, y, MPFR_RNDN);
        mpfr_mul(y, x, y, MPFR_RNDN);
        mpfr_mul_2ui(y, y, 1, MPFR_RNDN);
        mpfr_add(x, v, nucleus->c.re, MPFR_RNDN);
        mpfr_add(y, y, nucleus->c.im, MPFR_RNDN);
        if (n + 1 < nucleus->period && nucleus->period % (n + 1) == 0)
            CHECK(mpfr_get_exp(x) > -60 || mpfr_get_exp(y) > -60);
    }
    const struct scaled off = scaled_div(scaled_of_mpfr(x, y), scaled_of_mpfr(dx, dy));
    mpfr_clears(x, y, dx, dy, t, u, v, (mpfr_ptr)NULL);
    return scaled_log2(off) - scaled_log2(nucleus->size);
}

static char *location(const char *name) {
    static char path[1000];
    const char *source = getenv("FATHOM_SOURCE");
    snprintf(path, sizeof path, "%s/tests/data/locations/%s.fathom", source ? source : ".", name);
    return path;
}

static void check_deep(const char *name, uint32_t period) {
    struct nucleus nucleus;
    SCOPED(scene, scene);
    CHECK(scene_load(&scene, location(name)));
    const bool found = find_any(&scene.view, &scene.fractal, scene.limit, &nucleus) == LOCATE_FOUND;
    CHECK(found);
    if (found) {
        struct sight sight;
        double right, up;
        sight_init(&sight, &scene.view, ASPECT);
        sight_place(&sight, &nucleus.c, &right, &up);
        CHECK(fabs(right) <= ASPECT && fabs(up) <= 1);
        CHECK(nucleus.period == period && !nucleus.disc);
        CHECK(off_by(&nucleus) < -62);
        nucleus_finish(&nucleus);
    }
}

static void check_cancelled(void) {
    struct locate_watch watch = {.cancel = true};
    const struct locate_request request = {.width_px = 160, .height_px = 120, .near = true};
    struct located found;
    struct misiurewicz point;
    SCOPED(scene, scene);
    CHECK(scene_load(&scene, location("e8000")));
    CHECK(!locate(&scene, &request, &watch, &found) && !*found.why);
    CHECK(misiurewicz_find(&scene.view, ASPECT, scene.limit, &watch, &point) == LOCATE_CANCELLED);
}

/* --- Misiurewicz points --- */

static void check_misiurewicz(void) {
    static const struct {
        const char *re, *im, *zoom;
        double complex c;
        unsigned preperiod, period;
        double multiplier;
    } known[] = {
        {"-2", "0", "1e3", -2, 2, 1, 4},
        {"-1.9", "0.1", "5", -2, 2, 1, 4},
        {"0.01", "1.001", "50", I, 2, 2, 5.656854249492381},
        {"-0.77568377", "0.13646737", "1e4", -0.775683768009053797 + 0.136467368294690125 * I, 24,
         1, 1.037},
        {"-0.10109636384562216102578544573862811", "0.95628651080914150077109605772927741", "1e25",
         -0.101096363845622161 + 0.956286510809141501 * I, 4, 1, 1.33},
    };
    SCOPED(view, view);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct locate_watch watch = {0};
        struct misiurewicz point;
        set_view(&view, known[i].re, known[i].im, known[i].zoom);
        const bool found = misiurewicz_find(&view, ASPECT, 1000, &watch, &point) == LOCATE_FOUND;
        CHECK(found);
        if (!found)
            continue;
        CHECK(point.preperiod == known[i].preperiod && point.period == known[i].period);
        CHECK(cabs(to_double(&point.c) - known[i].c) < 1e-15);
        CHECK(fabs(exp2(scaled_log2(point.multiplier)) / known[i].multiplier - 1) < 0.01);
        misiurewicz_finish(&point);
    }
    struct locate_watch watch = {0};
    struct misiurewicz point;
    set_view(&view, "0.1", "0.1", "100");
    CHECK(misiurewicz_find(&view, ASPECT, 1000, &watch, &point) == LOCATE_NONE);
}

/* --- views of results --- */

static void check_framed(void) {
    struct located found;
    struct locate_watch watch = {0};
    struct locate_request request = {.width_px = 1280, .height_px = 720, .upright = true};
    SCOPED(scene, scene);
    set_view(&scene.view, "-1.76", "0.001", "50");
    CHECK(locate(&scene, &request, &watch, &found));
    CHECK(mpfr_zero_p(found.scene.view.im) && found.size.im == 0);
    CHECK(found.period == 3 && found.scene.limit == scene.limit);
    CHECK(fabs(mpfr_get_d(found.scene.view.zoom, MPFR_RNDN) * 0.0190355 * 7.5 / 4 - 1) < 0.01);
    located_finish(&found);
    scene.limit = 2;
    CHECK(!locate(&scene, &request, &watch, &found));
    CHECK(strstr(found.why, "no minibrot of a period up to 2, the iteration limit"));
    scene.fractal.formula = FORMULA_lambda;
    CHECK(!locate(&scene, &request, &watch, &found));
    CHECK(strstr(found.why, "'lambda' cannot be searched"));
    scene.fractal.formula = FORMULA_tricorn;
    request.kind = LOCATE_MISIUREWICZ;
    CHECK(!locate(&scene, &request, &watch, &found));
    CHECK(strstr(found.why, "not in 'tricorn'"));
    request.kind = LOCATE_MINIBROT;
    set_view(&scene.view, "-2", "0", "1e150"); /* the minibrot here is twice as deep */
    scene.limit = 1000;
    scene.fractal.formula = FORMULA_perpendicular;
    CHECK(locate(&scene, &request, &watch, &found));
    CHECK(mpfr_cmp_d(found.scene.view.zoom, 1e290) > 0);
    located_finish(&found);
    scene.fractal.formula = FORMULA_mandelbrot;
    scene.orbit_density = true;
    CHECK(!locate(&scene, &request, &watch, &found));
    CHECK(strstr(found.why, "a Buddhabrot has no minibrots"));
}

int main(void) {
    static struct root roots[2 * ROOTS_MOST];
    check_each(roots, all_roots(roots, CUBES_MOST, 3), 3, 22);
    const size_t count = all_roots(roots, PERIOD_MOST, 2);
    check_each(roots, count, 2, 70);
    check_any_view(roots, count);
    check_measures();
    check_deep("5e113", 11380);
    check_deep("1e50", 86614);
    check_cancelled();
    check_misiurewicz();
    check_framed();
    return failures ? 1 : 0;
}
