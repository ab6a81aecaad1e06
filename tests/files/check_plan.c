/* Planner: the depth down to which each number type resolves pixels, and the chosen route. */
#include "render/plan.h"
#include "tests/shared/check.h"

static const char *why;

static void set(struct view *view, const char *re, const char *im, const char *zoom) {
    CHECK(view_set_centre(view, re, im, 0, &why));
    CHECK(view_set_zoom(view, zoom, &why));
}

static void check_depth(void) {
    SCOPED(view, view);
    set(&view, "-0.75", "0.1", "1e4");
    CHECK(plan_resolves(TYPE_FLOAT, NULL, &view, 1280, 720));
    set(&view, "-0.75", "0.1", "1e6");
    CHECK(!plan_resolves(TYPE_FLOAT, NULL, &view, 1280, 720));
    set(&view, "-0.75", "0.1", "1e13");
    CHECK(plan_resolves(TYPE_DOUBLE, NULL, &view, 1280, 720));
    set(&view, "-0.75", "0.1", "1e15");
    CHECK(!plan_resolves(TYPE_DOUBLE, NULL, &view, 1280, 720));
    set(&view, "-0.75", "0.1", "1e28");
    CHECK(plan_resolves(TYPE_WIDE, NULL, &view, 1280, 720));
    set(&view, "-0.75", "0.1", "1e30");
    CHECK(!plan_resolves(TYPE_WIDE, NULL, &view, 1280, 720));
}

/* Checks the last zoom at which a type resolves pixels, and the next. At |re| in [1/2, 1) the pixel
 * step must be at least two units in the last place, 2^(1 - bits); a picture of 1024 rows has the
 * step 4 / (zoom 1024). */
static void check_last_depth(void) {
    SCOPED(view, view);
    set(&view, "-0.75", "0.1", "32440"); /* 2^15 = 32768 */
    CHECK(plan_resolves(TYPE_FLOAT, NULL, &view, 1024, 1024));
    set(&view, "-0.75", "0.1", "33096");
    CHECK(!plan_resolves(TYPE_FLOAT, NULL, &view, 1024, 1024));
    set(&view, "-0.75", "0.1", "1.741e13"); /* 2^44 = 1.7592e13 */
    CHECK(plan_resolves(TYPE_DOUBLE, NULL, &view, 1024, 1024));
    set(&view, "-0.75", "0.1", "1.777e13");
    CHECK(!plan_resolves(TYPE_DOUBLE, NULL, &view, 1024, 1024));
}

/* Checks Julia sets: doubles resolve starts about 0 at any depth, but not the orbits. */
static void check_julia_depth(void) {
    SCOPED(view, view);
    SCOPED(fractal, fractal);
    struct plan_input in = {
        .view = &view, .fractal = &fractal, .width_px = 1000, .height_px = 1000, .limit = 1000};
    set(&view, "0", "0", "1e20");
    CHECK(plan_frame(&in).route == ROUTE_DIRECT && plan_frame(&in).type == TYPE_DOUBLE);
    fractal.julia = 1;
    mpfr_set_d(fractal.re, -0.75, MPFR_RNDN);
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED && plan_frame(&in).widen);
    fractal.power = 3;
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED && plan_frame(&in).widen);
    set(&view, "0", "0", "1e300"); /* doubles cannot hold distances there */
    CHECK(plan_frame(&in).route == ROUTE_DIRECT && plan_frame(&in).past_depth);
    in.fractal = NULL; /* the Mandelbrot set has numbers with exponents of their own */
    set(&view, "-0.75", "0.1", "1e300");
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED && plan_frame(&in).widen);
    in.precision = PRECISION_PERTURBED_WIDE;
    CHECK(plan_frame(&in).type == TYPE_WIDE && !plan_frame(&in).widen);
    in.precision = PRECISION_AUTO;
    in.fractal = &fractal;
    set(&view, "0", "0", "1e20");
    CHECK(fractal_set_then(&fractal, "tricorn"));
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED && plan_frame(&in).type == TYPE_DOUBLE);
    CHECK(fractal_set_then(&fractal, ""));
    fractal.power = 2;
    mpfr_set_d(fractal.re, -2.5, MPFR_RNDN);
    CHECK(plan_frame(&in).route == ROUTE_DIRECT && plan_frame(&in).type == TYPE_WIDE);
    in.precision = PRECISION_PERTURBED_WIDE;
    mpfr_set_d(fractal.re, -2, MPFR_RNDN);
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED && plan_frame(&in).type == TYPE_WIDE);
}

