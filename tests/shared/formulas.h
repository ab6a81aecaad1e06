/* Fractals for tests of pictures: every formula, with powers, hybrids and Julia sets. */
#ifndef FATHOM_TESTS_SHARED_FORMULAS_H
#define FATHOM_TESTS_SHARED_FORMULAS_H

#include "render/frame.h"
#include <stdlib.h>

/* Powers, hybrids and Julia sets, then maps. Parameters of Julia sets lie inside of the radius 2,
 * outside, and near it, where escaped orbits may come back. */
struct fractal_row {
    enum formula formula;
    uint32_t power;
    const char *then, *re, *im; /* NULL: not a Julia set */
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
#define FRACTAL_MAP_ROW(name, ...) {FORMULA_##name, 2, "", NULL, NULL},
    FORMULA_MAP_LIST(FRACTAL_MAP_ROW)
#undef FRACTAL_MAP_ROW
        {FORMULA_newton, 5, "tricorn", NULL, NULL},
    {FORMULA_nova, 3, "", NULL, NULL},
    {FORMULA_lambda, 2, "", "0.85", "0.6"},
    {FORMULA_lambda, 2, "", "0.1", "-0.05"},
    {FORMULA_phoenix, 2, "", "0.56667", "-0.5"},
    {FORMULA_phoenix, 2, "", "-0.5", "2.5"},
    {FORMULA_spider, 2, "", "-0.6", "0.3"},
    {FORMULA_barnsley, 2, "", "0.6", "1.1"},
    {FORMULA_newton, 2, "", "0.1", "0.2"},
    {FORMULA_nova, 4, "", "-0.4", "0.1"},
    {FORMULA_magnet1, 2, "", "1.5", "0.7"},
    {FORMULA_magnet2, 2, "", "1.2", "-0.9"},
    {FORMULA_collatz, 2, "", "0.05", "0"},
};

/* Number of rows: the formulas except maps, then these rows; and the number of rows before the
 * maps. */
#define FRACTAL_ROWS       (FORMULA_POWERS + sizeof fractal_rows / sizeof *fractal_rows)
#define FRACTAL_POWER_ROWS (FRACTAL_ROWS - FORMULA_MAPS - 13)

/* Sets row `number` in an initialised fractal. */
static inline void set_fractal(struct fractal *fractal, uint64_t number) {
    const struct fractal_row itself = {(enum formula)(number % FRACTAL_ROWS), 2, "", NULL, NULL};
    const struct fractal_row *row = number % FRACTAL_ROWS < FORMULA_POWERS
                                        ? &itself
                                        : &fractal_rows[number % FRACTAL_ROWS - FORMULA_POWERS];
    fractal->formula = row->formula;
    fractal->power = row->power;
    fractal->julia = row->re != NULL;
    if (!fractal_set_then(fractal, row->then))
        abort();
    mpfr_set_str(fractal->re, row->re ? row->re : "0", 10, MPFR_RNDN);
    mpfr_set_str(fractal->im, row->im ? row->im : "0", 10, MPFR_RNDN);
}

/* Sets a row, or the first row if the request's number type does not fit. */
static inline void set_formula(struct frame_req *req, uint64_t number) {
    set_fractal(&req->fractal, number);
    if (fractal_type_problem(&req->fractal, req->type))
        set_fractal(&req->fractal, 0);
}

#endif
