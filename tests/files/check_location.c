/* Locations as other programs write them: which are accepted, refused and warned of, and readers of
 * mutated input. */
#define _GNU_SOURCE
#include "render/base/atomic_file.h"
#include "render/files/image.h"
#include "render/files/location.h"
#include "render/files/toml.h"
#include "render/formula/spelling.h"
#include "tests/shared/check.h"
#include "tests/shared/locations.h"
#include "tests/shared/mutate.h"
#include <complex.h>
#include <math.h>

static void check_bare(void) {
    static const struct {
        const char *text, *im, *zoom;
        uint32_t limit;
    } kinds[] = {
        {"-0.75 0.1 200", "0.1", "200", 77},
        {"-0.75 -0.1 200", "-0.1", "200", 77},
        {" -0.75,0.1,2e2\n", "0.1", "200", 77},
        {"-0.75\n+.1\n200\n5000\n", "0.1", "200", 5000},
        {"-0.75; 0.1; 200; 1e6", "0.1", "200", 1000000},
        {"-0.75 + 0.1i 200", "0.1", "200", 77},
        {"-0.75 - 0.1 i 200 12", "-0.1", "200", 12},
        {"-0.75-0.1*i, 200", "-0.1", "200", 77},
        {"(-0.75, 0.1) 200.", "0.1", "200", 77},
        {"\xef\xbb\xbf-0.75-1e-1j\t2.0E+02\r\n", "-0.1", "200", 77},
        {"-75e-2 0.1 200 99999999999", "0.1", "200", FRAME_LIMIT_MAX},
        /* Signs used on web pages: U+2212, U+2013, no-break spaces. */
        {"\xe2\x88\x92"
         "0.75 + 0.1i 200",
         "0.1", "200", 77},
        {"(\xe2\x88\x92"
         "7.5e\xe2\x88\x92"
         "1\xc2\xa0\xe2\x88\x92\xc2\xa0"
         "0.1i)\xc2\xa0"
         "200",
         "-0.1", "200", 77},
        {"\xe2\x80\x93"
         "0.75 \xe2\x80\x93"
         "0.1 200",
         "-0.1", "200", 77},
        {"re: -0.75 im: 0.1 zoom: 200", "0.1", "200", 77},
        {"zoom: 200, Im: -0.1 , RE :-0.75; iterations:12", "-0.1", "200", 12},
        {"Re: -0.75 Im: 0.1 Zoom: 200", "0.1", "200", 77},
        {"real: \xe2\x88\x92"
         "0.75\nimaginary: 0.1i\nzoom: 200\nlimit: 5\n",
         "0.1", "200", 5},
        {"(x: -0.75, y: -0.1) zoom: 200", "-0.1", "200", 77},
        {"re: -0.75 im: 0.1 iterations: 50 zoom: 200", "0.1", "200", 50},
        /* Labels followed by other signs or none, mixed with numbers without labels. */
        {"Re = -0.75, Im = 0.1, Mag = 200", "0.1", "200", 77},
        {"re = -0.75\nim = -0.1\nzoom = 200\niterations = 12\n", "-0.1", "200", 12},
        {"Magnification = 200, X=-.75 Y=.1", "0.1", "200", 77},
        {"c = -0.75 - 0.1i, zoom 200", "-0.1", "200", 77},
        {"Center: -0.75, 0.1 zoom 200 iter 9", "0.1", "200", 9},
        {"re: -0.75 0.1 zoom: 200", "0.1", "200", 77},
        {"-0.75 0.1 zoom: 200 12", "0.1", "200", 12},
        /* Commas that can only be decimal commas. */
        {"-0,75 0,1 200", "0.1", "200", 77},
        {"-0,75 0,1 200 1000", "0.1", "200", 1000},
        {"-0,75 \xe2\x88\x92 0,1i 2,00e2", "-0.1", "200", 77},
        {"-0,75; 0,1; 200", "0.1", "200", 77},
        {"-0,75, 0,1, 200", "0.1", "200", 77},
        {"re: -0,75 im: 0,1 zoom: 200", "0.1", "200", 77},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_taken(kinds[i].text, "-0.75", kinds[i].im, kinds[i].zoom, 0, kinds[i].limit);
    check_taken("-0.75 + 0.1i, zoom: 200, rotation 30", "-0.75", "0.1", "200", 30, 77);
    check_taken("Angle = -15.5\nRe = -0.75\nIm = 0.1\nZoom = 200\n", "-0.75", "0.1", "200", -15.5,
                77);
}

#define DEEP_RE "-0.0494700290631040937516922267273536301187457124882248793181049402326421947726869"
#define DEEP_IM                                                                                    \
    "-0.67478757584467536401139205313059765633477070682240348069799979479099419834548451"

static void check_kalles(void) {
    check_taken("Re: " DEEP_RE "\r\nIm: " DEEP_IM "\r\nZoom: 1.00e050\r\nIterations: 263010\r\n"
                "IterDiv: 0.500000\r\nColors: 0,0,0,41,35,190,\r\nRotate: 0.000000\r\n"
                "Ratio: 360.000000\r\nMultiColors: \r\nPower: 2\r\nFractalType: 0\r\nSeedR: 0\r\n",
                DEEP_RE, DEEP_IM, "1e50", 0, 263010);
    check_taken("Re: -0.75\nIm: 0.1\nZoom: 1.59738E15\nRotateAngle: 30\nImagPointsUp: 1", "-0.75",
                "0.1", "1.59738e15", 30, 77);
    check_taken("ImageWidth: 640\n Im: 0.1\n\nno key\nZoom:3\nRe:-0.75", "-0.75", "0.1", "3", 0,
                77);
    check_taken("Re : -0.75\nIm\t: 0.1\nZoom  :1E3\n", "-0.75", "0.1", "1e3", 0, 77);
    check_taken("Re: -0.75\rIm: 0.1\rZoom: 1E3\rIterations: 50\r", "-0.75", "0.1", "1e3", 0, 50);
    check_taken("Re: \xe2\x88\x92"
                "0.75\nIm:\xc2\xa0"
                "0.1\nZoom: 3\n",
                "-0.75", "0.1", "3", 0, 77);
}

/* Checks numbers that continue on the next line, however they are divided. */
static void check_wrapped(void) {
    static const char re[] = "-0.743643887037158704752191506114774",
                      im[] = "0.131825904205311970493132056385139";
    check_taken("Re: -0.7436438870371587\n04752191506114774\nIm: 0.1318259042053119\n"
                "70493132056385139\nZoom: 1E20\nIterations: 20000\n",
                re, im, "1e20", 0, 20000);
    check_taken("Re:\r\n-0.74364388703\r\n71587047521\r\n91506114774\r\nIm: 0.13182590\r\n\r\n"
                "  420531197049 \r\n3132056385139\r\nZoom: 1E\r\n+2\r\n0\r\nPower: 2\r\n500\r\n",
                re, im, "1e20", 0, 77);
    check_taken("Im: 0.1\nZoom: 3\nIterations: 12\n34\nno key\nRe: -0.75\nno number\n5", "-0.75",
                "0.1", "3", 0, 12);
    struct scene scene;
    scene_init(&scene);
    CHECK_REFUSED(parse(&scene, "Re: -0.7\n5\n\n5\n\nIm: 0.1\n0\nZoom: 0\n"), "T:8: the zoom is");
    CHECK_REFUSED(parse(&scene, "Im: 0.1\nZoom: 3\nRe: -0.7\n+5\n"),
                  "T:3: the real part is not a decimal number: '-0.7+5'");
    scene_finish(&scene);
}

static void check_formula(const char *text, const char *name) {
    struct scene scene;
    char got[FRACTAL_NAME_SIZE] = "";
    scene_init(&scene);
    scene.fractal.julia = 1;
    scene.fractal.formula = FORMULA_spider;
    const bool ok = parse(&scene, text);
    fractal_name(&scene.fractal, got, sizeof got);
    CHECK(ok && strcmp(got, name) == 0);
    if (!ok || strcmp(got, name) != 0)
        printf("in: %s\n%s, not %s\n", text, got, name);
    scene_finish(&scene);
}

#define KALLES "Re: -1.75\r\nIm: 0.03\r\nZoom: 20\r\n"
#define PLAIN  ";0,0,0,0,0,0,0;0"

static void check_kalles_formulas(void) {
    static const char *const formulas[][2] = {
        {"FractalType: 0\n", "mandelbrot"},
        {"FractalType: 1\r\nPower: 2\r\n", "burning_ship"},
        {"Power: 5\nFractalType: 1\n", "burning_ship^5"},
        {"FractalType: 2\n", "buffalo"},
        {"FractalType: 3\nPower: 4\nHybridFormula: ?\nUseHybridFormula: 0\n", "celtic^4"},
        {"FractalType: 4\n", "tricorn"},
        {"FractalType: 4\nPower: 5\n", "tricorn^5"},
        {"FractalType: 6\n", "perpendicular"},
        {"FractalType: 7\n", "perpendicular_ship"},
        {"FractalType: 8\n", "perpendicular_celtic"},
        {"FractalType: 9\n", "perpendicular_buffalo"},
        {"Power: 12\nFractalType: 50\nUseHybridFormula: 1\nHybridFormula: 0/1|0,0,0,0,3,1,0" PLAIN
         "\n",
         "mandelbrot^3"},
        {"UseHybridFormula: 1\nHybridFormula: 0/1|0,0,0,1,3,1,0" PLAIN "\n", "tricorn^3"},
        {"UseHybridFormula: 1\nHybridFormula: 0/1|0,0,0,0,3,1,0" PLAIN "|1,1,0,0,1,1,0" PLAIN "\n",
         "buffalo^3"},
        {"UseHybridFormula: 1\nHybridFormula: 0/1|0,0,0,0,2,1,0" PLAIN "|0,1,0,0,1,1,0" PLAIN "\n",
         "burning_ship"},
        {"UseHybridFormula: 1\nHybridFormula: 0/2|0,0,0,0,2,1,0" PLAIN "/1|1,1,0,0,3,1,0" PLAIN
         "\n",
         "mandelbrot, mandelbrot, burning_ship^3"},
        {"UseHybridFormula: 1\nHybridFormula: 0/9|0,0,0,0,2,1,0" PLAIN "|0,0,0,0,2,1.0,0" PLAIN
         "\n",
         "mandelbrot^4"},
        {"UseHybridFormula: 1\nHybridFormula: 0/1|1,0,0,0,2,1,0" PLAIN "/1|1,0,0,0,2,1,0" PLAIN
         "\n",
         "heart"},
    };
    char text[400];
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        snprintf(text, sizeof text, KALLES "%s", formulas[i][0]);
        check_formula(text, formulas[i][1]);
    }
}

