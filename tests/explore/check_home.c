/* Home views: each must contain all of its formula's set, by orbits of the test's own, in windows
 * of any shape. The window stays at home when the formula changes, and goes home from a place where
 * the next formula shows nothing. */
#include "app/explore/explorer.h"
#include "render/locate/home.h"
#include "tests/shared/check.h"
#include <complex.h>
#include <math.h>

#define STEPS  200
#define EDGE   3.0  /* no point of a set lies beyond |c| = 2 */
#define POINTS 1200 /* points in each direction; filaments are thin */

/* Does a step of the formula, as its name defines it. */
static void step(enum formula formula, double *x, double *y, double re, double im) {
    const double a = *x, b = *y;
    double square = a * a - b * b, twice = 2 * a * b;
    switch (formula) {
    case FORMULA_tricorn:
        twice = -twice;
        break;
    case FORMULA_burning_ship:
        twice = fabs(twice);
        break;
    case FORMULA_heart:
        twice = 2 * fabs(a) * b;
        break;
    case FORMULA_perpendicular:
        twice = -2 * fabs(a) * b;
        break;
    case FORMULA_perpendicular_ship:
        twice = -2 * a * fabs(b);
        break;
    case FORMULA_celtic:
        square = fabs(square);
        break;
    case FORMULA_perpendicular_celtic:
        square = fabs(square);
        twice = -2 * fabs(a) * b;
        break;
    case FORMULA_buffalo:
        square = fabs(square);
        twice = fabs(twice);
        break;
    case FORMULA_perpendicular_buffalo:
        square = fabs(square);
        twice = -2 * a * fabs(b);
        break;
    default:
        break;
    }
    *x = square + re;
    *y = twice + im;
}

static bool inside(const struct fractal *fractal, double re, double im) {
    double x = 0, y = 0;
    for (int i = 0; i < STEPS; i++) {
        if (fractal->power == 2) {
            step(fractal->formula, &x, &y, re, im);
        } else {
            const double complex z = cpow(x + I * y, fractal->power) + re + I * im;
            x = creal(z);
            y = cimag(z);
        }
        if (x * x + y * y > 16)
            return false;
    }
    return true;
}

/* Largest distances of the set from the middle of a view. */
struct reach {
    double right, up;
};

static struct reach reach_of(const struct fractal *fractal, const struct view *view) {
    struct reach reach = {0};
    const double re = mpfr_get_d(view->re, MPFR_RNDN), im = mpfr_get_d(view->im, MPFR_RNDN);
    const int points = fractal->power == 2 ? POINTS : POINTS / 4;
    for (int j = 0; j <= points; j++)
        for (int i = 0; i <= points; i++) {
            const double x = -EDGE + 2 * EDGE * i / points, y = -EDGE + 2 * EDGE * j / points;
            if (!inside(fractal, x, y))
                continue;
            reach.right = fmax(reach.right, fabs(x - re));
            reach.up = fmax(reach.up, fabs(y - im));
        }
    return reach;
}

/* Checks that home has a margin, but not too large a one. */
static void check_room(const struct fractal *fractal) {
    static const int sizes[][2] = {{640, 360}, {1280, 720},  {300, 900},
                                   {500, 500}, {2560, 1080}, {1, 1}};
    const double least = fractal->power == 2 ? 0.75 : 0.35; /* all higher powers share one rule */
    SCOPED(view, view);
    home_view(&view, fractal, 640, 360);
    const struct reach reach = reach_of(fractal, &view);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int width = sizes[i][0], height = sizes[i][1];
        home_view(&view, fractal, width, height);
        const double up = 2 / mpfr_get_d(view.zoom, MPFR_RNDN), right = up * width / height;
        const double tighter = fmax(reach.up / up, reach.right / right);
        if (!(tighter < 0.97 && tighter > least))
            printf("%s, power %u at %dx%d: fills %g of the window\n",
                   formula_names[fractal->formula], fractal->power, width, height, tighter);
        CHECK(tighter < 0.97 && tighter > least);
    }
}

static void check_rooms(void) {
    SCOPED(fractal, fractal);
    for (int i = 0; i < FORMULA_POWERS; i++) {
        fractal.formula = (enum formula)i;
        check_room(&fractal);
    }
    fractal.formula = FORMULA_mandelbrot;
    for (fractal.power = 3; fractal.power <= FORMULA_POWER_MAX; fractal.power++)
        check_room(&fractal);
}

