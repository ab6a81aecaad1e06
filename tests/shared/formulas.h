/* What tests of pictures of every formula share. */
#ifndef FATHOM_TESTS_SHARED_FORMULAS_H
#define FATHOM_TESTS_SHARED_FORMULAS_H

#include "render/frame.h"
#include <stdlib.h>

/* Powers, hybrids and Julia sets; those with parameters inside of the radius 2, near it, where orbits that
 * have escaped may come back, and outside. */
struct fractal_row {
    enum formula formula;
    uint32_t power;
    const char *then, *re, *im; /* NULL: no Julia set */
};
static const struct fractal_row fractal_rows[] = {
    {FORMULA_mandelbrot, 3, "", NULL, NULL},
    {FORMULA_burning_ship, 3, "", NULL, NULL},
    {FORMULA_buffalo, 4, "", NULL, NULL},
    {FORMULA_mandelbrot, 5, "", NULL, NULL},
    {FORMULA_tricorn, 6, "", NULL, NULL},
    {FORMULA_celtic, 7, "", NULL, NULL},
    {FORMULA_mandelbrot, 8, "", NULL, NULL},
    {FORMULA_mandelbrot, 2, "burning_ship", NULL, NULL},
    {FORMULA_burning_ship, 2, "mandelbrot 3, buffalo 4", NULL, NULL},
    {FORMULA_heart, 5, "mandelbrot 6, celtic 7, tricorn, perpendicular_ship 8", NULL, NULL},
    {FORMULA_mandelbrot, 2, "", "-0.8", "0.156"},
    {FORMULA_mandelbrot, 2, "", "-1.9924", "0.02"},
    {FORMULA_mandelbrot, 2, "", "1.4", "-1.43"},
    {FORMULA_mandelbrot, 2, "", "-2.5", "0.31"},
    {FORMULA_burning_ship, 2, "", "-0.5", "-0.6"},
    {FORMULA_celtic, 3, "", "0.37", "0.59"},
    {FORMULA_tricorn, 2, "mandelbrot 3, buffalo", "0.4", "0.3"},
};

/* First the formulas themselves, then those. */
#define FRACTAL_ROWS (FORMULA_COUNT + sizeof fractal_rows / sizeof *fractal_rows)

/* `fractal` is initialised. */
static inline void set_fractal(struct fractal *fractal, uint64_t number) {
    const struct fractal_row itself = {(enum formula)(number % FRACTAL_ROWS), 2, "", NULL, NULL};
    const struct fractal_row *row = number % FRACTAL_ROWS < FORMULA_COUNT
                                        ? &itself
                                        : &fractal_rows[number % FRACTAL_ROWS - FORMULA_COUNT];
    fractal->formula = row->formula;
    fractal->power = row->power;
    fractal->julia = row->re != NULL;
    if (!fractal_set_then(fractal, row->then))
        abort();
    mpfr_set_str(fractal->re, row->re ? row->re : "0", 10, MPFR_RNDN);
    mpfr_set_str(fractal->im, row->im ? row->im : "0", 10, MPFR_RNDN);
}

/* One of them, and an arithmetic that it has. */
static inline void set_formula(struct frame_req *req, uint64_t number, bool unfused) {
    set_fractal(&req->fractal, number);
    req->arithmetic = unfused && !arithmetic_problem(&req->fractal, req->type, ARITHMETIC_UNFUSED)
                          ? ARITHMETIC_UNFUSED
                          : ARITHMETIC_FUSED;
}

#endif
