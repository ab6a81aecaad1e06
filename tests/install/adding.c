/* Test of an added formula: compares a kernel with the reference for squares, a power, a hybrid and
 * a Julia set, at random points. Built only by adding.sh. usage: adding FORMULA */
#include "cpu/escape/kernels.h"
#include "render/formula/fractal.h"
#include "tests/shared/judge_orbit.h"
#include "tests/shared/random.h"
#include <stdio.h>

#define POINTS 2000
#define LIMIT  200

static double between(double low, double high) {
    return low + (high - low) * (double)(random_bits() >> 11) * 0x1p-53;
}

static bool agrees(const struct fractal *fractal) {
    static struct tile_scratch scratch;
    static double re[TILE_LOW], im[TILE_LOW];
    static uint32_t count[TILE_LOW];
    static float fraction[TILE_LOW];
    static atomic_bool stop;
    struct recipe recipe;
    fractal_recipe(fractal, TYPE_DOUBLE, &recipe);
    for (int i = 0; i < POINTS; i++) {
        re[i] = between(-2.2, 1.6);
        im[i] = between(-1.7, 1.7);
    }
    const struct tile_points points = {.cr = re,
                                       .ci = im,
                                       .size = POINTS,
                                       .recipe = &recipe,
                                       .shortcuts = SHORTCUTS_ALL,
                                       .limit = LIMIT,
                                       .stop = &stop,
                                       .scratch = &scratch};
    struct tile_samples samples = {.planes = {.count = count, .fraction = fraction}};
    if (!tile_base_double(&points, &samples))
        return false;
    int wrong = 0, escaped = 0;
    for (int i = 0; i < POINTS; i++) {
        const bool julia = fractal->julia;
        const struct sample want = judge_double(fractal, julia ? recipe.parameter_re[0] : re[i],
                                                julia ? recipe.parameter_im[0] : im[i],
                                                julia ? re[i] : 0, julia ? im[i] : 0, LIMIT);
        wrong += count[i] != want.count || fraction[i] != want.fraction;
        escaped += want.count < LIMIT;
    }
    printf("%d of %d samples differ, %d escape\n", wrong, POINTS, escaped);
    return wrong == 0 && escaped > POINTS / 10;
}

int main(int argc, char **argv) {
    struct fractal fractal;
    random_seed(1);
    fractal_init(&fractal);
    if (argc != 2 || !fractal_set_then(&fractal, argv[1]))
        return 2;
    fractal.formula = (enum formula)fractal.then[0].formula;
    fractal.then_count = 0;
    bool ok = agrees(&fractal);
    fractal.power = 3;
    ok = agrees(&fractal) && ok;
    ok = fractal_set_then(&fractal, argv[1]) && agrees(&fractal) && ok;
    fractal.julia = 1;
    mpfr_set_d(fractal.re, -0.4, MPFR_RNDN);
    mpfr_set_d(fractal.im, 0.3, MPFR_RNDN);
    ok = agrees(&fractal) && ok;
    fractal_finish(&fractal);
    return ok ? 0 : 1;
}