static void check_fraktaler_formulas(void) {
    static const char *const formulas[][2] = {
        {"[location]\nreal = \"-1.75\"\n[[formula]]\nabs_x = true\nabs_y = true\n", "burning_ship"},
        {"[[formula]]\nneg_y = true\npower = 3\n", "tricorn^3"},
        {"[[formula]]\nneg_x = true\npower = 4\n", "tricorn^4"},
        {"[[formula]]\nneg_x = true\nneg_y = true\npower = 2\n", "mandelbrot"},
        {"[[formula]]\nabs_x = true\n[[formula]]\n[[formula]]\npower = 3\n[image]\nwidth = 5\n",
         "heart, mandelbrot, mandelbrot^3"},
        {"[[formula]]\n[[formula]]\n", "mandelbrot"},
        {"bailout.iterations = 5\nformula = [\n{abs_x = true, neg_y = true}, # one\n {power=8},\n"
         "{ }]\n",
         "perpendicular, mandelbrot^8, mandelbrot"},
        {"[[formula]]\nopcodes = \"sqr absx add\"\n", "celtic"},
        {"[[formula]]\nopcodes = \"absx negy store sqr mul absx add\"\npower = 5\n",
         "perpendicular_celtic^3"},
        {"[[formula]]\nopcodes = \"absy negy sqr absx add\"\n", "perpendicular_buffalo"},
        {"[[formula]]\nopcodes = \"store sqr mul sqr mul absx absy add\"\n", "buffalo^7"},
        {"[[formula]]\nopcodes = \"sqr negy add\"\n", "tricorn"},
        {"[[formula]]\nopcodes = \"sqr absy add\"\n", "burning_ship"},
        {"[[formula]]\nopcodes = \"absy sqr absx absy add\"\n", "buffalo"},
        {"location = {real = \"1\", imag = \"2\"}\n[location.x]\n", "mandelbrot"},
    };
    char text[400];
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        snprintf(text, sizeof text, "program = \"fraktaler-3\"\n%s", formulas[i][0]);
        check_formula(text, formulas[i][1]);
    }
    check_taken(
        "program = \"fraktaler-3\"\nlocation = { real = '-0.75', imag = '0.1', zoom = 3 }\n",
        "-0.75", "0.1", "3", 0, 1024);
}

