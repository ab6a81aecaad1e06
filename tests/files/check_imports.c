/* Locations of Fractint and of XaoS: they give the same place, as far as fathom has the formula;
 * others are refused in one line, and the scene does not change. */
#include "render/files/location.h"
#include "tests/shared/locations.h"
#include <stdlib.h>
#include <string.h>

static bool has_formula(const char *text, enum formula formula, uint32_t power,
                        const char *julia_re, const char *julia_im) {
    struct scene scene;
    scene_init(&scene);
    scene.fractal.formula = FORMULA_celtic;
    bool same = parse(&scene, text) && scene.fractal.formula == formula &&
                scene.fractal.power == power && scene.fractal.julia == (julia_re != NULL);
    char *re = setting_text(SETTING_JULIA_RE, &scene), *im = setting_text(SETTING_JULIA_IM, &scene);
    same = same && (!julia_re || (strcmp(re, julia_re) == 0 && strcmp(im, julia_im) == 0));
    free(re);
    free(im);
    scene_finish(&scene);
    return same;
}

static bool has_fractal(const char *text, uint32_t power, const char *julia_re,
                        const char *julia_im) {
    return has_formula(text, FORMULA_mandelbrot, power, julia_re, julia_im);
}

/* Checks Fractint: its magnification 1 is 2 high, and its rotation has the other direction. */
static void check_fractint(void) {
    check_taken("; a collection\nspiral { ; type=julia by hand\n  reset=1920 type=mandel "
                "center-mag=-0.16/0.8\\\n"
                "    5/3.25/1/-30\n  params=0/0 maxiter=20\\\r\n\t0 colors=000<3>zzz\n}\nnext { "
                "type=newton }\n",
                "-0.16", "0.85", "6.5", 30, 200);
    check_taken("a{reset=1 type=mandel corners=-1.5/0.5/-1/1}", "-0.5", "0", "2", 0, 150);
    check_taken("a {\n reset=1 TYPE=Mandel\n corners=-1/1/-1/1/-1/-1 }", "0", "0", "2", 0, 150);
    check_taken("a { reset=1 "
                "corners=-1.00000000000000000000000000001/-1/1/1.00000000000000000000000000001 }",
                "-1.000000000000000000000000000005", "1.000000000000000000000000000005", "4e29", 0,
                150);
    /* A quarter turn: the screen's top left is the plane's bottom left. */
    check_taken("a { corners=-1/1/1/-1/1/-1 reset=1 }", "0", "0", "2", 90, 150);
    CHECK(has_fractal("a { type=mandel reset=1 center-mag=0/0/1 }", 2, NULL, NULL));
    CHECK(has_fractal("a { type=mandel4 center-mag=0/0/1 }", 4, NULL, NULL));
    CHECK(has_fractal("a { type=manzpower params=0/0/5/0 center-mag=0/0/1 }", 5, NULL, NULL));
    CHECK(has_fractal("a { type=julia params=-0.75/0.125 center-mag=0/0/1 }", 2, "-0.75", "0.125"));
    CHECK(has_fractal("a { type=julzpower params=0.5/0/3 center-mag=0/0/1 }", 3, "0.5", "0"));
}

/* Checks XaoS: its imaginary axis points down, and a view is at least as high as stated. */
static void check_xaos(void) {
    check_taken("; a position\n(initstate)\n(defaultpalette 0)\n(formula 'mandel)\n(angle "
                "30)\n(maxiter 200)\n"
                "(view -0.16 0.85 0.8 0.5)\n",
                "-0.16", "0.85", "8", -30, 200);
    check_taken("(initstate)(view 0.25 -0.5 16 1)", "0.25", "-0.5", "0.44444444444444442", 0, 77);
    CHECK(has_fractal(
        "(initstate)\n(formula 'mandel5)\n(view 0 0 2 2)\n(juliaseed 1 2)\n(julia #f)\n", 5, NULL,
        NULL));
    CHECK(has_fractal("(initstate)\n(julia #t)\n(juliaseed -0.5 0.25)\n(view 0 0 2 2)\n", 2, "-0.5",
                      "0.25"));
    CHECK(has_fractal("(initstate)\n(julia #t)\n(view 0 0 2 2)\n", 2, "0", "0"));
}

