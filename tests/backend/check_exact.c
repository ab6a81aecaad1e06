/* Counts in double and in wide numbers against exact arithmetic, at random pixels. The reference
 * iterates the definition in MPFR with spare precision, from the decimal text. */
#include "render/backends.h"
#include "render/number/exact.h"
#include "tests/shared/exact_power.h"
#include "tests/shared/formulas.h"
#include "tests/shared/judge_orbit.h"
#include "tests/shared/scoped.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH  480
#define HEIGHT 270
/* Number of points for each place. Wide places have long orbits, so they have fewer points. */
#define POINTS      200
#define POINTS_WIDE 50
#define PROVED      10  /* one point in N is also compared with exact_count */
#define BITS        640 /* chaotic orbits lose one a step; their places are exact in binary */
#ifdef TEST_SANITIZED
#define REQUIRED 0.95
#else
#define REQUIRED 0.995
#endif

struct place {
    enum formula formula;
    enum number_type type;
    const char *name, *re, *im, *zoom;
    uint32_t limit;
};

static const struct place places[] = {
    {FORMULA_mandelbrot, TYPE_DOUBLE, "whole set", "-0.5", "0", "1.5", 500},
    {FORMULA_mandelbrot, TYPE_DOUBLE, "seahorse valley", "-0.7453", "0.1127", "600", 800},
    {FORMULA_mandelbrot, TYPE_DOUBLE, "elephant valley", "0.2925", "0.0149", "120", 600},
    {FORMULA_mandelbrot, TYPE_DOUBLE, "double spiral", "-0.7436447860", "0.1318252536", "1500",
     1500},
    {FORMULA_mandelbrot, TYPE_DOUBLE, "antenna", "-1.7685374", "0.0017", "300", 700},
    {FORMULA_mandelbrot, TYPE_DOUBLE, "needle", "-0.1011", "0.9563", "5000", 500},
    {FORMULA_tricorn, TYPE_DOUBLE, "tricorn", "-0.3", "0", "0.95", 500},
    {FORMULA_tricorn, TYPE_DOUBLE, "tricorn's arm", "0.75", "1.28", "8", 800},
    {FORMULA_tricorn, TYPE_DOUBLE, "its necklace", "-1.4", "0.012", "60", 700},
    {FORMULA_burning_ship, TYPE_DOUBLE, "burning ship", "-0.4", "-0.5", "1.2", 60},
    {FORMULA_burning_ship, TYPE_DOUBLE, "ship in its mast", "-1.7625", "-0.028", "40", 60},
    {FORMULA_heart, TYPE_DOUBLE, "heart", "-0.4", "0", "1.2", 60},
    {FORMULA_perpendicular, TYPE_DOUBLE, "perpendicular", "-0.4", "0", "1.2", 60},
    {FORMULA_perpendicular, TYPE_DOUBLE, "its edge", "-1.2", "0.3", "30", 500},
    {FORMULA_perpendicular_ship, TYPE_DOUBLE, "perpendicular ship", "-0.6", "0", "1.2", 60},
    {FORMULA_celtic, TYPE_DOUBLE, "celtic", "-0.4", "0", "1.2", 60},
    {FORMULA_celtic, TYPE_DOUBLE, "celtic's knots", "-1.25", "0.35", "20", 60},
    {FORMULA_perpendicular_celtic, TYPE_DOUBLE, "perpendicular celtic", "-0.4", "0", "1.2", 60},
    {FORMULA_buffalo, TYPE_DOUBLE, "buffalo", "-0.4", "-0.3", "1.2", 60},
    {FORMULA_perpendicular_buffalo, TYPE_DOUBLE, "perpendicular buffalo", "-0.4", "0", "1.2", 60},
    {FORMULA_mandelbrot, TYPE_WIDE, "mini's border", "-1.759817130804847813610825010561798238244",
     "-0.01259331079974986538374663184326485845034", "1e14", 4036},
    {FORMULA_mandelbrot, TYPE_WIDE, "dense arms",
     "-0.049470029063104093751692226727353630118745712",
     "-0.674787575844675364011392053130597656334770707", "1e18", 30000},
    {FORMULA_mandelbrot, TYPE_WIDE, "second mini",
     "-1.479815776132473260722984525978778546922407257",
     "-0.000639111932613617271521396322556715729573039", "1e20", 9000},
    {FORMULA_mandelbrot, TYPE_WIDE, "period 3's",
     "-1.769108330407477280892306243557783483560063912",
     "-0.009020688057072617600360935984847620112305585", "1e22", 6000},
    {FORMULA_mandelbrot, TYPE_WIDE, "second mini",
     "-1.479815776132473260722984525978778546922407257",
     "-0.000639111932613617271521396322556715729573039", "1e24", 9000},
    {FORMULA_mandelbrot, TYPE_WIDE, "period 3's",
     "-1.769108330407477280892306243557783483560063912",
     "-0.009020688057072617600360935984847620112305585", "1e26", 6000},
    {FORMULA_mandelbrot, TYPE_WIDE, "tip", "-1.999985881172596206704076047756145591506727955",
     "0.0000000133503310840983988285901377356642889833", "1e26", 6000},
    {FORMULA_burning_ship, TYPE_WIDE, "burning ship", "-0.375", "-0.5", "1.25", 200},
    {FORMULA_tricorn, TYPE_WIDE, "tricorn's tip",
     "-1.999985881172596206704076047756145591506727955",
     "0.0000000133503310840983988285901377356642889833", "1e20", 6000},
};