static double complex folded(double complex z, bool x, bool y, bool negate) {
    const double re = x ? fabs(creal(z)) : creal(z), im = y ? fabs(cimag(z)) : cimag(z);
    return re + (negate ? -im : im) * I;
}

static double complex own_step(struct fractal_step step, double complex z) {
    const unsigned folds = formula_folds(step.formula);
    double complex w = 1;
    z = folded(z, folds & FOLD_X, folds & FOLD_Y, folds & FOLD_NEGATE);
    for (int i = 0; i < step.power; i++)
        w *= z;
    return folded(w, folds & FOLD_RE, folds & FOLD_IM, false);
}

static const char *const words[] = {"absx", "absy", "negx", "negy", "store", "sqr", "mul"};
#define WORDS ((int)(sizeof words / sizeof *words))

static double complex do_words(const int *word, int count, double complex z) {
    double complex stored = z;
    for (int i = 0; i < count; i++) {
        if (word[i] < 2)
            z = folded(z, word[i] == 0, word[i] == 1, false);
        else if (word[i] < 4)
            z = word[i] == 2 ? -conj(z) : conj(z);
        else if (word[i] == 4)
            stored = z;
        else
            z *= word[i] == 5 ? z : stored;
    }
    return z;
}

/* Returns true if words have the same effect as the formula that they are recognised as, in all
 * quarters of the plane. */
