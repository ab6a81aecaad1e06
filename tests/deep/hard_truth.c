/* Exact counts in MPFR: makes the tables of places that are hard for doubles, without any code of
 * the program. Reads lines
 *
 *     view WIDTH HEIGHT RE IM ZOOM LIMIT [STEPS [C_RE C_IM]]
 *
 * and writes each, followed by lines "X Y COUNT". It ignores other lines, so a table makes itself
 * again: hard_truth <long.txt >again.txt. Row 0 is the top row. The pixel step is 4 / (ZOOM *
 * HEIGHT). A count that is LIMIT means interior. STEPS is "mandelbrot^2" unless it is given;
 * "tricorn^3,burning_ship^2" is a hybrid. C_RE and C_IM are the constant of a Julia set.
 *
 * Each count is computed again with half as many bits more, until two are equal. Fragile points are
 * left out: their count changes if they move by 2^-40 of a pixel. */
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS      100
#define MOVES       4 /* of a point each way, by up to 2^-40 of a pixel */
#define MOVE_LOG2   (-42)
#define SPARE_BITS  128
#define PARSED_BITS 8192
#define STEPS_MAX   8

struct step {
    bool x, y, negate, re, im; /* |x|, |y|, then -y, the power, and |re|, |im| of it */
    int power;
};

struct place {
    int width, height, length; /* length: number of steps */
    unsigned long limit;
    bool julia;
    struct step steps[STEPS_MAX];
    mpfr_t re, im, pixel, c_re, c_im; /* in PARSED_BITS */
};

static const struct {
    const char *name;
    struct step step;
} formulas[] = {
    {"mandelbrot", {0}},
    {"tricorn", {.negate = true}},
    {"burning_ship", {.x = true, .y = true}},
    {"heart", {.x = true}},
    {"perpendicular", {.x = true, .negate = true}},
    {"perpendicular_ship", {.y = true, .negate = true}},
    {"celtic", {.re = true}},
    {"perpendicular_celtic", {.re = true, .x = true, .negate = true}},
    {"buffalo", {.re = true, .im = true}},
    {"perpendicular_buffalo", {.re = true, .y = true, .negate = true}},
};

/* Numbers of an orbit; xx and yy are the squares of x and y. */
struct orbit {
    mpfr_t x, y, c_re, c_im, a, b, xx, yy, s, escape;
};

/* (x + iy) = (x + iy)(a + ib) */
static void multiply(struct orbit *o) {
    mpfr_mul(o->xx, o->x, o->a, MPFR_RNDN);
    mpfr_mul(o->yy, o->y, o->b, MPFR_RNDN);
    mpfr_mul(o->s, o->x, o->b, MPFR_RNDN);
    mpfr_mul(o->y, o->y, o->a, MPFR_RNDN);
    mpfr_sub(o->x, o->xx, o->yy, MPFR_RNDN);
    mpfr_add(o->y, o->y, o->s, MPFR_RNDN);
}

static void square(struct orbit *o) {
    mpfr_mul(o->y, o->y, o->x, MPFR_RNDN);
    mpfr_mul_2ui(o->y, o->y, 1, MPFR_RNDN);
    mpfr_sub(o->x, o->xx, o->yy, MPFR_RNDN);
}

static void make_step(struct orbit *o, const struct step *step) {
    if (step->x)
        mpfr_abs(o->x, o->x, MPFR_RNDN);
    if (step->y)
        mpfr_abs(o->y, o->y, MPFR_RNDN);
    if (step->negate)
        mpfr_neg(o->y, o->y, MPFR_RNDN);
    mpfr_set(o->a, o->x, MPFR_RNDN);
    mpfr_set(o->b, o->y, MPFR_RNDN);
    if (step->power == 2)
        square(o);
    else
        for (int i = 1; i < step->power; i++)
            multiply(o);
    if (step->re)
        mpfr_abs(o->x, o->x, MPFR_RNDN);
    if (step->im)
        mpfr_abs(o->y, o->y, MPFR_RNDN);
    mpfr_add(o->x, o->x, o->c_re, MPFR_RNDN);
    mpfr_add(o->y, o->y, o->c_im, MPFR_RNDN);
}

static bool has_escaped(struct orbit *o) {
    mpfr_sqr(o->xx, o->x, MPFR_RNDN);
    mpfr_sqr(o->yy, o->y, MPFR_RNDN);
    mpfr_add(o->s, o->xx, o->yy, MPFR_RNDN);
    return mpfr_cmp(o->s, o->escape) >= 0;
}