static uint64_t state = 88172645463325252ull;

static uint32_t random_below(uint32_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 33) % n);
}

struct exact {
    mpfr_t re, im, step, cr, ci, zr, zi, rr, ii, t;
};

static void exact_init(struct exact *e, const struct place *place) {
    mpfr_inits2(BITS, e->re, e->im, e->step, e->cr, e->ci, e->zr, e->zi, e->rr, e->ii, e->t,
                (mpfr_ptr)NULL);
    mpfr_set_str(e->re, place->re, 10, MPFR_RNDN);
    mpfr_set_str(e->im, place->im, 10, MPFR_RNDN);
    mpfr_set_str(e->t, place->zoom, 10, MPFR_RNDN);
    mpfr_mul_ui(e->t, e->t, HEIGHT, MPFR_RNDN);
    mpfr_ui_div(e->step, 4, e->t, MPFR_RNDN);
    mpfr_prec_round(e->step, VIEW_ZOOM_BITS, MPFR_RNDN); /* as in pictures */
}

static void exact_finish(struct exact *e) {
    mpfr_clears(e->re, e->im, e->step, e->cr, e->ci, e->zr, e->zi, e->rr, e->ii, e->t,
                (mpfr_ptr)NULL);
}

/* Returns true if |z|^2 >= 4, and for a Julia set also >= |c|^2. */
static bool has_escaped(struct exact *e, bool julia) {
    mpfr_fmma(e->rr, e->zr, e->zr, e->zi, e->zi, MPFR_RNDN);
    mpfr_fmma(e->ii, e->cr, e->cr, e->ci, e->ci, MPFR_RNDN);
    return mpfr_cmp_ui(e->rr, 4) >= 0 && (!julia || mpfr_cmp(e->rr, e->ii) >= 0);
}

/* Returns the count of pixel (x, y), or the limit if its orbit does not escape. */
static uint32_t count_exactly(struct exact *e, const struct fractal *fractal, int x, int y,
                              uint32_t limit) {
    mpfr_mul_d(e->cr, e->step, x + 0.5 - WIDTH / 2.0, MPFR_RNDN);
    mpfr_add(e->cr, e->cr, e->re, MPFR_RNDN);
    mpfr_mul_d(e->ci, e->step, HEIGHT / 2.0 - y - 0.5, MPFR_RNDN);
    mpfr_add(e->ci, e->ci, e->im, MPFR_RNDN);
    mpfr_set_zero(e->zr, 1);
    mpfr_set_zero(e->zi, 1);
    if (fractal->julia) {
        mpfr_swap(e->zr, e->cr);
        mpfr_swap(e->zi, e->ci);
        mpfr_set(e->cr, fractal->re, MPFR_RNDN);
        mpfr_set(e->ci, fractal->im, MPFR_RNDN);
        if (has_escaped(e, true))
            return 0;
    }
    for (uint32_t n = 1; n <= limit; n++) {
        const struct fractal_step step = judge_step_of(fractal, n - 1);
        exact_power((enum formula)step.formula, step.power, e->rr, e->ii, e->zr, e->zi);
        mpfr_add(e->zr, e->rr, e->cr, MPFR_RNDN);
        mpfr_add(e->zi, e->ii, e->ci, MPFR_RNDN);
        if (has_escaped(e, fractal->julia))
            return n;
    }
    return limit;
}