static bool means_the_same(const int *word, int count, struct fractal_step step) {
    double most = 0;
    for (int i = 0; i < 16; i++) {
        const double x = i & 1 ? -1 : 1, y = i & 2 ? -1 : 1;
        const double complex z = x * (0.4 + 0.3 * (i / 4)) + y * (0.9 - 0.2 * (i / 4)) * I;
        most = fmax(most, cabs(do_words(word, count, z) - own_step(step, z)));
    }
    return most < 1e-12;
}

/* Checks everything that can be expressed in up to five words. */
static void check_meaning(void) {
    int taken = 0, word[5];
    char text[64];
    for (int count = 1, all = WORDS; count <= 5; count++, all *= WORDS)
        for (int i = 0; i < all; i++) {
            struct spelling_steps steps = {.count = 0};
            size_t used = 0;
            for (int j = 0, rest = i; j < count; j++, rest /= WORDS) {
                word[j] = rest % WORDS;
                used += (size_t)snprintf(text + used, sizeof text - used, "%s ", words[word[j]]);
            }
            snprintf(text + used, sizeof text - used, "add");
            if (!spelling_read_words(text, &steps))
                continue;
            taken++;
            CHECK(means_the_same(word, count, steps.step[0]));
        }
    CHECK(taken > 2000);
}

#undef WORDS

