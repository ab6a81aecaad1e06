/* Formulas, tested by known properties instead of a second computation: points whose orbits are
 * easy to follow, mirror images and turns of whole pictures, fractions of every degree, and refused
 * requests. */
#include "render/files/scene.h"
#include "tests/shared/judge.h"
#include "tests/shared/pictures.h"
#include <math.h>

#define SIDE 201 /* odd: the middle row is on the axis */

/* Returns the count of a point, from a picture of one pixel. */
static uint32_t count_at(struct backend *backend, enum formula formula, const char *re,
                         const char *im, uint32_t limit) {
    SCOPED(frame_req, req, 1, 1);
    SCOPED(picture, picture, 1, 1);
    set_place(&req, &(struct place){re, im, "1e9", 0, limit});
    req.fractal.formula = formula;
    return draw(backend, &req, &picture) ? picture.target.planes.count[0] : 0;
}

/* Checks points with known orbits. From i orbits go to i - 1 or i + 1, and then escape to 3i or
 * enter a cycle; -i is similar. On the real axis all formulas are the same. */
static bool check_points(struct backend *backend) {
    static const bool ends_at_i[FORMULA_POWERS] = {
        [FORMULA_tricorn] = true, [FORMULA_burning_ship] = true,
        [FORMULA_heart] = true,   [FORMULA_perpendicular_ship] = true,
        [FORMULA_celtic] = true,  [FORMULA_buffalo] = true};
    static const bool ends_at_minus_i[FORMULA_POWERS] = {[FORMULA_tricorn] = true,
                                                         [FORMULA_heart] = true,
                                                         [FORMULA_celtic] = true,
                                                         [FORMULA_perpendicular_buffalo] = true};
    for (int formula = 0; formula < FORMULA_POWERS; formula++) {
        const uint32_t at_i = count_at(backend, (enum formula)formula, "0", "1", 500),
                       at_minus_i = count_at(backend, (enum formula)formula, "0", "-1", 500);
        CHECK(at_i == (ends_at_i[formula] ? 3 : 500 | SAMPLE_INTERIOR));
        CHECK(at_minus_i == (ends_at_minus_i[formula] ? 3 : 500 | SAMPLE_INTERIOR));
    }
    static const char *const real[] = {"0.25", "-1.75", "0.26", "0.5", "-2.1", "-1.9999"};
    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        for (int formula = 0; formula < FORMULA_POWERS; formula++)
            CHECK(count_at(backend, (enum formula)formula, real[i], "0", 500) ==
                  count_at(backend, FORMULA_mandelbrot, real[i], "0", 500));
    /* -0.9, and the same point after a third of a turn */
    CHECK(count_at(backend, FORMULA_tricorn, "-0.9", "0", 500) & SAMPLE_INTERIOR);
    CHECK(count_at(backend, FORMULA_tricorn, "0.45", "0.7794228634059948", 500) & SAMPLE_INTERIOR);
    CHECK(!(count_at(backend, FORMULA_mandelbrot, "0.45", "0.7794228634059948", 500) &
            SAMPLE_INTERIOR));
    return true;
}

static bool draw_whole(struct backend *backend, enum formula formula, double angle,
                       struct picture *picture) {
    SCOPED(frame_req, req, SIDE, SIDE);
    set_place(&req, &(struct place){"0", "0", "1", angle, 300});
    req.fractal.formula = formula;
    return draw(backend, &req, picture);
}

/* Checks that sets whose imaginary part is not folded are their own mirror image, bit for bit, and
 * that the others are not. */
static bool check_mirror(struct backend *backend, enum formula formula, struct picture *picture) {
    const uint32_t *count = picture->target.planes.count;
    size_t interior = 0, wrong = 0;
    CHECK(draw_whole(backend, formula, 0, picture));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            interior += count[y * SIDE + x] >> 31;
            wrong += count[y * SIDE + x] != count[(SIDE - 1 - y) * SIDE + x];
        }
    CHECK(judge_mirrors(formula) ? wrong == 0 : wrong > 1000);
    CHECK(interior > 500 && interior < picture->pixels / 2);
    return true;
}

/* Returns the number of pixels per thousand that differ after a turn of the view around 0. */
static double turned(struct backend *backend, enum formula formula, double angle) {
    size_t wrong = 0;
    SCOPED(picture, straight, SIDE, SIDE);
    SCOPED(picture, other, SIDE, SIDE);
    if (!draw_whole(backend, formula, 0, &straight) || !draw_whole(backend, formula, angle, &other))
        abort();
    for (size_t i = 0; i < straight.pixels; i++)
        wrong += straight.target.planes.count[i] != other.target.planes.count[i];
    return 1000.0 * (double)wrong / (SIDE * SIDE);
}

/* Checks the Tricorn's symmetry: with a third root of unity w, conj(w z)^2 + w c = w (conj(z)^2 +
 * c). */
static bool check_turns(struct backend *backend) {
    CHECK(turned(backend, FORMULA_tricorn, 120) < 5 && turned(backend, FORMULA_tricorn, -120) < 5);
    CHECK(turned(backend, FORMULA_tricorn, 60) > 100);
    CHECK(turned(backend, FORMULA_mandelbrot, 120) > 100);
    return true;
}

/* Checks that one step more, which maps |z| to |z|^degree, gives the same smooth count. */
static bool check_degrees(void) {
    for (uint32_t degree = 2; degree <= FORMULA_POWER_MAX; degree++) {
        struct recipe recipe;
        SCOPED(fractal, fractal);
        fractal.power = degree;
        fractal_recipe(&fractal, TYPE_DOUBLE, &recipe);
        const float scale = recipe_scale(&recipe, 5);
        for (double log = 16; log < 120.0 / degree; log += 0.37) {
            const float now = sample_fraction((float)exp2(log), 3, scale);
            const float next = sample_fraction((float)exp2(log * degree), 4, scale);
            CHECK(fabsf(now - next) < 4e-6f);
            CHECK(fabs(now - (3 - log2(log / 16) / log2(degree))) < 4e-6);
        }
    }
    return true;
}

static bool check_refusals(struct backend *backend) {
    SCOPED(scene, scene);
    SCOPED(frame_req, req, 8, 8);
    SCOPED(picture, picture, 8, 8);
    bool ok = !scene_problem(&scene) && !frame_req_problem(&req);
    scene.precision = PRECISION_WIDE;
    req.type = TYPE_WIDE;
    ok = ok && !scene_problem(&scene) && !frame_req_problem(&req);
    scene.fractal.formula = req.fractal.formula = FORMULA_newton;
    ok = ok && scene_problem(&scene) && frame_req_problem(&req) &&
         !backend_submit(backend, &req, &picture.target);
    scene.precision = PRECISION_DOUBLE;
    ok = ok && !scene_problem(&scene);
    scene.orbit_density = true;
    ok = ok && scene_problem(&scene);
    CHECK(ok);
    return true;
}

int main(void) {
    subject = "the first backend";
    struct backend *backend = open_ready(NULL, plain);
    SCOPED(picture, picture, SIDE, SIDE);
    bool ok = backend && check_points(backend) && check_turns(backend) && check_degrees() &&
              check_refusals(backend);
    for (int formula = 0; ok && formula < FORMULA_POWERS; formula++)
        ok = check_mirror(backend, (enum formula)formula, &picture);
    backend_close(backend);
    mpfr_free_cache();
    return ok ? 0 : 1;
}
