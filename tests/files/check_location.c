/* Checks locations as other programs write them (coordinates, Kalles Fraktaler, Fraktaler,
 * Fractint, XaoS): accepted and refused ones, warnings, and readers of mutated input. */
#define _GNU_SOURCE
#include "render/base/atomic_file.h"
#include "render/files/image.h"
#include "render/files/location.h"
#include "render/files/toml.h"
#include "render/formula/spelling.h"
#include "tests/shared/check.h"
#include "tests/shared/mutate.h"
#include "tests/shared/texts.h"
#include <complex.h>
#include <inttypes.h>
#include <math.h>

static bool parse(struct scene *scene, const char *text) {
    return scene_parse_any(scene, "T", text, strlen(text));
}

/* Returns true if the scene's view equals the view that fathom's own text describes. */
static bool is_view(const struct scene *scene, const char *re, const char *im, const char *zoom,
                    double degrees) {
    const char *why;
    SCOPED(view, view);
    return view_set_zoom(&view, zoom, &why) && view_set_centre(&view, re, im, 0, &why) &&
           view_set_angle_degrees(&view, degrees, &why) && view_equal(&view, &scene->view);
}

static void check_taken(const char *text, const char *re, const char *im, const char *zoom,
                        double degrees, uint32_t limit) {
    SCOPED(scene, scene);
    scene.limit = 77;
    scene.frequency = 3;
    log_start();
    CHECK(parse(&scene, text) && is_view(&scene, re, im, zoom, degrees) && scene.limit == limit &&
          scene.frequency == 3);
}

static void check_taken_row(const char *text, const char *result) {
    char re[200], im[200], zoom[40];
    double degrees;
    uint32_t limit;
    CHECK(sscanf(result, "%199s %199s %39s %lf %" SCNu32, re, im, zoom, &degrees, &limit) == 5);
    check_taken(text, re, im, zoom, degrees, limit);
}

static void check_formula(const char *text, const char *name) {
    char got[FRACTAL_NAME_SIZE + 100] = "";
    SCOPED(scene, scene);
    scene.fractal.julia = 1;
    scene.fractal.formula = FORMULA_spider;
    CHECK(parse(&scene, text));
    fractal_name(&scene.fractal, got, FRACTAL_NAME_SIZE);
    if (scene.fractal.julia) {
        char *re = setting_text(SETTING_JULIA_RE, &scene);
        char *im = setting_text(SETTING_JULIA_IM, &scene);
        snprintf(got + strlen(got), 100, " %s %s", re, im);
        free(re);
        free(im);
    }
    CHECK(strcmp(got, name) == 0);
}

static void check_refused(const char *text, const char *why) {
    SCOPED(scene, scene);
    SCOPED(scene, untouched);
    CHECK_REFUSED(parse(&scene, text), why);
    CHECK(view_equal(&scene.view, &untouched.view) && scene.limit == untouched.limit &&
          fractal_equal(&scene.fractal, &untouched.fractal));
}

static void check_warned(const char *text, const char *why) {
    SCOPED(scene, scene);
    log_start();
    CHECK(parse(&scene, text) && log_is_one_line(why));
}

static void check_nul_bytes(void) {
    SCOPED(scene, scene);
    CHECK_REFUSED(scene_parse_any(&scene, "T", "1 2 3\0", 6), "T:1: a NUL byte");
    CHECK_REFUSED(scene_parse_any(&scene, "T", "1 2 3\n\n\0\n", 9), "T:3: a NUL byte");
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

/* Checks that a location sets its own formula, while bare coordinates keep the scene's. */
static void check_power(void) {
    SCOPED(scene, scene);
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
    SCOPED(scene, scene);
    CHECK(parse(&scene, text) && is_view(&scene, re, im, "2.7e8000", 0));
    char *own = view_number_text(scene.view.re, 0);
    CHECK(own && strcmp(own, re) == 0);
    free(own);
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

/* Checks files, and the comment of another program's picture. */
static void check_files(void) {
    static const char place[] = "Re: -0.75\nIm: 0.1\nZoom: 20\n";
    SCOPED(scene, scene);
    file_put("a.kfr", place, sizeof place - 1);
    CHECK(scene_load(&scene, "a.kfr") && is_view(&scene, "-0.75", "0.1", "20", 0));
    file_put("a.txt", "1 2 3", 5);
    CHECK(scene_load(&scene, "a.txt") && is_view(&scene, "1", "2", "3", 0));
    const uint32_t pixel = 0;
    CHECK(image_write("a.png", IMAGE_PNG, &pixel, 1, 1, place));
    CHECK(scene_load(&scene, "a.png") && is_view(&scene, "-0.75", "0.1", "20", 0));
    CHECK(image_write("a.ppm", IMAGE_PPM, &pixel, 1, 1, "1 2 3"));
    CHECK_REFUSED(scene_load(&scene, "a.ppm"), "carries no view");
}

#define PLAIN ";0,0,0,0,0,0,0;0"

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
    texts_each("locations taken", check_taken_row);
    texts_each("locations formulas", check_formula);
    texts_each("locations refused", check_refused);
    texts_each("locations warned", check_warned);
    check_nul_bytes();
    check_meaning();
    check_power();
    check_digits();
    check_escapes();
    check_files();
    check_all_mutations();
    printf("%d failures\n", failures);
    return failures != 0;
}