/* Checks that formulas that only resemble fathom's are refused. */
static void check_formulas_refused(void) {
    static const struct {
        const char *text, *why;
    } bad[] = {
        {KALLES "FractalType: 5\n", "T:4: this version has no formula like Mandelbar Celtic"},
        {KALLES "FractalType: 41\n", "T:4: this version has no formula like FractalType: '41'"},
        {KALLES "FractalType: -1\n", "T:4: this version has no formula like FractalType: '-1'"},
        {KALLES "FractalType: 4\nPower: 3\n",
         "T:5: this version has no formula like Mandelbar of the power: '3'"},
        {KALLES "FractalType: 1\nPower: 6\n", "T:5: Burning Ship has powers from 2 to 5 here"},
        {KALLES "Power: 3\nFractalType: 6\n",
         "T:4: Perpendicular Mandelbrot has powers from 2 to 2 here, not: '3'"},
        {KALLES "ExponentialMap: 1\n", "T:4: this version has no exponential maps"},
        {KALLES "UseHybridFormula: 1\n", "T:4: there is no HybridFormula"},
#define HYBRID(text)                                                                               \
    {KALLES "UseHybridFormula: 1\nHybridFormula: " text "\n",                                      \
     "T:5: this version has no formula like this HybridFormula"}
        HYBRID(""),
        HYBRID("0"),
        HYBRID("0/"),
        HYBRID("0/1|0,0,0,0,2,1,0"),
        HYBRID("0/1|0,0,0,0,2,1,0;0,0,0,0,0,0,0;"),
        HYBRID("0/1|0,0,0,0,2,1,0" PLAIN "|"),
        HYBRID("0/1|0,0,0,0,2,1,0" PLAIN "/"),
        HYBRID("0/1|0,0,0,0,2,1,0" PLAIN "x"),
        HYBRID("0/0|0,0,0,0,2,1,0" PLAIN),
        HYBRID("1/1|0,0,0,0,2,1,0" PLAIN "/1|0,0,0,0,3,1,0" PLAIN),
        HYBRID("0/9|0,0,0,0,2,1,0" PLAIN "/1|0,0,0,0,3,1,0" PLAIN),
        HYBRID("0/8|0,0,0,0,2,1,0" PLAIN "/1|0,0,0,0,3,1,0" PLAIN),
        HYBRID("0/1.5|0,0,0,0,2,1,0" PLAIN "/1|0,0,0,0,3,1,0" PLAIN),
        HYBRID("0/1|0,0,0,0,2,0.5,0" PLAIN),
        HYBRID("0/1|0,0,0,0,2,1,1" PLAIN),
        HYBRID("0/1|0,0,0,0,2,1,0;0,0,0,0,1,1,0;0"),
        HYBRID("0/1|0,0,0,0,2,1,0;0,0,0,0,0,0,0;2"),
        HYBRID("0/1|0,0,0,0,1,1,0" PLAIN),
        HYBRID("0/1|0,0,0,0,9,1,0" PLAIN),
        HYBRID("0/1|0,0,0,0,3,1,0" PLAIN "|0,0,0,0,3,1,0" PLAIN),
        HYBRID("0/1|0,0,1,0,3,1,0" PLAIN),
        HYBRID("0/1|0,1,0,0,2,1,0" PLAIN),
        HYBRID("0/1|0,0,0,0,2,1,0" PLAIN "|1,0,0,0,2,1,0" PLAIN),
#undef HYBRID
        {"[[formula]]\nabs_y = true\n", "T:2: this version has no formula like this"},
        {"[[formula]]\nabs_x = true\nneg_x = true\npower = 3\n[[formula]]\n",
         "T:4: this version has no formula like this"},
        {"[[formula]]\npower = 9\n", "T:2: this version has powers from 2 to 8, not: '9'"},
        {"[[formula]]\npower = 1\n", "T:2: this version has powers from 2 to 8, not: '1'"},
        {"[[formula]]\nabs_x = 1\n", "T:2: this is neither true nor false: '1'"},
        {"[[formula]]\nfactor = 1\n", "T:2: this version has no formula with: 'factor'"},
        {"program = \"fraktaler-3\"\nformula = [{}, {abs_y = true}]\n",
         "T:2: this version has no formula like this"},
        {"[[formula]]\n[[formula]]\n[[formula]]\n[[formula]]\n[[formula]]\n[[formula]]\n"
         "[[formula]]\n[[formula]]\n[[formula]]\n",
         "T:9: this version has no formula like this"},
#define WORDS(words)                                                                               \
    {"[[formula]]\nopcodes = \"" words "\"\n", "T:2: this version has no formula like these"}
        WORDS("add"),
        WORDS("sqr"),
        WORDS("sqr add add"),
        WORDS("sqr add x"),
        WORDS("sqr rot{90} add"),
        WORDS("sqr absy negy add"),
        WORDS("sqr absx sqr add"),
        WORDS("negy sqr absx add"),
        WORDS("store absx absy mul add"),
        WORDS("sqr absx store mul add"),
        WORDS("sqr sqr sqr sqr add"),
        WORDS("store sqr sqr sqr mul add"),
        WORDS("absolutely add"),
#undef WORDS
        {"[location]\na = [{b = 1\n", "T:2: an inline table does not end"},
        {"[location]\na = {b}\n", "T:2: no '=' after a key of an inline table"},
    };
    struct scene scene, untouched;
    scene_init(&scene);
    scene_init(&untouched);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_REFUSED(parse(&scene, bad[i].text), bad[i].why);
        CHECK(view_equal(&scene.view, &untouched.view) &&
              fractal_equal(&scene.fractal, &untouched.fractal));
    }
    scene_finish(&scene);
    scene_finish(&untouched);
}