/* Checks formulas: their initial values count if the file states no others. */
static void check_xaos_formulas(void) {
    static const struct {
        const char *commands;
        enum formula formula;
        uint32_t power;
        const char *re, *im; /* NULL: not a Julia set */
    } good[] = {
        {"(formula 'mbar)", FORMULA_tricorn, 2, NULL, NULL},
        {"(formula 'mbar)(julia #t)(juliaseed 0.5 -1)", FORMULA_tricorn, 2, "0.5", "-1"},
        {"(formula 'newton)", FORMULA_newton, 2, NULL, NULL},
        {"(formula 'newton4)", FORMULA_newton, 3, NULL, NULL},
        {"(formula 'barnsley)(julia #f)", FORMULA_barnsley, 2, NULL, NULL},
        {"(formula 'phoenix)", FORMULA_phoenix, 2, "0.56667000000000001", "-0.5"},
        {"(formula 'magnet)", FORMULA_magnet1, 2, NULL, NULL},
        {"(formula 'magnet2)(juliaseed 1 1)(julia #t)", FORMULA_magnet2, 2, "1", "1"},
        {"(formula 'spider)", FORMULA_spider, 2, NULL, NULL},
        {"(formula 'mlambda)", FORMULA_lambda, 2, NULL, NULL},
        {"(formula 'phoenix)(formula 'mandel3)", FORMULA_mandelbrot, 3, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char text[200];
        snprintf(text, sizeof text, "(initstate)\n%s\n(view 0 0 2 2)\n", good[i].commands);
        const bool ok = has_formula(text, good[i].formula, good[i].power, good[i].re, good[i].im);
        CHECK(ok);
        if (!ok)
            printf("in: %s\n", text);
    }
}

static void check_refused(void) {
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"a {\n type=newton\n center-mag=0/0/1 }",
         "T:2: this version has no formula like Fractint's type: 'newton'"},
        {"a { type=mandel params=0.1/0 center-mag=0/0/1 }", "T:1: this version begins orbits at 0"},
        {"a { type=manzpower params=0/0/2.5 center-mag=0/0/1 }",
         "T:1: this version has whole powers"},
        {"a { type=manzpower params=0/0/9 center-mag=0/0/1 }",
         "T:1: this version has whole powers"},
        {"a { type=julia params=x/0 center-mag=0/0/1 }",
         "T:1: this is not the number of a Julia set"},
        {"a { type=julia params=1e9/0 center-mag=0/0/1 }", "T: the Julia set's constant"},
        {"a { type=mandel center-mag=0/0 }", "T:1: this is not a centre and a magnification"},
        {"a { type=mandel center-mag=0/x/1 }", "T:1: this is not a centre and a magnification"},
        {"a {\ntype=mandel\nparams=0/0 maxiter=9\n\ncenter-mag=0/x/1\n}",
         "T:5: this is not a centre"},
        {"a { type=mandel center-mag=0/0/0 }", "T:1: the zoom is"},
        {"a { type=mandel corners=0/1/1/1 }", "T:1: these corners have no height"},
        {"a { type=mandel corners=0/1/1 }", "T:1: these are not four or six numbers"},
        {"a { type=mandel corners=0/1/1/x }", "T:1: these are not corners"},
        {"a { type=mandel maxiter=1.5 center-mag=0/0/1 }", "T:1: the iterations are not"},
        {"a { type=mandel }", "T: the first entry of this Fractint file has no location"},
        {"a { type=", "T:1: this version has no formula like Fractint's type: ''"},
        {"(initstate)\n(formula 'octal)\n",
         "T:2: this version has no formula like XaoS's: 'octal'"},
        {"(initstate)\n(formula 'manowar)\n(view 0 0 1 1)\n",
         "T:2: this version has no formula like XaoS's: 'manowar'"},
        {"(initstate)\n(formula 'mandel9)\n", "T:2: this version has no formula like XaoS's"},
        {"(initstate)\n(formula 'newton)\n(julia #t)\n(view 0 0 1 1)\n",
         "T:2: this version has no Julia sets like XaoS's of: 'newton'"},
        {"(initstate)\n(formula 'barnsley)\n(view 0 0 1 1)\n",
         "T:2: this version has no Julia sets like XaoS's of: 'barnsley'"},
        {"(initstate)\n(formula 'phoenix)\n(julia #f)\n(view 0 0 1 1)\n",
         "T:2: this version has no set like XaoS's of: 'phoenix'"},
        {"(initstate)\n(formula 'mlambda)\n(juliaseed 0.5 0.1)\n(view 0 0 1 1)\n",
         "T:2: this version has no Julia sets like XaoS's of: 'mlambda'"},
        {"(initstate)\n", "T: this XaoS file has no location in it"},
        {"(initstate)\n(view 0 0 0 1)\n", "T:2: this is not the size of a view"},
        {"(initstate)\n(view 0 y 1 1)\n", "T:2: this is not a number: 'y'"},
        {"(initstate)\n(plane 1)\n(view 0 0 1 1)\n", "T:2: this version has no planes"},
        {"(initstate)\n(perturbation 0 1)\n(view 0 0 1 1)\n",
         "T:2: this version begins orbits at 0"},
        {"(initstate)\n(angle x)\n", "T:2: this is not an angle"},
        {"(view", "T: this is not a location"},
    };
    struct scene scene, untouched;
    scene_init(&scene);
    scene_init(&untouched);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_REFUSED(parse(&scene, bad[i].text), bad[i].why);
        CHECK(view_equal(&scene.view, &untouched.view) && scene.limit == untouched.limit &&
              scene.fractal.julia == untouched.fractal.julia &&
              mpfr_equal_p(scene.fractal.re, untouched.fractal.re));
    }
    scene_finish(&scene);
    scene_finish(&untouched);
}

int main(void) {
    check_fractint();
    check_xaos();
    check_xaos_formulas();
    check_refused();
    printf("%d failures\n", failures);
    return failures != 0;
}