/* Iterates the pixel (x, y), moved right and up by 2^MOVE_LOG2 times `move`. */
static unsigned long count(const struct place *place, int x, int y, int move, long bits) {
    struct orbit o;
    unsigned long n = 0;
    mpfr_inits2(bits, o.x, o.y, o.c_re, o.c_im, o.a, o.b, o.xx, o.yy, o.s, o.escape,
                (mpfr_ptr)NULL);
    mpfr_set_si_2exp(o.a, move, MOVE_LOG2, MPFR_RNDN);
    mpfr_add_d(o.s, o.a, x + 0.5 - 0.5 * place->width, MPFR_RNDN);
    mpfr_fma(o.x, o.s, place->pixel, place->re, MPFR_RNDN);
    mpfr_add_d(o.s, o.a, 0.5 * place->height - y - 0.5, MPFR_RNDN);
    mpfr_fma(o.y, o.s, place->pixel, place->im, MPFR_RNDN);
    mpfr_set(o.c_re, place->julia ? place->c_re : o.x, MPFR_RNDN);
    mpfr_set(o.c_im, place->julia ? place->c_im : o.y, MPFR_RNDN);
    mpfr_fmma(o.escape, o.c_re, o.c_re, o.c_im, o.c_im, MPFR_RNDN);
    if (mpfr_cmp_ui(o.escape, 4) < 0)
        mpfr_set_ui(o.escape, 4, MPFR_RNDN);
    if (!place->julia) { /* from 0 */
        mpfr_set_zero(o.x, 1);
        mpfr_set_zero(o.y, 1);
    }
    while (!has_escaped(&o) && n < place->limit)
        make_step(&o, &place->steps[n++ % (unsigned long)place->length]);
    mpfr_clears(o.x, o.y, o.c_re, o.c_im, o.a, o.b, o.xx, o.yy, o.s, o.escape, (mpfr_ptr)NULL);
    return n;
}

/* Writes the pixel's count unless it is fragile. */
static bool write_point(const struct place *place, int x, int y) {
    long bits = SPARE_BITS - mpfr_get_exp(place->pixel);
    unsigned long n = count(place, x, y, 0, bits), before;
    do {
        before = n;
        bits += bits / 2;
        n = count(place, x, y, 0, bits);
    } while (n != before);
    for (int move = 1; move <= MOVES; move++)
        if (count(place, x, y, move, bits) != n || count(place, x, y, -move, bits) != n)
            return false;
    printf("%d %d %lu\n", x, y, n);
    return true;
}

static int common_divisor(int a, int b) {
    return b ? common_divisor(b, a % b) : a;
}

/* Writes pixels all over the picture: the next pixel is always `stride` pixels further. */
static void write_points(const struct place *place) {
    const int pixels = place->width * place->height;
    int stride = (int)(0.618 * pixels), written = 0, tried = 0;
    while (common_divisor(stride, pixels) > 1)
        stride++;
    for (long at = stride / 2; tried < pixels && written < POINTS; tried++, at += stride) {
        const int pixel = (int)(at % pixels);
        written += write_point(place, pixel % place->width, pixel / place->width);
    }
    printf("# %d of %d points are fragile\n", tried - written, tried);
}

static bool parse_steps(struct place *place, char *text) {
    place->length = 0;
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        char *power = strchr(word, '^');
        size_t i = 0;
        if (!power || place->length == STEPS_MAX)
            return false;
        *power++ = 0;
        while (i < sizeof formulas / sizeof *formulas && strcmp(word, formulas[i].name) != 0)
            i++;
        if (i == sizeof formulas / sizeof *formulas)
            return false;
        place->steps[place->length] = formulas[i].step;
        place->steps[place->length++].power = atoi(power);
    }
    return place->length > 0;
}

static bool parse(struct place *place, const char *line) {
    static char re[4096], im[4096], zoom[512], steps[256], c_re[4096], c_im[4096];
    strcpy(steps, "mandelbrot^2");
    const int found =
        sscanf(line, "view %d %d %4095s %4095s %511s %lu %255s %4095s %4095s", &place->width,
               &place->height, re, im, zoom, &place->limit, steps, c_re, c_im);
    place->julia = found == 9;
    mpfr_set_str(place->re, re, 10, MPFR_RNDN);
    mpfr_set_str(place->im, im, 10, MPFR_RNDN);
    mpfr_set_str(place->pixel, zoom, 10, MPFR_RNDN);
    mpfr_mul_si(place->pixel, place->pixel, place->height, MPFR_RNDN);
    mpfr_ui_div(place->pixel, 4, place->pixel, MPFR_RNDN);
    if (place->julia) {
        mpfr_set_str(place->c_re, c_re, 10, MPFR_RNDN);
        mpfr_set_str(place->c_im, c_im, 10, MPFR_RNDN);
    }
    return found >= 6 && parse_steps(place, steps);
}

int main(void) {
    static char line[32768];
    struct place place;
    mpfr_inits2(PARSED_BITS, place.re, place.im, place.pixel, place.c_re, place.c_im,
                (mpfr_ptr)NULL);
    while (fgets(line, sizeof line, stdin))
        if (strncmp(line, "view ", 5) == 0 && parse(&place, line)) {
            fputs(line, stdout);
            write_points(&place);
            fflush(stdout);
        }
    return 0;
}