/* Checks that a location sets its own formula, while bare coordinates keep the scene's. */
static void check_power(void) {
    struct scene scene;
    scene_init(&scene);
    scene.fractal.formula = FORMULA_tricorn;
    scene.fractal.julia = 1;
    CHECK(fractal_set_then(&scene.fractal, "heart") && parse(&scene, "-0.5 0 3"));
    CHECK(scene.fractal.formula == FORMULA_tricorn && scene.fractal.julia);
    CHECK(parse(&scene, "Re: 0.1\nIm: 0.2\nZoom: 3\nPower: 5\n"));
    CHECK(scene.fractal.formula == FORMULA_mandelbrot && scene.fractal.power == 5 &&
          scene.fractal.then_count == 0 && !scene.fractal.julia);
    CHECK(parse(&scene, "Re: 0.1\nIm: 0.2\nZoom: 3\n") && fractal_is_mandelbrot(&scene.fractal));
    scene.fractal.power = 3;
    CHECK(parse(&scene, "location.real = \"0.1\"\n") && fractal_is_mandelbrot(&scene.fractal));
    scene_finish(&scene);
}

/* Checks very deep places: none of thousands of digits is lost, in either format or in fathom's own
 * text. */
static void check_digits(void) {
    enum { DIGITS = 9000 };
    static char re[DIGITS + 4], im[DIGITS + 4], text[4 * DIGITS];
    for (int i = 0; i < DIGITS; i++) {
        re[3 + i] = (char)('0' + (7 * i + i / 13 + 3) % 10);
        im[3 + i] = (char)('0' + (3 * i + i / 17 + 1) % 10);
    }
    memcpy(re, "-1.", 3);
    memcpy(im, "+0.", 3);
    snprintf(text, sizeof text, "Re: %s\r\nIm: %s\r\nZoom: 2.70E8000\r\nIterations: 500\r\n", re,
             im);
    check_taken(text, re, im, "2.7e8000", 0, 500);
    snprintf(text, sizeof text,
             "location.real = \"%s\"\nlocation.imag = \"%s\"\nlocation.zoom = \"2.7e8000\"\n"
             "bailout.iterations = 500\n",
             re, im);
    check_taken(text, re, im, "2.7e8000", 0, 500);
    snprintf(text, sizeof text, "[view]\nre = %s\nim = %s\nzoom = 2.7e8000\n", re, im);
    struct scene scene;
    scene_init(&scene);
    CHECK(parse(&scene, text) && is_view(&scene, re, im, "2.7e8000", 0));
    char *own = view_number_text(scene.view.re, 0);
    CHECK(own && strcmp(own, re) == 0);
    free(own);
    scene_finish(&scene);
}

static void check_fraktaler(void) {
    check_taken("program = \"fraktaler-3\"\nversion = \"3.1\"\nlocation.real = \"-0.75\"\n"
                "location.imag = \"1e-1\"\nlocation.zoom = \"2.15e2836\"\n"
                "bailout.iterations = 60_000\nbailout.escape_radius = 625.0\n"
                "algorithm.number_types = [\"float\", # not [ this\n \"double\"]\n"
                "transform.rotate = -15.5\n\n[[formula]]\npower = 2\nabs_x = false\n",
                "-0.75", "0.1", "2.15e2836", -15.5, 60000);
    check_taken(
        "# by hand\n[location]\nreal = \"-7.5e-1\" # \"quoted\"\nimag = '0.1'\nzoom = 1_000.5\n"
        "[transform]\nrotate = 15\n[[history]]\nreal = \"9\"\nnote = \"\"\"\nreal = 5\\\"\"\"\""
        "\n[bailout]\niterations=5\n",
        "-0.75", "0.1", "1000.5", 15, 5);
    check_taken(
        "location.real = \"\"\"\n-0.7\\\n5\\\n   \"\"\"\r\n \"location\" . 'imag' = '''\n0.1'''\n",
        "-0.75", "0.1", "1", 0, 1024);
    check_taken("program=\"fraktaler-3\"", "0", "0", "1", 0, 1024);
}

static bool is_all_escapes(void *user, const char *key, const char *value, int line) {
    ++*(int *)user;
    return strcmp(key, "a") == 0 && line == 1 && strcmp(value, "\b\t\n\f\r\"\\") == 0;
}

static void check_escapes(void) {
    static const char text[] = "a = \"\\b\\t\\n\\f\\r\\\"\\\\\"\n";
    int entries = 0;
    CHECK(toml_read("T", text, sizeof text - 1, is_all_escapes, &entries) && entries == 1);
}