/* Draws a place; `req` is initialised. */
static bool draw(const struct place *place, struct frame_req *req, uint32_t *rgba,
                 uint32_t *count) {
    const struct backend_options options = {.cpumask = ~0u};
    const char *why;
    struct backend_report report;
    const struct target target = {.rgba = rgba, .planes = {.count = count}};
    req->type = place->type;
    req->limit = place->limit;
    struct backend *backend = backend_open(backends_all, "scalar", &options);
    const bool ok = backend && view_set_centre(&req->view, place->re, place->im, 0, &why) &&
                    view_set_zoom(&req->view, place->zoom, &why) &&
                    backend_draw(backend, req, &target, NULL, NULL, &report);
    backend_close(backend);
    return ok;
}

/* Checks that exact_count proves the pixel's count. */
static bool check_proof(const struct frame_req *req, int x, int y, uint32_t count) {
    const atomic_bool stop = false;
    struct exact_point point = {.x_px = x, .y_px = y};
    exact_count(req, &point, &stop);
    if (point.state != EXACT_OPEN && point.count == count)
        return true;
    printf("%d %d: proved to be %u, but is %u\n", x, y, point.count, count);
    return false;
}

static bool check_fractal(const struct place *place, uint64_t fractal, uint32_t *rgba,
                          uint32_t *count) {
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    set_fractal(&req.fractal, fractal);
    if (!draw(place, &req, rgba, count))
        return false;
    struct exact exact;
    exact_init(&exact, place);
    const int points = place->type == TYPE_WIDE ? POINTS_WIDE : POINTS;
    int equal = 0, interior = 0, proved = 0;
    for (int i = 0; i < points; i++) {
        const int x = (int)random_below(WIDTH), y = (int)random_below(HEIGHT);
        const uint32_t got = count[y * WIDTH + x];
        const uint32_t want = count_exactly(&exact, &req.fractal, x, y, place->limit);
        equal += (got & SAMPLE_COUNT_MASK) == want;
        interior += (got & SAMPLE_INTERIOR) != 0;
        proved += i % PROVED != 0 || check_proof(&req, x, y, want);
    }
    exact_finish(&exact);
    printf("%-16s %d of %d counts are exact, %d interior\n", place->name, equal, points, interior);
    return equal >= REQUIRED * points && interior < points && proved == points;
}

int main(void) {
    uint32_t *rgba = malloc(WIDTH * HEIGHT * sizeof *rgba);
    uint32_t *count = malloc(WIDTH * HEIGHT * sizeof *count);
    bool ok = rgba && count;
    for (size_t i = 0; ok && i < sizeof places / sizeof *places; i++)
        ok = check_fractal(&places[i], (uint64_t)places[i].formula, rgba, count);
    for (uint64_t fractal = FORMULA_POWERS; ok && fractal < FRACTAL_POWER_ROWS; fractal++) {
        char name[16];
        snprintf(name, sizeof name, "fractal %d", (int)fractal);
        const struct place near = {0, TYPE_DOUBLE, name, "-0.125", "0.0625", "1", 60};
        const struct place deep = {0, TYPE_WIDE, name, "-0.125", "0.0625", "1", 300};
        ok = check_fractal(&near, fractal, rgba, count) &&
             check_fractal(&deep, fractal, rgba, count);
    }
    free(rgba);
    free(count);
    mpfr_free_cache();
    return ok ? 0 : 1;
}
