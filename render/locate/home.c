/* Home: positions and extents of fractals. */
#include "render/locate/home.h"
#include "render/locate/cycle.h"
#include <math.h>

/* Middle of a fractal, width of the plane with a margin, and the zoom at which its height fits. */
struct home {
    double re, im, width, zoom;
};

/* Homes of second powers and of maps. */
static const struct home homes[] = {
    [FORMULA_mandelbrot] = {-0.5, 0, 3.1, 1.5},
    [FORMULA_tricorn] = {-0.5625, 0, 3.5, 1.09375},
    [FORMULA_burning_ship] = {-0.4375, -0.546875, 3.7, 1.5625},
    [FORMULA_heart] = {-0.78125, 0, 3, 3},
    [FORMULA_perpendicular] = {-0.65625, 0, 3.3, 1.5},
    [FORMULA_perpendicular_ship] = {-0.46875, 0.09375, 3.65, 1.5},
    [FORMULA_celtic] = {-0.828125, 0, 2.9, 1.078125},
    [FORMULA_perpendicular_celtic] = {-0.828125, 0, 2.9, 1.25},
    [FORMULA_buffalo] = {-0.5, -0.609375, 3.6, 1.5},
    [FORMULA_perpendicular_buffalo] = {-0.5, -0.046875, 3.6, 1.4375},
    [FORMULA_lambda] = {1, 0, 7, 0.75},
    [FORMULA_phoenix] = {-0.5, 0, 3.5, 1},
    [FORMULA_spider] = {-0.625, 0, 2.25, 1.5},
    [FORMULA_barnsley] = {0, 0, 4.25, 1.3125},
    [FORMULA_newton] = {0, 0, 4, 1},
    [FORMULA_nova] = {-0.375, 0, 3, 1.5},
    [FORMULA_magnet1] = {1.3125, 0, 4.25, 0.8125},
    [FORMULA_magnet2] = {1.0625, 0, 3.25, 1.1875},
    [FORMULA_collatz] = {0, 0, 6, 1},
};
_Static_assert(sizeof homes / sizeof *homes == FORMULA_COUNT, "every formula has a home");

/* Home of Julia sets: nearly all connected ones fit. */
static const struct home julia = {0, 0, 4, 1.25};

#define MARGIN 1.1

/* Returns the home of higher powers and hybrids: bounded orbits require |c|^p - |c| <= |c| for the
 * lowest power. */
static struct home home_of_powers(const struct fractal *fractal) {
    uint32_t lowest = fractal->power;
    for (uint32_t i = 0; i < fractal->then_count; i++)
        lowest = fractal->then[i].power < lowest ? fractal->then[i].power : lowest;
    const double radius = exp2(1.0 / (lowest - 1)) * MARGIN;
    return (struct home){0, 0, 2 * radius, 2 / radius};
}

void home_view(struct view *view, const struct fractal *fractal, int width_px, int height_px) {
    const bool map = fractal_is_map(fractal);
    const struct home home = fractal->julia                      ? julia
                             : map || fractal_is_square(fractal) ? homes[fractal->formula]
                                                                 : home_of_powers(fractal);
    const double by_width = 4 * (double)width_px / height_px / home.width;
    view_home(view);
    mpfr_set_d(view->re, home.re, MPFR_RNDN);
    mpfr_set_d(view->im, home.im, MPFR_RNDN);
    mpfr_set_d(view->zoom, by_width < home.zoom ? by_width : home.zoom, MPFR_RNDN);
}

/* --- other views --- */

#define ACROSS 24 /* test points in each direction */
#define DOWN   16
#define STEPS  1000 /* iterations for each point */
#define OTHERS 4    /* least number of points of another kind that is structure */
#define APART  12   /* least distance from the median count that is structure */
#define FINEST -40  /* log2 of the least pixel step in doubles */

static int count_below(const uint32_t *count, int number, double bound) {
    int points = 0;
    for (int i = 0; i < number; i++)
        points += count[i] < bound;
    return points;
}

/* Returns the median. */
static uint32_t median(const uint32_t *count, int number) {
    uint32_t at = 0;
    while (count_below(count, number, at) <= number / 2)
        at++;
    return at - 1;
}

bool home_has_rival(const struct view *view, const struct fractal *fractal, int width_px,
                    int height_px) {
    uint32_t count[ACROSS * DOWN];
    int escaped = 0, others = 0;
    if (view_step_log2(view, height_px) < FINEST)
        return false;
    const double step = exp2(view_step_log2(view, height_px));
    const double re = mpfr_get_d(view->re, MPFR_RNDN), im = mpfr_get_d(view->im, MPFR_RNDN);
    for (int i = 0; i < ACROSS * DOWN; i++) {
        const double x = step * width_px * ((i % ACROSS + 0.5) / ACROSS - 0.5);
        const double y = step * height_px * ((i / ACROSS + 0.5) / DOWN - 0.5);
        struct cycle_search search;
        cycle_begin(&search, fractal, re + x, im + y);
        cycle_search(&search, STEPS);
        if (search.state == CYCLE_ESCAPES)
            count[escaped++] = search.number;
        others += search.state == CYCLE_SEARCHED || search.state == CYCLE_PERIOD;
    }
    if (escaped < OTHERS)
        return false;
    const double middle = median(count, escaped);
    return others >= OTHERS || escaped - count_below(count, escaped, middle + APART) >= OTHERS;
}