static void check_refused(void) {
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"1", "T:1: this is not a location: expected 're im zoom'"},
        {"-0.75 0.1", "T: the zoom is missing: expected 're im zoom'"},
        {"-0.75 + 0.1i", "T: the zoom is missing: expected 're im zoom' or 're + im i zoom'"},
        {"1 2 x", "T:1: this is not a location: expected 're im zoom' or 're + im i zoom': 'x'"},
        {"1 2\n0", "T:2: the zoom is"},
        {"1 2 -3", "T:1: the zoom is"},
        {"1 2 1e999999999", "T:1: the zoom is"},
        {"1e400 2 3", "T:1: the real part is"},
        {"1\n2e400 3", "T:2: the imaginary part is"},
        {"1 2 3 4.5", "T:1: the iterations are not a whole number: '4.5'"},
        {"1 2 3 -4", "T:1: the iterations are not"},
        {"1 2 3 4 5", "T:1: unexpected text after the coordinates: '5'"},
        {"0,5 1 200", "T: a comma may be a decimal one here, or separate two numbers"},
        {"0,5 + 0,1i", "T: the zoom is missing"},
        {"1,2,3,4,5", "T:1: unexpected text after the coordinates: '5'"},
        {"re: 1 im: 2", "T: the zoom is missing"},
        {"re: 1 zoom: 2", "T:1: this is not a location: expected 're im zoom'"},
        {"re: 1 im: 2 im: 3", "T:1: unexpected text after the coordinates: 'im: 3'"},
        {"re: 1 2 im: 3", "T:1: unexpected text after the coordinates: 'im: 3'"},
        {"1 2 zoom: 3 im: 4", "T:1: unexpected text after the coordinates: 'im: 4'"},
        {"1 2 3 4 angle: 5 6", "T:1: unexpected text after the coordinates: '6'"},
        {"re = 1\nim = 2\nhue = 3\n", "T:3: this is not a location: expected 're im zoom'"},
        {"re: 1 im: x zoom: 3", "T:1: this is not a location: expected"},
        {"Re: 1\nIm: 2\n", "T: this Kalles Fraktaler file has no location in it"},
        {"Power: 2\n", "T: this Kalles Fraktaler file has no location in it"},
        {"Re: 1\nIm: x\nZoom: 1\n", "T:2: the imaginary part is not a decimal number: 'x'"},
        {"Re: 1\nIm: 2\nZoom:\n", "T:3: the zoom is"},
        {"Power: 9\nRe: 1\nIm: 2\nZoom: 1\n",
         "T:1: Mandelbrot has powers from 2 to 8 here, not: '9'"},
        {"Power: 2.5\nRe: 1\nIm: 2\nZoom: 1\n", "T:1: Mandelbrot has powers from 2 to 8 here"},
        {"SeedR: 0.5\n", "T:1: this version begins orbits at 0"},
        {"Re: 1\nIm: 2\nZoom: 1\nRotateAngle: 1e999\n", "T:4: the angle is not"},
        {"[location]\nreal = \"x\"\n", "T:2: the real part is not a decimal number: 'x'"},
        {"location.real = \"1\n", "T:1: a string does not end"},
        {"location.real = \"\"\"1\n2", "T:1: a string does not end"},
        {"location.real = \"\\q\"", "T:1: a string has an unknown escape"},
        {"location.real = \"1\" 2", "T:1: unexpected text at the end of the line"},
        {"location.real 1", "T:1: no '=' after a key"},
        {"location.real =", "T:1: no value after '='"},
        {"location. = 1", "T:1: neither '[table]'"},
        {"[location]x\n", "T:1: unexpected text"},
        {"program = \"fraktaler-3\"\n[location\n", "T:2: a table's name does not end"},
        {"[location]\na = [1,\n2", "T:2: a bracket is not closed"},
        {"[location]\n\"a = 1\n", "T:2: a key's quotes do not end"},
        {"transform.exponential_map = true\n", "T:1: this version has no exponential maps"},
        {"[view]\nre = x\n", "T:2: re is not a decimal number"},
        {"[view]\nre: 1\n", "T:2: neither '[section]' nor"},
        {"key = value\n", "T: this is not a location"},
        {"", "T: this is not a location"},
        {"root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/bin/sh\n", "T: this is not a location"},
        {"https://mathr.co.uk/web/?re=1&im=2", "T: this is not a location"},
        {"hello world", "T: this is not a location"},
        {"Re: your letter\nZoom: on Friday\n", "T: this is not a location"},
        {"[Desktop Entry]\nName=fathom\n", "T: this is not a location"},
        {"\x7f"
         "ELF\2\1\1\n\n",
         "T: this is not a location"},
        {"192.168.1.1 host\n", "T:1: this is not a location: expected 're im zoom'"},
    };
    struct scene scene, untouched;
    scene_init(&scene);
    scene_init(&untouched);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_REFUSED(parse(&scene, bad[i].text), bad[i].why);
        CHECK(view_equal(&scene.view, &untouched.view) && scene.limit == untouched.limit);
    }
    CHECK_REFUSED(scene_parse_any(&scene, "T", "1 2 3\0", 6), "T:1: a NUL byte");
    CHECK_REFUSED(scene_parse_any(&scene, "T", "1 2 3\n\n\0\n", 9), "T:3: a NUL byte");
    scene_finish(&scene);
    scene_finish(&untouched);
}

