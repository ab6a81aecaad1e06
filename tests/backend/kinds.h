/* Kinds of pictures whose samples are compared with orbits in long doubles. The file that includes
 * it defines WIDTH, HEIGHT and PLANES, the size and the planes of the pictures. */
#ifndef FATHOM_TESTS_BACKEND_KINDS_H
#define FATHOM_TESTS_BACKEND_KINDS_H

#include "tests/shared/pictures.h"
#include <complex.h>
#include <math.h>

struct kind {
    struct place place;
    enum formula formula;
    uint32_t power;
    const char *then, *julia_re, *julia_im;
    uint32_t period; /* period of all samples of the interior; 0: various periods */
};

static inline void set_kind(struct frame_req *req, const struct kind *kind) {
    struct fractal *fractal = &req->fractal;
    set_place(req, &kind->place);
    fractal->formula = kind->formula;
    fractal->power = kind->power;
    fractal->julia = kind->julia_re != NULL;
    if (!fractal_set_then(fractal, kind->then))
        abort();
    if (kind->julia_re) {
        mpfr_set_str(fractal->re, kind->julia_re, 10, MPFR_RNDN);
        mpfr_set_str(fractal->im, kind->julia_im, 10, MPFR_RNDN);
    }
    req->planes = PLANES;
    req->generation++;
}

static void picture_init_planes(struct picture *picture) {
    picture_init(picture, WIDTH, HEIGHT);
    sample_planes_finish(&picture->target.planes);
    if (!sample_planes_init(&picture->target.planes, PLANES, picture->pixels, "a test"))
        abort();
}

typedef long double complex point;

/* Returns the point after step n of an orbit. */
static point step(const struct recipe *recipe, uint32_t n, point z, point c) {
    const unsigned folds = recipe->folds[n % recipe->length];
    long double x = creall(z), y = cimagl(z);
    x = folds & FOLD_X ? fabsl(x) : x;
    y = folds & FOLD_Y ? fabsl(y) : y;
    y = folds & FOLD_NEGATE ? -y : y;
    const point w = x + y * (point)I;
    point product = w;
    for (uint32_t i = 1; i < recipe->power[n % recipe->length]; i++)
        product = (creall(product) * x - cimagl(product) * y) +
                  (creall(product) * y + cimagl(product) * x) * (point)I;
    const long double u = folds & FOLD_RE ? fabsl(creall(product)) : creall(product);
    const long double v = folds & FOLD_IM ? fabsl(cimagl(product)) : cimagl(product);
    return u + v * (point)I + c;
}

/* Stores the first point of an orbit, and its parameter. */
static void begin(const struct recipe *recipe, point at, point *z, point *c) {
    *z = recipe->julia ? at : 0;
    *c = recipe->julia ? recipe->parameter_re[0] + recipe->parameter_im[0] * (point)I : at;
}

#endif