/* Checks a device without doubles: floats, at any depth and with any request. */
static void check_floats(void) {
    static const unsigned types[ROUTE_COUNT] = {1u << TYPE_FLOAT};
    static const char *const zooms[] = {"1", "1e9", "1e40"};
    SCOPED(view, view);
    for (int i = 0; i < 3 * PRECISION_COUNT; i++) {
        const struct plan_input in = {.view = &view,
                                      .width_px = 1000,
                                      .height_px = 1000,
                                      .limit = 1000,
                                      .types = types,
                                      .precision = (enum precision)(i / 3)};
        set(&view, "-0.75", "0.1", zooms[i % 3]);
        const struct plan plan = plan_frame(&in);
        CHECK(plan.route == ROUTE_DIRECT && plan.type == TYPE_FLOAT && !plan.widen);
        CHECK(plan.past_depth == (i % 3 > 0));
    }
}

/* Checks when floats are used: only in motion, if they are much faster, if a double picture takes
 * long, and if they resolve pixels. */
static void check_plan(void) {
    SCOPED(view, view);
    static const unsigned direct[ROUTE_COUNT] = {~0u};
    struct plan_input in = {.view = &view, .width_px = 1000, .height_px = 1000, .limit = 1000};
    in.precision = PRECISION_AUTO;
    in.moving = true;
    in.speed.per_ms[ROUTE_DIRECT][TYPE_DOUBLE] = 1e7; /* a picture takes at most 100 ms */
    in.speed.per_ms[ROUTE_DIRECT][TYPE_FLOAT] = 4e7;
    CHECK(plan_frame(&in).type == TYPE_FLOAT);
    in.moving = false;
    CHECK(plan_frame(&in).type == TYPE_DOUBLE);
    in.moving = true;
    in.speed.per_ms[ROUTE_DIRECT][TYPE_FLOAT] = 1.2e7;
    CHECK(plan_frame(&in).type == TYPE_DOUBLE);
    in.speed.per_ms[ROUTE_DIRECT][TYPE_DOUBLE] = 1e9; /* 1 ms */
    in.speed.per_ms[ROUTE_DIRECT][TYPE_FLOAT] = 4e9;
    CHECK(plan_frame(&in).type == TYPE_DOUBLE);
    in.speed.per_ms[ROUTE_DIRECT][TYPE_DOUBLE] = 1e7;
    set(&view, "-0.75", "0.1", "1e6"); /* beyond float */
    CHECK(plan_frame(&in).type == TYPE_DOUBLE);
    in.precision = PRECISION_FLOAT;
    CHECK(plan_frame(&in).type == TYPE_FLOAT && plan_frame(&in).past_depth);
    set(&view, "-0.75", "0.1", "1e15"); /* beyond double */
    in.precision = PRECISION_AUTO;
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED && !plan_frame(&in).past_depth);
    in.types = direct;
    CHECK(plan_frame(&in).type == TYPE_WIDE && !plan_frame(&in).past_depth);
    in.moving = false;
    CHECK(plan_frame(&in).type == TYPE_WIDE);
    in.types = NULL;
    set(&view, "-0.75", "0.1", "1e9");
    CHECK(plan_frame(&in).route == ROUTE_DIRECT && plan_frame(&in).type == TYPE_DOUBLE);
    /* Counts begin to be wrong, although pixels are well resolved. */
    set(&view, "-0.75", "0.1", "1e10");
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED);
    in.slopes = true; /* perturbed pictures have slopes as well, but not those of maps */
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED && !plan_frame(&in).lacks);
    SCOPED(fractal, other);
    other.formula = FORMULA_burning_ship;
    in.fractal = &other;
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED && !plan_frame(&in).lacks);
    other.formula = FORMULA_newton;
    CHECK(plan_frame(&in).route == ROUTE_DIRECT && plan_frame(&in).lacks);
    in.fractal = NULL;
    in.slopes = false;
    in.moving = true;
    CHECK(plan_frame(&in).route == ROUTE_DIRECT && plan_frame(&in).type == TYPE_DOUBLE);
    in.speed.per_ms[ROUTE_PERTURBED][TYPE_DOUBLE] = 1e9; /* a picture in 1 ms */
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED);
    in.speed.per_ms[ROUTE_PERTURBED][TYPE_DOUBLE] = 1e7; /* at most 100 ms */
    CHECK(plan_frame(&in).route == ROUTE_DIRECT);
    set(&view, "-0.75", "0.1", "5e12"); /* pixels are still resolved */
    CHECK(plan_frame(&in).route == ROUTE_PERTURBED);
    set(&view, "-0.75", "0.1", "1e3");
    in.lines = true; /* float lines could not be kept */
    in.speed.per_ms[ROUTE_DIRECT][TYPE_FLOAT] = 4e7;
    CHECK(plan_frame(&in).type == TYPE_DOUBLE);
}

int main(void) {
    check_depth();
    check_last_depth();
    check_julia_depth();
    check_floats();
    check_plan();
    printf("check_plan: %d failures\n", failures);
    mpfr_free_cache();
    return failures != 0;
}