static void check_warned(void) {
    static const struct {
        const char *text, *why;
    } warned[] = {
        {"Re: 1\nIm: 2\nZoom: 1\nStretchAmount: 0.5\n", "T: stretched views are not supported"},
        {"Re: 1\nIm: 2\nZoom: 1\nRatio: 300\n", "T: stretched views are not supported"},
        {"transform.stretch_amount = -3\n", "T: stretched views are not supported"},
        {"transform.reflect = true\n", "T: mirrored views are not supported"},
    };
    struct scene scene;
    scene_init(&scene);
    for (size_t i = 0; i < sizeof warned / sizeof *warned; i++) {
        log_start();
        CHECK(parse(&scene, warned[i].text) && log_is_one_line(warned[i].why));
    }
    scene_finish(&scene);
}

/* Checks files, and the comment of another program's picture. */
static void check_files(void) {
    static const char place[] = "Re: -0.75\nIm: 0.1\nZoom: 20\n";
    struct scene scene;
    scene_init(&scene);
    file_put("a.kfr", place, sizeof place - 1);
    CHECK(scene_load(&scene, "a.kfr") && is_view(&scene, "-0.75", "0.1", "20", 0));
    file_put("a.txt", "1 2 3", 5);
    CHECK(scene_load(&scene, "a.txt") && is_view(&scene, "1", "2", "3", 0));
    const uint32_t pixel = 0;
    CHECK(image_write("a.png", IMAGE_PNG, &pixel, 1, 1, place));
    CHECK(scene_load(&scene, "a.png") && is_view(&scene, "-0.75", "0.1", "20", 0));
    CHECK(image_write("a.ppm", IMAGE_PPM, &pixel, 1, 1, "1 2 3"));
    CHECK_REFUSED(scene_load(&scene, "a.ppm"), "carries no view");
    scene_finish(&scene);
}

static void check_all_mutations(void) {
    static const char *const seeds[][2] = {
        {"a bare place", "-0.75 + 0.1i 20e3 500\n"},
        {"coordinates with labels", "re: \xe2\x88\x92"
                                    "0,75 im: 0,1 zoom: 20\n"},
        {"a .kfr",
         "Re: -0.75\r\n25\r\nIm: 0.1\r\nZoom: 1E20\r\nIterations: 500\r\nPower: 2\r\n"
         "RotateAngle: 3.5\r\nUseHybridFormula: 1\r\nHybridFormula: 0/2|1,1,0,0,2,1,0" PLAIN
         "/1|0,0,0,1,2,1,0" PLAIN "\r\n"},
        {"a .toml", "program = \"fraktaler-3\"\nlocation.real = \"\"\"\n-0.7\\\n5\"\"\"\n"
                    "a = [\"b\", { c = 1 }]\n[[formula]]\npower = 2\n[[formula]]\n"
                    "opcodes = \"absx store sqr mul add\"\n"},
    };
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        file_put("seed", seeds[i][1], strlen(seeds[i][1]));
        check_mutations("seed", read_scene, seeds[i][0]);
    }
}

int main(void) {
    check_bare();
    check_kalles();
    check_wrapped();
    check_kalles_formulas();
    check_fraktaler_formulas();
    check_meaning();
    check_formulas_refused();
    check_power();
    check_digits();
    check_fraktaler();
    check_escapes();
    check_refused();
    check_warned();
    check_files();
    check_all_mutations();
    printf("%d failures\n", failures);
    return failures != 0;
}