static void check_first(void) {
    SCOPED(fractal, fractal);
    SCOPED(view, home);
    SCOPED(view, view);
    home_view(&view, &fractal, 640, 360);
    CHECK(view_equal(&view, &home));
    home_view(&view, &fractal, 100, 400);
    CHECK(mpfr_cmp_d(view.zoom, 4 * 0.25 / 3.1) == 0);
}

static bool at_home(const struct explorer *explorer) {
    SCOPED(view, home);
    home_view(&home, &explorer->scene.fractal, explorer->width_px, explorer->height_px);
    return view_equal(&home, &explorer->scene.view);
}

static void act(struct explorer *explorer, enum action_kind kind, double amount) {
    explorer_apply(
        explorer,
        &(struct action){
            .kind = kind, .amount = amount, .setting = SETTING_FORMULA, .x = 10, .y = 10});
}

static void show(struct explorer *explorer, const char *re, const char *im, const char *zoom) {
    struct setting_problem problem;
    act(explorer, ACTION_CHOOSE, FORMULA_mandelbrot);
    CHECK(explorer_set(explorer, SETTING_RE, re, &problem) &&
          explorer_set(explorer, SETTING_IM, im, &problem) &&
          explorer_set(explorer, SETTING_ZOOM, zoom, &problem));
    CHECK(explorer->scene.fractal.formula == FORMULA_mandelbrot && !at_home(explorer));
}

/* Checks the change of formula in a zoomed view: it goes to the other formula's home, unless there
 * is structure at that place. */
static void check_places(struct explorer *explorer) {
    static const struct {
        const char *re, *im, *zoom;
        enum formula formula;
        bool stays;
    } places[] = {
        {"-1.75", "-0.03", "20", FORMULA_burning_ship, true},
        {"-1.75", "0", "20", FORMULA_tricorn, true},
        {"-0.16", "1.04", "100", FORMULA_tricorn, false},           /* exterior */
        {"-0.1", "0.05", "100", FORMULA_burning_ship, false},       /* interior */
        {"-1.7548776662466927", "0", "1e40", FORMULA_heart, false}, /* too deep to decide */
        {"0.25", "0.5", "50", FORMULA_newton, false},               /* map */
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        show(explorer, places[i].re, places[i].im, places[i].zoom);
        act(explorer, ACTION_CHOOSE, places[i].formula);
        CHECK(explorer->scene.fractal.formula == places[i].formula);
        if (at_home(explorer) == places[i].stays)
            printf("place %zu\n", i);
        CHECK(at_home(explorer) == !places[i].stays);
    }
    struct setting_problem problem;
    show(explorer, "-0.16", "1.04", "100");
    CHECK(explorer_set(explorer, SETTING_FORMULA, "tricorn", &problem) && at_home(explorer));
}

static void check_explorer(void) {
    struct scene scene;
    struct setting_problem problem;
    scene_init(&scene);
    SCOPED(explorer, explorer, &scene, 640, 360);
    for (int i = 1; i < FORMULA_COUNT; i++) {
        act(&explorer, ACTION_STEP, 1);
        CHECK(explorer.scene.fractal.formula == (enum formula)i && at_home(&explorer));
    }
    explorer_resize(&explorer, 300, 500);
    CHECK(at_home(&explorer));
    CHECK(explorer_set(&explorer, SETTING_FORMULA, "celtic", &problem) && at_home(&explorer));
    CHECK(explorer_set(&explorer, SETTING_POWER, "3", &problem) && at_home(&explorer));
    CHECK(explorer_set(&explorer, SETTING_POWER, "2", &problem) && at_home(&explorer));
    act(&explorer, ACTION_CHOOSE, FORMULA_mandelbrot);
    CHECK(at_home(&explorer));

    explorer_apply(&explorer,
                   &(struct action){.kind = ACTION_ZOOM, .amount = 3, .x = 150, .y = 250});
    SCOPED_COPY(view, away, &explorer.scene.view);
    act(&explorer, ACTION_STEP, 2);
    CHECK(explorer.scene.fractal.formula == FORMULA_burning_ship &&
          view_equal(&explorer.scene.view, &away));
    act(&explorer, ACTION_HOME, 0);
    CHECK(at_home(&explorer));
    act(&explorer, ACTION_UNDO, 1);
    CHECK(view_equal(&explorer.scene.view, &away));
    check_places(&explorer);
}

int main(void) {
    check_rooms();
    check_first();
    check_explorer();
    mpfr_free_cache();
    return failures > 0;
}
